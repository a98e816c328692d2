// A comparison as JSON.

#include "base/version.h"
#include "cli/compare/comparison.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json figure_json(const ComparedFigure& f) {
  Json out{{"unit", f.unit}, {"definition", f.definition}, {"values", f.values}};
  Json widths = Json::array();
  Json differences = Json::array();
  Json relatives = Json::array();
  Json beyond = Json::array();
  for (std::size_t r = 0; r < f.values.size(); ++r) {
    widths.push_back(optional_json(f.half_widths[r]));
    differences.push_back(r == 0 ? Json(nullptr) : optional_json(f.difference(r)));
    relatives.push_back(r == 0 ? Json(nullptr) : optional_json(f.relative(r)));
    const std::optional<bool> b = r == 0 ? std::nullopt : f.beyond(r);
    beyond.push_back(b ? Json(*b) : Json(nullptr));
  }
  out["half_widths"] = std::move(widths);
  out["differences"] = std::move(differences);
  out["relative"] = std::move(relatives);
  out["beyond_intervals"] = std::move(beyond);
  return out;
}

}  // namespace

Json comparison_json(const Comparison& c) {
  Json out{{"schema", "weft-compare/1"}, {"weft", kVersion}, {"reports", Json::array()}, {"notes", c.notes}};
  for (const ComparedReport& r : c.reports) {
    out["reports"].push_back({{"name", r.name}, {"path", r.path}, {"title", r.title}});
  }
  out["configuration"] = Json::object();
  for (const ConfigDifference& d : c.configuration) {
    Json values = Json::array();
    for (const auto& v : d.values) values.push_back(v ? Json(*v) : Json(nullptr));
    out["configuration"][d.key] = std::move(values);
  }
  out["figures"] = Json::object();
  for (const ComparedFigure& f : c.figures) out["figures"][f.place] = figure_json(f);
  if (!c.programs) return out;
  Json& programs = out["programs"] = {{"networks", c.programs->networks}, {"unit", "ns"}, {"times", Json::object()}};
  for (const ProgramTable::Row& row : c.programs->rows) {
    Json times = Json::array();
    for (const auto& t : row.times) times.push_back(optional_json(t));
    programs["times"][row.program] = std::move(times);
  }
  return out;
}

}  // namespace weft::cli
