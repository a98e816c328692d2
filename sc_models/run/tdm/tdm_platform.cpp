#include "run/tdm/tdm_platform.h"

#include <fmt/format.h>

#include <set>

#include "algorithms/slots/circuit_plan.h"
#include "base/diagnostics.h"
#include "base/resource_need.h"
#include "cosim/tdm/tdm_blocks.h"
#include "fabrics/tdm/plan/alltoall_circuits.h"
#include "fabrics/tdm/plan/demanded_circuits.h"
#include "network/patterns.h"
#include "network/routing/routing_algorithms.h"
#include "network/topology/build_topology.h"
#include "run/tdm/tdm_board.h"
#include "run/tdm/tdm_checks.h"
#include "workload/stream_sources.h"

namespace weft {
namespace {

Graph network_of(const TdmConfig& config) {
  Graph graph = build_topology(config.topology);
  if (config.slots.bundles == BundleSlots::together) graph.join_parallel_links();
  return graph;
}

}  // namespace

TdmPlatform::TdmPlatform(const TdmConfig& config, const TdmRtlBlocks& blocks)
    : config_(config), blocks_(blocks), graph_(network_of(config)), routing_(make_routing(config.routing, graph_)) {
  Diagnostics diagnostics;
  check_places(config, graph_, diagnostics);
  if (diagnostics.ok()) check_bundles(config, graph_, diagnostics);
  check_board(config, graph_, diagnostics);
  find_pairs(diagnostics);
  if (diagnostics.ok()) check_needs();
  std::vector<std::vector<Flow>> flows;
  for (const PhaseConfig& phase : config.phases) flows.push_back(flows_of(phase, flows.size(), diagnostics));
  const bool on_demand = config.setup.mode == SetupMode::in_network;
  if (diagnostics.ok() && on_demand && config.follows_programs()) flows.front() = demanded_flows();
  diagnostics.sort();
  diagnostics.throw_if_errors();
  std::vector<PortId> ports;
  for (SwitchId sw = 0; sw < graph_.switches(); ++sw) ports.push_back(graph_.ports(sw));
  check_rtl(config, blocks, ports);
  check_host_rtl(config, blocks, graph_);

  if (on_demand) {
    phases_.push_back(make_open_plan(config.phases.front().name, std::move(flows.front())));
    return;
  }
  AllocationOptions options;
  options.allocator = config.slots.allocator;
  options.slots = config.tdm_switch.slots;
  options.slot_update = config.slots.slot_update;
  options.hop_latency = timing().link();
  options.adapters = timing().adapters;
  options.search_iterations = config.slots.search_iterations;
  options.seed = config.seed;
  if (config.follows_programs()) plan_program_circuits(options);
  check_pair_limits(config, pair_messages_);
  CircuitId first = 0;
  for (std::size_t p = 0; p < config.phases.size() && !config.follows_programs(); ++p) {
    phases_.push_back(plan_of(config.phases[p], std::move(flows[p]), options, first));
    first += static_cast<CircuitId>(phases_.back().circuits.size());
  }
  check_board_sinks(config, graph_, phases_);
  if (!config.has_endpoints()) check_limits(config, graph_, phases_);
}

// A circuit each.
void TdmPlatform::find_pairs(Diagnostics& diagnostics) {
  if (config_.has_traffic()) {
    const std::uint32_t others = graph_.nodes() - 1;
    // Circuits that come and go take turns.
    const bool stay = config_.setup.mode != SetupMode::in_network;
    const std::uint32_t slots = config_.tdm_switch.slots * graph_.node_links();
    const std::uint32_t circuits = stay ? slots / config_.phases.front().slots_per_flow : others;
    for (const StreamConfig& s : config_.workload.traffic.streams) {
      const bool to_all = s.destinations == DestinationKind::uniform && s.sends_to_others();
      if (!to_all || s.load == 0 || others <= circuits) continue;
      diagnostics.error(
          s.where, fmt::format("traffic: {} sends to {} others and needs a circuit to each; at "
                               "most {} begin at a node, in a frame of {} slots",
                               s.from.empty() ? "every node" : "a node", others, circuits, config_.tdm_switch.slots));
      return;
    }
    passes([&] { pair_messages_ = weft::pairs_of(config_.workload.traffic, graph_, circuits); }, diagnostics);
  } else if (config_.programs.empty() || graph_.nodes() == config_.endpoints.nodes) {
    if (config_.follows_programs()) return;
    const std::size_t errors = diagnostics.errors();
    check_algorithms(config_.programs, algorithms(), diagnostics);
    if (diagnostics.errors() == errors) pair_messages_ = collectives::pairs_of(config_.programs, algorithms());
  } else {
    diagnostics.error(config_.endpoints.where, fmt::format("the programs are written for {} nodes, the network has {}",
                                                           config_.endpoints.nodes, graph_.nodes()));
  }
}

std::vector<Flow> TdmPlatform::demanded_flows() {
  DemandedCircuits demanded = plan_demanded_circuits(config_, graph_, *routing_, config_.phases.front().slots_per_flow);
  program_phases_ = std::move(demanded.programs);
  for (std::size_t f = 0; f < demanded.flows.size(); ++f) {
    const CircuitMessages& m = program_phases_.messages[f];
    const CircuitTree& tree = demanded.flows[f].trees.front();
    pair_messages_.push_back({tree.source, tree.destinations.front(), m.shortest, m.longest, m.where, m.where});
  }
  return std::move(demanded.flows);
}

void TdmPlatform::plan_program_circuits(const AllocationOptions& options) {
  program_phases_ = plan_program_phases(config_, graph_, *routing_, options, timing());
  phases_ = std::move(program_phases_.phases);
  program_phases_.phases.clear();
  for (const PhasePlan& p : phases_) {
    for (const CircuitPlan& c : p.circuits) {
      const CircuitMessages& m = program_phases_.messages[c.id];
      pair_messages_.push_back({c.source, c.destinations.front(), m.shortest, m.longest, m.where, m.where});
    }
  }
}

collectives::CollectiveAlgorithms TdmPlatform::algorithms() const {
  collectives::CollectiveAlgorithms out = config_.endpoints.algorithms;
  const GridShape& grid = graph_.grid();
  if (grid.torus && grid.nodes_per_switch == 1) out.torus = grid.dims;
  return out;
}

TdmTiming TdmPlatform::timing() const {
  return {config_.tdm_switch.slots, config_.tdm_switch.pipeline, config_.tdm_switch.serdes,
          adapter_delays(config_.adapters, graph_)};
}

PhasePlan TdmPlatform::plan_of(const PhaseConfig& phase, std::vector<Flow> flows, const AllocationOptions& options,
                               CircuitId first) const {
  if (!phase.alltoall && phase.schedule_file.empty()) {
    return make_phase_plan(graph_, phase.name, std::move(flows), options, timing(), first);
  }
  ScheduledPhase scheduled = scheduled_phase(config_, phase, graph_, *routing_);
  PhasePlan plan = make_phase_plan(graph_, phase.name, std::move(scheduled.circuits.flows),
                                   std::move(scheduled.circuits.allocation), options, timing(), first);
  plan.channels = scheduled.channels;
  return plan;
}

std::vector<NodePairs> TdmPlatform::pairs_of(const PhaseConfig& phase, std::size_t index) const {
  std::vector<NodePairs> flows;
  if (!phase.pattern.empty()) {
    Diagnostics told_later;
    RandomStream random(config_.seed, fmt::format("pattern/{}", index));
    passes(
        [&] {
          for (const auto& pair : make_pattern(phase.pattern, graph_, random, phase.pattern_where)) {
            flows.push_back({pair});
          }
        },
        told_later);
  }
  for (const collectives::PairMessages& p : pair_messages_) flows.push_back({{p.source, p.destination}});
  for (const FlowConfig& f : phase.circuits) flows.push_back(f.pairs);
  return flows;
}

// Of one phase at a time, since the pairs of all can need more memory than is allowed. The length of the routes comes
// from some flows: all would take as long as the plan itself.
void TdmPlatform::check_needs() const {
  constexpr std::size_t kLookedAt = 256;
  PlanSize size{.ports = graph_.total_ports()};
  if (config_.setup.mode == SetupMode::in_network) {
    size.routes = config_.setup.routes;
  } else {
    size.slots = config_.tdm_switch.slots;
  }
  std::set<NodeId> destinations;
  for (std::size_t p = 0; p < config_.phases.size(); ++p) {
    const std::vector<NodePairs> flows = pairs_of(config_.phases[p], p);
    if (routing_->seconds_per_destination() > 0) {
      for (const NodePairs& pairs : flows) {
        for (const auto& [source, destination] : pairs) destinations.insert(destination);
      }
      need_seconds(
          static_cast<double>(destinations.size()) * routing_->seconds_per_destination(), config_.topology.where,
          fmt::format("looking for routes to {} nodes on {} ports", destinations.size(), graph_.total_ports()));
    }
    const std::size_t step = flows.size() / kLookedAt + 1;
    std::uint64_t edges = 0;
    std::uint64_t looked_at = 0;
    for (std::size_t f = 0; f < flows.size(); f += step, ++looked_at) {
      Diagnostics told_later;
      const Flow flow = make_flow(graph_, *routing_, "", "", 1, flows[f], {}, told_later);
      for (const CircuitTree& tree : flow.trees) edges += tree.edges.size();
    }
    size.circuits += flows.size();
    if (looked_at > 0) size.edges += edges * flows.size() / looked_at;
  }
  need_memory(plan_bytes(size), config_.topology.where,
              fmt::format("the plan of {} circuits on {} ports", size.circuits, size.ports));
}

std::vector<Flow> TdmPlatform::flows_of(const PhaseConfig& phase, std::size_t index, Diagnostics& diagnostics) const {
  std::vector<Flow> flows;
  if (!phase.pattern.empty()) {
    RandomStream random(config_.seed, fmt::format("pattern/{}", index));
    std::size_t id = 0;
    const auto add_pattern = [&] {
      for (const auto& pair : make_pattern(phase.pattern, graph_, random, phase.pattern_where)) {
        flows.push_back(make_flow(graph_, *routing_, std::to_string(id++), "", phase.slots_per_flow, {pair},
                                  phase.pattern_where, diagnostics));
      }
    };
    passes(add_pattern, diagnostics);
  }
  for (const collectives::PairMessages& p : pair_messages_) {
    flows.push_back(make_flow(graph_, *routing_, fmt::format("{}-{}", p.source, p.destination), "",
                              phase.slots_per_flow, {{p.source, p.destination}}, p.where, diagnostics));
  }
  for (const FlowConfig& f : phase.circuits) {
    flows.push_back(make_flow(graph_, *routing_, f.name, f.job, f.slots, f.pairs, f.where, diagnostics, f.places));
  }
  return flows;
}

std::vector<bool> TdmPlatform::select(const std::vector<SwitchRange>& ranges) const {
  std::vector<bool> chosen(graph_.switches(), ranges.empty());
  for (const SwitchRange& r : ranges) {
    for (SwitchId sw = r.first; sw <= r.last; ++sw) chosen[sw] = true;
  }
  return chosen;
}

}  // namespace weft
