#include "network/routing/up_down.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

#include "network/routing/shortest_path.h"

namespace weft {
namespace {

/// Switches, highest first, and the place of each.
struct SwitchOrder {
  std::vector<SwitchId> switches;
  std::vector<std::uint32_t> place;
  bool higher(SwitchId a, SwitchId b) const { return place[a] < place[b]; }
};

/// By key, lowest first, then by number.
SwitchOrder order_by(const std::vector<std::uint32_t>& key) {
  SwitchOrder out;
  out.switches.resize(key.size());
  std::iota(out.switches.begin(), out.switches.end(), SwitchId{0});
  std::stable_sort(out.switches.begin(), out.switches.end(), [&](SwitchId a, SwitchId b) { return key[a] < key[b]; });
  out.place.resize(key.size());
  for (std::uint32_t i = 0; i < key.size(); ++i) out.place[out.switches[i]] = i;
  return out;
}

/// Hops down to a switch, and hops of the shortest route up and down to it; kNoId where there is none.
struct UpDownDistances {
  std::vector<std::uint32_t> down;
  std::vector<std::uint32_t> any;
};

template <class Up>
UpDownDistances distances_of(const Graph& graph, const SwitchOrder& order, SwitchId goal, const Up& link_up) {
  UpDownDistances out;
  out.down.assign(graph.switches(), kNoId);
  std::vector<SwitchId> queue{goal};
  out.down[goal] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const SwitchId sw = queue[i];
    for (PortId p = 0; p < graph.ports(sw); ++p) {
      const PortRef peer = graph.peer(sw, p);
      if (peer.sw == kNoId || out.down[peer.sw] != kNoId || !order.higher(peer.sw, sw) || !link_up(peer)) continue;
      out.down[peer.sw] = out.down[sw] + 1;
      queue.push_back(peer.sw);
    }
  }
  out.any = out.down;
  for (const SwitchId sw : order.switches) {
    for (PortId p = 0; p < graph.ports(sw); ++p) {
      const SwitchId peer = graph.peer(sw, p).sw;
      if (peer == kNoId || !order.higher(peer, sw) || out.any[peer] == kNoId || !link_up(PortRef{sw, p})) continue;
      out.any[sw] = std::min(out.any[sw], out.any[peer] + 1);
    }
  }
  return out;
}

constexpr auto kEveryLink = [](const PortRef&) { return true; };

std::vector<bool> switches_with_nodes(const Graph& graph) {
  std::vector<bool> out(graph.switches());
  for (NodeId n = 0; n < graph.nodes(); ++n) out[graph.attachment(n).sw] = true;
  return out;
}

/// Distance from the nearest of some switches.
std::vector<std::uint32_t> distances_from(const Graph& graph, const std::vector<SwitchId>& starts) {
  std::vector<std::uint32_t> out(graph.switches(), kNoId);
  for (const SwitchId start : starts) {
    const std::vector<std::uint32_t> distance = distances_to(graph, start);
    for (SwitchId s = 0; s < graph.switches(); ++s) out[s] = std::min(out[s], distance[s]);
  }
  return out;
}

/// SwitchOrder of a network whose switches stand in levels above those with nodes; empty: they do not, or not all pairs
/// of nodes have a route.
std::vector<SwitchOrder> levels_of(const Graph& graph) {
  const std::vector<bool> leaf = switches_with_nodes(graph);
  std::vector<std::uint32_t> height(graph.switches(), kNoId);
  std::vector<SwitchId> queue;
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (!leaf[s]) continue;
    height[s] = 0;
    queue.push_back(s);
  }
  const std::vector<SwitchId> leaves = queue;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (PortId p = 0; p < graph.ports(queue[i]); ++p) {
      const SwitchId peer = graph.peer(queue[i], p).sw;
      if (peer == kNoId) continue;
      if (height[peer] == height[queue[i]]) return {};  // links within a level
      if (height[peer] != kNoId) continue;
      height[peer] = height[queue[i]] + 1;
      queue.push_back(peer);
    }
  }
  for (std::uint32_t& h : height) h = graph.switches() - h;
  SwitchOrder order = order_by(height);
  for (const SwitchId goal : leaves) {
    const UpDownDistances distances = distances_of(graph, order, goal, kEveryLink);
    if (std::any_of(leaves.begin(), leaves.end(), [&](SwitchId s) { return distances.any[s] == kNoId; })) return {};
  }
  std::vector<SwitchOrder> out;
  out.push_back(std::move(order));
  return out;
}

std::vector<SwitchOrder> orders_of(const Graph& graph, std::uint32_t roots) {
  std::vector<SwitchOrder> out = levels_of(graph);
  if (!out.empty()) return out;
  std::vector<std::uint32_t> links(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (PortId p = 0; p < graph.ports(s); ++p) links[s] += graph.peer(s, p).sw != kNoId ? 1 : 0;
  }
  std::vector<SwitchId> chosen;
  std::vector<std::uint32_t> distance(graph.switches(), 0);
  while (chosen.size() < std::min(roots, graph.switches())) {
    SwitchId next = 0;
    for (SwitchId s = 1; s < graph.switches(); ++s) {
      if (std::pair(distance[s], links[s]) > std::pair(distance[next], links[next])) next = s;
    }
    chosen.push_back(next);
    distance = distances_from(graph, chosen);
    out.push_back(order_by(distances_to(graph, next)));
  }
  return out;
}

/// Output ports of all switches to one destination: one for messages that may still go up, one for those that may not.
struct UpDownColumn {
  std::once_flag once;
  std::vector<PortId> ports;  // [2 * switch + may go up]; kNoPort: no route
};

class UpDownTables {
 public:
  UpDownTables(const Graph& graph, std::uint32_t roots)
      : graph_(graph), roots_(roots), orders_(orders_of(graph, roots)) {}

  std::uint32_t roots() const { return roots_; }

  template <class Up>
  std::vector<PortId> ports_to(NodeId to, const Up& link_up) const {
    const SwitchOrder& order = order_of(to);
    const PortRef goal = graph_.attachment(to);
    const UpDownDistances distances = distances_of(graph_, order, goal.sw, link_up);
    std::vector<PortId> ports(2 * std::size_t{graph_.switches()}, kNoPort);
    for (SwitchId s = 0; s < graph_.switches(); ++s) {
      for (const bool up : {false, true}) ports[2 * std::size_t{s} + up] = choose(order, distances, s, up, to, link_up);
    }
    ports[2 * std::size_t{goal.sw}] = ports[2 * std::size_t{goal.sw} + 1] = goal.port;
    return ports;
  }

  RouteStep step(const std::vector<PortId>& ports, const RoutePlace& place, NodeId to) const {
    const SwitchId from = graph_.peer(place.at, place.in).sw;
    const bool up = from == kNoId || order_of(to).higher(place.at, from);
    const PortId port = ports[2 * std::size_t{place.at} + up];
    if (port == kNoPort) return {0, 0};
    const bool last = graph_.node_at(place.at, port) != kNoId;
    return {port, 1, static_cast<std::uint8_t>(last ? 0 : to % roots_)};
  }

 private:
  const SwitchOrder& order_of(NodeId to) const { return orders_[to % roots_ % orders_.size()]; }

  template <class Up>
  PortId choose(const SwitchOrder& order, const UpDownDistances& distances, SwitchId s, bool up, NodeId to,
                const Up& link_up) const {
    const std::uint32_t left = up ? distances.any[s] : distances.down[s];
    if (left == kNoId || left == 0) return kNoPort;
    std::vector<PortId> ports;
    for (PortId p = 0; p < graph_.ports(s); ++p) {
      const SwitchId peer = graph_.peer(s, p).sw;
      if (peer == kNoId || !link_up(PortRef{s, p})) continue;
      const bool goes_up = order.higher(peer, s);
      if (goes_up && !up) continue;
      if ((goes_up ? distances.any[peer] : distances.down[peer]) == left - 1) ports.push_back(p);
    }
    // Links to one switch are shared evenly by all destinations. Ways through different switches are by those of a
    // root, for which they may be others than for another root.
    const SwitchId next = graph_.peer(s, ports.front()).sw;
    const bool parallel =
        std::all_of(ports.begin(), ports.end(), [&](PortId p) { return graph_.peer(s, p).sw == next; });
    return ports[(parallel ? std::size_t{to} : std::size_t{to / roots_} + s) % ports.size()];
  }

  const Graph& graph_;
  std::uint32_t roots_;
  std::vector<SwitchOrder> orders_;
};

class UpDown final : public PacketRouting {
 public:
  UpDown(const Graph& graph, std::uint32_t roots)
      : tables_(graph, roots), columns_(std::make_unique<UpDownColumn[]>(graph.nodes())) {}

  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t) const override {
    UpDownColumn& column = columns_[to];
    std::call_once(column.once, [&] { column.ports = tables_.ports_to(to, kEveryLink); });
    return tables_.step(column.ports, place, to);
  }
  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    visit(step(place, to, 0));
  }
  std::uint32_t lane_classes() const override { return tables_.roots(); }
  bool single_path() const override { return true; }

 private:
  UpDownTables tables_;
  std::unique_ptr<UpDownColumn[]> columns_;
};

class UpDownDetours final : public FaultyRouting {
 public:
  UpDownDetours(const Graph& graph, const LinkState& links, std::uint32_t roots)
      : tables_(graph, roots), links_(links), columns_(graph.nodes()) {}

  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t) const override {
    std::vector<PortId>& ports = columns_[to];
    if (ports.empty()) ports = tables_.ports_to(to, [&](const PortRef& p) { return links_.up(p.sw, p.port); });
    RouteStep step = tables_.step(ports, place, to);
    if (step.count > 0 && !links_.up(place.at, step.first)) step.count = 0;  // to the node
    return step;
  }
  void update() override {
    for (std::vector<PortId>& ports : columns_) ports.clear();
  }

 private:
  UpDownTables tables_;
  const LinkState& links_;
  mutable std::vector<std::vector<PortId>> columns_;  // by destination; empty: not found since the last change
};

std::unique_ptr<PacketRouting> make_up_down(const PacketRoutingOptions& options, const Graph& graph) {
  return std::make_unique<UpDown>(graph, options.routing.roots);
}

std::unique_ptr<FaultyRouting> make_up_down_detours(const PacketRoutingOptions& options, const Graph& graph,
                                                    const LinkState& links) {
  return std::make_unique<UpDownDetours>(graph, links, options.routing.roots);
}

}  // namespace

constinit const RoutingAlgorithm kUpDown{
    .name = "up_down",
    .meaning = "up*/down*, on any network",
    .takes_roots = true,
    .packets = make_up_down,
    .lane_classes = [](const PacketRoutingOptions& options, NetworkForm) { return options.routing.roots; },
    .why_classes = "one per root",
    .detours = make_up_down_detours,
};

}  // namespace weft
