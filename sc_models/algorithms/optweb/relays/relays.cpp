#include "algorithms/optweb/relays/relays.h"

#include <algorithm>
#include <set>

#include "algorithms/optweb/program.h"
#include "algorithms/optweb/relays/ways.h"
#include "algorithms/optweb/step.h"

namespace weft::optweb {
namespace {

bool joins(const OptwebConfig& config, const ProgramInstruction& a, const ProgramInstruction& b) {
  return a.bytes == b.bytes && a.send == b.send && a.receive == b.receive && a.scratch == b.scratch &&
         ways_of(config, a) == ways_of(config, b);
}

}  // namespace

std::size_t joint_broadcasts(const OptwebConfig& config, const std::vector<ProgramInstruction>& instructions,
                             std::size_t first) {
  std::set<NodeId> members;
  std::size_t end = first;
  for (; end < instructions.size(); ++end) {
    const ProgramInstruction& in = instructions[end];
    if (in.op != ProgramOp::broadcast || !goes_by_relays(config, in)) break;
    if (end > first && !joins(config, instructions[first], in)) break;
    if (std::any_of(in.group.begin(), in.group.end(), [&](NodeId n) { return members.count(n) > 0; })) break;
    members.insert(in.group.begin(), in.group.end());
  }
  return end;
}

void emit_broadcasts(Emitter& out, const OptwebConfig& config, std::uint32_t program, std::size_t first,
                     std::size_t end, NodeId n) {
  const std::vector<ProgramInstruction>& all = config.programs[program].instructions;
  const std::vector<NodeId> ways = ways_of(config, all[first]);
  if (!std::binary_search(ways.begin(), ways.end(), n)) return;
  std::vector<std::size_t> order;  // by root
  std::size_t own = first;
  for (std::size_t i = first; i < end; ++i) {
    order.push_back(i);
    if (all[i].group.contains(n)) own = i;
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a].root < all[b].root; });
  std::vector<NodeId> roots;
  std::vector<std::vector<NodeId>> groups;
  for (const std::size_t i : order) {
    roots.push_back(all[i].root);
    groups.push_back(all[i].group);
  }
  out.begin(all[own], {program, static_cast<std::uint32_t>(own)});
  const std::uint32_t by = out.number_of(ways);
  MachineInstruction i = out.plain(Opcode::kScatter);
  i.flags = kChunked | kRelay;
  i.source = out.number_of(roots);
  i.destination = out.first_of(groups);
  i.receive_address = out.in().scratch;
  out.emit(n, i, by, {false, true});
  out.emit(n, out.plain(Opcode::kFence), by);
  i.opcode = Opcode::kAllgather;
  i.send_address = out.in().scratch;
  i.receive_address = out.in().receive;
  out.emit(n, i, by, {true, false});
}

void emit_relayed_allreduce(Emitter& out, const OptwebConfig& config, NodeId n) {
  const std::vector<NodeId> ways = ways_of(config, out.in());
  if (!std::binary_search(ways.begin(), ways.end(), n)) return;
  const std::uint32_t by = out.number_of(ways);
  MachineInstruction i = out.reducing(Opcode::kReduceScatter);
  i.flags |= kChunked | kRelay;
  i.source = i.destination = out.number_of(out.in().group);
  i.receive_address = out.in().scratch;
  out.emit(n, i, by, {false, true});
  out.emit(n, out.plain(Opcode::kFence), by);
  i.opcode = Opcode::kAllgather;
  i.flags = kChunked | kRelay | kNoRoot;
  i.send_address = out.in().scratch;
  i.receive_address = out.in().receive;
  out.emit(n, i, by, {true, false});
}

}  // namespace weft::optweb
