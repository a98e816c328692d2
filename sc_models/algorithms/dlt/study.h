#pragma once
// A divisible load on a network, answered three ways that stand side by side:
//   1. the paper's flow matrix and closed form, for one injection into a homogeneous network;
//   2. those shares sent over links of real capacity, by event simulation;
//   3. the best shares under link capacity, by linear programming: in pieces (flow.h) and as one message per node
//      (branches.h), each checked by event simulation too.

#include <optional>

#include "algorithms/dlt/branches.h"
#include "algorithms/dlt/closed_form.h"
#include "algorithms/dlt/flow.h"

namespace weft::dlt {

struct PredictedShares {
  double sigma = 0;   ///< time of a link over time of a node, with the speeds that all of them have
  double finish = 0;  ///< in units of w*Tcp of the reference node
  Prediction closed;
  MatrixSolution matrix;
  double difference = 0;       ///< largest, between matrix and closed form, relative to share[0]
  std::vector<double> shares;  ///< by node
};

struct SimulatedShares {
  std::vector<Message> messages;
  Distribution distribution;
};

struct BranchAnswer {
  BranchPlan plan;
  SimulatedShares simulated;
  std::optional<double> formula;  ///< speedup by branches_speedup; where there is a closed form
};

struct Study {
  Network network;
  std::vector<Source> sources;
  std::vector<std::uint32_t> distance;  ///< by node, from the nearest source
  NodeCounts counts;                    ///< nodes by distance
  double reference = 1;                 ///< time of the fastest source alone; speedups refer to it
  double bound = 0;                     ///< speedup no schedule exceeds

  std::optional<PredictedShares> predicted;
  std::string refused;  ///< why there is no prediction
  std::optional<SimulatedShares> simulated;
  FlowSolution flow;
  std::uint32_t rounds = 0;  ///< into which the flow was cut for its check
  double rounds_makespan = 0;
  double rounds_limit = 0;  ///< that the makespan must not exceed, T (1 + hops / rounds)
  std::optional<BranchAnswer> branches;
  std::string no_branches;  ///< why there is no plan of whole messages

  double speedup(double finish) const { return reference / finish; }
};

/// The agreement of matrix and closed form beyond which a run fails.
inline constexpr double kAgreement = 1e-9;

/// Answers everything. Throws InputError (what network.h refuses), RunError when the
/// answers contradict each other.
Study make_study(const DltConfig& config);

/// One sigma of the curves; absent values were not asked for or do not exist.
struct CurvePoint {
  double sigma = 0;
  std::vector<double> shares;  ///< predicted, by distance
  std::optional<double> predicted;
  std::optional<double> simulated;
  std::optional<double> flow;
  std::optional<double> branches;
  double bound = 0;
};

/// Largest network whose curves include the linear programs.
inline constexpr std::size_t kMostCurveNodes = 256;

/// Speedups and shares for sigma from 0.01 to 0.99.
std::vector<CurvePoint> make_curve(const DltConfig& config, const Study& study);

}  // namespace weft::dlt
