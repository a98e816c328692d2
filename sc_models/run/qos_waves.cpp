#include "run/qos_waves.h"

#include <bit>
#include <filesystem>
#include <limits>

#include "base/files.h"

namespace weft {
namespace {

Cycle cycles(Duration d, Duration period) { return CycleSpan{false, d.ps}.cycles(period); }

// Every output and NIC that a range names, once, switches first. The platform has checked the ranges.
std::vector<WavePlace> chosen_places(const QosPlatform& platform, const QosSchedulers& schedulers) {
  const QosConfig& config = platform.config();
  const Graph& graph = platform.graph();
  const auto chosen = [&](bool nic, std::uint32_t number, PortId port) {
    for (const PortRange& r : config.waves.places) {
      if (r.nic == nic && number >= r.first && number <= r.last && (!r.port || *r.port == port)) return true;
    }
    return config.waves.places.empty();
  };
  std::vector<WavePlace> out;
  const auto add = [&](WavePlace p) {
    p.table = schedulers.model(p.sw, p.port, p.nic) != nullptr;
    p.rtl = schedulers.block(p.sw, p.port, p.nic) != nullptr;
    out.push_back(p);
  };
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (PortId p = 0; p < graph.ports(s); ++p) {
      if (!graph.is_free({s, p}) && chosen(false, s, p)) add({s, p, kNoId, false, false});
    }
  }
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    if (chosen(true, n, 0)) add({kNoId, 0, n, false, false});
  }
  return out;
}

}  // namespace

QosWaves::QosWaves(const std::string& path, const QosPlatform& platform, PacketNetwork& network,
                   QosSchedulers& schedulers)
    : path_(path),
      platform_(platform),
      network_(network),
      schedulers_(schedulers),
      period_(platform.config().link.period),
      from_(cycles(platform.config().waves.from, period_)),
      until_(platform.config().waves.until ? cycles(*platform.config().waves.until, period_)
                                           : std::numeric_limits<Cycle>::max()),
      file_(path),
      view_(file_, platform.config(), platform.graph(), network.name(), chosen_places(platform, schedulers)) {
  for (const WavePlace& p : view_.places()) {
    if (TracedBlock* block = schedulers.block(p.sw, p.port, p.nic)) block->trace(file_.file());
  }
  file_.open();
  network.add_observer(view_);
  network.domain().set_cycle_hook([this](Cycle cycle) { on_cycle(cycle); });
}

// Copies of the buffers are moved on to this cycle, so that looking at a network does not change it.
void QosWaves::on_cycle(Cycle cycle) {
  const bool shown = cycle >= from_ && cycle < until_;
  std::vector<std::int64_t> credits(platform_.config().lanes);
  for (std::size_t i = 0; i < view_.places().size(); ++i) {
    const WavePlace& p = view_.places()[i];
    if (TracedBlock* block = schedulers_.block(p.sw, p.port, p.nic)) block->clock_high();
    view_.show_link(i, cycle);
    if (!shown) continue;
    const EgressPort& port = p.sw == kNoId ? network_.nic(p.nic).egress() : *network_.sw(p.sw).egress(p.port);
    SharedBuffer space = port.space();
    SharedBuffer next = port.credits();
    space.advance(cycle);
    next.advance(cycle);
    for (VirtualLane v = 0; v < credits.size(); ++v) credits[v] = next.room(v);
    view_.show_state(i, space.used(), credits, schedulers_.model(p.sw, p.port, p.nic));
  }
  const auto time = static_cast<std::uint64_t>(cycle * period_.ps);
  if (shown) file_.dump(time);
  for (const WavePlace& p : view_.places()) {
    if (TracedBlock* block = schedulers_.block(p.sw, p.port, p.nic)) block->clock_low();
  }
  if (shown) file_.dump(time + static_cast<std::uint64_t>(period_.ps / 2));
}

std::vector<std::string> QosWaves::close(Cycle last_cycle) {
  network_.domain().set_cycle_hook({});
  if (last_cycle + 1 >= from_ && last_cycle < until_) {
    file_.dump(static_cast<std::uint64_t>((last_cycle + 1) * period_.ps));
  }
  file_.close();
  PacketWaveView::RtlTable rtl;
  const SchedulerConfig& s = platform_.scheduler();
  if (const auto size = compiled_dtable(s.table, s.counter_bits)) {
    rtl = {size->levels, static_cast<std::uint32_t>(std::bit_width(size->entries - 1U)), size->counter_bits};
  }
  const std::string view = std::filesystem::path(path_).replace_extension(".gtkw").string();
  write_file(view, view_.gtkw(std::filesystem::path(path_).filename().string(), rtl));
  return {path_, view};
}

}  // namespace weft
