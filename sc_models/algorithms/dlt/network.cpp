#include "algorithms/dlt/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <deque>

#include "base/text.h"
#include "network/topology/build_topology.h"

namespace weft::dlt {
namespace {

bool inside(const SwitchRange& range, NodeIndex node) { return node >= range.first && node <= range.last; }

void check_range(const SwitchRange& range, const Network& network) {
  if (range.last < network.nodes.size()) return;
  throw InputError(range.where, fmt::format("there is no sw[{}]: {} has sw[0] to sw[{}]", range.last, network.name,
                                            network.nodes.size() - 1));
}

std::vector<Node> make_nodes(const DltConfig& config, const Graph& graph) {
  std::vector<Node> nodes(graph.switches());
  std::vector<std::uint32_t> hosts(graph.switches());
  for (NodeId n = 0; n < graph.nodes(); ++n) ++hosts[graph.attachment(n).sw];
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    if (hosts[sw] > 1) {
      throw InputError(
          config.topology.where,
          fmt::format("a divisible load needs at most one end node on a switch; sw[{}] has {}", sw, hosts[sw]));
    }
    nodes[sw].computes = hosts[sw] == 1;
  }
  return nodes;
}

// Times of one directed link, or 0 if it has failed.
double link_time(const DltConfig& config, NodeIndex from, NodeIndex to, std::vector<bool>& used) {
  double speed = 1;
  bool failed = false;
  for (std::size_t i = 0; i < config.links.size(); ++i) {
    const DltLinkException& e = config.links[i];
    const bool one_way = inside(e.from, from) && inside(e.to, to);
    const bool other_way = inside(e.from, to) && inside(e.to, from);
    if (!one_way && !other_way) continue;
    used[i] = true;
    if (e.inverse_speed) speed = *e.inverse_speed;
    failed = e.failed;
  }
  return failed ? 0 : config.sigma * speed;
}

void add_links(const DltConfig& config, const Graph& graph, Network& network) {
  std::vector<bool> used(config.links.size());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    for (PortId port = 0; port < graph.ports(sw); ++port) {
      const SwitchId peer = graph.peer(sw, port).sw;
      if (peer == kNoId) continue;
      const double time = link_time(config, sw, peer, used);
      if (time <= 0) continue;
      network.out[sw].push_back(static_cast<LinkIndex>(network.links.size()));
      network.links.push_back({sw, peer, time});
    }
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) throw InputError(config.links[i].where, "links: no link joins these switches");
  }
}

std::vector<std::uint32_t> coordinates(const std::vector<std::uint32_t>& dims, NodeIndex node) {
  std::vector<std::uint32_t> at;
  for (const std::uint32_t k : dims) {
    at.push_back(node % k);
    node /= k;
  }
  return at;
}

NodeIndex at_coordinates(const std::vector<std::uint32_t>& dims, const std::vector<std::uint32_t>& at) {
  NodeIndex node = 0;
  for (std::size_t d = dims.size(); d-- > 0;) node = node * dims[d] + at[d];
  return node;
}

// A place by its name; every node of a torus is alike, so all names mean some node of it.
NodeIndex named_place(const DltInjection& injection, const Network& network) {
  const std::vector<std::uint32_t>& dims = network.dims;
  if (dims.empty()) {
    throw InputError(injection.where, fmt::format("inject: '{}' has a meaning in a mesh, torus or hypercube only; "
                                                  "expected a node number",
                                                  injection.at));
  }
  std::vector<std::uint32_t> at(dims.size());
  if (injection.at == "centre") {
    for (std::size_t d = 0; d < dims.size(); ++d) at[d] = dims[d] / 2;
  } else if (injection.at == "edge") {
    const auto longest = std::max_element(dims.begin(), dims.end());
    if (dims.size() < 2 || *longest < 3) {
      throw InputError(injection.where, fmt::format("inject: {} has no edge between corners", network.name));
    }
    at[static_cast<std::size_t>(longest - dims.begin())] = *longest / 2;
  }
  return at_coordinates(dims, at);
}

std::optional<std::vector<std::uint32_t>> numbers(const std::string& text) {
  std::vector<std::uint32_t> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::uint32_t value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc()) return std::nullopt;
    out.push_back(value);
    if (stop == end) return out;
    if (*stop != ',') return std::nullopt;
    at = stop + 1;
  }
}

NodeIndex find_node(const DltInjection& injection, const Network& network) {
  const std::vector<std::string> places{"corner", "edge", "centre"};
  if (std::find(places.begin(), places.end(), injection.at) != places.end()) return named_place(injection, network);
  const auto at = numbers(injection.at);
  if (!at) {
    throw InputError(injection.where,
                     fmt::format("inject: '{}' is no place (expected corner, edge, centre, a node number or "
                                 "coordinates such as 2,3){}",
                                 injection.at, did_you_mean(injection.at, places)));
  }
  if (at->size() == 1) {
    if (at->front() < network.nodes.size()) return at->front();
    throw InputError(injection.where, fmt::format("inject: node {} does not exist; {} has nodes 0..{}", at->front(),
                                                  network.name, network.nodes.size() - 1));
  }
  bool exists = at->size() == network.dims.size();
  for (std::size_t d = 0; exists && d < at->size(); ++d) exists = (*at)[d] < network.dims[d];
  if (exists) return at_coordinates(network.dims, *at);
  throw InputError(injection.where, fmt::format("inject: there is no node at {} in {}", injection.at, network.name));
}

bool all_alike(const Network& network) {
  return std::all_of(network.nodes.begin(), network.nodes.end(),
                     [&](const Node& n) { return n.computes && n.time == network.nodes.front().time; }) &&
         std::all_of(network.links.begin(), network.links.end(),
                     [&](const Link& l) { return l.time == network.links.front().time; });
}

}  // namespace

std::string Network::node_name(NodeIndex node) const {
  if (dims.size() < 2) return std::to_string(node);
  return fmt::format("{} ({})", node, fmt::join(coordinates(dims, node), ","));
}

std::string Network::link_name(LinkIndex link) const {
  return fmt::format("{} -> {}", links[link].from, links[link].to);
}

Network build_network(const DltConfig& config) {
  const Graph graph = build_topology(config.topology);
  if (graph.switches() > kMostNodes) {
    throw InputError(config.topology.where, fmt::format("{} has {} nodes; divisible loads are solved for at most {}",
                                                        graph.name(), graph.switches(), kMostNodes));
  }
  Network network;
  network.name = graph.name();
  network.dims = graph.grid().dims;
  network.nodes = make_nodes(config, graph);
  network.out.resize(network.nodes.size());
  for (const DltNodeException& e : config.nodes) {
    check_range(e.range, network);
    for (NodeIndex n = e.range.first; n <= e.range.last; ++n) {
      if (e.inverse_speed) network.nodes[n].time = *e.inverse_speed;
      if (e.computes) network.nodes[n].computes = *e.computes;
    }
  }
  for (const DltLinkException& e : config.links) {
    check_range(e.from, network);
    check_range(e.to, network);
  }
  if (std::none_of(network.nodes.begin(), network.nodes.end(), [](const Node& n) { return n.computes; })) {
    throw InputError(config.nodes.empty() ? config.topology.where : config.nodes.back().range.where,
                     "no node of the network computes");
  }
  add_links(config, graph, network);
  network.homogeneous = all_alike(network);
  return network;
}

std::vector<Source> find_sources(const DltConfig& config, const Network& network) {
  std::vector<Source> sources;
  for (const DltInjection& injection : config.inject) {
    const Source source{find_node(injection, network), injection.load};
    if (std::any_of(sources.begin(), sources.end(), [&](const Source& s) { return s.node == source.node; })) {
      throw InputError(injection.where, fmt::format("inject: node {} is named twice", network.node_name(source.node)));
    }
    sources.push_back(source);
  }
  return sources;
}

std::vector<std::uint32_t> hop_distances(const Network& network, const std::vector<Source>& sources) {
  std::vector<std::uint32_t> distance(network.nodes.size(), kUnreached);
  std::deque<NodeIndex> queue;
  for (const Source& s : sources) {
    distance[s.node] = 0;
    queue.push_back(s.node);
  }
  for (; !queue.empty(); queue.pop_front()) {
    for (const LinkIndex l : network.out[queue.front()]) {
      const NodeIndex next = network.links[l].to;
      if (distance[next] != kUnreached) continue;
      distance[next] = distance[queue.front()] + 1;
      queue.push_back(next);
    }
  }
  return distance;
}

void check_reachable(const DltConfig& config, const Network& network, const std::vector<Source>& sources) {
  const auto distance = hop_distances(network, sources);
  constexpr std::size_t kNamed = 8;
  std::string names;
  std::size_t cut_off = 0;
  for (NodeIndex n = 0; n < network.nodes.size(); ++n) {
    if (!network.nodes[n].computes || distance[n] != kUnreached) continue;
    if (++cut_off <= kNamed) names += (names.empty() ? "" : ", ") + network.node_name(n);
  }
  if (cut_off == 0) return;
  if (cut_off > kNamed) names += fmt::format(" and {} more", cut_off - kNamed);
  throw InputError(
      config.inject.front().where,
      fmt::format("no link leads from the injection to node {}; let them not compute, or mend the links", names));
}

}  // namespace weft::dlt
