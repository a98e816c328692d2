#include "run/packet/packet_waves.h"

#include <bit>

namespace weft {

namespace {

PacketWaveView::RtlPins egress_pins(const PacketPlatform& platform, const BlockChoice& choice) {
  const EgressPortBlock& block = platform.blocks().egress_port.of(choice);
  const EgressPortRtlSize size = block.size(egress_scheduler(*platform.scheduler().type));
  const auto bits = [](std::uint32_t numbers) {
    return numbers > 1 ? static_cast<std::uint32_t>(std::bit_width(numbers - 1)) : 1U;
  };
  const std::uint32_t level = bits(size.scheduler.levels);
  const std::uint32_t lane = bits(size.lanes);
  return {"egress_port",
          block.module,
          {{"clk_i"},
           {"flits_i", bits(size.rate + 1)},
           {"vl_i", lane},
           {"grant_o"},
           {"grant_sl_o", level},
           {"grant_vl_o", lane},
           {"link_valid_o"},
           {"link_head_o"},
           {"link_vl_o", lane}}};
}

PacketWaveView::RtlPins rtl_pins(const PacketPlatform& platform, const WavePlace& place) {
  if (place.sw != kNoId) {
    const BlockChoice& egress = platform.egress_implementation(place.sw, place.port);
    if (!egress.is_model()) return egress_pins(platform, egress);
  }
  const BlockChoice& choice = platform.implementation({{}, place.sw, place.port, place.nic, nullptr});
  const PacketRtlBlocks::Scheduler own = platform.blocks().scheduler(*platform.scheduler().type);
  const SchedulerBlock& block = own.blocks->of(choice);
  const SchedulerRtlSize size = block.size(platform.scheduler());
  PacketWaveView::RtlPins out{std::string(own.kind->type->name),
                              block.module,
                              {{"clk_i"}, {"decide_i"}, {"active_i", size.levels, true}, {"grant_o"}}};
  if (choice.rtl.empty()) {
    for (const SchedulerRegister& r : own.kind->registers(size)) out.pins.push_back({r.name, r.bits});
  }
  return out;
}

}  // namespace

// The platform has checked the ranges.
std::vector<WavePlace> chosen_wave_places(const PacketPlatform& platform, const Part& part) {
  const PacketConfig& config = platform.config();
  const Graph& graph = platform.graph();
  const auto chosen = [&](bool nic, std::uint32_t number, PortId port) {
    for (const PortRange& r : config.waves.places) {
      if (r.nic == nic && number >= r.first && number <= r.last && (!r.port || *r.port == port)) return true;
    }
    return config.waves.places.empty();
  };
  std::vector<WavePlace> out;
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (PortId p = 0; p < graph.ports(s); ++p) {
      if (!graph.is_free({s, p}) && chosen(false, s, p)) out.push_back({s, p, kNoId, false, false, part.has_switch(s)});
    }
  }
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    if (chosen(true, n, 0)) out.push_back({kNoId, 0, n, false, false, part.has_node(graph, n)});
  }
  return out;
}

std::vector<WavePlace> PacketWaves::places() const {
  std::vector<WavePlace> out = chosen_wave_places(platform_, part_);
  for (WavePlace& p : out) {
    if (!p.here) {
      p.table = schedulers_.has_tables();
      continue;
    }
    p.table = schedulers_.model(p.sw, p.port, p.nic) != nullptr;
    p.rtl = schedulers_.block(p.sw, p.port, p.nic) != nullptr;
  }
  return out;
}

PacketWaves::PacketWaves(const std::string& path, const PacketPlatform& platform, const Part& part,
                         PacketNetwork& network, PacketSchedulers& schedulers)
    : CycleWaves(path, part, network.domain(), platform.config().waves.times),
      platform_(platform),
      part_(part),
      network_(network),
      schedulers_(schedulers),
      view_(file(), platform.config(), platform.graph(), network.name(), places()) {
  for (const WavePlace& p : view_.places()) {
    if (!p.here) continue;
    if (RtlBlock* block = schedulers.block(p.sw, p.port, p.nic)) block->trace(file());
    has_rtl_ = has_rtl_ || p.rtl;
    if (p.table || p.rtl) egress(p).decide_when_idle();
  }
  open();
  network.add_observer(view_);
}

EgressPort& PacketWaves::egress(const WavePlace& place) {
  return place.sw == kNoId ? network_.nic(place.nic).egress() : *network_.sw(place.sw).egress(place.port);
}

// Copies of the buffers are moved on to this cycle, so that looking at a network does not change it.
void PacketWaves::show(Cycle cycle, bool written) {
  std::vector<std::int64_t> credits(platform_.config().lanes);
  for (std::size_t i = 0; i < view_.places().size(); ++i) {
    const WavePlace& p = view_.places()[i];
    if (!p.here) continue;
    if (RtlBlock* block = schedulers_.block(p.sw, p.port, p.nic)) block->show_cycle();
    view_.show_link(i, cycle);
    if (!written) continue;
    const EgressPort& port = egress(p);
    SharedBuffer space = port.space();
    SharedBuffer next = port.credits();
    space.advance(cycle);
    next.advance(cycle);
    for (VirtualLane v = 0; v < credits.size(); ++v) credits[v] = next.room(v);
    view_.show_state(i, space.used(), credits);
  }
}

void PacketWaves::end() {
  for (const WavePlace& p : view_.places()) {
    if (!p.here) continue;
    if (RtlBlock* block = schedulers_.block(p.sw, p.port, p.nic)) block->end_trace();
  }
}

bool PacketWaves::show_half() {
  for (const WavePlace& p : view_.places()) {
    if (!p.here) continue;
    if (RtlBlock* block = schedulers_.block(p.sw, p.port, p.nic)) block->show_half();
  }
  return true;
}

// As the registers of the RTL: what the cycle has made of the table holds from the next one on.
void PacketWaves::show_registers() {
  for (std::size_t i = 0; i < view_.places().size(); ++i) {
    const WavePlace& p = view_.places()[i];
    if (!p.here) continue;
    view_.show_table(i, schedulers_.model(p.sw, p.port, p.nic));
  }
}

std::string PacketWaves::view(const std::string& fst, Cycle first) {
  view_.set_first_activity(first);
  return view_.gtkw(fst, [&](const WavePlace& place) { return rtl_pins(platform_, place); });
}

}  // namespace weft
