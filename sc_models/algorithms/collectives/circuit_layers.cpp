#include "algorithms/collectives/circuit_layers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace weft::collectives {
namespace {

constexpr std::size_t kMostNamed = 8;

bool takes_part(const ProgramInstruction& in, NodeId node) {
  if (is_collective(in.op)) return in.group.contains(node);
  return lower(in, node, {0, 0}).takes_part;
}

class LayerFinder {
 public:
  LayerFinder(const std::vector<NodeProgram>& programs, std::uint32_t nodes) : programs_(programs), nodes_(nodes) {
    for (std::uint32_t p = 0; p < programs.size(); ++p) {
      out_.places.emplace_back(programs[p].instructions.size());
      find_candidates(p);
      for (const NodeId n : programs[p].nodes) {
        nodes_[n].program = &programs[p];
        nodes_[n].number = p;
        nodes_[n].sends_until = last_send(n);
        advance(n);
      }
    }
  }

  CircuitLayers find() {
    while (step()) {
    }
    add_messages();
    return std::move(out_);
  }

 private:
  struct Node {
    const NodeProgram* program = nullptr;
    std::uint32_t number = 0;      // of its program
    std::size_t next = 0;          // instruction: its next candidate
    std::size_t sends_until = 0;   // behind its last instruction that sends
    std::vector<std::size_t> own;  // instructions that are layers, in order
  };
  using Members = std::vector<NodeId>;

  const ProgramInstruction* head(NodeId n) const {
    const Node& node = nodes_[n];
    if (node.program == nullptr || node.next >= node.program->instructions.size()) return nullptr;
    return &node.program->instructions[node.next];
  }

  // Collectives that have rounds over circuits.
  void find_candidates(std::uint32_t p) {
    candidate_.emplace_back();
    for (const ProgramInstruction& in : programs_[p].instructions) {
      candidate_.back().push_back(is_collective(in.op) && in.group.size() > 1);
    }
  }

  std::size_t last_send(NodeId n) const {
    const std::vector<ProgramInstruction>& all = nodes_[n].program->instructions;
    for (std::size_t i = all.size(); i > 0; --i) {
      const ProgramInstruction& in = all[i - 1];
      if (is_collective(in.op) && in.group.size() == 1) continue;  // does nothing
      if (moves_data(in.op) ? in.op != ProgramOp::recv && takes_part(in, n)
                            : in.op == ProgramOp::barrier && takes_part(in, n)) {
        return i;
      }
    }
    return 0;
  }

  // To the next candidate, from the present place on.
  void advance(NodeId n) {
    Node& node = nodes_[n];
    const std::vector<ProgramInstruction>& all = node.program->instructions;
    while (node.next < all.size() && !(candidate_[node.number][node.next] && all[node.next].group.contains(n))) {
      ++node.next;
    }
  }

  bool together(const ProgramInstruction& in) const {
    return std::all_of(in.group.begin(), in.group.end(), [&](NodeId n) {
      const ProgramInstruction* other = n < nodes_.size() ? head(n) : nullptr;
      return other != nullptr && (other == &in || (match(in, *other) && in.bytes == other->bytes));
    });
  }

  // One layer, or collectives that run as messages. False at the end of all programs.
  bool step() {
    std::vector<const ProgramInstruction*> ready;
    std::vector<bool> held(nodes_.size(), false);
    std::set<const ProgramInstruction*> alone;
    Members outside;
    bool any = false;
    for (NodeId n = 0; n < nodes_.size(); ++n) {
      const ProgramInstruction* in = head(n);
      any = any || in != nullptr;
      if (in == nullptr || held[n] || alone.count(in) > 0) continue;
      if (!together(*in)) {
        alone.insert(in);
        continue;
      }
      ready.push_back(in);
      for (const NodeId m : in->group) held[m] = true;
    }
    if (!any) return false;
    for (NodeId n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      const bool over = node.program == nullptr || (head(n) == nullptr && over_at(n) >= node.sends_until);
      if (!held[n] && !over) outside.push_back(n);
    }
    const bool layer = outside.empty() && !ready.empty();
    if (layer) {
      out_.layers.push_back(ready);
    }
    const std::string why = refusal(outside);
    for (NodeId n = 0; n < nodes_.size(); ++n) {
      Node& node = nodes_[n];
      if (head(n) == nullptr || (!ready.empty() && !held[n])) continue;
      CircuitLayers::Place& place = out_.places[node.number][node.next];
      if (layer) {
        place.layer = static_cast<std::uint32_t>(out_.layers.size() - 1);
        node.own.push_back(node.next);
      } else {
        place.refusal = ready.empty() ? "its nodes do not come to it in the same order of collectives" : why;
      }
      ++node.next;
      advance(n);
    }
    return true;
  }

  // Where a node without a further candidate stands: behind its last layer.
  std::size_t over_at(NodeId n) const { return nodes_[n].own.empty() ? 0 : nodes_[n].own.back() + 1; }

  static std::string refusal(const Members& outside) {
    if (outside.empty()) return {};
    const Members named(outside.begin(),
                        outside.begin() + static_cast<std::ptrdiff_t>(std::min(outside.size(), kMostNamed)));
    return fmt::format(
        "circuits change for all nodes at once, but node{} {}{} {} not in a collective then",
        outside.size() == 1 ? "" : "s", fmt::join(named, ", "),
        outside.size() > named.size() ? fmt::format(" and {} others", outside.size() - named.size()) : "",
        outside.size() == 1 ? "is" : "are");
  }

  // Messages of all instructions that are no layers.
  void add_messages() {
    std::vector<std::map<std::pair<NodeId, NodeId>, PairMessages>> pairs(out_.layers.size() + 1);
    using Key = std::tuple<ProgramOp, std::uint64_t, NodeId, std::optional<NodeId>, std::optional<NodeId>,
                           std::optional<std::int64_t>, NodeList>;
    for (NodeId n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].program == nullptr) continue;
      const std::vector<ProgramInstruction>& all = nodes_[n].program->instructions;
      std::map<Key, std::vector<NodeMessage>> known;  // repetitions are lowered once
      std::size_t layer = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const ProgramInstruction& in = all[i];
        if (layer < nodes_[n].own.size() && nodes_[n].own[layer] == i) {
          ++layer;
          continue;
        }
        if (!takes_part(in, n)) continue;
        const auto [at, is_new] =
            known.try_emplace({in.op, in.bytes, in.root, in.source, in.destination, in.shift, in.group});
        if (is_new) {
          for (const NodeRound& round : lower(in, n).rounds) {
            at->second.insert(at->second.end(), round.sends.begin(), round.sends.end());
          }
        }
        for (const NodeMessage& m : at->second) add(pairs[layer], n, m, in.where);
      }
    }
    for (const auto& segment : pairs) {
      out_.between.emplace_back();
      for (const auto& [ends, messages] : segment) out_.between.back().push_back(messages);
    }
  }

  static void add(std::map<std::pair<NodeId, NodeId>, PairMessages>& pairs, NodeId from, const NodeMessage& m,
                  const Location& where) {
    const auto [at, is_new] =
        pairs.try_emplace({from, m.peer}, PairMessages{from, m.peer, m.bytes, m.bytes, where, where});
    PairMessages& p = at->second;
    p.shortest = std::min(p.shortest, m.bytes);
    if (is_new || m.bytes <= p.longest) return;
    p.longest = m.bytes;
    p.longest_where = where;
  }

  const std::vector<NodeProgram>& programs_;
  std::vector<Node> nodes_;
  std::vector<std::vector<bool>> candidate_;  // [program][instruction]
  CircuitLayers out_;
};

}  // namespace

CircuitLayers circuit_layers(const std::vector<NodeProgram>& programs, std::uint32_t nodes) {
  return LayerFinder(programs, nodes).find();
}

}  // namespace weft::collectives
