#include "algorithms/qos/schedulers.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <stdexcept>

#include "base/random.h"
#include "support/egress_port.h"

namespace weft::test {
namespace {

using Rational = boost::multiprecision::cpp_rational;

// Golestani's rule as published: a tag for every message when it arrives, in fractions.
class TaggedQueues {
 public:
  explicit TaggedQueues(std::vector<std::uint32_t> shares) : shares_(std::move(shares)), last_(shares_.size()) {}

  void arrive(ServiceLevel sl, std::uint32_t size) {
    last_[sl] = std::max(last_[sl], virtual_time_) + Rational(size, shares_[sl]);
    waiting_.push_back({last_[sl], sl});
  }
  std::optional<ServiceLevel> send() {
    if (waiting_.empty()) return std::nullopt;
    const auto next = std::min_element(waiting_.begin(), waiting_.end());
    const auto [tag, sl] = *next;
    virtual_time_ = tag;
    waiting_.erase(next);
    return sl;
  }

 private:
  std::vector<std::uint32_t> shares_;
  std::vector<Rational> last_;
  Rational virtual_time_ = 0;
  std::vector<std::pair<Rational, ServiceLevel>> waiting_;
};

TEST(Scfq, HeadTagsGiveTheOrderOfArrivalTags) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomStream random(seed, "scfq");
    std::vector<std::uint32_t> shares(1 + random.below(6));
    for (std::uint32_t& share : shares) share = static_cast<std::uint32_t>(1 + random.below(12));
    Scfq scheduler(shares);
    TaggedQueues published(shares);
    EgressPort port;
    std::size_t sent = 0;
    for (int step = 0; step < 600; ++step) {
      for (std::uint64_t n = random.below(step % 100 < 50 ? 4 : 2); n > 0; --n) {  // busy and idle stretches
        const auto sl = static_cast<ServiceLevel>(random.below(shares.size()));
        const auto size = static_cast<std::uint32_t>(1 + random.below(20));
        port.push(sl, size);
        published.arrive(sl, size);
      }
      const auto wanted = published.send();
      const auto got = port.step(scheduler);
      ASSERT_EQ(got.has_value(), wanted.has_value());
      if (!got) continue;
      ASSERT_EQ(got->sl, *wanted) << "seed " << seed << " step " << step;
      ++sent;
    }
    EXPECT_GT(sent, 100U);
  }
}

// Between any two SLs that stay backlogged, the service per share differs by less than a message of each.
TEST(Scfq, ServiceIsProportionalToTheShares) {
  const std::vector<std::uint32_t> shares{101, 176, 322, 375, 43, 39, 17};  // least common multiple above 10^13
  constexpr std::uint32_t kLongest = 32;
  Scfq scheduler(shares);
  EgressPort port;
  RandomStream random(3, "scfq shares");
  std::vector<std::uint64_t> credits(shares.size());
  for (int step = 0; step < 200'000; ++step) {
    for (ServiceLevel sl = 0; sl < shares.size(); ++sl) {
      while (port.queued(sl) < 2) port.push(sl, static_cast<std::uint32_t>(1 + random.below(kLongest)));
    }
    const auto sent = port.step(scheduler);
    ASSERT_TRUE(sent);
    credits[sent->sl] += sent->size;
    if (step % 997 != 0) continue;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Rational difference = abs(Rational(credits[i], shares[i]) - Rational(credits[j], shares[j]));
        ASSERT_LE(difference, Rational(kLongest, shares[i]) + Rational(kLongest, shares[j])) << "step " << step;
      }
    }
  }
}

TEST(Scfq, WithoutCreditsNoServiceIsSaved) {
  Scfq scheduler({1, 1});
  EgressPort port;
  for (int i = 0; i < 100; ++i) {
    port.push(0, 4);
    port.push(1, 4);
  }
  port.block(0, true);
  EXPECT_EQ(credits_of(port.run(scheduler, 20))[1], 80U);
  port.block(0, false);
  const auto credits = credits_of(port.run(scheduler, 20));
  EXPECT_EQ(credits[0], 40U);
  EXPECT_EQ(credits[1], 40U);
}

TEST(Scfq, SharesWithoutACommonMultipleAreRefused) {
  EXPECT_EQ(Scfq::common_multiple({6, 0, 4}), 12U);
  EXPECT_EQ(Scfq::common_multiple({}), 1U);
  const std::vector<std::uint32_t> primes{4294967291U, 4294967279U, 4294967231U};
  EXPECT_EQ(Scfq::common_multiple(primes), std::nullopt);
  EXPECT_THROW(Scfq{primes}, std::invalid_argument);
}

}  // namespace
}  // namespace weft::test
