#include "run/tdm/tdm_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "algorithms/slots/flow.h"
#include "base/diagnostics.h"
#include "fabrics/tdm/message.h"
#include "network/places.h"
#include "network/topology/build_topology.h"

namespace weft {
namespace {

void check_range(const SwitchRange& r, const Graph& graph, Diagnostics& diagnostics) {
  if (const std::string problem = range_problem(r, graph); !problem.empty()) diagnostics.error(r.where, problem);
}

// Message size and place of what circuit `c` of the phase sends.
struct Load {
  DataSize message;
  Location where;
};

Load load_of(const PhaseConfig& phase, const CircuitPlan& c) {
  if (c.flow < phase.circuits.size() && phase.circuits[c.flow].message) {
    return {*phase.circuits[c.flow].message, phase.circuits[c.flow].where};
  }
  return {phase.sources.message, phase.sources.where};
}

// Upper estimate of a phase's length in ps, for the circuit that takes longest.
Wide longest(const TdmConfig& config, const Graph& graph, const PhaseConfig& phase, const PhasePlan& plan) {
  const TdmSwitchConfig& sw = config.tdm_switch;
  const Wide frame = Wide{sw.slots} * sw.period.ps;
  Wide requests = 0;
  for (const Flow& f : plan.flows) {
    for (const CircuitTree& t : f.trees) {
      for (const TreeEdge& e : t.edges) requests += 3 * std::int64_t{graph.bundle_width(e.link)};
    }
  }
  const Wide setup = requests * config.setup.processing * sw.period.ps + frame * (sw.reconfiguration + 2);
  Wide data = 0;
  for (const CircuitPlan& c : plan.circuits) {
    const Wide words = load_of(phase, c).message.bits / sw.word_bits() + 1;
    const Wide message = (words / static_cast<std::int64_t>(c.injection.size()) + 2) * frame;
    Cycle longest = 0;
    for (const auto& transit : c.transit) {
      longest = std::max(longest, *std::max_element(transit.begin(), transit.end()));
    }
    const bool spaced = phase.sources.arrivals->offset != nullptr;
    const Wide gap = spaced ? Wide{64} * phase.sources.interval.ps : Wide{0};  // poisson: no gap is 64 times the mean
    Wide messages = 1;
    if (phase.sources.messages) {
      messages = static_cast<std::int64_t>(*phase.sources.messages);
    } else if (spaced) {
      messages +=
          (config.run.warm_up.ps + config.run.measure.ps) / std::max<std::int64_t>(1, phase.sources.interval.ps);
    }
    const Wide sending = messages * (phase.sources.messages ? std::max(gap, message) : message);
    const Wide window = phase.sources.messages ? Wide{0} : Wide{config.run.warm_up.ps} + config.run.measure.ps;
    data = std::max(data, sending + window + Wide{longest} * sw.period.ps);
  }
  return setup + data;
}

std::string too_long(const std::string& size, std::int64_t word_bits) {
  return fmt::format("a message of {} has more than 2^31 words of {} bits; at most {} fit", size, word_bits,
                     to_string(DataSize{kMostWords / 8 * word_bits * 8}));
}

}  // namespace

void check_places(const TdmConfig& config, const Graph& graph, Diagnostics& diagnostics) {
  for (const SwitchInstances& i : config.tdm_switch.instances) check_range(i.range, graph, diagnostics);
  for (const HostInterfaceConfig::Instances& i : config.host.instances) {
    if (i.range.last < graph.nodes()) continue;
    diagnostics.error(i.range.where,
                      fmt::format("host_interface.instances: there is no node[{}]: {} has node[0] to node[{}]",
                                  i.range.last, graph.name(), graph.nodes() - 1));
  }
  for (const SwitchRange& r : config.observe.waves.switches) check_range(r, graph, diagnostics);
  check_adapters(config.adapters, graph, diagnostics);
  check_faults(config.faults, graph, diagnostics);
}

void check_bundles(const TdmConfig& config, const Graph& graph, Diagnostics& diagnostics) {
  if (graph.node_links() > 1 && !graph.has_bundles() && config.setup.mode != SetupMode::in_network) {
    diagnostics.error(config.topology.where,
                      "topology.node_links: planned circuits share the links of a node as a bundle, which needs "
                      "slots.bundles 'together'; 'apart' with several links of a node is for setup.mode in_network");
  }
  if (!graph.has_bundles()) return;
  if (config.follows_programs() && config.slots.slot_update && config.setup.mode != SetupMode::in_network) {
    diagnostics.error(config.topology.where,
                      fmt::format("topology: {} has parallel links, on which circuits of collectives keep their slot: "
                                  "slots.slot_update needs slots.bundles 'apart' here",
                                  graph.name()));
  }
  const std::vector<Cycle> delays = adapter_delays(config.adapters, graph);
  for (const AdapterConfig& a : config.adapters) {
    for (const LinkId cable : cables_of(a.place, graph)) {
      const std::span<const LinkId> bundle = graph.bundle(cable);
      const auto other =
          std::find_if(bundle.begin(), bundle.end(), [&](LinkId l) { return delays[l] != delays[cable]; });
      if (other == bundle.end()) continue;
      diagnostics.error(a.place.where,
                        fmt::format("{}.at: link {} is longer than {}, of the same bundle; words of a circuit, which "
                                    "takes slots of both, would lose their order: give all links of the bundle the "
                                    "same delay, or use slots.bundles 'apart'",
                                    a.name, graph.link_name(cable), graph.link_name(*other)));
      return;
    }
  }
}

void warn_without_bundles(const TdmConfig& config, Location key, Diagnostics& diagnostics) {
  Diagnostics told_later;
  const auto warn = [&] {
    Graph graph = build_topology(config.topology);
    graph.join_parallel_links();
    if (graph.has_bundles()) return;
    diagnostics.warning(std::move(key),
                        fmt::format("slots.bundles has no effect: {} has no parallel links", graph.name()));
  };
  passes(warn, told_later);
}

void check_places_of_wrong(const TdmConfig& config, Diagnostics& diagnostics) {
  const auto check = [&] {  // throws when a file describes no network
    const Graph graph = build_topology(config.topology);
    check_places(config, graph, diagnostics);
    for (const PhaseConfig& phase : config.phases) {
      for (const FlowConfig& f : phase.circuits) check_pairs(graph, f.name, f.pairs, f.places, f.where, diagnostics);
    }
  };
  passes(check, diagnostics);
}

void check_pair_limits(const TdmConfig& config, const std::vector<collectives::PairMessages>& messages) {
  Diagnostics diagnostics;
  Location last;
  for (const collectives::PairMessages& p : messages) {
    const auto bits = static_cast<std::int64_t>(p.longest) * 8;
    const bool told = p.longest_where.text() == last.text();  // many pairs, one instruction
    if (told || bits / config.tdm_switch.word_bits() < kMostWords) continue;
    last = p.longest_where;
    diagnostics.error(last, too_long(to_string(DataSize{bits}), config.tdm_switch.word_bits()));
  }
  diagnostics.throw_if_errors();
}

void check_limits(const TdmConfig& config, const Graph& graph, const std::vector<PhasePlan>& phases) {
  Diagnostics diagnostics;
  Wide total = 0;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    std::uint32_t last_flow = kNoId;
    for (const CircuitPlan& c : phases[p].circuits) {
      const Load load = load_of(config.phases[p], c);
      if (c.flow == last_flow || load.message.bits / config.tdm_switch.word_bits() < kMostWords) continue;
      last_flow = c.flow;
      diagnostics.error(load.where, fmt::format("{}: {}", flow_text(phases[p].flows[c.flow]),
                                                too_long(to_string(load.message), config.tdm_switch.word_bits())));
    }
    total += longest(config, graph, config.phases[p], phases[p]);
    if (total > kMostTime) {
      diagnostics.error(
          config.phases[p].sources.where,
          fmt::format("phase '{}': the run could last longer than 46 days of simulated time, which is more "
                      "than can be counted in picoseconds: fewer or smaller messages, shorter intervals, "
                      "a faster clock",
                      config.phases[p].name));
      break;
    }
  }
  diagnostics.throw_if_errors();
}

std::vector<std::string> load_notes(const TdmConfig& config, const std::vector<PhasePlan>& phases) {
  std::vector<std::string> notes;
  if (config.follows_programs()) return notes;  // phases of theirs, without sources
  for (std::size_t p = 0; p < phases.size(); ++p) {
    const PhaseConfig& phase = config.phases[p];
    if (!phase.sources.arrivals->sends) {
      notes.push_back(fmt::format("phase '{}' sends nothing (arrivals: none)", phase.name));
    }
    if (phase.sources.arrivals->offset == nullptr) continue;
    std::size_t overloaded = 0;
    std::string first;
    for (const CircuitPlan& c : phases[p].circuits) {
      const Wide words = words_of(load_of(phase, c).message, config.tdm_switch.word_bits());
      const Wide needed = words * config.tdm_switch.slots * config.tdm_switch.period.ps;  // with one slot
      if (needed <= Wide{phase.sources.interval.ps} * static_cast<std::int64_t>(c.injection.size())) continue;
      if (overloaded++ == 0) first = phases[p].flows[c.flow].name;
    }
    if (overloaded > 0) {
      notes.push_back(
          fmt::format("phase '{}': {} of {} circuits (first: flow '{}') are offered more than their slots "
                      "carry; their queueing, and with it their latency, grows as long as messages come",
                      phase.name, overloaded, phases[p].circuits.size(), first));
    }
  }
  return notes;
}

}  // namespace weft
