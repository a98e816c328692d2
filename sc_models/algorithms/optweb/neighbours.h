#pragma once
// Neighbours of a node, and the DMAC for each.
//
// The network is a hierarchy of full meshes with a number of levels: a node has a place at each of them, and a link to
// every node that differs from it in one place only. Node number: place at level 0 + size of level 0 * (place at
// level 1 + size of level 1 * (...)). So there are as many hops at most as there are levels.
//
// Full mesh: one level. Dragonfly of g groups with k links per FPGA (section 5.3 and Figure 20 of the paper named in
// algorithms/optweb/link_sync.h): two levels, the places of a group, a = k - g + 2, and the groups; g(k - g + 2) nodes.
// More levels are groups of groups **(ours)**, the network that others call a HyperX.
//
// DMACs of a node: D#0 .. D#(a-1) are for the places of the own group, the own one included, which keeps what belongs
// to the node as a whole; the next ones for the other places at level 1, ascending, then those at level 2. In a full
// mesh D#n of every node is for node n. The links are those of a graph with one node per switch, as network/topology
// builds it: a dragonfly with one global link per node and other group joins the same places.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "network/graph.h"

namespace weft::optweb {

/// The network with so many places at each level, the lowest one first, with node n on switch n.
Graph network_graph(const std::vector<std::uint32_t>& levels);

class Neighbours {
 public:
  /// Those of network_graph().
  explicit Neighbours(const std::vector<std::uint32_t>& levels);

  std::uint32_t nodes() const { return links_->nodes; }
  std::size_t levels() const { return links_->levels.size(); }
  std::uint32_t place(NodeId n, std::size_t level) const {
    return n / links_->levels[level].stride % links_->levels[level].places;
  }
  /// Node `n`, but with the place of `other` at a level.
  NodeId toward(NodeId n, std::size_t level, NodeId other) const {
    const std::uint32_t stride = links_->levels[level].stride;
    return n - place(n, level) * stride + place(other, level) * stride;
  }

  /// DMACs of a node, the one for itself included.
  std::uint32_t dmacs() const { return links_->dmacs; }
  /// The DMAC of node `of` for node `n`: nothing when there is no link.
  std::optional<std::uint32_t> dmac(NodeId of, NodeId n) const {
    const std::uint16_t dmac = links_->dmac[std::size_t{of} * nodes() + n];
    return dmac == kNone ? std::nullopt : std::optional<std::uint32_t>(dmac);
  }
  /// The node a DMAC is for.
  NodeId peer(NodeId of, std::uint32_t dmac) const { return links_->peer[std::size_t{of} * links_->dmacs + dmac]; }

  /// 0 to levels().
  std::uint32_t hops(NodeId a, NodeId b) const;
  /// The nodes from one to another one, both included: the highest level at which they differ is the first hop.
  std::vector<NodeId> route(NodeId from, NodeId to) const;
  /// Levels at which some of them differ, at least 1.
  std::size_t spanned(const std::vector<NodeId>& nodes) const;
  /// All of them have links to each other.
  bool clique(const std::vector<NodeId>& nodes) const { return spanned(nodes) == 1; }

 private:
  static constexpr std::uint16_t kNone = 0xffff;
  struct Level {
    std::uint32_t places = 1;
    std::uint32_t stride = 1;  // between the numbers of two nodes next to each other
  };
  struct Links {
    std::uint32_t nodes = 0;
    std::vector<Level> levels;
    std::uint32_t dmacs = 0;
    std::vector<std::uint16_t> dmac;  // [node, node]
    std::vector<NodeId> peer;         // [node, DMAC]
  };
  std::shared_ptr<const Links> links_;  // the same in all copies
};

}  // namespace weft::optweb
