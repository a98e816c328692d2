// Receiving side of the distributed switch: buffers, N x N switch, reduction unit, word counters.

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "fabric/observer.h"
#include "fabric/optweb/distributed_switch.h"
#include "optweb/reduction.h"

namespace weft {

void DistributedSwitch::notification_arrives(std::uint32_t port, const OptwebNotification& notification, Cycle at) {
  clock_.schedule(notifications->arrives(port, notification, at), Phase::prepare, *this, token(kNotification, port));
}

void DistributedSwitch::train_arrives(std::uint32_t port, const OptwebTrain& train) {
  buffers->begins(port, train);
  clock_.schedule(train.last, Phase::transfer, *this, token(kLast, port));
}

void DistributedSwitch::train_is_late(std::uint32_t port, Cycle last, Picoseconds ended) {
  buffers->is_late(port, last, ended);
}

void DistributedSwitch::last_word(Cycle now, std::uint32_t port) {
  Arrival* const arrival = buffers->coming(port);
  if (arrival->train.last > now) {
    clock_.schedule(arrival->train.last, Phase::transfer, *this, token(kLast, port));
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

void DistributedSwitch::check_buffer(std::uint32_t port, std::uint64_t waiting) const {
  if (local(port) || buffers->holds(waiting)) return;
  const std::uint64_t bytes = buffers->first(port)->train.bytes;
  // In an interface of both, even the own words of a reduction come more slowly than those of the links.
  const WriterStream& w = plan_.writers[expected_[port].writer];
  const bool shared = std::any_of(plan_.readers.begin(), plan_.readers.end(), [&](const ReaderStream& r) {
    return r.stream.reader == w.receive.writer && (r.stream.interfaces & w.receive.interfaces) != 0;
  });
  throw RunError(
      plan_.reduction && !shared
          ? fmt::format("{}: the receive buffer of the link from node {} overflows: its {} bytes wait for those of "
                        "another node, which come later than the buffer holds out",
                        names_.instruction(node_, number()), peer(port), bytes)
          : fmt::format("{}: the receive buffer of the link from node {} overflows: its {} bytes come faster than the "
                        "memory interface takes them, which is read at the same time; place what is sent and what is "
                        "received in different interfaces",
                        names_.instruction(node_, number()), peer(port), bytes));
}

// Words that are here and the writer that wants them: says when the last one is counted.
void DistributedSwitch::match(std::uint32_t port) {
  if (plan_.reduction) {
    match_all();
    return;
  }
  const Arrival* const first = buffers->first(port);
  if (first == nullptr || !first->arrived) return;
  const Arrival& a = *first;
  const WriterStream& w = plan_.writers[expected_[port].writer];
  // A word leaves the buffer when it has arrived, the paths are set and the writer has taken the one before.
  const Cycle from = std::max(a.train.first, set_);
  const Cycle out = std::max(a.train.last, from + w.pace.time(w.words - 1));
  const std::uint64_t taken = std::min(w.words, w.pace.passed(a.train.last - from) + 1);
  check_buffer(port, w.words - taken);
  clock_.schedule(std::max(received_counters->counted(crossbar->passed(out)), clock_.now()), Phase::transfer, *this,
                  token(kCounted, port));
}

// The same for a reduction, once the words of all nodes are here. A word of one of them leaves its buffer when those of
// all others have arrived.
void DistributedSwitch::match_all() {
  if (plan_.writers.empty()) return;
  const WriterStream& w = plan_.writers.front();
  Cycle from = set_;
  Cycle last = 0;
  for (const WriterStream& x : plan_.writers) {
    const Arrival* const a = buffers->first(port(x.receive.from));
    if (a == nullptr || !a->arrived) return;
    from = std::max(from, a->train.first);
    last = std::max(last, a->train.last);
  }
  const Cycle out = std::max(last, from + w.pace.time(w.words - 1));
  // Words that have come by a cycle, in each stream at a pace of its own, and that all streams have let pass.
  const auto arrived = [&](const OptwebTrain& t, Cycle at) -> std::uint64_t {
    if (at >= t.last) return t.words;
    if (at < t.first) return 0;
    return 1 + (t.words - 1) * static_cast<std::uint64_t>(at - t.first) / static_cast<std::uint64_t>(t.last - t.first);
  };
  const auto passed = [&](Cycle at) {
    std::uint64_t least = at < from ? 0 : std::min(w.words, w.pace.passed(at - from) + 1);
    for (const WriterStream& x : plan_.writers) {
      least = std::min(least, arrived(buffers->first(port(x.receive.from))->train, at));
    }
    return least;
  };
  for (const WriterStream& x : plan_.writers) {
    const std::uint32_t p = port(x.receive.from);
    const OptwebTrain& t = buffers->first(p)->train;
    for (const Cycle at : {from, t.last}) check_buffer(p, arrived(t, at) - passed(at));
  }
  const Cycle combined = reduction->passed(crossbar->passed(out), plan_.writers.size());
  clock_.schedule(std::max(received_counters->counted(combined), clock_.now()), Phase::transfer, *this,
                  token(kReduced, 0));
}

void DistributedSwitch::deliver(Cycle now, std::uint32_t port, const Arrival& a) {
  expected_[port].data = false;
  --receipts_missing_;
  received_counters->count(port, a.train.words);
  crossbar->release(port);
  if (local(port)) return;
  const OptwebDelivery delivery{peer(port),    node_,         a.train.bytes,    a.train.words,
                                a.train.begun, a.train.ended, clock_.time(now), a.buffered};
  observers_.tell([&](OptwebObserver& o) { o.on_deliver(delivery); });
}

void DistributedSwitch::counted(Cycle now, std::uint32_t port) {
  const Arrival a = buffers->take(port);
  dmac_.write_done(plan_.writers[expected_[port].writer], a.train, number(), now);
  deliver(now, port, a);
  if (receipts_missing_ == 0) all_received(now);
}

void DistributedSwitch::reduced(Cycle now) {
  std::vector<optweb::StoredStream> streams;
  for (const WriterStream& w : plan_.writers) {
    const std::uint32_t p = port(w.receive.from);
    const Arrival a = buffers->take(p);
    streams.push_back({a.train.memory, a.train.address});
    deliver(now, p, a);
  }
  dmac_.reduction_done(plan_.writers.front(), *plan_.reduction, streams, number(), now);
  all_received(now);
}

void DistributedSwitch::all_received(Cycle now) {
  received_ = control->reported(now);
  clock_.schedule(control->answered(*received_), Phase::generate, *this, token(kComplete, 0));
}

// Everything is here: the sources hear of it.
void DistributedSwitch::complete_receipt(Cycle now) {
  Cycle sent = *received_;
  for (const WriterStream& w : plan_.writers) {
    if (w.receive.from != node_) {
      sent = std::max(sent, link_to(w.receive.from).notify(now, {OptwebMeaning::received, number()}));
    }
  }
  finish_part(sent);
}

}  // namespace weft
