#include "algorithms/optweb/hops/node_grid.h"

#include <algorithm>

namespace weft::optweb {

std::vector<NodeId> NodeGrid::line(NodeId n, std::size_t level) const {
  std::vector<NodeId> out;
  out.reserve(size(level));
  for (const NodeId m : levels_[level].nodes) out.push_back(toward(n, level, m));
  return out;
}

NodeId NodeGrid::mixed(NodeId low, NodeId high, std::size_t level) const {
  for (std::size_t l = 0; l < level; ++l) high = toward(high, l, low);
  return high;
}

bool NodeGrid::same(NodeId a, NodeId b, std::size_t first, std::size_t end) const {
  for (std::size_t l = first; l < end; ++l) {
    if (neighbours_.place(a, levels_[l].number) != neighbours_.place(b, levels_[l].number)) return false;
  }
  return true;
}

std::size_t NodeGrid::rank(NodeId n, std::size_t level) const {
  const Level& l = levels_[level];
  const auto below = [&](NodeId m, std::uint32_t place) { return neighbours_.place(m, l.number) < place; };
  const auto at = std::lower_bound(l.nodes.begin(), l.nodes.end(), neighbours_.place(n, l.number), below);
  return static_cast<std::size_t>(at - l.nodes.begin());
}

std::size_t NodeGrid::count(std::size_t first, std::size_t end) const {
  std::size_t out = 1;
  for (std::size_t l = first; l < end; ++l) out *= size(l);
  return out;
}

std::size_t NodeGrid::number(NodeId n, std::size_t first, std::size_t end) const {
  std::size_t out = 0;
  for (std::size_t l = end; l-- > first;) out = out * size(l) + rank(n, l);
  return out;
}

std::optional<NodeGrid> grid_of(const Neighbours& neighbours, const std::vector<NodeId>& nodes) {
  NodeGrid grid(neighbours);
  for (std::size_t l = 0; l < neighbours.levels(); ++l) {
    NodeGrid::Level level{l, nodes};
    const auto before = [&](NodeId a, NodeId b) { return neighbours.place(a, l) < neighbours.place(b, l); };
    const auto equal = [&](NodeId a, NodeId b) { return neighbours.place(a, l) == neighbours.place(b, l); };
    std::stable_sort(level.nodes.begin(), level.nodes.end(), before);
    level.nodes.erase(std::unique(level.nodes.begin(), level.nodes.end(), equal), level.nodes.end());
    if (level.nodes.size() > 1) grid.levels_.push_back(std::move(level));
  }
  if (grid.levels_.empty()) grid.levels_.push_back({0, {nodes.front()}});
  // Its nodes are among those of the grid, and no node stands there twice.
  if (grid.count(0, grid.levels()) != nodes.size()) return std::nullopt;
  return grid;
}

}  // namespace weft::optweb
