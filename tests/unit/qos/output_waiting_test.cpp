// Waiting at one output with the table and the load of the QoS paper's Table 4, against figures of a second model of
// the same rules, written without this one.

#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "algorithms/qos/deficit_table.h"
#include "base/random.h"

namespace weft {
namespace {

constexpr std::size_t kLevels = 7;

// Table 4 in the paper's rounding (configs/packet/parts/table4_paper_table.yaml), as weights per level in the order of
// their entries.
ArbitrationTable weights_of_table4() {
  const std::array<std::vector<std::uint32_t>, kLevels> weights{{
      {3, 3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 4},
      std::vector<std::uint32_t>(16, 11),
      {40, 40, 40, 41, 40, 40, 40, 41},
      {93, 94, 94, 94},
      {21, 22},
      {39},
      {17},
  }};
  // The level of an entry is the number of times its place, counted from 1, can be halved; BE and BK share the rest.
  std::array<std::size_t, kLevels> used{};
  ArbitrationTable table;
  for (std::size_t place = 0; place < 64; ++place) {
    std::size_t sl = 0;
    for (std::size_t p = place; p % 2 == 1; p /= 2) ++sl;
    table.push_back({static_cast<ServiceLevel>(sl), weights[sl][used[sl]++]});
  }
  return table;
}

TEST(DeficitTable, WaitsAsAnIndependentModelAtOneOutput) {
  // Flits per message, and of a cycle; best effort comes in bursts of 4 messages.
  const std::array<std::uint32_t, kLevels> size{3, 2, 32, 32, 16, 16, 16};
  const std::array<double, kLevels> load{0.01, 0.016, 0.23, 0.28, 0.164 / 3, 0.164 / 3, 0.164 / 3};
  DeficitTable table(weights_of_table4());
  RandomStream random(1, "one output");
  std::array<std::deque<std::int64_t>, kLevels> queues;
  std::array<double, kLevels> waited{};
  std::array<double, kLevels> sent{};
  std::int64_t free_at = 0;
  for (std::int64_t now = 0; now < 20'000'000; ++now) {
    EgressView view;
    for (std::size_t sl = 0; sl < kLevels; ++sl) {
      const std::size_t burst = sl >= 4 ? 4 : 1;
      if (random.uniform() < load[sl] / static_cast<double>(size[sl] * burst)) {
        queues[sl].insert(queues[sl].end(), burst, now);
      }
      if (queues[sl].empty()) continue;
      view.active |= 1U << sl;
      view.head[sl] = size[sl];
    }
    if (now < free_at) continue;
    if (view.active == 0) {
      table.idle();
      continue;
    }
    const auto sl = table.pick(view);
    if (!sl) continue;
    waited[*sl] += static_cast<double>(now - queues[*sl].front());
    ++sent[*sl];
    queues[*sl].pop_front();
    free_at = now + size[*sl];
    table.sent(*sl, view);
  }
  // Mean waiting in ns, a flit takes 5.12. Activity looked at again when a message starts would give 58.4, 60.4, 109.2
  // and 138.7.
  const std::array<double, 4> published{65.3, 67.6, 121.2, 121.0};
  for (std::size_t sl = 0; sl < published.size(); ++sl) {
    EXPECT_NEAR(5.12 * waited[sl] / sent[sl], published[sl], 0.025 * published[sl]) << "SL " << sl;
  }
}

}  // namespace
}  // namespace weft
