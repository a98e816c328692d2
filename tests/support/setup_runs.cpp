#include "support/setup_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/diagnostics.h"
#include "base/random.h"
#include "slots/flow.h"
#include "topology/builders.h"

namespace weft::test {
namespace {

// Follows every word by its number in its flow. Nothing here knows of sinks, slot LUTs or tables.
class WordWatcher final : public FabricObserver {
 public:
  WordWatcher(SetupNetwork& network, const Graph& graph) : network_(network), graph_(graph) {}

  bool wants_hops() const override { return true; }
  void on_inject(NodeId, const Train& t) override {
    injected_.push_back(t);
    first_word_[t.message] = network_.runs().find(t.circuit, t.message)->first;
  }
  void on_hop(SwitchId sw, PortId out, const Train& t) override { hops_.push_back({sw, out, t}); }
  void on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) override {
    for (auto it = hops_.rbegin(); it != hops_.rend(); ++it) {
      if (it->sw != sw || it->out != out || it->train.message != cut.message || it->train.slot != cut.slot ||
          it->train.first_word != cut.first_word) {
        continue;
      }
      it->train.words = std::min(it->train.words, cut.words);
      return;
    }
    problem("a cut for a train that never left");
  }
  void on_setup(const SetupEvent& e) override {
    requests_.push_back(fmt::format("{:8} sw[{}] row {} kind {} flow {} ok {} free {}\n", e.cycle, e.sw, e.row,
                                    static_cast<int>(e.op), e.flow, e.ok, e.free_slots));
  }
  void on_cycle(Cycle cycle) override {
    if (!wrong_.empty()) return;
    const std::string wrong = network_.inconsistency();
    if (!wrong.empty()) problem(fmt::format("cycle {}: {}", cycle, wrong));
  }

  std::string check() {
    follow();
    count_in_order();
    return wrong_;
  }
  std::string trace() {
    std::vector<std::string> lines = requests_;
    for (const Hop& h : hops_) {
      for (std::uint32_t k = 0; k < h.train.words; ++k) {
        lines.push_back(fmt::format("{:8} sw[{}] out {} flow {} message {} word {}\n", at(h.train, k), h.sw, h.out,
                                    h.train.circuit, h.train.sequence, h.train.first_word + k * h.train.stride));
      }
    }
    std::sort(lines.begin(), lines.end());
    std::string all;
    for (const std::string& l : lines) all += l;
    return all;
  }

 private:
  struct Hop {
    SwitchId sw;
    PortId out;
    Train train;
  };
  using Word = std::tuple<MessageId, std::uint32_t>;
  void problem(const std::string& text) {
    if (wrong_.empty()) wrong_ = text;
  }
  bool anything_broken() const {
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      if (network_.broken(f)) return true;
    }
    return false;
  }
  Cycle slots() const { return network_.timing().slots; }
  Cycle at(const Train& t, std::uint32_t k) const { return t.start + Cycle{k} * slots(); }

  // Every word moves from switch to switch of one route of its flow, in the same slot, at the pace of the network, and
  // no output sends two words in a cycle. A flow keeps to the slots it may have and to its end.
  void follow() {
    std::map<std::tuple<Cycle, SwitchId, PortId>, Word> sent;
    std::map<std::tuple<Cycle, NodeId>, Word> injected;
    for (const Train& t : injected_) {
      for (std::uint32_t k = 0; k < t.words; ++k) {
        injected[{at(t, k), network_.plan().flows[t.circuit].source}] = {t.message, t.first_word + k * t.stride};
      }
    }
    for (const Hop& h : hops_) {
      for (std::uint32_t k = 0; k < h.train.words; ++k) {
        const Word word{h.train.message, h.train.first_word + k * h.train.stride};
        if (!sent.emplace(std::tuple(at(h.train, k), h.sw, h.out), word).second) {
          problem(fmt::format("cycle {}: sw[{}] out {} sends two words", at(h.train, k), h.sw, h.out));
        }
      }
    }
    for (const Hop& h : hops_) {
      const auto& routes = network_.plan().routes[h.train.circuit];
      const TimedFlow& flow = network_.plan().flows[h.train.circuit];
      if (!flow.allowed.empty() && !flow.allowed.test(h.train.slot)) {
        problem(fmt::format("flow {} sends in slot {}, which it may not have", h.train.circuit, h.train.slot));
      }
      for (std::uint32_t k = 0; k < h.train.words; ++k) {
        const Word word{h.train.message, h.train.first_word + k * h.train.stride};
        const Cycle now = at(h.train, k);
        bool followed = false;
        for (const auto& route : routes) {
          for (const RouteHop& hop : route->hops) {
            const bool on_it = std::any_of(hop.branches.begin(), hop.branches.end(),
                                           [&](const RouteBranch& b) { return b.out == h.out; });
            if (hop.sw != h.sw || !on_it) continue;
            if (hop.parent == kNoHop) {
              if (flow.end && now - slots() >= *flow.end) {
                problem(fmt::format("flow {} sends in cycle {}, after its end", h.train.circuit, now - slots()));
              }
              const auto it = injected.find({now - slots(), route->source});
              followed = followed || (it != injected.end() && it->second == word);
            } else {
              const RouteHop& before = route->hops[hop.parent];
              const auto b = std::find_if(before.branches.begin(), before.branches.end(), [&](const RouteBranch& x) {
                return x.next != kNoHop && route->hops[x.next].sw == hop.sw;
              });
              const auto it = sent.find({now - network_.timing().hop(), before.sw, b->out});
              followed = followed || (it != sent.end() && it->second == word);
            }
          }
        }
        if (!followed && !anything_broken()) {
          problem(fmt::format("cycle {}: sw[{}] out {} sends a word of flow {} that did not come along its route", now,
                              h.sw, h.out, h.train.circuit));
        }
      }
    }
  }

  // What arrives at a destination, in the order of time: counting the words that are due gives all of them, each once.
  void count_in_order() {
    std::map<std::pair<std::uint32_t, NodeId>, std::vector<std::pair<Cycle, std::uint64_t>>> arrived;
    for (const Hop& h : hops_) {
      const TimedFlow& flow = network_.plan().flows[h.train.circuit];
      const NodeId node = graph_.node_at(h.sw, h.out);
      if (node == kNoId) continue;
      if (std::find(flow.destinations.begin(), flow.destinations.end(), node) == flow.destinations.end()) {
        if (!anything_broken()) problem("a word leaves the network at the wrong node");
        continue;  // after a failure it may be led astray, and is discarded
      }
      const std::uint64_t first = first_word_.at(h.train.message) + h.train.first_word;
      for (std::uint32_t k = 0; k < h.train.words; ++k) {
        arrived[{h.train.circuit, node}].emplace_back(at(h.train, k), first + std::uint64_t{k} * h.train.stride);
      }
    }
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      for (std::size_t d = 0; d < network_.plan().flows[f].destinations.size(); ++d) {
        const NodeId node = network_.plan().flows[f].destinations[d];
        check_end(f, node, network_.destination(f, d), arrived[{f, node}]);
      }
    }
  }

  void check_end(std::uint32_t f, NodeId node, const SetupHost& host,
                 std::vector<std::pair<Cycle, std::uint64_t>>& arrived) {
    std::sort(arrived.begin(), arrived.end());
    std::uint64_t due = 0;
    for (const auto& [cycle, word] : arrived) due += word == due ? 1 : 0;
    const std::uint64_t received = host.received(f);
    const bool wire_may_fail = network_.broken(f) && network_.timing().ejection > 0;
    if (due != received && !(wire_may_fail && due > received)) {
      problem(
          fmt::format("flow {}: {} words arrive in order at node {}, the destination says {}", f, due, node, received));
    }
    const TimedFlow& flow = network_.plan().flows[f];
    if (network_.source(f).finished() && flow.messages && !flow.end &&
        received != *flow.messages * flow.message_words) {
      problem(fmt::format("flow {} is finished with {} words of {} at node {}", f, received,
                          *flow.messages * flow.message_words, node));
    }
    const bool again = network_.broken(f) || flow.destinations.size() > 1;
    if (!again && host.dropped(f) > 0) {
      problem(fmt::format("flow {}: words were dropped though nothing has failed", f));
    }
  }

  SetupNetwork& network_;
  const Graph& graph_;
  std::vector<Train> injected_;
  std::map<MessageId, std::uint64_t> first_word_;  // in the flow, of what is sent under this number
  std::vector<Hop> hops_;
  std::vector<std::string> requests_;
  std::string wrong_;
};

}  // namespace

SetupCase line(std::uint32_t switches, std::uint32_t slots) {
  SetupCase c;
  c.topology.kind = TopologyKind::mesh;
  c.topology.dims = {switches};
  c.fic_switch.period = Duration{10'000};
  c.fic_switch.slots = slots;
  c.fic_switch.lanes = 4;
  c.fic_switch.lane_payload_bits = 85;
  c.fic_switch.reconfiguration = 1;
  c.setup.mode = SetupMode::in_network;
  return c;
}

TimedFlow one_message(NodeId source, NodeId destination, std::uint32_t words, Cycle start, std::uint32_t slots) {
  return multicast(source, {destination}, words, start, slots);
}

TimedFlow multicast(NodeId source, std::vector<NodeId> destinations, std::uint32_t words, Cycle start,
                    std::uint32_t slots) {
  TimedFlow f;
  f.name = fmt::format("{}>{}", source, fmt::join(destinations, " "));
  f.source = source;
  f.destinations = std::move(destinations);
  f.start = start;
  f.slots = slots;
  f.message_words = words;
  f.messages = 1;
  f.period = Duration{10'000};
  return f;
}

SetupOutcome run_setup_case(const SetupCase& setup, std::optional<std::uint64_t> shuffle) {
  FicConfig config;
  config.seed = setup.seed;
  config.topology = setup.topology;
  config.routing = setup.routing;
  config.fic_switch = setup.fic_switch;
  config.setup = setup.setup;
  const Graph graph = build_topology(setup.topology);
  const auto routing = make_routing(setup.routing, graph);
  SetupPlan plan;
  plan.flows = setup.flows;
  plan.faults = setup.faults;
  for (const TimedFlow& f : plan.flows) {
    FlowSource::Routes routes;
    for (const CircuitTree& tree :
         minimal_trees(graph, *routing, setup.routing.algorithm, f.source, f.destinations, setup.setup.routes)) {
      routes.push_back(make_circuit_route(graph, tree));
    }
    plan.routes.push_back(std::move(routes));
  }
  BlockFactory factory;
  SetupNetwork network("fic", config, graph, plan, factory);
  WordWatcher watcher(network, graph);
  network.add_observer(watcher);
  network.observe_cycles();
  if (shuffle) network.domain().shuffle(*shuffle);
  network.domain().capture_failures();
  sc_core::sc_start();

  SetupOutcome o;
  o.cycles = network.domain().now();
  if (network.domain().failure()) {
    try {
      std::rethrow_exception(network.domain().failure());
    } catch (const std::exception& e) {
      o.failure = e.what();
    }
  }
  if (o.failure.empty()) o.failure = network.leftovers();
  if (o.failure.empty()) o.failure = watcher.check();
  o.trace = watcher.trace();
  for (std::uint32_t f = 0; f < plan.flows.size(); ++f) {
    o.logs.push_back(network.source(f).log());
    o.received.push_back(network.received(f));
    o.dropped.push_back(network.dropped(f));
    o.last_delivery.push_back(network.last_delivery(f));
    auto& ends = o.ends.emplace_back();
    for (std::size_t d = 0; d < plan.flows[f].destinations.size(); ++d) {
      const SetupHost& host = network.destination(f, d);
      ends.push_back({host.received(f), host.dropped(f), host.first_word(f), host.last_delivery(f)});
    }
  }
  return o;
}

namespace {

// Some flows have an end, some may only have certain slots: enough of them for all they ask for.
void restrict_flow(TimedFlow& flow, std::uint32_t slots, RandomStream& random) {
  if (flow.arrivals == Arrivals::saturated && random.below(3) == 0) {
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

}  // namespace

SetupCase random_setup(std::uint64_t seed, bool multicasts) {
  RandomStream random(seed, "random setup");
  RandomStream more(seed, "multicasts");
  RandomStream restrictions(seed, "restrictions");
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  SetupCase c = line(2, 2 + below(7));
  c.seed = seed;
  switch (below(4)) {
    case 0:
      c.topology.dims = {2 + below(4)};
      break;
    case 1:
      c.topology.dims = {2 + below(2), 2 + below(3)};
      break;
    case 2:
      c.topology.kind = TopologyKind::torus;
      c.topology.dims = {3, 2 + below(2)};
      break;
    default:
      c.topology.kind = TopologyKind::full_mesh;
      c.topology.dims.clear();
      c.topology.switches = 3 + below(3);
      c.routing.algorithm = RoutingAlgorithm::shortest_path;
      break;
  }
  c.fic_switch.pipeline = below(3);
  c.fic_switch.serdes = below(2) == 0 ? 0 : below(12);
  c.fic_switch.reconfiguration = 1 + (below(3) == 0 ? below(12) : 0);
  c.setup.processing = 1 + (below(2) == 0 ? below(20) : 0);
  c.setup.backoff = 1 + below(60);
  c.setup.routes = 1 + below(4);
  const Graph graph = build_topology(c.topology);
  const std::uint32_t flows = 1 + below(10);
  for (std::uint32_t i = 0; i < flows; ++i) {
    const NodeId source = below(graph.nodes());
    const NodeId destination = (source + 1 + below(graph.nodes() - 1)) % graph.nodes();
    TimedFlow f = one_message(source, destination, 1 + below(12), below(400), 1 + below(c.fic_switch.slots));
    if (below(2) == 0) f.slots = 1;
    f.messages = 1 + below(12);
    const std::uint32_t kind = below(4);
    if (kind == 0) {
      f.arrivals = Arrivals::periodic;
      f.interval = Duration{1 + below(1'500'000)};
    } else if (kind == 1) {
      f.arrivals = Arrivals::poisson;
      f.interval = Duration{1 + below(1'500'000)};
    } else if (below(4) == 0) {
      f.messages.reset();
      f.duration = 1 + below(600);
      f.until = std::numeric_limits<Cycle>::max();
    }
    Cycle at = f.start;
    for (std::uint32_t n = below(4); n > 0; --n) {
      at += 1 + below(200);
      f.changes.push_back({at, 1 + below(c.fic_switch.slots)});
    }
    if (multicasts && more.below(2) == 0) add_destinations(f, graph.nodes(), more);
    restrict_flow(f, c.fic_switch.slots, restrictions);
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
    c.faults.push_back(f);
  }
  return c;
}

}  // namespace weft::test
