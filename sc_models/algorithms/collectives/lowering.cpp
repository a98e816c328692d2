#include "algorithms/collectives/lowering.h"

#include <algorithm>
#include <utility>

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

NodeWork collective(const ProgramInstruction& in, NodeId node, RoundWindow window) {
  const NodeList& g = in.group;
  const auto rank_of = [&](NodeId n) { return static_cast<Rank>(std::lower_bound(g.begin(), g.end(), n) - g.begin()); };
  Collective c{in.op, static_cast<std::uint32_t>(g.size()), rank_of(node), 0, in.bytes};
  if (g.contains(in.root)) c.root = rank_of(in.root);
  const Schedule schedule = schedule_of(c, window);
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

NodeWork lower(const ProgramInstruction& in, NodeId node, RoundWindow window) {
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
      return collective(in, node, window);
  }
}

bool match(const ProgramInstruction& a, const ProgramInstruction& b) {
  if (between_two(a.op) || between_two(b.op)) return between_two(a.op) && between_two(b.op);
  return a.op == b.op && a.group == b.group && a.root == b.root && a.combine == b.combine && a.element == b.element;
}

}  // namespace weft::collectives
