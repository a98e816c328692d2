#include "report/iq_wave_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/gtkw.h"

namespace weft {
namespace {

constexpr std::uint32_t kVcBits = 5;
constexpr std::uint32_t kFlitBits = 20;
constexpr std::uint32_t kCountBits = 24;

std::uint64_t shown(std::uint64_t n, std::uint32_t bits) { return std::min(n, (std::uint64_t{1} << bits) - 1); }

}  // namespace

IqWaveView::IqWaveView(WaveFile& file, const QosConfig& config, const Graph& graph, std::string root,
                       std::vector<WavePlace> places)
    : file_(file),
      config_(config),
      graph_(graph),
      root_(std::move(root)),
      places_(std::move(places)),
      index_(graph.link_count(), kUnwatched) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const WavePlace& p = places_[i];
    index_[p.sw == kNoId ? graph.injection_link(p.nic) : graph.out_link(p.sw, p.port)] = i;
    declare(p);
  }
}

std::vector<std::string> IqWaveView::scopes(const WavePlace& place) const {
  if (place.sw == kNoId) return {root_, fmt::format("nic[{}]", place.nic)};
  return {root_, fmt::format("router[{}]", place.sw), fmt::format("port[{}]", place.port)};
}

// A text goes into the scope of the signal declared before it.
void IqWaveView::declare(const WavePlace& place) {
  const std::vector<std::string> own = scopes(place);
  Signals s;
  s.valid = file_.add_bits(own, "valid", 1);
  s.ends = file_.add_text("packet");
  s.level = file_.add_text("level");
  s.vc = file_.add_bits(own, "vc", kVcBits);
  s.flit = file_.add_bits(own, "flit", kFlitBits);
  s.packets.resize(config_.iq.vcs);
  for (std::uint32_t v = 0; v < config_.iq.vcs; ++v) {
    s.credits.push_back(file_.add_bits(own, fmt::format("credits_vc{}", v), kCountBits));
    if (place.sw == kNoId) continue;
    s.owners.push_back(file_.add_text(fmt::format("owner_vc{}", v)));
    s.queued.push_back(file_.add_bits(own, fmt::format("queued_vc{}", v), kCountBits));
  }
  if (place.sw == kNoId) s.queued.push_back(file_.add_bits(own, "waiting", kCountBits));
  signals_.push_back(std::move(s));
}

void IqWaveView::note(std::size_t place, const PacketMessage& m, Cycle first) {
  if (place == kUnwatched) return;
  if (first_activity_ < 0) first_activity_ = first;
  signals_[place].packets[m.lane].push_back({fmt::format("{}>{}", m.source, m.destination), m.level, m.flits, 0});
}

void IqWaveView::on_inject(const PacketMessage& m) { note(index_[graph_.injection_link(m.source)], m, m.sent); }

void IqWaveView::on_hop(SwitchId sw, PortId out, const PacketMessage& m, Cycle first) {
  note(index_[graph_.out_link(sw, out)], m, first);
}

void IqWaveView::show_link(std::size_t place, std::optional<std::uint32_t> vc) {
  Signals& s = signals_[place];
  file_.set(s.valid, vc ? 1 : 0);
  if (!vc) {
    file_.set_text(s.ends, "");
    file_.set_text(s.level, "");
    return;
  }
  OnLink& m = s.packets[*vc].front();
  file_.set_text(s.ends, m.ends);
  file_.set_text(s.level, config_.levels[m.level].name);
  file_.set(s.vc, *vc);
  file_.set(s.flit, m.next % (1U << kFlitBits));
  if (++m.next == m.flits) s.packets[*vc].pop_front();
}

void IqWaveView::show_state(std::size_t place, const State& state) {
  const Signals& s = signals_[place];
  for (std::size_t v = 0; v < s.credits.size(); ++v) file_.set(s.credits[v], shown(state.credits[v], kCountBits));
  for (std::size_t v = 0; v < s.queued.size(); ++v) file_.set(s.queued[v], shown(state.queued[v], kCountBits));
  for (std::size_t v = 0; v < s.owners.size(); ++v) {
    const auto& owner = state.owners[v];
    file_.set_text(s.owners[v], owner ? fmt::format("in{}.vc{}", owner->first, owner->second) : std::string());
  }
}

std::string IqWaveView::group(std::size_t place) const {
  const WavePlace& p = places_[place];
  std::string path;
  for (const std::string& scope : scopes(p)) path += (path.empty() ? "" : ".") + scope;
  const auto bits = [&](const std::string& name, std::uint32_t width) {
    return fmt::format("{}.{}[{}:0]", path, name, width - 1);
  };
  std::string out = gtkw_begin_group(path);
  out += gtkw_row(kGtkwText, "packet", path + ".packet");
  out += gtkw_row(kGtkwText, "level", path + ".level");
  out += gtkw_row(kGtkwDecimal, "VC", bits("vc", kVcBits));
  out += gtkw_row(kGtkwDecimal, "flit", bits("flit", kFlitBits));
  for (std::uint32_t v = 0; v < config_.iq.vcs; ++v) {
    out += gtkw_row(kGtkwDecimal, fmt::format("credits VC {}", v), bits(fmt::format("credits_vc{}", v), kCountBits));
    if (p.sw == kNoId) continue;
    out += gtkw_row(kGtkwText, fmt::format("owner VC {}", v), fmt::format("{}.owner_vc{}", path, v));
    out += gtkw_row(kGtkwDecimal, fmt::format("input VC {}", v), bits(fmt::format("queued_vc{}", v), kCountBits));
  }
  if (p.sw == kNoId) out += gtkw_row(kGtkwDecimal, "packets waiting", bits("waiting", kCountBits));
  return out + gtkw_end_group(path);
}

std::string IqWaveView::gtkw(const std::string& fst) const {
  constexpr std::size_t kMost = 24;
  std::string out = gtkw_header(fst, config_.link.period, first_activity_);
  for (std::size_t i = 0; i < std::min(kMost, places_.size()); ++i) out += group(i);
  return out + gtkw_footer();
}

}  // namespace weft
