// What an earlier run may have left in a folder of results. A new table, text or chart is a name here.

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "report/report.h"

namespace weft {
namespace {

// clang-format off
constexpr std::array kOldResults = std::to_array<std::string_view>({
    // networks in simulated time
    "phases", "circuits", "flows", "faults", "links", "slot_trace", "slot_tables", "service_levels", "levels", "histogram",
    "messages", "saturations", "ib_tables",
    // OPTWEB
    "instructions", "curves", "bandwidth", "latency", "startup",
    "costs", "parts", "wiring", "dragonflies", "cost", "wiring_cost", "fibres",
    // divisible loads
    "nodes", "curve", "curve_shares", "speedup", "shares", "timing_predicted", "timing_simulated", "timing_messages",
    // slot counts
    "allocators", "seeds", "table1", "table1_minimum", "table1_uniform", "table1_neighbor", "load_ports",
    // all-to-all schedules
    "schedule", "schedule.json", "groups", "profile", "slots", "assignments", "rings_by_channels",
    // jobs
    "policies", "utilization", "jobs", "rejected", "nodes_over_time", "slots_over_time", "waiting_over_time",
});

// Beginnings of the names of those of which there are several: per phase, direction, slot, policy.
constexpr std::array kOldFamilies = std::to_array<std::string_view>({
    "slot_tables_", "load_plus_", "load_minus_", "link_map_",
    "schedule_log_", "schedule_tables_", "gantt_nodes_", "gantt_link_",
});
// clang-format on

}  // namespace

void remove_old_results(const std::filesystem::path& folder) {
  std::error_code ec;
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ec)) {
    std::string name = entry.path().filename().string();
    for (const char* ending : {".part", ".csv", ".partial", ".txt", ".svg", ".gp"}) {
      if (name.ends_with(ending)) name.resize(name.size() - std::strlen(ending));
    }
    const bool listed = std::find(kOldResults.begin(), kOldResults.end(), name) != kOldResults.end();
    const bool family = std::any_of(kOldFamilies.begin(), kOldFamilies.end(),
                                    [&](std::string_view f) { return std::string_view(name).starts_with(f); });
    if (listed || family || name == "report.json" || name == "report.html") old.push_back(entry.path());
  }
  for (const auto& path : old) check_output(path);
  for (const auto& path : old) std::filesystem::remove(path, ec);
}

}  // namespace weft
