// The data of the page as JSON.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "observe/columns.h"
#include "observe/page/page_data.h"
#include "observe/page/page_rows.h"
#include "observe/report_cut.h"

namespace weft {
namespace {

using Json = nlohmann::ordered_json;

// A page that opens at once; the CSV files have all.
constexpr std::size_t kMostPoints = 4'000;            // of a line
constexpr std::size_t kMostBoxes = 20'000;            // of a chart
constexpr std::size_t kMostPictureBytes = 1'200'000;  // of all pictures together

// All numbers of a tree shortened.
Json shortened(const Json& value) {
  if (!value.is_structured()) return value.is_number_float() ? short_number(value.get<double>()) : value;
  Json out = value;
  for (Json& part : out) part = shortened(part);
  return out;
}

Json bars_json(const TableBars& bars) {
  Json j{{"column", bars.column}};
  if (bars.within) j["within"] = *bars.within;
  return j;
}

// What report.json holds, with rows as arrays. `link_lines`: the rows of the table `links` that it has.
Json report_part(const ReportData& report, std::vector<std::size_t>& link_lines) {
  Json j = report_without_rows(report);
  for (const Table& t : report.tables) {
    Json& table = j["tables"][t.key];
    KeptRows kept = rows_within(t);
    table.update(kept.json);
    if (t.key == "links") link_lines = std::move(kept.lines);
    table["rows_in_all"] = t.rows.size();
    if (t.bars) table["bars"] = bars_json(*t.bars);
  }
  if (report.profile) j["profile"] = shortened(*report.profile);
  return j;
}

Json summary_part(const ReportData& report) {
  Json titles = Json::object();
  Json keys = Json::array();
  for (const ReportSection& s : report.sections) {
    titles[s.key] = s.title;
    for (const Figure& f : s.figures) {
      if (f.in_summary) keys.push_back({s.key, f.statistic.key});
    }
  }
  return {{"titles", std::move(titles)}, {"keys", std::move(keys)}};
}

Json places(const std::vector<NetworkView::Place>& places) {
  Json out = Json::array();
  for (const auto& p : places) {
    out.push_back(std::round(p.x * 1000) / 1000);
    out.push_back(std::round(p.y * 1000) / 1000);
  }
  return out;
}

// Of each link its place among those of the profile; -1: it has none.
Json profile_places(const NetworkView& view, const Json& profile) {
  std::map<std::string, int> places;
  for (const auto& item : profile["links"]["values"].items()) {
    places.emplace(item.key(), static_cast<int>(places.size()));
  }
  Json out = Json::array();
  for (const NetworkView::Link& l : view.links) {
    const auto found = places.find(l.name);
    out.push_back(found == places.end() ? -1 : found->second);
  }
  return out;
}

using LinesByLink = std::map<std::string, std::vector<std::size_t>>;

// Lines of the table `links` by the name of the link; `place_of` of a line: its number for the page, if it has one.
template <class PlaceOf>
LinesByLink lines_by_link(const Table& table, const PlaceOf& place_of) {
  LinesByLink out;
  const auto c = find_column(table, "link");
  if (!c) return out;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto* name = std::get_if<std::string>(&table.rows[r][*c]);
    const std::optional<std::size_t> place = place_of(r);
    if (name != nullptr && place) out[*name].push_back(*place);
  }
  return out;
}

// Links: from, to, course, then their lines in the table.
Json single_links(const NetworkView& view, const LinesByLink& lines) {
  Json links = Json::array();
  for (const NetworkView::Link& l : view.links) {
    Json link{l.from, l.to, static_cast<int>(l.course)};
    if (const auto found = lines.find(l.name); found != lines.end()) {
      for (const std::size_t r : found->second) link.push_back(r);
    }
    links.push_back(std::move(link));
  }
  return links;
}

// Links with the same ends as one. `rows`: of each the line of its busiest link, by its place among them.
Json merged_links(const NetworkView& view, const LinesByLink& lines, const Table* table, Json& rows) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<std::size_t>> busiest;
  for (const NetworkView::Link& l : view.links) {
    std::optional<std::size_t>& line = busiest[{l.from, l.to}];
    const auto found = lines.find(l.name);
    if (found == lines.end() || !table->bars) continue;
    const auto busy = [&](std::size_t r) { return number_of(table->rows[r][table->bars->column]); };
    for (const std::size_t r : found->second) {
      if (!line || busy(r) > busy(*line)) line = r;
    }
  }
  Json links = Json::array();
  for (const auto& [ends, line] : busiest) {
    Json link{ends.first, ends.second, static_cast<int>(NetworkView::Course::straight)};
    if (line) {
      link.push_back(rows.size());
      rows.push_back(row_json(table->rows[*line]));
    }
    links.push_back(std::move(link));
  }
  return links;
}

// `kept`: the rows of the table `links` that the page has.
Json network_part(const NetworkView& view, const ReportData& report, const std::vector<std::size_t>& kept) {
  const auto table =
      std::find_if(report.tables.begin(), report.tables.end(), [](const Table& t) { return t.key == "links"; });
  const bool has_lines = table != report.tables.end();
  Json out{{"title", view.title},         {"switch_name", view.switch_name},
           {"node_name", view.node_name}, {"switches", places(view.switches)},
           {"nodes", places(view.nodes)}, {"all_links", view.all_links}};
  if (view.merged) {
    LinesByLink lines;
    if (has_lines) lines = lines_by_link(*table, [](std::size_t r) { return std::optional(r); });
    Json rows = Json::array();
    out["links"] = merged_links(view, lines, has_lines ? &*table : nullptr, rows);
    out["merged"] = std::move(rows);
    return out;
  }
  LinesByLink lines;
  if (has_lines) {
    lines = lines_by_link(*table, [&](std::size_t r) {
      const auto at = std::lower_bound(kept.begin(), kept.end(), r);
      const bool is_kept = at != kept.end() && *at == r;
      return is_kept ? std::optional(static_cast<std::size_t>(at - kept.begin())) : std::nullopt;
    });
  }
  out["links"] = single_links(view, lines);
  if (report.profile && report.profile->contains("links")) out["profile"] = profile_places(view, *report.profile);
  return out;
}

Json frame_part(const FrameView& view) {
  Json entries = Json::array();
  for (const FrameView::Entry& e : view.entries) {
    for (const std::uint32_t n : {e.sw, e.port, e.slot, e.flow}) entries.push_back(n);
  }
  return {{"phase", view.phase}, {"slots", view.slots},       {"flows", view.flows},
          {"ports", view.ports}, {"switches", view.switches}, {"entries", std::move(entries)}};
}

Json maybe(const std::optional<double>& v) { return v ? short_number(*v) : Json(); }

Json axis_json(const ChartAxis& axis) {
  Json j{{"label", axis.label}, {"unit", axis.unit}};
  if (axis.log) j["log"] = true;
  if (!axis.categories.empty()) j["categories"] = axis.categories;
  if (axis.min) j["min"] = *axis.min;
  if (axis.max) j["max"] = *axis.max;
  return j;
}

const char* word(SeriesStyle style) {
  switch (style) {
    case SeriesStyle::steps:
      return "steps";
    case SeriesStyle::bars:
      return "bars";
    case SeriesStyle::lines:
      break;
  }
  return "lines";
}

const char* word(BoxLane height) {
  switch (height) {
    case BoxLane::upper:
      return "upper";
    case BoxLane::lower:
      return "lower";
    case BoxLane::full:
      break;
  }
  return "full";
}

// Long lines keep every n-th point.
Json series_json(const ChartSeries& series) {
  const std::size_t step = series.points.size() / kMostPoints + 1;
  Json points = Json::array();
  for (std::size_t i = 0; i < series.points.size(); i += step) {
    const ChartPoint& p = series.points[i];
    points.push_back({short_number(p.x), maybe(p.y), short_number(p.error), p.marked ? 1 : 0});
  }
  Json j{{"name", series.name}, {"style", word(series.style)}, {"points", std::move(points)}};
  if (!series.markers) j["markers"] = false;
  if (series.dashed) j["dashed"] = true;
  return j;
}

// Of more boxes than can be told apart the longest are kept.
Json boxes_json(const std::vector<ChartBox>& all) {
  std::vector<std::size_t> kept(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) kept[i] = i;
  if (all.size() > kMostBoxes) {
    std::stable_sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
      return all[a].end - all[a].begin > all[b].end - all[b].begin;
    });
    kept.resize(kMostBoxes);
    std::sort(kept.begin(), kept.end());
  }
  Json boxes = Json::array();
  for (const std::size_t i : kept) {
    const ChartBox& b = all[i];
    boxes.push_back({b.row, short_number(b.begin), short_number(b.end), b.label, b.group, word(b.height)});
  }
  return boxes;
}

Json chart_part(const ChartView& view) {
  const Chart& chart = view.chart;
  Json j{{"name", view.name},
         {"meaning", view.meaning},
         {"title", chart.title},
         {"x", axis_json(chart.x)},
         {"y", axis_json(chart.y)}};
  if (!chart.mark.empty()) j["mark"] = chart.mark;
  for (const ChartSeries& s : chart.series) j["series"].push_back(series_json(s));
  if (!chart.boxes.empty()) {
    j["boxes"] = boxes_json(chart.boxes);
    j["groups"] = chart.groups;
    j["boxes_in_all"] = chart.boxes.size();
  }
  if (chart.heat_map) {
    Json rows = Json::array();
    for (const auto& row : chart.heat_map->rows) {
      Json cells = Json::array();
      for (const auto& v : row) cells.push_back(maybe(v));
      rows.push_back(std::move(cells));
    }
    j["heat_map"] = {{"rows", std::move(rows)},
                     {"label", chart.heat_map->label},
                     {"unit", chart.heat_map->unit},
                     {"min", maybe(chart.heat_map->min)},
                     {"max", maybe(chart.heat_map->max)}};
  }
  return j;
}

}  // namespace

std::string page_json(const ReportData& report) {
  Json j;
  std::vector<std::size_t> link_lines;
  j["report"] = report_part(report, link_lines);
  j["summary"] = summary_part(report);
  if (report.page) {
    const PageData& page = *report.page;
    if (page.network) j["network"] = network_part(*page.network, report, link_lines);
    for (const FrameView& f : page.frames) j["frames"].push_back(frame_part(f));
    for (const ChartView& c : page.charts) j["charts"].push_back(chart_part(c));
    std::size_t bytes = 0;
    for (const SvgView& p : page.pictures) {
      const bool fits = bytes + p.svg.size() <= kMostPictureBytes;  // others are named
      if (fits) bytes += p.svg.size();
      j["pictures"].push_back({{"name", p.name}, {"meaning", p.meaning}, {"svg", fits ? p.svg : std::string()}});
    }
  }
  return text_of(j);
}

}  // namespace weft
