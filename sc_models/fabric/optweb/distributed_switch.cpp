#include "fabric/optweb/distributed_switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/diagnostics.h"
#include "fabric/observer.h"

namespace weft {

DistributedSwitch::DistributedSwitch(sc_core::sc_module_name name, ClockDomain& domain,
                                     const OptwebParameters& parameters, NodeId node, MDmac& dmac, const Hbm& memory,
                                     SwitchUser& user, const OptwebNames& names, const OptwebObservers& observers)
    : sc_module(name),
      domain_(domain),
      parameters_(parameters),
      node_(node),
      dmac_(dmac),
      memory_(memory),
      user_(user),
      names_(names),
      observers_(observers),
      links_(parameters.config->nodes),
      arrivals_(parameters.config->nodes),
      incoming_(parameters.config->nodes),
      waiting_(parameters.config->nodes),
      words_in_(parameters.config->nodes),
      notified_(parameters.config->nodes),
      expected_(parameters.config->nodes) {
  for (NodeId n = 0; n < parameters.config->nodes; ++n) {
    if (local(n)) continue;
    links_[n] =
        std::make_unique<LinkIp>(fmt::format("link[{}]", n).c_str(), parameters, domain.period_time(), n, *this);
  }
}

void DistributedSwitch::configure(DmacPlan plan, std::uint32_t number, Cycle now) {
  busy_ = true;
  paths_set_ = false;
  plan_ = std::move(plan);
  number_ = number;
  set_ = now + parameters_.latency().setup;
  sent_.reset();
  received_.reset();
  finish_ = 0;
  domain_.schedule(set_, Phase::generate, *this, token(kSet, 0));
}

// One part of the instruction is over at `boundary`.
void DistributedSwitch::finish_part(Cycle boundary) {
  finish_ = std::max(finish_, boundary);
  if (--parts_ > 0) return;
  // The pulse is in the cycle before the boundary, and never in the past.
  domain_.schedule(std::max(finish_ - 1, domain_.now()), Phase::transfer, *this, token(kDone, 0));
}

void DistributedSwitch::set_paths(Cycle now) {
  paths_set_ = true;
  std::fill(expected_.begin(), expected_.end(), Expected{});
  readies_missing_ = notifications_missing_ = streams_open_ = receipts_missing_ = 0;
  parts_ = 1;  // this one, so that nothing is done before everything is set
  for (const ReaderStream& r : plan_.readers) {
    for (const NodeId n : r.stream.to) {
      if (local(n)) continue;
      expected_[n].notifications = plan_.rendezvous ? 2 : 1;  // ready, and everything received
      notifications_missing_ += expected_[n].notifications;
      if (plan_.rendezvous) ++readies_missing_;
    }
  }
  for (const NodeId n : plan_.barrier) {
    expected_[n].notifications = 1;
    ++notifications_missing_;
  }
  for (std::uint32_t w = 0; w < plan_.writers.size(); ++w) {
    Expected& e = expected_[plan_.writers[w].receive.from];
    e.data = true;
    e.writer = w;
    ++receipts_missing_;
  }
  streams_open_ = static_cast<std::uint32_t>(plan_.readers.size());
  stream_end_.assign(plan_.readers.size(), 0);
  parts_ += (notifications_missing_ > 0 ? 1 : 0) + (streams_open_ > 0 ? 1 : 0) + (receipts_missing_ > 0 ? 1 : 0);

  Cycle sent = now;
  for (const NodeId n : plan_.barrier) sent = std::max(sent, links_[n]->notify(now, {OptwebMeaning::barrier, number_}));
  if (!plan_.barrier.empty()) sent_ = sent;
  if (plan_.rendezvous) {
    for (const WriterStream& w : plan_.writers) {
      if (!local(w.receive.from)) {
        sent = std::max(sent, links_[w.receive.from]->notify(now, {OptwebMeaning::ready, number_}));
      }
    }
  }
  for (const WriterStream& w : plan_.writers) match(w.receive.from);
  if (streams_open_ > 0 && readies_missing_ == 0) open_gate(now);
  for (NodeId n = 0; n < expected_.size(); ++n) {
    while (!waiting_[n].empty() && expected_[n].notifications > 0) {
      use_notification(n, waiting_[n].front(), now);
      waiting_[n].pop_front();
    }
  }
  finish_part(plan_.barrier.empty() ? sent : sent + parameters_.latency().report);
}

// In a rendezvous the first of two notifications says that the receiver is ready.
OptwebMeaning DistributedSwitch::expected_meaning(NodeId peer) const {
  if (!plan_.barrier.empty()) return OptwebMeaning::barrier;
  return expected_[peer].notifications == 2 ? OptwebMeaning::ready : OptwebMeaning::received;
}

void DistributedSwitch::use_notification(NodeId peer, const OptwebNotification& notification, Cycle now) {
  const OptwebMeaning meaning = expected_meaning(peer);
  if (meaning != notification.meaning) {
    constexpr std::array kWords{"its barrier", "that it is ready to receive", "that it has received everything"};
    throw RunError(fmt::format(
        "the programs do not match: {} has got a notification and takes it to say {}, but {} has sent it to say {}",
        names_.instruction(node_, number_), kWords[static_cast<std::size_t>(meaning)],
        names_.instruction(peer, notification.number), kWords[static_cast<std::size_t>(notification.meaning)]));
  }
  --expected_[peer].notifications;
  if (meaning == OptwebMeaning::ready && --readies_missing_ == 0) open_gate(now + parameters_.latency().gate);
  if (--notifications_missing_ == 0) finish_part(now + parameters_.latency().report);
}

void DistributedSwitch::take_notification(NodeId peer, Cycle now) {
  ++notified_[peer];
  const OptwebNotification notification = incoming_[peer].front();
  incoming_[peer].pop_front();
  if (busy_ && paths_set_ && expected_[peer].notifications > 0) {
    use_notification(peer, notification, now);
  } else {
    waiting_[peer].push_back(notification);
  }
}

// Data may pass from `now` on; they do when they have come through the sending side.
void DistributedSwitch::open_gate(Cycle now) {
  const OptwebLatencies& t = parameters_.latency();
  Cycle at = std::max(now, plan_.first_word + t.distributor + t.select);
  for (const ReaderStream& r : plan_.readers) {
    for (const NodeId n : r.stream.to) {
      if (!local(n)) at = std::max(at, links_[n]->rested(at));
    }
  }
  domain_.schedule(at, Phase::transfer, *this, token(kStart, 0));
}

void DistributedSwitch::start(Cycle now) {
  for (const ReaderStream& r : plan_.readers) {  // a notification may have come in between
    for (const NodeId n : r.stream.to) {
      if (local(n) || links_[n]->rested(now) <= now) continue;
      domain_.schedule(links_[n]->rested(now), Phase::transfer, *this, token(kStart, 0));
      return;
    }
  }
  for (std::uint32_t i = 0; i < plan_.readers.size(); ++i) {
    const ReaderStream& r = plan_.readers[i];
    OptwebTrain train;
    train.from = node_;
    train.number = number_;
    train.bytes = r.stream.bytes;
    train.words = r.words;
    if (parameters_.config->mode == OptwebMode::data) {
      train.memory = &memory_.bytes();
      train.address = r.stream.address;
    }
    optweb::WordPace pace = parameters_.bus;
    if (r.pace.slower_than(pace)) pace = r.pace;
    const bool over_links = std::any_of(r.stream.to.begin(), r.stream.to.end(), [&](NodeId n) { return !local(n); });
    if (over_links && parameters_.link.slower_than(pace)) pace = parameters_.link;
    Cycle end = now + pace.time(r.words + 1);
    for (const NodeId n : r.stream.to) {
      if (!local(n)) {
        links_[n]->begin(now, train, pace);
        continue;
      }
      train.begun = now;
      train.ended = train.last = end;
      train.first = now + pace.time(2);
      train_arrives(n, train);
    }
    stream_end_[i] = end;
    domain_.schedule(end, Phase::transfer, *this, token(kEnd, i));
  }
}

void DistributedSwitch::stream_ends(Cycle now, std::uint32_t reader) {
  const ReaderStream& r = plan_.readers[reader];
  Cycle end = now;
  for (const NodeId n : r.stream.to) {
    if (!local(n)) end = std::max(end, links_[n]->end());
  }
  if (end > now) {  // cut by notifications
    domain_.schedule(end, Phase::transfer, *this, token(kEnd, reader));
    return;
  }
  dmac_.read_done(r);
  sent_ = std::max(sent_.value_or(0), now);
  if (--streams_open_ == 0) finish_part(now);
}

void DistributedSwitch::notification_arrives(NodeId peer, const OptwebNotification& notification, Cycle at) {
  incoming_[peer].push_back(notification);
  domain_.schedule(at + parameters_.latency().notified, Phase::prepare, *this, token(kNotification, peer));
}

void DistributedSwitch::train_arrives(NodeId peer, const OptwebTrain& train) {
  arrivals_[peer].push_back({train, false, false});
  domain_.schedule(train.last, Phase::transfer, *this, token(kLast, peer));
}

void DistributedSwitch::train_is_late(NodeId peer, Cycle by) {
  if (arrivals_[peer].empty()) return;  // internal order of a link: a delay follows its train
  arrivals_[peer].back().train.last += by;
  arrivals_[peer].back().train.ended += by;
}

void DistributedSwitch::last_word(Cycle now, NodeId peer) {
  const auto arrival =
      std::find_if(arrivals_[peer].begin(), arrivals_[peer].end(), [](const Arrival& a) { return !a.arrived; });
  if (arrival->train.last > now) {
    domain_.schedule(arrival->train.last, Phase::transfer, *this, token(kLast, peer));
    return;
  }
  arrival->arrived = true;
  if (busy_ && paths_set_ && expected_[peer].data) {
    match(peer);
    return;
  }
  arrival->buffered = true;
  if (arrival->train.bytes <= parameters_.config->eager_buffer) return;
  throw RunError(fmt::format(
      "{}: {} bytes of {} come before their instruction, more than the receive buffer of {} bytes", name(),
      arrival->train.bytes, names_.instruction(peer, arrival->train.number), parameters_.config->eager_buffer));
}

// Words that are here and the writer that wants them: says when the last one is counted.
void DistributedSwitch::match(NodeId peer) {
  if (arrivals_[peer].empty() || !arrivals_[peer].front().arrived) return;
  const Arrival& a = arrivals_[peer].front();
  const WriterStream& w = plan_.writers[expected_[peer].writer];
  if (a.train.bytes != w.receive.bytes) {
    throw RunError(fmt::format("{} expects {} bytes from node {}, but {} has sent {}",
                               names_.instruction(node_, number_), w.receive.bytes, peer,
                               names_.instruction(peer, a.train.number), a.train.bytes));
  }
  // A word leaves the buffer when it has arrived, the paths are set and the writer has taken the one before.
  const Cycle from = std::max(a.train.first, set_);
  const Cycle out = std::max(a.train.last, from + w.pace.time(w.words - 1));
  const std::uint64_t taken = std::min(w.words, w.pace.passed(a.train.last - from) + 1);
  const std::uint64_t left = (w.words - taken) * parameters_.config->word_bytes;
  if (!local(peer) && left > parameters_.config->eager_buffer + parameters_.config->word_bytes) {
    throw RunError(fmt::format(
        "{}: the receive buffer of the link from node {} overflows: its {} bytes come faster than the memory interface "
        "takes them, which is read at the same time; place what is sent and what is received in different interfaces",
        names_.instruction(node_, number_), peer, a.train.bytes));
  }
  const OptwebLatencies& t = parameters_.latency();
  domain_.schedule(std::max(out + t.receive + t.counter, domain_.now()), Phase::transfer, *this, token(kCounted, peer));
}

void DistributedSwitch::counted(Cycle now, NodeId peer) {
  const Arrival a = arrivals_[peer].front();
  arrivals_[peer].pop_front();
  Expected& e = expected_[peer];
  const WriterStream& w = plan_.writers[e.writer];
  dmac_.write_done(w, a.train, now);
  e.data = false;
  words_in_[peer] += a.train.words;
  if (!local(peer)) {
    const OptwebDelivery delivery{peer,          node_,         a.train.bytes, a.train.words,
                                  a.train.begun, a.train.ended, now,           a.buffered};
    observers_.tell([&](OptwebObserver& o) { o.on_deliver(delivery); });
  }
  if (--receipts_missing_ > 0) return;
  received_ = now + parameters_.latency().report;
  domain_.schedule(*received_ + parameters_.latency().setup, Phase::generate, *this, token(kComplete, 0));
}

// Everything is here: the sources hear of it.
void DistributedSwitch::complete_receipt(Cycle now) {
  Cycle sent = *received_;
  for (const WriterStream& w : plan_.writers) {
    if (!local(w.receive.from)) {
      sent = std::max(sent, links_[w.receive.from]->notify(now, {OptwebMeaning::received, number_}));
    }
  }
  finish_part(sent);
}

void DistributedSwitch::due(Cycle now, std::uint32_t token) {
  const std::uint32_t index = token & 0xffffff;
  switch (static_cast<Token>(token >> 24)) {
    case kSet:
      set_paths(now);
      break;
    case kStart:
      start(now);
      break;
    case kEnd:
      stream_ends(now, index);
      break;
    case kLast:
      last_word(now, index);
      break;
    case kCounted:
      counted(now, index);
      break;
    case kNotification:
      take_notification(index, now);
      break;
    case kComplete:
      complete_receipt(now);
      break;
    case kDone:
      busy_ = false;
      user_.switch_done(now);
      break;
  }
}

std::string DistributedSwitch::describe_wait() const {
  if (!busy_) return "nothing";
  std::string data;
  std::string notifications;
  const auto add = [](std::string& list, NodeId n) { list += fmt::format("{}{}", list.empty() ? "" : ", ", n); };
  for (NodeId n = 0; n < expected_.size(); ++n) {
    if (expected_[n].data) add(data, n);
    if (expected_[n].notifications > 0) add(notifications, n);
  }
  std::string out;
  if (!data.empty()) out = "data from node " + data;
  if (!notifications.empty()) {
    out += (out.empty() ? "" : " and ") +
           std::string(plan_.barrier.empty()
                           ? readies_missing_ > 0 ? "readiness of node " : "confirmation of receipt by node "
                           : "node ") +
           notifications;
  }
  return out.empty() ? "nothing" : out;
}

}  // namespace weft
