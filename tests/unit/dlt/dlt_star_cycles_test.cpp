// Divisible loads over one interface in whole cycles, against sums by hand.

#include "algorithms/dlt/star_cycles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace weft::dlt {
namespace {

// 8 bytes per flit and cycle of 1 ns.
StarNetwork plain_network() { return {Duration{1000}, 64}; }

// 100 ns, 60 ns and 30 ns per 8 bytes.
const StarSpeeds kSpeeds{12'500, {7'500, 3'750}};

TEST(DltStarCycles, MessagesFollowEachOther) {
  StarMessageSizes bytes{8, {{16, 24}}, {}};
  // The root needs 100 cycles. Node 0 has its 2 flits in cycle 2 and computes 120 cycles; node 1 has its 3 in cycle 5.
  EXPECT_EQ(star_cycles(plain_network(), bytes, kSpeeds), 122);
  bytes.messages = {{9, 80}};  // 2 and 10 flits: 2 + 67.5, 12 + 300
  EXPECT_EQ(star_cycles(plain_network(), bytes, kSpeeds), 312);
  bytes.messages = {{0, 80}};  // a message without a byte is not sent
  EXPECT_EQ(star_cycles(plain_network(), bytes, kSpeeds), 310);
}

TEST(DltStarCycles, OverheadsAndLatencies) {
  StarNetwork network = plain_network();
  network.send_overhead = 5;
  network.receive_overhead = 3;
  network.there = {20, 40};
  network.back = {7, 9};
  StarMessageSizes bytes{8, {{16, 24}}, {}};
  // Handed over in cycles 5 and 10, left in 7 and 13, there in 27 and 53; received in 30 and 56. The root: 10 + 100.
  EXPECT_EQ(star_cycles(network, bytes, kSpeeds), 150);  // 30 + 120 against 56 + 90
  bytes.results = {8, 800};
  // Results leave in 155 and 151 and begin to arrive in 162 and 160: the longer one is there in 260, the other in 261.
  EXPECT_EQ(star_cycles(network, bytes, kSpeeds), 267);  // 261 + 3 for node 0, then 3 for node 1
}

TEST(DltStarCycles, RoundsOverlap) {
  const StarMessageSizes bytes{0, {{8, 8}, {8, 8}}, {}};
  // Node 0: cycles 1 to 61, then to 121; node 1: 2 to 32, message there in 4, then to 62.
  EXPECT_EQ(star_cycles(plain_network(), bytes, kSpeeds), 121);
}

TEST(DltStarCycles, BytesAddUpToTheLoad) {
  const StarShares shares{1.0 / 3, {{1.0 / 3, 1.0 / 6}, {1e-9, 1.0 / 6}}};
  for (const std::uint64_t load : {1u, 2u, 7u, 100u, 1'000'003u}) {
    const StarMessageSizes bytes = bytes_of(shares, load, 0.5);
    EXPECT_EQ(bytes.root + bytes.of(0) + bytes.of(1), load);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(bytes.results[i], (bytes.of(i) + 1) / 2);
    EXPECT_NEAR(static_cast<double>(bytes.of(1)), static_cast<double>(load) / 3, 2);
  }
}

}  // namespace
}  // namespace weft::dlt
