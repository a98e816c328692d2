#include "algorithms/collectives/lowering.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace weft::collectives {
namespace {

// What decides about the messages of an instruction: repetitions need not be lowered again.
auto key_of(const ProgramInstruction& in) {
  return std::tuple(in.op, in.bytes, in.root, in.source, in.destination, in.shift, in.group, in.at);
}

std::vector<NodeId> common(const NodeList& a, const NodeList& b) {
  if (a == b) return a;
  std::vector<NodeId> out;
  const auto& [few, many] = a.size() < b.size() ? std::tie(a, b) : std::tie(b, a);
  std::copy_if(few.begin(), few.end(), std::back_inserter(out), [&, m = &many](NodeId n) { return m->contains(n); });
  return out;
}

}  // namespace

// Every node sends its messages of a round at once, the next round waits for them. All rounds of an operation are alike
// in this, and so are all its nodes but those that send less.
InFlightEstimate messages_at_once(const std::vector<NodeProgram>& programs, const CollectiveAlgorithms& algorithms) {
  InFlightEstimate out;
  std::uint64_t most = 0;
  for (const NodeProgram& program : programs) {
    std::set<decltype(key_of(program.instructions.front()))> seen;
    std::uint64_t of_program = 0;
    std::uint64_t of_nodes_ahead = 0;  // messages of sends that do not wait
    for (const ProgramInstruction& in : program.instructions) {
      if (!in.waits) of_nodes_ahead += common(program.nodes, in.at).size();
      if (!seen.insert(key_of(in)).second) continue;
      const bool single = in.op == ProgramOp::send || in.op == ProgramOp::recv;
      const std::vector<NodeId> nodes = common(program.nodes, single ? in.at : in.group);
      if (nodes.empty()) continue;
      const NodeWork work = lower(in, nodes.front(), {0, 1}, algorithms);
      const std::uint64_t sends =
          work.rounds.empty() ? 0 : std::max<std::uint64_t>(1, work.rounds.front().sends.size());
      const std::uint64_t messages = nodes.size() * sends;
      of_program = std::max(of_program, messages);
      if (messages <= most) continue;
      most = messages;
      out.instruction = &in;
    }
    out.messages += of_program + of_nodes_ahead;
  }
  return out;
}

std::vector<PairMessages> pairs_of(const std::vector<NodeProgram>& programs, const CollectiveAlgorithms& algorithms) {
  constexpr std::uint32_t kPiece = 1024;  // rounds at a time: a broadcast may have a million of them
  std::map<std::pair<NodeId, NodeId>, PairMessages> pairs;
  const auto add = [&](NodeId node, const NodeMessage& m, const Location& where) {
    const auto [at, is_new] = pairs.try_emplace({node, m.peer});
    PairMessages& p = at->second;
    if (is_new) {
      p = {node, m.peer, m.bytes, m.bytes, where, where};
      return;
    }
    p.shortest = std::min(p.shortest, m.bytes);
    if (m.bytes > p.longest) {
      p.longest = m.bytes;
      p.longest_where = where;
    }
  };
  for (const NodeProgram& program : programs) {
    std::set<decltype(key_of(program.instructions.front()))> seen;
    for (const ProgramInstruction& in : program.instructions) {
      if (!seen.insert(key_of(in)).second) continue;
      for (const NodeId node : program.nodes) {
        for (std::uint32_t first = 0, all = 1; first < all; first += kPiece) {
          const NodeWork work = lower(in, node, {first, kPiece}, algorithms);
          all = work.rounds_in_all;
          for (const NodeRound& round : work.rounds) {
            for (const NodeMessage& m : round.sends) add(node, m, in.where);
          }
        }
      }
    }
  }
  std::vector<PairMessages> out;
  for (const auto& [nodes, messages] : pairs) out.push_back(messages);
  return out;
}

}  // namespace weft::collectives
