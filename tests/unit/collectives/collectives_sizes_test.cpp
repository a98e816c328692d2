// Sizes of the messages of collective schedules against the blocks that they consist of, and those of large networks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "algorithms/collectives/schedule.h"

namespace weft::collectives {
namespace {

// Messages of all rounds, sends before receives.
std::vector<Part> parts_of(const Schedule& schedule) {
  std::vector<Part> out;
  for (const Round& r : schedule.rounds) {
    out.insert(out.end(), r.sends.begin(), r.sends.end());
    out.insert(out.end(), r.receives.begin(), r.receives.end());
  }
  return out;
}

// Bytes of block `b` of a collective.
std::uint64_t bytes_of(std::uint32_t b, const Collective& c, const std::string& algorithm) {
  std::uint64_t each = c.bytes;
  if (c.op == ProgramOp::broadcast && algorithm != "binomial") each = (c.bytes + c.ranks - 1) / c.ranks;
  if (algorithm.starts_with("halving_")) {
    const std::uint64_t elements = (c.bytes + kElementBytes - 1) / kElementBytes;
    const std::uint32_t power = std::bit_floor(c.ranks);
    const std::uint64_t before =
        std::min(c.bytes, (b * (elements / power) + std::min<std::uint64_t>(b, elements % power)) * kElementBytes);
    const std::uint64_t behind = std::min(
        c.bytes, ((b + 1) * (elements / power) + std::min<std::uint64_t>(b + 1, elements % power)) * kElementBytes);
    return behind - before;
  }
  if (each == c.bytes) return each;
  return std::min(each, c.bytes - std::min(c.bytes, b * each));
}

TEST(CollectiveSizes, AreThoseOfTheBlocks) {
  for (const ProgramOp op : {ProgramOp::broadcast, ProgramOp::scatter, ProgramOp::gather, ProgramOp::allgather,
                             ProgramOp::alltoall, ProgramOp::reduce, ProgramOp::allreduce, ProgramOp::reduce_scatter}) {
    for (std::uint32_t ranks = 2; ranks <= 21; ++ranks) {
      for (const std::uint64_t bytes : {0U, 4U, 100U, 256U, 3000U, 12'292U, 40'000U, 600'000U}) {
        const Collective c{op, ranks, ranks / 3, ranks / 2, bytes};
        const Schedule s = schedule_of(c, {}, Detail::blocks);
        for (const Part& p : parts_of(s)) {
          std::uint64_t sum = 0;
          for (const std::uint32_t b : p.blocks) sum += bytes_of(b, c, s.algorithm);
          ASSERT_EQ(p.bytes, sum) << to_string(op) << " of " << bytes << " B, " << ranks << " ranks, " << s.algorithm;
        }
      }
    }
  }
}

TEST(CollectiveSizes, DoNotNeedTheBlocks) {
  for (const ProgramOp op :
       {ProgramOp::barrier, ProgramOp::broadcast, ProgramOp::scatter, ProgramOp::gather, ProgramOp::allgather,
        ProgramOp::alltoall, ProgramOp::reduce, ProgramOp::allreduce, ProgramOp::reduce_scatter}) {
    for (std::uint32_t ranks = 2; ranks <= 21; ++ranks) {
      for (const std::uint64_t bytes : {64U, 3000U, 40'000U, 600'000U}) {
        const Collective c{op, ranks, ranks / 3, ranks / 2, bytes};
        const Schedule with = schedule_of(c, {}, Detail::blocks);
        const Schedule without = schedule_of(c);
        ASSERT_STREQ(without.algorithm, with.algorithm);
        ASSERT_EQ(without.rounds_in_all, with.rounds_in_all);
        const std::vector<Part> a = parts_of(with), b = parts_of(without);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
          ASSERT_EQ(a[i].peer, b[i].peer);
          ASSERT_EQ(a[i].bytes, b[i].bytes);
          ASSERT_EQ(a[i].combine, b[i].combine);
          ASSERT_EQ(a[i].blocks.empty(), op == ProgramOp::barrier);
          ASSERT_TRUE(b[i].blocks.empty());
        }
      }
    }
  }
}

// The largest size that a program can say, among as many nodes as it can name: sums of all ranks are counted.
TEST(CollectiveSizes, LargestData) {
  constexpr std::uint32_t kRanks = 65'535;
  constexpr std::uint64_t kBytes = 1ULL << 42;
  const auto of = [](ProgramOp op, RoundWindow window = {0, 1}) {
    return schedule_of({op, kRanks, 0, 0, kBytes}, window);
  };
  for (const ProgramOp op : {ProgramOp::allgather, ProgramOp::alltoall, ProgramOp::reduce_scatter}) {
    const Schedule s = of(op);
    EXPECT_THAT(s.algorithm, testing::AnyOf(testing::StrEq("ring"), testing::StrEq("pairwise")));
    EXPECT_EQ(s.rounds.at(0).sends.at(0).bytes, kBytes);
  }
  const Schedule scatter = of(ProgramOp::scatter);
  EXPECT_EQ(scatter.rounds_in_all, 16U);
  EXPECT_EQ(scatter.rounds.at(0).sends.at(0).bytes, kBytes * (kRanks - (1U << 15))) << "for the upper half";
  EXPECT_EQ(of(ProgramOp::gather, {15, 1}).rounds.at(0).receives.at(0).bytes, kBytes * (kRanks - (1U << 15)));
}

// Data for the rank i places further travel once per bit of i: the sum over all i below 65,535.
TEST(CollectiveSizes, AlltoallOfTheLargestNetwork) {
  constexpr std::uint32_t kRanks = 65'535;
  for (const Rank rank : {0U, 12'345U, kRanks - 1}) {
    const Schedule s = schedule_of({ProgramOp::alltoall, kRanks, rank, 0, 8});
    ASSERT_STREQ(s.algorithm, "bruck");
    ASSERT_EQ(s.rounds.size(), 16U);
    std::uint64_t sent = 0, received = 0;
    for (const Round& r : s.rounds) {
      sent += r.sends.at(0).bytes;
      received += r.receives.at(0).bytes;
      EXPECT_TRUE(r.sends.at(0).blocks.empty());
    }
    EXPECT_EQ(sent, 8ULL * 16 * ((1U << 15) - 1));
    EXPECT_EQ(received, sent);
  }
}

}  // namespace
}  // namespace weft::collectives
