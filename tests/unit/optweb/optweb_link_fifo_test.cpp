// FIFO of a serial-link IP: the rate of the closed form against a FIFO with Gray pointers and synchronizers, edge by
// edge of both clocks.

#include "algorithms/optweb/link_fifo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace weft::optweb {
namespace {

/// Edges of both clocks at whole multiples of a period. A register takes what was there before the edge.
struct Edges {
  std::int64_t node = 1;    // period
  std::int64_t serial = 1;  // period
  std::int64_t phase = 0;   // of the first serial edge
  int word = 1;             // serial cycles of a word
};

/// Words that have left by `end`, when there is always a word to be written and a word is always taken.
struct Brute {
  std::int64_t left = 0;
  std::int64_t most = 0;  // counted by the writer
};

Brute brute_force(const Edges& e, std::int64_t depth, std::size_t stages, std::int64_t end) {
  std::int64_t written = 0;
  std::int64_t read = 0;
  std::vector<std::int64_t> to_serial(stages);
  std::vector<std::int64_t> to_node(stages);
  Brute out;
  int busy = 0;  // serial cycles of the word that is being read
  std::int64_t n = 0;
  std::int64_t s = e.phase;
  while (n < end || s < end) {
    const std::int64_t now = std::min(n, s);
    const std::int64_t written_before = written;
    const std::int64_t read_before = read;
    if (n == now) {
      if (written - to_node.back() < depth) ++written;
      out.most = std::max(out.most, written - to_node.back());
      to_node.insert(to_node.begin(), read_before);
      to_node.pop_back();
      n += e.node;
    }
    if (s == now) {
      if (busy == 0 && to_serial.back() > read) busy = e.word;
      if (busy > 0 && --busy == 0) ++read;
      to_serial.insert(to_serial.begin(), written_before);
      to_serial.pop_back();
      s += e.serial;
    }
  }
  out.left = read;
  return out;
}

constexpr std::int64_t kCycles = 100'000;

// Clocks with all edges at the same times: every crossing takes whole cycles, and the closed form is the rate itself.
TEST(OptwebLinkFifo, RateIsThatOfItsPointers) {
  const Frequency clock{200'000'000};
  for (std::uint32_t stages = 1; stages <= 4; ++stages) {
    for (const int word : {1, 2, 3}) {
      const LinkFifoClocks clocks{clock, clock, 256, Rate{256 * clock.hz / word}};
      const std::uint64_t full = full_rate_depth(stages, clocks);
      EXPECT_EQ(full, (2 * stages + 1 + static_cast<std::uint64_t>(word) + word - 1) / word);
      for (std::uint32_t depth = 1; depth <= full + 2; ++depth) {
        const Rate rate = fifo_rate({depth, stages}, clocks);
        const Brute brute = brute_force({1, 1, 0, word}, depth, stages, kCycles);
        const double exact = static_cast<double>(rate.bits_per_s) / (256.0 * 200e6) * kCycles;
        EXPECT_NEAR(static_cast<double>(brute.left), exact, depth + 2) << stages << " " << word << " " << depth;
        if (depth < full) {
          EXPECT_EQ(brute.most, depth);
        }
      }
    }
  }
}

// 200 and 355 MHz: edges of one lie anywhere in periods of the other, mostly nearer than a whole one. The rate is at
// least the closed form, and at most that of a round trip that is a period of each shorter; with the full depth it is
// the payload.
TEST(OptwebLinkFifo, PhasesOnlyShortenTheRoundTrip) {
  const LinkFifoClocks clocks{Frequency{200'000'000}, Frequency{355'000'000}, 256, Rate{355'000'000LL * 128}};
  EXPECT_EQ(full_rate_depth(2, clocks), 5U);
  const double word = 256 / (355e6 * 128);
  const double trip = 3 / 200e6 + 2 / 355e6 + word;
  for (std::uint32_t depth = 1; depth <= 6; ++depth) {
    const double rate = static_cast<double>(fifo_rate({depth, 2}, clocks).bits_per_s) / 256;
    EXPECT_NEAR(rate, std::min(1 / word, depth / trip), 1);
    for (const std::int64_t phase : {0, 13, 39}) {
      // Periods of 71 and 40 of the same part of time: 5 ns / 71.
      const std::int64_t end = 71 * kCycles;
      const double time = static_cast<double>(end) * 5e-9 / 71;
      const auto left = static_cast<double>(brute_force({71, 40, phase, 2}, depth, 2, end).left);
      EXPECT_GE(left, rate * time - depth - 2) << depth;
      EXPECT_LE(left, std::min(1 / word, depth / (trip - 1 / 200e6 - 1 / 355e6)) * time + depth + 2) << depth;
    }
  }
}

}  // namespace
}  // namespace weft::optweb
