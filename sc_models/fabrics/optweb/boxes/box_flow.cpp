// Words that enter and leave the own boxes of a distributed switch, for waves. Nothing here changes what the switch
// does.
//
// On the sending side words stand still while the gate is shut: behind the first one so many follow as there is room
// for up to the gate, at the pace of memory and bus, and one more for each that passes it. On the receiving side words
// enter a box as long after they have left the buffers as what is between takes.

#include <algorithm>

#include "fabrics/optweb/distributed_switch.h"

namespace weft {

// What the sender does later arrives later: up to then waves show the transfer as it was before, whenever this node,
// or its rank, hears of it.
OptwebTrain DistributedSwitch::known(std::uint32_t port, Cycle at) const {
  const Arrival& a = *buffers->first(port);
  OptwebTrain out = a.train;
  const auto before = std::find_if(a.before.begin(), a.before.end(), [&](const auto& b) { return at < b.until; });
  if (before == a.before.end()) return out;
  out.last = before->last;
  out.turns.resize(before->turns);
  return out;
}

std::uint64_t DistributedSwitch::words_gone(std::size_t reader) const {
  if (!paths_set_) return 0;
  const ReaderStream& r = plan_.readers[reader];
  if (stream_due_[reader] < 0) return modules_.distributors->outputs(r.stream.reader).empty() ? r.words : 0;
  const Cycle now = clock_.now();
  if (parameters_.fifo && !feeds_[reader].words.coupled()) {
    const Feed& f = feeds_[reader];
    return static_cast<std::uint64_t>(f.words.entered(now, least_passed(f, now)) / parameters_.units.word);
  }
  std::uint64_t out = r.words;  // that all links have taken
  for (const NodeId n : r.stream.to) out = std::min(out, links_.passed_by(port(n), now));
  return out;
}

std::uint64_t DistributedSwitch::words_gone(const WriterStream& w, Cycle at) const {
  if (!expected_[port(w.receive.from)].data) return w.words;  // they are counted
  const auto open = opening(port(w.receive.from));
  if (!open || at < open->from) return 0;
  const optweb::WordUnits& units = parameters_.units;
  const WriterStream& speaker = plan_.reduction ? plan_.writers.front() : w;
  const Drain& d = drains_[port(speaker.receive.from)];
  optweb::WideInteger out = 0;
  if (d.due >= 0 && at >= d.since) {
    out = w.words * units.word - std::max<optweb::WideInteger>(0, d.left - (at - d.since) * units.rate(d.pace));
  } else {
    std::vector<OptwebTrain> all;
    if (plan_.reduction) {
      for (const WriterStream& x : plan_.writers) all.push_back(known(port(x.receive.from), at));
    } else {
      all.push_back(known(port(w.receive.from), at));
    }
    Trains trains;
    for (const OptwebTrain& t : all) trains.push_back(&t);
    out = taken(speaker, trains, open->from, at, false);
  }
  return std::min(w.words, static_cast<std::uint64_t>(std::max<optweb::WideInteger>(0, out) / units.word));
}

DistributedSwitch::BoxFlow DistributedSwitch::sent_flow(std::size_t place) const {
  BoxFlow out;
  if (!busy() || plan_.readers.empty()) return out;
  const Cycle now = clock_.now();
  const optweb::WordUnits& units = parameters_.units;
  const PassingWords words = sent_words();
  const Cycle enter = plan_.first_word + modules_.sent.latency_before(place, words);
  const Cycle leave = enter + modules_.sent[place].latency(words);
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < plan_.readers.size(); ++i) {
    const ReaderStream& r = plan_.readers[i];
    const std::uint64_t gone = words_gone(i);
    const optweb::WideInteger pace = units.rate(memory_pace(r));
    const auto passed = [&](Cycle first) {
      if (now < first) return std::uint64_t{0};
      const Cycle filling = std::min(now, stand()) - first;
      const auto ahead = static_cast<std::uint64_t>(filling * pace / units.word);
      return std::min(r.words, 1 + ahead + gone);
    };
    out.in += passed(enter);
    out.out += passed(leave);
    all += r.words;
  }
  out.number = number();
  if (out.in > 0 && out.out < all) out.state = now < stand() ? State::words : readers_state();
  return out;
}

DistributedSwitch::BoxFlow DistributedSwitch::received_flow(std::size_t place) const {
  BoxFlow out;
  if (!busy() || !paths_set_ || plan_.writers.empty()) return out;
  const Cycle now = clock_.now();
  const Cycle before = modules_.crossbar->passed(now) - now;
  bool words = false;
  bool waits = false;
  for (const WriterStream& w : plan_.writers) {
    const PassingWords passing = received_words(w);
    const Cycle enter = before + modules_.received.latency_before(place, passing);
    const std::uint64_t in = words_gone(w, now - enter);
    const std::uint64_t left = words_gone(w, now - enter - modules_.received[place].latency(passing));
    out.in += in;
    out.out += left;
    words = words || in > left || (in > 0 && in < w.words);
    waits = waits || in == 0;
  }
  out.number = number();
  if (words) {
    out.state = State::words;
  } else if (waits) {
    out.state = State::data;
  }
  return out;
}

}  // namespace weft
