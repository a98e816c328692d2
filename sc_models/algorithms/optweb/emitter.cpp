#include "algorithms/optweb/emitter.h"

#include "algorithms/optweb/step.h"

namespace weft::optweb {

void Emitter::begin(const ProgramInstruction& in, const Line& line, bool detour) {
  line_ = line;
  in_ = &in;
  may_detour_ = detour;
  detours_ = may_detour_ ? detours_of(config_, in) : nullptr;
  group_ = number_of(in_->group);
}

std::uint32_t Emitter::number_of(const std::vector<NodeId>& group) {
  const auto [at, is_new] = numbers_.try_emplace(group, static_cast<std::uint32_t>(out_.groups.size()));
  if (is_new) out_.groups.push_back(group);
  return at->second;
}

std::uint32_t Emitter::first_of(const std::vector<std::vector<NodeId>>& groups) {
  const auto [at, is_new] = sequences_.try_emplace(groups, static_cast<std::uint32_t>(out_.groups.size()));
  if (is_new) out_.groups.insert(out_.groups.end(), groups.begin(), groups.end());
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
  if (may_detour_ && i.opcode != Opcode::kFence) {
    emit_with_detour(node, i, group, staged);
  } else {
    put(node, i, group, staged, DetourStep::none);
  }
}

void Emitter::put(NodeId node, MachineInstruction i, std::uint32_t group, StagedEnds staged, DetourStep step) {
  i.group = group;
  MachineProgram& program = out_.nodes[node];
  program.instructions.push_back(i);
  program.lines.push_back(line_);
  program.staged.push_back(staged);
  program.steps.push_back(step);
}

void Emitter::emit_with_detour(NodeId node, const MachineInstruction& i, std::uint32_t group, StagedEnds staged) {
  std::vector<Detour> detours;
  if (detours_ != nullptr) detours = detours_within(out_.groups[group], *detours_);
  const std::uint64_t area = detour_area(config_, *in_);
  const bool second = area == in_->scratch2 && area != in_->scratch;
  const StagedEnds to_relay{staged.sent, true, second, staged.sent_second};
  const StagedEnds from_relay{true, staged.received, staged.second, second};
  MachineInstruction step = i;
  if (combines_later(step, node, detours)) {
    step.receive_address = area;
    staged.received = true;
    staged.second = second;
  }
  put(node, step, detours.empty() ? group : registers_.number(group, DetourStep::instruction, detours), staged,
      DetourStep::instruction);
  step = i;
  step.receive_address = area;
  put(node, step, registers_.number(group, DetourStep::to_relay, detours), to_relay, DetourStep::to_relay);
  put(node, plain(Opcode::kFence), group, {}, DetourStep::none);
  step = i;
  step.send_address = area;
  put(node, step, registers_.number(group, DetourStep::from_relay, detours), from_relay, DetourStep::from_relay);
}

void Emitter::emit_reduce(NodeId node, const MachineInstruction& i, std::uint32_t group, StagedEnds staged) {
  if (in_->bytes > config_.eager_buffer) emit(node, plain(Opcode::kBarrier), group);
  emit(node, i, group, staged);
}

}  // namespace weft::optweb
