// The data of the page as JSON.

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "observe/columns.h"
#include "observe/page/page_data.h"
#include "observe/report_cut.h"

namespace weft {
namespace {

using Json = nlohmann::ordered_json;

// A page that opens at once; the CSV files have all. The picture of the network needs the table `links`.
constexpr std::size_t kMostCells = 60'000;
constexpr std::size_t kMostLinkCells = 200'000;
constexpr std::size_t kLongTable = 2'000;  // rows
constexpr std::size_t kMostTableBytes = 1'400'000;
constexpr std::size_t kMostPoints = 4'000;            // of a line
constexpr std::size_t kMostBoxes = 20'000;            // of a chart
constexpr std::size_t kMostPictureBytes = 1'200'000;  // of all pictures together

std::size_t most_rows(const Table& table) {
  const std::size_t cells = table.key == "links" ? kMostLinkCells : kMostCells;
  return std::max<std::size_t>(100, cells / std::max<std::size_t>(1, table.columns.size()));
}

// Nine digits: a third of the bytes, and more than the page shows.
Json short_number(double v) {
  if (!std::isfinite(v) || v == 0) return v == 0 ? Json(0) : Json();
  if (v == std::floor(v) && std::abs(v) < 1e15) return static_cast<std::int64_t>(v);
  const double scale = std::pow(10.0, 8 - std::floor(std::log10(std::abs(v))));
  const double rounded = std::round(v * scale) / scale;
  return std::isfinite(rounded) ? Json(rounded) : Json(v);
}

// All numbers of a tree shortened.
Json shortened(const Json& value) {
  if (!value.is_structured()) return value.is_number_float() ? short_number(value.get<double>()) : value;
  Json out = value;
  for (Json& part : out) part = shortened(part);
  return out;
}

Json cell(const Json& value) { return value.is_number_float() ? short_number(value.get<double>()) : value; }

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Rows as they are, or, of a long table, column by column: a value that stands in every line once, few values as
// places in a list of them.
Json rows_json(const Json& rows, std::size_t columns) {
  if (rows.size() < kLongTable) return {{"rows", rows}};
  Json packed = Json::array();
  for (std::size_t c = 0; c < columns; ++c) {
    std::map<std::string, std::size_t> places;
    Json distinct = Json::array();
    Json at = Json::array();
    Json all = Json::array();
    for (const Json& row : rows) {
      all.push_back(row[c]);
      if (distinct.size() > rows.size() / 4) continue;
      const auto [place, is_new] = places.try_emplace(text_of(row[c]), distinct.size());
      if (is_new) distinct.push_back(row[c]);
      at.push_back(place->second);
    }
    if (distinct.size() == 1) {
      packed.push_back({{"all", distinct[0]}});
    } else if (distinct.size() <= rows.size() / 4) {
      packed.push_back({{"of", std::move(distinct)}, {"at", std::move(at)}});
    } else {
      packed.push_back({{"values", std::move(all)}});
    }
  }
  return {{"packed", std::move(packed)}, {"length", rows.size()}};
}

// No more rows of a long table than have room: names can be long.
Json rows_within(Json& rows, std::size_t columns) {
  Json out = rows_json(rows, columns);
  if (rows.size() < kLongTable) return out;
  for (std::size_t bytes = text_of(out).size(); bytes > kMostTableBytes; bytes = text_of(out).size()) {
    const std::size_t kept = std::min(rows.size() * kMostTableBytes / bytes, rows.size() - 1);
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end());
    out = rows_json(rows, columns);
  }
  return out;
}

Json bars_json(const TableBars& bars) {
  Json j{{"column", bars.column}};
  if (bars.within) j["within"] = *bars.within;
  return j;
}

// What report.json holds, with rows as arrays.
Json report_part(const ReportData& report) {
  Json j = report_object(report, most_rows);
  for (const Table& t : report.tables) {
    Json& table = j["tables"][t.key];
    Json rows = Json::array();
    for (const Json& line : table["rows"]) {
      Json row = Json::array();
      for (const Json& value : line) row.push_back(cell(value));
      rows.push_back(std::move(row));
    }
    table.erase("rows");
    table.update(rows_within(rows, t.columns.size()));
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

// Links: from, to, course, then their lines in the table `links`.
Json network_part(const NetworkView& view, const ReportData& report) {
  std::map<std::string, std::vector<std::size_t>> lines;
  for (const Table& t : report.tables) {
    if (t.key != "links") continue;
    const auto c = find_column(t, "link");
    if (!c) continue;
    for (std::size_t r = 0; r < std::min(t.rows.size(), most_rows(t)); ++r) {
      if (const auto* name = std::get_if<std::string>(&t.rows[r][*c])) lines[*name].push_back(r);
    }
  }
  Json links = Json::array();
  for (const NetworkView::Link& l : view.links) {
    Json link{l.from, l.to, static_cast<int>(l.course)};
    if (const auto found = lines.find(l.name); found != lines.end()) {
      for (const std::size_t r : found->second) link.push_back(r);
    }
    links.push_back(std::move(link));
  }
  Json out{{"title", view.title},         {"switch_name", view.switch_name}, {"switches", places(view.switches)},
           {"nodes", places(view.nodes)}, {"links", std::move(links)},       {"all_links", view.all_links}};
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
  j["report"] = report_part(report);
  j["summary"] = summary_part(report);
  if (report.page) {
    const PageData& page = *report.page;
    if (page.network) j["network"] = network_part(*page.network, report);
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
