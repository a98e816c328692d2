#include "network/patterns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "base/text.h"

namespace weft {
namespace {

/// What a pattern needs to know; everything is checked before the first destination is asked for.
struct Context {
  const Graph& graph;
  RandomStream& random;
  std::uint32_t nodes;
  std::uint32_t bits;  ///< nodes == 2^bits where the pattern needs that
};

NodeId rotate_left(NodeId n, std::uint32_t by, std::uint32_t bits) {
  if (by == 0) return n;
  const NodeId mask = (NodeId{1} << bits) - 1;
  return ((n << by) | (n >> (bits - by))) & mask;
}

NodeId uniform(const Context& c, NodeId n) {
  const auto other = static_cast<NodeId>(c.random.below(c.nodes - 1));
  return other < n ? other : other + 1;
}

NodeId bit_reversal(const Context& c, NodeId n) {
  NodeId reversed = 0;
  for (std::uint32_t b = 0; b < c.bits; ++b) reversed |= (n >> b & 1) << (c.bits - 1 - b);
  return reversed;
}

NodeId matrix_transpose(const Context& c, NodeId n) { return rotate_left(n, c.bits / 2, c.bits); }

/// A mesh neighbour with probability 0.9, else uniform.
NodeId neighbor(const Context& c, NodeId n) {
  const SwitchId sw = c.graph.attachment(n).sw;
  std::vector<NodeId> near;  // in port order, each once (a torus of size 2 has two links to the same neighbour)
  for (PortId p = 1; p < c.graph.ports(sw); ++p) {
    const SwitchId peer = c.graph.peer(sw, p).sw;
    if (peer == kNoId) continue;
    const NodeId node = c.graph.node_at(peer, 0);
    if (node != n && std::find(near.begin(), near.end(), node) == near.end()) near.push_back(node);
  }
  if (c.random.uniform() < 0.9) return near[c.random.below(near.size())];
  return uniform(c, n);
}

NodeId perfect_shuffle(const Context& c, NodeId n) { return rotate_left(n, 1, c.bits); }

NodeId butterfly(const Context& c, NodeId n) {
  const NodeId ends = (NodeId{1} << (c.bits - 1)) | 1;
  const NodeId both = n & ends;
  return both == 0 || both == ends ? n : n ^ ends;
}

NodeId bit_complement(const Context& c, NodeId n) { return c.nodes - 1 - n; }

NodeId tornado(const Context& c, NodeId n) { return (n + std::max(c.nodes / 2, 1u) - 1) % c.nodes; }

NodeId tornado_per_dimension(const Context& c, NodeId n) {
  NodeId to = 0;
  NodeId stride = 1;
  for (const std::uint32_t k : c.graph.grid().dims) {
    to += (n / stride % k + (k + 1) / 2 - 1) % k * stride;
    stride *= k;
  }
  return to;
}

enum class Needs { two_nodes, bits, even_bits, grid };

struct Pattern {
  const char* name;
  NodeId (*destination)(const Context& context, NodeId source);
  Needs needs;
};

// In the order of Table 1, then the project's additions.
constexpr Pattern kPatterns[] = {
    {"uniform", uniform, Needs::two_nodes},
    {"bit_reversal", bit_reversal, Needs::bits},
    {"matrix_transpose", matrix_transpose, Needs::even_bits},
    {"neighbor", neighbor, Needs::grid},
    {"perfect_shuffle", perfect_shuffle, Needs::bits},
    {"butterfly", butterfly, Needs::bits},
    {"bit_complement", bit_complement, Needs::bits},
    {"tornado", tornado, Needs::two_nodes},
    {"tornado_per_dimension", tornado_per_dimension, Needs::grid},
};

/// Why a pattern is undefined on a network, if it is.
std::optional<std::string> objection(const Pattern& pattern, const Graph& graph) {
  const std::uint32_t n = graph.nodes();
  if (n < 2) return "needs at least 2 nodes";
  const bool power = std::has_single_bit(n);
  switch (pattern.needs) {
    case Needs::two_nodes:
      break;
    case Needs::bits:
      if (!power) return "needs a power of two of nodes";
      break;
    case Needs::even_bits:
      if (!power || std::countr_zero(n) % 2 != 0) return "needs a power of four of nodes";
      break;
    case Needs::grid:
      if (graph.grid().dims.empty()) return "needs a mesh or torus";
      break;
  }
  return std::nullopt;
}

}  // namespace

const std::vector<std::string>& pattern_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Pattern& p : kPatterns) list.emplace_back(p.name);
    return list;
  }();
  return names;
}

std::string pattern_meaning() {
  return fmt::format("Named communication pattern: {}.", fmt::join(pattern_names(), ", "));
}

bool is_random_pattern(const std::string& name) { return name == "uniform" || name == "neighbor"; }

std::vector<std::pair<NodeId, NodeId>> make_pattern(const std::string& name, const Graph& graph, RandomStream& random,
                                                    const Location& where) {
  const auto pattern =
      std::find_if(std::begin(kPatterns), std::end(kPatterns), [&](const Pattern& p) { return p.name == name; });
  if (pattern == std::end(kPatterns)) {
    const std::string hint = did_you_mean(name, pattern_names());
    throw InputError(
        where,
        fmt::format("unknown pattern '{}'{}", name,
                    hint.empty() ? fmt::format("; expected one of: {}", fmt::join(pattern_names(), ", ")) : hint));
  }
  if (const auto reason = objection(*pattern, graph)) {
    if (pattern->needs == Needs::grid && graph.nodes() > 1) {
      throw InputError(where, fmt::format("pattern '{}' {}; the network is none ({})", name, *reason, graph.name()));
    }
    throw InputError(where, fmt::format("pattern '{}' {}; the network ({}) has {} nodes", name, *reason, graph.name(),
                                        graph.nodes()));
  }
  const Context context{graph, random, graph.nodes(), static_cast<std::uint32_t>(std::countr_zero(graph.nodes()))};
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    if (const NodeId to = pattern->destination(context, n); to != n) pairs.emplace_back(n, to);
  }
  return pairs;
}

}  // namespace weft
