// The gnuplot script of a chart.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "base/text.h"
#include "observe/plot.h"

namespace weft {
namespace {

constexpr int kWidth = 880;
constexpr int kHeight = 520;

struct Colour {
  const char* fill;
  const char* text;  // what can be read on it
};
// Okabe and Ito, ordered so that neighbours differ most; the yellow is too pale for lines.
constexpr std::array kColours{Colour{"#0072B2", "#ffffff"}, Colour{"#D55E00", "#ffffff"}, Colour{"#009E73", "#ffffff"},
                              Colour{"#CC79A7", "#1c2430"}, Colour{"#E69F00", "#1c2430"}, Colour{"#56B4E9", "#1c2430"},
                              Colour{"#5a6473", "#ffffff"}};
constexpr std::array kMarkers{7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
constexpr const char* kViridis =
    "set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 '#28ae80', 6 '#5ec962', "
    "7 '#addc30', 8 '#fde725')\n";

const Colour& colour(std::size_t i) { return kColours[i % kColours.size()]; }

// Single quotes: gnuplot takes everything in them as it is, but for the quote itself.
std::string text(const std::string& s) {
  std::string out = "'";
  for (const char c : printable(s)) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

std::string number(std::optional<double> v) { return v && std::isfinite(*v) ? fmt::format("{}", *v) : "NaN"; }

std::string label(const std::string& name, const std::string& unit) {
  if (unit.empty() || unit == "1") return name;
  return name.empty() ? unit : fmt::format("{} ({})", name, unit);
}

// Columns a text takes: characters, not bytes.
std::size_t length(const std::string& s) {
  return static_cast<std::size_t>(std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Names of the places of an axis: every n-th when they are many, slanting when they are long. Gnuplot takes them for
// formats of numbers.
std::string category_tics(char axis, const std::vector<std::string>& names, std::size_t room) {
  const std::size_t step = (names.size() + room - 1) / room;
  std::string out;
  std::size_t characters = 0;
  for (std::size_t i = 0; i < names.size(); i += step) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", text(replaced(names[i], "%", "%%")), i);
    characters += length(names[i]) + 2;
  }
  const bool slant = axis == 'x' && characters > 90;
  return fmt::format("set {}tics {}({})\n", axis, slant ? "rotate by -35 " : "", out);
}

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool empty() const { return low > high; }
};

std::string range(char axis, std::optional<double> low, std::optional<double> high) {
  return fmt::format("set {}range [{}:{}]\n", axis, low ? fmt::format("{}", *low) : "*",
                     high ? fmt::format("{}", *high) : "*");
}

std::string head(const Chart& chart, const std::string& svg, int width, int height) {
  std::string out = "# Drawn by: gnuplot <this file>\n";
  if (!svg.empty()) out += fmt::format("set output {}\n", text(svg));
  out += "set encoding utf8\n";
  out += fmt::format(
      "set terminal svg size {},{} noenhanced font 'Helvetica,14' background '#ffffff' rounded linewidth 1\n", width,
      height);
  out += "set border 3 linecolor '#8a93a0' linewidth 1\nset tics out nomirror scale 0.6 textcolor '#1c2430'\n";
  out += "set grid linetype 1 linecolor '#e3e7ed' linewidth 1\nset grid noxtics\nunset key\n";
  if (!chart.title.empty()) out += fmt::format("set title {} font ',17' textcolor '#1c2430'\n", text(chart.title));
  out += fmt::format("set xlabel {} textcolor '#1c2430'\n", text(label(chart.x.label, chart.x.unit)));
  out += fmt::format("set ylabel {} textcolor '#1c2430'\n", text(label(chart.y.label, chart.y.unit)));
  return out;
}

constexpr const char* kLegend =
    "set key outside right top vertical Left reverse samplen 2.2 spacing 1.25 textcolor '#1c2430'\n";

// A chart without anything in it is still one.
std::string nothing() {
  return "set label 1 'no data' at graph 0.5,0.5 center textcolor '#8a93a0'\nset xrange [0:1]\nset yrange [0:1]\n"
         "plot NaN notitle\n";
}

// ---- series

// On a logarithmic axis: a tic at each x, when there are few and they do not crowd. Powers of two read better than 10
// and 100 do.
std::string log_tics(const Chart& chart) {
  std::set<double> places;
  for (const ChartSeries& s : chart.series) {
    for (const ChartPoint& p : s.points) {
      if (p.x > 0) places.insert(p.x);
    }
  }
  std::string tics;
  double last = 0;
  for (const double x : places) {
    if (x < 1.35 * last) return {};
    tics += fmt::format("{}{}", tics.empty() ? "" : ", ", x);
    last = x;
  }
  return places.size() > 12 ? "" : fmt::format("set xtics ({})\n", tics);
}

struct SeriesExtent {
  Extent x;
  Extent y;         // with error bars
  Extent value;     // y alone
  Extent positive;  // y above 0
};

bool drawn(const Chart& chart, const ChartPoint& p) {
  return p.y && std::isfinite(*p.y) && !(chart.y.log && *p.y <= 0) && !(chart.x.log && p.x <= 0);
}

SeriesExtent extent(const Chart& chart) {
  SeriesExtent e;
  for (const ChartSeries& s : chart.series) {
    for (const ChartPoint& p : s.points) {
      if (!drawn(chart, p)) continue;
      e.x.add(p.x);
      e.value.add(*p.y);
      e.y.add(*p.y - p.error);
      e.y.add(*p.y + p.error);
      if (*p.y > 0) e.positive.add(*p.y);
    }
  }
  return e;
}

std::string series_data(const Chart& chart, std::size_t index, double shift, double floor) {
  std::string out = fmt::format("$series{} << EOD\n", index);
  for (const ChartPoint& p : chart.series[index].points) {
    const bool shown = drawn(chart, p);
    const double y = p.y.value_or(0);
    const double low = std::max(y - p.error, floor);
    out += fmt::format("{:.12g} {} {} {}\n", p.x + shift, number(shown ? p.y : std::nullopt),
                       number(shown ? std::optional(low) : std::nullopt),
                       number(shown ? std::optional(y + p.error) : std::nullopt));
  }
  return out + "EOD\n";
}

// Rings around the points that are marked, with a line in the legend.
std::string marks(const Chart& chart, std::string& data) {
  std::string lines;
  for (const ChartSeries& s : chart.series) {
    for (const ChartPoint& p : s.points) {
      if (p.marked && drawn(chart, p)) lines += fmt::format("{:.12g} {}\n", p.x, *p.y);
    }
  }
  if (lines.empty()) return {};
  data += fmt::format("$marks << EOD\n{}EOD\n", lines);
  return fmt::format("$marks using 1:2 with points pointtype 6 pointsize 1.6 linewidth 1.3 linecolor '#1c2430' {}",
                     chart.mark.empty() ? "notitle" : "title " + text(chart.mark));
}

bool has_errors(const ChartSeries& series) {
  return std::any_of(series.points.begin(), series.points.end(), [](const ChartPoint& p) { return p.error > 0; });
}

// 1, 2, 5, 10, ... from the last one not above the data to the first one not below.
std::vector<double> log_steps(const SeriesExtent& e) {
  std::vector<double> steps;
  const double least = e.y.low > 0 ? e.y.low : e.positive.low / 2;
  for (int exponent = static_cast<int>(std::floor(std::log10(least))); steps.empty() || steps.back() < e.y.high;
       ++exponent) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double v = digit * std::pow(10.0, exponent);
      if (!steps.empty() && v <= least) steps.clear();
      if (steps.empty() || steps.back() < e.y.high) steps.push_back(v);
    }
  }
  if (steps.size() == 1) steps.push_back(2 * steps.front());
  return steps;
}

std::string y_range(const Chart& chart, const SeriesExtent& e, bool bars) {
  std::optional<double> low = chart.y.min;
  std::optional<double> high = chart.y.max;
  if (chart.y.log) {
    const std::vector<double> steps = log_steps(e);
    std::string tics;
    for (const double v : steps) tics += fmt::format("{}{}", tics.empty() ? "" : ", ", v);
    const bool few = steps.size() <= 10;  // decades alone would name too little of the axis
    return (few ? fmt::format("set ytics ({})\n", tics) : "") +
           range('y', low.value_or(steps.front()), high.value_or(steps.back()));
  }
  {
    // From 0, unless that would squeeze lines that differ little.
    const bool near = e.y.low > 0.6 * e.y.high;
    if (!low && e.value.low >= 0 && (bars || !near)) low = 0;
    if (!high && e.y.high <= 0 && (bars || e.y.high == 0)) high = e.y.low < 0 ? 0 : 1;
  }
  return range('y', low, high);
}

std::string draw_series(const Chart& chart) {
  const SeriesExtent e = extent(chart);
  if (e.x.empty()) return nothing();
  std::size_t bars = 0;
  for (const ChartSeries& s : chart.series) bars += s.style == SeriesStyle::bars ? 1 : 0;
  const bool several = chart.series.size() > 1;
  std::string mark_data;
  const std::string mark_plot = marks(chart, mark_data);
  std::string out = several || !mark_plot.empty() ? kLegend : "";
  if (chart.x.log) out += "set logscale x\n" + log_tics(chart);
  if (chart.y.log) out += "set logscale y\nset format y '%g'\n";
  if (!chart.x.categories.empty()) {
    out += category_tics('x', chart.x.categories, several ? 20 : 26);
    const double margin = bars > 0 ? 0.6 : 0.3;
    out += range('x', chart.x.min.value_or(-margin),
                 chart.x.max.value_or(static_cast<double>(chart.x.categories.size()) - 1 + margin));
  } else {
    const bool one = e.x.low == e.x.high && !chart.x.log;  // gnuplot warns about a range without width
    out += range('x', one ? chart.x.min.value_or(e.x.low - 1) : chart.x.min,
                 one ? chart.x.max.value_or(e.x.high + 1) : chart.x.max);
    if (bars == 0) out += "set grid xtics\n";
  }
  out += y_range(chart, e, bars > 0);
  // An error bar that would reach below 0 ends at the edge of a logarithmic axis, and at 0 where no value is below it.
  double floor = e.value.low >= 0 ? 0 : -std::numeric_limits<double>::infinity();
  if (chart.y.log) floor = e.positive.low / 2;
  const double width = bars > 0 ? 0.8 / static_cast<double>(bars) : 0;
  std::string plot;
  std::size_t bar = 0;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& s = chart.series[i];
    const bool is_bar = s.style == SeriesStyle::bars;
    const double shift = is_bar ? -0.4 + width * (static_cast<double>(bar++) + 0.5) : 0;
    out += series_data(chart, i, shift, floor);
    const std::string data = fmt::format("$series{}", i);
    const std::string paint = fmt::format("linecolor '{}'", colour(i).fill);
    const std::string title = several ? "title " + text(s.name) : "notitle";
    // Beyond the palette, dashes tell lines of one colour apart.
    const std::string line =
        fmt::format("linewidth 2.2 dashtype {} {}", (s.dashed ? 1 : 0) + i / kColours.size() + 1, paint);
    // Arrows with flat heads: gnuplot's own error bars leave a white disc where the point is.
    if (has_errors(s)) {
      plot += fmt::format(
          "{} using 1:3:(0):($4-$3) with vectors heads size screen 0.006,90 linewidth 1.3 linecolor '{}' "
          "notitle, \\\n  ",
          data, is_bar ? "#1c2430" : colour(i).fill);
    }
    std::string shape;
    if (is_bar) {
      shape =
          fmt::format("using 1:2:({:.6g}) with boxes fillstyle solid 1.0 noborder {} {}", width * 0.92, paint, title);
      // The error bars of bars lie on them, not behind.
      if (has_errors(s)) {
        const std::string errors = plot.substr(plot.rfind(data));
        plot.erase(plot.size() - errors.size());
        plot += fmt::format("{} {}, \\\n  {}", data, shape, errors);
        continue;
      }
    } else if (s.style == SeriesStyle::steps) {
      shape = fmt::format("using 1:2 with steps {} {}", line, title);
    } else if (s.markers) {
      shape = fmt::format("using 1:2 with linespoints {} pointtype {} pointsize 0.8 {}", line,
                          kMarkers[i % kMarkers.size()], title);
    } else {
      shape = fmt::format("using 1:2 with lines {} {}", line, title);
    }
    plot += fmt::format("{} {}, \\\n  ", data, shape);
  }
  if (mark_plot.empty()) {
    plot.resize(plot.rfind(", \\"));
  } else {
    out += mark_data;
    plot += mark_plot;
  }
  return out + "plot " + plot + "\n";
}

// ---- boxes

std::string draw_boxes(const Chart& chart) {
  Extent x;
  std::size_t groups = chart.groups.size();
  for (const ChartBox& b : chart.boxes) {
    x.add(b.begin);
    x.add(b.end);
    groups = std::max(groups, b.group + 1);
  }
  const double low = chart.x.min.value_or(std::min(0.0, x.low));
  const double high = chart.x.max.value_or(x.high > low ? x.high : low + 1);
  std::string out = chart.groups.empty() ? "" : kLegend;
  out += "set grid xtics noytics back\nset ytics scale 0\n";
  out += range('x', low, high);
  out += range('y', static_cast<double>(chart.y.categories.size()) - 0.5, -0.5);
  out += category_tics('y', chart.y.categories, 40);
  const double pixels = (kWidth - (chart.groups.empty() ? 120 : 260)) / (high - low);
  std::string plot;
  std::string labels;
  for (std::size_t g = 0; g < groups; ++g) {
    out += fmt::format("$group{} << EOD\n", g);
    // A group without a box keeps its line in the legend: one box without extent outside.
    std::string lines;
    for (const ChartBox& b : chart.boxes) {
      if (b.group != g) continue;
      const double row = static_cast<double>(b.row);  // rows count downwards
      const double top = b.height == BoxLane::lower ? row + 0.03 : row - 0.36;
      const double bottom = b.height == BoxLane::upper ? row - 0.03 : row + 0.36;
      lines += fmt::format("{0} {1} {0} {2} {3} {4}\n", b.begin, b.row, b.end, top, bottom);
      if (!b.label.empty() && static_cast<double>(length(b.label)) * 8.2 < (b.end - b.begin) * pixels) {
        labels += fmt::format("set label {} at {},{} center front font ',12' textcolor '{}'\n", text(b.label),
                              (b.begin + b.end) / 2, (top + bottom) / 2, colour(g).text);
      }
    }
    out += lines.empty() ? "NaN NaN NaN NaN NaN NaN\n" : lines;
    out += "EOD\n";
    const std::string title = g < chart.groups.size() ? "title " + text(chart.groups[g]) : "notitle";
    plot += fmt::format(
        "{}$group{} using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 border linecolor '#ffffff' "
        "linecolor '{}' {}",
        g == 0 ? "" : ", \\\n  ", g, colour(g).fill, title);
  }
  return out + labels + "plot " + plot + "\n";
}

// ---- heat map

// Four digits, and never an exponent where a whole number will do.
std::string cell_text(double v) {
  const bool whole = std::abs(v) >= 1000 && std::abs(v) < 1e6;
  return whole ? fmt::format("{:.0f}", v) : fmt::format("{:.4g}", v);
}

std::string draw_heat_map(const Chart& chart) {
  const ChartHeatMap& map = *chart.heat_map;
  Extent values;
  std::size_t columns = chart.x.categories.size();
  for (const auto& row : map.rows) {
    columns = std::max(columns, row.size());
    for (const auto& v : row) {
      if (v && std::isfinite(*v)) values.add(*v);
    }
  }
  if (columns == 0 || map.rows.empty()) return nothing();
  values.low = map.min.value_or(values.low);
  values.high = map.max.value_or(values.high);
  if (values.empty()) values = {0, 1};
  if (values.low == values.high) values.high = values.low + (values.low == 0 ? 1 : std::abs(values.low));
  const bool small = columns * map.rows.size() <= 150 && columns <= 14;
  std::string out = kViridis;
  out += "unset grid\nset border 0\nset tics scale 0\n";
  out += fmt::format("set colorbox noborder\nset cblabel {} textcolor '#1c2430'\n", text(label(map.label, map.unit)));
  out += range('x', -0.5, static_cast<double>(columns) - 0.5);
  out += range('y', -0.5, static_cast<double>(map.rows.size()) - 0.5);
  out += fmt::format("set cbrange [{}:{}]\n", values.low, values.high);
  if (!chart.x.categories.empty()) out += category_tics('x', chart.x.categories, 20);
  if (!chart.y.categories.empty()) out += category_tics('y', chart.y.categories, 24);
  std::string cells;
  std::string empty;
  std::string labels;
  const double half = small ? 0.485 : 0.505;  // many cells touch, so that no seam shines through
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    for (std::size_t c = 0; c < map.rows[r].size(); ++c) {
      const auto& v = map.rows[r][c];
      const std::string box =
          fmt::format("{} {} {} {} {} {}", c, r, static_cast<double>(c) - half, static_cast<double>(c) + half,
                      static_cast<double>(r) - half, static_cast<double>(r) + half);
      if (!v || !std::isfinite(*v)) {
        empty += box + "\n";
        continue;
      }
      cells += fmt::format("{} {}\n", box, *v);
      if (!small) continue;
      const bool dark = (*v - values.low) / (values.high - values.low) < 0.6;
      labels += fmt::format("set label {} at {},{} center front font ',12' textcolor '{}'\n", text(cell_text(*v)), c, r,
                            dark ? "#ffffff" : "#1c2430");
    }
  }
  std::string plot;
  const auto add = [&](const std::string& name, const std::string& lines, const std::string& how) {
    if (lines.empty()) return;
    out += fmt::format("${} << EOD\n{}EOD\n", name, lines);
    plot += fmt::format("{}${} {} notitle", plot.empty() ? "" : ", \\\n  ", name, how);
  };
  add("cells", cells, "using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid 1.0 noborder linecolor palette");
  add("empty", empty, "using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 noborder linecolor '#e3e7ed'");
  return out + labels + "plot " + plot + "\n";
}

}  // namespace

std::string chart_script(const Chart& chart, const std::string& svg) {
  if (!chart.boxes.empty()) {
    const int rows = static_cast<int>(std::min<std::size_t>(chart.y.categories.size(), 64));
    return head(chart, svg, kWidth, std::clamp(130 + 30 * rows, 220, 1400)) + draw_boxes(chart);
  }
  if (chart.heat_map) {
    const int rows = static_cast<int>(std::min<std::size_t>(chart.heat_map->rows.size(), 64));
    return head(chart, svg, kWidth, std::clamp(140 + 46 * rows, 360, 760)) + draw_heat_map(chart);
  }
  return head(chart, svg, kWidth, kHeight) + draw_series(chart);
}

}  // namespace weft
