// From what a sweep file says about an axis to the checked SweepAxis.

#include "sweep/sweep_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "schema/yaml_tree.h"

namespace weft {
namespace {

void add_keys(const std::string& key, const YamlNode& node, std::vector<std::string>& out) {
  if (node.kind != YamlNode::Kind::map) out.push_back(key);
  for (std::size_t i = 0; i < node.entries.size(); ++i) {
    const YamlEntry& e = node.entries[i];
    add_keys(key + "." + (node.kind == YamlNode::Kind::map ? e.key : std::to_string(i)), e.value, out);
  }
}

// What a value is called: the text of a single one without quotes.
std::string value_label(const YamlNode& node) {
  return node.kind == YamlNode::Kind::scalar && !node.text.empty() ? node.text : flow_text(node);
}

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
}

struct AxisText {
  std::string text;
  bool required = false;  // a `value`, which must be a number
  Location where;
};

// Gives the points their numbers, if all have one.
void place_on_axis(SweepAxis& axis, const Given<std::string>& given_unit, const std::vector<AxisText>& texts,
                   const std::string& path, Diagnostics& diagnostics) {
  std::string unit = axis.unit;
  bool all = true;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto number = axis_number(texts[i].text, unit);
    if (number) {
      unit = number->unit;
      axis.points[i].number = number->value;
    } else if (texts[i].required) {
      const std::string of = unit.empty() ? "" : " in " + unit;
      diagnostics.error(texts[i].where, fmt::format("{}.points.{}.value: expected a number or quantity{}, got '{}'",
                                                    path, i, of, texts[i].text));
    } else if (given_unit.given && all) {
      diagnostics.error(given_unit.where, fmt::format("{}.unit: '{}' is no number or quantity in {}", path,
                                                      texts[i].text, given_unit.value));
    }
    all = all && number.has_value();
  }
  if (all) {
    axis.unit = unit;
  } else {
    for (AxisPoint& p : axis.points) p.number.reset();
  }
}

void read_points(const RawAxis& raw, SweepAxis& axis, std::vector<AxisText>& texts, const std::string& path,
                 Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < raw.points.value.size(); ++i) {
    const Placed<RawAxisPoint>& placed = raw.points.value[i];
    if (!placed.valid) continue;
    const RawAxisPoint& p = placed.value;
    AxisPoint point;
    std::string values;
    for (const auto& s : p.set.value) values += (values.empty() ? "" : ", ") + value_label(s.value);
    point.label = p.label.given ? p.label.value : values;
    point.set = settings(p.set.value, fmt::format("{}.points.{}.set", path, i), diagnostics);
    texts.push_back({p.value.given ? p.value.value : point.label, p.value.given && p.value.valid, p.value.where});
    axis.points.push_back(std::move(point));
  }
}

// Each point once: by its label and, where the points are the values of a key, by the number that a value means.
void check_distinct(const SweepAxis& axis, const std::vector<Location>& places, bool values, const std::string& path,
                    Diagnostics& diagnostics) {
  std::map<std::string, std::size_t> labels;
  std::map<std::pair<std::string, double>, std::size_t> numbers;  // by unit
  std::string unit = axis.unit;
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    const std::string& label = axis.points[i].label;
    if (!labels.emplace(label, i).second) {
      diagnostics.error(places[i], fmt::format("{}: there are two points '{}'", path, label));
      continue;
    }
    const bool plain = axis_number(label, "").value_or(AxisNumber{}).unit.empty();
    const auto number = axis_number(label, plain ? "" : unit);
    if (!values || !number || !std::isfinite(number->value)) continue;
    if (!plain) unit = number->unit;
    const auto [first, fresh] = numbers.emplace(std::pair(number->unit, number->value), i);
    if (fresh) continue;
    diagnostics.error(places[i], fmt::format("{}: the points '{}' and '{}' are the same", path,
                                             axis.points[first->second].label, label));
  }
}

}  // namespace

void add_setting(std::vector<SweepSetting>& all, SweepSetting next) {
  const auto inside =
      std::find_if(all.begin(), all.end(), [&](const SweepSetting& s) { return s.key.starts_with(next.key + "."); });
  all.insert(inside, std::move(next));
}

std::vector<SweepSetting> settings(const RawSettings& raw, const std::string& path, Diagnostics& diagnostics) {
  std::vector<SweepSetting> out;
  std::set<std::string> keys;
  for (const Named<YamlNode>& s : raw) {
    if (s.name == "seed") {
      diagnostics.error(s.where, fmt::format("{}: the seed is not set here; list seeds under 'seeds'", path));
    }
    const SweepSetting setting{s.name, flow_text(s.value), s.value.where};
    bool once = true;
    for (const std::string& key : keys_of({setting})) {
      if (keys.insert(key).second || !once) continue;
      diagnostics.error(setting.where, fmt::format("{}: '{}' is set twice", path, key));
      once = false;
    }
    add_setting(out, setting);
  }
  return out;
}

std::vector<std::string> keys_of(const std::vector<SweepSetting>& set) {
  std::vector<std::string> out;
  for (const SweepSetting& s : set) {
    const YamlNode value = parse_yaml("value: " + s.value, "");
    if (!value.entries.empty()) add_keys(s.key, value.entries.front().value, out);
  }
  return out;
}

void check_name(const std::string& name, const Location& where, const std::string& path, Diagnostics& diagnostics) {
  if (is_name(name) && name.front() != '.') return;
  diagnostics.error(where,
                    fmt::format("{}: expected a name of letters, digits, '_', '-' and '.', got '{}'", path, name));
}

std::optional<SweepAxis> resolve_axis(const RawAxis& raw, const Location& where, const std::string& path,
                                      Diagnostics& diagnostics) {
  const bool list = raw.key.given || raw.values.given;
  if (list == raw.points.given || (list && raw.key.given != raw.values.given)) {
    diagnostics.error(where, fmt::format("{}: expected either 'key' and 'values', or 'points'", path));
    return std::nullopt;
  }
  SweepAxis axis;
  axis.unit = raw.unit.value;
  if (raw.name.given) {
    axis.name = raw.name.value;
    check_name(axis.name, raw.name.where, path + ".name", diagnostics);
  } else if (raw.key.given) {
    axis.name = raw.key.value.substr(raw.key.value.rfind('.') + 1);
  } else {
    diagnostics.error(where, fmt::format("{}: an axis with 'points' needs a 'name'", path));
  }
  axis.label = raw.label.given ? raw.label.value : axis.name;
  std::vector<AxisText> texts;
  std::vector<Location> places;
  if (list) {
    for (const Placed<YamlNode>& v : raw.values.value) {
      const std::string label = value_label(v.value);
      const RawSettings one{{raw.key.value, raw.key.where, v.value}};
      axis.points.push_back({label, {}, settings(one, path + ".key", diagnostics)});
      texts.push_back({label, false, v.where});
      places.push_back(v.where);
      if (raw.key.value == "seed") return std::nullopt;  // said once is enough
    }
  } else {
    read_points(raw, axis, texts, path, diagnostics);
    for (const auto& p : raw.points.value) places.push_back(p.where);
  }
  if (axis.points.empty() || axis.points.size() != places.size()) return std::nullopt;  // reported by the reader
  check_distinct(axis, places, list, path, diagnostics);
  place_on_axis(axis, raw.unit, texts, path, diagnostics);
  return axis;
}

std::optional<std::size_t> find_name(const std::string& name, const std::vector<std::string>& names,
                                     const std::string& what, const Location& where, const std::string& path,
                                     Diagnostics& diagnostics) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string known;
  for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
  const std::string hint = did_you_mean(name, names);
  diagnostics.error(where, fmt::format("{}: there is no {} '{}'{}", path, what, name,
                                       hint.empty() ? fmt::format("; expected one of: {}", known) : hint));
  return std::nullopt;
}

}  // namespace weft
