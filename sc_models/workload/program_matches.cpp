// Programs of different nodes in which the same collective has different roots, sizes or reductions: nodes would wait
// for others that wait for them or for nobody, or for data that do not come.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "workload/program_schema.h"

namespace weft {
namespace {

using Sequence = std::vector<const ProgramInstruction*>;

// The collectives of a program by their nodes, in order.
std::map<NodeList, Sequence> collectives_of(const NodeProgram& program) {
  std::map<NodeList, Sequence> out;
  for (const ProgramInstruction& i : program.instructions) {
    if (is_collective(i.op)) out[i.group].push_back(&i);
  }
  return out;
}

// The first node of a program that takes part.
const NodeId* member(const NodeProgram& program, const NodeList& group) {
  const auto at = std::find_if(program.nodes.begin(), program.nodes.end(), [&](NodeId n) { return group.contains(n); });
  return at == program.nodes.end() ? nullptr : &*at;
}

// What of two instructions of one operation must not differ, and does.
struct Difference {
  std::string what;
  std::string first;
  std::string second;
};
std::vector<Difference> differences(const ProgramInstruction& a, const ProgramInstruction& b) {
  const auto size = [](const ProgramInstruction& i) {
    return to_string(DataSize{static_cast<std::int64_t>(i.bytes) * 8});
  };
  std::vector<Difference> out;
  if (a.root != b.root) out.push_back({"root", fmt::format("{}", a.root), fmt::format("{}", b.root)});
  if (moves_data(a.op) && a.bytes != b.bytes) out.push_back({"size", size(a), size(b)});
  if (a.combine != b.combine) out.push_back({"combine", to_string(a.combine), to_string(b.combine)});
  if (a.element != b.element) out.push_back({"type", to_string(a.element), to_string(b.element)});
  return out;
}

}  // namespace

// Nodes take part in the collectives of a group in the same order, as MPI demands. Where the operations differ there is
// nothing to compare any more: the run tells that.
void compare_programs(const std::vector<NodeProgram>& programs, Diagnostics& diagnostics) {
  struct First {
    NodeId node;
    Sequence sequence;
  };
  if (programs.size() < 2) return;
  std::map<NodeList, First> first;
  for (const NodeProgram& program : programs) {
    for (auto& [group, sequence] : collectives_of(program)) {
      const NodeId* node = member(program, group);
      if (node == nullptr) continue;
      const auto [at, is_new] = first.try_emplace(group, First{*node, sequence});
      const Sequence& other = at->second.sequence;
      for (std::size_t k = 0; !is_new && k < std::min(other.size(), sequence.size()); ++k) {
        const ProgramInstruction& a = *other[k];
        const ProgramInstruction& b = *sequence[k];
        if (a.op != b.op) break;
        const std::vector<Difference> found = differences(a, b);
        for (const Difference& d : found) {
          diagnostics.error(b.where, fmt::format("the programs do not match: node {} has {} {} for this {}, node {} "
                                                 "has {} {} ({}, {})",
                                                 *node, d.what, d.second, to_string(b.op), at->second.node, d.what,
                                                 d.first, to_string(a.op), a.where.text()));
        }
        if (!found.empty()) break;
      }
    }
  }
}

}  // namespace weft
