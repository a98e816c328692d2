// Collectives of a torus without a network: every message is executed on sets of blocks, as in the tests of the other
// schedules; besides, every message goes to a neighbour, and the bytes over each link are those of closed forms.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/collectives/lowering.h"
#include "algorithms/collectives/schedule.h"
#include "algorithms/collectives/torus_rounds.h"

namespace weft::collectives {
namespace {

using OwnBlocks = std::set<std::uint32_t>;
using Links = std::map<std::pair<Rank, Rank>, std::uint64_t>;

std::uint32_t ranks_of(const TorusShape& shape) {
  return std::accumulate(shape.begin(), shape.end(), 1U, std::multiplies<>());
}

CollectiveAlgorithms all_torus(std::uint64_t chunk = 128 << 10) {
  CollectiveAlgorithms out;
  out.broadcast = BroadcastBy::torus;
  out.allgather = AllgatherBy::torus;
  out.alltoall = AlltoallBy::torus;
  out.allreduce = AllreduceBy::torus;
  out.reduce_scatter = ReduceScatterBy::torus;
  out.torus_from = 0;
  out.chunk = chunk;
  return out;
}

std::vector<Schedule> torus_schedules(ProgramOp op, const TorusShape& shape, Rank root, std::uint64_t bytes,
                                      std::uint64_t chunk = 128 << 10) {
  std::vector<Schedule> out;
  const std::uint32_t ranks = ranks_of(shape);
  for (Rank r = 0; r < ranks; ++r) {
    out.push_back(schedule_of({op, ranks, r, root, bytes}, {}, Detail::blocks, all_torus(chunk), &shape));
  }
  return out;
}

bool neighbours(const TorusShape& shape, Rank a, Rank b) {
  std::uint32_t differing = 0;
  bool one_apart = true;
  for (const std::uint32_t n : shape) {
    const std::uint32_t x = a % n;
    const std::uint32_t y = b % n;
    if (x != y) {
      ++differing;
      one_apart = one_apart && ((x + 1) % n == y || (y + 1) % n == x);
    }
    a /= n;
    b /= n;
  }
  return differing == 1 && one_apart;
}

// All ranks go from round to round together. Returns what is wrong, or nothing.
std::string play_rounds(const TorusShape& shape, const std::vector<Schedule>& all, std::vector<OwnBlocks>& own,
                        Links& links) {
  for (std::uint32_t round = 0; round < all.front().rounds_in_all; ++round) {
    std::map<std::pair<Rank, Rank>, std::deque<Part>> under_way;
    for (Rank r = 0; r < all.size(); ++r) {
      if (all[r].rounds.size() != all.front().rounds_in_all) return "rounds are missing";
      for (const Part& p : all[r].rounds[round].sends) {
        if (!neighbours(shape, r, p.peer)) return "a message to no neighbour";
        if (!std::all_of(p.blocks.begin(), p.blocks.end(), [&](std::uint32_t b) { return own[r].contains(b); })) {
          return "rank " + std::to_string(r) + " sends a block it does not have in round " + std::to_string(round);
        }
        under_way[{r, p.peer}].push_back(p);
        links[{r, p.peer}] += p.bytes;
      }
    }
    for (Rank r = 0; r < all.size(); ++r) {
      for (const Part& p : all[r].rounds[round].receives) {
        auto& wire = under_way[{p.peer, r}];
        if (wire.empty()) return "a receive without a message";
        if (wire.front().bytes != p.bytes || wire.front().blocks != p.blocks) return "the two ends of a message differ";
        own[r].insert(p.blocks.begin(), p.blocks.end());
        wire.pop_front();
      }
    }
    for (const auto& [ends, wire] : under_way) {
      if (!wire.empty()) return "a message is not received in its round";
    }
  }
  return {};
}

const std::vector<TorusShape> kShapes{{2}, {3}, {4}, {5}, {2, 2}, {3, 3}, {4, 4}, {4, 3}, {2, 5}, {3, 2, 4}, {4, 4, 4}};

TEST(TorusCollectives, Allgather) {
  for (const TorusShape& shape : kShapes) {
    const std::uint32_t ranks = ranks_of(shape);
    const auto parts = static_cast<std::uint32_t>(2 * shape.size());
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1001}, std::uint64_t{24'000}}) {
      std::vector<OwnBlocks> own(ranks);
      for (Rank r = 0; r < ranks; ++r) {
        for (std::uint32_t p = 0; p < parts; ++p) own[r].insert(r * parts + p);
      }
      Links links;
      ASSERT_EQ(play_rounds(shape, torus_schedules(ProgramOp::allgather, shape, 0, bytes), own, links), "")
          << testing::PrintToString(shape);
      for (const OwnBlocks& b : own) ASSERT_EQ(b.size(), std::size_t{ranks} * parts);
      // Nothing comes twice: every rank receives what the others have, once.
      std::uint64_t sum = 0;
      for (const auto& [ends, sent] : links) sum += sent;
      ASSERT_EQ(sum, std::uint64_t{ranks} * (ranks - 1) * bytes);
      // Dimensions alike: all links carry the same, a share of what a rank receives.
      if (bytes % parts == 0 && std::set(shape.begin(), shape.end()).size() == 1 && shape[0] > 2) {
        for (const auto& [ends, sent] : links) ASSERT_EQ(sent, (ranks - 1) * bytes / parts);
      }
    }
  }
}

TEST(TorusCollectives, Alltoall) {
  for (const TorusShape& shape : kShapes) {
    const std::uint32_t ranks = ranks_of(shape);
    const auto dims = static_cast<std::uint32_t>(shape.size());
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1001}, std::uint64_t{2400}}) {
      const auto block = [&](Rank s, Rank d, std::uint32_t i) { return (s * ranks + d) * 2 * dims + i; };
      std::vector<OwnBlocks> own(ranks);
      for (Rank r = 0; r < ranks; ++r) {
        for (Rank d = 0; d < ranks; ++d) {
          for (std::uint32_t i = 0; i < 2 * dims; ++i) own[r].insert(block(r, d, i));
        }
      }
      Links links;
      ASSERT_EQ(play_rounds(shape, torus_schedules(ProgramOp::alltoall, shape, 0, bytes), own, links), "")
          << testing::PrintToString(shape);
      for (Rank d = 0; d < ranks; ++d) {
        for (Rank s = 0; s < ranks; ++s) {
          for (std::uint32_t i = 0; i < 2 * dims; ++i) ASSERT_TRUE(own[d].contains(block(s, d, i)));
        }
      }
      // Everything takes a shortest way: bytes times hops, as many as between all pairs.
      std::uint64_t hops = 0;
      for (const std::uint32_t n : shape) hops += std::uint64_t{ranks} * (ranks / n) * (n * n / 4);
      std::uint64_t sum = 0;
      for (const auto& [ends, sent] : links) sum += sent;
      ASSERT_EQ(sum, hops * bytes) << testing::PrintToString(shape);
      // Dimensions alike: every link carries the same, the least possible.
      if (bytes % (2 * dims) == 0 && std::set(shape.begin(), shape.end()).size() == 1 && shape[0] > 2) {
        for (const auto& [ends, sent] : links) ASSERT_EQ(sent, hops * bytes / (2 * dims * ranks));
      }
    }
  }
}

// Every rank has a contribution to every piece of every block. A message carries what its sender has gathered; nothing
// may be added twice.
using Contributions = std::map<std::uint32_t, std::multiset<Rank>>;

std::string play_reductions(const std::vector<Schedule>& all, std::vector<Contributions>& own, Links& links) {
  for (std::uint32_t round = 0; round < all.front().rounds_in_all; ++round) {
    std::map<std::pair<Rank, Rank>, std::deque<std::pair<Part, Contributions>>> under_way;
    for (Rank r = 0; r < all.size(); ++r) {
      for (const Part& p : all[r].rounds[round].sends) {
        Contributions data;
        for (const std::uint32_t b : p.blocks) data[b] = own[r][b];
        under_way[{r, p.peer}].emplace_back(p, data);
        links[{r, p.peer}] += p.bytes;
      }
    }
    for (Rank r = 0; r < all.size(); ++r) {
      for (const Part& p : all[r].rounds[round].receives) {
        auto& wire = under_way[{p.peer, r}];
        if (wire.empty()) return "a receive without a message";
        if (wire.front().first.bytes != p.bytes || wire.front().first.blocks != p.blocks) return "the ends differ";
        for (const auto& [b, from] : wire.front().second) {
          if (!p.combine) own[r][b].clear();
          own[r][b].insert(from.begin(), from.end());
        }
        wire.pop_front();
      }
    }
  }
  return {};
}

TEST(TorusCollectives, ReduceScatterAndAllreduceCombineEverythingOnce) {
  for (const TorusShape& shape : kShapes) {
    const std::uint32_t ranks = ranks_of(shape);
    if (ranks > 24) continue;
    const auto parts = static_cast<std::uint32_t>(2 * shape.size());
    std::multiset<Rank> everybody;
    for (Rank r = 0; r < ranks; ++r) everybody.insert(r);
    for (const ProgramOp op : {ProgramOp::reduce_scatter, ProgramOp::allreduce}) {
      for (const std::uint64_t bytes : {std::uint64_t{4}, std::uint64_t{1004}, std::uint64_t{48'000}}) {
        std::vector<Contributions> own(ranks);
        for (Rank r = 0; r < ranks; ++r) {
          for (std::uint32_t b = 0; b < ranks * parts; ++b) own[r][b] = {r};
        }
        Links links;
        ASSERT_EQ(play_reductions(torus_schedules(op, shape, 0, bytes), own, links), "");
        for (Rank r = 0; r < ranks; ++r) {
          for (std::uint32_t b = 0; b < ranks * parts; ++b) {
            if (op == ProgramOp::reduce_scatter && b / parts != r) continue;
            ASSERT_EQ(own[r][b], everybody) << r << " " << b;
          }
        }
        std::uint64_t sum = 0;
        for (const auto& [ends, sent] : links) sum += sent;
        const std::uint64_t once = op == ProgramOp::allreduce ? bytes : ranks * bytes;
        ASSERT_EQ(sum, (op == ProgramOp::allreduce ? 2 : 1) * (ranks - 1) * once) << testing::PrintToString(shape);
      }
    }
  }
}

TEST(TorusCollectives, Broadcast) {
  for (const TorusShape& shape : {TorusShape{2}, {3}, {8}, {3, 3}, {4, 4}, {5, 5}, {8, 4}, {4, 8}, {3, 6}}) {
    const std::uint32_t ranks = ranks_of(shape);
    if (disjoint_rings(shape).empty()) continue;
    for (const Rank root : {0U, 1U, ranks - 1}) {
      for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{10'000}}) {
        const auto all = torus_schedules(ProgramOp::broadcast, shape, root, bytes, 300);
        OwnBlocks data;
        for (const Schedule& s : all) {
          for (const Round& r : s.rounds) {
            for (const Part& p : r.sends) data.insert(p.blocks.begin(), p.blocks.end());
          }
        }
        std::vector<OwnBlocks> own(ranks);
        own[root] = data;
        Links links;
        ASSERT_EQ(play_rounds(shape, all, own, links), "") << testing::PrintToString(shape);
        for (const OwnBlocks& b : own) ASSERT_EQ(b, data);
        std::uint64_t sum = 0;
        for (const auto& [ends, sent] : links) sum += sent;
        ASSERT_EQ(sum, (ranks - 1) * bytes);
        // Each link out of the root carries its share.
        const std::uint64_t shares = 2 * shape.size();
        for (const auto& [ends, sent] : links) {
          if (ranks > 2) {
            ASSERT_LE(sent, (bytes + shares - 1) / shares);
          }
        }
      }
    }
  }
}

TEST(TorusCollectives, RingsShareNoLink) {
  std::size_t found = 0;
  for (std::uint32_t a = 2; a <= 12; ++a) {
    for (std::uint32_t b = 2; b <= 12; ++b) {
      const TorusShape shape{a, b};
      const auto rings = disjoint_rings(shape);
      if (rings.empty()) {
        ASSERT_TRUE(a != b || a < 3) << a;  // every square torus has them
        continue;
      }
      ++found;
      std::set<std::pair<Rank, Rank>> links;
      ASSERT_EQ(rings.size(), 2u);
      for (const auto& ring : rings) {
        ASSERT_EQ(std::set(ring.begin(), ring.end()).size(), a * b);
        for (std::size_t i = 0; i < ring.size(); ++i) {
          const Rank x = ring[i];
          const Rank y = ring[(i + 1) % ring.size()];
          ASSERT_TRUE(neighbours(shape, x, y));
          ASSERT_TRUE(links.insert({std::min(x, y), std::max(x, y)}).second) << a << " x " << b;
        }
      }
      ASSERT_EQ(links.size(), 2u * a * b);
    }
  }
  EXPECT_GE(found, 10u);
}

TEST(TorusCollectives, WindowsGiveTheSameRounds) {
  const TorusShape shape{4, 4};
  for (const ProgramOp op : {ProgramOp::broadcast, ProgramOp::allgather, ProgramOp::alltoall}) {
    const Collective c{op, 16, 5, op == ProgramOp::broadcast ? 3U : 0U, 5000};
    const Schedule whole = schedule_of(c, {}, Detail::sizes, all_torus(64), &shape);
    for (std::uint32_t first = 0; first < whole.rounds_in_all; first += 3) {
      const Schedule piece = schedule_of(c, {first, 3}, Detail::sizes, all_torus(64), &shape);
      ASSERT_EQ(piece.rounds_in_all, whole.rounds_in_all);
      ASSERT_EQ(piece.rounds.size(), std::min<std::size_t>(3, whole.rounds_in_all - first));
      for (std::size_t i = 0; i < piece.rounds.size(); ++i) {
        ASSERT_EQ(piece.rounds[i].sends.size(), whole.rounds[first + i].sends.size());
        for (std::size_t m = 0; m < piece.rounds[i].sends.size(); ++m) {
          ASSERT_EQ(piece.rounds[i].sends[m].bytes, whole.rounds[first + i].sends[m].bytes);
          ASSERT_EQ(piece.rounds[i].sends[m].peer, whole.rounds[first + i].sends[m].peer);
        }
      }
    }
  }
}

TEST(TorusCollectives, GroupsThatAreATorus) {
  const std::vector<std::uint32_t> network{4, 4};
  EXPECT_EQ(torus_of(network, {0, 1, 2, 3}), TorusShape{4});
  EXPECT_EQ(torus_of(network, {1, 5, 9, 13}), TorusShape{4});
  EXPECT_FALSE(torus_of(network, {0, 1, 4, 5}).has_value());
  EXPECT_FALSE(torus_of(network, {0, 1, 2, 4}).has_value());
  EXPECT_FALSE(torus_of({}, {0, 1}).has_value());
  std::vector<NodeId> all(24);
  std::iota(all.begin(), all.end(), NodeId{0});
  EXPECT_EQ(torus_of({2, 3, 4}, all), (TorusShape{2, 3, 4}));
  EXPECT_EQ(torus_of({2, 3, 4}, {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23}), (TorusShape{3, 4}));
}

TEST(TorusCollectives, FaultsOfChoices) {
  using testing::HasSubstr;
  ProgramInstruction in;
  in.op = ProgramOp::broadcast;
  in.bytes = 1 << 20;
  in.group = {0, 1, 4, 5};
  CollectiveAlgorithms by = all_torus();
  EXPECT_THAT(algorithm_fault(by, in), HasSubstr("is for a torus with one node per switch"));
  by.torus = {4, 4};
  EXPECT_THAT(algorithm_fault(by, in), HasSubstr("these are no such nodes"));
  in.group = {0, 1, 2, 3};
  EXPECT_EQ(algorithm_fault(by, in), "");
  by.torus = {2, 2};
  EXPECT_THAT(algorithm_fault(by, in), HasSubstr("broadcasts in one dimension, or in two"));
  by.torus_from = 2 << 20;
  EXPECT_EQ(algorithm_fault(by, in), "");
  by.broadcast = BroadcastBy::scatter_doubling;
  in.group = {0, 1, 2};
  EXPECT_EQ(algorithm_fault(by, in), "recursive doubling is for a power of two of nodes, these are 3");
}

TEST(ChosenAlgorithms, WhateverTheSize) {
  const auto name = [](ProgramOp op, std::uint64_t bytes, const CollectiveAlgorithms& by) {
    return std::string(schedule_of({op, 16, 0, 0, bytes}, {}, Detail::sizes, by).algorithm);
  };
  CollectiveAlgorithms by;
  by.broadcast = BroadcastBy::binomial;
  by.allgather = AllgatherBy::bruck;
  by.alltoall = AlltoallBy::linear;
  for (const std::uint64_t bytes : {std::uint64_t{8}, std::uint64_t{1} << 20}) {
    EXPECT_EQ(name(ProgramOp::broadcast, bytes, by), "binomial");
    EXPECT_EQ(name(ProgramOp::allgather, bytes, by), "bruck");
    EXPECT_EQ(name(ProgramOp::alltoall, bytes, by), "linear");
  }
  // Without a torus, or below its size, by size.
  by = all_torus();
  EXPECT_EQ(name(ProgramOp::broadcast, 1 << 20, by), "scatter_ring");
}

}  // namespace
}  // namespace weft::collectives
