// From a made schedule to everything that is reported about it (alltoall_report.h).

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "studies/alltoall/alltoall_report.h"

namespace weft {
namespace {

using alltoall::Assignment;

// Beyond this the other assignments and numbers of channels are not tried: each counts all links of all routes.
constexpr std::uint64_t kMostCompared = 70'000;
constexpr std::uint32_t kMostChannelsTried = 64;

const alltoall::GroupsSchedule* groups_of(const alltoall::ScheduleResult& made) {
  return made.groups ? &*made.groups : nullptr;
}

SpreadCost spread(const AllToAllStudy& study, const char* name, Assignment assignment, std::uint32_t wavelengths,
                  std::uint32_t planes, std::uint32_t time_slots, std::optional<alltoall::ChannelPlan>* keep) {
  const alltoall::Schedule& schedule = study.made.schedule;
  alltoall::ChannelPlan plan = alltoall::assign_channels(schedule, groups_of(study.made), wavelengths, planes,
                                                         time_slots, assignment, study.problem.options.seed);
  SpreadCost out{name, alltoall::channels_needed(schedule.slots, plan.time_slots), plan.time_slots,
                 alltoall::ring_cost(schedule, plan)};
  if (keep != nullptr) *keep = std::move(plan);
  return out;
}

// Wavelengths and planes that were left open.
void complete(AllToAllProblem& problem, std::uint32_t slots) {
  if (problem.time_slots != 0) {
    const std::uint32_t needed = alltoall::channels_needed(slots, problem.time_slots);
    if (problem.wavelengths == 0 && problem.planes == 0) problem.planes = 1;
    if (problem.wavelengths == 0) problem.wavelengths = (needed + problem.planes - 1) / problem.planes;
    if (problem.planes == 0) problem.planes = (needed + problem.wavelengths - 1) / problem.wavelengths;
    if (std::uint64_t{problem.wavelengths} * problem.planes < needed) {
      throw InputError({fmt::format("--time-slots {}", problem.time_slots)},
                       fmt::format("{} slots in {} time slots need {} channels; {} wavelengths times {} planes are {}",
                                   slots, problem.time_slots, needed, problem.wavelengths, problem.planes,
                                   problem.wavelengths * problem.planes));
    }
  }
  problem.wavelengths = std::max(problem.wavelengths, 1U);
  problem.planes = std::max(problem.planes, 1U);
}

void compare(AllToAllStudy& study) {
  const AllToAllProblem& p = study.problem;
  const auto other = [&](const char* name, Assignment assignment) {
    study.assignments.push_back(spread(study, name, assignment, p.wavelengths, p.planes, p.time_slots, nullptr));
  };
  other("in_order", Assignment::in_order);
  other("round_robin", Assignment::round_robin);
  other("random", Assignment::random);
  const std::uint32_t most = std::min(study.made.schedule.slots, kMostChannelsTried);
  for (std::uint32_t channels = 1; channels <= most; channels *= 2) {
    study.by_channels.push_back(spread(study, "regular", Assignment::regular, channels, 1, 0, nullptr));
    study.by_channels.push_back(spread(study, "random", Assignment::random, channels, 1, 0, nullptr));
  }
}

}  // namespace

AllToAllStudy make_alltoall_study(const AllToAllProblem& problem, alltoall::ScheduleResult made) {
  AllToAllStudy study;
  study.problem = problem;
  study.made = std::move(made);
  study.bounds = alltoall::lower_bounds(problem.grid);
  study.check = alltoall::verify(study.made.schedule);
  if (!study.check.ok()) {
    throw RunError("the schedule is wrong: " + to_string(*study.check.fault, study.made.schedule));
  }
  if (!problem.channels) return study;
  complete(study.problem, study.made.schedule.slots);
  study.assignments.push_back(spread(study, "regular", Assignment::regular, study.problem.wavelengths,
                                     study.problem.planes, study.problem.time_slots, &study.plan));
  if (problem.grid.connections() <= kMostCompared) compare(study);
  return study;
}

}  // namespace weft
