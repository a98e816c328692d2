#include "run/fic_platform.h"

#include <fmt/format.h>

#include "cosim/fic_blocks.h"
#include "run/fic_alltoall.h"
#include "run/fic_limits.h"
#include "topology/builders.h"
#include "traffic/patterns.h"

namespace weft {

FicPlatform::FicPlatform(const FicConfig& config)
    : config_(config), graph_(build_topology(config.topology)), routing_(make_routing(config.routing, graph_)) {
  std::vector<SwitchRange> named;
  for (const SwitchInstances& i : config.fic_switch.instances) named.push_back(i.range);
  named.insert(named.end(), config.observe.waves.switches.begin(), config.observe.waves.switches.end());
  (void)select(named);
  std::vector<PortId> ports;
  for (SwitchId sw = 0; sw < graph_.switches(); ++sw) ports.push_back(graph_.ports(sw));
  check_rtl_sizes(config, ports);

  if (config.setup.mode == SetupMode::in_network) {
    phases_.push_back(make_open_plan(config.phases.front().name, flows_of(config.phases.front(), 0)));
    return;
  }
  if (!config.programs.empty() && graph_.nodes() != config.endpoints.nodes) {
    throw InputError(config.endpoints.where, fmt::format("the programs are written for {} nodes, the network has {}",
                                                         config.endpoints.nodes, graph_.nodes()));
  }
  program_messages_ = collectives::pairs_of(config.programs);
  check_program_limits(config, program_messages_);
  AllocationOptions options;
  options.allocator = config.slots.allocator;
  options.slots = config.fic_switch.slots;
  options.slot_update = config.slots.slot_update;
  options.hop_latency = timing().link();
  options.search_iterations = config.slots.search_iterations;
  options.seed = config.seed;
  CircuitId first = 0;
  for (std::size_t p = 0; p < config.phases.size(); ++p) {
    phases_.push_back(plan_of(config.phases[p], p, options, first));
    first += static_cast<CircuitId>(phases_.back().circuits.size());
  }
  if (config.programs.empty()) check_limits(config, phases_);
}

TdmTiming FicPlatform::timing() const {
  return {config_.fic_switch.slots, config_.fic_switch.pipeline, config_.fic_switch.serdes};
}

PhasePlan FicPlatform::plan_of(const PhaseConfig& phase, std::size_t index, const AllocationOptions& options,
                               CircuitId first) const {
  if (!phase.alltoall && phase.schedule_file.empty()) {
    return make_phase_plan(graph_, phase.name, flows_of(phase, index), options, timing(), first);
  }
  alltoall::ScheduledCircuits circuits = scheduled_circuits(config_, phase, graph_, *routing_);
  return make_phase_plan(graph_, phase.name, std::move(circuits.flows), std::move(circuits.allocation), options,
                         timing(), first);
}

std::vector<Flow> FicPlatform::flows_of(const PhaseConfig& phase, std::size_t index) const {
  Diagnostics diagnostics;
  std::vector<Flow> flows;
  if (!phase.pattern.empty()) {
    RandomStream random(config_.seed, fmt::format("pattern/{}", index));
    std::size_t id = 0;
    for (const auto& pair : make_pattern(phase.pattern, graph_, random, phase.pattern_where)) {
      flows.push_back(make_flow(graph_, *routing_, std::to_string(id++), "", phase.slots_per_flow, {pair},
                                phase.pattern_where, diagnostics));
    }
  }
  for (const collectives::PairMessages& p : program_messages_) {
    flows.push_back(make_flow(graph_, *routing_, fmt::format("{}-{}", p.source, p.destination), "",
                              phase.slots_per_flow, {{p.source, p.destination}}, p.where, diagnostics));
  }
  for (const FlowConfig& f : phase.circuits) {
    flows.push_back(make_flow(graph_, *routing_, f.name, f.job, f.slots, f.pairs, f.where, diagnostics));
  }
  diagnostics.throw_if_errors();
  return flows;
}

std::vector<bool> FicPlatform::select(const std::vector<SwitchRange>& ranges) const {
  std::vector<bool> chosen(graph_.switches(), ranges.empty());
  Diagnostics diagnostics;
  for (const SwitchRange& r : ranges) {
    if (r.last >= graph_.switches()) {
      diagnostics.error(r.where, fmt::format("there is no sw[{}]: {} has sw[0] to sw[{}]", r.last, graph_.name(),
                                             graph_.switches() - 1));
      continue;
    }
    for (SwitchId sw = r.first; sw <= r.last; ++sw) chosen[sw] = true;
  }
  diagnostics.throw_if_errors();
  return chosen;
}

}  // namespace weft
