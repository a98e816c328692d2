#include "fabrics/packet/observe/iq_wave_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace weft {
namespace {

constexpr std::uint32_t kCountBits = 24;

std::uint64_t shown(std::uint64_t n) { return std::min(n, (std::uint64_t{1} << kCountBits) - 1); }

}  // namespace

IqWaveView::IqWaveView(WaveFile& file, const PacketConfig& config, const Graph& graph, std::string root,
                       std::vector<WavePlace> places, std::uint32_t vcs)
    : LinkWaveView(file, config, graph, std::move(root), std::move(places), {"router", "port", "packet", "vc", "VC"}),
      vcs_(vcs) {
  for (const WavePlace& p : this->places()) declare(p);
}

void IqWaveView::declare(const WavePlace& place) {
  declare_link(place);
  const std::vector<std::string> own = scopes(place);
  Signals s;
  s.packets.resize(vcs_);
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    s.credits.push_back(file_.add_bits(own, fmt::format("credits_vc{}", v), kCountBits));
    if (place.sw == kNoId) continue;
    s.owners.push_back(file_.add_text(fmt::format("owner_vc{}", v)));
    s.queued.push_back(file_.add_bits(own, fmt::format("queued_vc{}", v), kCountBits));
  }
  if (place.sw == kNoId) s.queued.push_back(file_.add_bits(own, "waiting", kCountBits));
  signals_.push_back(std::move(s));
}

void IqWaveView::note(std::size_t place, OnLink packet) {
  ++signals_[place].coming;
  signals_[place].packets[packet.lane].push_back(std::move(packet));
}

void IqWaveView::count_flit(Signals& s, std::uint32_t vc) {
  OnLink& packet = s.packets[vc].front();
  if (++packet.next < packet.flits) return;
  s.packets[vc].pop_front();
  --s.coming;
}

void IqWaveView::show_link(std::size_t place, std::optional<std::uint32_t> vc) {
  Signals& s = signals_[place];
  if (vc) {
    OnLink& packet = s.packets[*vc].front();
    show_flit(place, &packet, packet.next);
    count_flit(s, *vc);
  } else {
    show_flit(place, nullptr, 0);
    if (s.passed) show_number(place, *s.passed, s.passed->next);
  }
  s.passed.reset();
}

void IqWaveView::pass_link(std::size_t place, std::uint32_t vc) {
  Signals& s = signals_[place];
  s.passed = s.packets[vc].front();
  count_flit(s, vc);
}

void IqWaveView::show_state(std::size_t place, const State& state) {
  const Signals& s = signals_[place];
  for (std::size_t v = 0; v < s.credits.size(); ++v) file_.set(s.credits[v], shown(state.credits[v]));
  for (std::size_t v = 0; v < s.queued.size(); ++v) file_.set(s.queued[v], shown(state.queued[v]));
  for (std::size_t v = 0; v < s.owners.size(); ++v) {
    const auto& owner = state.owners[v];
    file_.set_text(s.owners[v], owner ? fmt::format("in{}.vc{}", owner->first, owner->second) : std::string());
  }
}

void IqWaveView::add_rows(const WavePlace& place, Rows& rows) const {
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    rows.number(fmt::format("credits VC {}", v), fmt::format("credits_vc{}", v), kCountBits);
    if (place.sw == kNoId) continue;
    rows.text(fmt::format("owner VC {}", v), fmt::format("owner_vc{}", v));
    rows.number(fmt::format("input VC {}", v), fmt::format("queued_vc{}", v), kCountBits);
  }
  if (place.sw == kNoId) rows.number("packets waiting", "waiting", kCountBits);
}

void IqWaveView::add_pins(const WavePlace& place, const Rtl& rtl, Rows& rows) const {
  std::vector<std::string> path = scopes(place);
  path.back() = "iq_router_rtl." + rtl.module;  // beside its ports
  Rows pins(fmt::format("{}", fmt::join(path, ".")));
  pins.bit("rtl clk_i", "clk_i");
  for (const char* pin : {"flit_valid_i", "credit_valid_o", "flit_valid_o", "credit_valid_i"}) {
    pins.hex(fmt::format("rtl {}", pin), pin, rtl.ports);
  }
  rows.append(pins);
}

std::string IqWaveView::gtkw(const std::string& fst, const std::map<SwitchId, Rtl>& rtl) const {
  SwitchId before = kNoId;
  return save_file(fst, [&](const WavePlace& place, Rows& rows) {
    add_rows(place, rows);
    if (place.sw == kNoId || std::exchange(before, place.sw) == place.sw) return;
    if (const auto at = rtl.find(place.sw); at != rtl.end()) add_pins(place, at->second, rows);
  });
}

}  // namespace weft
