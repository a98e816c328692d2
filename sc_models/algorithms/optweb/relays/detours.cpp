#include "algorithms/optweb/relays/detours.h"

#include <algorithm>

namespace weft::optweb {

std::uint32_t GroupRegisters::number(std::uint32_t group, DetourStep step, const std::vector<Detour>& detours) {
  const auto [at, is_new] = numbers_.try_emplace({group, {step, detours}}, static_cast<std::uint32_t>(groups_.size()));
  if (is_new) {
    groups_.push_back(std::vector<NodeId>(groups_[group]));
    detours_[at->second] = {step, detours};
  }
  return at->second;
}

bool combines_later(const MachineInstruction& in, NodeId node, const std::vector<Detour>& detours) {
  const bool combines = in.opcode == Opcode::kReduceScatter || in.opcode == Opcode::kAllreduce ||
                        (in.opcode == Opcode::kReduce && node == in.destination);
  return combines &&
         std::any_of(detours.begin(), detours.end(), [&](const Detour& d) { return d.a == node || d.b == node; });
}

const std::vector<Detour>* detours_of(const OptwebConfig& config, const ProgramInstruction& in) {
  for (const auto& [line, detours] : config.detours) {
    if (&config.programs[line.first].instructions[line.second] == &in) return &detours;
  }
  return nullptr;
}

}  // namespace weft::optweb
