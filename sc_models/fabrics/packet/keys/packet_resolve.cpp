// From what a file says about a packet network to its checked configuration.

#include <fmt/format.h>

#include <algorithm>

#include "fabrics/packet/keys/packet_resolver.h"
#include "network/topology/build_topology.h"

namespace weft {

PacketConfig PacketResolver::resolve() {
  out_.title = raw_.title.value;
  out_.seed = raw_.seed.value;
  network();
  link();
  if (out_.link.period.ps == 0) return std::move(out_);  // nothing can be counted in flits or cycles
  packet_switch();
  levels();
  lane_maps();
  lanes();
  scheduler();
  traffic();
  faults();
  run();
  programs();
  waves();
  return std::move(out_);
}

void PacketResolver::network() {
  const std::size_t before = diagnostics_.errors();
  out_.topology = resolve_topology(raw_.topology, document_, diagnostics_);
  const bool valid = raw_.topology.valid && raw_.topology.value.kind.valid && values_are_valid(raw_.topology.value) &&
                     diagnostics_.errors() == before;
  const RawPacketRouting& r = raw_.routing.value;
  out_.routing = resolve_routing(r, raw_.routing.where, out_.topology, valid, SwitchingKind::packets, diagnostics_);
  out_.ring = r.ring.value;
  out_.ring_where = r.ring.where;
  out_.ties = r.ties.value;
  out_.deadlock_check = r.deadlock_check.value;
  lanes_known_ = raw_.topology.valid && raw_.topology.value.kind.valid && r.ring.valid &&
                 (r.algorithm.valid || !r.algorithm.given) && (r.roots.valid || !r.roots.given);
  if (out_.routing.algorithm->takes_roots) out_.routing.roots = r.roots.given ? r.roots.value : usual_roots();
  if (lanes_known_) lane_classes(valid);
  if (!valid) return;
  warn_unused(r.roots, out_.routing.algorithm->takes_roots,
              fmt::format("routing.roots has no effect with algorithm '{}'", out_.routing.algorithm->name),
              diagnostics_);
  const std::string why = torus() ? "it belongs to dimension_order" : "the topology has no rings";
  warn_unused(r.ring, rings(), "routing.ring has no effect, " + why, diagnostics_);
  warn_unused(r.ties, rings(), "routing.ties has no effect, " + why, diagnostics_);
  // Trees may have the key: experiments set it for all their networks.
  const bool choice = (out_.topology.number("trunk") > 1 && out_.routing.algorithm->takes_trunks) ||
                      out_.topology.kind->form == NetworkForm::tree;
  warn_unused(r.trunk, choice,
              "routing.trunk has no effect: only dimension_order with topology.trunk leaves a choice of ports",
              diagnostics_);
}

// Lane classes of the routing. Some algorithms have to see the network for that.
void PacketResolver::lane_classes(bool topology_is_valid) {
  const RoutingAlgorithm& algorithm = *out_.routing.algorithm;
  if (algorithm.lane_classes == nullptr || !suits(algorithm, out_.topology.kind->form)) return;
  out_.lane_classes = algorithm.lane_classes(out_.routing_options(), out_.topology.kind->form);
  if (out_.lane_classes > 0) return;
  out_.lane_classes = 1;
  lanes_known_ = topology_is_valid && passes(
                                          [&] {
                                            const Graph graph = build_topology(out_.topology);
                                            out_.lane_classes =
                                                make_packet_routing(out_.routing_options(), graph)->lane_classes();
                                          },
                                          diagnostics_);
}

// Roots of up*/down* that the VLs are enough for when nobody has said how many.
std::uint32_t PacketResolver::usual_roots() const {
  constexpr std::uint32_t kUsual = 2;
  const RawQos& q = raw_.qos.value;
  if (!q.lane_maps.value.empty() || q.channel_lanes.given) return 1;
  const auto& levels = q.levels.value;
  for (const auto& level : levels) {
    const auto& lanes = level.value.lanes.given ? level.value.lanes : level.value.channels;
    if (lanes.given) return std::clamp<std::uint32_t>(static_cast<std::uint32_t>(lanes.value.size()), 1, kMaxRoots);
  }
  if (architecture().virtual_channels != nullptr) {
    const std::any& own = raw_.packet_switch.value.own_of(architecture()).value;
    return architecture().virtual_channels(own) % kUsual == 0 ? kUsual : 1;
  }
  const std::size_t lanes = kUsual * levels.size();
  const std::size_t numbers = lanes > kManagementLane ? lanes + 1 : lanes;
  return numbers <= (q.lanes.given ? q.lanes.value : 32) ? kUsual : 1;
}

void PacketResolver::link() {
  const RawLink& r = raw_.link.value;
  out_.link.where = raw_.link.where;
  out_.link.delay_where = r.delay.where;
  out_.link.credit_delay_where = r.credit_delay.where;
  if (!r.rate.valid || !r.flit.valid) return;
  out_.link.rate = r.rate.value;
  out_.link.flit = r.flit.value;
  const auto period = transfer_time(r.flit.value, r.rate.value);
  if (!period) {
    diagnostics_.error(r.rate.where, fmt::format("link: a flit of {} at {} does not take whole picoseconds",
                                                 to_string(r.flit.value), to_string(r.rate.value)));
    return;
  }
  out_.link.period = *period;
  out_.link.delay = r.delay.value.cycles(out_.link.period);
  out_.link.credit_delay = r.credit_delay.value.cycles(out_.link.period);
}

void PacketResolver::packet_switch() {
  const RawPacketSwitch& r = raw_.packet_switch.value;
  PacketSwitchConfig& s = out_.packet_switch;
  s.where = raw_.packet_switch.where;
  s.architecture = &architecture();
  const RawStages& stages = r.stages.value;
  s.input = cycles(stages.input);
  s.routing = cycles(stages.routing);
  s.allocation = cycles(stages.allocation);
  s.crossbar = cycles(stages.crossbar);
  s.output = cycles(stages.output);
  s.crossbar_rate = r.crossbar_rate.value;
  s.iterations = r.allocation.value.iterations.value;
  s.lane_pointer = r.allocation.value.lane_pointer.value;
  out_.trunk = raw_.routing.value.trunk.value;
  s.input_buffer = whole_flits(r.input_buffer.value);
  s.output_buffer = whole_flits(r.output_buffer.value);
  s.input_buffer_where = r.input_buffer.where;
  s.output_buffer_where = r.output_buffer.where;
  s.crossbar_rate_where = r.crossbar_rate.where;
  s.iterations_where = r.allocation.value.iterations.where;
  s.output_where = stages.output.where;
  const RawNic& n = raw_.nic.value;
  out_.nic = {raw_.nic.where, whole_flits(n.buffer.value), whole_flits(n.input_buffer.value), n.buffer.where,
              n.input_buffer.where};
  if (s.architecture->resolve != nullptr) {
    s.own = s.architecture->resolve(r.own_of(*s.architecture), out_.link.units(), diagnostics_);
  }
  if (!raw_.packet_switch.valid || !r.architecture.valid) return;
  const bool common = !s.architecture->flit_by_flit;
  if (!common) s.output = 0;  // its NICs have no output stage
  const std::string with = fmt::format(" has no effect with architecture '{}'", s.architecture->name);
  for (const SwitchArchitecture* a : switch_architectures()) {
    warn_unused(r.own_of(*a), a == s.architecture, fmt::format("switch.{}{}", a->section, with), diagnostics_);
  }
  warn_unused(r.stages, common,
              fmt::format("switch.stages{}, which has switch.{}.stages", with, s.architecture->section), diagnostics_);
  warn_unused(r.crossbar_rate, common, "switch.crossbar_rate" + with, diagnostics_);
  warn_unused(r.allocation, common, "switch.allocation" + with, diagnostics_);
  warn_unused(raw_.routing.value.trunk, common, "routing.trunk" + with, diagnostics_);
  warn_unused(r.input_buffer, common, "switch.input_buffer" + with, diagnostics_);
  warn_unused(r.output_buffer, common, "switch.output_buffer" + with, diagnostics_);
  warn_unused(r.egress, common, "switch.egress" + with, diagnostics_);
  egress_ports(common);
  warn_unused(raw_.nic, common, "nic" + with, diagnostics_);
  warn_unused(raw_.routing.value.deadlock_check, common,
              "routing.deadlock_check" + with + ", for which the check is always made", diagnostics_);
  const RawQos& q = raw_.qos.value;
  warn_unused(q.scheduler, common, "qos.scheduler" + with, diagnostics_);
  warn_unused(q.dtable, common, "qos.dtable" + with, diagnostics_);
  warn_unused(q.ib_arbiter, common, "qos.ib_arbiter" + with, diagnostics_);
  warn_unused(q.drr, common, "qos.drr" + with, diagnostics_);
  warn_unused(q.lane_space, common, "qos.lane_space" + with, diagnostics_);
  warn_unused(q.lane_maps, common, "qos.lane_maps" + with, diagnostics_);
}

PacketConfig resolve_packet(const RawPacketFabric& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  return PacketResolver(raw, document, diagnostics).resolve();
}

}  // namespace weft
