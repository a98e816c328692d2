#include "sweep/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "base/input_file.h"
#include "base/version.h"
#include "observe/report.h"
#include "schema/document.h"
#include "schema/yaml_tree.h"
#include "sweep/offered_work.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

// Version 5 UUID: SHA-1 of the text.
std::string hash(const std::string& text) {
  return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text));
}

PlannedPoint planned_point(const SweepConfig& config, std::vector<std::size_t> at) {
  PlannedPoint point;
  std::vector<SweepSetting> own;
  for (std::size_t a = 0; a < at.size(); ++a) {
    const AxisPoint& p = config.axes[a].points[at[a]];
    point.name += fmt::format("{}{}={}", a == 0 ? "" : ", ", config.axes[a].name, p.label);
    for (const SweepSetting& s : p.set) add_setting(own, s);
  }
  point.settings = config.set;
  point.settings.insert(point.settings.end(), own.begin(), own.end());
  point.at = std::move(at);
  return point;
}

// Errors of settings, each place once, in the order of the files.
class SettingErrors {
 public:
  void add(const Location& where, std::string message) { errors_.try_emplace(where, std::move(message)); }
  void throw_if_any() const {
    Diagnostics diagnostics;
    for (const auto& [where, message] : errors_) diagnostics.error(where, message);
    diagnostics.throw_if_errors();
  }

 private:
  struct Before {
    bool operator()(const Location& a, const Location& b) const {
      return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
    }
  };
  std::map<Location, std::string, Before> errors_;
};

}  // namespace

std::vector<std::vector<std::size_t>> product(const std::vector<std::size_t>& sizes) {
  std::vector<std::vector<std::size_t>> out;
  std::vector<std::size_t> at(sizes.size(), 0);
  for (const std::size_t size : sizes) {
    if (size == 0) return out;
  }
  for (;;) {
    out.push_back(at);
    std::size_t a = sizes.size();
    while (a > 0 && ++at[a - 1] == sizes[a - 1]) at[--a] = 0;
    if (a == 0) return out;
  }
}

class SweepPlanner::Impl {
 public:
  Impl(const SweepConfig& config, const std::vector<std::string>& plugins)
      : config_(config), document_(read(config)), files_(config.folder) {
    program_ = fmt::format("weft {}, {}\n", kVersion, kReportSchema);
    for (const std::string& file : plugins) plugins_ += fmt::format("plug-in {}\n", hash(read_file(file)));
  }

  SweepPlan plan() {
    SweepPlan out;
    std::vector<std::size_t> sizes;
    for (const SweepAxis& a : config_.axes) sizes.push_back(a.points.size());
    SettingErrors errors;
    for (auto& at : product(sizes)) add(config_, std::move(at), out, errors);
    errors.throw_if_any();
    return out;
  }

  void add(const SweepConfig& config, std::vector<std::size_t> at, SweepPlan& plan, SettingErrors& errors) {
    PlannedPoint point = planned_point(config, std::move(at));
    YamlNode root = document_.root;
    for (const SweepSetting& s : point.settings) {
      try {
        apply_override(root, s.assignment());
      } catch (const InputError& e) {
        errors.add(s.where, fmt::format("{}: {}", s.assignment(), e.list().front().message));
      }
    }
    std::set<std::string> named;
    files_.collect(root, document_, named);
    std::string text = program_ + plugins_;
    for (const std::string& file : named) text += file + "\n";
    root.entries.erase(
        std::remove_if(root.entries.begin(), root.entries.end(), [](const YamlEntry& e) { return e.key == "seed"; }),
        root.entries.end());
    point.work = offered_work(root);
    text += flow_text(root);
    for (const std::uint64_t seed : config.seeds) {
      plan.runs.push_back({plan.points.size(), seed, hash(fmt::format("{}\nseed {}", text, seed))});
    }
    plan.points.push_back(std::move(point));
  }

 private:
  // Hashes of the files that values of a configuration name. Which values are file names only the fabric knows; any
  // value that is the name of an existing file counts, which errs on the side of running again.
  class NamedFiles {
   public:
    explicit NamedFiles(std::string sweep_folder) : sweep_folder_(std::move(sweep_folder)) {}

    void collect(const YamlNode& node, const ConfigDocument& document, std::set<std::string>& out) {
      for (const YamlEntry& e : node.entries) collect(e.value, document, out);
      if (node.kind != YamlNode::Kind::scalar || node.text.empty()) return;
      const auto folder = document.folders.find(node.where.file);
      const fs::path path = (folder == document.folders.end() ? fs::path(sweep_folder_) : folder->second) / node.text;
      const auto [entry, fresh] = hashes_.try_emplace(path.string());
      std::error_code ec;
      if (fresh && fs::is_regular_file(path, ec)) entry->second = hash(read_file(path));
      if (!entry->second.empty()) out.insert(node.text + " " + entry->second);
    }

   private:
    std::string sweep_folder_;
    std::map<std::string, std::string> hashes_;  // empty: no such file
  };

  static ConfigDocument read(const SweepConfig& config) {
    try {
      return load_document(config.config);
    } catch (const InputError& e) {
      const Diagnostic& first = e.list().front();
      if (first.where.line == 0) {
        throw InputError(config.config_where, fmt::format("sweep: {}: {}", first.where.text(), first.message));
      }
      throw;
    }
  }

  SweepConfig config_;
  ConfigDocument document_;
  NamedFiles files_;
  std::string program_;
  std::string plugins_;
};

SweepPlanner::SweepPlanner(const SweepConfig& config, const std::vector<std::string>& plugins)
    : impl_(std::make_unique<Impl>(config, plugins)) {}
SweepPlanner::~SweepPlanner() = default;

SweepPlan SweepPlanner::plan() { return impl_->plan(); }

void SweepPlanner::add(const SweepConfig& config, std::vector<std::size_t> at, SweepPlan& plan) {
  SettingErrors errors;
  impl_->add(config, std::move(at), plan, errors);
  errors.throw_if_any();
}

SweepPlan plan_sweep(const SweepConfig& config, const std::vector<std::string>& plugins) {
  return SweepPlanner(config, plugins).plan();
}

}  // namespace weft
