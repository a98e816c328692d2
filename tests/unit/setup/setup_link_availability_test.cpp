// Failure that is charged when several hold a link down, against the list of all failures.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "fabrics/tdm/setup/link_availability.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft {
namespace {

struct Interval {
  Cycle down = 0;
  Cycle up = 0;
};

// The failure in force at `now` that came first; kNoId: none.
std::uint32_t first_in_force(const std::vector<Interval>& all, Cycle now) {
  std::uint32_t first = kNoId;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].down > now || all[i].up <= now) continue;
    if (first == kNoId || all[i].down < all[first].down) first = i;
  }
  return first;
}

TEST(SetupLinkAvailability, AFailureIsChargedOnlyWhileItIsInForce) {
  TopologyConfig config = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{2}}});
  const Graph graph = build_topology(config);
  RandomStream random(1, "link states");
  int hidden = 0;
  int draining = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Interval> all(1 + random.below(5));
    for (Interval& i : all) {
      i.down = static_cast<Cycle>(random.below(12));
      i.up = i.down + 1 + static_cast<Cycle>(random.below(8));
    }
    LinkAvailability links(graph);
    const LinkId link = links.at(0, 0);
    std::uint32_t before = kNoId;  // that held the link in the cycle before
    for (Cycle now = 0; now < 24; ++now) {
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (all[i].up == now) links.repair(link, now, i);
      }
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (all[i].down == now) links.fail(link, now, i);
      }
      const std::uint32_t holder = first_in_force(all, now);
      ASSERT_EQ(links.failed(link), holder != kNoId);
      if (holder != kNoId) {
        ASSERT_EQ(links.holder(link), holder) << "round " << round << ", cycle " << now;
        hidden +=
            std::count_if(all.begin(), all.end(), [&](const Interval& i) { return i.down <= now && now < i.up; }) > 1;
        before = holder;
      } else if (before != kNoId) {  // as long as its circuits are not cleared away
        ASSERT_EQ(links.holder(link), before) << "round " << round << ", cycle " << now;
        ++draining;
      }
    }
  }
  EXPECT_GT(hidden, 1000);
  EXPECT_GT(draining, 1000);
}

}  // namespace
}  // namespace weft
