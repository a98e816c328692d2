#include "fabrics/tdm/plan/alltoall_circuits.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "algorithms/alltoall/groups.h"
#include "algorithms/alltoall/schedule_file.h"
#include "algorithms/alltoall/verify.h"
#include "base/input_file.h"

namespace weft {
namespace {

using alltoall::ChannelPlan;
using alltoall::Grid;
using alltoall::Schedule;

bool is_plain_grid(const TdmConfig& config, const GridShape& shape) {
  return shape.dims.size() == 2 && shape.nodes_per_switch == 1 && config.routing.algorithm == &kDimensionOrder;
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
                     "an all-to-all schedule needs a mesh or torus of two dimensions with one node per switch and "
                     "routing by dimension_order");
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

// Channels that a network has: parallel links on every hop.
std::uint32_t channels_of(const Graph& graph) {
  return graph.has_bundles() ? std::min(graph.grid().trunk, graph.node_links()) : 1;
}

SpreadSchedule systematic(const Grid& grid, const PhaseConfig& phase, const Graph& graph, std::uint64_t seed) {
  const bool given = phase.wavelengths != 0 || phase.planes != 0;
  const std::uint32_t wavelengths = std::max(phase.wavelengths, 1U);
  const std::uint32_t planes = given ? std::max(phase.planes, 1U) : channels_of(graph);
  alltoall::GroupsSchedule made = alltoall::make_groups(grid);
  ChannelPlan plan =
      alltoall::assign_channels(made.schedule, &made, wavelengths, planes, 0, alltoall::Assignment::regular, seed);
  return {std::move(made.schedule), std::move(plan)};
}

// The channels of a file stand in its lines, and so in the numbers of its slots.
ChannelPlan plan_of(const alltoall::ScheduleFile& file) {
  ChannelPlan plan{file.wavelengths, file.planes, file.time_slots(), {}, {}};
  for (std::uint32_t slot = 0; slot < file.schedule.slots; ++slot) {
    plan.channel.push_back(slot % plan.channels());
    plan.time.push_back(slot / plan.channels());
  }
  return plan;
}

SpreadSchedule schedule_of(const Grid& grid, const PhaseConfig& phase, const Graph& graph, std::uint64_t seed) {
  if (phase.schedule_file.empty()) return systematic(grid, phase, graph, seed);
  open_named(phase.schedule_where, "schedule_file", [&] { return std::make_unique<InputFile>(phase.schedule_file); });
  try {
    alltoall::ScheduleFile file = alltoall::read_schedule(phase.schedule_file, grid);
    const alltoall::Verification check = alltoall::verify(file.schedule);
    if (!check.ok()) {
      throw InputError({phase.schedule_file},
                       to_string(*check.fault, file.schedule, file.slot_name(check.fault->slot)));
    }
    ChannelPlan plan = plan_of(file);
    return {std::move(file.schedule), std::move(plan)};
  } catch (const InputError&) {
    // One line that says why, in the place of all that is wrong with it as a schedule of this network.
    if (const auto other = alltoall::other_grid(phase.schedule_file, grid))
      throw InputError(phase.schedule_where, phase.schedule_file + " " + *other);
    throw;
  }
}

}  // namespace

std::optional<SpreadSchedule> systematic_schedule(const TdmConfig& config, const Graph& graph) {
  const GridShape& shape = graph.grid();
  const bool apart = !graph.has_bundles() && (shape.trunk > 1 || shape.node_links > 1);
  if (apart || !is_plain_grid(config, shape) || !std::all_of(shape.dims.begin(), shape.dims.end(), is_side)) return {};
  const Grid grid = to_grid(config, shape);
  if (grid.nodes() < 2) return {};
  Schedule schedule = alltoall::make_groups(grid).schedule;
  // Electrical switches have no rings to save, so the order of the slots is as good as any.
  ChannelPlan plan = alltoall::assign_channels(schedule, nullptr, 1, channels_of(graph), 0,
                                               alltoall::Assignment::in_order, config.seed);
  return SpreadSchedule{std::move(schedule), std::move(plan)};
}

ScheduledPhase scheduled_phase(const TdmConfig& config, const PhaseConfig& phase, const Graph& graph,
                               const CircuitRouting& routing) {
  const auto [schedule, plan] = schedule_of(grid_of(config, phase, graph.grid()), phase, graph, config.seed);
  if (plan.channels() > channels_of(graph)) {
    throw InputError(
        phase.schedule_where,
        fmt::format("the all-to-all schedule has {} wavelengths times {} planes; they need {} parallel links between "
                    "neighbours (topology.trunk, {} here), between a node and its switch (topology.node_links, {} "
                    "here), and slots.bundles 'together'",
                    plan.wavelengths, plan.planes, plan.channels(), graph.grid().trunk, graph.node_links()));
  }
  if (plan.time_slots > config.tdm_switch.slots) {
    throw InputError(phase.schedule_where,
                     fmt::format("the all-to-all schedule has {} slots, a frame (switch.slots) {}", plan.time_slots,
                                 config.tdm_switch.slots));
  }
  return {alltoall::circuits_of(schedule, &plan, graph, routing, phase.schedule_where),
          {plan.wavelengths, plan.planes}};
}

}  // namespace weft
