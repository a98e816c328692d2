#pragma once
// All-to-all schedules as CSV: header "slot,source,destination", or "slot,source,destination,wavelength,plane" when
// slots are spread over channels (wdm.h), then one line per connection, nodes numbered x + width * y. Reading and
// writing take one line at a time; lines may come in any order.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/alltoall/schedule.h"
#include "algorithms/alltoall/verify.h"
#include "algorithms/alltoall/wdm.h"

namespace weft::alltoall {

/// A schedule as a file has it. With channels, slot s of `schedule` is time slot s / (wavelengths * planes) on
/// wavelength s / planes % wavelengths of plane s % planes, numbers from 0 to the largest in the file.
struct ScheduleFile {
  Schedule schedule;
  bool has_channels = false;
  std::uint32_t wavelengths = 1;
  std::uint32_t planes = 1;

  std::uint32_t time_slots() const { return schedule.slots / (wavelengths * planes); }
  /// "slot 3", or "slot 3 on wavelength 1 of plane 0".
  std::string slot_name(std::uint32_t slot) const;
};

/// Largest slot number a file may have.
inline constexpr std::uint32_t kLargestFileSlot = 99'999'999;

/// Reads a schedule of `grid`. Throws InputError with up to 20 errors as file:line:column: a wrong header, a field that
/// is not a number in its range, a node that does not exist, a connection from a node to itself or named twice.
/// Connections that are missing, and conflicts, are the business of verify().
ScheduleFile read_schedule(const std::filesystem::path& path, const Grid& grid);

/// The grid that schedule.json, as 'weft alltoall' writes it beside a schedule, is for. Throws InputError when it is no
/// such file.
Grid read_grid(const std::filesystem::path& json);

/// When the lines of a file are as many as another number of nodes has connections: what to say about the file. For
/// files that can be read and are no schedules of `grid`.
std::optional<std::string> other_size(const std::filesystem::path& path, const Grid& grid);
/// The same, also when the schedule.json beside schedule.csv names another grid.
std::optional<std::string> other_grid(const std::filesystem::path& path, const Grid& grid);

/// "mesh 8x6, X-Y routing".
std::string grid_text(const Grid& grid);

/// Writes the schedule by slot, source and destination, in time order when there is a plan. Throws InputError naming
/// the file when it cannot be written; an old file is then untouched.
void write_schedule(const std::filesystem::path& path, const Schedule& schedule, const ChannelPlan* plan);

}  // namespace weft::alltoall
