// Jobs in networks with several links between neighbours: schedules against the brute-force oracle, no slot of a link
// with two owners, and what another link is worth.

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <vector>

#include "algorithms/jobs/node_policy.h"
#include "algorithms/jobs/policy.h"
#include "algorithms/slots/allocation.h"
#include "unit/jobs/random_jobs.h"

namespace weft::test {
namespace {

using jobs::Schedule;

TEST(JobBundles, EqualTheOracle) {
  int changed = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    RandomCase c(seed);
    const std::vector<OracleResult> single = schedule_oracle(c.network, "fcfs", c.jobs);
    c.network.trunk = 2 + static_cast<int>(seed % 2);
    c.network.reconfiguration = seed % 5 == 0 ? 2 : 0;
    c.network.queue_per_slot = seed % 7 == 0;
    for (const char* policy : {"fcfs", "easy", "lff"}) ASSERT_NO_FATAL_FAILURE(compare(c, policy, seed));
    const std::vector<OracleResult> wide = schedule_oracle(c.network, "fcfs", c.jobs);
    for (std::size_t j = 0; j < wide.size(); ++j) {
      if (wide[j].start == single[j].start && wide[j].slots == single[j].slots) continue;
      ++changed;
      break;
    }
  }
  EXPECT_GT(changed, 60) << "the additional links are hardly ever used";
}

TEST(JobBundles, NoSlotOfALinkHasTwoOwners) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    RandomCase c(seed);
    c.network.trunk = 2;
    const MeshNetwork network = c.mesh();
    for (const jobs::PolicyEntry& policy : jobs::policies()) {
      jobs::ScheduleOptions options = options_for(policy.name, c.slots());
      options.slots_per_flow = c.slots() > 2 ? 2 : 1;
      const Schedule got = run_schedule(network, c.list(), options);
      std::set<std::tuple<LinkId, Slot, jobs::Time>> used;
      for (const jobs::TimedCircuit& t : got.circuits) {
        for (const Slot s : t.slots) {
          for (const TreeEdge& e : t.tree.edges) {
            for (jobs::Time now = got.jobs[t.job].start; now < got.jobs[t.job].end; ++now) {
              ASSERT_TRUE(used.emplace(e.link, s, now).second) << "two circuits in a slot of a link";
            }
          }
        }
      }
    }
  }
}

// Slots 1 and 4 of a circuit are on one link of the bundle that is its second edge, slot 2 on another.
TEST(JobBundles, SlotsOnSeveralLinksAreParts) {
  CircuitTree tree;
  tree.source = 3;
  tree.destinations = {5};
  tree.edges = {{10, -1}, {20, 0}, {30, 1}};
  tree.ejection_edge = {2};
  const FlowSlots slots{{1, 2, 4}, {}, {{}, {{{}, {21, 20, 21}, {}}}}};
  const std::vector<jobs::CircuitLinks> parts = jobs::circuit_parts(tree, 1, slots);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].slots, (std::vector<Slot>{1, 4}));
  EXPECT_EQ(parts[0].tree.edges, (std::vector<TreeEdge>{{10, -1}, {21, 0}, {30, 1}}));
  EXPECT_EQ(parts[1].slots, (std::vector<Slot>{2}));
  EXPECT_EQ(parts[1].tree.edges, tree.edges);
  EXPECT_EQ(parts[1].tree.source, 3U);
}

// Eight jobs of a circuit each over the middle of a line of 16: nodes 0 to 7 send to 8 to 15. S slots on w links let
// w * S of them run at a time.
TEST(JobBundles, JobsRunSideBySideOnParallelLinks) {
  for (const std::uint32_t trunk : {1U, 2U, 3U}) {
    const MeshNetwork network({16}, trunk);
    std::vector<std::vector<jobs::LogicalPair>> flows;
    for (std::uint32_t n = 0; n < 8; ++n) flows.push_back({{n, n + 8}});
    for (std::uint32_t slots = 1; slots <= 8; ++slots) {
      const Schedule got = run_schedule(network, {make_job("all", 0, 10, 16, flows)}, options_for("fcfs", slots));
      EXPECT_EQ(got.jobs.size(), trunk * slots >= 8 ? 1U : 0U) << trunk << " links, " << slots << " slots";
    }
  }
}

}  // namespace
}  // namespace weft::test
