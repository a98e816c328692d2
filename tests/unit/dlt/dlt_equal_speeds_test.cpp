// Networks whose links, or whose nodes, all have the same inverse speed other than 1: the closed form holds for them
// with sigma times the one over the other, as long as that is below 1.

#include <gmock/gmock.h>

#include "unit/dlt/dlt_support.h"

namespace weft::dlt::test {
namespace {

DltConfig with_speeds(DltConfig config, double nodes, double links) {
  const auto last = static_cast<std::uint32_t>(build_network(config).nodes.size() - 1);
  config.nodes.push_back({{{}, 0, last}, nodes, {}});
  config.links.push_back({{}, {{}, 0, last}, {{}, 0, last}, links, false});
  return config;
}

TEST(DltEqualSpeeds, AreTheSameNetworkWithAnotherSigma) {
  struct Case {
    Dims dims;
    double nodes, links;
  };
  for (const auto& [dims, nodes, links] : std::vector<Case>{
           {{3, 2}, 1, 2}, {{4}, 1, 3}, {{3, 3}, 0.5, 1}, {{3, 3}, 2, 1}, {{5, 5}, 4, 0.5}, {{2, 2}, 1, 0.000001}}) {
    for (const DltSwitching switching : kSwitchings) {
      const double sigma = 0.3 * links / nodes;
      const Study s = make_study(with_speeds(mesh(dims, "corner", 0.3, switching), nodes, links));
      const Study same = make_study(mesh(dims, "corner", sigma, switching));
      ASSERT_TRUE(s.predicted) << s.refused;
      EXPECT_NEAR(s.predicted->sigma, sigma, 1e-15);
      EXPECT_NEAR(s.predicted->closed.speedup, same.predicted->closed.speedup, 1e-9);
      EXPECT_NEAR(s.predicted->finish, nodes * same.predicted->finish, 1e-12);
      EXPECT_NEAR(s.simulated->distribution.makespan, nodes * same.simulated->distribution.makespan, 1e-9);
      EXPECT_NEAR(s.flow.finish, nodes * same.flow.finish, 1e-7);
      EXPECT_NEAR(s.bound, same.bound, 1e-7 * s.bound);
      ASSERT_EQ(s.branches.has_value(), same.branches.has_value());
      if (!s.branches) continue;
      EXPECT_NEAR(*s.branches->formula, *same.branches->formula, 1e-6);
      EXPECT_NEAR(s.speedup(s.branches->plan.finish), *s.branches->formula, 1e-6);
    }
  }
}

// A chain by hand: two nodes of inverse speed 2 behind a link of 1.5, so sigma is 0.6 * 1.5 / 2.
TEST(DltEqualSpeeds, ChainByHand) {
  const Study s = make_study(with_speeds(mesh({3}, "0", 0.6), 2, 1.5));
  EXPECT_NEAR(s.predicted->closed.speedup, 2 + 0.55, 1e-12);
  EXPECT_NEAR(s.predicted->finish, 2 / 2.55, 1e-12);
  EXPECT_NEAR(s.simulated->distribution.makespan, 2 / 2.55, 1e-12);
}

TEST(DltEqualSpeeds, LinksSlowerThanNodesHaveNoClosedForm) {
  for (const auto& [dims, nodes, links] : std::vector<std::tuple<Dims, double, double>>{
           {{4}, 1, 5}, {{3, 2}, 1, 4}, {{3, 3}, 0.25, 1}, {{2, 2}, 0.25, 2}, {{3, 3}, 0.3, 1}}) {
    const Study s = make_study(with_speeds(mesh(dims, "corner", 0.3), nodes, links));
    EXPECT_FALSE(s.predicted);
    EXPECT_THAT(s.refused, ::testing::HasSubstr("not below 1"));
    ASSERT_TRUE(s.branches);
    EXPECT_FALSE(s.branches->formula);
    // One message per node already fills the links out of the corner.
    EXPECT_NEAR(s.speedup(s.branches->plan.finish), s.bound, 1e-7);
  }
}

TEST(DltEqualSpeeds, CurveEndsWhereSigmaReachesOne) {
  const DltConfig config = with_speeds(mesh({2, 2}, "corner", 0.3), 1, 2);
  for (const CurvePoint& p : make_curve(config, make_study(config))) {
    EXPECT_EQ(p.predicted.has_value(), p.sigma < 0.4999) << p.sigma;
    EXPECT_NEAR(p.predicted.value_or(4 - 2 * p.sigma), 4 - 2 * p.sigma, 1e-12);
    EXPECT_NEAR(p.simulated.value_or(4 - 2 * p.sigma), 4 - 2 * p.sigma, 1e-12);
    EXPECT_NEAR(*p.branches, p.predicted ? 4 - 2 * p.sigma : 1 + 1 / p.sigma, 1e-8);
  }
}

// The only load there is starts at the only injection point, whether that is said or not.
TEST(DltEqualSpeeds, LoadOfASingleInjectionPointChangesNothing) {
  DltConfig config = mesh({5, 5}, "corner", 0.3);
  const Study free = make_study(config);
  config.inject.front().load = 1;
  const Study given = make_study(config);
  ASSERT_TRUE(given.branches) << given.no_branches;
  EXPECT_NEAR(given.branches->plan.finish, free.branches->plan.finish, 1e-9);
}

}  // namespace
}  // namespace weft::dlt::test
