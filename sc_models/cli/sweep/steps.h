#pragma once
// Steps of `weft sweep`, from the sweep that was read to its tables.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/output_folder.h"
#include "cli/arguments.h"
#include "cli/report/report_input.h"
#include "cli/report/run_record.h"
#include "run/registry.h"
#include "sweep/plan.h"
#include "sweep/result_store.h"
#include "sweep/run_sweep.h"
#include "sweep/saturation.h"
#include "sweep/shard.h"
#include "sweep/sweep_config.h"

namespace weft::cli {

inline constexpr const char* kSweepStore = "results.sqlite";

/// "1 run", "3 runs".
std::string counted(std::size_t n, const char* what);

/// The sweep of one command: what was read, what is planned, and where the results go.
struct OpenedSweep {
  const Registry& registry;
  const SweepArguments& arguments;
  const ConfigInput& input;
  std::filesystem::path out;
  const RunRecord& record;
  std::uint64_t memory = 0;  ///< bytes that a run may allocate; 0: no limit
  std::optional<SweepShard> shard{};
  SweepConfig config{};
  SweepPlan plan{};                       ///< of the whole sweep, with the points that its search has added so far
  std::vector<SaturationCurve> curves{};  ///< of a search
  std::unique_ptr<SweepPlanner> planner{};
  std::unique_ptr<SaturationSearch> search{};

  /// The runs that this command is about: all, or those of its shard.
  SweepPlan part() const;
  /// Follows the search as far as the stored runs lead. True: the plan has grown.
  bool refine(const ResultStore& store);
};

/// Work that is left of the part.
SweepWork work_left(const OpenedSweep& sweep, const ResultStore& store);

/// Options for a folder with all results.
OutputFolderOptions whole_results(const OpenedSweep& sweep);

/// Options for the processes of runs.
SweepOptions child_options(const OpenedSweep& sweep);

/// Points that have something to run.
std::vector<std::size_t> points_of(const SweepPlan& plan, const std::vector<std::size_t>& runs);

/// Says what is stored already, of `all` runs, and what is to be run again; `only_stored`: nothing is run.
void note_stored(const SweepWork& work, std::size_t all, bool only_stored = false);

/// Says that the check was interrupted; returns the exit status.
int interrupted_check();
/// The same of the runs, `ran` of which had ended.
int interrupted_runs(const OpenedSweep& sweep, const ResultStore& store, std::size_t ran);

/// Has the configuration of these points checked and says what it warns of, once for all points. False: interrupted.
bool check_sweep_points(const OpenedSweep& sweep, const std::vector<std::size_t>& points);

/// Runs what is left of the part, and what its search adds.
SweepOutcome run_part(OpenedSweep& sweep, ResultStore& store, SweepWork& work);

/// Adds those of these runs of the part that have failed in the store.
void add_failures(const OpenedSweep& sweep, const ResultStore& store, const std::vector<std::size_t>& runs,
                  SweepOutcome& outcome);

/// Tables, page and report of what is stored, and what the command says at its end. `more`: further members of its
/// JSON.
int finish_sweep(const OpenedSweep& sweep, ResultStore& store, const SweepOutcome& outcome, const SweepWork& work,
                 const nlohmann::ordered_json& more);
/// A shard has no tables: they would be those of a sweep with holes.
int finish_shard(const OpenedSweep& sweep, const SweepOutcome& outcome, const SweepWork& work);

/// `--merge`: joins stores of shards to that of the sweep.
int merge_shards(OpenedSweep& sweep);
/// Joins these databases to `store` and follows the search in them.
MergeOutcome merge_all(OpenedSweep& sweep, const std::vector<std::string>& files, ResultStore& store);
/// Tables of the merged store; names the runs that are missing. `ran`: by workers of this command.
int finish_merged(const OpenedSweep& sweep, ResultStore& store, const MergeOutcome& merged, std::size_t stored_before,
                  std::size_t ran = 0);

/// `--export-only`: tables of what is stored; names the runs that are missing or have failed.
int export_stored(const OpenedSweep& sweep, ResultStore& store, OutputFolder& folder, const SweepWork& work);

/// `--launcher`: has the parts of the sweep run by a scheduler and joins them.
int launch_sweep(OpenedSweep& sweep);

}  // namespace weft::cli
