// The paper's model: shares, speedup, flow matrix and determinant, against the paper's own figures and each other.

#include "algorithms/dlt/closed_form.h"

#include "network/topology/topologies.h"
#include "unit/dlt/dlt_support.h"

namespace weft::dlt::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kSigmas[] = {0.01, 0.1, 0.3, 0.5, 0.77, 0.99};

// Section 3.1 and equations 33 and 34 of the paper: first rows of its flow matrices.
TEST(DltClosedForm, NodesByDistanceAreThePapers) {
  EXPECT_THAT(counts_of(mesh({2, 2}, "corner", 0.5)), ElementsAre(1, 2, 1));
  EXPECT_THAT(counts_of(mesh({10, 2}, "corner", 0.5)), ElementsAre(1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1));
  EXPECT_THAT(counts_of(mesh({8, 3}, "corner", 0.5)), ElementsAre(1, 2, 3, 3, 3, 3, 3, 3, 2, 1));
  EXPECT_THAT(counts_of(mesh({5, 5}, "corner", 0.5)), ElementsAre(1, 2, 3, 4, 5, 4, 3, 2, 1));
  EXPECT_THAT(counts_of(mesh({5, 5}, "centre", 0.5)), ElementsAre(1, 4, 8, 8, 4));
  EXPECT_THAT(counts_of(mesh({5, 5}, "edge", 0.5)), ElementsAre(1, 3, 5, 5, 5, 4, 2));
  EXPECT_THAT(counts_of(load_on("torus", {5, 5}, "7", 0.5)), ElementsAre(1, 4, 8, 8, 4));
  EXPECT_THAT(counts_of(mesh({2, 2, 2, 2}, "3", 0.5)), ElementsAre(1, 4, 6, 4, 1));  // binomial
}

// Equations 12 to 14.
TEST(DltClosedForm, TwoByTwo) {
  for (const double s : kSigmas) {
    const Prediction p = closed_form({1, 2, 1}, s, DltSwitching::cut_through);
    EXPECT_NEAR(p.speedup, 4 - s, 1e-14);
    EXPECT_NEAR(p.shares[0], 1 / (4 - s), 1e-15);
    EXPECT_NEAR(p.shares[1], 1 / (4 - s), 1e-15);
    EXPECT_NEAR(p.shares[2], (1 - s) / (4 - s), 1e-15);
    EXPECT_EQ(p.equivalent_inverse_speed(), p.shares[0]);
  }
}

// Equation 10, entry by entry.
TEST(DltClosedForm, FlowMatrixIsThePapers) {
  Eigen::MatrixXd paper(3, 3);
  paper << 1, 2, 1, 1, -1, 0, 0, 0.3 - 1, 1;
  EXPECT_EQ(flow_matrix({1, 2, 1}, 0.3, DltSwitching::cut_through), paper);
}

// The shares put back into what the rows mean: everybody stops together, and the load is all there.
TEST(DltClosedForm, SharesStopTogether) {
  const NodeCounts counts{1, 2, 3, 4, 5, 4, 3, 2, 1};
  for (const double s : kSigmas) {
    const Prediction p = closed_form(counts, s, DltSwitching::cut_through);
    double sent = 0;
    double sum = p.shares[0];
    for (std::size_t d = 1; d < counts.size(); ++d) {
      EXPECT_NEAR(s * sent + p.shares[d], p.shares[0], 1e-15);
      sent += p.shares[d];
      sum += static_cast<double>(counts[d]) * p.shares[d];
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

TEST(DltClosedForm, StoreAndForwardByHand) {
  // Two hops of a chain. Modified: a1 = a0; sigma (a1 + a2) + a2 = a0. Pure: sigma a1 + a1 = a0 and
  // sigma a1 + 2 sigma a2 + a2 = a0.
  const double s = 0.25;
  const Prediction modified = closed_form({1, 1, 1}, s, DltSwitching::modified_store_and_forward);
  EXPECT_NEAR(modified.shares[1], modified.shares[0], 1e-15);
  EXPECT_NEAR(s * (modified.shares[1] + modified.shares[2]) + modified.shares[2], modified.shares[0], 1e-15);
  const Prediction pure = closed_form({1, 1, 1}, s, DltSwitching::store_and_forward);
  EXPECT_NEAR((1 + s) * pure.shares[1], pure.shares[0], 1e-15);
  EXPECT_NEAR(s * pure.shares[1] + 2 * s * pure.shares[2] + pure.shares[2], pure.shares[0], 1e-15);
}

TEST(DltClosedForm, MatrixAndDeterminantAgree) {
  std::vector<NodeCounts> all{{1}, {1, 1}, {1, 2, 1}, {1, 4, 8, 8, 4}};
  all.push_back(counts_of(mesh({32, 32}, "corner", 0.5)));
  all.push_back(counts_of(mesh({300}, "corner", 0.5)));
  for (const NodeCounts& counts : all) {
    for (const double s : kSigmas) {
      for (const DltSwitching switching : kSwitchings) {
        const Prediction closed = closed_form(counts, s, switching);
        const MatrixSolution matrix = solve_flow_matrix(flow_matrix(counts, s, switching), {});
        ASSERT_EQ(matrix.prediction.shares.size(), counts.size());
        for (std::size_t d = 0; d < counts.size(); ++d) {
          EXPECT_NEAR(matrix.prediction.shares[d], closed.shares[d], 1e-12 * closed.shares[0]) << d;
        }
        EXPECT_NEAR(matrix.determinant_speedup / closed.speedup, 1, 1e-11);
        if (switching == DltSwitching::cut_through) {
          EXPECT_NEAR(std::abs(matrix.determinant) / closed.speedup, 1, 1e-11);
        }
      }
    }
  }
}

TEST(DltClosedForm, SingularAndBadlyConditionedMatricesAreRefused) {
  Eigen::MatrixXd singular(2, 2);
  singular << 1, 2, 2, 4;
  Eigen::MatrixXd bad(2, 2);
  bad << 1, 1, 1, 1 + 1e-13;
  for (const auto& [matrix, said] : {std::pair(singular, "singular"), std::pair(bad, "badly conditioned")}) {
    try {
      solve_flow_matrix(matrix, {"in.yaml", 3, 8});
      FAIL() << said;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(said));
      EXPECT_THAT(e.what(), HasSubstr("in.yaml:3:8"));
    }
  }
}

TEST(DltClosedForm, BranchesOfTheTorus) {
  // Four branches of six behind the links of a 5x5 torus; uneven ones are worse, and none is over 1 + 4 / sigma.
  EXPECT_NEAR(branches_speedup({6, 6, 6, 6}, 0.3), 1 + 4 * (1 - std::pow(0.7, 6)) / 0.3, 1e-12);
  EXPECT_NEAR(branches_speedup({5, 6, 6, 7}, 0.3), 12.714, 5e-4);
  EXPECT_LT(branches_speedup({100, 100, 100, 100}, 0.3), 1 + 4 / 0.3);
}

}  // namespace
}  // namespace weft::dlt::test
