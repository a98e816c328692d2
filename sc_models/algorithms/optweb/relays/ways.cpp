#include "algorithms/optweb/relays/ways.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace weft::optweb {
namespace {

// Nodes of the program that an instruction stands in; null: it stands in none.
const NodeList* nodes_of(const OptwebConfig& config, const ProgramInstruction& in) {
  for (const NodeProgram& p : config.programs) {
    const std::less_equal<const ProgramInstruction*> before;
    if (!p.instructions.empty() && before(&p.instructions.front(), &in) && before(&in, &p.instructions.back())) {
      return &p.nodes;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<NodeId> ways_of(const OptwebConfig& config, const ProgramInstruction& in) {
  const NodeList* const nodes = config.relays == OptwebRelays::all ? nodes_of(config, in) : nullptr;
  if (nodes == nullptr || in.group.size() < 2) return in.group;
  const Neighbours& neighbours = *config.neighbours;
  std::vector<NodeId> relays;
  for (const NodeId n : *nodes) {
    if (std::all_of(in.group.begin(), in.group.end(), [&](NodeId m) { return neighbours.hops(n, m) == 1; })) {
      relays.push_back(n);
    }
  }
  std::vector<NodeId> out;
  std::set_union(in.group.begin(), in.group.end(), relays.begin(), relays.end(), std::back_inserter(out));
  return out;
}

}  // namespace weft::optweb
