#include "algorithms/optweb/assembler.h"

#include <algorithm>

#include "algorithms/optweb/program.h"
#include "algorithms/optweb/relays/relays.h"

namespace weft::optweb {
namespace {

bool among(const std::vector<NodeId>& nodes, NodeId node) {
  return std::binary_search(nodes.begin(), nodes.end(), node);
}

}  // namespace

void Assembler::add(const ProgramInstruction& in, const Line& line, const std::vector<NodeId>& nodes) {
  in_ = &in;
  out_.begin(in, line, may_detour(config_, in));
  all_paths_ = takes_all_paths(config_, in);
  grid_ = step_grid(config_, in);
  paths_ = in.op == ProgramOp::transfer && all_paths_ ? paths_of(config_, in) : std::vector<NodeId>();
  rounds_ = all_paths_ ? std::vector<LegRound>() : relay_rounds(neighbours_, in);
  for (const NodeId n : nodes) add(n);
}

void Assembler::add_broadcasts(std::uint32_t program, std::size_t first, std::size_t end) {
  for (const NodeId n : config_.programs[program].nodes) emit_broadcasts(out_, config_, program, first, end, n);
}

void Assembler::add(NodeId n) {
  if (!rounds_.empty()) {  // nodes between others have a part, whether they are in the group or not
    emit_rounds(out_, rounds_, n);
    return;
  }
  const bool single = in_->op == ProgramOp::send || in_->op == ProgramOp::recv || in_->op == ProgramOp::fence ||
                      in_->op == ProgramOp::compute;
  if (in_->op == ProgramOp::allreduce && goes_by_relays(config_, *in_)) {
    emit_relayed_allreduce(out_, config_, n);
    return;
  }
  if (!among(single ? in_->at : in_->group, n) && !among(paths_, n)) return;
  if (grid_) {
    emit_steps(out_, config_, *grid_, all_paths_, n);
    return;
  }
  switch (in_->op) {
    case ProgramOp::barrier:
      out_.emit(n, out_.plain(Opcode::kBarrier));
      break;
    case ProgramOp::send:
      out_.emit(n, out_.between(Opcode::kSend, n, *in_->destination));
      break;
    case ProgramOp::recv:
      out_.emit(n, out_.between(Opcode::kRecv, *in_->source, n));
      break;
    case ProgramOp::sendrecv:
      add_exchange(n);
      break;
    case ProgramOp::transfer:
      add_transfer(n);
      break;
    case ProgramOp::scatter:
      out_.emit(n, out_.plain(Opcode::kScatter));
      break;
    case ProgramOp::gather:
      out_.emit(n, out_.plain(Opcode::kGather));
      break;
    case ProgramOp::broadcast:
      add_broadcast(n);
      break;
    case ProgramOp::alltoall:
      out_.emit(n, out_.plain(Opcode::kAlltoall));
      break;
    case ProgramOp::allgather:
      out_.emit(n, out_.plain(Opcode::kAllgather));
      break;
    case ProgramOp::reduce:
      out_.emit_reduce(n, out_.reducing(Opcode::kReduce), out_.number_of(in_->group));
      break;
    case ProgramOp::allreduce:
      add_allreduce(n);
      break;
    case ProgramOp::reduce_scatter:
      out_.emit(n, out_.reducing(Opcode::kReduceScatter));
      break;
    case ProgramOp::fence:
      fence(n);
      break;
    case ProgramOp::compute: {
      MachineInstruction i = out_.plain(Opcode::kCompute);
      i.size = static_cast<std::uint64_t>(in_->cycles);
      out_.emit(n, i);
      break;
    }
  }
}

void Assembler::fence(NodeId n) { out_.emit(n, out_.plain(Opcode::kFence)); }

void Assembler::add_exchange(NodeId n) {
  if (!in_->shift) {
    out_.emit(n, out_.between(Opcode::kSendrecv, *in_->source, *in_->destination));
    return;
  }
  const std::vector<NodeId>& g = in_->group;
  const auto rank = static_cast<std::size_t>(std::lower_bound(g.begin(), g.end(), n) - g.begin());
  const auto shift = static_cast<std::size_t>(*in_->shift);
  out_.emit(n, out_.between(Opcode::kSendrecv, g[(rank + g.size() - shift) % g.size()], g[(rank + shift) % g.size()]));
}

// By all paths: a scatter to the nodes by way of which it goes, and a gather from them. Where source and destination
// have a link they are two of these nodes.
void Assembler::add_transfer(NodeId n) {
  const NodeId s = *in_->source;
  const NodeId d = *in_->destination;
  if (!all_paths_) {
    if (n == s) out_.emit(n, out_.between(Opcode::kSend, s, d));
    if (n == d) out_.emit(n, out_.between(Opcode::kRecv, s, d));
    return;
  }
  const bool on_way = among(paths_, n);
  const std::uint32_t group = out_.number_of(paths_);
  MachineInstruction i = out_.between(Opcode::kScatter, s, d);
  i.flags = kChunked;
  const bool between = on_way && n != s && n != d;
  if (n != d) i.receive_address = in_->scratch;
  if (on_way || n == s) out_.emit(n, i, group, {false, between});
  if (on_way) out_.emit(n, out_.plain(Opcode::kFence), group);
  i.opcode = Opcode::kGather;
  i.receive_address = in_->receive;
  if (n != s) i.send_address = in_->scratch;
  if (on_way || n == d) out_.emit(n, i, group, {between, false});
}

void Assembler::add_broadcast(NodeId n) {
  MachineInstruction i = out_.plain(Opcode::kBroadcast);
  if (!all_paths_) {
    out_.emit(n, i);
    return;
  }
  i.opcode = Opcode::kScatter;
  i.flags = kChunked | kOwnStripe;
  out_.emit(n, i);
  fence(n);
  i.opcode = Opcode::kAllgather;
  i.flags = kChunked;
  if (n != in_->root) i.send_address = in_->receive;
  out_.emit(n, i);
}

void Assembler::add_allreduce(NodeId n) {
  if (!all_paths_) {
    out_.emit(n, out_.reducing(Opcode::kAllreduce));
    return;
  }
  MachineInstruction i = out_.reducing(Opcode::kReduceScatter);
  i.flags |= kChunked;
  out_.emit(n, i);
  fence(n);
  i = out_.plain(Opcode::kAllgather);
  i.flags = kChunked | kNoRoot;
  i.send_address = in_->receive;
  out_.emit(n, i);
}

MachinePrograms assemble(const OptwebConfig& config) {
  Assembler out(config);
  for (std::uint32_t p = 0; p < config.programs.size(); ++p) {
    const NodeProgram& program = config.programs[p];
    for (std::uint32_t i = 0; i < program.instructions.size();) {
      const std::size_t end = joint_broadcasts(config, program.instructions, i);
      if (end > i) {
        out.add_broadcasts(p, i, end);
        i = static_cast<std::uint32_t>(end);
      } else {
        out.add(program.instructions[i], {p, i}, program.nodes);
        ++i;
      }
    }
  }
  return out.take();
}

}  // namespace weft::optweb
