#include "algorithms/optweb/emitter.h"

#include "algorithms/optweb/step.h"

namespace weft::optweb {

void Emitter::begin(const ProgramInstruction& in, const Line& line) {
  line_ = line;
  in_ = &in;
  group_ = number_of(in_->group);
}

std::uint32_t Emitter::number_of(const std::vector<NodeId>& group) {
  const auto [at, is_new] = numbers_.try_emplace(group, static_cast<std::uint32_t>(out_.groups.size()));
  if (is_new) out_.groups.push_back(group);
  return at->second;
}

MachineInstruction Emitter::plain(Opcode opcode) const {
  MachineInstruction i;
  i.opcode = opcode;
  i.send_address = in_->send;
  i.receive_address = in_->receive;
  i.size = in_->bytes;
  i.source = i.destination = in_->root;
  return i;
}

MachineInstruction Emitter::reducing(Opcode opcode) const {
  MachineInstruction i = plain(opcode);
  i.flags = reduction_flags({in_->combine, in_->element});
  return i;
}

MachineInstruction Emitter::between(Opcode opcode, NodeId source, NodeId destination) const {
  MachineInstruction i = plain(opcode);
  i.source = source;
  i.destination = destination;
  return i;
}

void Emitter::emit(NodeId node, MachineInstruction i, std::uint32_t group, StagedEnds staged) {
  i.group = group;
  out_.nodes[node].instructions.push_back(i);
  out_.nodes[node].lines.push_back(line_);
  out_.nodes[node].staged.push_back(staged);
}

void Emitter::emit_reduce(NodeId node, const MachineInstruction& i, std::uint32_t group, StagedEnds staged) {
  if (in_->bytes > config_.eager_buffer) emit(node, plain(Opcode::kBarrier), group);
  emit(node, i, group, staged);
}

}  // namespace weft::optweb
