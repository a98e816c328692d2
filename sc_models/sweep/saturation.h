#pragma once
// `refine: saturation`: the load at which the mean latency of a curve is a multiple of that of its lowest load.
//
// A curve is a combination of points of all axes but that of the load. All loads of the axis are run; then the bracket
// between the highest load below the limit and the lowest one beyond it is halved until it is narrow enough. A load is
// beyond the limit when the mean latency over its seeds is, or when one of its runs is saturated or has no latency at
// all, which counts as an infinite one.
//
// The search keeps no state: it is a function of the stored runs, so that a sweep that was stopped, sharded by curve
// or merged goes on with the same points.

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "observe/statistic.h"
#include "sweep/plan.h"
#include "sweep/result_store.h"
#include "sweep/sweep_config.h"

namespace weft {

struct SaturationCurve {
  enum class Result {
    open,         ///< runs are missing
    found,        ///< within the precision that is asked for
    coarse,       ///< the bracket cannot be halved: no number with few digits lies in it
    not_reached,  ///< even the highest load is below the limit
    at_lowest,    ///< the lowest load is saturated, so that there is no latency to compare with
    no_latency,   ///< a run at the lowest load has none, without being saturated
    failed        ///< a run that is needed failed
  };
  std::vector<std::size_t> at;  ///< places on the axes; 0 on that of the load
  Result result = Result::open;
  std::optional<double> lowest_latency;
  std::optional<double> low;   ///< highest load that is below the limit
  std::optional<double> high;  ///< lowest load that is beyond it
  std::size_t runs = 0;        ///< that have ended, of all loads
  /// The load that was looked for: the middle of the bracket.
  std::optional<double> load() const;
};
template <>
inline constexpr auto kWords<SaturationCurve::Result> = words("open", "found", "coarse", "not reached",
                                                              "at lowest load", "no latency", "failed");

/// A sweep with the points that its search has added: those of each curve behind one another, by their loads.
struct RefinedSweep {
  SweepConfig config;
  SweepPlan plan;
  std::vector<SaturationCurve> curves;  ///< the last axis varies fastest
};

class SaturationSearch {
 public:
  /// `config`: with a refinement; `grid`: its plan by `planner`, which outlives the search.
  SaturationSearch(const SweepConfig& config, const SweepPlan& grid, SweepPlanner& planner);

  /// As far as the stored runs lead: a curve that is open has a run that is not stored.
  RefinedSweep replay(const ResultStore& store);

 private:
  struct Latency {
    enum class Kind { missing, failed, ended } kind = Kind::missing;
    double value = 0;        ///< infinite: saturated, or none at all
    bool saturated = false;  ///< a run is
  };
  using AddedPoints = std::map<double, std::size_t>;  // point of the plan by its load

  Latency run_latency(const std::string& identity, const ResultStore& store);
  Latency mean_latency(std::size_t point, const ResultStore& store, SaturationCurve& curve);
  void search(SaturationCurve& curve, const ResultStore& store, AddedPoints& added);
  std::size_t grid_point(std::vector<std::size_t> at, std::size_t load) const;
  std::size_t point_at(std::vector<std::size_t> at, double load);
  RefinedSweep assemble(std::vector<SaturationCurve> curves, const std::vector<AddedPoints>& added) const;

  SweepConfig grid_config_;
  SweepConfig config_;  ///< with further points on the axis, in the order in which they were needed
  SweepPlan plan_;      ///< likewise
  std::size_t grid_points_;
  SweepPlanner& planner_;
  std::map<double, std::size_t> places_;                   ///< of further points on the axis
  std::map<std::vector<std::size_t>, std::size_t> added_;  ///< further points of the plan by their places
  std::map<std::string, Latency> known_;                   ///< runs that have ended well, by identity
};

/// Columns of a table of curves, beside those of the axes.
inline constexpr std::array<std::string_view, 6> kSaturationColumns{
    "saturation", "saturation_low", "saturation_high", "lowest_latency", "runs", "result"};

/// One line per curve. `unit`: of the latency.
Table saturation_table(const SweepConfig& config, const std::vector<SaturationCurve>& curves, const std::string& unit);

}  // namespace weft
