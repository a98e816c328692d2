#pragma once
// Switches, ports, full-duplex links and end nodes of a network.
//
// Every port of a switch is free, attached to one end node, or connected to one port of another switch.
// Full-duplex links are two directed links. A directed link is numbered by the port that drives it:
//   port p of switch sw -> out_link(sw, p), below total_ports: to a peer switch or the ejection to a node
//   end node n          -> injection_link(n), in [total_ports, total_ports + nodes)
// so tables over all directed links are plain arrays of link_count() entries. Where a node has several links to its
// switch, at as many ports in a row, the i-th ones follow: injection_link(n, i), in [total_ports + i * nodes, ...).
//
// Parallel links from one switch to another, or between a node and its switch, may be joined to a bundle, whose slots
// circuits share; until then every link stands for itself.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace weft {

struct PortRef {
  SwitchId sw = kNoId;
  PortId port = kNoPort;
  bool operator==(const PortRef&) const = default;
};

/// Regular grid behind a mesh or torus: coordinate d of switch s is (s / stride_d) mod dims[d], x first. Ports of a
/// switch: its nodes, then per dimension the trunk in + direction and the trunk in - direction.
struct GridShape {
  std::vector<std::uint32_t> dims;
  bool torus = false;
  /// Node n is at switch n / nodes_per_switch, from port node_links * (n mod nodes_per_switch) on.
  std::uint32_t nodes_per_switch = 1;
  std::uint32_t trunk = 1;       ///< parallel links between neighbours
  std::uint32_t node_links = 1;  ///< parallel links between a node and its switch
  std::uint32_t node_ports() const { return nodes_per_switch * node_links; }
  PortId plus(std::size_t d) const { return static_cast<PortId>(node_ports() + 2 * d * trunk); }
  PortId minus(std::size_t d) const { return static_cast<PortId>(node_ports() + (2 * d + 1) * trunk); }
};

/// Shape of a k-ary n-tree, see network/topology/tree.h; arity 0: the network is none.
struct TreeShape {
  std::uint32_t arity = 0;
  std::uint32_t levels = 0;
};

/// Shape of a dragonfly: every two switches of a group are linked, and every two groups; 0 routers per group: the
/// network is none. Switch s belongs to group s / routers_per_group.
struct DragonflyShape {
  std::uint32_t groups = 0;
  std::uint32_t routers_per_group = 0;
  std::uint32_t group(SwitchId s) const { return s / routers_per_group; }
};

/// Forms of networks that routing algorithms and other rules are made for; each has its shape in the graph.
enum class NetworkForm : std::uint8_t { any, mesh, torus, tree, dragonfly };

class Graph {
 public:
  /// `node_links`: parallel links of every node.
  explicit Graph(std::string name, std::uint32_t node_links = 1) : name_(std::move(name)), node_links_(node_links) {}

  SwitchId add_switch(PortId ports);
  /// Full-duplex link. Precondition: both ports exist and are free (builders and the file reader check
  /// before).
  void connect(PortRef a, PortRef b);
  /// New end node at a free port, with several links at as many free ports from this one on.
  NodeId attach_node(PortRef at);
  void set_grid(GridShape grid) { grid_ = std::move(grid); }
  void set_tree(TreeShape tree) { tree_ = tree; }
  void set_dragonfly(DragonflyShape dragonfly) { dragonfly_ = dragonfly; }
  /// Gives ports the names of directions, for waves and pictures.
  using PortName = std::string (*)(const Graph& graph, SwitchId sw, PortId port);
  void name_ports(PortName names) { port_name_ = names; }
  /// Its nodes are the NICs of nodes with several of them, and are called so in texts.
  void name_nodes_nics() { nics_ = true; }
  /// Makes bundles of all parallel links there are; in grids of those in one direction.
  void join_parallel_links();

  const std::string& name() const { return name_; }  ///< e.g. "mesh 4x4"
  std::uint32_t switches() const { return static_cast<std::uint32_t>(first_port_.size()) - 1; }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(attachments_.size()); }
  PortId ports(SwitchId sw) const { return static_cast<PortId>(first_port_[sw + 1] - first_port_[sw]); }
  /// Switch and (first) port of an end node.
  PortRef attachment(NodeId n) const { return attachments_[n]; }
  /// Peer switch port of a port; sw == kNoId when it is free or has a node.
  PortRef peer(SwitchId sw, PortId port) const { return peers_[first_port_[sw] + port]; }
  /// End node at a port, kNoId when there is none.
  NodeId node_at(SwitchId sw, PortId port) const { return nodes_at_[first_port_[sw] + port]; }
  bool is_free(PortRef p) const { return peer(p.sw, p.port).sw == kNoId && node_at(p.sw, p.port) == kNoId; }
  /// Empty dims unless the network is a mesh or torus.
  const GridShape& grid() const { return grid_; }
  const TreeShape& tree() const { return tree_; }
  const DragonflyShape& dragonfly() const { return dragonfly_; }
  /// Direction that a port leads to ("+x"); empty: it has none.
  std::string port_name(SwitchId sw, PortId port) const {
    return port_name_ == nullptr ? std::string() : port_name_(*this, sw, port);
  }

  LinkId out_link(SwitchId sw, PortId port) const { return first_port_[sw] + port; }
  LinkId injection_link(NodeId n) const { return total_ports() + n; }
  /// The i-th of a node.
  LinkId injection_link(NodeId n, std::uint32_t i) const { return total_ports() + i * nodes() + n; }
  std::uint32_t node_links() const { return node_links_; }
  /// Switch and port that an injection link leads to.
  PortRef entry(LinkId injection) const {
    const PortRef at = attachments_[(injection - total_ports()) % nodes()];
    return {at.sw, static_cast<PortId>(at.port + link_of_node(injection))};
  }
  /// Number of an injection link among those of its node.
  std::uint32_t link_of_node(LinkId injection) const { return (injection - total_ports()) / nodes(); }
  std::uint32_t total_ports() const { return first_port_.back(); }
  std::uint32_t link_count() const { return total_ports() + node_links_ * nodes(); }
  /// The other direction of the same cable.
  LinkId other_way(LinkId l) const;
  bool is_injection(LinkId l) const { return l >= total_ports(); }
  /// Switch and port that drive a link that is not an injection link.
  PortRef driver(LinkId l) const { return {owner_[l], static_cast<PortId>(l - first_port_[owner_[l]])}; }
  /// Text for people: "node 3", "nic[3]"; and its pattern, with {} for the number.
  std::string node_name(NodeId n) const;
  const char* node_pattern() const { return nics_ ? "nic[{}]" : "node {}"; }
  /// Text for people: "sw[3].port1 -> sw[4]", "sw[3].port0 -> node 3", "node 3 -> sw[3]".
  std::string link_name(LinkId l) const;

  bool has_bundles() const { return !bundles_.empty(); }
  /// Links of the bundle that this one belongs to, ascending; empty: it stands for itself.
  std::span<const LinkId> bundle(LinkId l) const {
    if (bundle_of_.empty() || bundle_of_[l] == kNoId) return {};
    return bundles_[bundle_of_[l]];
  }
  /// The link that stands for its bundle: the first one; a link without a bundle itself.
  LinkId bundle_link(LinkId l) const { return bundle(l).empty() ? l : bundle(l).front(); }
  std::uint32_t bundle_width(LinkId l) const {
    return bundle(l).empty() ? 1 : static_cast<std::uint32_t>(bundle(l).size());
  }
  /// "link sw[3].port1 -> sw[4]", "bundle of 2 links sw[3].port1 -> sw[4]".
  std::string bundle_name(LinkId l) const;

 private:
  std::string name_;
  std::uint32_t node_links_;
  std::vector<std::uint32_t> first_port_{0};
  std::vector<SwitchId> owner_;  // per port: its switch
  std::vector<PortRef> peers_;
  std::vector<NodeId> nodes_at_;
  std::vector<PortRef> attachments_;
  GridShape grid_;
  TreeShape tree_;
  DragonflyShape dragonfly_;
  PortName port_name_ = nullptr;
  bool nics_ = false;
  std::vector<std::vector<LinkId>> bundles_;
  std::vector<std::uint32_t> bundle_of_;  // per link; empty: there are none
};

}  // namespace weft
