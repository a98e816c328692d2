// `weft sweep --merge`: stores of shards joined to that of the whole sweep;
// `--export-only`: what is stored already.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "cli/failure.h"
#include "cli/sweep/steps.h"
#include "cli/terminal.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// The database of a folder, or a database itself.
std::string store_in(const std::string& place) {
  if (place.starts_with("--") && !fs::exists(place)) {
    throw InputError({"--merge"}, fmt::format("expected the folders of shards, got the option '{}'", place));
  }
  const fs::path path = fs::is_directory(place) ? fs::path(place) / kSweepStore : fs::path(place);
  if (!fs::is_regular_file(path)) {
    throw InputError({path.string()},
                     "does not exist; expected the folder of a shard, which has results.sqlite, or "
                     "such a database");
  }
  return path.string();
}

// The tables of what is stored, and what they lack: runs that failed, and `missing`, which are `where` ("in no store").
int finish_stored(const OpenedSweep& sweep, ResultStore& store, SweepOutcome outcome, const SweepWork& work,
                  const std::vector<std::size_t>& missing, const char* where, Json more) {
  const SweepPlan part = sweep.part();
  std::vector<std::size_t> all(part.runs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  add_failures(sweep, store, all, outcome);
  more["ok"] = outcome.failures.empty() && missing.empty();
  more["missing"] = Json::array();
  for (const std::size_t r : missing) more["missing"].push_back(run_name(part, r));
  const int status = finish_sweep(sweep, store, outcome, work, more);
  if (missing.empty()) return status;
  say(stderr, "error: {} {}: {}\n", missing.size() == 1 ? "1 run is" : fmt::format("{} runs are", missing.size()),
      where, run_names(part, missing));
  say(stderr, "  'weft sweep {} --out {}' runs what is missing\n", sweep.config.file, sweep.out.string());
  return kRunFailed;
}

}  // namespace

MergeOutcome merge_all(OpenedSweep& sweep, const std::vector<std::string>& files, ResultStore& store) {
  MergeOutcome merged;
  std::size_t added = 0;
  do {
    merged = merge_stores(sweep.config, sweep.plan, files, store);
    added += merged.added;
  } while (sweep.refine(store));  // the stores may have the runs of its further points too
  merged.added = added;
  return merged;
}

int finish_merged(const OpenedSweep& sweep, ResultStore& store, const MergeOutcome& merged, std::size_t stored_before,
                  std::size_t ran) {
  SweepWork work;
  work.stored = stored_before;
  SweepOutcome outcome;
  outcome.ran = ran;
  return finish_stored(sweep, store, std::move(outcome), work, merged.missing, "in no store",
                       Json{{"merged", merged.added}});
}

// What is there of an earlier configuration stays when there is nothing in its place.
int export_stored(const OpenedSweep& sweep, ResultStore& store, OutputFolder& folder, const SweepWork& work) {
  const SweepPlan part = sweep.part();
  note_stored(work, part.runs.size(), true);
  std::vector<std::size_t> missing = work.runs;
  std::erase_if(missing, [&](std::size_t r) { return store.get(part.runs[r].identity).has_value(); });
  if (work.stored == 0 && missing.size() == work.runs.size() && work.too_large.empty()) {
    throw InputError({store.file()}, "holds no run of this sweep as its files are now; there is nothing to export");
  }
  folder.clear();
  return finish_stored(sweep, store, {}, work, missing, "not stored", Json::object());
}

int merge_shards(OpenedSweep& sweep) {
  std::vector<std::string> files;
  for (const std::string& place : sweep.arguments.merge) files.push_back(store_in(place));
  OutputFolder folder(sweep.out, whole_results(sweep));
  ResultStore store((sweep.out / kSweepStore).string());
  sweep.refine(store);
  const std::size_t stored = work_left(sweep, store).stored;
  const MergeOutcome merged = merge_all(sweep, files, store);
  for (const MergeOutcome::Store& s : merged.stores) {
    if (s.other == 0) continue;
    say(stderr, "{}: {} of other points than this sweep has, or of another configuration; left out\n", s.file,
        s.other == 1 ? "1 run is" : fmt::format("{} runs are", s.other));
  }
  folder.clear();
  return finish_merged(sweep, store, merged, stored);
}

}  // namespace weft::cli
