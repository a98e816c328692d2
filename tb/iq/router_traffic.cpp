#include "iq/router_traffic.h"

#include <algorithm>

namespace weft::pins {
namespace {

Graph star(std::uint32_t ports) {
  Graph graph("star");
  const SwitchId sw = graph.add_switch(static_cast<PortId>(ports));
  for (PortId p = 0; p < ports; ++p) graph.attach_node({sw, p});
  return graph;
}

/// Only the first port leads to a NIC; a hop there may take any VC.
SwitchSite site(std::uint32_t ports) {
  SwitchSite out{0, static_cast<PortId>(ports), std::vector<bool>(ports), std::vector<bool>(ports, true)};
  out.to_node[0] = true;
  return out;
}

}  // namespace

std::uint32_t RouterShape::port_bits() const { return bits_of(ports); }
std::uint32_t RouterShape::count_bits() const { return bits_of(trunk + 1); }

HopPins::HopPins(const RouterShape& s)
    : first(s.ports * s.port_bits()), count(s.ports * s.count_bits()), vcs(s.ports * s.router.vcs) {}

RouteStep AnyHop::step(const RoutePlace&, NodeId, std::uint32_t choice) const {
  RouteStep out;
  out.first = static_cast<PortId>(choice & 0xff);
  out.count = static_cast<std::uint16_t>(choice >> 8 & 0xff);
  out.lane_class = static_cast<std::uint8_t>(choice >> 16);
  return out;
}

// Two that differ, so that the model asks for every packet.
void AnyHop::each_step(const RoutePlace&, NodeId, const std::function<void(const RouteStep&)>& visit) const {
  for (PortId first = 0; first < 2; ++first) {
    RouteStep out;
    out.first = first;
    visit(out);
  }
}

RouterTraffic::RouterTraffic(const sc_core::sc_module_name& name, ClockDomain& domain, const RouterShape& shape)
    : LinkTraffic(name, domain, shape.links()),
      shape_(shape),
      graph_(star(shape.ports)),
      routing_(shape.classes),
      routes_(routing_, graph_),
      agenda_(domain, shape.router),
      core_(domain, agenda_, shape.router, routes_, observers_),
      router_(std::make_unique<IqRouter>("router", core_, site(shape.ports))),
      hops_(shape),
      next_hops_(shape) {
  for (PortId p = 0; p < shape.ports; ++p) {
    to_router_.push_back(std::make_unique<IqOutPort>(this, p));
    from_router_.push_back(std::make_unique<IqInPort>(*this, p));
    to_router_.back()->bind(router_->in(p));
    router_->out(p).bind(*from_router_.back());
  }
}

RouterTraffic::~RouterTraffic() = default;

void RouterTraffic::due(Cycle now, std::uint32_t token) {
  hops_ = next_hops_;
  next_hops_ = HopPins(shape_);
  LinkTraffic::due(now, token);
}

void RouterTraffic::address(PacketMessage& packet) {
  RouteStep hop;
  hop.first = static_cast<PortId>(random_end());
  const std::uint64_t most = std::min(shape_.trunk, shape_.ports - hop.first);
  hop.count = static_cast<std::uint16_t>(hop.first == 0 ? 1 : 1 + random().below(most));
  hop.lane_class = static_cast<std::uint8_t>(random().below(shape_.classes));
  packet.destination = 0;
  packet.choice = AnyHop::choice(hop);
}

void RouterTraffic::give_flit(std::uint32_t end, const IqTransfer& transfer) {
  router_->receive(static_cast<PortId>(end), transfer);
}

void RouterTraffic::give_credit(std::uint32_t end, const IqTransfer& transfer) {
  router_->answer(static_cast<PortId>(end), transfer);
}

// With other flits than heads the pins say anything.
void RouterTraffic::show(std::uint32_t end, const PacketMessage& packet, bool head) {
  const RouteStep hop =
      routing_.step({}, 0, head ? packet.choice : static_cast<std::uint32_t>(random().below(1 << 18)));
  const std::uint32_t of_class = shape_.router.vcs / shape_.classes;
  const std::uint64_t vcs = hop.first == 0 ? (std::uint64_t{1} << shape_.router.vcs) - 1
                                           : ((std::uint64_t{1} << of_class) - 1) << (hop.lane_class * of_class);
  next_hops_.first.set(std::size_t{end} * shape_.port_bits(), shape_.port_bits(), hop.first);
  next_hops_.count.set(std::size_t{end} * shape_.count_bits(), shape_.count_bits(), hop.count);
  next_hops_.vcs.set(std::size_t{end} * shape_.router.vcs, shape_.router.vcs, vcs);
}

}  // namespace weft::pins
