// A shared buffer beside one that keeps a list of its flits, each with the cycle in which it leaves.

#include "fabrics/packet/common/shared_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace weft::test {
namespace {

class FlitByFlit {
 public:
  explicit FlitByFlit(const BufferShares& shares) : shares_(shares), held_(shares.minimum.size()) {}

  void take(std::size_t lane, std::uint32_t flits) { held_[lane] += flits; }
  void add(std::size_t lane, const Drain& d) {
    held_[lane] -= d.flits;
    // At most `rate` flits leave per cycle, and no flit before the cycle in which it comes.
    for (std::uint32_t n = 0; n < d.flits; ++n) {
      const Cycle come = d.arrive + static_cast<Cycle>(n);
      leaves_.push_back({lane, std::max(come, d.start + static_cast<Cycle>(n / d.rate))});
    }
  }
  std::int64_t held(std::size_t lane) const { return held_[lane]; }
  std::int64_t used(std::size_t lane, Cycle after) const {
    return held_[lane] + std::count_if(leaves_.begin(), leaves_.end(),
                                       [&](const Leave& l) { return l.lane == lane && l.cycle > after; });
  }
  std::int64_t room(std::size_t lane, Cycle after) const {
    std::int64_t shared = shares_.capacity;
    for (std::size_t v = 0; v < held_.size(); ++v) {
      shared -= std::max<std::int64_t>(shares_.minimum[v], used(v, after));
    }
    const std::int64_t mine = used(lane, after);
    const std::int64_t own = std::max<std::int64_t>(0, shares_.minimum[lane] - mine);
    return std::min<std::int64_t>(shares_.maximum[lane] - mine, own + shared);
  }
  void forget(Cycle before) {
    std::erase_if(leaves_, [&](const Leave& l) { return l.cycle < before; });
  }

 private:
  struct Leave {
    std::size_t lane;
    Cycle cycle;
  };
  const BufferShares& shares_;
  std::vector<std::int64_t> held_;  // per VL, by messages that have not begun to leave
  std::vector<Leave> leaves_;
};

BufferShares random_shares(RandomStream& random, std::size_t lanes, std::uint32_t capacity) {
  BufferShares shares;
  shares.capacity = capacity;
  for (std::size_t v = 0; v < lanes; ++v) {
    const auto most = static_cast<std::uint32_t>(capacity / lanes);
    shares.minimum.push_back(static_cast<std::uint32_t>(random.below(most + 1)));
    shares.maximum.push_back(
        static_cast<std::uint32_t>(shares.minimum[v] + random.below(capacity - shares.minimum[v] + 1)));
  }
  return shares;
}

struct Kind {
  std::size_t lanes;
  std::uint32_t capacity;
  Cycle gap;    // longest time between two events
  Cycle ahead;  // and to the start of a drain
};

class SharedBufferOf : public testing::TestWithParam<Kind> {};

TEST_P(SharedBufferOf, CountsAsFlitByFlit) {
  const Kind& kind = GetParam();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomStream random(seed, "shared buffer");
    const BufferShares shares = random_shares(random, kind.lanes, kind.capacity);
    SharedBuffer buffer(shares);
    FlitByFlit expected(shares);
    std::vector<std::vector<std::uint32_t>> waiting(kind.lanes);
    Cycle now = 0;
    for (int step = 0; step < 300; ++step) {
      if (random.below(3) == 0) now += static_cast<Cycle>(random.below(static_cast<std::uint64_t>(kind.gap)));
      const auto lane = static_cast<VirtualLane>(random.below(kind.lanes));
      const auto flits = static_cast<std::uint32_t>(1 + random.below(std::min<std::uint32_t>(kind.capacity, 60)));
      const bool fits = expected.room(lane, now) >= flits;
      ASSERT_EQ(buffer.lacking(lane, flits, now) <= 0, fits) << "seed " << seed << " step " << step;
      if (fits) {
        buffer.take(lane, flits);
        expected.take(lane, flits);
        waiting[lane].push_back(flits);
      } else if (buffer.draining()) {
        // Until then, less than what is missing comes back.
        const std::int64_t missing = flits - expected.room(lane, now);
        const Cycle first = buffer.earliest(now, missing);
        ASSERT_GT(first, now);
        std::int64_t back = 0;
        for (std::size_t v = 0; v < kind.lanes; ++v) back += expected.used(v, now) - expected.used(v, first - 1);
        ASSERT_LT(back, missing);
      }
      if (random.below(2) == 0 && !waiting[lane].empty()) {
        const Cycle start = now + static_cast<Cycle>(random.below(static_cast<std::uint64_t>(kind.ahead)));
        const Cycle arrive = start - static_cast<Cycle>(random.below(40));
        const Drain drain{start, arrive, static_cast<std::uint32_t>(1 + random.below(3)), waiting[lane].back()};
        waiting[lane].pop_back();
        buffer.add(lane, drain, now);
        expected.add(lane, drain);
      }
      SharedBuffer copy = buffer;
      if (random.below(4) == 0) copy = SharedBuffer(buffer);
      copy.advance(now);
      if (random.below(4) == 0) buffer.advance(now);
      std::int64_t all = 0;
      for (std::size_t v = 0; v < kind.lanes; ++v) {
        const auto l = static_cast<VirtualLane>(v);
        ASSERT_EQ(copy.used(l), expected.used(v, now)) << "seed " << seed << " step " << step << " VL " << v;
        ASSERT_EQ(copy.room(l), expected.room(v, now)) << "seed " << seed << " step " << step << " VL " << v;
        ASSERT_EQ(copy.held(l), expected.held(v)) << "seed " << seed << " step " << step << " VL " << v;
        ASSERT_LE(buffer.room(l), copy.room(l));
        all += copy.used(l);
      }
      ASSERT_EQ(copy.used(), all);
      expected.forget(now);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, SharedBufferOf,
                         testing::Values(Kind{1, 200, 30, 3}, Kind{7, 400, 30, 3}, Kind{8, 32'767, 10, 40},
                                         Kind{8, 32'768, 10, 40}, Kind{9, 400, 30, 3}, Kind{32, 2'000, 30, 10},
                                         Kind{4, 300, Cycle{3} << 30, 5}, Kind{4, 300, 30, Cycle{5} << 30},
                                         Kind{4, 300, Cycle{3} << 30, Cycle{5} << 30}));

}  // namespace
}  // namespace weft::test
