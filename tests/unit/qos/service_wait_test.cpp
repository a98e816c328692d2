// The bound on waiting times against the Deficit Table itself: never exceeded under random traffic, and reached by an
// adversary who lets every other service level carry over as much as it can.

#include "algorithms/qos/table_bounds.h"

#include <rapidcheck.h>

#include <algorithm>
#include <random>

#include "algorithms/qos/deficit_table.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

struct Case {
  ArbitrationTable table;
  std::vector<std::uint32_t> mtus;
};

Case random_case(std::mt19937& random) {
  const auto draw = [&](std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution<std::uint32_t>(low, high)(random);
  };
  Case out;
  const std::uint32_t levels = draw(2, 6);
  for (std::uint32_t i = 0; i < levels; ++i) out.mtus.push_back(draw(1, 40));
  for (std::uint32_t i = 0; i < levels + draw(0, 20); ++i) {
    const std::uint32_t sl = i < levels ? i : draw(0, levels - 1);
    const bool unused = i >= levels && draw(0, 7) == 0;
    out.table.push_back({static_cast<ServiceLevel>(sl), unused ? 0 : out.mtus[sl] + draw(0, 30)});
  }
  std::shuffle(out.table.begin(), out.table.end(), random);
  return out;
}

TEST(ServiceWait, IsTheLargestGapWithWhatOthersCarryOver) {
  // From entry 0 around to itself: 5 + 7 + 6, and once (4 - 1) and (6 - 1). SL 2 waits longest from 3 to 1.
  const ArbitrationTable table{{0, 3}, {2, 5}, {1, 7}, {2, 6}, {1, 0}};
  const std::vector<std::uint32_t> mtus{3, 6, 4};
  EXPECT_THAT(wait_bounds(table, mtus), ElementsAre(5 + 7 + 6 + 3 + 5, 6 + 3 + 5 + 3 + 2, 7 + 5));
}

TEST(ServiceWait, IsNothingWithoutOthers) {
  EXPECT_THAT(wait_bounds({{0, 3}, {0, 4}}, std::vector<std::uint32_t>{2, 1}), ElementsAre(0, 0));
}

// Every SL but `victim` is backlogged. Until the table passes entry `begin` of the victim, which has no message then,
// each stops one credit short of its largest message; from then on it has single flits and uses up everything.
std::uint64_t adversarial_wait(const Case& c, ServiceLevel victim, std::size_t begin) {
  DeficitTable scheduler(c.table);
  EgressView view;
  for (std::uint32_t sl = 0; sl < c.mtus.size(); ++sl) {
    if (sl != victim) view.active |= 1U << sl;
    view.head[sl] = 1;
  }
  std::size_t next = begin;  // the entry after `begin` that the table selects, since the victim is not active
  do {
    next = (next + 1) % c.table.size();
  } while (c.table[next].weight == 0 || c.table[next].sl == victim);
  bool waiting = false;
  std::uint64_t waited = 0;
  for (int step = 0; step < 1'000'000; ++step) {
    // A head message may only grow where no message has been shown yet: when the SL has just this much left.
    for (std::uint32_t sl = 0; sl < c.mtus.size() && !waiting; ++sl) {
      const bool selected = scheduler.selected() && c.table[scheduler.entry()].sl == sl;
      if (selected && scheduler.accumulated_weight() == c.mtus[sl] - 1) view.head[sl] = c.mtus[sl];
    }
    const auto sl = scheduler.pick(view);
    if (!sl) return 0;
    if (*sl == victim) return waited;
    // By the second time around every SL carries over what it can.
    if (!waiting && step > 20'000 && scheduler.entry() == next &&
        scheduler.accumulated_weight() >= c.table[next].weight + c.mtus[*sl] - 1) {
      waiting = true;
      view.active |= 1U << victim;
      view.head[victim] = c.mtus[victim];
    }
    if (waiting) waited += view.head[*sl];
    view.head[*sl] = 1;
    scheduler.sent(*sl, view);
  }
  return 0;
}

TEST(ServiceWait, IsReachedByAnAdversary) {
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    const Case c = random_case(random);
    const auto bounds = wait_bounds(c.table, c.mtus);
    for (std::uint32_t victim = 0; victim < c.mtus.size(); ++victim) {
      std::uint64_t worst = 0;
      for (std::size_t begin = 0; begin < c.table.size(); ++begin) {
        if (c.table[begin].sl != victim || c.table[begin].weight == 0) continue;
        worst = std::max(worst, adversarial_wait(c, static_cast<ServiceLevel>(victim), begin));
      }
      EXPECT_EQ(worst, bounds[victim]) << "case " << i << ", SL " << victim;
    }
  }
}

TEST(ServiceWait, HoldsUnderRandomTraffic) {
  std::mt19937 random(11);
  std::uint64_t measured = 0;
  for (int i = 0; i < 40; ++i) {
    const Case c = random_case(random);
    const auto bounds = wait_bounds(c.table, c.mtus);
    const auto size = [&](std::uint32_t sl) {
      const bool extreme = random() % 2 == 0;
      return extreme ? (random() % 2 == 0 ? 1 : c.mtus[sl]) : static_cast<std::uint32_t>(random() % c.mtus[sl] + 1);
    };
    DeficitTable scheduler(c.table);
    EgressView view;
    std::vector<std::uint64_t> since(c.mtus.size(), 0);  // when the head message began to wait
    std::vector<std::uint64_t> left(c.mtus.size(), 0);   // when the last message of the SL has left the link
    std::uint64_t now = 0;
    const auto arrivals = [&](std::uint64_t at) {
      for (std::uint32_t sl = 0; sl < c.mtus.size(); ++sl) {
        if (view.is_active(static_cast<ServiceLevel>(sl)) || random() % 3 == 0) continue;
        view.active |= 1U << sl;
        view.head[sl] = size(sl);
        since[sl] = std::max(at, left[sl]);
      }
    };
    for (int step = 0; step < 20'000; ++step) {
      if (view.active == 0) arrivals(now);
      const auto sl = scheduler.pick(view);
      if (!sl) continue;
      ASSERT_LE(now - since[*sl], bounds[*sl]) << "case " << i << ", SL " << int{*sl};
      ++measured;
      const std::uint64_t start = now;
      left[*sl] = now += view.head[*sl];
      if (random() % 4 == 0) {
        view.active &= ~(1U << *sl);
      } else {
        view.head[*sl] = size(*sl);
        since[*sl] = now;
      }
      scheduler.sent(*sl, view);
      arrivals(start);  // right after the decision, the worst time to come
    }
  }
  EXPECT_GT(measured, 500'000U);
}

}  // namespace
}  // namespace weft
