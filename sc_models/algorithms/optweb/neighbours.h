#pragma once
// Neighbours of a node, and the DMAC for each.
//
// Full mesh: every pair of nodes; D#n of every node is for node n.
// Dragonfly of g groups with k links per FPGA (section 5.3 and Figure 20 of the paper named in
// algorithms/optweb/link_sync.h): a group has a = k - g + 2 nodes, node number group * a + place. A node has a link to
// every other node of its group, and to the node in its place of every other group. So there are at most two hops, and
// the number of nodes is g(k - g + 2). D#0 .. D#(a-1) are for the places of the own group, the next ones for the other
// groups, ascending.
//
// In both, the DMAC of a node for itself keeps what belongs to it as a whole.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"

namespace weft::optweb {

class Neighbours {
 public:
  /// `groups`: 1 is the full mesh; divides `nodes`.
  Neighbours(std::uint32_t nodes, std::uint32_t groups) : groups_(groups), places_(nodes / groups) {}

  std::uint32_t nodes() const { return groups_ * places_; }
  std::uint32_t groups() const { return groups_; }
  std::uint32_t places() const { return places_; }
  NodeId node(std::uint32_t group, std::uint32_t place) const { return group * places_ + place; }
  std::uint32_t group(NodeId n) const { return n / places_; }
  std::uint32_t place(NodeId n) const { return n % places_; }

  /// DMACs of a node, the one for itself included.
  std::uint32_t dmacs() const { return places_ + groups_ - 1; }
  /// The DMAC of node `of` for node `n`: nothing when there is no link.
  std::optional<std::uint32_t> dmac(NodeId of, NodeId n) const {
    if (group(of) == group(n)) return place(n);
    if (place(of) != place(n)) return std::nullopt;
    return places_ + group(n) - (group(n) > group(of) ? 1 : 0);
  }
  /// The node a DMAC is for.
  NodeId peer(NodeId of, std::uint32_t dmac) const {
    if (dmac < places_) return node(group(of), dmac);
    const std::uint32_t other = dmac - places_;
    return node(other < group(of) ? other : other + 1, place(of));
  }

  /// 0 to 2.
  std::uint32_t hops(NodeId a, NodeId b) const { return a == b ? 0 : dmac(a, b) ? 1 : 2; }
  /// All of them have links to each other.
  bool clique(const std::vector<NodeId>& nodes) const;
  /// The node between two that have no link: in the place of the first, in the group of the second.
  NodeId between(NodeId from, NodeId to) const { return node(group(to), place(from)); }

 private:
  std::uint32_t groups_;
  std::uint32_t places_;
};

/// A set of nodes that has the same places in each of its groups.
struct NodeGrid {
  std::vector<std::uint32_t> groups;  ///< ascending
  std::vector<std::uint32_t> places;  ///< ascending
};
/// `nodes`: ascending. Nothing when the groups do not have the same places.
std::optional<NodeGrid> grid_of(const Neighbours& neighbours, const std::vector<NodeId>& nodes);

}  // namespace weft::optweb
