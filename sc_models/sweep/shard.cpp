#include "sweep/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/diagnostics.h"
#include "sweep/run_sweep.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

std::optional<std::size_t> count_of(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) return std::nullopt;
  return value;
}

// The parts of a report that are results. Its configuration names files, which lie elsewhere on other machines.
nlohmann::json result_of(const StoredRun& run) {
  nlohmann::json report = nlohmann::json::parse(run.report, nullptr, false);
  if (!report.is_object()) return run.report;
  nlohmann::json out = nlohmann::json::object();
  for (const char* part : {"figures", "tables", "notes"}) {
    if (report.contains(part)) out[part] = std::move(report[part]);
  }
  return out;
}

// Runs of the plan by what identifies them, each identity at its first place.
class PlannedRuns {
 public:
  explicit PlannedRuns(const SweepPlan& plan) : plan_(plan) {
    for (std::size_t r = 0; r < plan.runs.size(); ++r) {
      const PlannedRun& run = plan.runs[r];
      if (by_identity_.try_emplace(run.identity, r).second) order_.push_back(r);
      places_.try_emplace({plan.points[run.point].name, run.seed}, r);
    }
  }
  std::optional<std::size_t> find(const std::string& identity) const {
    const auto found = by_identity_.find(identity);
    return found == by_identity_.end() ? std::nullopt : std::optional(found->second);
  }
  /// The run of the plan at the same point and seed.
  std::optional<std::size_t> at_place_of(const ResultStore::Known& run) const {
    const auto found = places_.find({run.point, run.seed});
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::vector<std::size_t>& order() const { return order_; }

  // Counts the runs of a store; refuses one of another sweep. `held`: whether some store has a run of the plan: then
  // one of another configuration in its place has been left over from a part that has the run no longer.
  template <class Held>
  MergeOutcome::Store survey(const ResultStore& store, const std::vector<ResultStore::Known>& known,
                             const Held& held) const {
    MergeOutcome::Store out{store.file(), 0, 0};
    const ResultStore::Known* changed = nullptr;
    std::size_t changes = 0;
    for (const ResultStore::Known& k : known) {
      const auto place = at_place_of(k);
      if (find(k.identity)) {
        ++out.runs;
      } else if (place && !held(*place)) {
        if (changes++ == 0) changed = &k;
      } else {
        ++out.other;
      }
    }
    if (changed != nullptr) {
      throw ConflictingResults(
          {store.file()},
          fmt::format("{} of its {} runs are of another configuration or version of the program (as {}, "
                      "seed {}); run that part again with the files and the program of this sweep",
                      changes, known.size(), changed->point, changed->seed));
    }
    if (out.runs == 0 && !known.empty() && !at_place_of(known.front())) {
      throw ConflictingResults(
          {store.file()}, fmt::format("belongs to another sweep: expected runs such as '{}', got such as '{}, seed {}'",
                                      run_name(plan_, 0), known.front().point, known.front().seed));
    }
    return out;
  }

 private:
  const SweepPlan& plan_;
  std::map<std::string, std::size_t> by_identity_;
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> places_;
  std::vector<std::size_t> order_;
};

// What each run is dealt with: it alone, or the curve that it is of, named by the least identity among the runs of the
// curve that the file asks for.
std::vector<std::string> owners_of(const SweepConfig& config, const SweepPlan& plan) {
  std::vector<std::string> out;
  for (const PlannedRun& run : plan.runs) out.push_back(run.identity);
  if (!config.refine) return out;
  const std::size_t axis = config.refine->axis;
  std::map<std::vector<std::size_t>, std::string> curves;
  const auto curve_of = [&](const PlannedRun& run) {
    std::vector<std::size_t> at = plan.points[run.point].at;
    at[axis] = 0;
    return at;
  };
  for (const PlannedRun& run : plan.runs) {
    if (plan.points[run.point].at[axis] >= config.axes[axis].grid()) continue;
    std::string& least = curves[curve_of(run)];
    if (least.empty() || run.identity < least) least = run.identity;
  }
  for (std::size_t r = 0; r < plan.runs.size(); ++r) out[r] = curves.at(curve_of(plan.runs[r]));
  return out;
}

}  // namespace

Parsed<SweepShard> parse_shard(std::string_view text) {
  const auto fail = [&](const char* hint) {
    return Parsed<SweepShard>{
        std::nullopt,
        fmt::format("expected i/N, the part and the number of parts (1/8 to 8/8 of 8), got '{}'{}", text, hint)};
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return fail("");
  const std::string_view part = text.substr(0, slash);
  const auto of = count_of(text.substr(slash + 1));
  if (part == "0" && of) return fail("; parts are counted from 1");
  const auto index = count_of(part);
  if (!index || !of) return fail("");
  if (*index > *of) return fail("; there is no such part");
  if (*of > kMaxShards) return fail("; that is more parts than there may be (1000000)");
  return {SweepShard{*index, *of}, {}};
}

std::vector<std::size_t> shards_of(const SweepConfig& config, const SweepPlan& plan, std::size_t of) {
  const std::vector<std::string> owners = owners_of(config, plan);
  std::map<std::string, double> work;
  for (std::size_t r = 0; r < owners.size(); ++r) {
    const PlannedPoint& point = plan.points[plan.runs[r].point];
    const bool is_added = config.refine && point.at[config.refine->axis] >= config.axes[config.refine->axis].grid();
    work[owners[r]] += is_added ? 0 : point.work;
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [owner, amount] : work) order.emplace_back(-amount, owner);
  std::sort(order.begin(), order.end());
  std::map<std::string, std::size_t> dealt;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t place = i % of;
    dealt[order[i].second] = (i / of % 2 == 0 ? place : of - 1 - place) + 1;  // to and fro
  }
  std::vector<std::size_t> out;
  for (const std::string& owner : owners) out.push_back(dealt.at(owner));
  return out;
}

SweepPlan shard_plan(const SweepConfig& config, const SweepPlan& plan, SweepShard shard) {
  const std::vector<std::size_t> shards = shards_of(config, plan, shard.of);
  SweepPlan out{plan.points, {}};
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    if (shards[r] == shard.index) out.runs.push_back(plan.runs[r]);
  }
  return out;
}

MergeOutcome merge_stores(const SweepConfig& config, const SweepPlan& plan, const std::vector<std::string>& files,
                          ResultStore& into) {
  MergeOutcome out;
  const PlannedRuns planned(plan);
  const std::string target = fs::weakly_canonical(into.file()).string();
  std::set<std::string> given;
  std::vector<std::unique_ptr<ResultStore>> stores;
  std::vector<std::vector<ResultStore::Known>> known_of;           // each of them
  std::map<std::size_t, std::vector<const ResultStore*>> holders;  // of a run of the plan; the merged store first
  const auto hold = [&](const ResultStore& store, const std::vector<ResultStore::Known>& known) {
    for (const ResultStore::Known& k : known) {
      if (const auto r = planned.find(k.identity)) holders[*r].push_back(&store);
    }
  };
  hold(into, into.known());
  for (const std::string& file : files) {
    const std::string canonical = fs::weakly_canonical(file).string();
    if (canonical == target) throw InputError({file}, "is the merged store itself; '--out' gives it another folder");
    if (!given.insert(canonical).second) throw InputError({file}, "is given twice");
    const ResultStore& store =
        *stores.emplace_back(std::make_unique<ResultStore>(file, ResultStore::Opening::existing));
    hold(store, known_of.emplace_back(store.known()));
  }
  for (std::size_t i = 0; i < stores.size(); ++i) {
    out.stores.push_back(planned.survey(*stores[i], known_of[i], [&](std::size_t r) { return holders.contains(r); }));
  }

  ResultStore::Transaction all(into);
  for (const std::size_t r : planned.order()) {
    const auto found = holders.find(r);
    if (found == holders.end()) {
      out.missing.push_back(r);
      continue;
    }
    const PlannedRun& run = plan.runs[r];
    std::optional<StoredRun> best;
    const ResultStore* from = nullptr;
    for (const ResultStore* store : found->second) {
      auto next = store->get(run.identity);
      if (!next) continue;
      if (best && best->done && next->done && best->report != next->report && result_of(*best) != result_of(*next)) {
        throw ConflictingResults(
            {store->file()},
            fmt::format("has another result of {} than {}; both are of the same configuration, seed and "
                        "version, so one of the two programs was changed: run both again with one program "
                        "('--fresh')",
                        run_name(plan, r), from->file()));
      }
      if (best && (best->done || !next->done)) continue;
      best = std::move(next);
      from = store;
    }
    if (!best || from == &into) continue;
    best->point = plan.points[run.point].name;
    into.put(*best, axes_of(config, plan.points[run.point]));
    ++out.added;
  }
  all.commit();
  return out;
}

std::string run_name(const SweepPlan& plan, std::size_t r) {
  return fmt::format("{}, seed {}", plan.points[plan.runs[r].point].name, plan.runs[r].seed);
}

std::string run_names(const SweepPlan& plan, const std::vector<std::size_t>& runs, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, runs.size()); ++i) {
    out += (i == 0 ? "" : "; ") + run_name(plan, runs[i]);
  }
  if (runs.size() > most) out += fmt::format("; and {} more", runs.size() - most);
  return out;
}

}  // namespace weft
