#include "run/packet/iq/iq_waves.h"

#include "observe/gtkw.h"
#include "run/packet/packet_waves.h"
#include "run/waves/rank_wave_file.h"

namespace weft {

IqWaves::IqWaves(const std::string& path, const PacketPlatform& platform, const Part& part, IqNetwork& network,
                 const IqRouters& routers)
    : path_(path),
      platform_(platform),
      part_(part),
      network_(network),
      parameters_(network.parameters()),
      period_(platform.config().link.period),
      window_(platform.config().waves.times.from, platform.config().waves.times.until, period_),
      file_(make_wave_file(path, part)),
      view_(*file_, platform.config(), platform.graph(), network.name(), chosen_wave_places(platform, part),
            parameters_.vcs),
      rtl_(shown_rtl(routers)) {
  for (const auto& [sw, router] : rtl_) router->block().trace(*file_);
  file_->open();
  network.add_observer(view_);
  if (!part.whole()) {
    network.watch_cut([this](LinkId link, const IqTransfer& flit) { leaving_[link].push_back({flit.at, flit.vc}); });
  }
  hook_ = network.domain().add_cycle_hook([this](Cycle cycle) { on_cycle(cycle); });
}

std::map<SwitchId, IqRtlModule*> IqWaves::shown_rtl(const IqRouters& routers) const {
  std::map<SwitchId, IqRtlModule*> out;
  for (const WavePlace& p : view_.places()) {
    const auto at = p.sw == kNoId ? routers.made().end() : routers.made().find(p.sw);
    if (at != routers.made().end()) out.insert(*at);
  }
  return out;
}

// A flit on a link is with the router behind it already, which knows when it arrives; a NIC gives every flit back as it
// takes it, so there the credit tells.
std::optional<std::uint32_t> IqWaves::flit_on_link(const WavePlace& place, Cycle cycle) {
  const Graph& graph = platform_.graph();
  const std::vector<Cycle>& adapters = platform_.adapters();
  const LinkId link = place.sw == kNoId ? graph.injection_link(place.nic) : graph.out_link(place.sw, place.port);
  const Cycle adapter = adapters.empty() ? 0 : adapters[link];
  const Cycle there = cycle + parameters_.link + adapter;
  if (place.sw == kNoId) {
    const PortRef to = graph.attachment(place.nic);
    return network_.router(to.sw).flit_coming(to.port, there);
  }
  const PortRef to = graph.peer(place.sw, place.port);
  if (to.sw != kNoId && !part_.has_switch(to.sw)) {
    std::deque<Leaving>& flits = leaving_[link];
    if (flits.empty() || flits.front().at != there) return std::nullopt;
    const VirtualLane vc = flits.front().vc;
    flits.pop_front();
    return vc;
  }
  if (to.sw != kNoId) return network_.router(to.sw).flit_coming(to.port, there);
  return network_.router(place.sw).credit_coming(place.port, there + parameters_.credit + adapter);
}

void IqWaves::on_cycle(Cycle cycle) {
  last_ = cycle;
  for (const auto& [sw, router] : rtl_) router->block().show_cycle();
  const bool shown = window_.shows(cycle);
  IqWaveView::State state;
  for (std::size_t i = 0; i < view_.places().size(); ++i) {
    const WavePlace& p = view_.places()[i];
    if (!p.here) continue;
    view_.show_link(i, flit_on_link(p, cycle));
    if (!shown) continue;
    state = {};
    for (std::uint32_t v = 0; v < parameters_.vcs; ++v) {
      if (p.sw == kNoId) {
        state.credits.push_back(network_.nic(p.nic).credits_here(v));
        continue;
      }
      const IqRouterModule& router = network_.router(p.sw);
      state.credits.push_back(router.credits(p.port, v));
      state.queued.push_back(router.queued(p.port, v));
      state.owners.push_back(router.owner(p.port, v));
    }
    if (p.sw == kNoId) state.queued.push_back(network_.nic(p.nic).backlog());
    view_.show_state(i, state);
  }
  const auto time = static_cast<std::uint64_t>(cycle * period_.ps);
  if (shown) file_->dump(time);
  if (rtl_.empty()) return;
  for (const auto& [sw, router] : rtl_) router->block().show_half();
  if (shown) file_->dump(time + static_cast<std::uint64_t>(period_.ps / 2));
}

std::vector<std::string> IqWaves::close(Cycle last_cycle) {
  network_.domain().remove_cycle_hook(hook_);
  if (!rtl_.empty() && last_ < last_cycle) on_cycle(last_cycle);  // in which a pair has differed
  const auto end = static_cast<std::uint64_t>((last_cycle + 1) * period_.ps);
  if (last_ <= last_cycle && window_.shows_end(last_cycle)) file_->dump(end);
  file_->close(end);
  view_.set_first_activity(first_of_all(part_, view_.first_activity()));
  if (!writes_results(part_)) return {};
  std::map<SwitchId, IqWaveView::Rtl> rtl;
  for (const auto& [sw, router] : rtl_) {
    const IqRouterBlock& block = platform_.blocks().iq_router.of(platform_.router_implementation(sw));
    rtl[sw] = {block.module, router->size().ports};
  }
  return write_gtkw(path_, [&](const std::string& file) { return view_.gtkw(file, rtl); });
}

}  // namespace weft
