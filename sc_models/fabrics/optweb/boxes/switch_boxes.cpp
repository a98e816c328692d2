// States of the boxes of a distributed switch, for records and waves: what each place does or waits for. Nothing here
// changes what the switch does.

#include <algorithm>
#include <limits>

#include "fabrics/optweb/distributed_switch.h"

namespace weft {
namespace {

constexpr BoxRecorder::Passed kNobody{};

}  // namespace

// As soon as the words of its transfer have begun to come; in a reduction those of all.
std::optional<DistributedSwitch::Opening> DistributedSwitch::opening(std::uint32_t p) const {
  const auto first = [&](std::uint32_t q) {  // nothing while its link is down
    const Arrival* const a = buffers->first(q);
    return a == nullptr || a->train.first >= optweb::kNever ? nullptr : a;
  };
  if (!plan_.reduction) {
    const Arrival* const a = first(p);
    if (a == nullptr) return {};
    return Opening{std::max(a->train.first, set_), a->train.first > set_ ? peer(p) : kNoId};
  }
  Opening out{set_, kNoId};
  for (const WriterStream& w : plan_.writers) {
    const Arrival* const a = first(port(w.receive.from));
    if (a == nullptr) return {};
    if (a->train.first > out.from) out = {a->train.first, w.receive.from};
  }
  return out;
}

void DistributedSwitch::record_paths(Cycle now) {
  boxes_.tell(OptwebBox::control_register, 0, State::setting, issued_, now, kNobody);
}

void DistributedSwitch::record_gate(Cycle open) {
  if (plan_.rendezvous) boxes_.tell(OptwebBox::gate, 0, State::gate, set_, open, {last_ready_, 0, 0});
}

// Words at their full pace, or what keeps them back.
DistributedSwitch::State DistributedSwitch::pace_state(const ReaderStream& r) const {
  if (!stream_pace(r).slower_than(path_pace(r))) return State::words;
  return dmac_.readers().host_has(r) ? State::host : State::memory;
}

// What the words have waited for one after the other: the memory, the gate or the paths, the lanes.
void DistributedSwitch::record_start(Cycle now) {
  pieces_.assign(plan_.readers.size(), {});
  const Cycle ready = std::min(std::max(stand(), issued_), now);
  const Cycle open = std::clamp(open_.value_or(now), ready, now);
  const NodeId last = plan_.rendezvous ? last_ready_ : kNoId;
  for (std::uint32_t i = 0; i < plan_.readers.size(); ++i) {
    const ReaderStream& r = plan_.readers[i];
    const auto waits = [&](OptwebBox box, std::uint32_t place, Cycle since) {
      const auto from = [&](Cycle at) { return std::max(at, since); };
      boxes_.tell(box, place, State::memory, since, from(ready), kNobody);
      boxes_.tell(box, place, plan_.rendezvous ? State::gate : State::paths, from(ready), from(open), {last, 0, 0});
      boxes_.tell(box, place, State::lane, from(open), from(now), kNobody);
    };
    waits(OptwebBox::readers, r.stream.reader, issued_);
    for (const NodeId n : r.stream.to) waits(OptwebBox::selectors, port(n), set_);
    pieces_[i] = {now, pace_state(r)};
  }
}

void DistributedSwitch::record_turn(std::uint32_t reader, Cycle now) {
  const State state = pace_state(plan_.readers[reader]);
  Piece& piece = pieces_[reader];
  if (state == piece.state) return;
  boxes_.tell(OptwebBox::readers, plan_.readers[reader].stream.reader, piece.state, piece.since, now, kNobody);
  piece = {now, state};
}

void DistributedSwitch::record_read(std::uint32_t reader, Cycle now) {
  const ReaderStream& r = plan_.readers[reader];
  const Piece& piece = pieces_[reader];
  boxes_.tell(OptwebBox::readers, r.stream.reader, piece.state, piece.since, now, {kNoId, r.words, 0});
  for (const NodeId n : r.stream.to) {
    const Cycle begun = links_.begun(port(n));
    const Cycle end = parameters_.fifo ? now : links_.end(port(n));
    boxes_.tell(OptwebBox::selectors, port(n), State::words, begun, end, {n, r.words, 0});
    if (modules_.sent.empty() || n != r.stream.to.front()) continue;
    boxes_.tell(OptwebBox::sent_boxes, r.stream.reader, State::words, begun, now, {kNoId, r.words, 0});
  }
}

void DistributedSwitch::record_arrival(std::uint32_t p, const Arrival& a, const Opening& opening, Cycle out) {
  if (local(p)) return;  // its words wait at the reader
  const Cycle begun = std::max(a.train.first, emptied_[p]);
  const Cycle set = std::max(begun, set_);
  const Cycle from = std::max(set, opening.from);
  boxes_.tell(OptwebBox::buffers, p, State::early, begun, set, {peer(p), 0, 0});
  boxes_.tell(OptwebBox::buffers, p, State::others, set, from, {opening.last, 0, 0});
  boxes_.tell(OptwebBox::buffers, p, State::words, from, out, {peer(p), a.train.words, most_[p]});
  most_[p] = 0;
  emptied_[p] = std::max(from, out);
}

void DistributedSwitch::record_written(const WriterStream& w, Cycle out, Cycle now) {
  const Opening open = *opening(port(w.receive.from));
  const auto input = [&](const WriterStream& x) {
    const std::uint32_t p = port(x.receive.from);
    const Arrival& a = *buffers->first(p);
    record_arrival(p, a, open, out);
    for (const OptwebBox box : {OptwebBox::crossbar, OptwebBox::received_boxes}) {
      if (box == OptwebBox::received_boxes && modules_.received.empty()) continue;
      boxes_.tell(box, p, State::data, set_, open.from, {open.last, 0, 0});
      boxes_.tell(box, p, State::words, open.from, now, {x.receive.from, a.train.words, 0});
    }
  };
  if (plan_.reduction) {
    for (const WriterStream& x : plan_.writers) input(x);
    boxes_.tell(OptwebBox::reduction, 0, State::data, set_, open.from, {open.last, 0, 0});
    boxes_.tell(OptwebBox::reduction, 0, State::words, open.from, now, {kNoId, w.words, 0});
  } else {
    input(w);
  }
  boxes_.tell(OptwebBox::writers, w.receive.writer, State::data, set_, open.from, {open.last, 0, 0});
  boxes_.tell(OptwebBox::writers, w.receive.writer, State::words, open.from, out, {kNoId, w.words, 0});
}

void DistributedSwitch::record_done(Cycle now) {
  boxes_.tell(OptwebBox::control_register, 0, State::set, set_, now + 1, kNobody);
}

std::optional<OptwebBoxState> DistributedSwitch::control_state() const {
  if (cleared_ == clock_.now()) return State::set;
  if (!busy()) return {};
  return paths_set_ ? State::set : State::setting;
}

std::optional<OptwebBoxState> DistributedSwitch::readers_state() const {
  if (!busy() || plan_.readers.empty() || (paths_set_ && streams_open() == 0)) return {};
  if (paths_set_) {
    for (std::size_t i = 0; i < plan_.readers.size(); ++i) {
      if (stream_due_[i] >= 0) return pace_state(plan_.readers[i]);
    }
  }
  const Cycle now = clock_.now();
  if (now < stand()) return State::memory;
  if (open_ && now >= *open_) return State::lane;
  return plan_.rendezvous ? State::gate : State::paths;
}

std::optional<OptwebBoxState> DistributedSwitch::writers_state() const {
  if (!busy() || !paths_set_ || receipts_missing() == 0) return {};
  const Cycle now = clock_.now();
  for (const WriterStream& w : plan_.writers) {
    const std::uint32_t p = port(w.receive.from);
    if (!expected_[p].data) continue;
    const auto open = opening(p);
    if (open && now >= open->from && (drains_[p].due < 0 || now < drains_[p].out)) return State::words;
  }
  return State::data;
}

std::optional<OptwebBoxState> DistributedSwitch::reduction_state() const {
  if (!busy() || !paths_set_ || receipts_missing() == 0 || !plan_.reduction) return {};
  const auto open = opening(port(plan_.writers.front().receive.from));
  return open && clock_.now() >= open->from ? State::words : State::data;
}

std::uint32_t DistributedSwitch::reduction_streams() const {
  if (!reduction_state()) return 0;
  std::uint32_t out = 0;
  for (const WriterStream& w : plan_.writers) {
    const Arrival* const a = buffers->first(port(w.receive.from));
    if (a != nullptr && a->train.first <= clock_.now()) ++out;
  }
  return out;
}

std::vector<NodeId> DistributedSwitch::not_ready() const {
  std::vector<NodeId> out;
  if (!busy() || !paths_set_ || modules_.gate->missing() == 0) return out;
  for (const std::uint32_t p : ports_by_node()) {
    if (decisions_->awaited(p) == 2) out.push_back(peer(p));
  }
  return out;
}

std::optional<OptwebBoxState> DistributedSwitch::buffer_state(NodeId from) const {
  const std::uint32_t p = port(from);
  const Cycle now = clock_.now();
  const Arrival* const a = buffers->first(p);
  if (a == nullptr || now < a->train.first) return {};
  if (!busy() || !paths_set_ || !expected_[p].data) return State::early;
  const auto open = opening(p);
  if (!open || now < open->from) return State::others;
  const WriterStream& w = plan_.writers[expected_[p].writer];
  const Drain& d = drains_[port(plan_.reduction ? plan_.writers.front().receive.from : w.receive.from)];
  if (d.due >= 0 && now >= d.out) return {};  // on their way to the counter
  return State::words;
}

Cycle DistributedSwitch::next_state() const {
  const Cycle now = clock_.now();
  Cycle next = std::numeric_limits<Cycle>::max();
  const auto add = [&](Cycle at) {
    if (at > now && at < optweb::kNever) next = std::min(next, at);
  };
  for (std::uint32_t p = 0; p < links_.ports(); ++p) {
    if (const Arrival* const a = buffers->first(p)) add(a->train.first);
    if (drains_[p].due >= 0) add(drains_[p].out);
  }
  add(cleared_ + 1);
  if (!busy()) return next;
  add(stand());
  if (open_) add(*open_);
  for (const WriterStream& w : plan_.writers) {
    if (const auto open = opening(port(w.receive.from))) add(open->from);
  }
  return next;
}

// Whole words that are here less those that have gone on.
std::uint64_t DistributedSwitch::buffered_words(NodeId from) const {
  const std::uint32_t p = port(from);
  const optweb::WordUnits& units = parameters_.units;
  const Cycle now = clock_.now();
  const auto state = buffer_state(from);
  if (!state) return 0;
  const OptwebTrain train = known(p, now);
  const auto here = static_cast<std::uint64_t>(arrived(train, now, gaps(train)) / units.word);
  if (*state != State::words) return here;
  const WriterStream& w = plan_.writers[plan_.reduction ? 0 : expected_[p].writer];
  const Writers& writers = dmac_.writers();
  // A writer that was there before the words, and is never slower than they come, takes each of them at once.
  if (!plan_.reduction && train.first >= set_ && writers.host_spans(w).empty() && writers.limits(w).empty() &&
      !writers.pace(w, false).slower_than(parameters_.bus) && parameters_.link.slower_than(parameters_.bus)) {
    return 0;
  }
  const std::uint64_t gone = words_gone(w, now);
  return here > gone ? here - gone : 0;
}

}  // namespace weft
