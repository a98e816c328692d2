#include "dlt_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/diagnostics.h"
#include "base/files.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

// Text inside gnuplot's double quotes.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string heading(const std::string& title, int height) {
  return fmt::format(
      "set encoding utf8\nset terminal svg size 900,{} noenhanced font 'sans,13' background 'white'\n"
      "set title {}\nset border 3 linecolor rgb '#566'\nset tics nomirror\nset grid linecolor rgb '#dde2ea'\n",
      height, quoted(title));
}

// gnuplot reads the script from a pipe and writes the picture under a temporary name beside the file.
void draw(const std::string& script, const fs::path& file) {
  const fs::path part = fs::path(file).concat(".part");
  FILE* gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) throw RunError("gnuplot cannot be started");
  const std::string whole = "set output " + quoted(part.string()) + "\n" + script + "unset output\n";
  const bool written = std::fwrite(whole.data(), 1, whole.size(), gnuplot) == whole.size();
  const int status = pclose(gnuplot);
  std::error_code ec;
  if (written && status == 0) fs::rename(part, file, ec);
  if (!written || status != 0 || ec) {
    fs::remove(part, ec);
    throw RunError(fmt::format("gnuplot could not draw {}", file.string()));
  }
}

struct Style {
  dlt::BoxKind kind;
  const char* color;
  const char* name;
};

constexpr std::array kStyles{Style{dlt::BoxKind::receive, "#2a7fb8", "receives its share"},
                             Style{dlt::BoxKind::relay, "#b9d3e6", "receives what it relays"},
                             Style{dlt::BoxKind::compute, "#e0a040", "computes"}};

}  // namespace

bool can_plot() { return std::system("gnuplot --version >/dev/null 2>&1") == 0; }

void plot_lines(const dlt::LineChart& chart, const fs::path& file) {
  constexpr std::array kColors{"#9aa5b1", "#2a7fb8", "#e0a040", "#d1495b", "#3a9a5c", "#8e6bb0", "#20a0a0", "#a05a2c"};
  std::string script = heading(chart.title, 560);
  script += fmt::format("set xlabel {}\nset ylabel {}\nset key outside right\nset yrange [0:*]\nset xrange [0:1]\n",
                        quoted(chart.x_label), quoted(chart.y_label));
  std::string data;
  std::string plots;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const dlt::Series& s = chart.series[i];
    data += fmt::format("$s{} << EOD\n", i);
    for (std::size_t k = 0; k < s.x.size(); ++k) data += fmt::format("{} {}\n", s.x[k], s.y[k]);
    data += "EOD\n";
    plots += fmt::format("{}$s{} with lines linewidth 2 dashtype {} linecolor rgb '{}' title {}", i == 0 ? "" : ", ", i,
                         i % 2 == 0 ? "solid" : "'-'", kColors[i % kColors.size()], quoted(s.name));
  }
  draw(script + data + "plot " + plots + "\n", file);
}

void plot_gantt(const dlt::Gantt& gantt, const fs::path& file) {
  const std::size_t rows = gantt.rows.size();
  std::string script = heading(gantt.title, static_cast<int>(130 + 34 * rows));
  script += fmt::format(
      "set xlabel 'time in units of w*Tcp'\nset key outside right\nset style fill solid border rgb "
      "'white'\n"
      "set yrange [{}:-0.6]\nset xrange [0:*]\n",
      static_cast<double>(rows) - 0.4);
  std::string labels;
  for (std::size_t r = 0; r < rows; ++r) {
    labels += fmt::format("{}{} {}", r == 0 ? "" : ", ", quoted(gantt.rows[r]), r);
  }
  script += "set ytics (" + labels + ")\n";
  std::string plots;
  for (std::size_t i = 0; i < kStyles.size(); ++i) {
    std::string data;
    for (const dlt::GanttBox& b : gantt.boxes) {
      if (b.kind != kStyles[i].kind) continue;
      const double row = static_cast<double>(b.row);
      const bool above = b.kind != dlt::BoxKind::compute;  // the axis of rows points down
      data += fmt::format("{} {} {} {} {} {}\n", (b.start + b.end) / 2, row, b.start, b.end,
                          above ? row - 0.36 : row + 0.03, above ? row - 0.03 : row + 0.36);
    }
    if (data.empty()) continue;
    script += fmt::format("$k{} << EOD\n{}EOD\n", i, data);
    plots += fmt::format("{}$k{} using 1:2:3:4:5:6 with boxxyerror linecolor rgb '{}' title '{}'",
                         plots.empty() ? "" : ", ", i, kStyles[i].color, kStyles[i].name);
  }
  draw(script + "plot " + plots + "\n", file);
}

}  // namespace weft::cli
