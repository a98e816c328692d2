#include "fabrics/optweb/link/link_ip.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {

LinkIp::LinkIp(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeClock& clock, std::uint32_t port,
               LinkOwner& owner, LinkSyncs syncs, const SerialClock& serial)
    : sc_module(name),
      parameters_(parameters),
      clock_(clock),
      delay_(static_cast<double>(parameters.link_latency * parameters.config->period.ps), sc_core::SC_PS),
      port_(port),
      owner_(owner),
      in_(*this, 0),
      serial_(serial),
      lane_sender_(parameters, clock, run_, *this, this->name(), std::move(syncs.transmitter)),
      lane_listener_(clock, this->name(), std::move(syncs.receiver)) {}

void LinkIp::connect(LinkIp& other, LinkAdapter<OptwebProtocol>* adapter, optweb::LinkTimeline* timeline) {
  timeline_ = timeline;
  other.coming_ = timeline;
  out_.bind(adapter == nullptr ? other.in_ : adapter->in());
  if (adapter != nullptr) adapter->out().bind(other.in_);
  straight_ = adapter == nullptr ? &other : nullptr;
  if (adapter == nullptr) lane_sender_.defer();
  other.sender_ = &clock_;
}

void LinkIp::send(OptwebTransfer& transfer) { out_.send(transfer, delay_); }

Cycle LinkIp::notify(Cycle now, const OptwebNotification& notification) {
  const std::uint64_t gap = parameters_.config->link.gap;
  const Cycle latency = parameters_.latency().notification;
  Cycle sent = 0;
  bool alone = false;  // it cuts no run
  OptwebTransfer transfer;
  const Cycle run_now = run_time(now);
  // While the lane stands still the next place is behind its next cycle.
  const Cycle at = std::max(real(run_now) < now ? run_now + 1 : run_now, run_.cut());
  if (run_now < run_.end() && at <= run_.last_taken()) {  // the word in hand and the gap come first; then a gap and a
                                                          // word to be dropped
    sent = real(at + parameters_.link.time(1 + gap) + latency);
    if (sent >= optweb::kNever) return sent;
    transfer.kind = OptwebTransfer::Kind::delay;
    const Cycle pause = run_.pace().time(2 * gap + 2);
    run_.pause(at, pause);
    lane_sender_.cut(at, pause);
    transfer.sent = end();
    transfer.ended = time_of(end());
    free_ = end() + parameters_.link.time(gap);
    send(transfer);
    transfer.noted = real(at + parameters_.link.time(2 + gap));
  } else {
    sent = opened(rested(now), latency) + latency;
    if (sent >= optweb::kNever) return sent;
    free_ = sent + parameters_.link.time(gap);
    transfer.noted = sent;
    alone = true;
  }
  ++notifications_;
  if (timeline_ != nullptr) {
    const Cycle position = timeline_->position(transfer.noted);
    sent_.push_back({position - 1, position, 0, 1, true});
  }
  if (incoming_ != nullptr) {
    constexpr std::size_t kRemembered = 16;  // more cannot lie ahead: each waits for the one before
    noted_.push_back(sent - 1);
    if (noted_.size() > kRemembered) noted_.take();
  }
  transfer.kind = OptwebTransfer::Kind::notification;
  transfer.sent = sent;
  transfer.notification = notification;
  send(transfer);
  if (alone) lane_sender_.note(sent - 1);
  return sent;
}

void LinkIp::begin(Cycle now, OptwebTrain train, const optweb::WordRate& pace) {
  lane_sender_.catch_up(now);
  if (timeline_ != nullptr) {
    if (run_words_ > 0) {
      sent_.push_back({run_begun_, timeline_->position(end()), run_words_, end() - run_.begun(), false});
    }
    run_begun_ = timeline_->position(now);
    run_words_ = train.words;
  }
  time_ = train.time;
  run_.begin(parameters_, now, train.words + 1, pace, serial_.lead(parameters_, clock_.time(now), pace));
  free_ = end() + parameters_.link.time(parameters_.config->link.gap);
  words_ += train.words;
  train.begun = clock_.time(now);
  train.ended = time_of(end());
  train.first = real(run_.first());
  train.last = end();
  const std::uint64_t words = train.words;
  OptwebTransfer transfer;
  transfer.kind = OptwebTransfer::Kind::train;
  transfer.first = now;
  transfer.train = std::move(train);
  send(transfer);
  lane_sender_.begin(words, time_.get());
}

void LinkIp::turn(Cycle now, const optweb::WordRate& pace) {
  if (pace == run_.pace()) return;
  lane_sender_.before_turn(now);
  if (!run_.turn(run_time(now), pace)) return;
  free_ = end() + parameters_.link.time(parameters_.config->link.gap);
  OptwebTransfer transfer;
  transfer.kind = OptwebTransfer::Kind::turn;
  transfer.turn = {now, run_.passed()};
  transfer.first = real(run_.first());
  transfer.sent = end();
  transfer.ended = time_of(end());
  send(transfer);
  lane_sender_.after_turn();
}

void LinkIp::carry(Cycle at, const optweb::LaneSymbol& symbol, std::uint64_t left_out) {
  if (straight_ != nullptr) {
    straight_->lane_listener_.hear(straight_->arrival(at, 0), symbol, left_out);
    return;
  }
  OptwebTransfer transfer;
  transfer.kind = OptwebTransfer::Kind::lane;
  transfer.sent = at;
  transfer.symbol = symbol;
  transfer.left_out = left_out;
  send(transfer);
}

void LinkIp::carry_run(std::uint64_t words, Cycle first, Cycle last) {
  straight_->lane_listener_.hear_run(words, straight_->arrival(first, 0), straight_->arrival(last, 0));
}

void LinkIp::carry_note(Cycle at) { straight_->lane_listener_.hear_note(straight_->arrival(at, 0)); }

LinkIp::Lane LinkIp::lane(Cycle cycle) const {
  if (std::find(noted_.begin(), noted_.end(), cycle) != noted_.end()) return Lane::notification;
  return cycle >= run_.begun() && cycle < end() ? Lane::data : Lane::rest;
}

LinkIp::State LinkIp::state(Cycle cycle) const {
  if (timeline_ == nullptr) return State::up;
  if (timeline_->down(cycle) != nullptr) return State::down;
  const auto stop = timeline_->stop_after(cycle);
  return stop && stop->begin <= cycle ? State::repeats : State::up;
}

LinkIp::Lane LinkIp::in_lane(Cycle cycle) const {
  const auto& notes = incoming_->notifications;
  if (std::find(notes.begin(), notes.end(), cycle + 1) != notes.end()) return Lane::notification;
  const auto& runs = incoming_->runs;
  const bool data = std::any_of(runs.begin(), runs.end(),
                                [&](const Incoming::Run& r) { return cycle + 1 >= r.first && cycle < r.last; });
  return data ? Lane::data : Lane::rest;
}

void LinkIp::note(const OptwebTransfer& transfer) {
  auto& [runs, notifications] = *incoming_;
  const Cycle now = clock_.now();
  const auto arrival = [&](Cycle sent) { return this->arrival(sent, transfer.adapter); };
  while (!runs.empty() && runs.front().last < now) runs.take();
  while (!notifications.empty() && notifications.front() < now) notifications.take();
  switch (transfer.kind) {
    case OptwebTransfer::Kind::notification:
      notifications.push_back(arrival(transfer.sent));
      break;
    case OptwebTransfer::Kind::train:
      runs.push_back({arrival(transfer.first + 1), arrival(transfer.train.last)});
      break;
    case OptwebTransfer::Kind::delay:
    case OptwebTransfer::Kind::turn:
      runs.back().last = arrival(transfer.sent);
      break;
    case OptwebTransfer::Kind::lane:
      break;
  }
}

// What the receiver of the lane is to hear.
void LinkIp::listen(const OptwebTransfer& transfer) {
  const auto arrival = [&](Cycle sent) { return this->arrival(sent, transfer.adapter); };
  switch (transfer.kind) {
    case OptwebTransfer::Kind::notification:
      lane_listener_.expect_note(arrival(transfer.noted));
      break;
    case OptwebTransfer::Kind::train:
      lane_listener_.expect_run(transfer.train.words, arrival(transfer.train.first), arrival(transfer.train.last));
      break;
    case OptwebTransfer::Kind::delay:
      lane_listener_.expect_later(arrival(transfer.sent));
      break;
    case OptwebTransfer::Kind::turn:
      lane_listener_.expect_turn(arrival(transfer.first), arrival(transfer.sent));
      break;
    case OptwebTransfer::Kind::lane:
      lane_listener_.hear(arrival(transfer.sent), transfer.symbol, transfer.left_out);
      break;
  }
}

Cycle LinkIp::arrival(Cycle sent, Cycle adapter) const {
  return crossed(coming_ == nullptr ? sent : coming_->delivered(sent), adapter);
}

Cycle LinkIp::crossed(Cycle sent, Cycle adapter) const {
  if (sent >= optweb::kNever) return optweb::kNever;
  const OptwebLatencies& t = parameters_.latency();
  const Cycle under_way = t.link_ip + parameters_.config->link.propagation + adapter;
  return clock_.crossing(*sender_, sent + t.transmit, under_way) + t.receive_link;
}

// FIFO on the receive side: the node takes a word per cycle. Words that come faster, by clocks that differ, stay in it:
// nothing holds the sender back.
void LinkIp::fill(const OptwebTrain& train) {
  const auto words = static_cast<Cycle>(train.words);
  const Cycle even = std::min<Cycle>(words, static_cast<Cycle>(parameters_.fifo->even()));
  const Cycle faster = std::max<Cycle>(0, words - 1 - (train.last - train.first));
  most_received_ = std::max(most_received_, static_cast<std::uint64_t>(even + faster));
  if (even + faster <= static_cast<Cycle>(parameters_.fifo->depth())) return;
  throw RunError(
      fmt::format("{}: the receive FIFO of {} words (link.serial.fifo) overflows: the clock of the node takes {} of {} "
                  "words too slowly, and nothing holds the sender back",
                  name(), parameters_.fifo->depth(), faster, train.words));
}

void LinkIp::receive(PortId, const OptwebTransfer& transfer) {
  listen(transfer);
  if (incoming_ != nullptr) note(transfer);
  const auto arrival = [&](Cycle sent) { return this->arrival(sent, transfer.adapter); };
  switch (transfer.kind) {
    case OptwebTransfer::Kind::notification:
      owner_.notification_arrives(port_, transfer.notification, arrival(transfer.sent));
      break;
    case OptwebTransfer::Kind::train: {
      OptwebTrain train = transfer.train;
      train.adapter = transfer.adapter;
      train.first = arrival(train.first);
      train.last = arrival(train.last);
      if (parameters_.fifo) fill(train);
      owner_.train_arrives(port_, std::move(train));
      break;
    }
    case OptwebTransfer::Kind::delay:
      owner_.train_is_late(port_, arrival(transfer.sent), transfer.ended, arrival(sender_->now()));
      break;
    case OptwebTransfer::Kind::turn:
      owner_.train_turns(port_, {arrival(transfer.turn.at), transfer.turn.units}, arrival(transfer.first),
                         arrival(transfer.sent), transfer.ended);
      break;
    case OptwebTransfer::Kind::lane:
      break;
  }
}

std::vector<optweb::LinkTimeline::Stop> LinkIp::gaps(const OptwebTrain& train) const {
  using Stop = optweb::LinkTimeline::Stop;
  std::vector<Stop> out;
  if (train.time == nullptr) return out;
  Cycle end = train.ended == kNoTime ? optweb::kNever : sender_->at_or_after(train.ended) + 1;
  const std::vector<Stop> stops = train.time->stops(end);
  if (end >= optweb::kNever) end = stops.back().begin + 1;  // it stands still for good
  const auto add = [&](Cycle begin, Cycle stop) {
    if (begin < stop && begin < train.last && stop > train.first) out.push_back({begin, stop});
  };
  if (coming_ != nullptr) {
    const auto over = [&](const optweb::LinkTimeline::Repeat& r) {
      return crossed(r.begin + r.before + r.delay, train.adapter) <= train.first;
    };
    coming_->delivered(end);  // repeats of what was sent before, also those of which the sender knows later
    const std::vector<optweb::LinkTimeline::Repeat>& all = coming_->repeats(end);
    for (auto r = std::partition_point(all.begin(), all.end(), over); r != all.end(); ++r) {
      const Cycle begin = crossed(r->begin + r->before, train.adapter);
      if (begin >= train.last) break;
      add(begin, crossed(r->begin + r->before + r->delay, train.adapter));
    }
  }
  for (const Stop& s : stops) add(arrival(s.begin, train.adapter), arrival(s.end, train.adapter));
  return optweb::joined(std::move(out));
}

namespace {

// Words of a run that have passed at a position, at an even pace behind the first one, which is dropped.
double words_at(Cycle begin, Cycle end, std::uint64_t words, Cycle at) {
  if (at >= end) return static_cast<double>(words);
  const double share = static_cast<double>(at - begin) / static_cast<double>(end - begin);
  return std::max(0.0, share * static_cast<double>(words + 1) - 1);
}

}  // namespace

std::vector<LinkIp::Sent> LinkIp::all_sent(Cycle now) const {
  std::vector<Sent> out = sent_;
  if (run_words_ == 0 || now <= run_.begun()) return out;
  Cycle over = std::min(end(), now);
  if (end() >= optweb::kNever)
    over = std::min(now, time_->stops(optweb::kNever).back().begin);  // it stands still for good
  const std::uint64_t words = over == end() ? run_words_ : run_.passed_by(run_time(over));
  out.push_back({run_begun_, timeline_->position(over), words, over - run_.begun(), false});
  return out;
}

LinkIp::Busy LinkIp::busy(Cycle now) const {
  Busy out;
  if (timeline_ == nullptr) return out;
  for (const Sent& s : all_sent(now)) {
    if (s.notification) continue;
    out.all += s.taken;
    out.moving += s.end - s.begin;
  }
  return out;
}

std::map<std::optional<std::uint32_t>, LinkIp::Repeated> LinkIp::repeated(Cycle now) const {
  std::map<std::optional<std::uint32_t>, Repeated> by_fault;
  if (timeline_ == nullptr) return by_fault;
  std::vector<Sent> sent = all_sent(now);
  std::sort(sent.begin(), sent.end(), [](const Sent& a, const Sent& b) { return a.end < b.end; });
  for (const optweb::LinkTimeline::Repeat& r : timeline_->repeats(now)) {
    if (r.known >= now) continue;
    Repeated& out = by_fault[r.fault];
    ++out.times;
    const bool lost = r.delay >= optweb::kNever;
    for (auto s = std::partition_point(sent.begin(), sent.end(), [&](const Sent& x) { return x.end <= r.begin; });
         s != sent.end() && s->begin < r.end; ++s) {
      if (s->notification) {
        (lost ? out.lost_notifications : out.notifications) += s->end <= r.end ? 1 : 0;
      } else {
        const double passed = words_at(s->begin, s->end, s->words, r.end) -
                              words_at(s->begin, s->end, s->words, std::max(r.begin, s->begin));
        (lost ? out.lost_words : out.words) += static_cast<std::uint64_t>(passed + 0.5);
      }
    }
  }
  return by_fault;
}

}  // namespace weft
