#include "algorithms/collectives/torus_rounds.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

namespace weft::collectives {
namespace {

using Place = std::vector<std::uint32_t>;

Place place_of(const TorusShape& shape, Rank rank) {
  Place out;
  for (const std::uint32_t n : shape) {
    out.push_back(rank % n);
    rank /= n;
  }
  return out;
}

Rank rank_of(const TorusShape& shape, const Place& place) {
  Rank out = 0;
  for (std::size_t d = shape.size(); d-- > 0;) out = out * shape[d] + place[d];
  return out;
}

// Coordinate `steps` places further; negative: back.
std::uint32_t moved(std::uint32_t x, std::int64_t steps, std::uint32_t n) {
  const std::int64_t to = (std::int64_t{x} + steps) % n;
  return static_cast<std::uint32_t>(to < 0 ? to + n : to);
}

Rank neighbour(const TorusShape& shape, const Place& place, std::size_t d, std::int64_t steps) {
  Place to = place;
  to[d] = moved(to[d], steps, shape[d]);
  return rank_of(shape, to);
}

std::uint64_t divided(std::uint64_t bytes, std::uint64_t by) { return (bytes + by - 1) / by; }

// A round of one phase: `step` of those along dimension `order[phase]`.
struct Step {
  std::size_t phase;
  std::uint32_t step;
};

// Dimensions in the order of a part that begins with `first`.
std::vector<std::size_t> order_from(std::size_t first, std::size_t count) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back((first + i) % count);
  return out;
}

// `in_phase(d)`: rounds along dimension d.
template <class InPhase>
Step step_of(std::uint32_t round, const std::vector<std::size_t>& order, InPhase&& in_phase) {
  std::size_t phase = 0;
  while (round >= in_phase(order[phase])) round -= in_phase(order[phase++]);
  return {phase, round};
}

// Rounds of the window out of make(round).
template <class Make>
Schedule windowed(std::uint32_t rounds, const Wanted& wanted, Make&& make) {
  Schedule out{"torus", {}, rounds};
  for (std::uint32_t r = wanted.rounds.first; r < rounds && wanted.rounds.has(r); ++r) out.rounds.push_back(make(r));
  return out;
}

// Calls visit(place) for all places in which the free dimensions take every value.
template <class Visit>
void each_place(const TorusShape& shape, Place place, const std::vector<bool>& free, Visit&& visit) {
  for (std::size_t d = 0; d < shape.size(); ++d) place[d] = free[d] ? 0 : place[d];
  for (;;) {
    visit(place);
    std::size_t d = 0;
    while (d < shape.size() && (!free[d] || ++place[d] == shape[d])) {
      if (free[d]) place[d] = 0;
      ++d;
    }
    if (d == shape.size()) return;
  }
}

bool linked(const TorusShape& shape, Rank a, Rank b) {
  const Place from = place_of(shape, a);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (neighbour(shape, from, d, 1) == b || neighbour(shape, from, d, -1) == b) return true;
  }
  return false;
}

std::pair<Rank, Rank> link(Rank a, Rank b) { return {std::min(a, b), std::max(a, b)}; }

// Rows of `across` ranks one after the other, each begun where the one before ended; closes when the rows are a
// multiple of their length.
std::vector<Rank> stepped_ring(const TorusShape& shape, std::size_t across, std::size_t down) {
  std::vector<Rank> out;
  const std::uint32_t n = shape[across];
  for (std::uint32_t row = 0; row < shape[down]; ++row) {
    for (std::uint32_t i = 0; i < n; ++i) {
      Place p(2);
      p[across] = moved(i, -std::int64_t{row}, n);
      p[down] = row;
      out.push_back(rank_of(shape, p));
    }
  }
  return out;
}

// The ring of all links that the other one does not have; empty when they are no single ring.
std::vector<Rank> rest_ring(const TorusShape& shape, const std::vector<Rank>& ring) {
  std::set<std::pair<Rank, Rank>> used;
  for (std::size_t i = 0; i < ring.size(); ++i) used.insert(link(ring[i], ring[(i + 1) % ring.size()]));
  std::vector<Rank> out{0};
  std::vector<bool> seen(ring.size(), false);
  seen[0] = true;
  for (;;) {
    const Place here = place_of(shape, out.back());
    std::optional<Rank> next;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      for (const int steps : {1, -1}) {
        const Rank to = neighbour(shape, here, d, steps);
        if (!used.contains(link(out.back(), to)) && !seen[to]) next = to;
      }
    }
    if (!next) break;
    seen[*next] = true;
    out.push_back(*next);
  }
  const bool whole = out.size() == ring.size() && linked(shape, out.back(), 0) && !used.contains(link(out.back(), 0));
  return whole ? out : std::vector<Rank>();
}

// Bucket algorithm: the block of each rank in 2 d parts, each around the rings of all dimensions.
class Buckets {
 public:
  // `blocks`: those of the ranks; parts of them are whole multiples of `unit` bytes, but for the last ones.
  Buckets(const Collective& c, const TorusShape& shape, Cut blocks, std::uint64_t unit)
      : shape_(shape),
        dims_(shape.size()),
        parts_(static_cast<std::uint32_t>(2 * shape.size())),
        here_(place_of(shape, c.rank)),
        blocks_(blocks),
        alike_(blocks.all == blocks.each * c.ranks),
        part_(divided(divided(blocks.each, unit), parts_) * unit) {
    for (const std::uint32_t n : shape) rounds_ += n - 1;
  }

  std::uint32_t rounds() const { return rounds_; }

  Round gather(std::uint32_t round, bool with_blocks) const {
    Round out;
    for (std::uint32_t part = 0; part < parts_; ++part) {
      const int direction = part % 2 == 0 ? 1 : -1;
      const std::vector<std::size_t> order = order_from(part / 2, dims_);
      const Step at = step_of(round, order, [&](std::size_t d) { return shape_[d] - 1; });
      const std::int64_t back = -std::int64_t{direction} * at.step;
      out.sends.push_back(message(part, order, at.phase, direction, back, with_blocks));
      out.receives.push_back(message(part, order, at.phase, -direction, back - direction, with_blocks));
    }
    return out;
  }

  // The same rounds from the last to the first, in which what was received is sent back.
  Round reduce(std::uint32_t round, bool with_blocks) const {
    Round out = gather(rounds_ - 1 - round, with_blocks);
    std::swap(out.sends, out.receives);
    for (Part& p : out.receives) p.combine = true;
    return out;
  }

 private:
  // What began `from` places from this rank along the dimension of the phase, and what that has met before.
  Part message(std::uint32_t part, const std::vector<std::size_t>& order, std::size_t phase, int to, std::int64_t from,
               bool with_blocks) const {
    const std::size_t d = order[phase];
    std::vector<bool> met(dims_, false);
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < phase; ++i) {
      met[order[i]] = true;
      count *= shape_[order[i]];
    }
    Part out{neighbour(shape_, here_, d, to), alike_ ? count * bytes(blocks_.each, part) : 0, {}, false};
    if (alike_ && !with_blocks) return out;
    Place begin = here_;
    begin[d] = moved(begin[d], from, shape_[d]);
    each_place(shape_, begin, met, [&](const Place& place) {
      const Rank block = rank_of(shape_, place);
      if (!alike_) out.bytes += bytes(blocks_.bytes(block, 1), part);
      if (with_blocks) out.blocks.push_back(block * parts_ + part);
    });
    return out;
  }

  std::uint64_t bytes(std::uint64_t block, std::uint32_t part) const { return Cut{part_, block}.bytes(part, 1); }

  const TorusShape& shape_;
  const std::size_t dims_;
  const std::uint32_t parts_;
  const Place here_;
  const Cut blocks_;
  const bool alike_;
  const std::uint64_t part_;
  std::uint32_t rounds_ = 0;
};

}  // namespace

std::optional<TorusShape> torus_of(const std::vector<std::uint32_t>& network, const NodeList& group) {
  if (network.empty() || group.empty()) return std::nullopt;
  const std::uint64_t nodes = std::accumulate(network.begin(), network.end(), std::uint64_t{1}, std::multiplies<>());
  std::vector<std::set<std::uint32_t>> values(network.size());
  for (const NodeId n : group) {
    if (n >= nodes) return std::nullopt;
    const Place p = place_of(network, n);
    for (std::size_t d = 0; d < p.size(); ++d) values[d].insert(p[d]);
  }
  TorusShape out;
  std::uint64_t size = 1;
  for (std::size_t d = 0; d < network.size(); ++d) {
    if (values[d].size() == 1) continue;
    if (values[d].size() != network[d]) return std::nullopt;
    out.push_back(network[d]);
    size *= network[d];
  }
  if (size != group.size() || out.empty()) return std::nullopt;
  return out;
}

std::vector<std::vector<Rank>> disjoint_rings(const TorusShape& shape) {
  if (shape.size() == 1) {
    std::vector<Rank> ring(shape[0]);
    std::iota(ring.begin(), ring.end(), Rank{0});
    return {ring};
  }
  // Two nodes in a row would be neighbours twice, over one link.
  if (shape.size() != 2 || shape[0] < 3 || shape[1] < 3) return {};
  const bool long_rows = shape[0] % shape[1] == 0 && shape[0] != shape[1];
  if (!long_rows && shape[1] % shape[0] != 0) return {};
  const std::vector<Rank> first = long_rows ? stepped_ring(shape, 1, 0) : stepped_ring(shape, 0, 1);
  const std::vector<Rank> second = rest_ring(shape, first);
  if (second.empty()) return {};
  return {first, second};
}

Schedule torus_allgather(const Collective& c, const Wanted& wanted, const TorusShape& shape) {
  const Buckets buckets(c, shape, {c.bytes, c.bytes * c.ranks}, 1);
  return windowed(buckets.rounds(), wanted,
                  [&](std::uint32_t round) { return buckets.gather(round, wanted.detail == Detail::blocks); });
}

Schedule torus_reduce_scatter(const Collective& c, const Wanted& wanted, const TorusShape& shape) {
  const Buckets buckets(c, shape, {c.bytes, c.bytes * c.ranks}, kElementBytes);
  return windowed(buckets.rounds(), wanted,
                  [&](std::uint32_t round) { return buckets.reduce(round, wanted.detail == Detail::blocks); });
}

Schedule torus_allreduce(const Collective& c, const Wanted& wanted, const TorusShape& shape) {
  const std::uint64_t share = divided(divided(c.bytes, kElementBytes), c.ranks) * kElementBytes;
  const Buckets buckets(c, shape, {share, c.bytes}, kElementBytes);
  const bool blocks = wanted.detail == Detail::blocks;
  return windowed(2 * buckets.rounds(), wanted, [&](std::uint32_t round) {
    return round < buckets.rounds() ? buckets.reduce(round, blocks) : buckets.gather(round - buckets.rounds(), blocks);
  });
}

Schedule torus_alltoall(const Collective& c, const Wanted& wanted, const TorusShape& shape) {
  const auto dims = static_cast<std::uint32_t>(shape.size());
  const Place here = place_of(shape, c.rank);
  const Cut cut{divided(c.bytes, dims), c.bytes};
  std::uint32_t rounds = 0;
  for (const std::uint32_t n : shape) rounds += n / 2;
  const auto in_phase = [&](std::size_t d) { return shape[d] / 2; };
  return windowed(rounds, wanted, [&](std::uint32_t round) {
    Round out;
    for (std::uint32_t part = 0; part < dims; ++part) {
      const std::vector<std::size_t> order = order_from(part, dims);
      const Step at = step_of(round, order, in_phase);
      const std::size_t d = order[at.phase];
      const std::uint32_t n = shape[d];
      const std::uint64_t whole = cut.bytes(part, 1);
      const std::uint64_t half[] = {(whole + 1) / 2, whole / 2};
      // Sources are free in the dimensions before, destinations in those behind.
      std::vector<bool> before(dims, false);
      std::vector<bool> behind(dims, false);
      for (std::size_t i = 0; i < dims; ++i) (i < at.phase ? before : behind)[order[i]] = i != at.phase;
      const std::uint64_t items = c.ranks / n;
      // Items that began along this dimension `from` places from this rank and are at least `step` + 1 places under
      // way.
      const auto message = [&](int direction, std::int64_t to, std::int64_t from) {
        Part p{neighbour(shape, here, d, to), 0, {}, false};
        for (std::uint32_t distance = at.step + 1; 2 * distance <= n; ++distance) {
          const bool both_ways = 2 * distance == n;
          const std::size_t own_half = direction > 0 ? 0 : 1;
          p.bytes += items * (both_ways ? half[own_half] : whole);
          if (wanted.detail != Detail::blocks) continue;
          Place source = here;
          source[d] = moved(source[d], from, n);
          Place target = source;
          target[d] = moved(target[d], std::int64_t{direction} * distance, n);
          each_place(shape, source, before, [&](const Place& s) {
            each_place(shape, target, behind, [&](const Place& t) {
              const std::uint32_t block = (rank_of(shape, s) * c.ranks + rank_of(shape, t)) * dims + part;
              for (const std::size_t h : {0, 1}) {
                if (!both_ways || h == own_half) p.blocks.push_back(2 * block + static_cast<std::uint32_t>(h));
              }
            });
          });
        }
        return p;
      };
      for (const int direction : {1, -1}) {
        out.sends.push_back(message(direction, direction, -std::int64_t{direction} * at.step));
        out.receives.push_back(message(direction, -direction, -std::int64_t{direction} * (at.step + 1)));
      }
    }
    return out;
  });
}

Schedule torus_broadcast(const Collective& c, const Wanted& wanted, const TorusShape& shape, std::uint64_t chunk) {
  struct Lane {
    std::uint32_t place;  // of this rank behind the root
    Rank next;
    Rank previous;
  };
  std::vector<Lane> lanes;
  for (const std::vector<Rank>& ring : disjoint_rings(shape)) {
    const auto at = [&](Rank r) { return std::find(ring.begin(), ring.end(), r) - ring.begin(); };
    const std::int64_t apart = at(c.rank) - at(c.root);
    const auto index = static_cast<std::uint32_t>(at(c.rank));
    const Rank after = ring[moved(index, 1, c.ranks)];
    const Rank before = ring[moved(index, -1, c.ranks)];
    lanes.push_back({moved(0, apart, c.ranks), after, before});
    lanes.push_back({moved(0, -apart, c.ranks), before, after});
  }
  const Cut parts{divided(c.bytes, lanes.size()), c.bytes};
  const auto chunks = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, divided(parts.each, chunk)));
  return windowed(chunks + c.ranks - 2, wanted, [&](std::uint32_t round) {
    Round out;
    for (std::uint32_t part = 0; part < lanes.size(); ++part) {
      const Lane& lane = lanes[part];
      const Cut cut{divided(parts.bytes(part, 1), chunks), parts.bytes(part, 1)};
      const auto message = [&](Rank peer, std::uint32_t number) {
        Part p{peer, cut.bytes(number, 1), {}, false};
        if (wanted.detail == Detail::blocks) p.blocks.push_back(part * chunks + number);
        return p;
      };
      // Chunk k is sent by the rank `place` behind the root in round k + place.
      if (lane.place + 1 < c.ranks && round >= lane.place && round - lane.place < chunks) {
        out.sends.push_back(message(lane.next, round - lane.place));
      }
      if (lane.place > 0 && round + 1 >= lane.place && round + 1 - lane.place < chunks) {
        out.receives.push_back(message(lane.previous, round + 1 - lane.place));
      }
    }
    return out;
  });
}

}  // namespace weft::collectives
