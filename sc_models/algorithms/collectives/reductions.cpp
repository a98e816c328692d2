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

bool halves(const Collective& c) {
  return c.bytes > kShortReduction && c.bytes / kElementBytes >= std::bit_floor(c.ranks);
}

// Whole elements for each of `count` blocks, the first ones with one more.
Cut whole_elements(std::uint64_t bytes, std::uint32_t count) {
  const std::uint64_t elements = (bytes + kElementBytes - 1) / kElementBytes;
  return {elements / count * kElementBytes, bytes, elements % count, kElementBytes};
}

std::uint32_t itself(std::uint32_t i) { return i; }

Part all_of(const Collective& c, Rank peer, std::uint32_t blocks, Detail detail) {
  Part out{peer, c.bytes, {}, false};
  for (std::uint32_t i = 0; i < blocks && detail == Detail::blocks; ++i) out.blocks.push_back(i);
  return out;
}

Part combined(Part p) {
  p.combine = true;
  return p;
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
      first.sends = {all_of(c, c.rank - 1, fold.power, wanted.detail)};
    } else if (fold.is_pair(c.rank)) {
      first.receives = {combined(all_of(c, c.rank + 1, fold.power, wanted.detail))};
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
  const auto part = [&](Rank peer) {
    Part out{peer, cut.bytes(0, 1), {}, false};
    if (wanted.detail == Detail::blocks) out.blocks = {0};
    return out;
  };
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

}  // namespace

Schedule reduce(const Collective& c, const Wanted& wanted) {
  if (halves(c)) return halving_gather(c, wanted);
  ScheduleBuilder b(c, wanted);
  b.binomial_reduce();
  return b.take("binomial");
}

Schedule allreduce(const Collective& c, const Wanted& wanted) {
  const Fold fold(c.ranks, true);
  const bool in_halves = halves(c);
  const char* const algorithm = in_halves ? "halving_doubling" : "doubling";
  const std::uint32_t blocks = in_halves ? fold.power : 1;
  std::vector<Round> rounds;
  const bool folded = fold.is_pair(c.rank);
  const Part all = all_of(c, c.rank ^ 1U, blocks, wanted.detail);
  if (!fold.stays(c.rank)) {
    rounds.resize(2 + (in_halves ? 2 : 1) * fold.steps());
    rounds.front().sends = rounds.back().receives = {all};
    return within(algorithm, std::move(rounds), wanted.rounds);
  }
  if (fold.rest > 0) rounds.emplace_back();
  if (folded) rounds.back().receives = {combined(all)};
  const std::uint32_t place = fold.place(c.rank);
  const Wanted whole{{}, wanted.detail};
  if (in_halves) {
    ScheduleBuilder b({c.op, fold.power, fold.reversed(place), 0, c.bytes}, whole);
    const Cut cut = whole_elements(c.bytes, fold.power);
    b.halving_reduce_scatter(cut, itself);
    b.doubling_allgather(cut, itself);
    append(rounds, b.take("").rounds, [&](Rank p) { return fold.rank(fold.reversed(p)); });
  } else {
    ScheduleBuilder b({c.op, fold.power, place, 0, c.bytes}, whole);
    b.doubling_allreduce();
    append(rounds, b.take("").rounds, [&](Rank p) { return fold.rank(p); });
  }
  if (fold.rest > 0) rounds.emplace_back();
  if (folded) rounds.back().sends = {all};
  return within(algorithm, std::move(rounds), wanted.rounds);
}

Schedule halving_reduce_scatter(const Collective& c, const Wanted& wanted) {
  const Fold fold(c.ranks, true);
  std::vector<Round> rounds;
  const bool folded = fold.is_pair(c.rank);
  const auto own = [&](Rank peer, Rank whose) {
    Part out{peer, c.bytes, {}, false};
    if (wanted.detail == Detail::blocks) out.blocks = {whose};
    return out;
  };
  Part all = all_of(c, c.rank ^ 1U, c.ranks, wanted.detail);
  all.bytes *= c.ranks;
  if (!fold.stays(c.rank)) {
    rounds.resize(2 + fold.steps());
    rounds.front().sends = {all};
    rounds.back().receives = {own(c.rank + 1, c.rank)};
    return within("halving", std::move(rounds), wanted.rounds);
  }
  if (fold.rest > 0) rounds.emplace_back();
  if (folded) rounds.back().receives = {combined(all)};
  // A rank of a pair works for both: its block has two parts.
  const Cut cut{c.bytes, c.bytes * c.ranks, fold.rest, c.bytes};
  ScheduleBuilder b({c.op, fold.power, fold.place(c.rank), 0, c.bytes}, {{}, wanted.detail});
  b.halving_reduce_scatter(cut, itself);
  append(rounds, b.take("").rounds, [&](Rank p) { return fold.rank(p); });
  for (Round& r : rounds) {
    if (&r == &rounds.front() && fold.rest > 0) continue;
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
  if (fold.rest > 0) rounds.emplace_back();
  if (folded) rounds.back().sends = {own(c.rank - 1, c.rank - 1)};
  return within("halving", std::move(rounds), wanted.rounds);
}

}  // namespace weft::collectives
