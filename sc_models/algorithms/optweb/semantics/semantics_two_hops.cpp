// Collectives of nodes that do not all have links to each other.

#include "algorithms/optweb/phase_builder.h"
#include "algorithms/optweb/semantics/semantics_phases.h"

namespace weft::optweb {

std::vector<Phase> InstructionSemantics::two_hops(const ProgramInstruction& in, NodeId n) const {
  const Place at = place_of(in, n);
  switch (in.op) {
    case ProgramOp::scatter:
      return scatter(in, at, n);
    case ProgramOp::gather:
      return gather(in, at, n);
    case ProgramOp::broadcast:
      return broadcast(in, at, n);
    case ProgramOp::alltoall:
      return alltoall(in, at, n);
    case ProgramOp::allgather:
      return allgather(in, at, n);
    case ProgramOp::reduce:
      return reduce(in, at, n);
    case ProgramOp::reduce_scatter:
      return reduce_scatter(in, at, n);
    case ProgramOp::allreduce:
      return allreduce(in, at, n);
    default:
      return {};
  }
}

// The blocks for place j of all groups to place j of the root's group, and from there to the groups.
std::vector<Phase> InstructionSemantics::scatter(const ProgramInstruction& in, const Place& at, NodeId n) const {
  PhaseBuilder first(config_, neighbours_, in, n);
  PhaseBuilder second(config_, neighbours_, in, n);
  for (std::size_t g = 0; g < at.far.size(); ++g) {
    for (const NodeId m : at.near) {
      if (n == in.root) first.out(m, m, in.send + g * in.bytes, in.bytes);
    }
    if (at.with_root) first.in(in.root, at.far[g], in.scratch, in.bytes);
    if (at.with_root) second.out(at.far[g], at.far[g], in.scratch, in.bytes);
  }
  second.in(at.next, at.next, in.receive, in.bytes);
  return {std::move(first), std::move(second)};
}

std::vector<Phase> InstructionSemantics::gather(const ProgramInstruction& in, const Place& at, NodeId n) const {
  PhaseBuilder first(config_, neighbours_, in, n);
  PhaseBuilder second(config_, neighbours_, in, n);
  first.out(at.next, at.next, in.send, in.bytes);
  for (std::size_t g = 0; g < at.far.size(); ++g) {
    if (at.with_root) first.in(at.far[g], at.far[g], in.scratch, in.bytes);
    if (at.with_root) second.out(in.root, at.far[g], in.scratch, in.bytes);
    for (const NodeId m : at.near) {
      if (n == in.root) second.in(m, m, in.receive + g * in.bytes, in.bytes);
    }
  }
  return {std::move(first), std::move(second)};
}

// From the root to its place in all groups, and from there within the groups.
std::vector<Phase> InstructionSemantics::broadcast(const ProgramInstruction& in, const Place& at, NodeId n) const {
  PhaseBuilder first(config_, neighbours_, in, n);
  PhaseBuilder second(config_, neighbours_, in, n);
  const NodeId of = n == in.root ? n : in.root;
  const std::uint64_t mine = n == in.root ? in.send : in.receive;
  for (const NodeId m : at.far) {
    if (n == in.root && m != n) first.out(m, n, in.send, in.bytes);
  }
  if (n == at.head && n != in.root) first.in(in.root, in.root, in.receive, in.bytes);
  for (const NodeId m : at.near) {
    if (n == at.head && m != n) second.out(m, of, mine, in.bytes);
  }
  if (n != at.head) second.in(at.head, at.head, in.receive, in.bytes);
  return {std::move(first), std::move(second)};
}

// All blocks for a place together to that place of the own group, and from there to the groups.
std::vector<Phase> InstructionSemantics::alltoall(const ProgramInstruction& in, const Place& at, NodeId n) const {
  PhaseBuilder first(config_, neighbours_, in, n);
  PhaseBuilder second(config_, neighbours_, in, n);
  const std::uint64_t all = in.bytes * at.far.size();
  for (const NodeId m : at.near) {
    first.out(m, m, in.send, all);
    first.in(m, m, in.scratch, all);
  }
  for (std::size_t g = 0; g < at.far.size(); ++g) {
    for (const NodeId m : at.near) {
      second.out(at.far[g], m, in.scratch + g * in.bytes, in.bytes);
      second.in(at.far[g], m, in.receive + g * in.bytes, in.bytes);
    }
  }
  return {std::move(first), std::move(second)};
}

// Within the groups, and then all of a group to the same places of the others.
std::vector<Phase> InstructionSemantics::allgather(const ProgramInstruction& in, const Place& at, NodeId n) const {
  PhaseBuilder first(config_, neighbours_, in, n);
  PhaseBuilder second(config_, neighbours_, in, n);
  for (const NodeId m : at.near) {
    first.out(m, n, in.send, in.bytes);
    first.in(m, m, in.receive, in.bytes);
  }
  for (const NodeId m : at.far) {
    for (std::size_t p = 0; p < at.near.size() && m != n; ++p) {
      second.out(m, at.near[p], in.receive, in.bytes);
      second.in(m, m, in.receive + p * in.bytes, in.bytes);
    }
  }
  return {std::move(first), std::move(second)};
}

// Within the groups to the place of the root, and from there to the root.
std::vector<Phase> InstructionSemantics::reduce(const ProgramInstruction& in, const Place& at, NodeId n) const {
  PhaseBuilder first(config_, neighbours_, in, n);
  PhaseBuilder second(config_, neighbours_, in, n);
  first.out(at.head, at.head, in.send, in.bytes);
  if (n == at.head) {
    first.in_reduced(at.near, n, in.scratch, in.bytes);
    second.out(in.root, n, in.scratch, in.bytes);
  }
  if (n == in.root) second.in_reduced(at.far, n, in.receive, in.bytes);
  return {std::move(first), std::move(second)};
}

// Block by block within the groups, and then among the same places.
std::vector<Phase> InstructionSemantics::reduce_scatter(const ProgramInstruction& in, const Place& at, NodeId n) const {
  std::vector<Phase> out;
  PhaseBuilder last(config_, neighbours_, in, n);
  for (std::size_t g = 0; g < at.far.size(); ++g) {
    PhaseBuilder block(config_, neighbours_, in, n);
    for (const NodeId m : at.near) block.out(m, m, in.send + g * in.bytes, in.bytes);
    block.in_reduced(at.near, at.far[g], in.scratch, in.bytes);
    out.push_back(std::move(block));
    last.out(at.far[g], at.far[g], in.scratch, in.bytes);
  }
  last.in_reduced(at.far, n, in.receive, in.bytes);
  out.push_back(std::move(last));
  return out;
}

std::vector<Phase> InstructionSemantics::allreduce(const ProgramInstruction& in, const Place& at, NodeId n) const {
  PhaseBuilder first(config_, neighbours_, in, n);
  PhaseBuilder second(config_, neighbours_, in, n);
  for (const NodeId m : at.near) first.out(m, n, in.send, in.bytes);
  first.in_reduced(at.near, n, in.scratch, in.bytes);
  for (const NodeId m : at.far) second.out(m, n, in.scratch, in.bytes);
  second.in_reduced(at.far, n, in.receive, in.bytes);
  return {std::move(first), std::move(second)};
}

}  // namespace weft::optweb
