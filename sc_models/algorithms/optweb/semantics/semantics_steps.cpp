// Collectives of nodes that do not all have links to each other: step d of them is over links of level d. Below, the
// block of a source s for a destination t is followed from node to node; "like x below d" has the places of x there.

#include "algorithms/optweb/phase_builder.h"
#include "algorithms/optweb/semantics/semantics_phases.h"

namespace weft::optweb {

std::vector<Phase> InstructionSemantics::steps(const ProgramInstruction& in, NodeId n) const {
  const NodeGrid grid = grid_of(in);
  switch (in.op) {
    case ProgramOp::scatter:
      return scatter(in, grid, n);
    case ProgramOp::gather:
      return gather(in, grid, n);
    case ProgramOp::broadcast:
      return broadcast(in, grid, n);
    case ProgramOp::alltoall:
      return alltoall(in, grid, n);
    case ProgramOp::allgather:
      return allgather(in, grid, n);
    case ProgramOp::reduce:
      return reduce(in, grid, n);
    case ProgramOp::reduce_scatter:
      return reduce_scatter(in, grid, n);
    case ProgramOp::allreduce:
      return allreduce(in, grid, n);
    default:
      return {};
  }
}

// The block for t is at the node like t below d, and like the root from there on: in the stripe of the next one, by the
// number of t among the levels above.
std::vector<Phase> InstructionSemantics::scatter(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const {
  const std::size_t levels = grid.levels();
  std::vector<PhaseBuilder> out(levels, PhaseBuilder(config_, neighbours_, in, n));
  for (std::size_t d = 0; d < levels; ++d) {
    for (const NodeId t : in.group) {
      const NodeId from = grid.mixed(t, in.root, d);
      const NodeId to = grid.mixed(t, in.root, d + 1);
      const std::uint64_t at = (d == 0 ? in.send : rest(in, d - 1)) + grid.number(t, d + 1, levels) * in.bytes;
      if (n == from) out[d].out(to, to, at, in.bytes);
      if (n != to) continue;
      if (d + 1 == levels) {
        out[d].in(from, from, in.receive, in.bytes);
      } else {
        out[d].in(from, grid.mixed(t, in.root, d + 2), rest(in, d) + grid.number(t, d + 2, levels) * in.bytes,
                  in.bytes);
      }
    }
  }
  return phases_of(out);
}

// The block of s is at the node like s below d, and like the root from there on, in the stripe of the one before.
std::vector<Phase> InstructionSemantics::gather(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const {
  const std::size_t levels = grid.levels();
  std::vector<PhaseBuilder> out(levels, PhaseBuilder(config_, neighbours_, in, n));
  for (std::size_t step = 0; step < levels; ++step) {
    const std::size_t d = levels - 1 - step;
    for (const NodeId s : in.group) {
      const NodeId from = grid.mixed(s, in.root, d + 1);
      const NodeId to = grid.mixed(s, in.root, d);
      if (n == from && step == 0) out[step].out(to, to, in.send, in.bytes);
      if (n == from && step > 0) {
        out[step].out(to, grid.mixed(s, in.root, d + 2), rest(in, step - 1) + grid.number(s, d + 2, levels) * in.bytes,
                      in.bytes);
      }
      if (n == to) {
        out[step].in(from, from, (d == 0 ? in.receive : rest(in, step)) + grid.number(s, d + 1, levels) * in.bytes,
                     in.bytes);
      }
    }
  }
  return phases_of(out);
}

// From the highest level on, to all that are like the root below.
std::vector<Phase> InstructionSemantics::broadcast(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const {
  const std::size_t levels = grid.levels();
  std::vector<PhaseBuilder> out(levels, PhaseBuilder(config_, neighbours_, in, n));
  NodeId of = n;  // in whose stripe the node has the data
  for (std::size_t d = levels; d-- > 0;) {
    if (!grid.same(n, in.root, 0, d)) continue;
    PhaseBuilder& step = out[levels - 1 - d];
    const NodeId source = grid.toward(n, d, in.root);
    if (source != n) {
      step.in(source, source, in.receive, in.bytes);
      of = source;
      continue;
    }
    for (const NodeId m : grid.line(n, d)) {
      if (m != n) step.out(m, of, n == in.root ? in.send : in.receive, in.bytes);
    }
  }
  return phases_of(out);
}

// The block of s for t is, before step d, at the node like t below d and like s from there on: in the stripe of the one
// like s at the lowest level, by the places of s at the levels between that have been passed, and of t at the others.
std::vector<Phase> InstructionSemantics::alltoall(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const {
  const std::size_t levels = grid.levels();
  std::vector<PhaseBuilder> out(levels, PhaseBuilder(config_, neighbours_, in, n));
  for (std::size_t d = 0; d < levels; ++d) {
    for (const NodeId m : in.group) {
      const NodeId peer = grid.toward(n, d, m);
      // What goes out is for a t like m from d on, from an s like m below d; what comes in is from an s like m up to d.
      const std::uint64_t block = grid.number(m, 1, levels);
      const std::uint64_t before = d == 0 ? in.send : rest(in, d - 1);
      const std::uint64_t after = d + 1 == levels ? in.receive : rest(in, d);
      const NodeId lowest = grid.toward(n, 0, m);
      out[d].out(peer, lowest, before + block * in.bytes, in.bytes);
      out[d].in(peer, lowest, after + block * in.bytes, in.bytes);
    }
  }
  return phases_of(out);
}

// All that a node has of the levels below goes to its line, in the order of the nodes it comes from.
std::vector<Phase> InstructionSemantics::allgather(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const {
  const std::size_t levels = grid.levels();
  std::vector<PhaseBuilder> out(levels, PhaseBuilder(config_, neighbours_, in, n));
  for (std::size_t d = 0; d < levels; ++d) {
    for (const NodeId s : in.group) {
      if (!grid.same(n, s, d, levels)) continue;
      std::size_t level = levels - 1;  // at which it has come
      while (level > 0 && grid.same(n, s, level, level + 1)) --level;
      const std::uint64_t at = d == 0 ? in.send : in.receive + grid.number(s, 0, level) * in.bytes;
      for (const NodeId m : grid.line(n, d)) {
        if (m == n && d > 0) continue;
        out[d].out(m, grid.toward(n, level, s), at, in.bytes);
        out[d].in(m, m, in.receive + grid.number(s, 0, d) * in.bytes, in.bytes);
      }
    }
  }
  return phases_of(out);
}

// In lines, to the node in the place of the root.
std::vector<Phase> InstructionSemantics::reduce(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const {
  const std::size_t levels = grid.levels();
  std::vector<PhaseBuilder> out(levels, PhaseBuilder(config_, neighbours_, in, n));
  for (std::size_t d = 0; d < levels && grid.same(n, in.root, 0, d); ++d) {
    const NodeId to = grid.toward(n, d, in.root);
    out[d].out(to, d == 0 ? to : n, d == 0 ? in.send : rest(in, d - 1), in.bytes);
    if (n == to) out[d].in_reduced(grid.line(n, d), n, d + 1 == levels ? in.receive : rest(in, d), in.bytes);
  }
  return phases_of(out);
}

// In lines, block by block for what is above.
std::vector<Phase> InstructionSemantics::reduce_scatter(const ProgramInstruction& in, const NodeGrid& grid,
                                                        NodeId n) const {
  const std::size_t levels = grid.levels();
  std::vector<PhaseBuilder> out;
  for (std::size_t d = 0; d < levels; ++d) {
    const bool last = d + 1 == levels;
    const Nodes line = grid.line(n, d);
    const Nodes above = last ? Nodes{n} : grid.line(n, d + 1);
    for (std::size_t block = 0; block < grid.count(d + 1, levels); ++block) {
      PhaseBuilder& step = out.emplace_back(config_, neighbours_, in, n);
      for (const NodeId m : line) step.out(m, m, (d == 0 ? in.send : rest(in, d - 1)) + block * in.bytes, in.bytes);
      step.in_reduced(line, above[block % above.size()],
                      (last ? in.receive : rest(in, d)) + block / above.size() * in.bytes, in.bytes);
    }
  }
  return phases_of(out);
}

std::vector<Phase> InstructionSemantics::allreduce(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const {
  const std::size_t levels = grid.levels();
  std::vector<PhaseBuilder> out(levels, PhaseBuilder(config_, neighbours_, in, n));
  for (std::size_t d = 0; d < levels; ++d) {
    const Nodes line = grid.line(n, d);
    for (const NodeId m : line) out[d].out(m, n, d == 0 ? in.send : rest(in, d - 1), in.bytes);
    out[d].in_reduced(line, n, d + 1 == levels ? in.receive : rest(in, d), in.bytes);
  }
  return phases_of(out);
}

}  // namespace weft::optweb
