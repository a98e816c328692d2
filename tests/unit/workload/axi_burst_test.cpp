// Bursts of AXI4: beats against the equations of IHI 0022 (A3.4.1), and the same bytes as a transaction.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/random.h"
#include "workload/axi/axi_burst.h"

namespace weft::axi {
namespace {

struct Lanes {
  std::uint64_t address;
  std::uint64_t lower;
  std::uint64_t upper;
};

// In the words of the specification; N counts from 1.
Lanes equations(const Address& a, std::uint32_t n, std::uint64_t data_bus_bytes) {
  const std::uint64_t start_address = a.address;
  const std::uint64_t number_bytes = a.bytes;
  const std::uint64_t burst_length = a.beats;
  const std::uint64_t aligned_address = start_address / number_bytes * number_bytes;
  std::uint64_t address_n = n == 1 ? start_address : aligned_address + (n - 1) * number_bytes;
  if (a.burst == Burst::fixed) address_n = start_address;
  if (a.burst == Burst::wrap) {
    const std::uint64_t wrap_boundary = start_address / (number_bytes * burst_length) * (number_bytes * burst_length);
    if (address_n >= wrap_boundary + number_bytes * burst_length) {
      address_n = start_address + (n - 1) * number_bytes - number_bytes * burst_length;
    }
  }
  if (n == 1 || a.burst == Burst::fixed) {
    const std::uint64_t word = start_address / data_bus_bytes * data_bus_bytes;
    return {address_n, start_address - word, aligned_address + (number_bytes - 1) - word};
  }
  const std::uint64_t lower = address_n - address_n / data_bus_bytes * data_bus_bytes;
  return {address_n, lower, lower + number_bytes - 1};
}

Address random_burst(RandomStream& random, std::uint32_t bus) {
  for (;;) {
    Address a;
    a.burst = static_cast<Burst>(random.below(3));
    a.bytes = 1U << random.below(11);
    a.address = 0x10000 + random.below(2 * kPage);
    a.beats = static_cast<std::uint32_t>(1 + random.below(random.below(2) == 0 ? 16 : 256));
    if (a.burst == Burst::wrap) a.beats = 2U << random.below(4);
    if (a.burst == Burst::wrap) a.address -= a.address % a.bytes;
    if (violation(a, bus).empty()) return a;
  }
}

TEST(AxiBurst, BeatsAreThoseOfTheSpecification) {
  RandomStream random(1, "bursts");
  for (int i = 0; i < 3000; ++i) {
    const std::uint32_t bus = 4U << random.below(6);
    const Address a = random_burst(random, bus);
    for (std::uint32_t n = 0; n < a.beats; ++n) {
      const Lanes expected = equations(a, n + 1, bus);
      const Beat b = beat(a, n, bus);
      ASSERT_EQ(b.address, expected.address);
      ASSERT_EQ(b.lane, expected.lower);
      ASSERT_EQ(b.lane + b.bytes - 1, expected.upper);
    }
  }
}

// Byte i of a transaction is at address + i % width: every beat's bytes are where the beat has them.
TEST(AxiBurst, ATransactionHasTheBytesOfTheBeats) {
  RandomStream random(2, "bursts");
  for (int i = 0; i < 3000; ++i) {
    const std::uint32_t bus = 4U << random.below(6);
    const Address a = random_burst(random, bus);
    const Range range = range_of(a, bus);
    std::vector<int> used(range.length);
    for (std::uint32_t n = 0; n < a.beats; ++n) {
      const Beat b = beat(a, n, bus);
      for (std::uint32_t k = 0; k < b.bytes; ++k) {
        const std::uint32_t byte = place(a, n, bus) + k;
        ASSERT_LT(byte, range.length);
        ++used[byte];
        ASSERT_EQ(range.address + byte % range.width, b.address + k);
      }
    }
    ASSERT_EQ(std::count(used.begin(), used.end(), 1), range.length);
  }
}

TEST(AxiBurst, BurstsOfATransactionHaveItsBytesAndKeepTheRules) {
  RandomStream random(3, "transactions");
  for (int i = 0; i < 3000; ++i) {
    const std::uint32_t bus = 4U << random.below(6);
    Range range;
    range.address = 0x10000 + random.below(2 * kPage);
    range.length = static_cast<std::uint32_t>(1 + random.below(3 * kPage));
    range.width = static_cast<std::uint32_t>(random.below(2) == 0 ? range.length : 1 + random.below(range.length));
    std::uint32_t done = 0;
    for (const Piece& p : bursts_of(range, bus)) {
      ASSERT_EQ(violation(p.address, bus), "");
      ASSERT_EQ(p.first, done);
      ASSERT_EQ(p.address.address, range.address + done % range.width);
      ASSERT_EQ(p.address.bytes, bus);
      const Range beats = range_of(p.address, bus);
      ASSERT_GE(beats.length, p.length);
      ASSERT_LT(beats.length, p.length + bus);
      done += p.length;
    }
    ASSERT_EQ(done, range.length);
  }
}

TEST(AxiBurst, RulesAreNamed) {
  const auto rule = [](Burst burst, std::uint64_t address, std::uint32_t beats, std::uint32_t bytes) {
    return violation({0, address, beats, bytes, burst}, 8);
  };
  EXPECT_EQ(rule(Burst::incr, 0xff8, 1, 8), "");
  EXPECT_EQ(rule(Burst::incr, 0xff8, 2, 8), "burst from 0xff8 to 0x1007 crosses a boundary of 4 KiB");
  EXPECT_EQ(rule(Burst::incr, 0xffd, 1, 8), "");
  EXPECT_EQ(rule(Burst::incr, 0, 1, 16), "beats of 16 bytes on a bus of 8");
  EXPECT_EQ(rule(Burst::incr, 0, 257, 1), "257 beats");
  EXPECT_EQ(rule(Burst::fixed, 3, 16, 4), "");
  EXPECT_EQ(rule(Burst::fixed, 3, 17, 4), "FIXED burst of 17 beats");
  EXPECT_EQ(rule(Burst::wrap, 8, 4, 4), "");
  EXPECT_EQ(rule(Burst::wrap, 8, 3, 4), "WRAP burst of 3 beats");
  EXPECT_EQ(rule(Burst::wrap, 9, 4, 4), "WRAP burst at 0x9, not a multiple of 4");
  EXPECT_EQ(rule(static_cast<Burst>(3), 0, 1, 4), "burst of the reserved kind");
}

}  // namespace
}  // namespace weft::axi
