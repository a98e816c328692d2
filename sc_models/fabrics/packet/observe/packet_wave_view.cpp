#include "fabrics/packet/observe/packet_wave_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace weft {
namespace {

constexpr std::uint32_t kSpaceBits = 24;
constexpr std::uint32_t kEntryBits = 12;
constexpr std::uint32_t kWeightBits = 32;

std::uint64_t shown(std::int64_t n) {
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(n, 0, (std::int64_t{1} << kSpaceBits) - 1));
}

}  // namespace

PacketWaveView::PacketWaveView(WaveFile& file, const PacketConfig& config, const Graph& graph, std::string root,
                               std::vector<WavePlace> places)
    : LinkWaveView(file, config, graph, std::move(root), std::move(places), {"sw", "out", "message", "vl", "VL"}) {
  for (const WavePlace& p : this->places()) declare(p);
}

// A text goes into the scope of the signal declared before it.
void PacketWaveView::declare(const WavePlace& place) {
  declare_link(place);
  const std::vector<std::string> own = scopes(place);
  Signals s;
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

void PacketWaveView::note(std::size_t place, OnLink message) { signals_[place].coming.push_back(std::move(message)); }

void PacketWaveView::show_link(std::size_t place, Cycle cycle) {
  std::deque<OnLink>& coming = signals_[place].coming;
  // An idle link keeps the lane and the number of the last flit, also of a message that has passed unseen.
  std::optional<OnLink> gone;
  while (!coming.empty() && coming.front().first + static_cast<Cycle>(coming.front().flits) <= cycle) {
    gone = std::move(coming.front());
    coming.pop_front();
  }
  const bool valid = !coming.empty() && coming.front().first <= cycle;
  if (gone && !valid) show_number(place, *gone, gone->flits - 1);
  show_flit(place, valid ? &coming.front() : nullptr,
            valid ? static_cast<std::uint64_t>(cycle - coming.front().first) : 0);
}

void PacketWaveView::show_state(std::size_t place, std::int64_t queued, const std::vector<std::int64_t>& credits) {
  const Signals& s = signals_[place];
  file_.set(s.queued, shown(queued));
  for (std::size_t v = 0; v < s.credits.size(); ++v) file_.set(s.credits[v], shown(credits[v]));
}

void PacketWaveView::show_table(std::size_t place, const DeficitTable* table) {
  const Signals& s = signals_[place];
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

void PacketWaveView::add_rows(const WavePlace& place, const std::function<RtlPins(const WavePlace&)>& rtl_of,
                              Rows& rows) const {
  rows.number("flits in buffer", "queued", kSpaceBits);
  std::vector<bool> used(config_.lanes);
  for (const LevelConfig& l : config_.levels) {
    for (const std::uint32_t v : l.lanes) used[v] = true;
  }
  for (std::uint32_t v = 0; v < config_.lanes; ++v) {
    if (used[v]) rows.number(fmt::format("credits VL {}", v), fmt::format("credits_vl{}", v), kSpaceBits);
  }
  if (place.table) {
    rows.text("selected level", "dtable.selected_level");
    rows.number("entry", "dtable.entry", kEntryBits);
    rows.number("accumulated weight", "dtable.accumulated_weight", kWeightBits);
    for (std::size_t l = 0; l < config_.levels.size(); ++l) {
      rows.number("deficit " + config_.levels[l].name, fmt::format("dtable.deficit_sl{}", l), kWeightBits);
    }
  }
  if (place.rtl) {
    const RtlPins rtl = rtl_of(place);
    const std::string scope = rtl.kind + "_rtl." + rtl.module + ".";
    for (const RtlPins::Pin& pin : rtl.pins) {
      if (pin.set) {
        rows.hex("rtl " + pin.name, scope + pin.name, pin.bits);
      } else if (pin.bits == 1) {
        rows.bit("rtl " + pin.name, scope + pin.name);
      } else {
        rows.number("rtl " + pin.name, scope + pin.name, pin.bits);
      }
    }
  }
}

std::string PacketWaveView::gtkw(const std::string& fst, const std::function<RtlPins(const WavePlace&)>& rtl) const {
  return save_file(fst, [&](const WavePlace& place, Rows& rows) { add_rows(place, rtl, rows); });
}

}  // namespace weft
