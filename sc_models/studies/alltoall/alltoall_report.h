#pragma once
// The figures of an all-to-all schedule: slots against the bounds, utilization, and what wavelengths and planes cost.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/alltoall/bounds.h"
#include "algorithms/alltoall/method.h"
#include "algorithms/alltoall/verify.h"
#include "algorithms/alltoall/wdm.h"
#include "observe/report.h"

namespace weft {

/// Problem of `weft alltoall`.
struct AllToAllProblem {
  alltoall::Grid grid;
  alltoall::Method method = alltoall::Method::groups;
  alltoall::MethodOptions options;
  double slot_ns = 10;            ///< length of a slot: a cycle of 100 MHz, FiC's clock
  bool channels = false;          ///< spread over wavelengths and planes; else the rest is without meaning
  std::uint32_t wavelengths = 0;  ///< 0: as many as time_slots needs
  std::uint32_t planes = 0;       ///< 0: likewise; 1 if wavelengths do it alone
  std::uint32_t time_slots = 0;   ///< bound, 0: none
};

/// One way to spread the slots over channels, and its price.
struct SpreadCost {
  std::string name;
  std::uint32_t channels = 1;
  std::uint32_t time_slots = 0;
  alltoall::RingCost cost;
};

struct AllToAllStudy {
  AllToAllProblem problem;
  alltoall::ScheduleResult made;
  alltoall::Bounds bounds;
  alltoall::Verification check;
  std::optional<alltoall::ChannelPlan> plan;
  std::vector<SpreadCost> assignments;  ///< regular (the plan) first, then the arbitrary ones
  std::vector<SpreadCost> by_channels;  ///< regular and random in turn, for 1, 2, 4, ... channels
};

/// Checks the schedule and spreads it over channels. Throws RunError when the schedule is wrong, InputError when
/// wavelengths times planes cannot hold it in problem.time_slots.
AllToAllStudy make_alltoall_study(const AllToAllProblem& problem, alltoall::ScheduleResult made);

ReportData alltoall_report(const AllToAllStudy& study);

/// The schedule for programs, with the connections of every slot up to a size at which that stays readable.
std::string alltoall_json(const AllToAllStudy& study);

// Pictures of an all-to-all schedule as SVG: the connection profile (slots that each offset needs by itself, as the
// paper draws it), and maps of the links that every slot uses, one panel per slot.

struct AllToAllPicture {
  std::string name;  ///< of the file
  std::string meaning;
  std::string svg;
};

/// The profile for grids of up to 32 columns and rows; link maps for up to 12, 64 slots in each file, 6 files at most.
/// Equal schedules give equal bytes.
std::vector<AllToAllPicture> alltoall_pictures(const AllToAllStudy& study);
/// A note for every picture that is not drawn, or not whole.
std::vector<std::string> pictures_left_out(const AllToAllStudy& study);

}  // namespace weft
