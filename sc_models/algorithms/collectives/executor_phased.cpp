// Programs over circuits that change with them: which step a node has come to, and messages to several nodes.

#include <algorithm>
#include <utility>

#include "algorithms/collectives/executor.h"

namespace weft::collectives {

// A collective of a layer comes whole: its rounds are few, or as many as its circuits.
NodeWork Executor::work_of(NodeId n, const ProgramInstruction& in) {
  Node& node = nodes_[n];
  const PhasedPrograms& phased = *options_.phased;
  const auto program = static_cast<std::size_t>(node.program - programs_.data());
  const auto place = static_cast<std::size_t>(&in - node.program->instructions.data());
  const PhasedPrograms::Instruction& own = phased.instructions[program][place];
  if (own.layer == PhasedPrograms::kMessages) return lower(in, n, {}, options_.algorithms);
  if (!in.group.contains(n)) return {};
  ++node.layers;
  NodeWork out{true, own.algorithm.c_str(), 0, phased.works[phased.layers[own.layer].work][n], 0};
  out.rounds_in_all = static_cast<std::uint32_t>(out.rounds.size());
  return out;
}

void Executor::tell_step(NodeId n, const NodeRound& round) {
  const Node& node = nodes_[n];
  const PhasedPrograms& phased = *options_.phased;
  const auto program = static_cast<std::size_t>(node.program - programs_.data());
  const std::uint32_t layer = phased.instructions[program][node.next - 1].layer;
  if (layer == PhasedPrograms::kMessages) return reach_messages(n);
  reach(n, phased.layers[layer].steps[round.step]);
}

// Where nobody sends messages, receives alone have no step.
void Executor::reach_messages(NodeId n) {
  const std::uint32_t step = options_.phased->between[nodes_[n].layers];
  if (step != PhasedPrograms::kNoStep) reach(n, step);
}

// What comes next, as far as it sends or receives nothing, does not hold up the circuits of what comes then.
void Executor::look_ahead(NodeId n) {
  Node& node = nodes_[n];
  const PhasedPrograms& phased = *options_.phased;
  const auto program = static_cast<std::size_t>(node.program - programs_.data());
  const std::vector<ProgramInstruction>& all = node.program->instructions;
  if (node.ahead > node.next) return;
  for (node.ahead = node.next; node.ahead < all.size();) {
    const ProgramInstruction& in = all[node.ahead++];
    const std::uint32_t layer = phased.instructions[program][node.ahead - 1].layer;
    if (layer == PhasedPrograms::kMessages) {
      const NodeWork work = lower(in, n, {0, 1}, options_.algorithms);
      if (work.rounds.empty()) continue;
      return reach_messages(n);
    }
    if (!in.group.contains(n)) continue;
    const std::vector<NodeRound>& rounds = phased.works[phased.layers[layer].work][n];
    if (rounds.empty()) continue;
    return reach(n, phased.layers[layer].steps[rounds.front().step]);
  }
  reach(n, kNoFurtherStep);
}

void Executor::reach(NodeId n, std::uint32_t step) {
  Node& node = nodes_[n];
  if (node.told && node.step >= step) return;
  node.told = true;
  node.step = step;
  port_.reach(n, step);
}

void Executor::multicast(NodeId n, const NodeMessage& m) {
  Node& node = nodes_[n];
  const std::uint32_t message = new_message();
  messages_[message] = {n, m.group->front(), m.bytes, nullptr};
  Multicast several;
  several.missing = m.group->size();
  for (const NodeId to : *m.group) {
    const std::uint32_t copy = new_message();
    messages_[copy] = {n, to, m.bytes, node.instruction};
    several.copies.emplace_back(to, copy);
  }
  under_way_ += several.missing;
  for (const auto& [to, copy] : several.copies) announce(copy);
  multicasts_.emplace(message, std::move(several));
  port_.multicast(message, n, *m.group, m.bytes);
}

// Its number stays in use until it has come to all its destinations.
bool Executor::multicast_left(std::uint32_t message, Cycle now) {
  const auto several = multicasts_.empty() ? multicasts_.end() : multicasts_.find(message);
  if (several == multicasts_.end()) return false;
  Multicast& m = several->second;
  m.left = true;
  for (const auto& [to, copy] : m.copies) {
    messages_[copy].left = true;
    if (messages_[copy].arrived) --under_way_;
    release(copy);
  }
  const NodeId n = messages_[message].source;
  --nodes_[n].open;
  if (m.missing == 0) {
    multicasts_.erase(several);
    free_.push_back(message);
  }
  progress(n, now);
  return true;
}

std::uint32_t Executor::copy_for(std::uint32_t message, NodeId node) {
  const auto several = multicasts_.empty() ? multicasts_.end() : multicasts_.find(message);
  if (several == multicasts_.end()) return message;
  Multicast& m = several->second;
  const auto at = std::find_if(m.copies.begin(), m.copies.end(), [&](const auto& c) { return c.first == node; });
  const std::uint32_t copy = at->second;
  if (--m.missing > 0 || !m.left) return copy;
  multicasts_.erase(several);
  free_.push_back(message);
  return copy;
}

}  // namespace weft::collectives
