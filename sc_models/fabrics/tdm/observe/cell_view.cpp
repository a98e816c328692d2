#include "fabrics/tdm/observe/cell_view.h"

#include <algorithm>
#include <tuple>

namespace weft {

CellView::CellView(std::uint32_t slots, std::vector<bool> watched_switches, Cycle from, Cycle until, Sink sink)
    : slots_(slots),
      watched_(std::move(watched_switches)),
      from_(from),
      until_(until),
      sink_(std::move(sink)),
      by_slot_(slots),
      unordered_(slots, false) {}

void CellView::on_hop(SwitchId sw, PortId out, const Train& train) {
  if (!watched_[sw] || train.start >= until_ || train.last(slots_) < from_) return;
  by_slot_[train.slot].push_back({sw, out, train});
  unordered_[train.slot] = true;
}

void CellView::on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) {
  for (Stream& s : by_slot_[cut.slot]) {
    if (s.sw == sw && s.out == out && s.train.message == cut.message && s.train.first_word == cut.first_word) {
      s.train.words = cut.words;
    }
  }
}

void CellView::on_cycle(Cycle cycle) {
  if (cycle < from_ || cycle >= until_) return;
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
