// Programs of different nodes that do not fit together: the same collective with different roots, sizes or reductions,
// sends and receives of two nodes that differ in their number. Nodes would wait for others that wait for them or for
// nobody, or for data that do not come.

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

// Sends of a node to another, and receives there from it.
struct PairCount {
  std::uint64_t sends = 0;
  std::uint64_t receives = 0;
  const ProgramInstruction* last_send = nullptr;
  const ProgramInstruction* last_receive = nullptr;
};

constexpr std::size_t kMostCounted = 1'000'000;  // sends and receives: a warning is worth a second, not minutes

// By source, then destination; none for longer programs, and where other operations send between two nodes as well.
std::map<std::pair<NodeId, NodeId>, PairCount> count_pairs(const std::vector<NodeProgram>& programs) {
  std::map<std::pair<NodeId, NodeId>, PairCount> out;
  std::size_t counted = 0;
  for (const NodeProgram& program : programs) {
    for (const ProgramInstruction& i : program.instructions) {
      if (i.op == ProgramOp::sendrecv || i.op == ProgramOp::transfer) return {};
      const bool sends = i.op == ProgramOp::send;
      if (!sends && i.op != ProgramOp::recv) continue;
      for (const NodeId n : i.at) {
        if (!program.nodes.contains(n)) continue;
        if (++counted > kMostCounted) return {};
        if (n == (sends ? *i.destination : *i.source)) continue;  // what a node has already
        PairCount& pair = sends ? out[{n, *i.destination}] : out[{*i.source, n}];
        ++(sends ? pair.sends : pair.receives);
        (sends ? pair.last_send : pair.last_receive) = &i;
      }
    }
  }
  return out;
}

// Only a warning: the run tells which node waits where.
void compare_sends(const std::vector<NodeProgram>& programs, Diagnostics& diagnostics) {
  for (const auto& [ends, pair] : count_pairs(programs)) {
    if (pair.sends == pair.receives) continue;
    const ProgramInstruction& more = pair.sends > pair.receives ? *pair.last_send : *pair.last_receive;
    diagnostics.warning(more.where,
                        fmt::format("the programs do not match: node {} sends {} message{} to node {}, "
                                    "which receives {}",
                                    ends.first, pair.sends, pair.sends == 1 ? "" : "s", ends.second, pair.receives));
  }
}

}  // namespace

// Nodes take part in the collectives of a group in the same order, as MPI demands. Where the operations differ there is
// nothing to compare any more: the run tells that.
void compare_programs(const std::vector<NodeProgram>& programs, Diagnostics& diagnostics) {
  struct First {
    NodeId node;
    Sequence sequence;
  };
  if (diagnostics.ok()) compare_sends(programs, diagnostics);
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
