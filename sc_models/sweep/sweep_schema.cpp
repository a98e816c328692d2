// The one declaration of every key of a sweep file.

#include "sweep/sweep_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weft {
namespace {

constexpr std::uint64_t kMaxSeeds = 10'000;

// Any YAML, kept as it is: a value of some key of the configuration, which alone knows what it may be.
Type<YamlNode> value_type() {
  TypeInfo info;
  info.name = "value";
  info.form = any_form();
  return {std::move(info),
          [](const YamlNode& node, const std::string&, Diagnostics&) { return std::optional<YamlNode>(node); }};
}

Type<RawSettings> settings_type() {
  auto type = map_of("<key>", value_type());
  type.info.name = "keys of the configuration with their values";
  return type;
}

// A number of seeds, or the seeds themselves.
Type<RawSeeds> seeds_type() {
  TypeInfo info;
  info.name = "whole number or list of whole numbers";
  info.range = fmt::format("1 to {} seeds", kMaxSeeds);
  const auto count = whole_number_type(1, kMaxSeeds);
  const auto seeds = list_of(whole_number_type(0, std::numeric_limits<std::uint64_t>::max()), 1, kMaxSeeds);
  info.form = either_form(count.info.form, seeds.info.form);
  return {std::move(info),
          [count, seeds](const YamlNode& node, const std::string& path,
                         Diagnostics& diagnostics) -> std::optional<RawSeeds> {
            RawSeeds out;
            if (node.kind == YamlNode::Kind::sequence) {
              const auto list = seeds.read(node, path, diagnostics);
              if (!list) return std::nullopt;
              for (const auto& seed : *list) {
                if (std::find(out.begin(), out.end(), seed.value) != out.end()) {
                  diagnostics.error(seed.where, fmt::format("{}: the seed {} is there twice", path, seed.value));
                }
                out.push_back(seed.value);
              }
              return out;
            }
            const auto number = count.read(node, path, diagnostics);
            if (!number) return std::nullopt;
            for (std::uint64_t seed = 1; seed <= *number; ++seed) out.push_back(seed);
            return out;
          }};
}

Type<MetricPath> metric_path_type() {
  auto text = text_type();
  TypeInfo info;
  info.name = "place in report.json";
  return {std::move(info),
          [text](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<MetricPath> {
            const auto written = text.read(node, path, diagnostics);
            if (!written) return std::nullopt;
            Parsed<MetricPath> parsed = parse_metric_path(*written);
            if (!parsed.value) diagnostics.error(node.where, fmt::format("{}: {}", path, parsed.error));
            return std::move(parsed.value);
          }};
}

// A section, or only its path.
Type<RawMetric> metric_type() {
  Section<RawMetric> s("metrics", "A figure of the report; a text alone is its path.");
  s.key("path", &RawMetric::path, metric_path_type(), required(),
        "Where it stands: 'sections.<section>.<figure>' or 'tables.<table>[<column>=<value>].<column>', with '*' as "
        "value for one member of the metric per row.");
  s.key("label", &RawMetric::label, text_type(), optional("its name"), "Name on plots.");
  s.key("optional", &RawMetric::optional, boolean_type(), by_default("false"),
        "Whether a report may lack it; otherwise that is an error.");
  Type<RawMetric> type = s.type();
  TypeInfo info = type.info;
  info.form = either_form(info.form, text_form());
  return {std::move(info), [type](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            if (node.kind != YamlNode::Kind::scalar) return type.read(node, path, diagnostics);
            const YamlNode section{YamlNode::Kind::map, node.where, {}, {{"path", node.where, node}}};
            return type.read(section, path, diagnostics);
          }};
}

// A section, or only what is looked for.
Type<RawRefine> refine_type() {
  Section<RawRefine> s("refine", "A search that adds points to the sweep; a single word sets find.");
  s.key("find", &RawRefine::find, choice<SweepSearch>(), required(),
        "saturation: on every curve (each combination of points of the other axes) the load at which the mean latency "
        "is 'times' that of the lowest load of the axis; found by bisection between the two loads of the axis around "
        "it.");
  s.key("axis", &RawRefine::axis, word_type(), by_default("load"),
        "Axis of the load: numbers that grow with the load, at least two.");
  s.key("metric", &RawRefine::metric, word_type(), by_default("latency"),
        "Metric that is the mean latency; its mean over the seeds counts, and a saturated run is beyond every limit.");
  s.key("times", &RawRefine::times, decimal_type(2, 101, 100'000), by_default("3"),
        "Mean latency at saturation, as a multiple of that of the lowest load.");
  s.key("within", &RawRefine::within, percentage_type(2, 1, 5000), by_default("1%"),
        "Precision of the load that is found: half of the bracket around it, as a share of it.");
  Type<RawRefine> type = s.type();
  TypeInfo info = type.info;
  info.form = either_form(info.form, text_form());
  return {std::move(info), [type](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            if (node.kind != YamlNode::Kind::scalar) return type.read(node, path, diagnostics);
            const YamlNode section{YamlNode::Kind::map, node.where, {}, {{"find", node.where, node}}};
            return type.read(section, path, diagnostics);
          }};
}

// A list, or its only element alone.
Type<std::vector<Placed<std::string>>> words_type() {
  auto list = list_of(word_type(), 1, kAnyCount);
  TypeInfo info = list.info;
  info.name = "word or list of them";
  info.form = either_form(info.form, word_type().info.form);
  return {std::move(info), [list](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            if (node.kind != YamlNode::Kind::scalar) return list.read(node, path, diagnostics);
            const YamlNode one{YamlNode::Kind::sequence, node.where, {}, {{"", node.where, node}}};
            return list.read(one, path, diagnostics);
          }};
}

Section<RawAxis> axis_section() {
  Section<RawAxisPoint> point("points", "One point of the axis.");
  point.key("label", &RawAxisPoint::label, text_type(), optional("the values it sets"),
            "Its name in plots and for quick; unique on the axis.");
  point.key("value", &RawAxisPoint::value, word_type(), optional("its label, when that is a number or quantity"),
            "Its place on the axis: a number, or a quantity such as 10us.");
  point.key("set", &RawAxisPoint::set, settings_type(), required(),
            "Keys of the configuration, as for --set ('switch.slots: 16'), and their values at this point.");

  Section<RawAxis> s("axes", "One axis; the points of the sweep are all combinations of the points of the axes.");
  s.key("name", &RawAxis::name, word_type(), optional("the last part of key"),
        "Its name, used by plots and as a column of the tables.");
  s.key("label", &RawAxis::label, text_type(), optional("its name"), "Name on plots.");
  s.key("unit", &RawAxis::unit, text_type(), optional("that of the first value"),
        "Unit of the numbers on the axis; quantities are converted into it.");
  s.key("key", &RawAxis::key, word_type(), optional("key and values, or points, are needed"),
        "The only key the axis sets.");
  s.key("values", &RawAxis::values, list_of(value_type(), 1, kAnyCount),
        optional("key and values, or points, are needed"), "Values of key, one per point.");
  s.key("points", &RawAxis::points, list_of(point.type(), 1, kAnyCount),
        optional("key and values, or points, are needed"), "Points that set several keys at once.");
  return s;
}

Section<RawPlot> plot_section() {
  Section<RawPlot> s("plots", "One plot, written as NAME.svg with the gnuplot script NAME.gp it was drawn by.");
  s.key("title", &RawPlot::title, text_type(), optional("that of the sweep with the points of 'fixed'"), "Title.");
  s.key("kind", &RawPlot::kind, choice<PlotKind>(), by_default("lines"),
        "Lines with markers, bars side by side, or colours over two axes.");
  s.key("x", &RawPlot::x, word_type(), required(), "Axis of the sweep drawn as the horizontal axis.");
  s.key("y", &RawPlot::y, words_type(), required(),
        "Metrics; one with '*' gives one series per member. A heat map has exactly one.");
  s.key("series", &RawPlot::series, word_type(), optional("one series per metric"),
        "Axis of the sweep with one series per point; the vertical axis of a heat map, unless its metric has '*'.");
  s.key("fixed", &RawPlot::fixed, map_of("<axis>", text_type()), by_default("{}"),
        "The point (its label) at which each axis stays that is neither x nor series.");
  s.key("x_label", &RawPlot::x_label, text_type(), optional("label and unit of the axis"), "Text below.");
  s.key("y_label", &RawPlot::y_label, text_type(), optional("label and unit of the metric"), "Text at the side.");
  s.key("x_scale", &RawPlot::x_scale, choice<Scale>(), by_default("linear"),
        "Scale of the horizontal axis; log only for an axis of numbers.");
  s.key("y_scale", &RawPlot::y_scale, choice<Scale>(), by_default("linear"), "Scale of the values.");
  s.key("errors", &RawPlot::errors, choice<ErrorBars>(), by_default("ci95"),
        "Measure of the error bars: 95% confidence interval of the mean, standard deviation, or none; there are none "
        "with "
        "a single seed.");
  s.key(
      "mark", &RawPlot::mark, word_type(), optional("no point is marked"),
      "Metric; points of lines where its mean over the seeds is above 0 have a ring, which the legend explains by the "
      "label of the metric. With '*' in its path it marks the members of y that have the same name.");
  return s;
}

Section<RawQuick> quick_section() {
  Section<RawQuick> s("quick", "Differences of 'weft sweep --quick'.");
  s.key("seeds", &RawQuick::seeds, seeds_type(), optional("as without --quick"), "Seeds of a quick sweep.");
  s.key("set", &RawQuick::set, settings_type(), by_default("{}"),
        "Further keys of the configuration with their values.");
  s.key("axes", &RawQuick::axes, map_of("<axis>", list_of(text_type(), 1, kAnyCount)), by_default("{}"),
        "Axes and the points (their labels) that are left of them.");
  return s;
}

}  // namespace

Section<RawSweep> sweep_section() {
  Section<RawSweep> s("", "Keys of a sweep file.");
  s.key("sweep", &RawSweep::sweep, path_type(), required(),
        "Configuration that is run at every point, relative to this file.");
  s.key("title", &RawSweep::title, text_type(), by_default("''"), "Title of the sweep and of plots without one.");
  s.key("base", &RawSweep::base, bases_type(), optional("this file stands alone"),
        "Sweep file (or list of them) this one is laid over, relative to this file.");
  s.key("set", &RawSweep::set, settings_type(), by_default("{}"),
        "Keys of the configuration with their values at all points; axes win over it.");
  s.key("axes", &RawSweep::axes, list_of(axis_section().type(), 1, 16), required(),
        "Axes; the last one varies fastest.");
  s.key("seeds", &RawSweep::seeds, seeds_type(), by_default("1"),
        "Seeds of the runs at each point: a list, or their number n for 1 to n.");
  s.key("metrics", &RawSweep::metrics, map_of("<metric>", metric_type()), required(),
        "Figures taken from every report, by the name they get.");
  s.key("plots", &RawSweep::plots, map_of("<plot>", plot_section().type()), by_default("{}"),
        "Plots, by the name of their file.");
  s.key("refine", &RawSweep::refine, refine_type(), optional("only the points of the axes are run"),
        "Search for the saturation of every curve.");
  s.section("quick", &RawSweep::quick, quick_section());
  return s;
}

std::shared_ptr<const SectionInfo> sweep_keys() { return sweep_section().info(); }

}  // namespace weft
