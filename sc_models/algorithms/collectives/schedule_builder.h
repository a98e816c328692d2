#pragma once
// Rounds of the algorithms that collectives are made of (binomial trees, doubling, halving, rings, pairwise exchange),
// from which algorithms/collectives/schedule chooses. Of the rounds only those asked for are made.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "algorithms/collectives/rounds.h"

namespace weft::collectives {

/// Part of a schedule that is asked for.
struct Wanted {
  RoundWindow rounds;
  Detail detail;
};

/// Data cut into blocks of `each` bytes, the first `longer` of them with `more` bytes more; the last ones have less, or
/// nothing, when there are not so many.
struct Cut {
  std::uint64_t each;
  std::uint64_t all;
  std::uint64_t longer = 0;
  std::uint64_t more = 0;
  // Bytes of blocks first .. first + count - 1.
  std::uint64_t bytes(std::uint64_t first, std::uint64_t count) const { return before(first + count) - before(first); }

 private:
  std::uint64_t before(std::uint64_t block) const {
    return std::min(all, block * each + std::min(block, longer) * more);
  }
};

/// The same number of bytes for every rank.
inline Cut alike(const Collective& c) { return {c.bytes, c.bytes * c.ranks}; }

/// Received: combined with what the rank has.
inline Part combined(Part p) {
  p.combine = true;
  return p;
}

/// Ranks and blocks of trees count from the root, `here`.
class ScheduleBuilder {
 public:
  ScheduleBuilder(const Collective& c, const Wanted& wanted)
      : op_(c), wanted_(wanted), ranks_(c.ranks), here_((c.rank + c.ranks - c.root) % c.ranks), by_root_(c.root) {}

  Schedule take(const char* algorithm) { return {algorithm, std::move(rounds_), in_all_}; }

  void barrier() {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      add([&] { return Round{{part(here_ + step, 0)}, {part(here_ + ranks_ - step, 0)}}; });
    }
  }

  void binomial_broadcast() {
    down_tree([&](std::uint32_t step) { return whole(here_ - step); },
              [&](std::uint32_t step) { return whole(here_ + step); });
  }

  // The same tree the other way round.
  void binomial_reduce() {
    up_tree([&](std::uint32_t step) { return whole(here_ - step); },
            [&](std::uint32_t step) { return combined(whole(here_ + step)); });
  }

  // Blocks of `cut` count from the root; `name(b)`: what block b is called.
  using Name = std::function<std::uint32_t(std::uint32_t)>;

  void binomial_scatter(const Cut& cut, const Name& name) {
    down_tree([&](std::uint32_t step) { return range(here_ - step, here_, step, cut, name); },
              [&](std::uint32_t step) { return range(here_ + step, here_ + step, step, cut, name); });
  }

  void binomial_gather(const Cut& cut, const Name& name) {
    up_tree([&](std::uint32_t step) { return range(here_ - step, here_, step, cut, name); },
            [&](std::uint32_t step) { return range(here_ + step, here_ + step, step, cut, name); });
  }

  // A power of two of ranks, each with its block: in the pairs of doubling_allgather, always to the one whose number
  // has the lowest bits of the root's.
  void pairs_gather(const Cut& cut, const Name& name, std::uint32_t root) {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      const std::uint32_t peer = here_ ^ step;
      const std::uint32_t low = 2 * step - 1;
      if ((peer & low) == (root & low)) {
        send([&] { return range(peer, here_ & ~(step - 1), step, cut, name); });
        return;
      }
      receive([&] { return range(peer, peer & ~(step - 1), step, cut, name); });
    }
  }

  void ring_allgather(const Cut& cut, const Name& name) {
    add(ranks_ - 1, [&](std::uint32_t step) {
      return Round{{range(here_ + 1, here_ + ranks_ - step, 1, cut, name)},
                   {range(here_ + ranks_ - 1, here_ + 2 * ranks_ - step - 1, 1, cut, name)}};
    });
  }

  // A power of two of ranks.
  void doubling_allgather(const Cut& cut, const Name& name) {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      const std::uint32_t peer = here_ ^ step;
      add([&] {
        return Round{{range(peer, here_ & ~(step - 1), step, cut, name)},
                     {range(peer, peer & ~(step - 1), step, cut, name)}};
      });
    }
  }

  // A power of two of ranks; rank r ends with block r.
  void halving_reduce_scatter(const Cut& cut, const Name& name) {
    for (std::uint32_t step = ranks_ / 2; step > 0; step /= 2) {
      const std::uint32_t peer = here_ ^ step;
      add([&] {
        return Round{{range(peer, peer & ~(step - 1), step, cut, name)},
                     {combined(range(peer, here_ & ~(step - 1), step, cut, name))}};
      });
    }
  }

  void pairwise_reduce_scatter(const Cut& cut, const Name& name) {
    add(ranks_ - 1, [&](std::uint32_t before) {
      const std::uint32_t i = before + 1;
      const std::uint32_t to = (here_ + i) % ranks_;
      return Round{{range(to, to, 1, cut, name)}, {combined(range(here_ + ranks_ - i, here_, 1, cut, name))}};
    });
  }

  // Everybody combines everything; a power of two of ranks.
  void doubling_allreduce() {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      add([&] { return Round{{whole(here_ ^ step)}, {combined(whole(here_ ^ step))}}; });
    }
  }

  void bruck_allgather(const Cut& cut, const Name& name) {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      const std::uint32_t count = std::min(step, ranks_ - step);
      add([&] {
        return Round{{ring(here_ + ranks_ - step, here_, count, cut, name)},
                     {ring(here_ + step, here_ + step, count, cut, name)}};
      });
    }
  }

  // Data for the rank i places further travel the powers of two that i consists of, smallest first.
  void bruck_alltoall() {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      add([&] {
        const std::uint64_t bytes = op_.bytes * with_bit(step);
        Round r{{part(here_ + step, bytes)}, {part(here_ + ranks_ - step, bytes)}};
        for (std::uint32_t i = 0; i < ranks_ && has_blocks(); ++i) {
          if ((i & step) == 0) continue;
          const std::uint32_t travelled = i & (step - 1);
          r.sends.front().blocks.push_back(pair(here_ + ranks_ - travelled, i));
          r.receives.front().blocks.push_back(pair(here_ + 2 * ranks_ - step - travelled, i));
        }
        return r;
      });
    }
  }

  void linear_alltoall() {
    add([&] {
      Round r;
      for (std::uint32_t i = 1; i < ranks_; ++i) {
        r.sends.push_back(part(here_ + i, op_.bytes, pair(here_, i)));
        r.receives.push_back(part(here_ + ranks_ - i, op_.bytes, pair(here_ + ranks_ - i, i)));
      }
      return r;
    });
  }

  void pairwise_alltoall() {
    add(ranks_ - 1, [&](std::uint32_t before) {
      const std::uint32_t i = before + 1;
      const bool exchange = std::has_single_bit(ranks_);
      const std::uint32_t to = exchange ? here_ ^ i : (here_ + i) % ranks_;
      const std::uint32_t from = exchange ? to : (here_ + ranks_ - i) % ranks_;
      return Round{{part(to, op_.bytes, here_ * ranks_ + to)}, {part(from, op_.bytes, from * ranks_ + here_)}};
    });
  }

 private:
  Rank real(std::uint32_t from_root) const { return (from_root + by_root_) % ranks_; }

  // Binomial trees: a rank has its parent own_step() below it, and children at all shorter steps above it.
  std::uint32_t own_step() const { return here_ == 0 ? std::bit_ceil(ranks_) : here_ & (~here_ + 1); }
  // One round for each step: what comes from the parent goes on to the children; or what they send to the parent.
  template <class FromParent, class ToChild>
  void down_tree(FromParent&& from_parent, ToChild&& to_child) {
    for (std::uint32_t step = std::bit_ceil(ranks_) / 2; step > 0; step /= 2) {
      if (step == own_step()) {
        receive([&] { return from_parent(step); });
      } else if (step < own_step() && here_ + step < ranks_) {
        send([&] { return to_child(step); });
      } else {
        pause();
      }
    }
  }
  template <class ToParent, class FromChild>
  void up_tree(ToParent&& to_parent, FromChild&& from_child) {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      if (step == own_step()) {
        send([&] { return to_parent(step); });
        return;
      }
      if (here_ + step < ranks_) {
        receive([&] { return from_child(step); });
      } else {
        pause();
      }
    }
  }

  bool has_blocks() const { return wanted_.detail == Detail::blocks; }

  Part part(std::uint32_t peer, std::uint64_t bytes) const { return {real(peer), bytes, {}, false}; }
  Part part(std::uint32_t peer, std::uint64_t bytes, std::uint32_t block) const {
    Part p = part(peer, bytes);
    if (has_blocks()) p.blocks.push_back(block);
    return p;
  }

  // Blocks first .. first + count - 1, as far as there are any.
  Part range(std::uint32_t peer, std::uint32_t first, std::uint32_t count, const Cut& cut, const Name& name) const {
    const std::uint32_t from = first % ranks_;
    return ring(peer, from, std::min(count, ranks_ - from), cut, name);
  }

  // The same, going on with block 0 behind the last one.
  Part ring(std::uint32_t peer, std::uint32_t first, std::uint32_t count, const Cut& cut, const Name& name) const {
    const std::uint32_t from = first % ranks_;
    const std::uint32_t to_the_last = std::min(count, ranks_ - from);
    Part p = part(peer, cut.bytes(from, to_the_last) + cut.bytes(0, count - to_the_last));
    for (std::uint32_t i = 0; i < count && has_blocks(); ++i) p.blocks.push_back(name((from + i) % ranks_));
    return p;
  }

  // Ranks whose number has the bit `step`.
  std::uint64_t with_bit(std::uint32_t step) const {
    const std::uint64_t period = std::uint64_t{2} * step;
    return ranks_ / period * step + std::max<std::uint64_t>(ranks_ % period, step) - step;
  }

  // alltoall: from rank `source` to the one `further` places further.
  std::uint32_t pair(std::uint32_t source, std::uint32_t further) const {
    return source % ranks_ * ranks_ + (source + further) % ranks_;
  }

  Part whole(std::uint32_t peer) const { return part(peer, op_.bytes, 0); }

  // Further rounds, of which make(0) .. make(count - 1) are called for those in the window.
  template <class Make>
  void add(std::uint32_t count, Make&& make) {
    const RoundWindow& window = wanted_.rounds;
    std::uint32_t i = std::min(count, window.first > in_all_ ? window.first - in_all_ : 0);
    for (; i < count && window.has(in_all_ + i); ++i) rounds_.push_back(make(i));
    in_all_ += count;
  }
  template <class Make>
  void add(Make&& make) {
    add(1, [&](std::uint32_t) { return make(); });
  }
  // A round of other ranks alone.
  void pause() {
    add([] { return Round{}; });
  }
  template <class Make>
  void send(Make&& make) {
    add([&] { return Round{{make()}, {}}; });
  }
  template <class Make>
  void receive(Make&& make) {
    add([&] { return Round{{}, {make()}}; });
  }

  const Collective op_;
  const Wanted wanted_;
  const std::uint32_t ranks_;
  const std::uint32_t here_;
  const Rank by_root_;
  std::vector<Round> rounds_;
  std::uint32_t in_all_ = 0;
};

}  // namespace weft::collectives
