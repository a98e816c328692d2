#pragma once
// Charts as data, drawn as SVG by gnuplot: lines and steps with error bars, bars side by side, boxes over time (Gantt
// charts), heat maps.
//
// A chart has one house style: white ground, light grid, a palette that people with any colour vision can tell apart
// (Okabe and Ito 2008, viridis for heat maps), markers that differ too, the legend outside. Equal charts give equal
// bytes.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace weft {

struct ChartAxis {
  std::string label;
  std::string unit;  ///< written in parentheses after the label; "1" or empty: none
  bool log = false;
  std::vector<std::string> categories;  ///< names of the places 0, 1, 2, ...; empty: an axis of numbers
  std::optional<double> min;            ///< else by the data
  std::optional<double> max;
};

struct ChartPoint {
  double x = 0;
  std::optional<double> y;  ///< without it the line has a gap
  double error = 0;         ///< half the length of the error bar
  bool marked = false;      ///< has a ring around it
};

enum class SeriesStyle {
  lines,  ///< straight from point to point, with a marker at each
  steps,  ///< y holds until the next x
  bars    ///< needs categories on x
};

struct ChartSeries {
  std::string name;  ///< in the legend
  SeriesStyle style = SeriesStyle::lines;
  std::vector<ChartPoint> points;
  bool markers = true;  ///< of lines
  bool dashed = false;  ///< of lines; what lies below shows through
};

/// Height of a box in its row; two of half the height may overlap in time.
enum class BoxLane { full, upper, lower };

/// A bar over time in one row; the rows are the categories of the vertical axis, the first on top.
struct ChartBox {
  std::size_t row = 0;
  double begin = 0;
  double end = 0;
  std::string label;      ///< written into the box if it fits
  std::size_t group = 0;  ///< gives the colour
  BoxLane height = BoxLane::full;
};

/// One colour per cell; rows from bottom to top, over the categories of both axes.
struct ChartHeatMap {
  std::vector<std::vector<std::optional<double>>> rows;
  std::string label;  ///< of the colours
  std::string unit;
  std::optional<double> min = std::nullopt;  ///< ends of the scale of colours; else by the data
  std::optional<double> max = std::nullopt;
};

/// Exactly one of series, boxes and heat_map is there.
struct Chart {
  std::string title;
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartSeries> series;
  std::string mark;  ///< what a ring around a point means, in the legend
  std::vector<ChartBox> boxes;
  std::vector<std::string> groups;  ///< names of the groups of boxes, for the legend; empty: no legend
  std::optional<ChartHeatMap> heat_map;
};

/// The gnuplot script that draws the chart, data included; writes the file `svg`, or standard output when empty.
std::string chart_script(const Chart& chart, const std::string& svg = {});

/// There is no gnuplot.
struct NoGnuplot : RunError {
  using RunError::RunError;
};

/// Runs gnuplot, which an interrupt does not reach: what has been simulated is worth its pictures. Throws NoGnuplot, or
/// RunError when it fails.
std::string chart_svg(const Chart& chart);

/// Writes `NAME.svg` and the script `NAME.gp` beside it, and returns the paths.
std::vector<std::filesystem::path> write_chart(const std::filesystem::path& folder, const std::string& name,
                                               const Chart& chart);

}  // namespace weft
