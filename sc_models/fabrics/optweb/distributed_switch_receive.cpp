// Receiving side of the distributed switch: buffers, N x N switch, reduction unit, word counters.

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/optweb/reduction.h"
#include "base/diagnostics.h"
#include "fabrics/optweb/distributed_switch.h"
#include "fabrics/optweb/observer.h"

namespace weft {

void DistributedSwitch::registered(std::uint32_t port, Cycle at) {
  clock_.schedule(at, Phase::prepare, *this, token(kNotification, port));
}

void DistributedSwitch::begun(std::uint32_t port, Cycle last) {
  if (busy() && paths_set_ && expected_[port].data) open_writer(port);
  if (last < optweb::kNever) clock_.schedule(last, Phase::transfer, *this, token(kLast, port));
}

void DistributedSwitch::turned(std::uint32_t port, Arrival& arrival) {
  const Cycle last = arrival.train.last;
  if (last >= arrival.due) return;
  arrival.due = last;
  clock_.schedule(last, Phase::transfer, *this, token(kLast, port));
}

void DistributedSwitch::last_word(Cycle now, std::uint32_t port) {
  Arrival* const arrival = buffers->coming(port);
  if (arrival == nullptr || arrival->due != now) return;  // it comes at another time by now
  if (arrival->train.last > now) {
    arrival->due = arrival->train.last;
    if (arrival->due < optweb::kNever) clock_.schedule(arrival->train.last, Phase::transfer, *this, token(kLast, port));
    return;
  }
  arrival->arrived = true;
  if (busy() && paths_set_ && expected_[port].data) {
    match(port);
    return;
  }
  arrival->buffered = true;
  if (arrival->train.bytes <= buffers->capacity()) return;
  throw RunError(
      fmt::format("{}: {} bytes of {} come before their instruction, more than the receive buffer of {} bytes", name(),
                  arrival->train.bytes, names_.instruction(peer(port), arrival->train.number), buffers->capacity()));
}

void DistributedSwitch::check_buffer(std::uint32_t port, std::uint64_t waiting, const OptwebTrain& late,
                                     bool host) const {
  if (local(port) || buffers->holds(waiting)) return;
  const std::uint64_t bytes = buffers->first(port)->train.bytes;
  // In an interface of both, even the own words of a reduction come more slowly than those of the links.
  const WriterStream& w = plan_.writers[expected_[port].writer];
  const auto shared = std::find_if(plan_.readers.begin(), plan_.readers.end(), [&](const ReaderStream& r) {
    return r.stream.reader == w.receive.writer && (r.stream.interfaces & w.receive.interfaces) != 0;
  });
  const std::string overflow = fmt::format("{}: the receive buffer of the link from node {} overflows: its {} bytes ",
                                           names_.instruction(node_, number()), peer(port), bytes);
  if (host) {
    throw RunError(overflow +
                   "come faster than the memory interface takes them, which the host accesses at the same time; let it "
                   "use another interface, or wait");
  }
  if (shared != plan_.readers.end()) {
    const optweb::StagedEnds staged = names_.staged(node_, number());
    throw RunError(
        overflow +
        fmt::format(
            "come faster than the memory interface takes them, which is read at the same time; place {} and {} "
            "in different interfaces",
            optweb::area_text(*parameters_.config, optweb::sent_use(staged), shared->stream.bytes,
                              shared->stream.address),
            optweb::area_text(*parameters_.config, optweb::received_use(staged), w.receive.bytes, w.receive.address)));
  }
  const auto slower = [&](NodeId a, NodeId b) {
    const std::vector<OptwebClock>& clocks = parameters_.config->clocks;
    return !clocks.empty() && clocks[a].offset_ppb < clocks[b].offset_ppb;
  };
  const std::string larger = fmt::format("; a larger switch.eager_buffer than {} holds out longer",
                                         to_string(DataSize{static_cast<std::int64_t>(buffers->capacity()) * 8}));
  if (!plan_.reduction) {
    throw RunError(overflow + "come faster than the memory interface takes them" +
                   (slower(node_, peer(port)) ? ", as the clock of the node is slower than that of the sender" : "") +
                   (dmac_.writers().limits(w).empty() ? "" : ", whose HBM2 does not keep up (memory.hbm2)") + larger);
  }
  if (late.time != nullptr) {
    throw RunError(overflow +
                   fmt::format("wait for those of node {}, whose links fail or repeat frames (faults, "
                               "link.errors); nothing holds the other nodes back meanwhile",
                               late.from) +
                   larger);
  }
  const std::string waits =
      fmt::format("wait for those of node {}, which come later than the buffer holds out", late.from);
  // A reader is slowed down by its host, from its beginning or with a turn, or by HBM2.
  if (!late.turns.empty() && !late.host && parameters_.config->hbm2) {
    throw RunError(overflow + waits +
                   fmt::format(", as the HBM2 of node {} (memory.hbm2) does not keep up the pace", late.from) + larger);
  }
  if (!late.turns.empty() || late.host) {
    throw RunError(overflow + waits +
                   fmt::format(", as the host of node {} accesses the memory interface they are read from; let it use "
                               "another interface, or wait",
                               late.from));
  }
  throw RunError(overflow + waits +
                 (slower(late.from, peer(port))
                      ? fmt::format(", as the clock of node {} is slower than that of node {}", late.from, peer(port))
                      : std::string()) +
                 larger);
}

// Words go into the memory from their first on; in a reduction when those of all nodes have begun to come.
void DistributedSwitch::open_writer(std::uint32_t p) {
  const WriterStream& w = plan_.writers[expected_[p].writer];
  const Arrival* const a = buffers->first(p);
  if (a == nullptr || a->train.first >= optweb::kNever) return;
  Cycle from = std::max(a->train.first, set_);
  bool waits = a->arrived || local(p);  // in the buffer, or at the reader: at the pace of the bus
  if (plan_.reduction) {
    for (const WriterStream& x : plan_.writers) {
      const Arrival* const other = buffers->first(port(x.receive.from));
      if (other == nullptr || other->train.first >= optweb::kNever) return;
      from = std::max(from, other->train.first);
      waits = waits && (other->arrived || local(port(x.receive.from)));
    }
  }
  const bool link = !waits && parameters_.link.slower_than(parameters_.bus);
  buffers->out->begin(route_to(w, p, w.words), {from, link ? parameters_.link : parameters_.bus, nullptr, &w});
}

// Units of words of a train that have arrived at boundary `at`, none of them in its gaps; rounded up, as a limit for
// what can go on.
optweb::WideInteger DistributedSwitch::arrived(const OptwebTrain& train, Cycle at, const Gaps& gaps) const {
  const optweb::WordUnits& units = parameters_.units;
  const auto cycles = [&](Cycle from, Cycle to) { return optweb::cycles_between(from, to, gaps); };
  const auto all = [&](Cycle from, Cycle to) { return std::max<Cycle>(1, cycles(from, to)); };
  if (at >= train.last) return train.words * units.word;
  if (at < train.first) return 0;
  if (at == train.first) return units.word;
  Cycle from = train.first;
  optweb::WideInteger low = units.word;
  for (const OptwebTurn& t : train.turns) {
    if (t.at <= from) continue;
    const optweb::WideInteger there = std::max(low, t.units);
    if (at < t.at) return low + ((there - low) * cycles(from, at) + all(from, t.at) - 1) / all(from, t.at);
    from = t.at;
    low = there;
  }
  const optweb::WideInteger there = train.words * units.word;
  return low + ((there - low) * cycles(from, at) + all(from, train.last) - 1) / all(from, train.last);
}

// Units that a writer has taken at boundary `last`, when the first word goes into the memory at `from`. A word goes
// there when those of all trains have arrived, the paths are set, and the writer has taken the one before. Between
// points at which anything changes its pace, all of it is linear.
optweb::WideInteger DistributedSwitch::taken(const WriterStream& w, const Trains& trains, Cycle from, Cycle last,
                                             bool check) const {
  const optweb::WordUnits& units = parameters_.units;
  const std::vector<HostSpan>& spans = dmac_.writers().host_spans(w);
  const std::vector<MemoryLimit>& limits = dmac_.writers().limits(w);
  boost::container::small_vector<Cycle, 8> points{from};
  const auto add = [&](Cycle at) {
    if (at > from && at <= last) points.push_back(at);
  };
  add(last);
  boost::container::small_vector<Gaps, 4> all_gaps;
  for (const OptwebTrain* t : trains) {
    for (const optweb::LinkTimeline::Stop& g : all_gaps.emplace_back(gaps(*t))) {
      add(g.begin);
      add(g.end);
    }
    if (t->last != last) add(t->last);
    for (const OptwebTurn& turn : t->turns) add(turn.at);
  }
  for (const HostSpan& s : spans) {
    add(s.from);
    add(s.to);
  }
  for (const MemoryLimit& l : limits) {
    add(l.from);
    add(l.to);
  }
  std::sort(points.begin(), points.end());
  optweb::WideInteger out = units.word;
  bool host = false;
  Cycle before = from;
  boost::container::small_vector<optweb::WideInteger, 4> here;
  for (const Cycle at : points) {
    const bool slowed = std::any_of(spans.begin(), spans.end(), [&](const HostSpan& s) {
      return (s.interfaces & w.receive.interfaces) != 0 && s.from <= before && before < s.to;
    });
    host = host || (slowed && at > before);
    optweb::WordRate pace = dmac_.writers().pace(w, slowed);
    const auto limit = std::find_if(limits.begin(), limits.end(),
                                    [&](const MemoryLimit& l) { return l.from <= before && before < l.to; });
    if (limit != limits.end() && limit->pace.slower_than(pace)) pace = limit->pace;
    out += (at - before) * units.rate(pace);
    here.clear();
    for (std::size_t i = 0; i < trains.size(); ++i) {
      here.push_back(arrived(*trains[i], at, all_gaps[i]));
      out = std::min(out, here.back());
    }
    const auto fewest = static_cast<std::size_t>(std::min_element(here.begin(), here.end()) - here.begin());
    for (std::size_t i = 0; check && i < trains.size(); ++i) {
      const std::uint32_t p = port(trains[i]->from);
      const auto waiting = static_cast<std::uint64_t>(here[i] / units.word - out / units.word);
      check_buffer(p, waiting, *trains[fewest], host);
      most_[p] = std::max(most_[p], waiting);
    }
    before = at;
  }
  return out;
}

// Of the last words that have come, `left` units are not in the memory yet.
void DistributedSwitch::drain(const WriterStream& w, Cycle since, optweb::WideInteger left) {
  Drain& d = drains_[port(w.receive.from)];
  d.since = since;
  d.left = left;
  plan_counting(w);
}

void DistributedSwitch::redrain(const WriterStream& w, Cycle now) {
  Drain& d = drains_[port(w.receive.from)];
  if (d.due < 0 || now >= d.out) return;
  d.left -= (now - d.since) * parameters_.units.rate(d.pace);
  d.since = now;
  plan_counting(w);
}

void DistributedSwitch::plan_counting(const WriterStream& w) {
  const std::uint32_t p = port(w.receive.from);
  Drain& d = drains_[p];
  d.pace = dmac_.writers().pace(w);
  d.out = d.since + parameters_.units.time(d.left, d.pace);
  d.due = std::max(buffers->out->pass(received_words(w), d.out), clock_.now());
  clock_.schedule(d.due, Phase::transfer, *this, plan_.reduction ? token(kReduced, p) : token(kCounted, p));
  dmac_.writers().closes(w, d.out);  // at last: the host may be done now, and then this is planned anew
}

// Words that are here and the writer that wants them: says when the last one is counted.
void DistributedSwitch::match(std::uint32_t port) {
  if (plan_.reduction) {
    match_all();
    return;
  }
  const Arrival* const a = buffers->first(port);
  if (a == nullptr || !a->arrived) return;
  const WriterStream& w = plan_.writers[expected_[port].writer];
  const Cycle from = std::max(a->train.first, set_);
  const optweb::WideInteger out = taken(w, Trains{&a->train}, from, a->train.last);
  drain(w, std::max(from, a->train.last), w.words * parameters_.units.word - out);
}

// The same for a reduction, once the words of all nodes are here.
void DistributedSwitch::match_all() {
  if (plan_.writers.empty()) return;
  const WriterStream& w = plan_.writers.front();
  Cycle from = set_;
  Cycle last = 0;
  Trains trains;
  for (const WriterStream& x : plan_.writers) {
    const Arrival* const a = buffers->first(port(x.receive.from));
    if (a == nullptr || !a->arrived) return;
    from = std::max(from, a->train.first);
    last = std::max(last, a->train.last);
    trains.push_back(&a->train);
  }
  const optweb::WideInteger out = taken(w, trains, from, last);
  drain(w, std::max(from, last), w.words * parameters_.units.word - out);
}

void DistributedSwitch::received_counted(const WordRoute& route) {
  const Cycle now = clock_.now();
  if (!decisions_->counted(route.ports.front(), route.words, now).received) return;
  received_ = control->reported(now);
  clock_.schedule(control->answered(*received_), Phase::generate, *this, token(kComplete, 0));
}

void DistributedSwitch::deliver(Cycle now, std::uint32_t port, const Arrival& a) {
  expected_[port].data = false;
  buffers->out->clear(route_to(plan_.writers[expected_[port].writer], port, a.train.words));
  if (local(port)) return;
  const OptwebDelivery delivery{peer(port),    node_,         a.train.bytes,    a.train.words,
                                a.train.begun, a.train.ended, clock_.time(now), a.buffered};
  observers_.tell([&](OptwebObserver& o) { o.on_deliver(delivery); });
}

void DistributedSwitch::counted(Cycle now, std::uint32_t port) {
  if (drains_[port].due != now) return;  // at another time by now
  drains_[port].due = -1;
  if (boxes_.wanted()) record_written(plan_.writers[expected_[port].writer], drains_[port].out, now);
  Arrival a = buffers->take(port);
  pass_received(plan_.writers[expected_[port].writer], a.train);
  dmac_.write_done(plan_.writers[expected_[port].writer], a.train, number(), now);
  deliver(now, port, a);
}

void DistributedSwitch::reduced(Cycle now, std::uint32_t port_of_first) {
  if (drains_[port_of_first].due != now) return;
  drains_[port_of_first].due = -1;
  if (boxes_.wanted()) record_written(plan_.writers.front(), drains_[port_of_first].out, now);
  std::vector<optweb::StoredStream> streams;
  std::vector<std::shared_ptr<const optweb::SparseMemory>> changed;
  for (const WriterStream& w : plan_.writers) {
    const std::uint32_t p = port(w.receive.from);
    Arrival a = buffers->take(p);
    pass_received(w, a.train);
    changed.push_back(a.train.changed);
    streams.push_back({a.train.memory, a.train.address});
    deliver(now, p, a);
  }
  dmac_.reduction_done(plan_.writers.front(), *modules_.reduction, *plan_.reduction, streams, number(), now);
}

// Everything is here: the sources hear of it.
void DistributedSwitch::complete_receipt(Cycle now) {
  finish_part(std::max(*received_, notify_sources(OptwebNotificationKind::received, now)));
}

}  // namespace weft
