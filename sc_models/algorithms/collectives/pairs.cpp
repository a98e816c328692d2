#include "algorithms/collectives/lowering.h"

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

}  // namespace

std::vector<PairMessages> pairs_of(const std::vector<NodeProgram>& programs) {
  std::map<std::pair<NodeId, NodeId>, PairMessages> pairs;
  for (const NodeProgram& program : programs) {
    std::set<decltype(key_of(program.instructions.front()))> seen;
    for (const ProgramInstruction& in : program.instructions) {
      if (!seen.insert(key_of(in)).second) continue;
      for (const NodeId node : program.nodes) {
        for (const NodeRound& round : lower(in, node).rounds) {
          for (const NodeMessage& m : round.sends) {
            const auto [at, is_new] = pairs.try_emplace({node, m.peer});
            PairMessages& p = at->second;
            if (is_new) {
              p = {node, m.peer, m.bytes, m.bytes, in.where, in.where};
              continue;
            }
            p.shortest = std::min(p.shortest, m.bytes);
            if (m.bytes > p.longest) {
              p.longest = m.bytes;
              p.longest_where = in.where;
            }
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
