#include "sweep/metric.h"

#include <string_view>
#include <utility>

namespace weft {
namespace {

// Sections, tables, figures and columns that were renamed after version 1 of the report; docs/report.md has the same
// list, and scripts/compare_reports reads it here. Of a table the name comes before its columns, which stand under the
// old name of the table.
constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
    {"sections.network.clock_period", "sections.network.cycle"},
    {"sections.network.link_payload_rate", "sections.network.link_rate"},
    {"sections.run.simulated_time", "sections.run.time"},
    {"sections.run.min_latency", "sections.run.transit_min"},
    {"sections.run.max_latency", "sections.run.transit_max"},
    {"sections.run.predicted_max_latency", "sections.run.predicted_transit_max"},
    {"sections.setup.simulated_time", "sections.run.time"},
    {"sections.replay.link_payload_rate", "sections.replay.link_rate"},
    {"sections.replay.simulated_time", "sections.replay.time"},
    {"tables.levels", "tables.services"},
    {"tables.levels.level", "tables.services.service"},
    {"tables.levels.queueing_mean", "tables.services.queueing"},
    {"tables.levels.network_mean", "tables.services.network"},
    {"tables.levels.serialization_mean", "tables.services.serialization"},
    {"tables.histogram.level", "tables.histogram.service"},
    {"tables.fates.level", "tables.fates.service"},
    {"tables.fault_flows.level", "tables.fault_flows.service"},
    {"tables.circuits.predicted_min_latency", "tables.circuits.predicted_transit_min"},
    {"tables.circuits.predicted_max_latency", "tables.circuits.predicted_transit_max"},
    {"tables.circuits.min_latency", "tables.circuits.transit_min"},
    {"tables.circuits.mean_latency", "tables.circuits.transit_mean"},
    {"tables.circuits.max_latency", "tables.circuits.transit_max"},
    {"tables.circuits.mean_queueing", "tables.circuits.queueing"},
    {"tables.circuits.max_queueing", "tables.circuits.queueing_max"},
};

// The name itself when it is still the same.
std::string since_v2(const std::string& name) {
  for (const auto& [old_name, new_name] : kRenamed) {
    if (old_name == name) return std::string(new_name);
  }
  return name;
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

std::string path_since_v2(const MetricPath& path) {
  const std::string place = (path.table ? "tables." : "sections.") + path.place;
  std::string out;
  if (path.table) {
    out = since_v2(place);
    std::string rows;
    for (const MetricPath::Condition& c : path.rows) {
      rows += (rows.empty() ? "" : ",") + last_part(since_v2(place + "." + c.column)) + "=" + c.value;
    }
    if (!rows.empty()) out += "[" + rows + "]";
    out += "." + last_part(since_v2(place + "." + path.figure));
  } else {
    out = since_v2(place + "." + path.figure);
  }
  return out == path.text ? "" : out;
}

}  // namespace weft
