#pragma once
// Grid of nodes: a set of nodes that has the same places in each of its groups, at all levels of the network. Levels of
// a grid are those at which its nodes differ, from the lowest one on; at least one. Ranks are those of places among the
// ones that the grid has.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/optweb/neighbours.h"

namespace weft::optweb {

class NodeGrid {
 public:
  std::size_t levels() const { return levels_.size(); }
  /// Places at a level.
  std::size_t size(std::size_t level) const { return levels_[level].nodes.size(); }
  /// Nodes that differ from node `n` at this level only, ascending, with it: they all have links.
  std::vector<NodeId> line(NodeId n, std::size_t level) const;
  /// Node `n`, but with the place of `other` at a level.
  NodeId toward(NodeId n, std::size_t level, NodeId other) const {
    return neighbours_.toward(n, levels_[level].number, other);
  }
  /// The node with the places of `low` below a level, and those of `high` from it on.
  NodeId mixed(NodeId low, NodeId high, std::size_t level) const;
  /// Same places at the levels `first` to `end` - 1.
  bool same(NodeId a, NodeId b, std::size_t first, std::size_t end) const;
  std::size_t rank(NodeId n, std::size_t level) const;
  /// Number of combinations of places at the levels `first` to `end` - 1.
  std::size_t count(std::size_t first, std::size_t end) const;
  /// The number of that of node `n`; the lowest level counts fastest.
  std::size_t number(NodeId n, std::size_t first, std::size_t end) const;

 private:
  struct Level {
    std::size_t number = 0;     // in the network
    std::vector<NodeId> nodes;  // one for each place, ascending
  };
  explicit NodeGrid(const Neighbours& neighbours) : neighbours_(neighbours) {}
  friend std::optional<NodeGrid> grid_of(const Neighbours& neighbours, const std::vector<NodeId>& nodes);

  Neighbours neighbours_;
  std::vector<Level> levels_;
};

/// `nodes`: ascending, at least one. Nothing when the groups do not have the same places.
std::optional<NodeGrid> grid_of(const Neighbours& neighbours, const std::vector<NodeId>& nodes);

}  // namespace weft::optweb
