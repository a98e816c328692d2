// From what a sweep file says to the checked SweepConfig.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "base/input_file.h"
#include "sweep/refine_axis.h"
#include "sweep/saturation.h"
#include "sweep/sweep_axis.h"
#include "sweep/sweep_schema.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxPoints = 1'000'000;

class Resolver {
 public:
  Resolver(const RawSweep& raw, const ConfigDocument& document, Diagnostics& diagnostics)
      : raw_(raw), document_(document), diagnostics_(diagnostics) {}

  SweepConfig resolve(bool quick) {
    if (raw_.sweep.valid) out_.config = document_.resolve_path(raw_.sweep.value, raw_.sweep.where);
    out_.config_where = raw_.sweep.where;
    if (raw_.sweep.valid) check_is_file();
    out_.title = raw_.title.value;
    out_.set = settings(raw_.set.value, "set", diagnostics_);
    out_.seeds = raw_.seeds.value;
    axes_known_ = axes() && raw_.axes.valid;
    metrics();
    check_set(out_.set, "set");
    for (const Named<RawPlot>& p : raw_.plots.value) plot(p);
    apply_quick(quick);
    refinement(quick);
    return std::move(out_);
  }

 private:
  // What can be read only once would leave nothing to the runs.
  void check_is_file() {
    std::error_code ec;
    const fs::file_type type = fs::status(out_.config, ec).type();
    if (type == fs::file_type::regular) return check_is_no_sweep();
    if (type != fs::file_type::fifo && type != fs::file_type::character && type != fs::file_type::socket) return;
    diagnostics_.error(out_.config_where,
                       fmt::format("sweep: {} is a pipe or a device; every run of a sweep reads it, so it must be a "
                                   "file",
                                   out_.config));
  }

  void check_is_no_sweep() {
    try {
      if (!is_sweep_file(load_document(out_.config))) return;
    } catch (const InputError&) {
      return;  // its points say what is wrong
    }
    diagnostics_.error(out_.config_where,
                       fmt::format("sweep: expected a configuration to run; {} is a sweep itself", out_.config));
  }

  // Of results.csv or summary.csv, whatever is swept.
  static bool is_column(const std::string& name) {
    const auto columns = {"seed", "status", "message", "notes", "seeds", "noted"};
    return std::any_of(columns.begin(), columns.end(), [&](const char* c) { return name == c; });
  }

  bool axes() {
    bool ok = true;
    std::map<std::string, std::string> owners;  // key -> axis
    std::size_t points = 1;
    for (std::size_t i = 0; i < raw_.axes.value.size(); ++i) {
      const Placed<RawAxis>& placed = raw_.axes.value[i];
      const std::string path = fmt::format("axes.{}", i);
      std::optional<SweepAxis> axis;
      if (placed.valid) axis = resolve_axis(placed.value, placed.where, path, diagnostics_);
      ok = ok && axis.has_value();
      if (!axis) continue;
      for (const AxisPoint& p : axis->points) {
        for (const SweepSetting& s : p.set) claim(s, axis->name, path, owners);
      }
      const bool reserved = is_column(axis->name);
      const bool twice = std::any_of(out_.axes.begin(), out_.axes.end(), [&](auto& a) { return a.name == axis->name; });
      if (reserved || twice) {
        diagnostics_.error(placed.where,
                           fmt::format("{}: the name '{}' {}; give the axis another 'name'", path, axis->name,
                                       reserved ? "is that of a column of the tables" : "is taken"));
      }
      points =
          axis->points.size() > kMaxPoints ? kMaxPoints + 1 : std::min(points * axis->points.size(), kMaxPoints + 1);
      out_.axes.push_back(std::move(*axis));
    }
    if (points > kMaxPoints) {
      diagnostics_.error(raw_.axes.where, fmt::format("axes: there are more than {} points", kMaxPoints));
    }
    return ok;
  }

  // Two axes that set one key, by itself or in a section or list, would undo each other.
  void claim(const SweepSetting& setting, const std::string& axis, const std::string& path,
             std::map<std::string, std::string>& owners) {
    bool said = false;
    for (const std::string& key : keys_of({setting})) {
      const auto [owner, fresh] = owners.try_emplace(key, axis);
      if (fresh || owner->second == axis) continue;
      if (!said) {
        diagnostics_.error(setting.where, fmt::format("{}: the axis '{}' sets '{}' already", path, owner->second, key));
      }
      said = true;
      owner->second = axis;  // once per axis
    }
  }

  void metrics() {
    if (raw_.metrics.valid && raw_.metrics.value.empty()) {
      diagnostics_.error(raw_.metrics.where, "metrics: expected at least one");
    }
    for (const Named<RawMetric>& m : raw_.metrics.value) {
      check_name(m.name, m.where, "metrics", diagnostics_);
      if (is_column(m.name)) {
        diagnostics_.error(m.where, fmt::format("metrics: the name '{}' is that of a column of the tables", m.name));
      }
      for (const SweepAxis& a : out_.axes) {
        if (a.name == m.name) {
          diagnostics_.error(m.where, fmt::format("metrics: '{}' is the name of an axis", m.name));
        }
        for (const char* of : {"_mean", "_stddev", "_ci95"}) {
          if (a.name != m.name + of) continue;
          diagnostics_.error(
              m.where, fmt::format("metrics: '{}' has a column {}, which is the name of an axis", m.name, a.name));
        }
      }
      out_.metrics.push_back({m.name, m.value.label.given ? m.value.label.value : m.name, m.value.path.value,
                              m.value.optional.value, m.value.path.where});
    }
  }

  // What an axis sets at each of its points would hide a key that is the same at all points.
  void check_set(const std::vector<SweepSetting>& set, const std::string& path) {
    for (const SweepSetting& s : set) {
      std::string reported;  // of a list that is hidden as a whole not every item
      for (const std::string& key : keys_of({s})) {
        if (!reported.empty() && key.starts_with(reported + ".")) continue;
        const auto hides = [&](const std::string& k) { return key == k || key.starts_with(k + "."); };
        const auto at_point = [&](const AxisPoint& p) {
          const std::vector<std::string> keys = keys_of(p.set);
          return std::any_of(keys.begin(), keys.end(), hides);
        };
        const auto found = std::find_if(out_.axes.begin(), out_.axes.end(), [&](const SweepAxis& a) {
          return std::all_of(a.points.begin(), a.points.end(), at_point);
        });
        if (found == out_.axes.end()) continue;
        reported = key;
        diagnostics_.error(s.where,
                           fmt::format("{}: the axis '{}' sets '{}' at each of its points, so this would have no "
                                       "effect; leave it out or change the axis",
                                       path, found->name, key));
      }
    }
  }

  // Where an axis has errors of its own, names that are not found may be its.
  std::optional<std::size_t> axis(const std::string& name, const Location& where, const std::string& path) {
    if (!axes_known_ &&
        std::none_of(out_.axes.begin(), out_.axes.end(), [&](const SweepAxis& a) { return a.name == name; })) {
      return std::nullopt;
    }
    std::vector<std::string> names;
    for (const SweepAxis& a : out_.axes) names.push_back(a.name);
    return find_name(name, names, "axis", where, path, diagnostics_);
  }

  std::optional<std::size_t> point(std::size_t axis, const std::string& label, const Location& where,
                                   const std::string& path) {
    std::vector<std::string> labels;
    for (const AxisPoint& p : out_.axes[axis].points) labels.push_back(p.label);
    return find_name(label, labels, fmt::format("point on axis '{}' that is called", out_.axes[axis].name), where, path,
                     diagnostics_);
  }

  void plot(const Named<RawPlot>& named) {
    const RawPlot& raw = named.value;
    const std::string path = "plots." + named.name;
    const auto wrong = [&](const Location& where, const std::string& text) {
      diagnostics_.error(where, path + "." + text);
    };
    check_name(named.name, named.where, "plots", diagnostics_);
    SweepPlot out;
    out.name = named.name;
    out.title = raw.title.given ? raw.title.value : out_.title;
    out.kind = raw.kind.value;
    out.x_label = raw.x_label.value;
    out.y_label = raw.y_label.value;
    out.x_scale = raw.x_scale.value;
    out.y_scale = raw.y_scale.value;
    out.errors = raw.errors.value;
    const auto x = raw.x.valid ? axis(raw.x.value, raw.x.where, path + ".x") : std::nullopt;
    std::vector<std::string> names;
    for (const SweepMetric& m : out_.metrics) names.push_back(m.name);
    for (const Placed<std::string>& y : raw.y.value) {
      if (!raw_.metrics.valid && std::find(names.begin(), names.end(), y.value) == names.end()) continue;
      if (const auto i = find_name(y.value, names, "metric", y.where, path + ".y", diagnostics_)) out.y.push_back(*i);
    }
    if (raw.mark.given && raw.mark.valid && raw_.metrics.valid) {
      out.mark = find_name(raw.mark.value, names, "metric", raw.mark.where, path + ".mark", diagnostics_);
      if (out.kind != PlotKind::lines && raw.kind.valid) wrong(raw.mark.where, "mark: only lines have points to mark");
    }
    if (raw.series.given && raw.series.valid) {
      out.series = axis(raw.series.value, raw.series.where, path + ".series");
    }
    const bool all_y = raw.y.valid && !out.y.empty() && out.y.size() == raw.y.value.size();
    out.x = x.value_or(0);
    if (x && out.series == x) {
      wrong(raw.series.where, "series: this axis is x already");
      out.series.reset();
    }
    if (out.kind == PlotKind::heat_map && raw.kind.valid) {
      if (raw.y.valid && raw.y.value.size() != 1) {
        wrong(raw.y.where, "y: a heat map shows exactly one metric");
      } else if (all_y && raw_.metrics.valid &&
                 (out_.metrics[out.y.front()].path.each() != nullptr) == raw.series.given) {
        wrong(raw.kind.where,
              "kind: the vertical axis of a heat map is either 'series' or the members of a "
              "metric with '*'");
      }
    }
    if (x && out.x_scale == Scale::log && raw.x_scale.valid) {
      const auto& points = out_.axes[*x].points;
      const bool positive = std::all_of(points.begin(), points.end(), [](auto& p) { return p.number.value_or(0) > 0; });
      if ((out.kind != PlotKind::lines && raw.kind.valid) || !positive) {
        wrong(raw.x_scale.where, "x_scale: log is for lines over an axis of numbers above 0");
      }
    }
    if (fix_axes(named, x, out) && all_y) out_.plots.push_back(std::move(out));
  }

  // Without a title of its own a plot is told from the others by the points at which axes stay.
  void add_fixed(SweepPlot& plot) const {
    for (const auto& [axis, point] : plot.fixed) {
      const SweepAxis& a = out_.axes[axis];
      if (a.points.size() == 1) continue;
      const std::string& label = a.points[point].label;
      plot.title += fmt::format("{}{}", plot.title.empty() ? "" : ", ",
                                a.is_number() ? fmt::format("{} = {}", a.label, label) : label);
    }
  }

  // False when something is wrong, or cannot be told because of other errors.
  bool fix_axes(const Named<RawPlot>& named, std::optional<std::size_t> x, SweepPlot& out) {
    const std::string path = "plots." + named.name;
    bool ok = named.value.fixed.valid || !named.value.fixed.given;
    for (const Named<std::string>& f : named.value.fixed.value) {
      const auto a = axis(f.name, f.where, path + ".fixed");
      ok = ok && a;
      if (!a) continue;
      if (a == x || out.series == a) {
        diagnostics_.error(f.where, fmt::format("{}.fixed: axis '{}' is {}", path, f.name, a == x ? "x" : "series"));
        continue;
      }
      const auto p = point(*a, f.value, f.where, path + ".fixed");
      ok = ok && p;
      if (p) out.fixed[*a] = *p;
    }
    const bool series = named.value.series.given == out.series.has_value();
    if (!ok || !x || !series || !axes_known_) return false;
    for (std::size_t a = 0; a < out_.axes.size(); ++a) {
      if (a == *x || out.series == a || out.fixed.count(a) != 0) continue;
      if (out_.axes[a].points.size() > 1) {
        diagnostics_.error(named.where,
                           fmt::format("{}: axis '{}' is neither x nor series; say at which point it stays "
                                       "('fixed: {{ {}: ... }}')",
                                       path, out_.axes[a].name, out_.axes[a].name));
      }
      out.fixed[a] = 0;
    }
    if (!named.value.title.given) add_fixed(out);
    return true;
  }

  // Always checked, so that `weft check` vouches for --quick too; takes effect only if `quick`.
  void apply_quick(bool quick) {
    const RawQuick& raw = raw_.quick.value;
    const auto more = settings(raw.set.value, "quick.set", diagnostics_);
    check_set(more, "quick.set");
    if (quick) {
      out_.set.insert(out_.set.end(), more.begin(), more.end());
      if (raw.seeds.given && !raw_.seeds.where.file.starts_with("--set")) out_.seeds = raw.seeds.value;
      if (!raw_.quick.given) {
        diagnostics_.error(document_.root.where,
                           "quick: --quick needs this section, which says what a quick sweep leaves "
                           "out; without it all runs would be made");
      }
    }
    for (const auto& named : raw.axes.value) {
      const auto a = axis(named.name, named.where, "quick.axes");
      if (!a) continue;
      std::set<std::size_t> kept;
      for (const Placed<std::string>& label : named.value) {
        const auto p = point(*a, label.value, label.where, "quick.axes." + named.name);
        if (p) kept.insert(*p);
      }
      for (SweepPlot& plot : out_.plots) {
        const auto fixed = plot.fixed.find(*a);
        if (fixed == plot.fixed.end()) continue;
        if (kept.count(fixed->second) == 0 && kept.size() == named.value.size()) {
          diagnostics_.error(named.where, fmt::format("quick.axes.{}: the plot '{}' needs the point '{}'", named.name,
                                                      plot.name, out_.axes[*a].points[fixed->second].label));
        }
        if (quick)
          fixed->second = static_cast<std::size_t>(std::distance(kept.begin(), kept.lower_bound(fixed->second)));
      }
      if (!quick) continue;
      std::vector<AxisPoint> points;
      for (const std::size_t p : kept) points.push_back(out_.axes[*a].points[p]);
      out_.axes[*a].points = std::move(points);
    }
  }

  // After the section `quick`, which may leave too few loads.
  void refinement(bool quick) {
    if (!raw_.refine.given || !raw_.refine.valid) return;
    const RawRefine& raw = raw_.refine.value;
    const auto place = [&](const KeyState& key) { return key.given ? key.where : raw_.refine.where; };
    SweepRefinement out;
    out.times = static_cast<double>(raw.times.value) / 100;
    out.within = static_cast<double>(raw.within.value) / 10'000;
    std::vector<std::string> names;
    for (const SweepMetric& m : out_.metrics) names.push_back(m.name);
    const auto a = axis(raw.axis.value, place(raw.axis), "refine.axis");
    std::optional<std::size_t> m;
    if (raw_.metrics.valid) {
      m = find_name(raw.metric.value, names, "metric", place(raw.metric), "refine.metric", diagnostics_);
    }
    if (m && out_.metrics[*m].path.each() != nullptr) {
      diagnostics_.error(
          place(raw.metric),
          fmt::format("refine.metric: '{}' has one value per {}; name one, as in '[{}=...]'", out_.metrics[*m].name,
                      *out_.metrics[*m].path.each(), *out_.metrics[*m].path.each()));
    }
    if (m && out_.metrics[*m].optional) {
      diagnostics_.error(out_.metrics[*m].where,
                         fmt::format("metrics.{}: the search of 'refine' needs this metric at every load; expected one "
                                     "without 'optional: true'",
                                     out_.metrics[*m].name));
    }
    if (a) check_load_axis(*a, place(raw.axis), quick);
    for (const SweepAxis& other : out_.axes) {
      if (std::find(kSaturationColumns.begin(), kSaturationColumns.end(), other.name) == kSaturationColumns.end())
        continue;
      diagnostics_.error(place(raw.find),
                         fmt::format("refine: '{}' is a column of saturation.csv; give the axis of that "
                                     "name another 'name'",
                                     other.name));
    }
    if (!a || !m) return;
    out.axis = *a;
    out.metric = *m;
    out_.refine = out;
  }

  void check_load_axis(std::size_t a, const Location& where, bool quick) {
    const SweepAxis& axis = out_.axes[a];
    if (axis.points.size() < 2) {
      diagnostics_.error(where, fmt::format("refine.axis: expected at least two loads on axis '{}' to look between{}",
                                            axis.name, quick ? "; section 'quick' leaves one" : ""));
    } else if (const std::string why = not_searchable(axis); !why.empty()) {
      diagnostics_.error(where,
                         fmt::format("refine.axis: nothing can be looked for along axis '{}': {}", axis.name, why));
    }
  }

  const RawSweep& raw_;
  const ConfigDocument& document_;
  Diagnostics& diagnostics_;
  bool axes_known_ = false;  ///< all of them could be read
  SweepConfig out_;
};

}  // namespace

SweepConfig resolve_sweep(const RawSweep& raw, const ConfigDocument& document, Diagnostics& diagnostics, bool quick) {
  return Resolver(raw, document, diagnostics).resolve(quick);
}

}  // namespace weft
