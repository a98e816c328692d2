#include "algorithms/collectives/reductions.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace weft::collectives {
namespace {

constexpr std::uint64_t kShortReduction = 2 << 10;

// Ranks of which a power of two halve.
struct Fold {
  std::uint32_t power;
  std::uint32_t rest;
  bool odd_stay;

  Fold(std::uint32_t ranks, bool odd) : power(std::bit_floor(ranks)), rest(ranks - power), odd_stay(odd) {}
  bool is_pair(Rank rank) const { return rank < 2 * rest; }
  bool stays(Rank rank) const { return !is_pair(rank) || (rank % 2 == 1) == odd_stay; }
  std::uint32_t place(Rank rank) const { return is_pair(rank) ? rank / 2 : rank - rest; }
  Rank rank(std::uint32_t place) const { return place < rest ? 2 * place + (odd_stay ? 1 : 0) : place + rest; }
  // Halving between places at distances 1, 2, ... is halving at distances p/2 ... 2, 1 of places with their bits
  // reversed.
  std::uint32_t reversed(std::uint32_t place) const {
    std::uint32_t out = 0;
    for (std::uint32_t bit = 1; bit < power; bit *= 2) out = 2 * out + ((place & bit) != 0 ? 1 : 0);
    return out;
  }
  std::uint32_t steps() const { return static_cast<std::uint32_t>(std::bit_width(power)) - 1; }
};

bool halves(const Collective& c) { return c.bytes > kShortReduction && can_halve(c); }

// Whole elements for each of `count` blocks, the first ones with one more.
Cut whole_elements(std::uint64_t bytes, std::uint32_t count) {
  const std::uint64_t elements = (bytes + kElementBytes - 1) / kElementBytes;
  return {elements / count * kElementBytes, bytes, elements % count, kElementBytes};
}

std::uint32_t itself(std::uint32_t i) { return i; }

// Blocks first .. first + count - 1, `bytes` together.
Part part_of(Rank peer, std::uint64_t bytes, std::uint32_t first, std::uint32_t count, Detail detail) {
  Part out{peer, bytes, {}, false};
  for (std::uint32_t i = 0; i < count && detail == Detail::blocks; ++i) out.blocks.push_back(first + i);
  return out;
}

// `peer`: the rank behind a peer of the rounds.
template <class Peer>
void append(std::vector<Round>& to, std::vector<Round> rounds, const Peer& peer) {
  for (Round& r : rounds) {
    for (std::vector<Part>* parts : {&r.sends, &r.receives}) {
      for (Part& p : *parts) p.peer = peer(p.peer);
    }
    to.push_back(std::move(r));
  }
}

// There are few rounds, whatever the window.
Schedule within(const char* algorithm, std::vector<Round> rounds, const RoundWindow& window) {
  Schedule s{algorithm, {}, static_cast<std::uint32_t>(rounds.size())};
  for (std::uint32_t i = 0; i < s.rounds_in_all; ++i) {
    if (window.has(i)) s.rounds.push_back(std::move(rounds[i]));
  }
  return s;
}

Schedule halving_gather(const Collective& c, const Wanted& wanted) {
  const Fold fold(c.ranks, false);
  const Cut cut = whole_elements(c.bytes, fold.power);
  const Wanted all{{}, wanted.detail};
  std::vector<Round> rounds;
  const bool stays = fold.stays(c.rank);
  if (fold.rest > 0) {
    Round& first = rounds.emplace_back();
    if (!stays) {
      first.sends = {part_of(c.rank - 1, c.bytes, 0, fold.power, wanted.detail)};
    } else if (fold.is_pair(c.rank)) {
      first.receives = {combined(part_of(c.rank + 1, c.bytes, 0, fold.power, wanted.detail))};
    }
  }
  const std::uint32_t here = fold.reversed(fold.place(c.rank));
  if (stays) {
    ScheduleBuilder b({c.op, fold.power, here, 0, c.bytes}, all);
    b.halving_reduce_scatter(cut, itself);
    append(rounds, b.take("").rounds, [&](Rank p) { return fold.rank(fold.reversed(p)); });
  } else {
    rounds.resize(rounds.size() + fold.steps());
  }
  // A root that has given its data away takes the place of rank 0, and its part.
  const bool root_stays = fold.stays(c.root);
  const auto part = [&](Rank peer) { return part_of(peer, cut.bytes(0, 1), 0, 1, wanted.detail); };
  if (!root_stays) {
    Round& exchange = rounds.emplace_back();
    if (c.rank == 0) exchange.sends = {part(c.root)};
    if (c.rank == c.root) exchange.receives = {part(0)};
  }
  const bool gathers = root_stays ? stays : (stays && c.rank != 0) || c.rank == c.root;
  if (gathers) {
    const std::uint32_t own = c.rank == c.root && !root_stays ? 0 : here;
    ScheduleBuilder b({c.op, fold.power, own, 0, c.bytes}, all);
    b.pairs_gather(cut, itself, root_stays ? fold.reversed(fold.place(c.root)) : 0);
    append(rounds, b.take("").rounds,
           [&](Rank p) { return p == 0 && !root_stays ? c.root : fold.rank(fold.reversed(p)); });
  }
  return within("halving_gather", std::move(rounds), wanted.rounds);
}

// Even ranks of pairs give `whole` to the odd ones, which have the rounds of `inner`, and get `result` back.
template <class Inner>
std::vector<Round> folded(const Fold& fold, Rank rank, const Part& whole, const Part& result, std::uint32_t steps,
                          const Inner& inner) {
  std::vector<Round> rounds;
  if (!fold.stays(rank)) {
    rounds.resize(steps + 2);
    rounds.front().sends = {whole};
    rounds.back().receives = {result};
    return rounds;
  }
  if (fold.rest == 0) return inner();
  rounds.emplace_back();
  append(rounds, inner(), itself);
  rounds.emplace_back();
  if (fold.is_pair(rank)) {
    rounds.front().receives = {combined(whole)};
    rounds.back().sends = {result};
  }
  return rounds;
}

}  // namespace

bool can_halve(const Collective& c) { return c.bytes / kElementBytes >= std::bit_floor(c.ranks); }

Schedule reduce(const Collective& c, const Wanted& wanted, ReduceBy by) {
  if (by == ReduceBy::halving || (by == ReduceBy::automatic && halves(c))) return halving_gather(c, wanted);
  ScheduleBuilder b(c, wanted);
  b.binomial_reduce();
  return b.take("binomial");
}

Schedule allreduce(const Collective& c, const Wanted& wanted, AllreduceBy by) {
  const Fold fold(c.ranks, true);
  const bool is_free = by == AllreduceBy::automatic || by == AllreduceBy::torus;  // a torus: below torus_from
  const bool in_halves = is_free ? halves(c) : by == AllreduceBy::halving;
  const Part all = part_of(c.rank ^ 1U, c.bytes, 0, in_halves ? fold.power : 1, wanted.detail);
  const std::uint32_t steps = (in_halves ? 2 : 1) * fold.steps();
  std::vector<Round> rounds = folded(fold, c.rank, all, all, steps, [&] {
    std::vector<Round> out;
    const std::uint32_t place = fold.place(c.rank);
    ScheduleBuilder b({c.op, fold.power, in_halves ? fold.reversed(place) : place, 0, c.bytes}, {{}, wanted.detail});
    if (in_halves) {
      const Cut cut = whole_elements(c.bytes, fold.power);
      b.halving_reduce_scatter(cut, itself);
      b.doubling_allgather(cut, itself);
    } else {
      b.doubling_allreduce();
    }
    append(out, b.take("").rounds, [&](Rank p) { return fold.rank(in_halves ? fold.reversed(p) : p); });
    return out;
  });
  return within(in_halves ? "halving_doubling" : "doubling", std::move(rounds), wanted.rounds);
}

Schedule halving_reduce_scatter(const Collective& c, const Wanted& wanted) {
  const Fold fold(c.ranks, true);
  const Part all = part_of(c.rank ^ 1U, c.bytes * c.ranks, 0, c.ranks, wanted.detail);
  const Part own = part_of(c.rank ^ 1U, c.bytes, c.rank & ~1U, 1, wanted.detail);  // of the even one
  std::vector<Round> rounds = folded(fold, c.rank, all, own, fold.steps(), [&] {
    std::vector<Round> out;
    // A rank of a pair works for both: its block has two parts.
    const Cut cut{c.bytes, c.bytes * c.ranks, fold.rest, c.bytes};
    ScheduleBuilder b({c.op, fold.power, fold.place(c.rank), 0, c.bytes}, {{}, wanted.detail});
    b.halving_reduce_scatter(cut, itself);
    append(out, b.take("").rounds, [&](Rank p) { return fold.rank(p); });
    for (Round& r : out) {
      for (std::vector<Part>* parts : {&r.sends, &r.receives}) {
        for (Part& p : *parts) {
          std::vector<std::uint32_t> blocks;
          for (const std::uint32_t i : p.blocks) {
            if (i < fold.rest) blocks.push_back(2 * i);
            blocks.push_back(fold.rank(i));
          }
          p.blocks = std::move(blocks);
        }
      }
    }
    return out;
  });
  return within("halving", std::move(rounds), wanted.rounds);
}

}  // namespace weft::collectives
