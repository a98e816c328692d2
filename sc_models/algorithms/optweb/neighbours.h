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
// In both, the DMAC of a node for itself keeps what belongs to it as a whole. The links are those of a graph with one
// node per switch, as network/topology builds it: a dragonfly with one global link per node and other group joins the
// same places.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "network/graph.h"

namespace weft::optweb {

/// The network of that size, with node n on switch n. `groups`: 1 is the full mesh; divides `nodes`.
Graph network_graph(std::uint32_t nodes, std::uint32_t groups);

class Neighbours {
 public:
  /// Links of a full mesh or of a dragonfly, with node n on switch n.
  explicit Neighbours(const Graph& graph);
  /// Those of network_graph().
  Neighbours(std::uint32_t nodes, std::uint32_t groups);

  std::uint32_t nodes() const { return groups_ * places_; }
  std::uint32_t groups() const { return groups_; }
  std::uint32_t places() const { return places_; }
  NodeId node(std::uint32_t group, std::uint32_t place) const { return group * places_ + place; }
  std::uint32_t group(NodeId n) const { return n / places_; }
  std::uint32_t place(NodeId n) const { return n % places_; }

  /// DMACs of a node, the one for itself included.
  std::uint32_t dmacs() const { return links_->dmacs; }
  /// The DMAC of node `of` for node `n`: nothing when there is no link.
  std::optional<std::uint32_t> dmac(NodeId of, NodeId n) const {
    const std::uint16_t dmac = links_->dmac[std::size_t{of} * nodes() + n];
    return dmac == kNone ? std::nullopt : std::optional<std::uint32_t>(dmac);
  }
  /// The node a DMAC is for.
  NodeId peer(NodeId of, std::uint32_t dmac) const { return links_->peer[std::size_t{of} * links_->dmacs + dmac]; }

  /// 0 to 2.
  std::uint32_t hops(NodeId a, NodeId b) const { return a == b ? 0 : dmac(a, b) ? 1 : 2; }
  /// All of them have links to each other.
  bool clique(const std::vector<NodeId>& nodes) const;
  /// The node between two that have no link: in the place of the first, in the group of the second.
  NodeId between(NodeId from, NodeId to) const { return node(group(to), place(from)); }

 private:
  static constexpr std::uint16_t kNone = 0xffff;
  struct Links {
    std::uint32_t dmacs = 0;
    std::vector<std::uint16_t> dmac;  // [node, node]
    std::vector<NodeId> peer;         // [node, DMAC]
  };
  std::uint32_t groups_;
  std::uint32_t places_;
  std::shared_ptr<const Links> links_;  // the same in all copies
};

/// A set of nodes that has the same places in each of its groups.
struct NodeGrid {
  std::vector<std::uint32_t> groups;  ///< ascending
  std::vector<std::uint32_t> places;  ///< ascending
};
/// `nodes`: ascending. Nothing when the groups do not have the same places.
std::optional<NodeGrid> grid_of(const Neighbours& neighbours, const std::vector<NodeId>& nodes);

}  // namespace weft::optweb
