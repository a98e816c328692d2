// Parts of job scheduling: node policies, the queue for backfilling, statistics in bounded memory.

#include <algorithm>
#include <random>

#include "algorithms/jobs/backfill_queue.h"
#include "algorithms/jobs/node_policy.h"
#include "observe/bounded_samples.h"
#include "observe/time_profile.h"
#include "unit/jobs/jobs_support.h"
#include "workload/job_traffic.h"

namespace weft::test {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using Nodes = std::vector<NodeId>;

jobs::NodeSet free_nodes(std::size_t count, const std::vector<std::size_t>& busy) {
  jobs::NodeSet set(count);
  set.set();
  for (const std::size_t n : busy) set.reset(n);
  return set;
}

Nodes choose(const Graph& graph, const std::string& policy, const jobs::NodeSet& free, std::uint32_t nodes,
             std::uint64_t seed = 1) {
  for (const jobs::NodePolicyEntry& entry : jobs::node_policies()) {
    if (policy != entry.name) continue;
    return entry.make(graph, seed)->choose(free, make_job("j", 0, 1, nodes)).value_or(Nodes{});
  }
  ADD_FAILURE() << policy;
  return {};
}

TEST(NodePolicies, FirstFit) {
  const MeshNetwork m({4, 4});
  EXPECT_THAT(choose(m.graph, "first_fit", free_nodes(16, {0, 2}), 4), ElementsAre(1, 3, 4, 5));
}

TEST(NodePolicies, ContiguousTakesTheMostCompactBox) {
  const MeshNetwork m({4, 4});
  EXPECT_THAT(choose(m.graph, "contiguous", free_nodes(16, {}), 4), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(choose(m.graph, "contiguous", free_nodes(16, {0}), 4), ElementsAre(1, 2, 5, 6));
  EXPECT_THAT(choose(m.graph, "contiguous", free_nodes(16, {}), 2), ElementsAre(0, 1));
  EXPECT_THAT(choose(m.graph, "contiguous", free_nodes(16, {}), 3), ElementsAre(0, 1, 2))
      << "no larger than a square of 2x2";
  // Only the last row and the last column are free.
  const jobs::NodeSet l = free_nodes(16, {0, 1, 2, 4, 5, 6, 8, 9, 10});
  EXPECT_THAT(choose(m.graph, "contiguous", l, 4), ElementsAre(12, 13, 14, 15));
  EXPECT_THAT(choose(m.graph, "contiguous", l, 5), ElementsAre()) << "seven are free, but no box";
  EXPECT_THAT(choose(m.graph, "contiguous", free_nodes(16, {}), 16).size(), 16u);
  // Three rows of two, without the upper right corner: an incomplete column; the order of nodes is by columns then.
  EXPECT_THAT(choose(m.graph, "contiguous", free_nodes(16, {2, 3, 6, 7, 9, 10, 11, 12, 13, 14, 15}), 5),
              ElementsAre(0, 1, 4, 5, 8));
  EXPECT_THAT(choose(m.graph, "contiguous", free_nodes(16, {2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15}), 4),
              ElementsAre(0, 4, 8, 1));
  const MeshNetwork cube({2, 3, 2});
  EXPECT_THAT(choose(cube.graph, "contiguous", free_nodes(12, {}), 8), ElementsAre(0, 1, 2, 3, 6, 7, 8, 9));
}

// Whatever it finds is free and in a box that a search over all boxes finds too; what it does not find is not there.
TEST(NodePolicies, ContiguousFindsABoxWheneverThereIsOne) {
  const MeshNetwork m({5, 3});
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    jobs::NodeSet free(15);
    for (std::size_t n = 0; n < 15; ++n) free.set(n, random() % 4 != 0);
    const std::uint32_t nodes = 1 + random() % 9;
    if (free.count() < nodes) continue;
    bool exists = false;
    std::uint32_t least = ~0u;
    // Row by row, or column by column.
    const std::uint32_t dims[] = {5, 3}, strides[] = {1, 5};
    for (const int along : {0, 1}) {
      for (std::uint32_t w = 1; w <= dims[along]; ++w) {
        const std::uint32_t h = (nodes + w - 1) / w;
        for (std::uint32_t x = 0; x + w <= dims[along]; ++x) {
          for (std::uint32_t y = 0; y + h <= dims[1 - along]; ++y) {
            bool all = true;
            for (std::uint32_t i = 0; i < nodes; ++i) {
              all = all && free.test((x + i % w) * strides[along] + (y + i / w) * strides[1 - along]);
            }
            if (all) least = std::min(least, w + h);
            exists = exists || all;
          }
        }
      }
    }
    const Nodes got = choose(m.graph, "contiguous", free, nodes);
    ASSERT_EQ(!got.empty(), exists);
    if (!exists) continue;
    ASSERT_EQ(got.size(), nodes);
    const auto x = [](NodeId a, NodeId b) { return a % 5 < b % 5; };
    const auto y = [](NodeId a, NodeId b) { return a / 5 < b / 5; };
    const auto [left, right] = std::minmax_element(got.begin(), got.end(), x);
    const auto [low, high] = std::minmax_element(got.begin(), got.end(), y);
    ASSERT_EQ(*right % 5 - *left % 5 + 1 + *high / 5 - *low / 5 + 1, least);
    for (const NodeId n : got) ASSERT_TRUE(free.test(n));
  }
}

TEST(NodePolicies, RandomDependsOnSeedAndJobOnly) {
  const MeshNetwork m({4, 4});
  const jobs::NodeSet free = free_nodes(16, {3, 7});
  EXPECT_EQ(choose(m.graph, "random", free, 6, 1), choose(m.graph, "random", free, 6, 1));
  EXPECT_NE(choose(m.graph, "random", free, 6, 1), choose(m.graph, "random", free, 6, 2));
  Nodes all = choose(m.graph, "random", free, 14, 5);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  EXPECT_EQ(all.size(), 14u);
}

TEST(BackfillQueue, FindsWhatALinearSearchFinds) {
  std::mt19937 random(5);
  jobs::BackfillQueue queue;
  struct Entry {
    jobs::JobIndex index;
    std::uint32_t nodes;
    jobs::Time run;
  };
  std::vector<Entry> list;  // in order
  jobs::JobIndex next = 0;
  for (int round = 0; round < 4000; ++round) {
    if (list.empty() || random() % 5 < 3) {
      const Entry e{next++, 1 + static_cast<std::uint32_t>(random() % 20), 1 + static_cast<jobs::Time>(random() % 50)};
      queue.push(e.index, make_job("", 0, e.run, e.nodes));
      list.push_back(e);
    } else {
      const std::size_t victim = random() % std::min<std::size_t>(list.size(), 8);
      jobs::BackfillQueue::Position p = queue.front();
      while (queue.at(p) != list[victim].index) p = queue.next(p + 1, {1000, 1000, 1000});
      queue.erase(p);
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(victim));
    }
    ASSERT_EQ(queue.empty(), list.empty());
    if (list.empty()) continue;
    ASSERT_EQ(queue.at(queue.front()), list.front().index);
    const jobs::BackfillQueue::Limits limits{static_cast<std::uint32_t>(random() % 10),
                                             static_cast<std::uint32_t>(random() % 4),
                                             static_cast<jobs::Time>(random() % 20)};
    const auto qualifies = [&](const Entry& e) {
      return e.nodes <= limits.free && (e.run <= limits.longest || e.nodes <= limits.spare);
    };
    std::vector<jobs::JobIndex> expected;
    for (const Entry& e : list) {
      if (qualifies(e)) expected.push_back(e.index);
    }
    std::vector<jobs::JobIndex> got;
    for (auto p = queue.next(0, limits); p != jobs::BackfillQueue::kNone; p = queue.next(p + 1, limits)) {
      got.push_back(queue.at(p));
    }
    ASSERT_EQ(got, expected);
  }
}

TEST(BoundedSamples, RatiosAreNotRounded) {
  BoundedRatios few(100);
  for (const int run : {3, 7, 9}) few.add(10.0 / run);
  EXPECT_DOUBLE_EQ(*few.mean(), (10.0 / 3 + 10.0 / 7 + 10.0 / 9) / 3);
  EXPECT_EQ(few.percentile(50), 10.0 / 7);
  EXPECT_EQ(few.max(), 10.0 / 3);
  BoundedRatios many(10);
  for (int i = 1; i <= 1000; ++i) many.add(1 + i / 7.0);
  EXPECT_FALSE(many.exact());
  EXPECT_NEAR(*many.percentile(50), 1 + 500 / 7.0, (1 + 500 / 7.0) / 1000);
  EXPECT_LE(*many.percentile(50), 1 + 500 / 7.0);
  EXPECT_NEAR(*many.mean(), 1 + 500.5 / 7, 1e-9);
}

TEST(BoundedSamples, ExactThenWithinAThousandth) {
  BoundedSamples few(100);
  for (std::int64_t v = 100; v >= 1; --v) few.add(v);
  EXPECT_TRUE(few.exact());
  EXPECT_EQ(few.percentile(50), 50);
  EXPECT_EQ(few.percentile(99), 99);
  EXPECT_EQ(few.percentile(100), 100);
  EXPECT_EQ(few.percentile(0), 1);
  EXPECT_DOUBLE_EQ(*few.mean(), 50.5);
  EXPECT_EQ(BoundedSamples().percentile(50), std::nullopt);
  BoundedSamples many(100);
  std::vector<std::int64_t> values;
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) values.push_back(static_cast<std::int64_t>(random() >> (random() % 40 + 20)));
  double sum = 0;
  for (const std::int64_t v : values) {
    many.add(v);
    sum += static_cast<double>(v);
  }
  std::sort(values.begin(), values.end());
  EXPECT_FALSE(many.exact());
  EXPECT_EQ(many.max(), values.back());
  EXPECT_DOUBLE_EQ(*many.mean(), sum / 20000);
  for (const std::uint32_t percent : {1u, 10u, 50u, 90u, 99u}) {
    const auto want = static_cast<double>(values[200 * percent - 1]);
    const auto got = static_cast<double>(*many.percentile(percent));
    EXPECT_LE(got, want);
    EXPECT_GE(got, want * 0.999);
  }
}

TEST(TimeProfile, KeepsTheAreaWhenPeriodsMerge) {
  std::mt19937 random(2);
  TimeProfile profile;
  profile.start(1000);
  std::int64_t now = 1000;
  double area = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto span = static_cast<std::int64_t>(random() % 40);
    const double level = static_cast<double>(random() % 17);
    now += span;
    area += level * static_cast<double>(span);
    profile.advance(now, {level, 2 * level, 3 * level});
  }
  EXPECT_EQ(profile.end(), now);
  const auto averages = profile.averages();
  EXPECT_LE(averages.size(), 512u);
  EXPECT_GT(averages.size(), 256u);
  double again = 0;
  std::int64_t from = 1000;
  for (const TimeProfile::Levels& l : averages) {
    const std::int64_t to = std::min(from + profile.period(), now);
    again += l.nodes * static_cast<double>(to - from);
    EXPECT_NEAR(l.slots, 2 * l.nodes, 1e-9);
    from = to;
  }
  EXPECT_EQ(from, now);
  EXPECT_NEAR(again, area, 1e-6);
  EXPECT_NEAR(profile.total().nodes * static_cast<double>(now - 1000), area, 1e-6);
}

TEST(JobPattern, AnUnknownOneIsAnsweredWithTheClosestOrAllOfThem) {
  const auto message = [](const std::string& name) -> std::string {
    try {
      make_job_pattern(name, {"--pattern"});
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message("rong"), "--pattern: error: unknown pattern 'rong'; did you mean 'ring'?");
  EXPECT_THAT(message("foo"),
              ::testing::StartsWith("--pattern: error: unknown pattern 'foo'; expected one of: none, ring, "));
  EXPECT_EQ(message("mixed"), "");
}

}  // namespace
}  // namespace weft::test
