#include "run/tdm/frame_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/slots/circuit_hops.h"

namespace weft {
namespace {

constexpr std::size_t kMostEntries = 15'000;  // over all phases
constexpr std::size_t kMostSlots = 256;

// Wavelength and plane that the link of a port is, in a phase with several; short, since it stands at an axis.
std::string channel_name(const Graph& g, SwitchId sw, PortId port, const LinkChannels& channels) {
  const auto bundle = g.bundle(g.out_link(sw, port));
  if (channels.count() == 1 || bundle.empty()) return {};
  const auto at = std::find(bundle.begin(), bundle.end(), g.out_link(sw, port));
  const auto channel = static_cast<std::uint32_t>(at - bundle.begin());
  if (channel >= channels.count()) return {};
  return fmt::format(" w{} p{}", channels.wavelength(channel), channels.plane(channel));
}

std::string port_name(const Graph& g, SwitchId sw, PortId port, const LinkChannels& channels) {
  const std::string channel = channel_name(g, sw, port, channels);
  if (const NodeId n = g.node_at(sw, port); n != kNoId) return fmt::format("{}: node {}{}", port, n, channel);
  const PortRef peer = g.peer(sw, port);
  if (peer.sw == kNoId) return fmt::format("{}: free", port);
  const std::string direction = g.port_name(sw, port);
  return fmt::format("{}: {}{}sw[{}]{}", port, direction, direction.empty() ? "" : " ", peer.sw, channel);
}

FrameView frame_view(const TdmPlatform& platform, const PhasePlan& phase, std::size_t most) {
  const Graph& g = platform.graph();
  FrameView view;
  view.phase = phase.name;
  view.slots = platform.config().tdm_switch.slots;
  view.switches = g.switches();
  for (const Flow& f : phase.flows) view.flows.push_back(f.name);
  std::vector<std::size_t> used(g.switches());
  for_each_hop(g, phase.flows, phase.allocation, [&](const CircuitHop& hop) { ++used[hop.sw]; });
  SwitchId shown = 0;
  for (std::size_t sum = 0; shown < g.switches() && sum + used[shown] <= most; ++shown) sum += used[shown];
  for (SwitchId s = 0; s < shown; ++s) {
    view.ports.emplace_back();
    for (PortId p = 0; p < g.ports(s); ++p) view.ports.back().push_back(port_name(g, s, p, phase.channels));
  }
  for_each_hop(g, phase.flows, phase.allocation, [&](const CircuitHop& hop) {
    if (hop.sw >= shown) return;
    view.entries.push_back({hop.sw, hop.out_port, hop.out_slot, static_cast<std::uint32_t>(hop.flow)});
  });
  std::sort(view.entries.begin(), view.entries.end(), [](const auto& a, const auto& b) {
    return std::tie(a.sw, a.port, a.slot) < std::tie(b.sw, b.port, b.slot);
  });
  return view;
}

}  // namespace

void add_frame_views(const TdmPlatform& platform, ReportData& report) {
  const std::vector<PhasePlan>& phases = platform.phases();
  if (phases.empty() || platform.config().tdm_switch.slots > kMostSlots) return;
  for (const PhasePlan& p : phases) {
    if (p.allocation.flows.size() != p.flows.size()) continue;  // slots are reserved during the run
    page_of(report).frames.push_back(frame_view(platform, p, kMostEntries / phases.size()));
  }
}

}  // namespace weft
