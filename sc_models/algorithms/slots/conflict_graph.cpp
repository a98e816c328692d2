#include "algorithms/slots/conflict_graph.h"

#include <algorithm>

namespace weft {
namespace {

/// Items with fewer than `colors` conflicts among the items not set aside, in the order in which they are set
/// aside.
std::vector<std::uint32_t> peel(const ConflictGraph& graph, std::uint32_t colors, std::vector<bool>& aside) {
  std::vector<std::uint32_t> order;
  std::vector<std::size_t> conflicts(graph.items());
  for (std::uint32_t v = 0; v < graph.items(); ++v) {
    conflicts[v] = graph.begin[v + 1] - graph.begin[v];
    if (conflicts[v] >= colors) continue;
    aside[v] = true;
    order.push_back(v);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = graph.begin[order[i]]; j < graph.begin[order[i] + 1]; ++j) {
      const std::uint32_t other = graph.neighbors[j];
      if (aside[other] || --conflicts[other] >= colors) continue;
      aside[other] = true;
      order.push_back(other);
    }
  }
  return order;
}

}  // namespace

std::optional<ConflictGraph> make_conflict_graph(const ColoringProblem& problem, std::size_t most) {
  ConflictGraph graph;
  graph.begin.reserve(problem.items() + 1);
  bool small = true;
  ConflictWalk conflicts(problem);
  for (std::uint32_t item = 0; item < problem.items() && small; ++item) {
    conflicts.visit(item, [&](std::uint32_t other) { graph.neighbors.push_back(other); });
    graph.begin.push_back(graph.neighbors.size());
    small = graph.neighbors.size() <= most;
  }
  return small ? std::optional(std::move(graph)) : std::nullopt;
}

Kernel make_kernel(const ConflictGraph& graph, std::uint32_t colors) {
  Kernel kernel;
  std::vector<bool> done(graph.items());
  kernel.set_aside = peel(graph, colors, done);
  std::reverse(kernel.set_aside.begin(), kernel.set_aside.end());
  const std::vector<bool> aside = done;
  std::vector<std::uint32_t> number(graph.items(), kNoId);
  for (std::uint32_t start = 0; start < graph.items(); ++start) {
    if (done[start]) continue;
    Kernel::Part part;
    const auto add = [&](std::uint32_t v) {
      done[v] = true;
      number[v] = static_cast<std::uint32_t>(part.items.size());
      part.items.push_back(v);
    };
    add(start);
    for (std::size_t i = 0; i < part.items.size(); ++i) {
      const std::uint32_t v = part.items[i];
      for (std::size_t j = graph.begin[v]; j < graph.begin[v + 1]; ++j) {
        const std::uint32_t other = graph.neighbors[j];
        if (aside[other]) continue;
        if (!done[other]) add(other);
        part.graph.neighbors.push_back(number[other]);
      }
      part.graph.begin.push_back(part.graph.neighbors.size());
    }
    kernel.parts.push_back(std::move(part));
  }
  std::stable_sort(kernel.parts.begin(), kernel.parts.end(),
                   [](const Kernel::Part& a, const Kernel::Part& b) { return a.items.size() < b.items.size(); });
  return kernel;
}

}  // namespace weft
