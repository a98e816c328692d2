// Single-level trees: the linear program against closed forms, equal finish times, rounds and results.

#include "algorithms/dlt/star.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace weft::dlt {
namespace {

constexpr double kStarSigmas[] = {0.02, 0.1, 0.3, 0.5, 0.9};
constexpr double kSolver = 1e-6;  // GLPK's tolerances are 1e-7

StarProblem equal_star(std::size_t nodes, double sigma) {
  StarProblem p;
  p.times.assign(nodes, 1);
  p.link = sigma;
  return p;
}

// a_k = a_(k-1) / (1 + sigma), so the speedup is a geometric series: (1 - q^N) / (1 - q) with q = 1 / (1 + sigma).
TEST(DltStar, EqualNodesAreAGeometricSeries) {
  for (const double sigma : kStarSigmas) {
    for (const std::size_t nodes : {1u, 2u, 7u, 24u}) {
      const StarProblem p = equal_star(nodes, sigma);
      const double q = 1 / (1 + sigma);
      const double speedup = (1 - std::pow(q, static_cast<double>(nodes) + 1)) / (1 - q);
      EXPECT_NEAR(1 / equal_finish_star(p).finish, speedup, 1e-9 * speedup);
      EXPECT_NEAR(1 / best_star(p).finish, speedup, kSolver * speedup);
    }
  }
}

// The best shares of one round end together; the closed form for unequal nodes has the same finish time.
TEST(DltStar, BestSharesFinishTogether) {
  std::mt19937 random(7);
  std::uniform_real_distribution<> speed(0.4, 2.5);
  for (int c = 0; c < 40; ++c) {
    StarProblem p = equal_star(1 + static_cast<std::size_t>(c % 9), 0.05 + 0.02 * c);
    p.root = speed(random);
    for (double& w : p.times) w = speed(random);
    const StarPlan best = best_star(p);
    const StarPlan equal = equal_finish_star(p);
    EXPECT_NEAR(best.finish, equal.finish, kSolver * equal.finish);
    EXPECT_NEAR(star_finish(p, equal.shares, StarCompute::when_complete, StarResults::by_node), equal.finish, 1e-12);
    double sent = 0;
    double sum = best.shares.root;
    EXPECT_NEAR(best.shares.root * p.root, best.finish, kSolver);
    for (std::size_t i = 0; i < p.times.size(); ++i) {
      sent += best.shares.of(i) * p.link;
      sum += best.shares.of(i);
      EXPECT_NEAR(sent + best.shares.of(i) * p.times[i], best.finish, kSolver) << i;
    }
    EXPECT_NEAR(sum, 1, kSolver);
  }
}

// On a bus the order of nodes of different speed does not matter.
TEST(DltStar, OrderOfNodesDoesNotMatter) {
  StarProblem p = equal_star(4, 0.3);
  p.times = {0.5, 1, 2, 3};
  const double finish = best_star(p).finish;
  p.times = {2, 0.5, 3, 1};
  EXPECT_NEAR(best_star(p).finish, finish, kSolver);
}

// In many rounds the nodes wait for the first bytes only, so the finish time goes to that of a continuous flow: the
// interface passes 1 / z of load per time, the nodes compute one each, whichever is less.
TEST(DltStar, RoundsApproachTheContinuousFlow) {
  for (const double sigma : {0.1, 0.25, 0.6}) {
    StarProblem p = equal_star(4, sigma);
    const double limit = 1 / (1 + std::min(4.0, 1 / sigma));
    double last = best_star(p).finish;
    for (const std::uint32_t rounds : {2u, 4u, 8u, 16u}) {
      p.rounds = rounds;
      const StarPlan plan = best_star(p);
      EXPECT_LT(plan.finish, last + kSolver) << sigma << " " << rounds;
      EXPECT_GT(plan.finish, limit * (1 - kSolver));
      EXPECT_NEAR(star_finish(p, plan.shares, StarCompute::when_complete, StarResults::by_node), plan.finish, kSolver);
      last = plan.finish;
    }
    EXPECT_LT(last, limit * 1.05);
  }
}

// In a long chain of small shares the primal method fails by rounding. The interface is busy all the time: the limit.
TEST(DltStar, ManyNodesAndRounds) {
  StarProblem p = equal_star(255, 0.3);
  p.rounds = 4;
  EXPECT_NEAR(best_star(p).finish, 0.3 / 1.3, kSolver);
}

// A node that returns as much as it gets. One node: z a + w a + z r a = T = w (1 - a).
TEST(DltStar, ResultsOfOneNode) {
  for (const double sigma : kStarSigmas) {
    for (const double results : {0.1, 1.0, 2.0}) {
      StarProblem p = equal_star(1, sigma);
      p.results = results;
      const double share = 1 / (2 + sigma + sigma * results);
      const StarPlan plan = best_star(p);
      EXPECT_NEAR(plan.shares.of(0), share, kSolver);
      EXPECT_NEAR(plan.finish, 1 - share, kSolver);
    }
  }
}

TEST(DltStar, ResultsTakeTime) {
  StarProblem p = equal_star(6, 0.2);
  double last = best_star(p).finish;
  for (const double results : {0.25, 0.5, 1.0}) {
    p.results = results;
    const StarPlan plan = best_star(p);
    EXPECT_GT(plan.finish, last);
    EXPECT_NEAR(star_finish(p, plan.shares, StarCompute::when_complete, StarResults::by_node), plan.finish, kSolver);
    last = plan.finish;
  }
}

// A root that only distributes: a_k = a_(k-1) w_(k-1) / (z + w_k), and the first share fills the time.
TEST(DltStar, RootThatOnlyDistributes) {
  StarProblem p = equal_star(5, 0.4);
  p.root_computes = false;
  const double q = 1 / 1.4;
  const double first = (1 - q) / (1 - std::pow(q, 5));
  const StarPlan plan = best_star(p);
  EXPECT_EQ(plan.shares.root, 0);
  EXPECT_NEAR(plan.finish, first * 1.4, kSolver);
}

// Computing while receiving: node k begins when the messages before it have been sent. T = a_0 = a_1, and from the
// second node on a_k = a_(k-1) (1 - sigma).
TEST(DltStar, ComputingWhileReceiving) {
  const double sigma = 0.3;
  const StarProblem p = equal_star(3, sigma);
  const double sum = 2 + (1 - sigma) + (1 - sigma) * (1 - sigma);
  const StarShares shares{1 / sum, {{1 / sum, (1 - sigma) / sum, (1 - sigma) * (1 - sigma) / sum}}};
  EXPECT_NEAR(star_finish(p, shares, StarCompute::while_receiving, StarResults::by_node), 1 / sum, 1e-12);
  EXPECT_GT(star_finish(p, shares, StarCompute::when_complete, StarResults::by_node), 1 / sum);
}

}  // namespace
}  // namespace weft::dlt
