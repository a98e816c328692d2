#include "fabrics/tdm/observe/cell_view.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace weft {

CellView::CellView(std::uint32_t slots, std::vector<bool> watched_switches, const CycleRange& shown, Sink sink,
                   Held held)
    : slots_(slots),
      watched_(std::move(watched_switches)),
      shown_(shown),
      sink_(std::move(sink)),
      held_(std::move(held)),
      last_(watched_.size()),
      by_slot_(slots),
      unordered_(slots, false) {}

void CellView::on_hop(SwitchId sw, PortId out, const Train& train) {
  constexpr std::size_t kFew = 16;
  if (!watched_[sw] || train.start >= shown_.until) return;
  std::vector<Stream>& streams = by_slot_[train.slot];
  // Before cycles are shown nobody else takes trains away that are over.
  if (train.start < shown_.from && streams.size() >= kFew && std::has_single_bit(streams.size())) {
    forget(streams, train.start);
  }
  streams.push_back({sw, out, train});
  unordered_[train.slot] = true;
}

void CellView::on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) {
  for (Stream& s : by_slot_[cut.slot]) {
    if (s.sw == sw && s.out == out && s.train.message == cut.message && s.train.first_word == cut.first_word) {
      s.train.words = cut.words;
    }
  }
}

void CellView::note(const Stream& stream, std::uint32_t words) {
  if (!held_ || words == 0) return;
  std::vector<Last>& outputs = last_[stream.sw];
  if (outputs.size() <= stream.out) outputs.resize(stream.out + 1U);
  const Cycle cycle = stream.train.start + Cycle{words - 1} * Cycle{slots_};
  if (cycle > outputs[stream.out].cycle) outputs[stream.out] = {cycle, stream.train, words};
}

void CellView::forget(std::vector<Stream>& streams, Cycle now) {
  std::erase_if(streams, [&](const Stream& s) {
    if (s.train.last(slots_) >= now) return false;
    note(s, s.train.words);
    return true;
  });
}

void CellView::begin(Cycle first) {
  if (std::exchange(begun_, true)) return;
  for (std::vector<Stream>& streams : by_slot_) {
    forget(streams, first);
    for (const Stream& s : streams) note(s, s.train.words_before(first, slots_));
  }
  if (!held_) return;
  cells_.clear();
  for (SwitchId sw = 0; sw < last_.size(); ++sw) {
    for (PortId out = 0; out < last_[sw].size(); ++out) {
      const Last& last = last_[sw][out];
      if (last.cycle < 0) continue;
      cells_.push_back({sw, out, &last.train, last.train.first_word + (last.words - 1) * last.train.stride});
    }
  }
  held_(cells_);
  last_.clear();
}

void CellView::on_cycle(Cycle cycle) {
  if (cycle < shown_.from || cycle >= shown_.until) return;
  begin(cycle);
  std::vector<Stream>& streams = by_slot_[static_cast<std::size_t>(cycle % slots_)];
  if (unordered_[static_cast<std::size_t>(cycle % slots_)]) {
    std::sort(streams.begin(), streams.end(), [](const Stream& a, const Stream& b) {
      return std::tuple(a.sw, a.out, a.train.start) < std::tuple(b.sw, b.out, b.train.start);
    });
    unordered_[static_cast<std::size_t>(cycle % slots_)] = false;
  }
  cells_.clear();
  bool ended = false;
  for (const Stream& s : streams) {
    const Cycle index = (cycle - s.train.start) / slots_;
    ended = ended || index + 1 >= Cycle{s.train.words};
    if (index >= Cycle{s.train.words}) continue;
    cells_.push_back({s.sw, s.out, &s.train, s.train.first_word + static_cast<std::uint32_t>(index) * s.train.stride});
  }
  sink_(cycle, cells_);
  if (ended) {
    std::erase_if(streams, [&](const Stream& s) { return s.train.last(slots_) <= cycle; });
  }
}

}  // namespace weft
