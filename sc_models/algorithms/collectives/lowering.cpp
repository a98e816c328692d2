#include "algorithms/collectives/lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "algorithms/collectives/reductions.h"

namespace weft::collectives {
namespace {

bool between_two(ProgramOp op) {
  return op == ProgramOp::send || op == ProgramOp::recv || op == ProgramOp::sendrecv || op == ProgramOp::transfer;
}

std::vector<NodeMessage> one(NodeId node, NodeId peer, std::uint64_t bytes) {
  if (node == peer) return {};
  return {{peer, bytes, false}};
}

// Work of one round.
NodeWork direct(std::vector<NodeMessage> sends, std::vector<NodeMessage> receives, RoundWindow window) {
  NodeWork out{true, "direct", 0, {}, 1};
  if (window.has(0)) out.rounds.push_back({std::move(sends), std::move(receives)});
  return out;
}

NodeWork exchange(const ProgramInstruction& in, NodeId node, RoundWindow window) {
  NodeId from = in.source.value_or(node);
  NodeId to = in.destination.value_or(node);
  if (in.shift) {
    const NodeList& g = in.group;
    const auto rank = static_cast<std::size_t>(std::lower_bound(g.begin(), g.end(), node) - g.begin());
    const auto shift = static_cast<std::size_t>(*in.shift);
    to = g[(rank + shift) % g.size()];
    from = g[(rank + g.size() - shift) % g.size()];
  }
  return direct(one(node, to, in.bytes), one(node, from, in.bytes), window);
}

Collective collective_of(const ProgramInstruction& in, NodeId node) {
  const NodeList& g = in.group;
  const auto rank_of = [&](NodeId n) { return static_cast<Rank>(std::lower_bound(g.begin(), g.end(), n) - g.begin()); };
  Collective c{in.op, static_cast<std::uint32_t>(g.size()), rank_of(node), 0, in.bytes};
  if (g.contains(in.root)) c.root = rank_of(in.root);
  return c;
}

NodeWork collective(const ProgramInstruction& in, NodeId node, RoundWindow window,
                    const CollectiveAlgorithms& algorithms) {
  const NodeList& g = in.group;
  const Collective c = collective_of(in, node);
  const auto torus = uses_torus(c, algorithms) ? torus_of(algorithms.torus, g) : std::nullopt;
  const Schedule schedule = schedule_of(c, window, Detail::sizes, algorithms, torus ? &*torus : nullptr);
  NodeWork out{true, schedule.algorithm, 0, {}, schedule.rounds_in_all};
  for (const Round& r : schedule.rounds) {
    NodeRound round;
    for (const Part& p : r.sends) round.sends.push_back({g[p.peer], p.bytes, false});
    for (const Part& p : r.receives) round.receives.push_back({g[p.peer], p.bytes, p.combine});
    out.rounds.push_back(std::move(round));
  }
  return out;
}

}  // namespace

NodeWork lower(const ProgramInstruction& in, NodeId node, RoundWindow window, const CollectiveAlgorithms& algorithms) {
  const bool single =
      in.op == ProgramOp::send || in.op == ProgramOp::recv || in.op == ProgramOp::fence || in.op == ProgramOp::compute;
  if (!(single ? in.at : in.group).contains(node)) return {};
  switch (in.op) {
    case ProgramOp::send:
      return direct(one(node, *in.destination, in.bytes), {}, window);
    case ProgramOp::recv:
      return direct({}, one(node, *in.source, in.bytes), window);
    case ProgramOp::transfer:
      if (node == *in.source) return direct(one(node, *in.destination, in.bytes), {}, window);
      if (node == *in.destination) return direct({}, one(node, *in.source, in.bytes), window);
      return {};
    case ProgramOp::sendrecv:
      return exchange(in, node, window);
    case ProgramOp::fence:  // what has left belongs to the network, what has arrived is in memory
      return {true, "", 0, {}, 0};
    case ProgramOp::compute:
      return {true, "", in.cycles, {}, 0};
    default:
      return collective(in, node, window, algorithms);
  }
}

std::string algorithm_fault(const CollectiveAlgorithms& algorithms, const ProgramInstruction& in) {
  const auto ranks = static_cast<std::uint32_t>(in.group.size());
  if (ranks < 2) return {};
  const bool doubling = (in.op == ProgramOp::broadcast && algorithms.broadcast == BroadcastBy::scatter_doubling) ||
                        (in.op == ProgramOp::allgather && algorithms.allgather == AllgatherBy::doubling);
  if (doubling && !std::has_single_bit(ranks)) {
    return "recursive doubling is for a power of two of nodes, these are " + std::to_string(ranks);
  }
  const Collective c = collective_of(in, in.group.front());
  const bool halving = (in.op == ProgramOp::reduce && algorithms.reduce == ReduceBy::halving) ||
                       (in.op == ProgramOp::allreduce && algorithms.allreduce == AllreduceBy::halving);
  if (halving && !can_halve(c)) {
    return fmt::format("halving is for an element of {} B for each of {} nodes, these are {} B", kElementBytes,
                       std::bit_floor(ranks), c.bytes);
  }
  if (!uses_torus(c, algorithms)) return {};
  if (algorithms.torus.empty()) return "the algorithm 'torus' is for a torus with one node per switch";
  const auto shape = torus_of(algorithms.torus, in.group);
  if (!shape) {
    return "the algorithm 'torus' is for all nodes of a torus, or for all that share some of their coordinates; these "
           "are no such nodes";
  }
  if (in.op == ProgramOp::broadcast && disjoint_rings(*shape).empty()) {
    return "the algorithm 'torus' broadcasts in one dimension, or in two of at least 3 nodes where one is a multiple "
           "of the other and rings over all nodes share no link";
  }
  return {};
}

bool match(const ProgramInstruction& a, const ProgramInstruction& b) {
  if (between_two(a.op) || between_two(b.op)) return between_two(a.op) && between_two(b.op);
  return a.op == b.op && a.group == b.group && a.root == b.root && a.combine == b.combine && a.element == b.element;
}

}  // namespace weft::collectives
