#include "iq/mesh_traffic.h"

#include <fmt/format.h>

#include "kernel/link.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/routing_config.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft::pins {
namespace {

// The nodes of the model are at port 0 of their routers, as in the block.
Graph mesh(const MeshShape& shape) {
  return build_topology(topology_config("mesh", {{"dims", std::vector<std::uint32_t>{shape.columns, shape.rows}}}));
}

std::unique_ptr<PacketRouting> dimension_order(const Graph& graph) {
  PacketRoutingOptions options;
  options.ring = RingControl::dateline;
  return make_packet_routing(options, graph);
}

}  // namespace

MeshTraffic::MeshTraffic(const sc_core::sc_module_name& name, ClockDomain& domain, const MeshShape& shape)
    : LinkTraffic(name, domain, shape.links()),
      shape_(shape),
      graph_(mesh(shape)),
      routing_(dimension_order(graph_)),
      routes_(*routing_, graph_),
      agenda_(domain, shape.router),
      core_(domain, agenda_, shape.router, routes_, observers_) {
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    routers_.push_back(std::make_unique<IqRouter>(fmt::format("router[{}]", s).c_str(), core_, site_of(graph_, s)));
    nodes_.push_back(std::make_unique<Node>(*this, static_cast<PortId>(s)));
  }
  bind_links(graph_, routers_, nodes_);
}

MeshTraffic::~MeshTraffic() = default;

std::uint64_t MeshTraffic::word(const PacketMessage& packet, std::uint32_t flit) const {
  const std::uint64_t all = LinkTraffic::word(packet, flit);
  if (flit > 0) return all;
  const std::uint32_t x_bits = bits_of(shape_.columns);
  const std::uint32_t bits = x_bits + bits_of(shape_.rows);
  const std::uint64_t to = packet.destination % shape_.columns | packet.destination / shape_.columns << x_bits;
  return all >> bits << bits | to;
}

}  // namespace weft::pins
