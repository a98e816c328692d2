#pragma once
// Checked description of a sweep: one configuration run at many points, with several seeds at each.
//
// A sweep file knows nothing of the fabric: it sets keys of the configuration it names, as `weft run --set` does, and
// picks figures out of report.json. Its keys are declared in sweep/sweep_schema.cpp.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/units.h"
#include "base/words.h"
#include "schema/document.h"

namespace weft {

struct SectionInfo;

/// `--set key=value`; the value is YAML on one line.
struct SweepSetting {
  std::string key;
  std::string value;
  Location where;  ///< of the value
  std::string assignment() const { return key + "=" + value; }
};

/// Puts `next` behind the settings in `all`, but before those of keys inside its own, so that a list and a key of one
/// of its elements mean the same in either order: the list, and in it that key.
void add_setting(std::vector<SweepSetting>& all, SweepSetting next);

struct AxisPoint {
  std::string label;             ///< unique on its axis
  std::optional<double> number;  ///< in the unit of the axis; only if all points of the axis have one
  std::vector<SweepSetting> set;
};

struct SweepAxis {
  std::string name;
  std::string label;
  std::string unit;
  std::vector<AxisPoint> points;
  std::size_t refined = 0;  ///< of the points, the last: those that the file does not have (sweep/saturation.h)
  bool is_number() const { return points.front().number.has_value(); }
  std::size_t grid() const { return points.size() - refined; }  ///< points of the file
};

/// Path of a figure in report.json.
struct MetricPath {
  struct Condition {
    std::string column;
    std::string value;  ///< "*": each value the column has
  };
  std::string text;  ///< as written
  bool table = false;
  std::string place;            ///< section or table
  std::vector<Condition> rows;  ///< of a table
  std::string figure;           ///< figure or column

  /// Column whose values tell the members of the metric apart, or nullptr.
  const std::string* each() const;
};

struct SweepMetric {
  std::string name;
  std::string label;
  MetricPath path;
  bool optional = false;  ///< a report without it gives no value instead of an error
  Location where;
};

enum class PlotKind { lines, bars, heat_map };
template <>
inline constexpr auto kWords<PlotKind> = words("lines", "bars", "heat_map");
enum class ErrorBars { ci95, stddev, none };
template <>
inline constexpr auto kWords<ErrorBars> = words("ci95", "stddev", "none");
enum class Scale { linear, log };
template <>
inline constexpr auto kWords<Scale> = words("linear", "log");

struct SweepPlot {
  std::string name;
  std::string title;
  PlotKind kind = PlotKind::lines;
  std::size_t x = 0;                         ///< axis
  std::vector<std::size_t> y;                ///< metrics
  std::optional<std::size_t> series;         ///< axis; of a heat map its vertical one
  std::optional<std::size_t> mark;           ///< metric: points where its mean is above 0 have a ring
  std::map<std::size_t, std::size_t> fixed;  ///< axis -> point, of all other axes
  std::string x_label;                       ///< empty: that of the axis
  std::string y_label;                       ///< empty: that of the metric
  Scale x_scale = Scale::linear;
  Scale y_scale = Scale::linear;
  ErrorBars errors = ErrorBars::ci95;
};

enum class SweepSearch { saturation };
template <>
inline constexpr auto kWords<SweepSearch> = words("saturation");

/// Search for the load at which the mean latency is a multiple of that of the lowest load, on every curve: at every
/// combination of points of the other axes.
struct SweepRefinement {
  std::size_t axis = 0;    ///< of the load; its points are numbers
  std::size_t metric = 0;  ///< mean latency, without '*'
  double times = 3;
  double within = 0.01;  ///< share of the load that is found
};

struct SweepConfig {
  std::string file;    ///< as given by the user
  std::string folder;  ///< absolute, of the sweep file: file names in values are relative to it
  std::string title;
  std::string config;  ///< path of the configuration that is swept
  Location config_where;
  std::vector<SweepSetting> set;
  std::vector<SweepAxis> axes;
  std::vector<std::uint64_t> seeds;
  std::vector<SweepMetric> metrics;
  std::vector<SweepPlot> plots;
  std::optional<SweepRefinement> refine;
};

/// Reads, merges (`base:`), overrides and checks a sweep file; `quick` lays its section `quick` over it.
/// Throws InputError with every error found.
SweepConfig load_sweep(const std::string& file, const Overrides& overrides, bool quick);

/// The same for a document that is read already.
SweepConfig read_sweep(ConfigDocument document, const std::string& file, const Overrides& overrides, bool quick);

/// Same, for text that stands in no file (`name` is used in messages; relative paths are taken from `folder`).
SweepConfig parse_sweep(const std::string& text, const std::string& name, const std::string& folder,
                        const Overrides& overrides, bool quick);

/// Whether this is a sweep file (it has the key `sweep`).
bool is_sweep_file(const ConfigDocument& document);

/// `sections.SECTION.FIGURE`, which report.json calls `figures`, or
/// `tables.TABLE[COLUMN=VALUE,...].COLUMN`.
Parsed<MetricPath> parse_metric_path(std::string_view text);

/// A number, a percentage, or a quantity as a multiple of `unit` (the first one's, when empty): "1kB" in B is 1000.
struct AxisNumber {
  double value = 0;
  std::string unit;
};
std::optional<AxisNumber> axis_number(const std::string& text, const std::string& unit);

/// Description of all keys, for `weft describe`.
std::shared_ptr<const SectionInfo> sweep_keys();

}  // namespace weft
