#pragma once
// Networks, flows and checks that several slot tests share.

#include <rapidcheck.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/slots/allocation.h"
#include "algorithms/slots/flow.h"
#include "base/random.h"
#include "network/routing/routing.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/routing_config.h"
#include "network/routing/shortest_path.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft::test {

using Pairs = std::vector<std::pair<NodeId, NodeId>>;

inline Graph grid(std::vector<std::uint32_t> dims, const std::string& kind = "mesh") {
  TopologyConfig config = topology_config(kind, {{"dims", std::move(dims)}});
  return build_topology(config);
}

inline std::unique_ptr<CircuitRouting> dimension_order(const Graph& graph, std::vector<std::uint32_t> order = {}) {
  RoutingConfig config;
  config.order = std::move(order);
  return make_routing(config, graph);
}

inline std::unique_ptr<CircuitRouting> shortest_path(const Graph& graph) {
  RoutingConfig config;
  config.algorithm = &kShortestPath;
  return make_routing(config, graph);
}

/// A flow that must be well formed.
inline Flow flow(const Graph& graph, const CircuitRouting& routing, const std::string& name, const Pairs& pairs,
                 std::uint32_t slots = 1) {
  Diagnostics diagnostics;
  Flow result = make_flow(graph, routing, name, "", slots, pairs, {"test.yaml", 1, 1}, diagnostics);
  diagnostics.throw_if_errors();
  return result;
}

/// One flow per pair, named by its position.
inline std::vector<Flow> flow_per_pair(const Graph& graph, const CircuitRouting& routing, const Pairs& pairs) {
  std::vector<Flow> flows;
  for (const auto& pair : pairs) flows.push_back(flow(graph, routing, std::to_string(flows.size()), {pair}));
  return flows;
}

/// Connected network of `switches` switches: a random tree, some more links, one or two nodes per switch.
inline Graph random_graph(std::uint32_t switches, std::uint32_t more_links, RandomStream& random) {
  std::vector<std::pair<SwitchId, SwitchId>> links;
  for (SwitchId s = 1; s < switches; ++s) links.emplace_back(s, static_cast<SwitchId>(random.below(s)));
  for (std::uint32_t l = 0; l < more_links && switches > 1; ++l) {
    const auto a = static_cast<SwitchId>(random.below(switches));
    const auto b = static_cast<SwitchId>(random.below(switches - 1));
    links.emplace_back(a, b < a ? b : b + 1);
  }
  std::vector<std::uint32_t> hosts(switches);
  std::vector<PortId> used(switches);
  for (std::uint32_t& h : hosts) h = 1 + static_cast<std::uint32_t>(random.below(2));
  std::vector<std::uint32_t> ports = hosts;
  for (const auto& [a, b] : links) {
    ++ports[a];
    ++ports[b];
  }
  Graph graph("random");
  for (const std::uint32_t p : ports) graph.add_switch(static_cast<PortId>(p));
  for (SwitchId s = 0; s < switches; ++s) {
    for (std::uint32_t h = 0; h < hosts[s]; ++h) graph.attach_node({s, used[s]++});
  }
  for (const auto& [a, b] : links) {
    const PortRef from{a, used[a]++};
    graph.connect(from, {b, used[b]++});
  }
  return graph;
}

/// Random unicast and multicast flows, some with two sources, of 1 to 3 slots.
inline std::vector<Flow> random_flows(const Graph& graph, const CircuitRouting& routing, std::size_t count,
                                      RandomStream& random) {
  std::vector<Flow> flows;
  while (flows.size() < count) {
    Pairs pairs;
    const std::uint64_t sources = 1 + random.below(2);
    for (std::uint64_t s = 0; s < sources; ++s) {
      const auto from = static_cast<NodeId>(random.below(graph.nodes()));
      for (std::uint64_t d = 1 + random.below(3); d > 0; --d) {
        pairs.emplace_back(from, static_cast<NodeId>(random.below(graph.nodes())));
      }
    }
    // Ill-formed draws (to itself, twice, shared links) are drawn again.
    Diagnostics diagnostics;
    Flow f = make_flow(graph, routing, std::to_string(flows.size()), "",
                       1 + static_cast<std::uint32_t>(random.below(3)), pairs, {}, diagnostics);
    if (diagnostics.ok()) flows.push_back(std::move(f));
  }
  return flows;
}

/// Network and flows drawn by RapidCheck; small ones come first when a failure is shrunk. Half of the networks join
/// their parallel links to bundles, of which they have more then.
struct Case {
  Graph graph;
  std::unique_ptr<CircuitRouting> routing;
  std::vector<Flow> flows;
};
inline Case draw_case() {
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>(), "case");
  const auto switches = *rc::gen::inRange<std::uint32_t>(2, 10);
  const bool bundles = *rc::gen::arbitrary<bool>();
  const auto more = *rc::gen::inRange<std::uint32_t>(0, bundles ? 30 : 10);
  const auto count = *rc::gen::inRange<std::size_t>(1, 20);
  Case c{random_graph(switches, more, random), nullptr, {}};
  if (bundles) c.graph.join_parallel_links();
  c.routing = shortest_path(c.graph);
  c.flows = random_flows(c.graph, *c.routing, count, random);
  return c;
}

}  // namespace weft::test
