#pragma once
// The paper's model of a single injection into a homogeneous network: shares by distance, speedup, flow matrix.
//
// All nodes at one distance get the same share, a layer is taken to be fed in the time of one share, and all nodes
// stop together. The finish time of the load is the share of the injection node (its compute time is the unit), so
// the equivalent inverse speed is share[0] and the speedup 1 / share[0]. Exact where each layer has a link of its own
// for every node, as in chains and 2 x n; elsewhere the links out of the injection node would have to carry more than
// they can, and the result is too good. Source: Zhang, Liu, Shi, Robertazzi, equations 10, 28, 33, 34; the equations
// for store and forward are our own.

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "algorithms/dlt/dlt_config.h"

namespace weft::dlt {

/// counts[d]: nodes at distance d from the injection node; counts[0] == 1, no zero between. Every function expects
/// 0 < sigma < 1.
using NodeCounts = std::vector<std::uint64_t>;

struct Prediction {
  std::vector<double> shares;  ///< of one node, by distance
  double speedup = 0;
  double equivalent_inverse_speed() const { return shares.front(); }
};

/// Shares in closed form.
Prediction closed_form(const NodeCounts& counts, double sigma, DltSwitching switching);

/// First row: counts[d]; second: share[0] against share[1]; the others, for d >= 2: node d stops with node 1.
Eigen::MatrixXd flow_matrix(const NodeCounts& counts, double sigma, DltSwitching switching);

struct MatrixSolution {
  Prediction prediction;
  double determinant = 0;          ///< of the flow matrix
  double determinant_speedup = 0;  ///< |det A / det A0*|; under cut-through |det A0*| = 1 and this is |det A|
  double condition = 0;            ///< estimated, of the matrix (1-norm)
};

/// Condition beyond which shares would have fewer than about four right digits.
inline constexpr double kWorstCondition = 1e12;
/// Largest number of distances; the dense matrix has the square of this.
inline constexpr std::size_t kMostDistances = 4096;

/// Solves `matrix` * shares = (1, 0, 0, ...). Throws InputError at `where` when it is singular or worse conditioned
/// than kWorstCondition.
MatrixSolution solve_flow_matrix(const Eigen::MatrixXd& matrix, const Location& where);

/// Best speedup when each branch of `sizes[i]` nodes hangs on its own link out of the injection node and is fed as one
/// queue, one message per node (cut-through): 1 + sum of (1 - (1-sigma)^size) / sigma.
double branches_speedup(const std::vector<std::uint64_t>& sizes, double sigma);

}  // namespace weft::dlt
