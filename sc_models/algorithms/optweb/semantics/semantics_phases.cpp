#include "algorithms/optweb/semantics/semantics_phases.h"

#include <algorithm>
#include <map>

#include "algorithms/optweb/phase_builder.h"
#include "algorithms/optweb/program.h"
#include "algorithms/optweb/relays/detours.h"
#include "algorithms/optweb/relays/ways.h"

namespace weft::optweb {
namespace {

bool has(const std::vector<NodeId>& nodes, NodeId n) { return std::find(nodes.begin(), nodes.end(), n) != nodes.end(); }

// Who sends to whom, in the order of ranks.
std::vector<std::pair<NodeId, NodeId>> pairs_of(const ProgramInstruction& in) {
  if (in.op == ProgramOp::transfer) return {{*in.source, *in.destination}};
  std::vector<std::pair<NodeId, NodeId>> out;
  for (std::size_t r = 0; r < in.group.size(); ++r) {
    out.emplace_back(in.group[r], in.group[(r + static_cast<std::size_t>(*in.shift)) % in.group.size()]);
  }
  return out;
}

}  // namespace

InstructionSemantics::InstructionSemantics(const OptwebConfig& config)
    : config_(config), neighbours_(neighbours_of(config)) {}

template <class Visit>
void InstructionSemantics::chunks(const ProgramInstruction& in, const Nodes& nodes, Visit&& visit) const {
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const std::uint64_t bytes = chunk_bytes(in.bytes, nodes.size(), r, config_.word_bytes);
    if (bytes > 0) visit(nodes[r], bytes);
  }
}

NodeGrid InstructionSemantics::grid_of(const ProgramInstruction& in) const {
  return optweb::grid_of(neighbours_, in.group).value();
}

std::vector<Phase> InstructionSemantics::phases(const ProgramInstruction& in, NodeId n) const {
  const std::vector<Detour>* const detours = detours_of(config_, in);
  return detours == nullptr ? straight(in, n) : detoured(in, *detours, n);
}

std::vector<Phase> InstructionSemantics::straight(const ProgramInstruction& in, NodeId n) const {
  const bool all_paths = takes_all_paths(config_, in);
  switch (in.op) {
    case ProgramOp::fence:
    case ProgramOp::compute:
      return {};
    case ProgramOp::send:
    case ProgramOp::recv:
      if (!has(in.at, n)) return {};
      return {one_hop(in, n)};
    case ProgramOp::sendrecv:
      if (in.shift) return exchange(in, pairs_of(in), n);
      break;
    case ProgramOp::transfer:
      return all_paths ? multipath_transfer(in, n) : exchange(in, pairs_of(in), n);
    default:
      break;
  }
  if (goes_by_relays(config_, in)) {
    return in.op == ProgramOp::broadcast ? relayed_broadcast(in, n) : relayed_allreduce(in, n);
  }
  if (!has(in.group, n)) return {};
  if (all_paths && in.op == ProgramOp::broadcast) return multipath_broadcast(in, grid_of(in), n);
  if (all_paths && in.op == ProgramOp::allreduce) return multipath_allreduce(in, grid_of(in), n);
  if (in.op == ProgramOp::sendrecv || in.op == ProgramOp::barrier || neighbours_.clique(in.group)) {
    return {one_hop(in, n)};
  }
  return steps(in, n);
}

// Block j of node m's buffer lies in stripe j; of data that belong to m as a whole, in stripe m. (A barrier is the same
// whatever routes it takes.)
Phase InstructionSemantics::one_hop(const ProgramInstruction& in, NodeId n) const {
  PhaseBuilder p(config_, neighbours_, in, n);
  const auto sends = [&](NodeId to, NodeId of) { p.out(to, of, in.send, in.bytes); };
  const auto receives = [&](NodeId from, NodeId of) { p.in(from, of, in.receive, in.bytes); };
  const auto reduces = [&] { p.in_reduced(in.group, n, in.receive, in.bytes); };
  if (in.op == ProgramOp::send || in.op == ProgramOp::sendrecv) sends(*in.destination, *in.destination);
  if (in.op == ProgramOp::recv || in.op == ProgramOp::sendrecv) receives(*in.source, *in.source);
  if (in.op == ProgramOp::gather || in.op == ProgramOp::reduce) sends(in.root, in.root);
  if (in.op == ProgramOp::scatter || (in.op == ProgramOp::broadcast && n != in.root)) receives(in.root, in.root);
  if (in.op == ProgramOp::reduce_scatter || in.op == ProgramOp::allreduce ||
      (in.op == ProgramOp::reduce && n == in.root)) {
    reduces();
  }
  if (in.op == ProgramOp::send || in.op == ProgramOp::recv) return p;
  for (const NodeId m : in.group) {
    switch (in.op) {
      case ProgramOp::barrier:
        if (m != n) p.meet(m);
        break;
      case ProgramOp::scatter:
        if (n == in.root) sends(m, m);
        break;
      case ProgramOp::gather:
        if (n == in.root) receives(m, m);
        break;
      case ProgramOp::broadcast:
        if (n == in.root && m != n) sends(m, n);
        break;
      case ProgramOp::alltoall:
        sends(m, m);
        receives(m, m);
        break;
      case ProgramOp::allgather:
        sends(m, n);
        receives(m, m);
        break;
      case ProgramOp::allreduce:
        sends(m, n);
        break;
      case ProgramOp::reduce_scatter:
        sends(m, m);
        break;
      default:
        break;
    }
  }
  return p;
}

// From node to node: over a link, or by way of nodes that are one level after the other, from the highest on, in the
// place of the destination; what comes to one of them from several nodes rests in the order of their ranks.
std::vector<Phase> InstructionSemantics::exchange(const ProgramInstruction& in,
                                                  const std::vector<std::pair<NodeId, NodeId>>& pairs, NodeId n) const {
  std::vector<PhaseBuilder> hops(neighbours_.levels(), PhaseBuilder(config_, neighbours_, in, n));
  std::vector<std::map<NodeId, std::uint64_t>> resting(hops.size());
  for (const auto& [from, to] : pairs) {
    NodeId at = from;
    std::uint64_t address = in.send;
    std::size_t hop = 0;
    for (std::size_t level = neighbours_.levels(); level-- > 0;) {
      if (neighbours_.place(from, level) == neighbours_.place(to, level)) continue;
      const NodeId next = neighbours_.toward(at, level, to);
      if (n == at) hops[hop].out(next, at == from ? next : at, address, in.bytes);
      address = next == to ? in.receive : rest(in, hop) + in.bytes * resting[hop][next]++;
      if (n == next) hops[hop].in(at, next == to ? at : next, address, in.bytes);
      at = next;
      ++hop;
    }
  }
  return phases_of(hops);
}

// Chunk i: from stripe i of the source by way of node i into stripe i of the destination.
std::vector<Phase> InstructionSemantics::multipath_transfer(const ProgramInstruction& in, NodeId n) const {
  const NodeId s = *in.source;
  const NodeId d = *in.destination;
  PhaseBuilder there(config_, neighbours_, in, n);
  PhaseBuilder on(config_, neighbours_, in, n);
  chunks(in, paths_of(config_, in), [&](NodeId i, std::uint64_t bytes) {
    if (n == s && i != s) there.out(i, i, in.send, bytes);
    if (n == i && i != s) there.in(s, d, i == d ? in.receive : in.scratch, bytes);
    if (n == i && i != d) on.out(d, i == s ? s : d, i == s ? in.send : in.scratch, bytes);
    if (n == d && i != d) on.in(i, i, in.receive, bytes);
  });
  return {std::move(there), std::move(on)};
}

// Chunk i: from stripe i of the root to stripe i of node i, from there to the nodes in the place of i of other groups,
// level by level from the highest on, and then within the groups to stripe i of all others.
std::vector<Phase> InstructionSemantics::multipath_broadcast(const ProgramInstruction& in, const NodeGrid& grid,
                                                             NodeId n) const {
  std::vector<PhaseBuilder> steps(grid.levels() + 1, PhaseBuilder(config_, neighbours_, in, n));
  const bool with_root = grid.same(n, in.root, 1, grid.levels());
  const std::uint64_t mine = n == in.root ? in.send : in.receive;
  chunks(in, grid.line(n, 0), [&](NodeId i, std::uint64_t bytes) {
    if (n == in.root && i != n) steps[0].out(i, i, in.send, bytes);
    if (n == i && with_root && n != in.root) steps[0].in(in.root, n, in.receive, bytes);
    for (std::size_t level = grid.levels(); n == i && level-- > 1;) {
      if (!grid.same(n, in.root, 1, level)) continue;
      PhaseBuilder& across = steps[grid.levels() - level];
      const NodeId source = grid.toward(n, level, in.root);
      if (n != source) across.in(source, n, in.receive, bytes);
      for (const NodeId m : grid.line(n, level)) {
        if (n == source && m != n) across.out(m, n, mine, bytes);
      }
    }
    for (const NodeId m : grid.line(n, 0)) {
      if (n == i && m != n && m != in.root) steps.back().out(m, n, mine, bytes);
    }
    if (n != i && n != in.root) steps.back().in(i, i, in.receive, bytes);
  });
  return phases_of(steps);
}

// Chunk i: from stripe i of the root to node i, of the group or outside, where it rests in the stripe of the root, and
// from there to stripe i of all others of the group.
std::vector<Phase> InstructionSemantics::relayed_broadcast(const ProgramInstruction& in, NodeId n) const {
  PhaseBuilder apart(config_, neighbours_, in, n);
  PhaseBuilder together(config_, neighbours_, in, n);
  chunks(in, ways_of(config_, in), [&](NodeId i, std::uint64_t bytes) {
    if (n == in.root) apart.out(i, i, in.send, bytes);
    if (n == i) apart.in(in.root, in.root, in.scratch, bytes);
    for (const NodeId m : in.group) {
      if (n == i && m != in.root) together.out(m, in.root, in.scratch, bytes);
    }
    if (has(in.group, n) && n != in.root) together.in(i, i, in.receive, bytes);
  });
  return {std::move(apart), std::move(together)};
}

// Chunk i of all nodes of the group, in stripe i, becomes one at node i, of the group or outside, and goes to all of
// the group.
std::vector<Phase> InstructionSemantics::relayed_allreduce(const ProgramInstruction& in, NodeId n) const {
  PhaseBuilder apart(config_, neighbours_, in, n);
  PhaseBuilder together(config_, neighbours_, in, n);
  const bool member = has(in.group, n);
  chunks(in, ways_of(config_, in), [&](NodeId i, std::uint64_t bytes) {
    if (member) apart.out(i, i, in.send, bytes);
    if (n == i) apart.in_reduced(in.group, n, in.scratch, bytes);
    for (const NodeId m : in.group) {
      if (n == i) together.out(m, n, in.scratch, bytes);
    }
    if (member) together.in(i, i, in.receive, bytes);
  });
  return {std::move(apart), std::move(together)};
}

// Chunk i of all nodes of a group, in stripe i, becomes one at node i, level by level with those of the other groups
// chunk i of the result, which goes to all others of the group.
std::vector<Phase> InstructionSemantics::multipath_allreduce(const ProgramInstruction& in, const NodeGrid& grid,
                                                             NodeId n) const {
  std::vector<PhaseBuilder> steps(grid.levels() + 1, PhaseBuilder(config_, neighbours_, in, n));
  const std::size_t last = grid.levels() - 1;
  chunks(in, grid.line(n, 0), [&](NodeId i, std::uint64_t bytes) {
    steps[0].out(i, i, in.send, bytes);
    if (n != i) {
      steps.back().in(i, i, in.receive, bytes);
      return;
    }
    for (std::size_t level = 0; level <= last; ++level) {
      const Nodes line = grid.line(n, level);
      for (const NodeId m : line) {
        if (level > 0) steps[level].out(m, n, rest(in, level - 1), bytes);
      }
      steps[level].in_reduced(line, n, level == last ? in.receive : rest(in, level), bytes);
    }
    for (const NodeId m : grid.line(n, 0)) {
      if (m != n) steps.back().out(m, n, in.receive, bytes);
    }
  });
  return phases_of(steps);
}

}  // namespace weft::optweb
