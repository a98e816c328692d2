#include "fabrics/tdm/plan/alltoall_circuits.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "algorithms/alltoall/groups.h"
#include "algorithms/alltoall/schedule_file.h"
#include "algorithms/alltoall/verify.h"

namespace weft {
namespace {

using alltoall::Grid;
using alltoall::Schedule;

bool is_plain_grid(const TdmConfig& config, const GridShape& shape) {
  return shape.dims.size() == 2 && shape.nodes_per_switch == 1 && shape.trunk == 1 &&
         config.routing.algorithm == &kDimensionOrder;
}

bool is_side(std::uint32_t side) { return side >= alltoall::kSmallestSide && side <= alltoall::kLargestSide; }

Grid to_grid(const TdmConfig& config, const GridShape& shape) {
  Grid out{shape.dims[0], shape.dims[1], shape.torus};
  if (!config.routing.order.empty() && config.routing.order.front() == 1) out.order = alltoall::RouteOrder::kYFirst;
  return out;
}

Grid grid_of(const TdmConfig& config, const PhaseConfig& phase, const GridShape& shape) {
  if (!is_plain_grid(config, shape)) {
    throw InputError(phase.schedule_where,
                     "an all-to-all schedule needs a mesh or torus of two dimensions with one node per switch, links "
                     "without trunks and routing by dimension_order");
  }
  for (const std::uint32_t side : shape.dims) {
    if (!is_side(side)) {
      throw InputError(phase.schedule_where,
                       fmt::format("an all-to-all schedule is for {} to {} switches per dimension",
                                   alltoall::kSmallestSide, alltoall::kLargestSide));
    }
  }
  return to_grid(config, shape);
}

Schedule schedule_of(const Grid& grid, const PhaseConfig& phase) {
  if (phase.schedule_file.empty()) return alltoall::make_groups(grid).schedule;
  try {
    alltoall::ScheduleFile file = alltoall::read_schedule(phase.schedule_file, grid);
    if (file.has_channels) {
      throw InputError({phase.schedule_file, 1, 1},
                       "has wavelengths and planes; a FiC network has slots only: expected slot,source,destination");
    }
    const alltoall::Verification check = alltoall::verify(file.schedule);
    if (!check.ok()) throw InputError({phase.schedule_file}, to_string(*check.fault, file.schedule));
    return std::move(file.schedule);
  } catch (const InputError&) {
    // One line that says why, in the place of all that is wrong with it as a schedule of this network.
    if (const auto other = alltoall::other_grid(phase.schedule_file, grid))
      throw InputError(phase.schedule_where, phase.schedule_file + " " + *other);
    throw;
  }
}

}  // namespace

std::optional<Schedule> systematic_schedule(const TdmConfig& config, const Graph& graph) {
  const GridShape& shape = graph.grid();
  if (!is_plain_grid(config, shape) || !std::all_of(shape.dims.begin(), shape.dims.end(), is_side)) return {};
  const Grid grid = to_grid(config, shape);
  if (grid.nodes() < 2) return {};
  return alltoall::make_groups(grid).schedule;
}

alltoall::ScheduledCircuits scheduled_circuits(const TdmConfig& config, const PhaseConfig& phase, const Graph& graph,
                                               const CircuitRouting& routing) {
  const Schedule schedule = schedule_of(grid_of(config, phase, graph.grid()), phase);
  if (schedule.slots > config.tdm_switch.slots) {
    throw InputError(phase.schedule_where,
                     fmt::format("the all-to-all schedule has {} slots, a frame (switch.slots) {}", schedule.slots,
                                 config.tdm_switch.slots));
  }
  return alltoall::circuits_of(schedule, graph, routing, phase.schedule_where);
}

}  // namespace weft
