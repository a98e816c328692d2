#include "report/packet_wave_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/gtkw.h"

namespace weft {
namespace {

constexpr std::uint32_t kLaneBits = 5;
constexpr std::uint32_t kFlitBits = 20;
constexpr std::uint32_t kSpaceBits = 24;
constexpr std::uint32_t kEntryBits = 12;
constexpr std::uint32_t kWeightBits = 32;

}  // namespace

PacketWaveView::PacketWaveView(WaveFile& file, const QosConfig& config, const Graph& graph, std::string root,
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

std::vector<std::string> PacketWaveView::scopes(const WavePlace& place) const {
  if (place.sw == kNoId) return {root_, fmt::format("nic[{}]", place.nic)};
  return {root_, fmt::format("sw[{}]", place.sw), fmt::format("out[{}]", place.port)};
}

// A text goes into the scope of the signal declared before it.
void PacketWaveView::declare(const WavePlace& place) {
  const std::vector<std::string> own = scopes(place);
  Signals s;
  s.valid = file_.add_bits(own, "valid", 1);
  s.ends = file_.add_text("message");
  s.level = file_.add_text("level");
  s.lane = file_.add_bits(own, "vl", kLaneBits);
  s.flit = file_.add_bits(own, "flit", kFlitBits);
  s.queued = file_.add_bits(own, "queued", kSpaceBits);
  for (std::uint32_t v = 0; v < config_.lanes; ++v) {
    s.credits.push_back(file_.add_bits(own, fmt::format("credits_vl{}", v), kSpaceBits));
  }
  if (place.table) {
    std::vector<std::string> inner = own;
    inner.emplace_back("dtable");
    s.selected = file_.add_bits(inner, "selected", 1);
    s.selected_level = file_.add_text("selected_level");
    s.entry = file_.add_bits(inner, "entry", kEntryBits);
    s.weight = file_.add_bits(inner, "accumulated_weight", kWeightBits);
    for (std::size_t l = 0; l < config_.levels.size(); ++l) {
      s.deficits.push_back(file_.add_bits(inner, fmt::format("deficit_sl{}", l), kWeightBits));
    }
  }
  signals_.push_back(std::move(s));
}

void PacketWaveView::note(std::size_t place, const PacketMessage& m, Cycle first) {
  if (place == kUnwatched) return;
  if (first_activity_ < 0) first_activity_ = first;
  signals_[place].coming.push_back(
      {first, first + static_cast<Cycle>(m.flits) - 1, fmt::format("{}>{}", m.source, m.destination), m.lane, m.level});
}

void PacketWaveView::on_inject(const PacketMessage& m) { note(index_[graph_.injection_link(m.source)], m, m.sent); }

void PacketWaveView::on_hop(SwitchId sw, PortId out, const PacketMessage& m, Cycle first) {
  note(index_[graph_.out_link(sw, out)], m, first);
}

void PacketWaveView::show_link(std::size_t place, Cycle cycle) {
  Signals& s = signals_[place];
  while (!s.coming.empty() && s.coming.front().last < cycle) s.coming.pop_front();
  const bool valid = !s.coming.empty() && s.coming.front().first <= cycle;
  file_.set(s.valid, valid ? 1 : 0);
  if (!valid) {
    file_.set_text(s.ends, "");
    file_.set_text(s.level, "");
    return;
  }
  const OnLink& m = s.coming.front();
  file_.set_text(s.ends, m.ends);
  file_.set_text(s.level, config_.levels[m.level].name);
  file_.set(s.lane, m.lane);
  file_.set(s.flit, static_cast<std::uint64_t>(cycle - m.first) % (1U << kFlitBits));
}

void PacketWaveView::show_state(std::size_t place, std::int64_t queued, const std::vector<std::int64_t>& credits,
                                const DeficitTable* table) {
  const std::int64_t kMost = (std::int64_t{1} << kSpaceBits) - 1;
  Signals& s = signals_[place];
  const auto shown = [kMost](std::int64_t n) {
    return static_cast<std::uint64_t>(std::clamp<std::int64_t>(n, 0, kMost));
  };
  file_.set(s.queued, shown(queued));
  for (std::size_t v = 0; v < s.credits.size(); ++v) file_.set(s.credits[v], shown(credits[v]));
  if (table == nullptr || s.deficits.empty()) return;
  constexpr std::uint64_t kLargest = (std::uint64_t{1} << kWeightBits) - 1;
  file_.set(s.selected, table->selected() ? 1 : 0);
  file_.set_text(s.selected_level, table->selected() ? config_.levels[table->selected_sl()].name : std::string());
  file_.set(s.entry, table->entry());
  file_.set(s.weight, std::min(kLargest, table->accumulated_weight()));
  for (std::size_t l = 0; l < s.deficits.size(); ++l) {
    file_.set(s.deficits[l], std::min(kLargest, table->deficit(static_cast<ServiceLevel>(l))));
  }
}

std::string PacketWaveView::group(std::size_t place, const RtlTable& rtl) const {
  const WavePlace& p = places_[place];
  std::string path;
  for (const std::string& scope : scopes(p)) path += (path.empty() ? "" : ".") + scope;
  const auto bits = [&](const std::string& name, std::uint32_t width) {
    return fmt::format("{}.{}[{}:0]", path, name, width - 1);
  };
  std::string out = gtkw_begin_group(path);
  out += gtkw_row(kGtkwText, "message", path + ".message");
  out += gtkw_row(kGtkwText, "level", path + ".level");
  out += gtkw_row(kGtkwDecimal, "VL", bits("vl", kLaneBits));
  out += gtkw_row(kGtkwDecimal, "flit", bits("flit", kFlitBits));
  out += gtkw_row(kGtkwDecimal, "flits in buffer", bits("queued", kSpaceBits));
  std::vector<bool> used(config_.lanes);
  for (const LevelConfig& l : config_.levels) {
    for (const std::uint32_t v : l.lanes) used[v] = true;
  }
  for (std::uint32_t v = 0; v < config_.lanes; ++v) {
    if (used[v])
      out += gtkw_row(kGtkwDecimal, fmt::format("credits VL {}", v), bits(fmt::format("credits_vl{}", v), kSpaceBits));
  }
  if (p.table) {
    out += gtkw_row(kGtkwText, "selected level", path + ".dtable.selected_level");
    out += gtkw_row(kGtkwDecimal, "entry", bits("dtable.entry", kEntryBits));
    out += gtkw_row(kGtkwDecimal, "accumulated weight", bits("dtable.accumulated_weight", kWeightBits));
    for (std::size_t l = 0; l < config_.levels.size(); ++l) {
      out += gtkw_row(kGtkwDecimal, "deficit " + config_.levels[l].name,
                      bits(fmt::format("dtable.deficit_sl{}", l), kWeightBits));
    }
  }
  if (p.rtl) {
    const std::string pins = "dtable_rtl.dtable.";
    out += gtkw_row(kGtkwBit, "rtl clk_i", path + "." + pins + "clk_i");
    out += gtkw_row(kGtkwBit, "rtl decide_i", path + "." + pins + "decide_i");
    out += gtkw_row(kGtkwHex, "rtl active_i", bits(pins + "active_i", rtl.levels));
    out += gtkw_row(kGtkwHex, "rtl still_active_i", bits(pins + "still_active_i", rtl.levels));
    out += gtkw_row(kGtkwDecimal, "rtl entry_q", bits(pins + "entry_q", rtl.entry_bits));
    out += gtkw_row(kGtkwDecimal, "rtl accumulated_q", bits(pins + "accumulated_q", rtl.count_bits));
  }
  return out + gtkw_end_group(path);
}

std::string PacketWaveView::gtkw(const std::string& fst, const RtlTable& rtl) const {
  constexpr std::size_t kMost = 24;
  std::string out = gtkw_header(fst, config_.link.period, first_activity_);
  for (std::size_t i = 0; i < std::min(kMost, places_.size()); ++i) out += group(i, rtl);
  return out + gtkw_footer();
}

}  // namespace weft
