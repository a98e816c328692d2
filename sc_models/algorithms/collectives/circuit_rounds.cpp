#include "algorithms/collectives/circuit_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace weft::collectives {
namespace {

std::vector<NodeId> others(const NodeList& group, NodeId node) {
  std::vector<NodeId> out;
  std::copy_if(group.begin(), group.end(), std::back_inserter(out), [&](NodeId n) { return n != node; });
  return out;
}

// From each of `sources` to each other node of the group, one by one.
std::vector<CircuitMessage> to_each(const ProgramInstruction& in, const std::vector<NodeId>& sources) {
  std::vector<CircuitMessage> out;
  for (const NodeId s : sources) {
    for (const NodeId d : in.group) {
      if (d != s) out.push_back({s, {d}, in.bytes, false});
    }
  }
  return out;
}

std::vector<CircuitMessage> multicasts(const ProgramInstruction& in, const std::vector<NodeId>& sources) {
  std::vector<CircuitMessage> out;
  for (const NodeId s : sources) out.push_back({s, others(in.group, s), in.bytes, false});
  return out;
}

// The rounds of messages. Both nodes of a message have it in the same one.
CircuitRounds round_by_round(const ProgramInstruction& in) {
  CircuitRounds out;
  for (const NodeId node : in.group) {
    const NodeWork work = lower(in, node);
    out.algorithm = fmt::format("{}_circuits", work.algorithm);
    out.rounds.resize(std::max(out.rounds.size(), work.rounds.size()));
    for (std::size_t r = 0; r < work.rounds.size(); ++r) {
      for (const NodeMessage& m : work.rounds[r].receives)
        out.rounds[r].push_back({m.peer, {node}, m.bytes, m.combine});
    }
  }
  return out;
}

}  // namespace

CircuitRounds circuit_rounds(const ProgramInstruction& in) {
  if (in.group.size() < 2) return {"none", {}};
  switch (in.op) {
    case ProgramOp::broadcast:
      return {"multicast", {multicasts(in, {in.root})}};
    case ProgramOp::allgather:
      return {"multicasts", {multicasts(in, in.group)}};
    case ProgramOp::barrier: {
      ProgramInstruction empty = in;
      empty.bytes = 0;
      return {"multicasts", {multicasts(empty, in.group)}};
    }
    case ProgramOp::scatter:
      return {"circuit_per_pair", {to_each(in, {in.root})}};
    case ProgramOp::gather: {
      std::vector<CircuitMessage> round;
      for (const NodeId s : others(in.group, in.root)) round.push_back({s, {in.root}, in.bytes, false});
      return {"circuit_per_pair", {std::move(round)}};
    }
    case ProgramOp::alltoall:
      return {"circuit_per_pair", {to_each(in, in.group)}};
    default:
      return round_by_round(in);
  }
}

void NodeRounds::add(std::uint32_t step, const CircuitMessage& m) {
  NodeMessage send{m.destinations.front(), m.bytes, false};
  if (m.destinations.size() > 1) send.group = std::make_shared<const std::vector<NodeId>>(m.destinations);
  rounds_[m.source][step].sends.push_back(std::move(send));
  for (const NodeId d : m.destinations) rounds_[d][step].receives.push_back({m.source, m.bytes, m.combine});
}

std::vector<std::vector<NodeRound>> NodeRounds::take() {
  const std::size_t nodes = rounds_.size();
  std::vector<std::vector<NodeRound>> out(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    const auto distance = [&](const NodeMessage& m) { return (m.peer + nodes - n) % nodes; };
    for (auto& [step, round] : rounds_[n]) {
      round.step = step;
      std::stable_sort(round.sends.begin(), round.sends.end(),
                       [&](const NodeMessage& a, const NodeMessage& b) { return distance(a) < distance(b); });
      out[n].push_back(std::move(round));
    }
  }
  rounds_.clear();
  return out;
}

}  // namespace weft::collectives
