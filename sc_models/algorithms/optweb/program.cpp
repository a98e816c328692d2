#include "algorithms/optweb/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "algorithms/optweb/hops/routes.h"
#include "algorithms/optweb/hops/steps.h"
#include "algorithms/optweb/relays/ways.h"

namespace weft::optweb {

namespace {

// Null: nothing has failed.
const std::vector<NodeId>* routes_left(const OptwebConfig& config, const ProgramInstruction& in) {
  for (const auto& [line, routes] : config.routes) {
    if (&config.programs[line.first].instructions[line.second] == &in) return &routes;
  }
  return nullptr;
}

// Of more than two hops, data rest at `scratch` and at `scratch2`.
bool has_detour_area(const OptwebConfig& config, const ProgramInstruction& in) {
  const std::optional<NodeGrid> grid = step_grid(config, in);
  return !grid || grid->levels() == 2;
}

}  // namespace

std::vector<NodeId> paths_of(const OptwebConfig& config, const ProgramInstruction& in) {
  if (const std::vector<NodeId>* const left = routes_left(config, in)) return *left;
  const Neighbours& neighbours = neighbours_of(config);
  std::vector<NodeId> out;
  for (const NodeId n : ways_of(config, in)) {
    if (neighbours.hops(*in.source, n) < 2 && neighbours.hops(n, *in.destination) < 2) out.push_back(n);
  }
  return out;
}

bool takes_all_paths(const OptwebConfig& config, const ProgramInstruction& in) {
  if (routes_left(config, in) != nullptr) return true;
  if (in.path == ProgramPath::direct) return false;
  if (in.path == ProgramPath::automatic && in.bytes < config.multipath_from) return false;
  if (in.op == ProgramOp::transfer) {
    // With a link, source and destination are among them.
    const bool near = neighbours_of(config).hops(*in.source, *in.destination) < 2;
    return paths_of(config, in).size() > (near ? 2 : 1);
  }
  if (!neighbours_of(config).clique(in.group)) return step_grid(config, in).has_value();
  return ways_of(config, in).size() > 2;
}

bool goes_by_relays(const OptwebConfig& config, const ProgramInstruction& in) {
  return (in.op == ProgramOp::broadcast || in.op == ProgramOp::allreduce) && config.relays == OptwebRelays::all &&
         takes_all_paths(config, in) && ways_of(config, in).size() > in.group.size();
}

bool may_detour(const OptwebConfig& config, const ProgramInstruction& in) {
  return config.link.detour == OptwebDetour::relay && !config.faults.empty() && is_collective(in.op) &&
         in.group.size() > 2 && !goes_by_relays(config, in) && has_detour_area(config, in);
}

void warn_without_detour(const OptwebConfig& config, Diagnostics& diagnostics) {
  if (config.link.detour != OptwebDetour::relay || config.faults.empty()) return;
  std::set<std::tuple<std::string, int, int>> warned;  // repetitions are written out
  for (const NodeProgram& p : config.programs) {
    for (const ProgramInstruction& in : p.instructions) {
      if (!is_collective(in.op) || in.group.size() < 3 || goes_by_relays(config, in) || may_detour(config, in))
        continue;
      if (!warned.insert({in.where.file, in.where.line, in.where.column}).second) continue;
      diagnostics.warning(in.where,
                          fmt::format("link.detour has no effect on this {}: collectives of more than two hops "
                                      "wait for links that are down",
                                      to_string(in.op)));
    }
  }
}

std::uint32_t hops_of(const OptwebConfig& config, const ProgramInstruction& in) {
  const Neighbours& neighbours = neighbours_of(config);
  switch (in.op) {
    case ProgramOp::fence:
    case ProgramOp::compute:
      return 0;
    case ProgramOp::send:
      return in.at == std::vector<NodeId>{*in.destination} ? 0 : 1;
    case ProgramOp::recv:
      return in.at == std::vector<NodeId>{*in.source} ? 0 : 1;
    case ProgramOp::transfer:
      return takes_all_paths(config, in) ? 2 : neighbours.hops(*in.source, *in.destination);
    case ProgramOp::sendrecv:
      if (const std::uint32_t most = most_hops(neighbours, in); most > 1) return most;
      return in.group.size() < 2 ? 0 : 1;
    default: {
      if (in.group.size() < 2) return 0;
      const std::optional<NodeGrid> grid = step_grid(config, in);
      const std::uint32_t steps = grid ? static_cast<std::uint32_t>(grid->levels()) : 1;
      return takes_all_paths(config, in) ? steps + 1 : steps;
    }
  }
}

NodeView view_of(const OptwebConfig& config, const MachinePrograms& programs, NodeId node) {
  return {node,
          config.nodes,
          config.word_bytes,
          config.eager_buffer,
          &programs.groups,
          programs.detours.empty() ? nullptr : &programs.detours,
          neighbours_of(config)};
}

StripeGeometry geometry_of(const OptwebConfig& config) { return {config.interface_bytes, config.stripes}; }

}  // namespace weft::optweb
