#include "run/fic_alltoall.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "alltoall/groups.h"
#include "alltoall/schedule_file.h"
#include "alltoall/verify.h"

namespace weft {
namespace {

using alltoall::Grid;
using alltoall::Schedule;

Grid grid_of(const FicConfig& config, const PhaseConfig& phase) {
  const TopologyConfig& t = config.topology;
  const bool grid = t.kind == TopologyKind::mesh || t.kind == TopologyKind::torus;
  if (!grid || t.dims.size() != 2 || t.nodes_per_switch != 1 || t.trunk != 1 ||
      config.routing.algorithm != RoutingAlgorithm::dimension_order) {
    throw InputError(phase.schedule_where,
                     "an all-to-all schedule needs a mesh or torus of two dimensions with one node per switch, links "
                     "without trunks and routing by dimension_order");
  }
  for (const std::uint32_t side : t.dims) {
    if (side < alltoall::kSmallestSide || side > alltoall::kLargestSide) {
      throw InputError(phase.schedule_where,
                       fmt::format("an all-to-all schedule is for {} to {} switches per dimension",
                                   alltoall::kSmallestSide, alltoall::kLargestSide));
    }
  }
  Grid out{t.dims[0], t.dims[1], t.kind == TopologyKind::torus};
  if (!config.routing.order.empty() && config.routing.order.front() == 1) out.order = alltoall::RouteOrder::kYFirst;
  return out;
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

// Cycles from the beginning of a phase until its last word has arrived, when every circuit sends its words in one frame
// after the other from the first one on.
std::optional<Cycle> predicted_end(const PhaseConfig& phase, const PhasePlan& plan, const FicConfig& config) {
  const TrafficConfig& t = phase.traffic;
  if (t.arrivals != Arrivals::saturated || !t.messages || *t.messages == 0) return std::nullopt;
  const std::int64_t bits = config.fic_switch.word_bits();
  const auto words = static_cast<Cycle>(*t.messages) * ((t.message.bits + bits - 1) / bits);
  Cycle end = 0;
  for (const CircuitPlan& c : plan.circuits) {
    const Cycle sent = Cycle{c.injection.front()} + (words - 1) * Cycle{config.fic_switch.slots};
    end = std::max(end, sent + c.transit.front().front());
  }
  return end;
}

}  // namespace

alltoall::ScheduledCircuits scheduled_circuits(const FicConfig& config, const PhaseConfig& phase, const Graph& graph,
                                               const Routing& routing) {
  const Schedule schedule = schedule_of(grid_of(config, phase), phase);
  if (schedule.slots > config.fic_switch.slots) {
    throw InputError(phase.schedule_where,
                     fmt::format("the all-to-all schedule has {} slots, a frame (switch.slots) {}", schedule.slots,
                                 config.fic_switch.slots));
  }
  return alltoall::circuits_of(schedule, graph, routing, phase.schedule_where);
}

Section alltoall_section(const FicPlatform& platform, const std::vector<PhaseTimes>* times) {
  const FicConfig& config = platform.config();
  const Cycle frame = config.fic_switch.slots;
  Cycle predicted_frames = 0, predicted_cycles = 0, used_frames = 0, used_cycles = 0;
  bool any = false, ended = times != nullptr;
  for (std::size_t p = 0; p < config.phases.size(); ++p) {
    const PhaseConfig& phase = config.phases[p];
    if (!phase.alltoall && phase.schedule_file.empty()) continue;
    const std::optional<Cycle> cycles = predicted_end(phase, platform.phases()[p], config);
    if (!cycles) return {};
    any = true;
    predicted_cycles += *cycles;
    predicted_frames += *cycles / frame + 1;
    if (!ended) continue;
    const PhaseTimes& t = (*times)[p];
    ended = t.data_end >= 0;
    used_cycles += t.data_end - t.data_start;
    used_frames += (t.data_end - t.data_start) / frame + 1;
  }
  if (!any) return {};
  Section s{"alltoall", "All-to-all exchange", {}};
  s.figures = {{{"frames_predicted", "1", "frames from the first word to the last arrival, by slots and routes"},
                predicted_frames,
                true},
               {{"cycles_predicted", "cycles", "the same to the cycle"}, predicted_cycles, true},
               {{"time_predicted", "ns", "that many cycles of the clock"},
                static_cast<double>(predicted_cycles) * static_cast<double>(config.fic_switch.period.ps) / 1000.0,
                false}};
  if (times == nullptr) return s;
  s.figures.push_back({{"frames_used", "1", "frames from the first word to the last arrival, simulated"},
                       ended ? Value{used_frames} : Value{},
                       true});
  s.figures.push_back({{"cycles_used", "cycles", "the same to the cycle"}, ended ? Value{used_cycles} : Value{}, true});
  return s;
}

}  // namespace weft
