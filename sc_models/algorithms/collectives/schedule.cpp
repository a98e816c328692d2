#include "algorithms/collectives/schedule.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace weft::collectives {
namespace {

constexpr std::uint64_t kShortBroadcast = 12 << 10;
constexpr std::uint64_t kLongBroadcast = 512 << 10;
constexpr std::uint32_t kFewRanks = 8;
constexpr std::uint64_t kShortAllgather = 80 << 10;
constexpr std::uint64_t kLongAllgather = 512 << 10;
constexpr std::uint64_t kShortAlltoall = 256;
constexpr std::uint64_t kLongAlltoall = 32 << 10;
constexpr std::uint64_t kShortReduction = 2 << 10;
constexpr std::uint64_t kLongReduceScatter = 512 << 10;

// Ranks and blocks of trees count from the root, `here`.
class Builder {
 public:
  Builder(const Collective& c, RoundWindow window)
      : op_(c), window_(window), ranks_(c.ranks), here_((c.rank + c.ranks - c.root) % c.ranks), by_root_(c.root) {}

  Schedule take(const char* algorithm) { return {algorithm, std::move(rounds_), in_all_}; }

  void barrier() {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      add([&] { return Round{{part(here_ + step, {}, {})}, {part(here_ + ranks_ - step, {}, {})}}; });
    }
  }

  void binomial_broadcast() {
    std::uint32_t step = 1;
    for (; step < ranks_; step *= 2) {
      if ((here_ & step) == 0) continue;
      receive([&] { return whole(here_ - step); });
      break;
    }
    for (step /= 2; step > 0; step /= 2) {
      if (here_ + step < ranks_) send([&] { return whole(here_ + step); });
    }
  }

  // The same tree the other way round.
  void binomial_reduce() {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      if ((here_ & step) != 0) {
        send([&] { return whole(here_ - step); });
        return;
      }
      if (here_ + step < ranks_) receive([&] { return combined(whole(here_ + step)); });
    }
  }

  // `bytes(b)`: of block b, both counted from the root; `name(b)`: what the block is called.
  using Bytes = std::function<std::uint64_t(std::uint32_t)>;
  using Name = std::function<std::uint32_t(std::uint32_t)>;

  void binomial_scatter(const Bytes& bytes, const Name& name) {
    std::uint32_t step = 1;
    for (; step < ranks_; step *= 2) {
      if ((here_ & step) == 0) continue;
      receive([&] { return range(here_ - step, here_, step, bytes, name); });
      break;
    }
    for (step /= 2; step > 0; step /= 2) {
      if (here_ + step < ranks_) send([&] { return range(here_ + step, here_ + step, step, bytes, name); });
    }
  }

  void binomial_gather(const Bytes& bytes, const Name& name) {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      if ((here_ & step) != 0) {
        send([&] { return range(here_ - step, here_, step, bytes, name); });
        break;
      }
      if (here_ + step < ranks_) receive([&] { return range(here_ + step, here_ + step, step, bytes, name); });
    }
  }

  void ring_allgather(const Bytes& bytes, const Name& name) {
    add(ranks_ - 1, [&](std::uint32_t step) {
      return Round{{range(here_ + 1, here_ + ranks_ - step, 1, bytes, name)},
                   {range(here_ + ranks_ - 1, here_ + 2 * ranks_ - step - 1, 1, bytes, name)}};
    });
  }

  // A power of two of ranks.
  void doubling_allgather(const Bytes& bytes, const Name& name) {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      const std::uint32_t peer = here_ ^ step;
      add([&] {
        return Round{{range(peer, here_ & ~(step - 1), step, bytes, name)},
                     {range(peer, peer & ~(step - 1), step, bytes, name)}};
      });
    }
  }

  // A power of two of ranks; rank r ends with block r.
  void halving_reduce_scatter(const Bytes& bytes, const Name& name) {
    for (std::uint32_t step = ranks_ / 2; step > 0; step /= 2) {
      const std::uint32_t peer = here_ ^ step;
      add([&] {
        return Round{{range(peer, peer & ~(step - 1), step, bytes, name)},
                     {combined(range(peer, here_ & ~(step - 1), step, bytes, name))}};
      });
    }
  }

  void pairwise_reduce_scatter(const Bytes& bytes, const Name& name) {
    add(ranks_ - 1, [&](std::uint32_t before) {
      const std::uint32_t i = before + 1;
      const std::uint32_t to = (here_ + i) % ranks_;
      return Round{{range(to, to, 1, bytes, name)}, {combined(range(here_ + ranks_ - i, here_, 1, bytes, name))}};
    });
  }

  // Everybody combines everything; a power of two of ranks.
  void doubling_allreduce() {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      add([&] { return Round{{whole(here_ ^ step)}, {combined(whole(here_ ^ step))}}; });
    }
  }

  void bruck_allgather(const Bytes& bytes, const Name& name) {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      const std::uint32_t count = std::min(step, ranks_ - step);
      add([&] {
        return Round{{ring(here_ + ranks_ - step, here_, count, bytes, name)},
                     {ring(here_ + step, here_ + step, count, bytes, name)}};
      });
    }
  }

  // Data for the rank i places further travel the powers of two that i consists of, smallest first.
  void bruck_alltoall() {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      add([&] {
        std::vector<std::uint32_t> out;
        std::vector<std::uint32_t> in;
        for (std::uint32_t i = 0; i < ranks_; ++i) {
          if ((i & step) == 0) continue;
          const std::uint32_t travelled = i & (step - 1);
          out.push_back(pair(here_ + ranks_ - travelled, i));
          in.push_back(pair(here_ + 2 * ranks_ - step - travelled, i));
        }
        const std::uint64_t bytes = op_.bytes * out.size();
        return Round{{part(here_ + step, bytes, std::move(out))}, {part(here_ + ranks_ - step, bytes, std::move(in))}};
      });
    }
  }

  void linear_alltoall() {
    add([&] {
      Round r;
      for (std::uint32_t i = 1; i < ranks_; ++i) {
        r.sends.push_back(part(here_ + i, op_.bytes, {pair(here_, i)}));
        r.receives.push_back(part(here_ + ranks_ - i, op_.bytes, {pair(here_ + ranks_ - i, i)}));
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
      return Round{{part(to, op_.bytes, {here_ * ranks_ + to})}, {part(from, op_.bytes, {from * ranks_ + here_})}};
    });
  }

 private:
  Rank real(std::uint32_t from_root) const { return (from_root + by_root_) % ranks_; }

  Part part(std::uint32_t peer, std::uint64_t bytes, std::vector<std::uint32_t> blocks) const {
    return {real(peer), bytes, std::move(blocks), false};
  }

  // Blocks first .. first + count - 1, as far as there are any.
  Part range(std::uint32_t peer, std::uint32_t first, std::uint32_t count, const Bytes& bytes, const Name& name) const {
    const std::uint32_t from = first % ranks_;
    return ring(peer, from, std::min(count, ranks_ - from), bytes, name);
  }

  // The same, going on with block 0 behind the last one.
  Part ring(std::uint32_t peer, std::uint32_t first, std::uint32_t count, const Bytes& bytes, const Name& name) const {
    Part p;
    p.peer = real(peer);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t b = (first + i) % ranks_;
      p.bytes += bytes(b);
      p.blocks.push_back(name(b));
    }
    return p;
  }

  // alltoall: from rank `source` to the one `further` places further.
  std::uint32_t pair(std::uint32_t source, std::uint32_t further) const {
    return source % ranks_ * ranks_ + (source + further) % ranks_;
  }

  Part whole(std::uint32_t peer) const { return {real(peer), op_.bytes, {0}, false}; }

  static Part combined(Part p) {
    p.combine = true;
    return p;
  }

  // Further rounds, of which make(0) .. make(count - 1) are called for those in the window.
  template <class Make>
  void add(std::uint32_t count, Make&& make) {
    std::uint32_t i = std::min(count, window_.first > in_all_ ? window_.first - in_all_ : 0);
    for (; i < count && window_.has(in_all_ + i); ++i) rounds_.push_back(make(i));
    in_all_ += count;
  }
  template <class Make>
  void add(Make&& make) {
    add(1, [&](std::uint32_t) { return make(); });
  }
  template <class Make>
  void send(Make&& make) {
    add([&] { return Round{{make()}, {}}; });
  }
  template <class Make>
  void receive(Make&& make) {
    add([&] { return Round{{}, {make()}}; });
  }

  const Collective& op_;
  const RoundWindow window_;
  const std::uint32_t ranks_;
  const std::uint32_t here_;
  const Rank by_root_;
  std::vector<Round> rounds_;
  std::uint32_t in_all_ = 0;
};

Schedule broadcast(const Collective& c, RoundWindow window) {
  Builder b(c, window);
  if (c.bytes < kShortBroadcast || c.ranks < kFewRanks) {
    b.binomial_broadcast();
    return b.take("binomial");
  }
  const std::uint64_t chunk = (c.bytes + c.ranks - 1) / c.ranks;
  const auto bytes = [&](std::uint32_t i) { return std::min(chunk, c.bytes - std::min(c.bytes, i * chunk)); };
  const auto name = [](std::uint32_t i) { return i; };
  b.binomial_scatter(bytes, name);
  if (c.bytes < kLongBroadcast && std::has_single_bit(c.ranks)) {
    b.doubling_allgather(bytes, name);
    return b.take("scatter_doubling");
  }
  b.ring_allgather(bytes, name);
  return b.take("scatter_ring");
}

Schedule allgather(const Collective& c, RoundWindow window) {
  Builder b(c, window);
  const auto bytes = [&](std::uint32_t) { return c.bytes; };
  const auto name = [](std::uint32_t i) { return i; };
  const std::uint64_t all = c.bytes * c.ranks;
  if (all < kLongAllgather && std::has_single_bit(c.ranks)) {
    b.doubling_allgather(bytes, name);
    return b.take("doubling");
  }
  if (all < kShortAllgather) {
    b.bruck_allgather(bytes, name);
    return b.take("bruck");
  }
  b.ring_allgather(bytes, name);
  return b.take("ring");
}

Schedule alltoall(const Collective& c, RoundWindow window) {
  Builder b(c, window);
  if (c.bytes <= kShortAlltoall && c.ranks >= kFewRanks) {
    b.bruck_alltoall();
    return b.take("bruck");
  }
  if (c.bytes <= kLongAlltoall) {
    b.linear_alltoall();
    return b.take("linear");
  }
  b.pairwise_alltoall();
  return b.take("pairwise");
}

// Bytes of the blocks of data that is cut into `count`, whole elements each.
auto chunks(std::uint64_t bytes, std::uint32_t count) {
  const std::uint64_t elements = (bytes + kElementBytes - 1) / kElementBytes;
  const std::uint64_t chunk = (elements + count - 1) / count * kElementBytes;
  return [=](std::uint32_t i) { return std::min(chunk, bytes - std::min(bytes, i * chunk)); };
}

// Of large data among a power of two of ranks, each rank combines a part; a gather or an allgather of the parts
// follows.
Schedule halving_reduction(const Collective& c, RoundWindow window) {
  Builder b(c, window);
  const auto bytes = chunks(c.bytes, c.ranks);
  const auto name = [](std::uint32_t i) { return i; };
  b.halving_reduce_scatter(bytes, name);
  if (c.op == ProgramOp::reduce) {
    b.binomial_gather(bytes, name);
    return b.take("halving_gather");
  }
  b.doubling_allgather(bytes, name);
  return b.take("halving_doubling");
}

Schedule reduce(const Collective& c, RoundWindow window) {
  if (c.bytes > kShortReduction && std::has_single_bit(c.ranks)) return halving_reduction(c, window);
  Builder b(c, window);
  b.binomial_reduce();
  return b.take("binomial");
}

// Between a power of two of ranks.
Schedule allreduce_of_power(const Collective& c, RoundWindow window) {
  if (c.bytes > kShortReduction) return halving_reduction(c, window);
  Builder b(c, window);
  b.doubling_allreduce();
  return b.take("doubling");
}

// Of the first 2 * rest ranks the even ones give their data to the odd ones and wait for the result. These are few
// rounds, whatever the window.
Schedule allreduce(const Collective& c) {
  const std::uint32_t power = std::bit_floor(c.ranks);
  const std::uint32_t rest = c.ranks - power;
  const bool folded = c.rank < 2 * rest;
  const std::uint32_t blocks = c.bytes <= kShortReduction ? 1 : power;
  Part all{c.rank ^ 1U, c.bytes, {}, false};
  for (std::uint32_t i = 0; i < blocks; ++i) all.blocks.push_back(i);
  const Rank place = folded ? c.rank / 2 : c.rank - rest;
  Schedule s = allreduce_of_power({c.op, power, place, 0, c.bytes}, {});
  if (folded && c.rank % 2 == 0) return {s.algorithm, {{{all}, {}}, {{}, {all}}}, 2};
  for (Round& r : s.rounds) {
    for (std::vector<Part>* parts : {&r.sends, &r.receives}) {
      for (Part& p : *parts) p.peer = p.peer < rest ? 2 * p.peer + 1 : p.peer + rest;
    }
  }
  if (!folded) return s;
  s.rounds.push_back({{all}, {}});
  all.combine = true;
  s.rounds.insert(s.rounds.begin(), Round{{}, {all}});
  s.rounds_in_all += 2;
  return s;
}

Schedule allreduce(const Collective& c, RoundWindow window) {
  Schedule s = allreduce(c);
  const std::uint32_t first = std::min(window.first, s.rounds_in_all);
  const std::uint32_t end = first + std::min(window.count, s.rounds_in_all - first);
  s.rounds.erase(s.rounds.begin() + end, s.rounds.end());
  s.rounds.erase(s.rounds.begin(), s.rounds.begin() + first);
  return s;
}

Schedule reduce_scatter(const Collective& c, RoundWindow window) {
  Builder b(c, window);
  const auto bytes = [&](std::uint32_t) { return c.bytes; };
  const auto name = [](std::uint32_t i) { return i; };
  if (c.bytes * c.ranks < kLongReduceScatter && std::has_single_bit(c.ranks)) {
    b.halving_reduce_scatter(bytes, name);
    return b.take("halving");
  }
  b.pairwise_reduce_scatter(bytes, name);
  return b.take("pairwise");
}

}  // namespace

Schedule schedule_of(const Collective& given, RoundWindow window) {
  Collective c = given;
  const bool rooted = c.op == ProgramOp::broadcast || c.op == ProgramOp::scatter || c.op == ProgramOp::gather ||
                      c.op == ProgramOp::reduce;
  if (!rooted) c.root = 0;
  if (c.ranks < 2) return {"none", {}, 0};
  const auto bytes = [&](std::uint32_t) { return c.bytes; };
  const auto name = [&](std::uint32_t i) { return (i + c.root) % c.ranks; };
  Builder b(c, window);
  switch (c.op) {
    case ProgramOp::barrier:
      b.barrier();
      return b.take("dissemination");
    case ProgramOp::broadcast:
      return broadcast(c, window);
    case ProgramOp::scatter:
      b.binomial_scatter(bytes, name);
      return b.take("binomial");
    case ProgramOp::gather:
      b.binomial_gather(bytes, name);
      return b.take("binomial");
    case ProgramOp::allgather:
      return allgather(c, window);
    case ProgramOp::alltoall:
      return alltoall(c, window);
    case ProgramOp::reduce:
      return reduce(c, window);
    case ProgramOp::allreduce:
      return allreduce(c, window);
    case ProgramOp::reduce_scatter:
      return reduce_scatter(c, window);
    default:
      return {"none", {}, 0};
  }
}

}  // namespace weft::collectives
