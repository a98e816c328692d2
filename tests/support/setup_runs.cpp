#include "support/setup_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "algorithms/slots/flow.h"
#include "base/diagnostics.h"
#include "network/routing/routing_algorithms.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft::test {
namespace {

// Follows every word by its number in its flow. Nothing here knows of sinks, slot LUTs or tables.
class WordWatcher final : public TdmObserver {
 public:
  WordWatcher(SetupNetwork& network, const Graph& graph) : network_(network), graph_(graph) {}

  bool wants_hops() const override { return true; }
  void on_inject(NodeId, std::uint32_t link, const Train& t) override {
    injected_.push_back(t);
    entered_.push_back(link);
    const CircuitRun& run = *network_.runs().find(t.circuit, t.message);
    first_word_[t.message] = run.first - run.word;  // of its message
  }
  void on_inject_cut(NodeId, std::uint32_t link, const TrainCut& cut) override {
    for (auto it = injected_.rbegin(); it != injected_.rend(); ++it) {
      if (!cut.names(*it)) continue;
      it->words = std::min(it->words, cut.words);
      if (entered_[static_cast<std::size_t>(injected_.rend() - it) - 1] != link) problem("a cut on another link");
      return;
    }
    problem("a cut for a train that never left its node");
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
    count_on_wires();
    count_in_order();
    count_all();
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

  // Outputs of one link, or of one bundle.
  bool same_way(SwitchId sw, PortId a, PortId b) const {
    return graph_.bundle_link(graph_.out_link(sw, a)) == graph_.bundle_link(graph_.out_link(sw, b));
  }

  // Cycles in which a word may have left for a switch that it leaves in cycle `now`: one, or a frame of them.
  std::vector<Cycle> before(Cycle now, const RouteHop& hop) const {
    std::vector<Cycle> left;
    const Cycle choices = network_.timing().slot_update ? slots() : 1;
    for (Cycle c = 0; c < choices; ++c) left.push_back(now - network_.timing().step(hop) - c);
    return left;
  }

  // Every word moves from switch to switch of one route of its flow, in the same slot or one of the switch's own, at
  // the pace of the network, and no output sends two words in a cycle. A flow keeps to the slots it may have and to its
  // end.
  void follow() {
    std::map<std::tuple<Cycle, SwitchId, PortId>, Word> sent;
    std::map<std::tuple<Cycle, LinkId>, Word> injected;
    for (std::size_t i = 0; i < injected_.size(); ++i) {
      const Train& t = injected_[i];
      const LinkId link = graph_.injection_link(network_.plan().flows[t.circuit].source, entered_[i]);
      for (std::uint32_t k = 0; k < t.words; ++k) {
        const Word word{t.message, t.first_word + k * t.stride};
        if (!injected.emplace(std::tuple(at(t, k), link), word).second) {
          problem(fmt::format("cycle {}: {} carries two words", at(t, k), graph_.link_name(link)));
        }
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
                                           [&](const RouteBranch& b) { return same_way(h.sw, b.out, h.out); });
            if (hop.sw != h.sw || !on_it) continue;
            if (hop.parent == kNoHop) {
              for (const Cycle left : before(now, hop)) {
                const auto it = injected.find({left, hop.link});
                if (it == injected.end() || it->second != word) continue;
                followed = true;
                if (flow.end && left >= *flow.end) {
                  problem(fmt::format("flow {} sends in cycle {}, after its end", h.train.circuit, left));
                }
              }
            } else {
              const RouteHop& last = route->hops[hop.parent];
              const auto b = std::find_if(last.branches.begin(), last.branches.end(), [&](const RouteBranch& x) {
                return x.next != kNoHop && route->hops[x.next].sw == hop.sw;
              });
              for (PortId out = 0; out < graph_.ports(last.sw); ++out) {
                for (const Cycle left : before(now, hop)) {
                  const auto it = sent.find({left, last.sw, out});
                  const bool came = it != sent.end() && it->second == word;
                  followed = followed || (came && same_way(last.sw, b->out, out));
                }
              }
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

  bool crosses(const Fault& fault, PortRef end) const {
    return end.sw == fault.a && (!fault.port || (*fault.port <= end.port && end.port < *fault.port + fault.ports)) &&
           (fault.b == kNoId || graph_.peer(end.sw, end.port).sw == fault.b);
  }

  // The failure that finds a word on its wire which left in cycle `left`; kNoFault: it arrives. `injected`: it comes
  // from the host behind this port, else it goes there.
  std::uint32_t hit_on_wire(SwitchId sw, PortId out, Cycle left, bool injected = false) const {
    const bool host = graph_.node_at(sw, out) != kNoId;
    const Cycle latency = injected ? 0 : host ? network_.timing().ejection : network_.timing().data_link;
    const Cycle wire = latency + network_.timing().adapter(graph_.out_link(sw, out));
    const auto& faults = network_.plan().faults;
    std::uint32_t first = kNoFault;
    for (std::uint32_t i = 0; i < faults.size(); ++i) {
      const bool on_it = crosses(faults[i], {sw, out}) || (!host && crosses(faults[i], graph_.peer(sw, out)));
      if (!on_it || left >= faults[i].at || faults[i].at > left + wire) continue;
      if (first == kNoFault || faults[i].at < faults[first].at) first = i;
    }
    return first;
  }

  // What each failure has found on its wires, for every flow.
  void count_on_wires() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> found;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> said;
    for (const Hop& h : hops_) {
      const CircuitRoute& route = *network_.runs().ledger().of(h.train.message).route;
      const NodeId node = graph_.node_at(h.sw, h.out);
      const bool astray = node != kNoId && route.index_of(node) == route.destinations.size();
      const std::size_t ends = astray ? 0 : node != kNoId ? 1 : route.behind(h.sw, h.out).size();
      for (std::uint32_t k = 0; k < h.train.words && ends > 0; ++k) {
        const std::uint32_t fault = hit_on_wire(h.sw, h.out, at(h.train, k));
        if (fault != kNoFault) found[{fault, h.train.circuit}] += ends;
        if (fault != kNoFault && node != kNoId) ++lost_outside_[{h.train.circuit, node}];
      }
    }
    for (const Train& t : injected_) {
      const CircuitRoute& route = *network_.runs().ledger().of(t.message).route;
      const RouteHop& first = route.hops.front();
      for (std::uint32_t k = 0; k < t.words; ++k) {
        const std::uint32_t fault = hit_on_wire(first.sw, first.in, at(t, k), true);
        if (fault != kNoFault) found[{fault, t.circuit}] += route.destinations.size();
      }
    }
    for (const WordAccount& a : network_.runs().ledger().accounts()) {
      for (const WordAccount::FaultLoss& t : a.fault_losses) {
        if (t.on_links > 0) said[{t.fault, a.flow}] += t.on_links;
      }
    }
    if (found != said) problem("the failures have found other words on their wires than the accounts say");
  }

  // Everything sent came to each destination, was refused or was lost; what was sent the first time was delivered.
  void count_all() {
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const FlowLog& log = network_.source(f).log();
      for (std::size_t d = 0; d < network_.plan().flows[f].destinations.size(); ++d) {
        const SetupHost& host = network_.destination(f, d);
        std::uint64_t discarded = 0;
        for (const WordAccount& a : network_.runs().ledger().accounts()) {
          if (a.flow == f) discarded += a.refused(d) + a.lost(d);
        }
        if (log.words_sent != host.received(f) + host.dropped(f) + discarded) {
          problem(fmt::format("flow {}: {} words sent, {} delivered, {} dropped, {} discarded", f, log.words_sent,
                              host.received(f), host.dropped(f), discarded));
        }
        const bool whole = log.finished >= 0 && !network_.plan().flows[f].end;  // it may end behind a refused request
        if (whole && log.words_sent - log.words_resent != host.received(f)) {
          problem(fmt::format("flow {}: {} words sent, {} of them again, but {} delivered", f, log.words_sent,
                              log.words_resent, host.received(f)));
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
    const std::uint64_t come = arrived.size() - lost_outside_[{f, node}];
    if (come != host.received(f) + host.dropped(f)) {
      problem(fmt::format("flow {}: {} words come to node {}, which took {} and dropped {}", f, come, node,
                          host.received(f), host.dropped(f)));
    }
    std::uint64_t due = 0;
    for (const auto& [cycle, word] : arrived) due += word == due ? 1 : 0;
    const std::uint64_t received = host.received(f);
    const PortRef at = graph_.attachment(node);
    const Cycle wire = network_.timing().ejection + network_.timing().adapter(graph_.out_link(at.sw, at.port));
    const bool wire_may_fail = network_.broken(f) && wire > 0;
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
  std::vector<std::uint32_t> entered_;             // of each: the link of its node
  std::map<MessageId, std::uint64_t> first_word_;  // in the flow, of what is sent under this number
  std::vector<Hop> hops_;
  std::vector<std::string> requests_;
  std::map<std::pair<std::uint32_t, NodeId>, std::uint64_t> lost_outside_;  // by flow: on the wire to a destination
  std::string wrong_;
};

}  // namespace

SetupCase line(std::uint32_t switches, std::uint32_t slots) {
  SetupCase c;
  c.topology = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{switches}}});
  c.tdm_switch.period = Duration{10'000};
  c.tdm_switch.slots = slots;
  c.tdm_switch.lanes = 4;
  c.tdm_switch.lane_payload_bits = 85;
  c.tdm_switch.reconfiguration = 1;
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
  TdmConfig config;
  config.seed = setup.seed;
  config.topology = setup.topology;
  config.routing = setup.routing;
  config.tdm_switch = setup.tdm_switch;
  config.setup = setup.setup;
  config.adapters = setup.adapters;
  config.slots.slot_update = setup.slot_update;
  Graph graph = build_topology(setup.topology);
  if (setup.bundles) graph.join_parallel_links();
  const auto routing = make_routing(setup.routing, graph);
  SetupPlan plan;
  plan.flows = setup.flows;
  plan.faults = setup.faults;
  RouteTurns turns(graph);
  for (const TimedFlow& f : plan.flows) {
    plan.routes.push_back(turns.routes(
        minimal_trees(graph, *routing, *setup.routing.algorithm, f.source, f.destinations, setup.setup.routes),
        setup.setup.routes));
  }
  SetupBlockFactory factory;
  ClockDomain domain("clock", config.tdm_switch.period);
  SetupNetwork network("tdm", domain, config, graph, plan, factory);
  WordWatcher watcher(network, graph);
  network.add_observer(watcher);
  network.observe_cycles({});
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
    o.taken_of_refused.push_back(0);
    o.taken.emplace_back();
  }
  for (const WordAccount& a : network.runs().ledger().accounts()) {
    for (const WordAccount::FaultLoss& t : a.fault_losses) {
      o.taken[a.flow][t.fault] += t.on_links + t.stopped;
      if (a.outcome == WordAccount::Outcome::refused) o.taken_of_refused[a.flow] += t.on_links + t.stopped;
    }
  }
  return o;
}

}  // namespace weft::test
