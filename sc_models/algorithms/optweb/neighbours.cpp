#include "algorithms/optweb/neighbours.h"

#include <algorithm>

namespace weft::optweb {

bool Neighbours::clique(const std::vector<NodeId>& nodes) const {
  const auto same = [&](auto&& of) {
    return std::all_of(nodes.begin(), nodes.end(), [&](NodeId n) { return of(n) == of(nodes.front()); });
  };
  return same([&](NodeId n) { return group(n); }) || same([&](NodeId n) { return place(n); });
}

std::optional<NodeGrid> grid_of(const Neighbours& neighbours, const std::vector<NodeId>& nodes) {
  NodeGrid grid;
  for (const NodeId n : nodes) {
    if (grid.groups.empty() || grid.groups.back() != neighbours.group(n)) grid.groups.push_back(neighbours.group(n));
    if (grid.groups.size() == 1) grid.places.push_back(neighbours.place(n));
  }
  std::size_t i = 0;
  if (nodes.size() != grid.groups.size() * grid.places.size()) return std::nullopt;
  for (const std::uint32_t g : grid.groups) {
    for (const std::uint32_t p : grid.places) {
      if (nodes[i++] != neighbours.node(g, p)) return std::nullopt;
    }
  }
  return grid;
}

}  // namespace weft::optweb
