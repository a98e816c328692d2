// Schedules of reductions without a network: every rank's data are added exactly once, to partners and in sizes that
// are MPICH's.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unit/collectives/schedule_player.h"

namespace weft::collectives {
namespace {

// Of every block, the ranks whose data are in what a rank has of it.
using Sums = std::map<std::uint32_t, Blocks>;

// Data are combined where a message says so, and replaced where it does not. Nothing may be added twice.
std::string play(const std::vector<Schedule>& all, std::vector<Sums>& own, bool together) {
  const auto send = [&](Rank r, const Part& p) -> std::optional<Sums> {
    Sums out;
    for (const std::uint32_t b : p.blocks) out[b] = own[r].at(b);
    return out;
  };
  const auto receive = [&](Rank r, const Part& p, const Sums& sums) {
    for (const auto& [block, sum] : sums) {
      if (!p.combine) own[r][block].clear();
      for (const std::uint32_t of : sum) {
        if (!own[r][block].insert(of).second) return "data of a rank are added twice";
      }
    }
    return "";
  };
  return together ? play_together(all, send, receive) : play(all, send, receive);
}

std::uint32_t blocks_of(const std::vector<Schedule>& all) {
  std::uint32_t most = 0;
  for (const Schedule& s : all) {
    for (const Round& r : s.rounds) {
      for (const std::vector<Part>* parts : {&r.sends, &r.receives}) {
        for (const Part& p : *parts) {
          for (const std::uint32_t b : p.blocks) most = std::max(most, b + 1);
        }
      }
    }
  }
  return most;
}

// Each rank by itself, and round by round as over circuits.
TEST(CollectiveSchedules, ReductionsAddEverythingOnce) {
  std::set<std::string> seen;
  const auto check = [&](ProgramOp op, std::uint32_t ranks, std::uint64_t bytes, bool together,
                         const CollectiveAlgorithms& by = {}) {
    const Rank root = op == ProgramOp::reduce ? ranks / 2 : 0;
    const auto all = schedules(op, ranks, root, bytes, by);
    const std::uint32_t blocks = blocks_of(all);
    std::vector<Sums> own(ranks);
    for (Rank r = 0; r < ranks; ++r) {
      for (std::uint32_t b = 0; b < blocks; ++b) own[r][b] = {r};
    }
    const std::string what = to_string(op) + " of " + std::to_string(ranks) + ", " + all[0].algorithm;
    ASSERT_EQ(play(all, own, together), "") << what;
    for (Rank r = 0; r < ranks; ++r) {
      if (op == ProgramOp::reduce && r != root) continue;
      for (std::uint32_t b = 0; b < blocks; ++b) {
        if (op == ProgramOp::reduce_scatter && b != r) continue;
        ASSERT_EQ(own[r][b], range(ranks)) << what << ", rank " << r << ", block " << b;
      }
    }
    seen.insert(to_string(op) + " " + all[0].algorithm);
  };
  for (std::uint32_t ranks = 2; ranks <= 20; ++ranks) {
    for (const std::uint64_t bytes : {4U, 64U, 2048U, 2052U, 4116U, 100'000U, 1U << 20}) {
      for (const ProgramOp op : {ProgramOp::reduce, ProgramOp::allreduce, ProgramOp::reduce_scatter}) {
        check(op, ranks, bytes, false);
        check(op, ranks, bytes, true);
      }
    }
  }
  EXPECT_THAT(seen, testing::UnorderedElementsAre("reduce binomial", "reduce halving_gather", "allreduce doubling",
                                                  "allreduce halving_doubling", "reduce_scatter halving",
                                                  "reduce_scatter pairwise"));
  // As chosen, where their size would say otherwise.
  const auto chosen = [&](const CollectiveAlgorithms& by, std::uint64_t bytes) {
    seen.clear();
    for (std::uint32_t ranks = 2; ranks <= 20; ++ranks) {
      for (const bool together : {false, true}) {
        check(ProgramOp::reduce, ranks, bytes, together, by);
        check(ProgramOp::allreduce, ranks, bytes, together, by);
      }
    }
    return seen;
  };
  EXPECT_THAT(chosen({.reduce = ReduceBy::halving, .allreduce = AllreduceBy::halving}, 64),
              testing::UnorderedElementsAre("reduce halving_gather", "allreduce halving_doubling"));
  EXPECT_THAT(chosen({.reduce = ReduceBy::binomial, .allreduce = AllreduceBy::doubling}, 1 << 20),
              testing::UnorderedElementsAre("reduce binomial", "allreduce doubling"));
}

TEST(CollectiveSchedules, TooFewElementsAreNotHalved) {
  const auto fault = [](ProgramOp op, std::uint64_t bytes) {
    ProgramInstruction in;
    in.op = op;
    in.bytes = bytes;
    in.group = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    return algorithm_fault({.reduce = ReduceBy::halving, .allreduce = AllreduceBy::halving}, in);
  };
  for (const ProgramOp op : {ProgramOp::reduce, ProgramOp::allreduce}) {
    EXPECT_EQ(fault(op, 31), "halving is for an element of 4 B for each of 8 nodes, these are 31 B");
    EXPECT_EQ(fault(op, 32), "");
  }
  EXPECT_EQ(fault(ProgramOp::reduce_scatter, 1), "");
}

// Rabenseifner: 2 (n - 1) / n of the data from every rank; recursive halving of n blocks: n - 1 of them.
TEST(CollectiveSchedules, BytesOfReductions) {
  EXPECT_EQ(traffic(schedules(ProgramOp::allreduce, 8, 0, 64 << 10)).bytes, 8 * 2 * (64 << 10) * 7 / 8);
  EXPECT_EQ(traffic(schedules(ProgramOp::allreduce, 8, 0, 1024)).bytes, 8 * 3 * 1024);
  EXPECT_EQ(traffic(schedules(ProgramOp::reduce_scatter, 8, 0, 1024)).bytes, 8 * 7 * 1024);
  EXPECT_EQ(traffic(schedules(ProgramOp::reduce_scatter, 6, 0, 128 << 10)).bytes, 6 * 5 * (128 << 10));
  // Two of six ranks give all their data to a neighbour, which works for both among four and sends back one block.
  EXPECT_EQ(traffic(schedules(ProgramOp::reduce_scatter, 6, 0, 1024)).bytes, (2 * 6 + (6 + 6) + 6 + 2) * 1024);
  EXPECT_EQ(traffic(schedules(ProgramOp::reduce, 6, 2, 1024)).bytes, 5 * 1024);
  EXPECT_EQ(traffic(schedules(ProgramOp::reduce, 8, 2, 64 << 10)).bytes, 8 * (64 << 10) * 7 / 8 + 12 * (8 << 10));
}

// Halving begins with neighbours, the parts come together the other way round (MPICH, reduce_scatter_allgather).
TEST(CollectiveSchedules, HalvesAreExchangedBetweenNeighboursFirst) {
  using Sent = std::pair<Rank, std::uint64_t>;
  const auto sent = [](const Collective& c) {
    std::vector<Sent> out;
    for (const Round& r : schedule_of(c).rounds) {
      for (const Part& p : r.sends) out.emplace_back(p.peer, p.bytes);
    }
    return out;
  };
  using testing::ElementsAre;
  EXPECT_THAT(sent({ProgramOp::allreduce, 8, 5, 0, 8000}),
              ElementsAre(Sent(4, 4000), Sent(7, 2000), Sent(1, 1000), Sent(1, 1000), Sent(7, 2000), Sent(4, 4000)));
  // Rank 6 goes with rank 2 to the root 3: first to those that have the root's upper half.
  EXPECT_THAT(sent({ProgramOp::reduce, 8, 6, 3, 8000}),
              ElementsAre(Sent(7, 4000), Sent(4, 2000), Sent(2, 1000), Sent(2, 1000)));
  EXPECT_THAT(sent({ProgramOp::reduce, 8, 2, 3, 8000}),
              ElementsAre(Sent(3, 4000), Sent(0, 2000), Sent(6, 1000), Sent(3, 4000)));
  // 2001 elements among 4: 501, 500, 500, 500. Ranks 0 and 2 of six wait.
  EXPECT_THAT(sent({ProgramOp::allreduce, 6, 0, 0, 8004}), ElementsAre(Sent(1, 8004)));
  EXPECT_THAT(sent({ProgramOp::allreduce, 6, 1, 0, 8004}),
              ElementsAre(Sent(3, 4000), Sent(4, 2000), Sent(4, 2004), Sent(3, 4004), Sent(0, 8004)));
  // The root has given its data away: rank 0 gives it its part.
  EXPECT_THAT(sent({ProgramOp::reduce, 6, 0, 1, 8004}), ElementsAre(Sent(2, 4000), Sent(4, 2000), Sent(1, 2004)));
  EXPECT_THAT(sent({ProgramOp::reduce, 6, 4, 1, 8004}), ElementsAre(Sent(5, 4000), Sent(0, 2004), Sent(1, 2000)));
  EXPECT_THAT(sent({ProgramOp::reduce_scatter, 8, 5, 0, 100}), ElementsAre(Sent(1, 400), Sent(7, 200), Sent(4, 100)));
  EXPECT_THAT(sent({ProgramOp::reduce_scatter, 6, 3, 0, 100}), ElementsAre(Sent(5, 200), Sent(1, 200), Sent(2, 100)));
}

}  // namespace
}  // namespace weft::collectives
