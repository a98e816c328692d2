#pragma once
// Shards of a sweep: parts of its runs that are run apart, on any machines, into stores of their own, and merged.
//
// Runs are dealt by their predicted length (sweep/offered_work.h), to and fro, and equal ones by their identities: the
// number of runs of two shards differs by one at most, and every shard gets its share of the long ones. Which runs it
// has depends on the plan alone, not on what is stored, so that the same command goes on with the same part.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/units.h"
#include "sweep/plan.h"
#include "sweep/result_store.h"
#include "sweep/sweep_config.h"

namespace weft {

struct SweepShard {
  std::size_t index = 1;  ///< 1 to `of`
  std::size_t of = 1;
};

inline constexpr std::size_t kMaxShards = 1'000'000;

/// "3/8".
Parsed<SweepShard> parse_shard(std::string_view text);

/// The shard of each run of the plan, 1 to `of`.
std::vector<std::size_t> shards_of(const SweepConfig& config, const SweepPlan& plan, std::size_t of);

/// The plan with the runs of the shard only; its points are all there. Of a sweep with a search the curves are dealt
/// instead of the runs, since what a curve needs next follows from all its runs.
SweepPlan shard_plan(const SweepConfig& config, const SweepPlan& plan, SweepShard shard);

struct MergeOutcome {
  struct Store {
    std::string file;
    std::size_t runs = 0;   ///< of the plan
    std::size_t other = 0;  ///< that the plan has not, or has been run anew in some store; left where they are
  };
  std::vector<Store> stores;
  std::size_t added = 0;             ///< runs that were not in the merged store, or had failed there
  std::vector<std::size_t> missing;  ///< of the plan, in no store; each identity once
};

/// A store holds runs of another sweep, configuration or version, or other results of the same runs.
class ConflictingResults : public InputError {
 public:
  using InputError::InputError;
};

/// Adds the runs of the stores to `into`. A run that ended well anywhere stands above one that failed. Throws
/// InputError, and changes nothing, when a store cannot be read or is given twice; ConflictingResults when it has runs
/// of another configuration or version of the program in places where no store has one of this sweep, or none of this
/// sweep at all, and when two stores have different results of the same run.
MergeOutcome merge_stores(const SweepConfig& config, const SweepPlan& plan, const std::vector<std::string>& files,
                          ResultStore& into);

/// "slots=8, load=0.5, seed 2".
std::string run_name(const SweepPlan& plan, std::size_t run);

/// Names of the points of `runs` with their seeds, at most `most` of them: "slots=8, load=0.5, seed 2; and 3 more".
std::string run_names(const SweepPlan& plan, const std::vector<std::size_t>& runs, std::size_t most = 8);

}  // namespace weft
