#pragma once
// Charts of a divisible-load study as SVG, drawn by gnuplot.

#include <filesystem>
#include <string>

#include "dlt/charts.h"

namespace weft::cli {

/// Whether gnuplot can be started.
bool can_plot();

/// Write `file` (an SVG). Throw RunError when gnuplot fails.
void plot_lines(const dlt::LineChart& chart, const std::filesystem::path& file);
void plot_gantt(const dlt::Gantt& gantt, const std::filesystem::path& file);

}  // namespace weft::cli
