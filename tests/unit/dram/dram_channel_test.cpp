// Pseudo channel of HBM2: intervals in closed form, and every column command against a controller that looks at each
// clock.

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "algorithms/dram/pseudo_channel.h"
#include "base/random.h"
#include "reference/dram_oracle.h"
#include "unit/dram/dram_cases.h"

namespace weft::test {
namespace {

using dram::PseudoChannel;
using dram::Tick;

TEST(DramChannel, ReadsTakeTheIntervalsOfTheirBank) {
  dram::Config c = dram_case();
  c.refresh = DramRefresh::none;
  const dram::Timing& t = c.timing;
  PseudoChannel channel(c, 0);
  // A closed bank, the open row, another row of it, the next bank.
  EXPECT_EQ(channel.access(100, 0, false).end, 100 + t.rcd_read + t.read + t.burst);
  EXPECT_EQ(channel.access(200, 32, false).end, 200 + t.read + t.burst);
  EXPECT_EQ(channel.access(300, c.page_bytes * c.all_banks(), false).end, 300 + t.rp + t.rcd_read + t.read + t.burst);
  EXPECT_EQ(channel.access(400, c.page_bytes, false).end, 400 + t.rcd_read + t.read + t.burst);
  EXPECT_EQ(channel.counters().hits, 1U);
  EXPECT_EQ(channel.counters().misses, 2U);
  EXPECT_EQ(channel.counters().conflicts, 1U);
}

// A row behind another one in the same bank: activation, the words of a page, precharge.
TEST(DramChannel, PagesOfOneBankTakeTurnsOfTheRow) {
  dram::Config c = dram_case();
  c.refresh = DramRefresh::none;
  c.mapping = DramMapping::bank_row_column;
  const dram::Timing& t = c.timing;
  PseudoChannel channel(c, 0);
  const std::uint64_t words = c.page_bytes / c.burst_bytes;
  Tick first = 0;
  for (std::uint64_t i = 0; i < 10 * words; ++i) {
    const Tick column = channel.access(0, i * c.burst_bytes, false).column;
    if (i % words == 0 && i > 0) {
      EXPECT_EQ(column - first, static_cast<Tick>(words - 1) * t.ccd_l + t.rtp + t.rp + t.rcd_read);
    }
    if (i % words == 0) first = column;
  }
  EXPECT_EQ(channel.counters().conflicts, 9U);
}

// In different bank groups, rows open behind the words of the one before: the data bus is never idle.
TEST(DramChannel, PagesOfBankGroupsFollowEachOther) {
  dram::Config c = dram_case();
  c.refresh = DramRefresh::none;
  c.mapping = DramMapping::row_column_group;
  PseudoChannel channel(c, 0);
  const Tick first = channel.access(0, 0, false).column;
  Tick last = 0;
  constexpr int kWords = 4096;
  for (int i = 1; i < kWords; ++i) last = channel.access(0, static_cast<std::uint64_t>(i) * 32, false).column;
  EXPECT_LE(last - first, (kWords - 1) * c.timing.ccd_s + 16);
  EXPECT_GE(last - first, (kWords - 1) * c.timing.ccd_s);
}

TEST(DramChannel, RefreshesTakeTheirShare) {
  dram::Config c = dram_case();
  const dram::Timing& t = c.timing;
  PseudoChannel channel(c, 1000);
  // One comes due with nothing to do, and is over; another one is under way.
  EXPECT_EQ(channel.access(1000 + t.refi / 2, 0, false).end, 1000 + t.refi / 2 + t.rcd_read + t.read + t.burst);
  const Tick due = 1000 + t.refi;
  EXPECT_EQ(channel.access(due + 5, 0, false).end, due + t.rp + t.rfc + t.rcd_read + t.read + t.burst);
  EXPECT_EQ(channel.counters().refreshes, 2U);
  channel.idle_until(due + 1000 * t.refi);
  EXPECT_EQ(channel.counters().refreshes, 1002U);
  EXPECT_EQ(channel.counters().misses, 2U);  // a refresh closes the row
}

std::vector<DramRequest> random_requests(RandomStream& random, const dram::Config& c, Tick spread) {
  std::vector<DramRequest> out;
  Tick at = 10;
  std::uint64_t address = 0;
  bool write = false;
  for (int i = 0; i < 400; ++i) {
    at += static_cast<Tick>(random.below(static_cast<std::uint64_t>(spread) + 1));
    if (random.below(8) == 0) write = !write;
    address = random.below(6) == 0 ? random.below(64) * c.page_bytes + random.below(8) * 32 : address + 32;
    out.push_back({at, address % (c.bank_bytes * c.all_banks()), write});
  }
  return out;
}

TEST(DramChannel, GivesEveryCommandInTheClockOfTheController) {
  RandomStream random(7, "dram");
  for (int n = 0; n < 60; ++n) {
    dram::Config c = dram_case();
    c.refresh = DramRefresh::none;
    c.mapping = static_cast<DramMapping>(n % 3);
    const std::vector<DramRequest> requests = random_requests(random, c, n % 4 * 3);
    const std::vector<Tick> expected = dram_columns(c, 0, requests);
    PseudoChannel channel(c, 0);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      ASSERT_EQ(channel.access(requests[i].arrival, requests[i].address, requests[i].write).column, expected[i])
          << "case " << n << ", request " << i;
    }
  }
}

// Rows that were opened just before a refresh are closed by it again, in the controller only; that may move a burst
// from one side of the refresh to the other.
TEST(DramChannel, IsCloseToTheControllerAroundRefreshes) {
  RandomStream random(8, "dram");
  constexpr int kCases = 60;
  double apart = 0;
  int far = 0;
  int all = 0;
  for (int n = 0; n < kCases; ++n) {
    dram::Config c = dram_case();
    c.timing.refi = 1400;
    c.mapping = static_cast<DramMapping>(n % 3);
    const std::vector<DramRequest> requests = random_requests(random, c, 80);
    const Tick first = 50 + static_cast<Tick>(random.below(1300));
    const std::vector<Tick> expected = dram_columns(c, first, requests);
    PseudoChannel channel(c, first);
    const Tick row = c.timing.ras + c.timing.rp;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Tick column = channel.access(requests[i].arrival, requests[i].address, requests[i].write).column;
      const Tick off = std::abs(column - expected[i]);
      EXPECT_LE(off, c.timing.rfc + row) << "case " << n << ", request " << i;
      apart += static_cast<double>(off);
      far += off > row ? 1 : 0;
      ++all;
    }
  }
  EXPECT_LT(apart / all, 4);  // clocks, of the 40 from burst to burst
  EXPECT_LT(far, all / 50);
}

}  // namespace
}  // namespace weft::test
