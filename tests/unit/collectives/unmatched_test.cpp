// Sparse queues between pairs of nodes against one queue per pair.

#include "algorithms/collectives/unmatched.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "base/random.h"

namespace weft::collectives {
namespace {

using Dense = std::map<std::pair<NodeId, NodeId>, std::deque<std::uint32_t>>;

Dense content(const UnmatchedQueues<std::uint32_t>& queues) {
  Dense out;
  queues.each([&](NodeId source, NodeId destination, std::uint32_t entry) {
    out[{source, destination}].push_back(entry);
  });
  return out;
}

// Few pairs, so that queues fill up and slots are next to each other; and many.
TEST(UnmatchedQueues, AreOneQueuePerPair) {
  for (const std::uint32_t nodes : {3U, 40U, 5000U}) {
    RandomStream random(nodes, "pairs");
    UnmatchedQueues<std::uint32_t> queues;
    Dense dense;
    for (std::uint32_t i = 0; i < 40'000; ++i) {
      const auto source = static_cast<NodeId>(random.below(nodes));
      const auto destination = static_cast<NodeId>(random.below(nodes));
      const bool fills = i / 4000 % 2 == 0;
      if (random.below(10) < (fills ? 8U : 2U)) {
        queues.push(source, destination, i);
        dense[{source, destination}].push_back(i);
        continue;
      }
      // Mostly a pair that has something.
      const auto at =
          random.below(4) > 0 ? dense.lower_bound({source, destination}) : dense.find({source, destination});
      const auto pair = at == dense.end() ? std::pair(source, destination) : at->first;
      std::uint32_t entry = 0;
      const bool found = queues.pop(pair.first, pair.second, entry);
      ASSERT_EQ(found, dense.contains(pair));
      if (!found) continue;
      ASSERT_EQ(entry, dense[pair].front());
      dense[pair].pop_front();
      if (dense[pair].empty()) dense.erase(pair);
    }
    EXPECT_EQ(content(queues), dense);
    EXPECT_FALSE(queues.empty());
    for (const auto& [pair, entries] : dense) {
      for (const std::uint32_t expected : entries) {
        std::uint32_t entry = 0;
        ASSERT_TRUE(queues.pop(pair.first, pair.second, entry));
        ASSERT_EQ(entry, expected);
      }
    }
    EXPECT_TRUE(queues.empty());
    EXPECT_TRUE(content(queues).empty());
  }
}

}  // namespace
}  // namespace weft::collectives
