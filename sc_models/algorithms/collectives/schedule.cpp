#include "algorithms/collectives/schedule.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/collectives/reductions.h"
#include "algorithms/collectives/schedule_builder.h"

namespace weft::collectives {
namespace {

constexpr std::uint64_t kShortBroadcast = 12 << 10;
constexpr std::uint64_t kLongBroadcast = 512 << 10;
constexpr std::uint32_t kFewRanks = 8;
constexpr std::uint64_t kShortAllgather = 80 << 10;
constexpr std::uint64_t kLongAllgather = 512 << 10;
constexpr std::uint64_t kShortAlltoall = 256;
constexpr std::uint64_t kLongAlltoall = 32 << 10;
constexpr std::uint64_t kLongReduceScatter = 512 << 10;

BroadcastBy broadcast_by(const Collective& c, BroadcastBy chosen) {
  if (chosen != BroadcastBy::automatic && chosen != BroadcastBy::torus) return chosen;
  if (c.bytes < kShortBroadcast || c.ranks < kFewRanks) return BroadcastBy::binomial;
  const bool doubling = c.bytes < kLongBroadcast && std::has_single_bit(c.ranks);
  return doubling ? BroadcastBy::scatter_doubling : BroadcastBy::scatter_ring;
}

Schedule broadcast(const Collective& c, const Wanted& wanted, BroadcastBy by) {
  ScheduleBuilder b(c, wanted);
  if (by == BroadcastBy::binomial) {
    b.binomial_broadcast();
    return b.take("binomial");
  }
  const std::uint64_t chunk = (c.bytes + c.ranks - 1) / c.ranks;
  const Cut cut{chunk, c.bytes};
  const auto name = [](std::uint32_t i) { return i; };
  b.binomial_scatter(cut, name);
  if (by == BroadcastBy::scatter_doubling) {
    b.doubling_allgather(cut, name);
    return b.take("scatter_doubling");
  }
  b.ring_allgather(cut, name);
  return b.take("scatter_ring");
}

AllgatherBy allgather_by(const Collective& c, AllgatherBy chosen) {
  if (chosen != AllgatherBy::automatic && chosen != AllgatherBy::torus) return chosen;
  const std::uint64_t all = alike(c).all;
  if (all < kLongAllgather && std::has_single_bit(c.ranks)) return AllgatherBy::doubling;
  return all < kShortAllgather ? AllgatherBy::bruck : AllgatherBy::ring;
}

Schedule allgather(const Collective& c, const Wanted& wanted, AllgatherBy by) {
  ScheduleBuilder b(c, wanted);
  const Cut cut = alike(c);
  const auto name = [](std::uint32_t i) { return i; };
  if (by == AllgatherBy::doubling) {
    b.doubling_allgather(cut, name);
    return b.take("doubling");
  }
  if (by == AllgatherBy::bruck) {
    b.bruck_allgather(cut, name);
    return b.take("bruck");
  }
  b.ring_allgather(cut, name);
  return b.take("ring");
}

AlltoallBy alltoall_by(const Collective& c, AlltoallBy chosen) {
  if (chosen != AlltoallBy::automatic && chosen != AlltoallBy::torus) return chosen;
  if (c.bytes <= kShortAlltoall && c.ranks >= kFewRanks) return AlltoallBy::bruck;
  return c.bytes <= kLongAlltoall ? AlltoallBy::linear : AlltoallBy::pairwise;
}

Schedule alltoall(const Collective& c, const Wanted& wanted, AlltoallBy by) {
  ScheduleBuilder b(c, wanted);
  if (by == AlltoallBy::bruck) {
    b.bruck_alltoall();
    return b.take("bruck");
  }
  if (by == AlltoallBy::linear) {
    b.linear_alltoall();
    return b.take("linear");
  }
  b.pairwise_alltoall();
  return b.take("pairwise");
}

ReduceScatterBy reduce_scatter_by(const Collective& c, ReduceScatterBy chosen) {
  if (chosen != ReduceScatterBy::automatic && chosen != ReduceScatterBy::torus) return chosen;
  return alike(c).all < kLongReduceScatter ? ReduceScatterBy::halving : ReduceScatterBy::pairwise;
}

Schedule reduce_scatter(const Collective& c, const Wanted& wanted, ReduceScatterBy by) {
  if (by == ReduceScatterBy::halving) return halving_reduce_scatter(c, wanted);
  ScheduleBuilder b(c, wanted);
  b.pairwise_reduce_scatter(alike(c), [](std::uint32_t i) { return i; });
  return b.take("pairwise");
}

Schedule torus_schedule(const Collective& c, const Wanted& wanted, const TorusShape& torus, std::uint64_t chunk) {
  switch (c.op) {
    case ProgramOp::broadcast:
      return torus_broadcast(c, wanted, torus, chunk);
    case ProgramOp::allgather:
      return torus_allgather(c, wanted, torus);
    case ProgramOp::allreduce:
      return torus_allreduce(c, wanted, torus);
    case ProgramOp::reduce_scatter:
      return torus_reduce_scatter(c, wanted, torus);
    default:
      return torus_alltoall(c, wanted, torus);
  }
}

}  // namespace

bool uses_torus(const Collective& c, const CollectiveAlgorithms& algorithms) {
  if (c.ranks < 2) return false;
  switch (c.op) {
    case ProgramOp::broadcast:
      return algorithms.broadcast == BroadcastBy::torus && c.bytes >= algorithms.torus_from;
    case ProgramOp::allgather:
      return algorithms.allgather == AllgatherBy::torus && alike(c).all >= algorithms.torus_from;
    case ProgramOp::alltoall:
      return algorithms.alltoall == AlltoallBy::torus && alike(c).all >= algorithms.torus_from;
    case ProgramOp::allreduce:
      return algorithms.allreduce == AllreduceBy::torus && c.bytes >= algorithms.torus_from;
    case ProgramOp::reduce_scatter:
      return algorithms.reduce_scatter == ReduceScatterBy::torus && alike(c).all >= algorithms.torus_from;
    default:
      return false;
  }
}

Schedule schedule_of(const Collective& given, RoundWindow window, Detail detail, const CollectiveAlgorithms& algorithms,
                     const TorusShape* torus) {
  const Wanted wanted{window, detail};
  Collective c = given;
  const bool rooted = c.op == ProgramOp::broadcast || c.op == ProgramOp::scatter || c.op == ProgramOp::gather ||
                      c.op == ProgramOp::reduce;
  if (!rooted) c.root = 0;
  if (c.ranks < 2) return {"none", {}, 0};
  const Cut cut = alike(c);
  const auto name = [&](std::uint32_t i) { return (i + c.root) % c.ranks; };
  if (torus != nullptr && uses_torus(c, algorithms)) return torus_schedule(c, wanted, *torus, algorithms.chunk);
  ScheduleBuilder b(c, wanted);
  switch (c.op) {
    case ProgramOp::barrier:
      b.barrier();
      return b.take("dissemination");
    case ProgramOp::broadcast:
      return broadcast(c, wanted, broadcast_by(c, algorithms.broadcast));
    case ProgramOp::scatter:
      b.binomial_scatter(cut, name);
      return b.take("binomial");
    case ProgramOp::gather:
      b.binomial_gather(cut, name);
      return b.take("binomial");
    case ProgramOp::allgather:
      return allgather(c, wanted, allgather_by(c, algorithms.allgather));
    case ProgramOp::alltoall:
      return alltoall(c, wanted, alltoall_by(c, algorithms.alltoall));
    case ProgramOp::reduce:
      return reduce(c, wanted, algorithms.reduce);
    case ProgramOp::allreduce:
      return allreduce(c, wanted, algorithms.allreduce);
    case ProgramOp::reduce_scatter:
      return reduce_scatter(c, wanted, reduce_scatter_by(c, algorithms.reduce_scatter));
    default:
      return {"none", {}, 0};
  }
}

}  // namespace weft::collectives
