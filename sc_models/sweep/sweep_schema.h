#pragma once
// Raw keys of a sweep file; resolved by sweep/sweep_resolve.cpp.

#include <cstdint>
#include <string>
#include <vector>

#include "schema/document.h"
#include "schema/schema.h"
#include "schema/schema_types.h"
#include "sweep/sweep_config.h"

namespace weft {

using RawSettings = std::vector<Named<YamlNode>>;

struct RawAxisPoint {
  Given<std::string> label;
  Given<std::string> value;
  Given<RawSettings> set;
};

struct RawAxis {
  Given<std::string> name;
  Given<std::string> label;
  Given<std::string> unit;
  Given<std::string> key;
  Given<std::vector<Placed<YamlNode>>> values;
  Given<std::vector<Placed<RawAxisPoint>>> points;
};

struct RawMetric {
  Given<MetricPath> path;
  Given<std::string> label;
  Given<bool> optional;
};

struct RawPlot {
  Given<std::string> title;
  Given<PlotKind> kind;
  Given<std::string> x;
  Given<std::vector<Placed<std::string>>> y;
  Given<std::string> series;
  Given<std::vector<Named<std::string>>> fixed;
  Given<std::string> x_label;
  Given<std::string> y_label;
  Given<Scale> x_scale;
  Given<Scale> y_scale;
  Given<ErrorBars> errors;
  Given<std::string> mark;
};

using RawSeeds = std::vector<std::uint64_t>;

struct RawQuick {
  Given<RawSeeds> seeds;
  Given<RawSettings> set;
  Given<std::vector<Named<std::vector<Placed<std::string>>>>> axes;
};

struct RawRefine {
  Given<SweepSearch> find;
  Given<std::string> axis;
  Given<std::string> metric;
  Given<std::uint64_t> times;   ///< in hundredths
  Given<std::uint64_t> within;  ///< in hundredths of a percent
};

struct RawSweep {
  Given<std::string> sweep;
  Given<std::string> title;
  Given<std::vector<Placed<std::string>>> base;  ///< only described here; schema/document.h reads it
  Given<RawSettings> set;
  Given<std::vector<Placed<RawAxis>>> axes;
  Given<RawSeeds> seeds;
  Given<std::vector<Named<RawMetric>>> metrics;
  Given<std::vector<Named<RawPlot>>> plots;
  Given<RawRefine> refine;
  Given<RawQuick> quick;
};

/// Declares every key of a sweep file.
Section<RawSweep> sweep_section();

/// The sweep that was read; what is wrong goes to `diagnostics`. `quick`: with the section of this name.
SweepConfig resolve_sweep(const RawSweep& raw, const ConfigDocument& document, Diagnostics& diagnostics, bool quick);

}  // namespace weft
