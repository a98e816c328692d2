// Collective schedules without a network: every message of a schedule is executed on sets of blocks, and at the end
// every rank must own what MPI says. Counts of messages and bytes against closed forms.

#include "algorithms/collectives/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <type_traits>

namespace weft::collectives {
namespace {

using Blocks = std::set<std::uint32_t>;

std::vector<Schedule> schedules(ProgramOp op, std::uint32_t ranks, Rank root, std::uint64_t bytes) {
  std::vector<Schedule> out;
  for (Rank r = 0; r < ranks; ++r) out.push_back(schedule_of({op, ranks, r, root, bytes}, {}, Detail::blocks));
  return out;
}

// Plays the rounds of all ranks until nobody can go on. `send(rank, part)` gives what a message carries, or nothing
// when the rank does not have it; `receive(rank, part, data)` takes it and says what is wrong. Returns what is wrong.
template <class Send, class Receive>
std::string play(const std::vector<Schedule>& all, Send&& send, Receive&& receive) {
  using Data = typename std::invoke_result_t<Send, Rank, const Part&>::value_type;
  struct Sent {
    Part part;
    Data data;
  };
  const auto ranks = static_cast<Rank>(all.size());
  std::map<std::pair<Rank, Rank>, std::deque<Sent>> wires;
  std::vector<std::size_t> round(ranks, 0);
  std::vector<bool> entered(ranks, false);
  for (bool moved = true; moved;) {
    moved = false;
    for (Rank r = 0; r < ranks; ++r) {
      if (round[r] == all[r].rounds.size()) continue;
      const Round& now = all[r].rounds[round[r]];
      if (!entered[r]) {
        for (const Part& p : now.sends) {
          if (p.peer == r || p.peer >= ranks) return "a message to nobody";
          const auto data = send(r, p);
          if (!data) return "rank " + std::to_string(r) + " sends a block it does not have";
          wires[{r, p.peer}].push_back({p, *data});
        }
        entered[r] = moved = true;
      }
      const bool ready = std::all_of(now.receives.begin(), now.receives.end(), [&](const Part& p) {
        return !wires[{p.peer, r}].empty();
      });
      if (!ready) continue;
      for (const Part& p : now.receives) {
        const Sent sent = wires[{p.peer, r}].front();
        wires[{p.peer, r}].pop_front();
        if (sent.part.bytes != p.bytes || sent.part.blocks != p.blocks) return "the two ends of a message differ";
        if (const std::string wrong = receive(r, p, sent.data); !wrong.empty()) return wrong;
      }
      ++round[r];
      entered[r] = false;
      moved = true;
    }
  }
  for (Rank r = 0; r < ranks; ++r) {
    if (round[r] != all[r].rounds.size()) return "rank " + std::to_string(r) + " waits for ever";
  }
  for (const auto& [ends, wire] : wires) {
    if (!wire.empty()) return "a message is never received";
  }
  return {};
}

// The same, all ranks together: what is sent in a round is what its rank had before the round.
template <class Send, class Receive>
std::string play_together(const std::vector<Schedule>& all, Send&& send, Receive&& receive) {
  using Data = typename std::invoke_result_t<Send, Rank, const Part&>::value_type;
  std::size_t rounds = 0;
  for (const Schedule& s : all) rounds = std::max(rounds, s.rounds.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    std::map<std::pair<Rank, Rank>, Data> wires;
    for (Rank r = 0; r < all.size(); ++r) {
      if (round >= all[r].rounds.size()) continue;
      for (const Part& p : all[r].rounds[round].sends) wires.emplace(std::pair(r, p.peer), *send(r, p));
    }
    for (Rank r = 0; r < all.size(); ++r) {
      if (round >= all[r].rounds.size()) continue;
      for (const Part& p : all[r].rounds[round].receives) {
        const auto sent = wires.extract({p.peer, r});
        if (sent.empty()) return "a message is received in another round";
        if (const std::string wrong = receive(r, p, sent.mapped()); !wrong.empty()) return wrong;
      }
    }
    if (!wires.empty()) return "a message is not received in its round";
  }
  return {};
}

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

Blocks range(std::uint32_t n) {
  Blocks out;
  for (std::uint32_t i = 0; i < n; ++i) out.insert(i);
  return out;
}

struct Traffic {
  std::uint64_t messages = 0, bytes = 0;
};

Traffic traffic(const std::vector<Schedule>& all) {
  Traffic t;
  for (const Schedule& s : all) {
    for (const Round& r : s.rounds) {
      for (const Part& p : r.sends) {
        ++t.messages;
        t.bytes += p.bytes;
      }
    }
  }
  return t;
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
  const auto check = [&](ProgramOp op, std::uint32_t ranks, std::uint64_t bytes, bool together) {
    const Rank root = op == ProgramOp::reduce ? ranks / 2 : 0;
    const auto all = schedules(op, ranks, root, bytes);
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
