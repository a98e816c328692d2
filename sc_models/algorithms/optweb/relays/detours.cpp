#include "algorithms/optweb/relays/detours.h"

#include <algorithm>
#include <iterator>

namespace weft::optweb {

std::uint32_t GroupRegisters::number(std::uint32_t group, DetourStep step, const std::vector<Detour>& detours) {
  const auto [at, is_new] = numbers_.try_emplace({group, {step, detours}}, static_cast<std::uint32_t>(groups_.size()));
  if (is_new) {
    groups_.push_back(std::vector<NodeId>(groups_[group]));
    detours_[at->second] = {step, detours};
  }
  return at->second;
}

std::uint64_t detour_area(const OptwebConfig& config, const ProgramInstruction& in) {
  return config.neighbours->clique(in.group) ? in.scratch : in.scratch2;
}

std::vector<Detour> detours_within(const std::vector<NodeId>& group, const std::vector<Detour>& detours) {
  const auto has = [&](NodeId n) { return std::find(group.begin(), group.end(), n) != group.end(); };
  std::vector<Detour> out;
  std::copy_if(detours.begin(), detours.end(), std::back_inserter(out),
               [&](const Detour& d) { return has(d.a) && has(d.b); });
  return out;
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
