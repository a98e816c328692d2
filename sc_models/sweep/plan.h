#pragma once
// The runs of a sweep: the product of its axes, times its seeds, each run with an identity.
//
// The identity of a run is a hash of everything its result depends on: the resolved configuration (bases merged, keys
// of the sweep and the seed set), the content of every file that a value of it names, the version of the program and
// the content of its plug-ins. So a stored result is used again exactly when running would give the same, and nothing
// here needs to know the fabric.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sweep/sweep_config.h"

namespace weft {

struct PlannedPoint {
  std::vector<std::size_t> at;         ///< point of each axis
  std::string name;                    ///< "slots=8, load=0.5"
  std::vector<SweepSetting> settings;  ///< in the order in which they are applied
  double work = 1;                     ///< offered_work() of its configuration
};

struct PlannedRun {
  std::size_t point = 0;
  std::uint64_t seed = 0;
  std::string identity;
};

struct SweepPlan {
  std::vector<PlannedPoint> points;
  std::vector<PlannedRun> runs;  ///< point by point, seeds in the order of the file
};

/// Combinations of one index per axis, each below its size; the last runs fastest.
std::vector<std::vector<std::size_t>> product(const std::vector<std::size_t>& sizes);

/// Makes the plan of a sweep, and plans of further points of it. The configuration is read once.
class SweepPlanner {
 public:
  /// `plugins`: files that the program has loaded. Throws InputError when the configuration cannot be read.
  explicit SweepPlanner(const SweepConfig& config, const std::vector<std::string>& plugins = {});
  ~SweepPlanner();
  SweepPlanner(const SweepPlanner&) = delete;
  SweepPlanner& operator=(const SweepPlanner&) = delete;

  /// All combinations of the points of the axes. Throws InputError when a key of the configuration cannot be set.
  SweepPlan plan();
  /// Adds the point at these places of the axes of `config`, which may have more points than the one given first, with
  /// a run per seed. Throws as plan() does.
  void add(const SweepConfig& config, std::vector<std::size_t> at, SweepPlan& plan);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The plan of a sweep; throws as SweepPlanner does.
SweepPlan plan_sweep(const SweepConfig& config, const std::vector<std::string>& plugins = {});

}  // namespace weft
