#include "studies/slots/slots_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "observe/sample_summary.h"

namespace weft {
namespace {

constexpr std::uint64_t kMostCells = 100'000;
using Rows = std::vector<std::vector<std::optional<double>>>;

std::string dimension(std::size_t d) { return d < 4 ? std::string(1, "xyzw"[d]) : fmt::format("d{}", d); }

std::vector<std::string> numbers(std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(std::to_string(i));
  return out;
}

// Coordinates along planes drawn side by side, nothing at the line between two.
std::vector<std::string> plane_numbers(std::uint32_t total, std::uint32_t size) {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < total; ++i) {
    const std::uint32_t at = i % (size + 1);
    out.push_back(at == size ? "" : std::to_string(at));
  }
  return out;
}

// Load of a port's outgoing link; none for a port without a link.
std::optional<double> load_of(const PatternSlots& s, SwitchId sw, PortId port) {
  if (s.graph.is_free({sw, port})) return std::nullopt;
  return s.loads[s.graph.out_link(sw, port)];
}

Chart load_chart(const PatternSlots& s, const std::string& what, Rows rows) {
  Chart chart;
  chart.title = fmt::format("{}: circuits per link {}, {}", s.pattern, what, s.graph.name());
  chart.heat_map = ChartHeatMap{std::move(rows), "circuits", "", 0, std::max(1.0, double(s.minimum.slots))};
  return chart;
}

// Where the switches of a grid are drawn: planes of x and y in a square as far as it goes, one empty line between them.
struct Layout {
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t planes = 1;
  std::uint32_t across = 1;

  explicit Layout(const PatternSlots& s) {
    const std::vector<std::uint32_t>& dims = s.graph.grid().dims;
    width = dims[0];
    height = dims.size() > 1 ? dims[1] : 1;
    planes = s.graph.switches() / (width * height);
    // The planes of one z side by side would be a ribbon; of two more dimensions each has its axis.
    across = dims.size() == 4 ? dims[2] : static_cast<std::uint32_t>(std::ceil(std::sqrt(planes)));
  }
  std::uint32_t columns() const { return across * (width + 1) - 1; }
  std::uint32_t rows() const { return (planes + across - 1) / across * (height + 1) - 1; }
  std::uint32_t column(SwitchId sw) const { return plane(sw) % across * (width + 1) + sw % width; }
  std::uint32_t row(SwitchId sw) const { return plane(sw) / across * (height + 1) + sw / width % height; }

 private:
  std::uint32_t plane(SwitchId sw) const { return sw / (width * height); }
};

Rows grid_rows(const PatternSlots& s, const Layout& layout, PortId port) {
  Rows rows(layout.rows(), std::vector<std::optional<double>>(layout.columns()));
  for (SwitchId sw = 0; sw < s.graph.switches(); ++sw) {
    rows[layout.row(sw)][layout.column(sw)] = load_of(s, sw, port);
  }
  return rows;
}

std::vector<SlotsPicture> grid_pictures(const PatternSlots& s) {
  const GridShape& grid = s.graph.grid();
  const Layout layout(s);
  std::vector<SlotsPicture> out;
  for (std::size_t d = 0; d < grid.dims.size(); ++d) {
    for (const bool plus : {true, false}) {
      const std::string towards = fmt::format("towards {}{}", plus ? "+" : "-", dimension(d));
      Chart chart = load_chart(s, towards, grid_rows(s, layout, plus ? grid.plus(d) : grid.minus(d)));
      chart.x.label = "x";
      chart.y.label = grid.dims.size() > 1 ? "y" : "";
      chart.x.categories = plane_numbers(layout.columns(), layout.width);
      chart.y.categories = plane_numbers(layout.rows(), layout.height);
      if (grid.dims.size() == 4) {
        chart.x.label = "x, and z from plane to plane";
        chart.y.label = "y, and w from plane to plane";
      } else if (layout.planes > 1) {
        chart.x.label = fmt::format("x; the {} planes from left to right, then upwards", layout.planes);
      }
      if (grid.dims.size() == 1) chart.y.categories = {""};
      out.push_back({fmt::format("load_{}_{}", plus ? "plus" : "minus", dimension(d)),
                     "circuits on the links " + towards, std::move(chart)});
    }
  }
  return out;
}

SlotsPicture port_picture(const PatternSlots& s) {
  PortId ports = 0;
  for (SwitchId sw = 0; sw < s.graph.switches(); ++sw) ports = std::max(ports, s.graph.ports(sw));
  Rows rows(ports, std::vector<std::optional<double>>(s.graph.switches()));
  for (SwitchId sw = 0; sw < s.graph.switches(); ++sw) {
    for (PortId p = 0; p < s.graph.ports(sw); ++p) rows[p][sw] = load_of(s, sw, p);
  }
  Chart chart = load_chart(s, "by output port", std::move(rows));
  chart.x.label = "switch";
  chart.x.categories = numbers(s.graph.switches());
  chart.y.label = "output port";
  chart.y.categories = numbers(ports);
  return {"load_ports", "circuits on the links, by switch and output port", std::move(chart)};
}

ChartSeries series(const std::string& name, bool dashed) { return {name, SeriesStyle::lines, {}, true, dashed}; }

SlotsPicture spread_picture(const std::vector<Table1Cell>& cells, const std::string& pattern) {
  Chart chart;
  chart.x.label = "mesh";
  chart.y.label = "slots N";
  chart.y.log = true;
  std::vector<ChartSeries> lines{series("largest draw", true), series("median", false), series("least draw", true),
                                 series("published", false)};
  std::size_t draws = 0;
  for (const Table1Cell& c : cells) {
    if (c.pattern != pattern) continue;
    const auto x = static_cast<double>(chart.x.categories.size());
    chart.x.categories.push_back(c.network.substr(std::string("mesh ").size()));
    const SampleSummary n(std::vector<double>(c.by_seed.begin(), c.by_seed.end()));
    draws = n.count();
    lines[0].points.push_back({x, n.max()});
    lines[1].points.push_back({x, n.percentile(50)});
    lines[2].points.push_back({x, n.min()});
    lines[3].points.push_back({x, static_cast<double>(c.published)});
  }
  chart.title = fmt::format("Minimum slots of {}: {} draws and the published value", pattern, draws);
  chart.series = std::move(lines);
  return {"table1_" + pattern, fmt::format("draws of {} and the published values", pattern), std::move(chart)};
}

SlotsPicture cells_picture(const std::vector<Table1Cell>& cells) {
  Chart chart;
  chart.title = "Minimum slots N (random patterns: median of the draws)";
  ChartHeatMap map;
  map.label = "slots N";
  for (std::size_t p = 0; p < kTable1Patterns; ++p) chart.x.categories.push_back(cells[p].pattern);
  for (std::size_t row = 0; row < cells.size(); row += kTable1Patterns) {
    chart.y.categories.insert(chart.y.categories.begin(), cells[row].network);  // the first on top
    std::vector<std::optional<double>> values;
    for (std::size_t p = row; p < row + kTable1Patterns; ++p) {
      const Table1Cell& c = cells[p];
      const SampleSummary n(std::vector<double>(c.by_seed.begin(), c.by_seed.end()));
      values.push_back(c.random ? n.percentile(50) : std::optional<double>(c.minimum));
    }
    map.rows.insert(map.rows.begin(), std::move(values));
  }
  chart.heat_map = std::move(map);
  return {"table1_minimum", "N of all cells", std::move(chart)};
}

}  // namespace

std::vector<SlotsPicture> load_pictures(const PatternSlots& study) {
  const bool grid = !study.graph.grid().dims.empty();
  if ((grid ? study.graph.switches() : study.graph.total_ports()) > kMostCells) return {};
  if (grid) return grid_pictures(study);
  return {port_picture(study)};
}

std::vector<SlotsPicture> seed_pictures(const PatternSlots& study) {
  if (study.by_seed.empty()) return {};
  const auto [least, most] = std::minmax_element(study.by_seed.begin(), study.by_seed.end());
  Chart chart;
  chart.title = fmt::format("{} on {}: N over {} seeds", study.pattern, study.graph.name(), study.by_seed.size());
  chart.x.label = "minimum slots N";
  chart.y.label = "draws";
  ChartSeries bars{"draws", SeriesStyle::bars, {}};
  for (std::uint32_t n = *least; n <= *most; ++n) {
    const auto draws = std::count(study.by_seed.begin(), study.by_seed.end(), n);
    bars.points.push_back({static_cast<double>(chart.x.categories.size()), static_cast<double>(draws)});
    chart.x.categories.push_back(std::to_string(n));
  }
  chart.series = {std::move(bars)};
  return {{"histogram", "how often each N was drawn", std::move(chart)}};
}

std::vector<SlotsPicture> table1_pictures(const std::vector<Table1Cell>& cells) {
  std::vector<SlotsPicture> out{cells_picture(cells)};
  for (std::size_t p = 0; p < kTable1Patterns; ++p) {
    if (cells[p].random) out.push_back(spread_picture(cells, cells[p].pattern));
  }
  return out;
}

}  // namespace weft
