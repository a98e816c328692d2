// Members due in each cycle, against lists of all pairs.

#include "fabrics/packet/common/request_wheel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"

namespace weft::test {
namespace {

TEST(RequestWheel, HoldsWhatWasAddedUntilItIsTaken) {
  for (const std::uint32_t members : {1U, 3U, 63U, 64U, 65U, 128U, 200U}) {
    RequestWheel plan(members);
    std::set<std::pair<Cycle, std::uint32_t>> expected;
    std::set<std::uint32_t> present;
    RandomStream random(members, "looks");
    const auto member = [&] { return static_cast<std::uint32_t>(random.below(members)); };
    for (Cycle now = 0; now < 1000; ++now) {
      for (std::uint64_t n = random.below(6); n > 0; --n) {
        const Cycle at = now + static_cast<Cycle>(random.below(RequestWheel::kAhead));
        const std::uint32_t m = member();
        switch (random.below(5)) {
          case 0:
            plan.set_present(m);
            present.insert(m);
            break;
          case 1:
            plan.set_absent(m);
            present.erase(m);
            break;
          case 2: {
            const auto [begin, end] = std::minmax({m, member()});
            plan.add_present(at, begin, end);
            for (const std::uint32_t p : present) {
              if (p >= begin && p < end) expected.insert({at, p});
            }
            break;
          }
          default:
            plan.add(at, m);
            expected.insert({at, m});
        }
      }
      std::vector<std::uint32_t> all;
      for (const auto& [at, m] : expected) {
        if (at == now) all.push_back(m);
      }
      std::vector<std::uint32_t> taken;
      plan.take(now, [&](std::uint32_t m) { taken.push_back(m); });
      ASSERT_EQ(taken, all) << members << " members, cycle " << now;
      expected.erase(expected.begin(), expected.upper_bound({now, members}));
    }
  }
}

}  // namespace
}  // namespace weft::test
