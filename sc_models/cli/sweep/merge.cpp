// `weft sweep --merge`: stores of shards joined to that of the whole sweep.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

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
  std::vector<std::size_t> all(sweep.plan.runs.size());
  for (std::size_t r = 0; r < all.size(); ++r) all[r] = r;
  add_failures(sweep, store, all, outcome);
  std::vector<std::string> missing;
  for (const std::size_t r : merged.missing) missing.push_back(run_name(sweep.plan, r));
  const int status = finish_sweep(
      sweep, store, outcome, work,
      Json{{"ok", outcome.failures.empty() && missing.empty()}, {"merged", merged.added}, {"missing", missing}});
  if (missing.empty()) return status;
  say(stderr, "error: {} in no store: {}\n",
      missing.size() == 1 ? "1 run is" : fmt::format("{} runs are", missing.size()),
      run_names(sweep.plan, merged.missing));
  say(stderr, "  'weft sweep {} --out {}' runs what is missing\n", sweep.config.file, sweep.out.string());
  return kRunFailed;
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
