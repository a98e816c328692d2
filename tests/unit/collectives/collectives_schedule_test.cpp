// Collective schedules without a network: every message of a schedule is executed on sets of blocks, and at the end
// every rank must own what MPI says. Counts of messages and bytes against closed forms. Reductions:
// collectives_reductions_test.cpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "unit/collectives/schedule_player.h"

namespace weft::collectives {
namespace {

// A rank owns the blocks `own[r]`.
std::string play(const std::vector<Schedule>& all, std::vector<Blocks>& own) {
  return play(
      all,
      [&](Rank r, const Part& p) -> std::optional<Blocks> {
        Blocks out(p.blocks.begin(), p.blocks.end());
        const bool has = std::includes(own[r].begin(), own[r].end(), out.begin(), out.end());
        return has ? std::optional(out) : std::nullopt;
      },
      [&](Rank r, const Part&, const Blocks& blocks) {
        own[r].insert(blocks.begin(), blocks.end());
        return std::string();
      });
}

constexpr std::uint64_t kSizes[] = {0, 1, 64, 256, 257, 3000, 12 << 10, 32 << 10, 40'000, (512 << 10) - 1, 1 << 20};

TEST(CollectiveSchedules, BroadcastGivesEverybodyEverything) {
  for (std::uint32_t ranks = 2; ranks <= 18; ++ranks) {
    for (const std::uint64_t bytes : kSizes) {
      for (const Rank root : {0U, 1U, ranks - 1}) {
        const auto all = schedules(ProgramOp::broadcast, ranks, root, bytes);
        const bool whole = all[0].algorithm == std::string("binomial");
        const Blocks data = range(whole ? 1 : ranks);
        std::vector<Blocks> own(ranks);
        own[root] = data;
        ASSERT_EQ(play(all, own), "") << ranks << " ranks, " << bytes << " B, " << all[0].algorithm;
        for (const Blocks& b : own) ASSERT_EQ(b, data) << ranks << " ranks, " << bytes << " B";
        if (whole) {
          ASSERT_EQ(traffic(all).messages, ranks - 1);
          ASSERT_EQ(traffic(all).bytes, (ranks - 1) * bytes);
        }
      }
    }
  }
}

TEST(CollectiveSchedules, ScatterAndGather) {
  for (std::uint32_t ranks = 2; ranks <= 18; ++ranks) {
    for (const Rank root : {0U, 1U, ranks - 1}) {
      std::vector<Blocks> own(ranks);
      own[root] = range(ranks);
      ASSERT_EQ(play(schedules(ProgramOp::scatter, ranks, root, 100), own), "") << ranks;
      for (Rank r = 0; r < ranks; ++r) ASSERT_TRUE(own[r].contains(r)) << ranks << " ranks";
      for (Rank r = 0; r < ranks; ++r) own[r] = {r};
      const auto gather = schedules(ProgramOp::gather, ranks, root, 100);
      ASSERT_EQ(play(gather, own), "") << ranks;
      ASSERT_EQ(own[root], range(ranks)) << ranks << " ranks";
      ASSERT_EQ(traffic(gather).messages, ranks - 1);
    }
  }
  // Powers of two: every level of the tree moves half of all blocks, n/2 * log2(n) in all.
  EXPECT_EQ(traffic(schedules(ProgramOp::scatter, 16, 3, 100)).bytes, 16 / 2 * 4 * 100);
}

TEST(CollectiveSchedules, Allgather) {
  std::set<std::string> seen;
  for (std::uint32_t ranks = 2; ranks <= 18; ++ranks) {
    for (const std::uint64_t bytes : kSizes) {
      const auto all = schedules(ProgramOp::allgather, ranks, 0, bytes);
      std::vector<Blocks> own(ranks);
      for (Rank r = 0; r < ranks; ++r) own[r] = {r};
      ASSERT_EQ(play(all, own), "") << ranks << " ranks, " << bytes << " B, " << all[0].algorithm;
      for (const Blocks& b : own) ASSERT_EQ(b, range(ranks));
      // No algorithm sends a block to a rank that has it: everybody receives the blocks of all others once.
      ASSERT_EQ(traffic(all).bytes, std::uint64_t{ranks} * (ranks - 1) * bytes) << all[0].algorithm;
      seen.insert(all[0].algorithm);
    }
  }
  EXPECT_THAT(seen, testing::UnorderedElementsAre("doubling", "bruck", "ring"));
}

TEST(CollectiveSchedules, Alltoall) {
  std::set<std::string> seen;
  for (std::uint32_t ranks = 2; ranks <= 18; ++ranks) {
    for (const std::uint64_t bytes : kSizes) {
      const auto all = schedules(ProgramOp::alltoall, ranks, 0, bytes);
      std::vector<Blocks> own(ranks);
      for (Rank r = 0; r < ranks; ++r) {
        for (Rank d = 0; d < ranks; ++d) own[r].insert(r * ranks + d);
      }
      ASSERT_EQ(play(all, own), "") << ranks << " ranks, " << bytes << " B, " << all[0].algorithm;
      for (Rank r = 0; r < ranks; ++r) {
        for (Rank s = 0; s < ranks; ++s) ASSERT_TRUE(own[r].contains(s * ranks + r));
      }
      const std::string algorithm = all[0].algorithm;
      seen.insert(algorithm);
      if (algorithm != "bruck") {
        ASSERT_EQ(traffic(all).messages, std::uint64_t{ranks} * (ranks - 1));
        ASSERT_EQ(traffic(all).bytes, std::uint64_t{ranks} * (ranks - 1) * bytes);
      } else {  // a message per bit of ranks - 1
        ASSERT_EQ(traffic(all).messages, std::uint64_t{ranks} * std::bit_width(ranks - 1));
      }
    }
  }
  EXPECT_THAT(seen, testing::UnorderedElementsAre("bruck", "linear", "pairwise"));
}

// After a barrier everybody has heard, over others, of everybody.
TEST(CollectiveSchedules, BarrierWaitsForAll) {
  for (std::uint32_t ranks = 2; ranks <= 40; ++ranks) {
    auto all = schedules(ProgramOp::barrier, ranks, 0, 0);
    ASSERT_EQ(all[0].rounds.size(), static_cast<std::size_t>(std::bit_width(ranks - 1)));
    std::vector<Blocks> heard(ranks);
    for (Rank r = 0; r < ranks; ++r) heard[r] = {r};
    for (std::size_t round = 0; round < all[0].rounds.size(); ++round) {
      const std::vector<Blocks> before = heard;
      for (Rank r = 0; r < ranks; ++r) {
        const Rank from = all[r].rounds[round].receives.at(0).peer;
        ASSERT_EQ(all[from].rounds[round].sends.at(0).peer, r);
        heard[r].insert(before[from].begin(), before[from].end());
      }
    }
    for (const Blocks& h : heard) ASSERT_EQ(h.size(), ranks);
  }
}

// Both ranks count the rounds alike, those in which one of them has nothing to do included; a tree of n ranks has
// log2(n) rounds, rounded up.
TEST(CollectiveSchedules, BothRanksOfAMessageHaveItInTheSameRound) {
  for (std::uint32_t ranks = 2; ranks <= 20; ++ranks) {
    for (const ProgramOp op :
         {ProgramOp::barrier, ProgramOp::broadcast, ProgramOp::scatter, ProgramOp::gather, ProgramOp::allgather,
          ProgramOp::alltoall, ProgramOp::reduce, ProgramOp::allreduce, ProgramOp::reduce_scatter}) {
      for (const std::uint64_t bytes : {64U, 3000U, 100'000U, 1U << 20}) {
        using End = std::tuple<std::size_t, Rank, Rank, std::uint64_t>;
        std::multiset<End> sent;
        std::multiset<End> received;
        std::size_t rounds = 0;
        const auto all = schedules(op, ranks, ranks / 2, bytes);
        for (Rank r = 0; r < ranks; ++r) {
          ASSERT_EQ(all[r].rounds.size(), all[r].rounds_in_all);
          rounds = std::max(rounds, all[r].rounds.size());
          for (std::size_t i = 0; i < all[r].rounds.size(); ++i) {
            for (const Part& p : all[r].rounds[i].sends) sent.insert({i, r, p.peer, p.bytes});
            for (const Part& p : all[r].rounds[i].receives) received.insert({i, p.peer, r, p.bytes});
          }
        }
        ASSERT_EQ(sent, received) << to_string(op) << " of " << ranks << ", " << bytes << " B";
        if (all[0].algorithm == std::string("binomial")) {
          ASSERT_EQ(rounds, std::bit_width(ranks - 1));
        }
      }
    }
  }
}

TEST(CollectiveSchedules, SizesAtWhichAlgorithmsChange) {
  const auto name = [](ProgramOp op, std::uint32_t ranks, std::uint64_t bytes) {
    return std::string(schedule_of({op, ranks, 0, 0, bytes}).algorithm);
  };
  EXPECT_EQ(name(ProgramOp::broadcast, 16, (12 << 10) - 1), "binomial");
  EXPECT_EQ(name(ProgramOp::broadcast, 7, 1 << 20), "binomial");
  EXPECT_EQ(name(ProgramOp::broadcast, 16, 12 << 10), "scatter_doubling");
  EXPECT_EQ(name(ProgramOp::broadcast, 16, 512 << 10), "scatter_ring");
  EXPECT_EQ(name(ProgramOp::broadcast, 12, 12 << 10), "scatter_ring");
  EXPECT_EQ(name(ProgramOp::allgather, 16, (32 << 10) - 1), "doubling");
  EXPECT_EQ(name(ProgramOp::allgather, 16, 32 << 10), "ring");
  EXPECT_EQ(name(ProgramOp::allgather, 10, (8 << 10) - 1), "bruck");
  EXPECT_EQ(name(ProgramOp::allgather, 10, 8 << 10), "ring");
  EXPECT_EQ(name(ProgramOp::alltoall, 16, 256), "bruck");
  EXPECT_EQ(name(ProgramOp::alltoall, 7, 256), "linear");
  EXPECT_EQ(name(ProgramOp::alltoall, 16, 32 << 10), "linear");
  EXPECT_EQ(name(ProgramOp::alltoall, 16, (32 << 10) + 1), "pairwise");
  EXPECT_EQ(name(ProgramOp::reduce, 16, 2 << 10), "binomial");
  EXPECT_EQ(name(ProgramOp::reduce, 16, (2 << 10) + 4), "halving_gather");
  EXPECT_EQ(name(ProgramOp::reduce, 12, (2 << 10) + 4), "halving_gather");
  EXPECT_EQ(name(ProgramOp::reduce, 512, (2 << 10) + 4), "halving_gather");
  EXPECT_EQ(name(ProgramOp::reduce, 1024, (4 << 10) - 4), "binomial");  // fewer elements than ranks
  EXPECT_EQ(name(ProgramOp::allreduce, 1024, (4 << 10) - 4), "doubling");
  EXPECT_EQ(name(ProgramOp::allreduce, 16, 2 << 10), "doubling");
  EXPECT_EQ(name(ProgramOp::allreduce, 16, (2 << 10) + 4), "halving_doubling");
  EXPECT_EQ(name(ProgramOp::reduce_scatter, 16, (32 << 10) - 4), "halving");
  EXPECT_EQ(name(ProgramOp::reduce_scatter, 16, 32 << 10), "pairwise");
  EXPECT_EQ(name(ProgramOp::reduce_scatter, 12, 32 << 10), "halving");
  EXPECT_EQ(schedule_of({ProgramOp::barrier, 1, 0, 0, 0}).rounds.size(), 0U);
}

// Piece by piece, a schedule is what it is as a whole.
TEST(CollectiveSchedules, PiecesMakeTheWhole) {
  const auto same = [](const Part& a, const Part& b) {
    return a.peer == b.peer && a.bytes == b.bytes && a.blocks == b.blocks && a.combine == b.combine;
  };
  const auto equal = [&](const Round& a, const Round& b) {
    return std::equal(a.sends.begin(), a.sends.end(), b.sends.begin(), b.sends.end(), same) &&
           std::equal(a.receives.begin(), a.receives.end(), b.receives.begin(), b.receives.end(), same);
  };
  for (const ProgramOp op :
       {ProgramOp::barrier, ProgramOp::broadcast, ProgramOp::scatter, ProgramOp::gather, ProgramOp::allgather,
        ProgramOp::alltoall, ProgramOp::reduce, ProgramOp::allreduce, ProgramOp::reduce_scatter}) {
    for (const std::uint32_t ranks : {1U, 2U, 7U, 16U, 21U}) {
      for (const std::uint64_t bytes : {std::uint64_t{64}, std::uint64_t{40'000}, std::uint64_t{1} << 20}) {
        for (Rank rank = 0; rank < ranks; ++rank) {
          const Collective c{op, ranks, rank, ranks / 2, bytes};
          const Schedule whole = schedule_of(c, {}, Detail::blocks);
          ASSERT_EQ(whole.rounds_in_all, whole.rounds.size());
          for (const std::uint32_t piece : {1U, 3U, 100U}) {
            for (std::uint32_t first = 0; first < whole.rounds_in_all + 2; first += piece) {
              const Schedule s = schedule_of(c, {first, piece}, Detail::blocks);
              ASSERT_EQ(s.rounds_in_all, whole.rounds_in_all);
              ASSERT_EQ(s.rounds.size(),
                        first >= whole.rounds_in_all ? 0U : std::min<std::size_t>(piece, whole.rounds_in_all - first));
              for (std::size_t i = 0; i < s.rounds.size(); ++i) {
                ASSERT_TRUE(equal(s.rounds[i], whole.rounds[first + i])) << to_string(op) << " round " << first + i;
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace weft::collectives
