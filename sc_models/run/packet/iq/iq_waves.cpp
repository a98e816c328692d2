#include "run/packet/iq/iq_waves.h"

#include "run/packet/packet_waves.h"

namespace weft {

IqWaves::IqWaves(const std::string& path, const PacketPlatform& platform, const Part& part, IqNetwork& network,
                 const IqRouters& routers)
    : CycleWaves(path, part, network.domain(), platform.config().waves.times),
      platform_(platform),
      part_(part),
      network_(network),
      parameters_(network.parameters()),
      view_(file(), platform.config(), platform.graph(), network.name(), chosen_wave_places(platform, part),
            parameters_.vcs),
      rtl_(shown_rtl(routers)) {
  for (const auto& [sw, router] : rtl_) router->block().trace(file());
  open();
  network.add_observer(view_);
  if (!part.whole()) {
    network.watch_cut([this](LinkId link, const IqTransfer& flit) {
      if (!view_.over()) leaving_[link].push_back({flit.at, flit.vc});
    });
  }
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

void IqWaves::show(Cycle cycle, bool written) {
  for (const auto& [sw, router] : rtl_) router->block().show_cycle();
  if (view_.over()) return;
  IqWaveView::State state;
  for (std::size_t i = 0; i < view_.places().size(); ++i) {
    const WavePlace& p = view_.places()[i];
    if (!p.here) continue;
    if (!written) {
      if (!view_.expects_flits(i)) continue;
      if (const auto vc = flit_on_link(p, cycle)) view_.pass_link(i, *vc);
      continue;
    }
    view_.show_link(i, flit_on_link(p, cycle));
    state = {};
    for (std::uint32_t v = 0; v < parameters_.vcs; ++v) {
      if (p.sw == kNoId) {
        state.credits.push_back(network_.nic(p.nic).credits_here(v, cycle));
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
}

void IqWaves::end() {
  view_.end();
  for (const auto& [sw, router] : rtl_) router->block().end_trace();
}

bool IqWaves::show_half() {
  for (const auto& [sw, router] : rtl_) router->block().show_half();
  return !rtl_.empty();
}

std::string IqWaves::view(const std::string& fst, Cycle first) {
  view_.set_first_activity(first);
  std::map<SwitchId, IqWaveView::Rtl> rtl;
  for (const auto& [sw, router] : rtl_) {
    const IqRouterBlock& block = platform_.blocks().iq_router.of(platform_.router_implementation(sw));
    rtl[sw] = {block.module, router->size().ports};
  }
  return view_.gtkw(fst, rtl);
}

}  // namespace weft
