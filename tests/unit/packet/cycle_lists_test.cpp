// Lists of coming cycles, against vectors.

#include "fabrics/packet/common/cycle_lists.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/random.h"

namespace weft::test {
namespace {

struct alignas(64) Thing : HotObject {
  int number = 0;
};

TEST(CycleLists, EachIsTakenInTheOrderItCame) {
  constexpr std::size_t kLists = 7;
  const auto things = std::make_unique<Thing[]>(100);
  CycleLists<Thing> lists(kLists);
  std::vector<std::vector<Thing*>> expected(kLists);
  RandomStream random(1, "lists");
  for (int step = 0; step < 3000; ++step) {
    const std::size_t list = random.below(kLists);
    // Lists of all lengths, those that end with a line of the cache among them.
    for (std::uint64_t n = random.below(50); n > 0; --n) {
      Thing& thing = things[random.below(100)];
      ASSERT_EQ(lists.push(list, thing), expected[list].empty());
      expected[list].push_back(&thing);
    }
    if (random.below(2) == 0) continue;
    const std::size_t taken = random.below(kLists);
    std::vector<Thing*> to{&things[0]};
    lists.take(taken, to);
    expected[taken].insert(expected[taken].begin(), &things[0]);
    ASSERT_EQ(to, expected[taken]);
    expected[taken].clear();
  }
}

}  // namespace
}  // namespace weft::test
