#include "support/setup_runs.h"

#include <algorithm>
#include <limits>

#include "base/random.h"
#include "network/routing/routing_config.h"
#include "network/routing/shortest_path.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft::test {
namespace {

// Some flows have an end, some may only have certain slots: enough of them for all they ask for.
void restrict_flow(TimedFlow& flow, std::uint32_t slots, RandomStream& random) {
  if (flow.arrivals == &kSaturatedArrivals && random.below(3) == 0) {
    flow.end = flow.start + 1 + static_cast<Cycle>(random.below(400));
  }
  if (random.below(4) != 0) return;
  std::uint32_t most = flow.slots;
  for (const SlotChange& change : flow.changes) most = std::max(most, change.slots);
  flow.allowed = SlotSet(slots);
  while (flow.allowed.count() < most) flow.allowed.set(random.below(slots));
}

void add_destinations(TimedFlow& flow, NodeId nodes, RandomStream& random) {
  for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
    const auto to = static_cast<NodeId>(random.below(nodes));
    const bool has = std::find(flow.destinations.begin(), flow.destinations.end(), to) != flow.destinations.end();
    if (!has && to != flow.source) flow.destinations.push_back(to);
  }
}

// On about half of the switches' links and of the nodes', from a cycle to several frames.
void lengthen_links(SetupCase& c, const Graph& graph) {
  RandomStream random(c.seed, "adapters");
  const auto add = [&](PortRange place) {
    if (random.below(2) == 0) return;
    AdapterConfig& a = c.adapters.emplace_back();
    a.place = std::move(place);
    a.delay = 1 + static_cast<Cycle>(random.below(random.below(3) == 0 ? 60 : 6));
  };
  for (NodeId n = 0; n < graph.nodes(); ++n) add({{}, true, n, n, {}, {}, {}});
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (PortId p = 0; p < graph.ports(s); ++p) {
      if (graph.peer(s, p).sw != kNoId && graph.peer(s, p).sw > s) add({{}, false, s, s, p, {}, {}});
    }
  }
}

}  // namespace

SetupCase random_setup(std::uint64_t seed, Random kind) {
  RandomStream random(seed, "random setup");
  RandomStream more(seed, "multicasts");
  RandomStream restrictions(seed, "restrictions");
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  SetupCase c = line(2, 2 + below(7));
  c.seed = seed;
  switch (below(4)) {
    case 0:
      c.topology = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{2 + below(4)}}});
      break;
    case 1:
      c.topology = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{2 + below(2), 2 + below(3)}}});
      break;
    case 2:
      c.topology = topology_config("torus", {{"dims", std::vector<std::uint32_t>{3, 2 + below(2)}}});
      break;
    default:
      c.topology = topology_config("full_mesh", {{"switches", 3 + below(3)}});
      c.routing.algorithm = &kShortestPath;
      break;
  }
  c.slot_update = kind == Random::slot_update;
  if ((kind == Random::bundles || (c.slot_update && seed % 3 == 0)) && c.topology.kind->name != "full_mesh") {
    c.topology.values["trunk"] = static_cast<std::uint32_t>(2 + seed % 2);
    c.bundles = true;
  }
  if (kind == Random::node_links && c.topology.kind->name != "full_mesh") {
    c.topology.values["node_links"] = static_cast<std::uint32_t>(2 + seed % 2);
    if (seed % 3 == 0) c.topology.values["trunk"] = std::uint32_t{2};
    c.bundles = seed % 2 == 0;
  }
  c.tdm_switch.pipeline = below(3);
  c.tdm_switch.serdes = below(2) == 0 ? 0 : below(12);
  c.tdm_switch.reconfiguration = 1 + (below(3) == 0 ? below(12) : 0);
  c.setup.processing = 1 + (below(2) == 0 ? below(20) : 0);
  c.setup.backoff = 1 + below(60);
  c.setup.routes = 1 + below(4);
  const Graph graph = build_topology(c.topology);
  const std::uint32_t flows = 1 + below(10);
  for (std::uint32_t i = 0; i < flows; ++i) {
    const NodeId source = below(graph.nodes());
    const NodeId destination = (source + 1 + below(graph.nodes() - 1)) % graph.nodes();
    // One by one: compilers evaluate arguments in orders of their own.
    const std::uint32_t slots = 1 + below(c.tdm_switch.slots);
    const std::uint32_t start = below(400);
    TimedFlow f = one_message(source, destination, 1 + below(12), start, slots);
    if (below(2) == 0) f.slots = 1;
    f.messages = 1 + below(12);
    const std::uint32_t arrivals = below(4);
    if (arrivals == 0) {
      f.arrivals = &kPeriodicArrivals;
      f.interval = Duration{1 + below(1'500'000)};
    } else if (arrivals == 1) {
      f.arrivals = &kPoissonArrivals;
      f.interval = Duration{1 + below(1'500'000)};
    } else if (below(4) == 0) {
      f.messages.reset();
      f.duration = 1 + below(600);
      f.until = std::numeric_limits<Cycle>::max();
    }
    Cycle at = f.start;
    for (std::uint32_t n = below(4); n > 0; --n) {
      at += 1 + below(200);
      f.changes.push_back({at, 1 + below(c.tdm_switch.slots)});
    }
    if (kind != Random::plain && more.below(2) == 0) add_destinations(f, graph.nodes(), more);
    restrict_flow(f, c.tdm_switch.slots, restrictions);
    if (c.slot_update) {
      f.changes.clear();
      f.allowed = SlotSet();
    }
    c.flows.push_back(std::move(f));
  }
  for (std::uint32_t n = below(2) == 0 ? 0 : 1 + below(4); n > 0; --n) {
    Fault f;
    f.a = below(graph.switches());
    if (below(3) > 0) {
      std::vector<SwitchId> peers;
      for (PortId p = 0; p < graph.ports(f.a); ++p) {
        if (graph.peer(f.a, p).sw != kNoId) peers.push_back(graph.peer(f.a, p).sw);
      }
      f.b = peers[below(peers.size())];
    }
    f.at = below(900);
    f.recover = f.at + 1 + (below(3) == 0 ? below(4) : below(400));
    if (kind == Random::node_links && more.below(2) == 0) {  // of a node, one or all
      f.port = static_cast<PortId>(more.below(graph.node_links()));
      f.b = kNoId;
      if (more.below(3) == 0) {
        f.port = PortId{0};
        f.ports = graph.node_links();
      }
    } else if (c.bundles && f.b != kNoId && graph.grid().trunk > 1 && more.below(2) == 0) {  // one of the links
      PortId port = 0;
      while (graph.peer(f.a, port).sw != f.b) ++port;
      f.port = static_cast<PortId>(port + more.below(2));
      f.b = kNoId;
    }
    c.faults.push_back(f);
  }
  if (kind == Random::adapters || (c.slot_update && seed % 2 == 0 && !c.bundles)) lengthen_links(c, graph);
  return c;
}

}  // namespace weft::test
