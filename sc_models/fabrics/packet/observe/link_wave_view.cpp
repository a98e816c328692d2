#include "fabrics/packet/observe/link_wave_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {
namespace {

constexpr std::size_t kUnwatched = ~std::size_t{0};
constexpr std::uint32_t kLaneBits = 5;
constexpr std::uint32_t kFlitBits = 32;

}  // namespace

LinkWaveView::LinkWaveView(WaveFile& file, const PacketConfig& config, const Graph& graph, std::string root,
                           std::vector<WavePlace> places, Names names)
    : file_(file),
      config_(config),
      graph_(graph),
      root_(std::move(root)),
      places_(std::move(places)),
      names_(names),
      index_(graph.link_count(), kUnwatched) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const WavePlace& p = places_[i];
    index_[p.sw == kNoId ? graph.injection_link(p.nic) : graph.out_link(p.sw, p.port)] = i;
  }
}

std::vector<std::string> LinkWaveView::scopes(const WavePlace& place) const {
  if (place.sw == kNoId) return {root_, fmt::format("nic[{}]", place.nic)};
  return {root_, fmt::format("{}[{}]", names_.sw, place.sw), fmt::format("{}[{}]", names_.port, place.port)};
}

// A text goes into the scope of the signal declared before it.
void LinkWaveView::declare_link(const WavePlace& place) {
  const std::vector<std::string> own = scopes(place);
  LinkSignals s;
  s.valid = file_.add_bits(own, "valid", 1);
  s.ends = file_.add_text(names_.packet);
  s.level = file_.add_text("level");
  s.lane = file_.add_bits(own, names_.lane, kLaneBits);
  s.flit = file_.add_bits(own, "flit", kFlitBits);
  links_.push_back(s);
}

void LinkWaveView::arrive(LinkId link, const PacketMessage& m, Cycle first) {
  const std::size_t place = index_[link];
  if (place == kUnwatched) return;
  if (first_activity_ < 0) first_activity_ = first;
  if (over_) return;
  note(place, {first, m.flits, 0, m.source, m.destination, m.level, m.lane});
}

void LinkWaveView::on_inject(const PacketMessage& m) { arrive(graph_.injection_link(m.source), m, m.sent()); }

void LinkWaveView::on_hop(SwitchId sw, PortId out, const PacketMessage& m, Cycle first) {
  arrive(graph_.out_link(sw, out), m, first);
}

void LinkWaveView::show_flit(std::size_t place, OnLink* packet, std::uint64_t flit) {
  const LinkSignals& s = links_[place];
  file_.set(s.valid, packet != nullptr ? 1 : 0);
  if (packet == nullptr) {
    file_.set_text(s.ends, "");
    file_.set_text(s.level, "");
    return;
  }
  if (packet->ends.empty()) packet->ends = fmt::format("{}>{}", packet->source, packet->destination);
  file_.set_text(s.ends, packet->ends);
  file_.set_text(s.level, config_.levels[packet->level].name);
  show_number(place, *packet, flit);
}

void LinkWaveView::show_number(std::size_t place, const OnLink& packet, std::uint64_t flit) {
  const LinkSignals& s = links_[place];
  file_.set(s.lane, packet.lane);
  file_.set(s.flit, static_cast<std::uint32_t>(flit));
}

std::string LinkWaveView::save_file(const std::string& fst,
                                    const std::function<void(const WavePlace&, Rows&)>& more) const {
  constexpr std::size_t kMost = 24;
  std::string out = gtkw_header(fst, config_.link.period, first_activity_);
  for (std::size_t i = 0; i < std::min(kMost, places_.size()); ++i) {
    std::string path;
    for (const std::string& scope : scopes(places_[i])) path += (path.empty() ? "" : ".") + scope;
    Rows rows(path);
    rows.text(names_.packet, names_.packet);
    rows.text("level", "level");
    rows.number(names_.lane_row, names_.lane, kLaneBits);
    rows.number("flit", "flit", kFlitBits);
    more(places_[i], rows);
    out += gtkw_begin_group(path) + rows.all() + gtkw_end_group(path);
  }
  return out + gtkw_footer();
}

}  // namespace weft
