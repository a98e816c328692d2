#include "fabrics/tdm/model_data_path.h"

#include <algorithm>

namespace weft {

ModelDataPath::ModelDataPath(DataPathClient& client, PortId ports, std::uint32_t slots)
    : client_(client), ports_(ports), slots_(slots), active_(ports, slots), shadow_(ports, slots) {
  since_.assign(std::size_t{ports} * slots, 0);
  index_readers();
}

void ModelDataPath::preset(const SlotTable& table) {
  active_ = table;
  shadow_ = table;
  index_readers();
}

void ModelDataPath::load(Cycle, const SlotTable& table, Cycle) { shadow_ = table; }

void ModelDataPath::write_column(Cycle, const SlotTable& table, Slot slot) {
  for (PortId out = 0; out < ports_; ++out) shadow_.at(out, slot) = table.at(out, slot);
}

void ModelDataPath::swap(Cycle, Cycle boundary) { client_.wake(boundary, Phase::prepare, kSwapToken); }

// Registers are many and readers few: readers of register r are readers_[first_reader_[r] .. first_reader_[r+1]).
void ModelDataPath::index_readers() {
  const std::size_t registers = std::size_t{ports_} * slots_;
  first_reader_.assign(registers + 1, 0);
  readers_.clear();
  for (std::size_t e = 0; e < registers; ++e) {
    const SlotTableEntry& t = active_.at(static_cast<PortId>(e / slots_), static_cast<Slot>(e % slots_));
    if (!t.idle()) ++first_reader_[entry(t.in_port, t.in_slot) + 1];
  }
  for (std::size_t r = 0; r < registers; ++r) {
    first_reader_[r + 1] += first_reader_[r];
  }
  readers_.resize(first_reader_[registers]);
  std::vector<std::uint32_t> next(first_reader_.begin(), first_reader_.end() - 1);
  for (std::size_t e = 0; e < registers; ++e) {
    const Reader reader{static_cast<PortId>(e / slots_), static_cast<Slot>(e % slots_)};
    const SlotTableEntry& t = active_.at(reader.out, reader.slot);
    if (!t.idle()) readers_[next[entry(t.in_port, t.in_slot)]++] = reader;
  }
}

// What output slot (out, out_slot) sends of an incoming train since it names the train's register; false if nothing.
bool ModelDataPath::outgoing(const Train& in, PortId out, Slot out_slot, Outgoing& result) const {
  const Cycle frame = slots_;
  const Cycle since = since_[entry(out, out_slot)];
  Cycle start = next_slot_cycle(in.start, out_slot, slots_);
  Cycle skipped = 0;
  if (start < since) {
    skipped = (since - start + frame - 1) / frame;
    start += skipped * frame;
  }
  if (skipped >= Cycle{in.words}) return false;
  result.skipped = static_cast<std::uint32_t>(skipped);
  result.train = in;
  result.train.first_word += result.skipped * in.stride;
  result.train.words -= result.skipped;
  result.train.slot = out_slot;
  result.train.start = start;
  return true;
}

void ModelDataPath::plan(PortId in, const Train& train, Reader reader) {
  Outgoing out;
  if (!outgoing(train, reader.out, reader.slot, out)) return;
  std::uint32_t index = 0;
  if (free_departures_.empty()) {
    index = static_cast<std::uint32_t>(departures_.size());
    departures_.emplace_back();
  } else {
    index = free_departures_.back();
    free_departures_.pop_back();
  }
  departures_[index] = {out.train, reader.out, in, train.slot, train.first_word, train.start, true};
  client_.wake(out.train.start, Phase::transfer, index);
}

void ModelDataPath::forget_old(Cycle now) {
  std::erase_if(live_, [&](const Live& l) { return !alive(l, now); });
  live_limit_ = std::max<std::size_t>(16, 2 * live_.size());
}

void ModelDataPath::arrive(Cycle now, PortId in, const Train& train) {
  if (live_.size() >= live_limit_) forget_old(now);
  live_.push_back({in, train});
  const std::size_t r = entry(in, train.slot);
  for (std::size_t i = first_reader_[r]; i < first_reader_[r + 1]; ++i) plan(in, train, readers_[i]);
}

void ModelDataPath::arrive_cut(Cycle now, PortId in, const TrainCut& cut) {
  const auto it = std::find_if(live_.rbegin(), live_.rend(), [&](const Live& l) {
    return l.in == in && l.train.slot == cut.slot && l.train.message == cut.message &&
           l.train.first_word == cut.first_word;
  });
  if (it == live_.rend() || it->train.words <= cut.words) return;
  const Train before = it->train;
  it->train.words = cut.words;
  for (Departure& d : departures_) {
    if (!d.pending || d.in != in || d.in_slot != cut.slot || d.train.message != cut.message ||
        d.in_first_word != cut.first_word || d.in_start != before.start) {
      continue;
    }
    const std::uint32_t lost = before.words - cut.words;
    d.pending = d.train.words > lost;
    if (d.pending) d.train.words -= lost;
  }
  const std::size_t r = entry(in, cut.slot);
  for (std::size_t i = first_reader_[r]; i < first_reader_[r + 1]; ++i) {
    const Reader reader = readers_[i];
    Outgoing out;
    if (!outgoing(before, reader.out, reader.slot, out) || out.train.start > now) continue;
    const bool still_waiting = std::any_of(departures_.begin(), departures_.end(), [&](const Departure& d) {
      return d.pending && d.out == reader.out && d.train.slot == reader.slot && d.train.message == cut.message &&
             d.train.first_word == out.train.first_word && d.train.start == out.train.start;
    });
    if (still_waiting) continue;  // leaves later in this cycle, already shortened
    client_.depart_cut(reader.out,
                       {cut.message, out.train.first_word, reader.slot, cut.words - out.skipped, out.train.words});
  }
}

void ModelDataPath::due(Cycle now, std::uint32_t token) {
  if (token == kSwapToken) {
    do_swap(now);
    return;
  }
  const Departure d = departures_[token];
  departures_[token].pending = false;
  free_departures_.push_back(token);
  if (d.pending) client_.depart(d.out, d.train);
}

// The entry of an output slot is about to change: its old source is cut off at this boundary.
void ModelDataPath::retire(Cycle now, PortId out, Slot out_slot, std::vector<PendingCut>& cuts) {
  const SlotTableEntry old = active_.at(out, out_slot);
  if (old.idle()) return;
  for (Departure& d : departures_) {
    if (d.pending && d.out == out && d.train.slot == out_slot) d.pending = false;  // all of it lies after the boundary
  }
  for (const Live& l : live_) {
    if (l.in != old.in_port || l.train.slot != old.in_slot) continue;
    Outgoing o;
    if (!outgoing(l.train, out, out_slot, o) || o.train.start >= now) continue;
    const Cycle sent = (now - o.train.start + slots_ - 1) / slots_;
    if (sent < Cycle{o.train.words}) {
      cuts.push_back(
          {out, {o.train.message, o.train.first_word, out_slot, static_cast<std::uint32_t>(sent), o.train.words}});
    }
  }
}

// A cut that goes out may come back over a loop of circuits at once, so cuts are told last, when all else is in order.
void ModelDataPath::do_swap(Cycle now) {
  forget_old(now);
  std::vector<PendingCut> cuts;
  std::vector<Reader> changed;
  for (PortId out = 0; out < ports_; ++out) {
    for (std::uint32_t s = 0; s < slots_; ++s) {
      const auto slot = static_cast<Slot>(s);
      if (active_.at(out, slot) == shadow_.at(out, slot)) continue;
      retire(now, out, slot, cuts);
      changed.push_back({out, slot});
    }
  }
  std::swap(active_, shadow_);
  for (const Reader& reader : changed) since_[entry(reader.out, reader.slot)] = now;
  index_readers();
  for (const Reader& reader : changed) {
    const SlotTableEntry source = active_.at(reader.out, reader.slot);
    if (source.idle()) continue;
    for (const Live& l : live_) {
      if (l.in == source.in_port && l.train.slot == source.in_slot) plan(l.in, l.train, reader);
    }
  }
  for (const PendingCut& c : cuts) client_.depart_cut(c.out, c.cut);
}

}  // namespace weft
