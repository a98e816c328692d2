#include "algorithms/dlt/closed_form.h"

#include <fmt/format.h>

#include <cmath>

namespace weft::dlt {
namespace {

// The rows d >= 2 read  (sigma - own) a_1 + between (a_2 + ... + a_{d-1}) + last a_d = 0; the second a_0 = first a_1.
struct Coefficients {
  double first;
  double one;
  double between;
  double last;
};

Coefficients coefficients(double sigma, DltSwitching switching) {
  switch (switching) {
    case DltSwitching::cut_through:
      return {1, sigma - 1, sigma, 1};
    case DltSwitching::modified_store_and_forward:
      return {1, sigma - 1, 2 * sigma, 1 + sigma};
    case DltSwitching::store_and_forward:
      return {1 + sigma, -1, 2 * sigma, 1 + 2 * sigma};
  }
  return {};
}

}  // namespace

Prediction closed_form(const NodeCounts& counts, double sigma, DltSwitching switching) {
  double ratio = 1 - sigma;  // of the shares of two neighbouring distances
  double first = 1;          // a_1 / a_0
  if (switching == DltSwitching::modified_store_and_forward) ratio = (1 - sigma) / (1 + sigma);
  if (switching == DltSwitching::store_and_forward) {
    ratio = 1 / (1 + 2 * sigma);
    first = 1 / (1 + sigma);
  }
  Prediction p;
  double relative = 1;
  for (std::size_t d = 0; d < counts.size(); ++d) {
    if (d == 1) relative = first;
    if (d > 1) relative *= ratio;
    p.shares.push_back(relative);
    p.speedup += static_cast<double>(counts[d]) * relative;
  }
  for (double& share : p.shares) share /= p.speedup;
  return p;
}

Eigen::MatrixXd flow_matrix(const NodeCounts& counts, double sigma, DltSwitching switching) {
  const auto n = static_cast<Eigen::Index>(counts.size());
  const Coefficients c = coefficients(sigma, switching);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index d = 0; d < n; ++d) matrix(0, d) = static_cast<double>(counts[static_cast<std::size_t>(d)]);
  if (n > 1) {
    matrix(1, 0) = 1;
    matrix(1, 1) = -c.first;
  }
  for (Eigen::Index row = 2; row < n; ++row) {
    matrix(row, 1) = c.one;
    for (Eigen::Index column = 2; column < row; ++column) matrix(row, column) = c.between;
    matrix(row, row) = c.last;
  }
  return matrix;
}

MatrixSolution solve_flow_matrix(const Eigen::MatrixXd& matrix, const Location& where) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(matrix);
  MatrixSolution out;
  const double reciprocal = lu.rcond();
  if (!(reciprocal > 0)) throw InputError(where, "the flow matrix is singular: its equations have no single solution");
  out.condition = 1 / reciprocal;
  if (out.condition > kWorstCondition) {
    throw InputError(where, fmt::format("the flow matrix is badly conditioned (condition {:.1e}, at most {:.0e}): its "
                                        "shares would be wrong",
                                        out.condition, kWorstCondition));
  }
  Eigen::VectorXd right = Eigen::VectorXd::Zero(matrix.rows());
  right(0) = 1;
  const Eigen::VectorXd shares = lu.solve(right);
  out.prediction.shares.assign(shares.begin(), shares.end());
  out.prediction.speedup = 1 / shares(0);
  out.determinant = lu.determinant();
  Eigen::MatrixXd replaced = matrix;  // A0*: the first column replaced by the right side (Cramer's rule)
  replaced.col(0) = right;
  out.determinant_speedup = std::abs(out.determinant / replaced.determinant());
  return out;
}

double branches_speedup(const std::vector<std::uint64_t>& sizes, double sigma) {
  double speedup = 1;
  for (const std::uint64_t size : sizes) {
    // 1 - (1-sigma)^size without losing the digits of a small sigma.
    speedup -= std::expm1(static_cast<double>(size) * std::log1p(-sigma)) / sigma;
  }
  return speedup;
}

}  // namespace weft::dlt
