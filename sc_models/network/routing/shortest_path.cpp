#include "network/routing/shortest_path.h"

#include <mutex>

namespace weft {
namespace {

class ShortestPath final : public CircuitRouting {
 public:
  explicit ShortestPath(const Graph& graph) : graph_(graph), columns_(std::make_unique<Column[]>(graph.nodes())) {}

  // Every port of the network is looked at, about three times.
  double seconds_per_destination() const override { return static_cast<double>(graph_.total_ports()) * 5e-9; }

  PortId next(SwitchId at, NodeId to) const override {
    Column& column = columns_[to];
    std::call_once(column.once, [&] { fill(column.ports, to); });
    return column.ports[at];
  }

 private:
  struct Column {
    std::once_flag once;
    std::vector<PortId> ports;  // per switch
  };

  void fill(std::vector<PortId>& ports, NodeId to) const {
    const PortRef goal = graph_.attachment(to);
    const std::vector<std::uint32_t> distance = distances_to(graph_, goal.sw);
    ports.assign(graph_.switches(), kNoPort);
    ports[goal.sw] = goal.port;
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
      if (sw == goal.sw || distance[sw] == kNoId) continue;
      const auto minimal = [&](PortId p) {
        const SwitchId peer = graph_.peer(sw, p).sw;
        return peer != kNoId && distance[peer] + 1 == distance[sw];
      };
      std::uint32_t count = 0;
      for (PortId p = 0; p < graph_.ports(sw); ++p) count += minimal(p) ? 1 : 0;
      std::uint32_t skip = to / weight(sw) % count;
      for (PortId p = 0; ports[sw] == kNoPort; ++p) {
        if (minimal(p) && skip-- == 0) ports[sw] = p;
      }
    }
  }

  // What the number of a destination is divided by, to spread destinations over the ports of a switch: those of a level
  // of a tree by a digit of their own (D-mod-k), so that all roots are used.
  std::uint32_t weight(SwitchId sw) const {
    const TreeShape& tree = graph_.tree();
    if (tree.arity == 0) return 1;
    std::uint32_t switches = 1;  // of a level
    for (std::uint32_t l = 1; l < tree.levels; ++l) switches *= tree.arity;
    std::uint32_t out = 1;
    for (std::uint32_t level = sw / switches; level > 0; --level) out *= tree.arity;
    return out;
  }

  const Graph& graph_;
  std::unique_ptr<Column[]> columns_;
};

std::unique_ptr<CircuitRouting> make_shortest_path_circuits(const RoutingConfig& config, const Graph& graph) {
  if (!config.order.empty()) {
    throw InputError(config.where, "an order of dimensions belongs to dimension_order routing, not to shortest_path");
  }
  return std::make_unique<ShortestPath>(graph);
}

// The routes of circuits.
class ShortestPathPackets final : public PacketRouting {
 public:
  explicit ShortestPathPackets(std::unique_ptr<CircuitRouting> routing) : routing_(std::move(routing)) {}
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t) const override {
    return {routing_->next(place.at, to)};
  }
  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    visit(step(place, to, 0));
  }
  bool single_path() const override { return true; }
  bool any_parallel_link() const override { return true; }

 private:
  std::unique_ptr<CircuitRouting> routing_;
};

std::unique_ptr<PacketRouting> make_shortest_path_packets(const PacketRoutingOptions& options, const Graph& graph) {
  return std::make_unique<ShortestPathPackets>(make_shortest_path_circuits(options.routing, graph));
}

}  // namespace

std::vector<std::uint32_t> distances_to(const Graph& graph, SwitchId goal) {
  std::vector<std::uint32_t> distance(graph.switches(), kNoId);
  std::vector<SwitchId> queue{goal};
  distance[goal] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const SwitchId sw = queue[i];
    for (PortId p = 0; p < graph.ports(sw); ++p) {
      const SwitchId peer = graph.peer(sw, p).sw;
      if (peer == kNoId || distance[peer] != kNoId) continue;
      distance[peer] = distance[sw] + 1;
      queue.push_back(peer);
    }
  }
  return distance;
}

constinit const RoutingAlgorithm kShortestPath{
    .name = "shortest_path",
    .meaning = "a shortest path to each node, on one VL",
    .circuits = make_shortest_path_circuits,
    .packets = make_shortest_path_packets,
};

}  // namespace weft
