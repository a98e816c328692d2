#include "fabrics/optweb/link/link_ip.h"

#include <algorithm>

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

void LinkIp::connect(LinkIp& other, LinkAdapter<OptwebProtocol>* adapter) {
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
  const Cycle at = std::max(now, run_.cut());
  if (now < run_.end() && at <= run_.last_taken()) {  // the word in hand and the gap come first; then a gap and a word
                                                      // to be dropped
    sent = at + parameters_.link.time(1 + gap) + latency;
    transfer.kind = OptwebTransfer::Kind::delay;
    const Cycle pause = run_.pace().time(2 * gap + 2);
    run_.pause(at, pause);
    lane_sender_.cut(at, pause);
    transfer.sent = run_.end();
    transfer.ended = clock_.time(run_.end());
    free_ = run_.end() + parameters_.link.time(gap);
    send(transfer);
    transfer.noted = at + parameters_.link.time(2 + gap);
  } else {
    sent = rested(now) + latency;
    free_ = sent + parameters_.link.time(gap);
    transfer.noted = sent;
    alone = true;
  }
  ++notifications_;
  constexpr std::size_t kRemembered = 16;  // more cannot lie ahead: each waits for the one before
  noted_.push_back(sent - 1);
  if (noted_.size() > kRemembered) noted_.take();
  transfer.kind = OptwebTransfer::Kind::notification;
  transfer.sent = sent;
  transfer.notification = notification;
  send(transfer);
  if (alone) lane_sender_.note(sent - 1);
  return sent;
}

void LinkIp::begin(Cycle now, OptwebTrain train, const optweb::WordRate& pace) {
  lane_sender_.catch_up(now);
  run_.begin(parameters_, now, train.words + 1, pace, serial_.lead(parameters_, clock_.time(now), pace));
  free_ = run_.end() + parameters_.link.time(parameters_.config->link.gap);
  words_ += train.words;
  train.begun = clock_.time(now);
  train.ended = clock_.time(run_.end());
  train.first = run_.first();
  train.last = run_.end();
  OptwebTransfer transfer;
  transfer.kind = OptwebTransfer::Kind::train;
  transfer.first = now;
  transfer.train = train;
  send(transfer);
  lane_sender_.begin(train.words);
}

void LinkIp::turn(Cycle now, const optweb::WordRate& pace) {
  if (pace == run_.pace()) return;
  lane_sender_.before_turn(now);
  if (!run_.turn(now, pace)) return;
  free_ = run_.end() + parameters_.link.time(parameters_.config->link.gap);
  OptwebTransfer transfer;
  transfer.kind = OptwebTransfer::Kind::turn;
  transfer.turn = {now, run_.passed()};
  transfer.first = run_.first();
  transfer.sent = run_.end();
  transfer.ended = clock_.time(run_.end());
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

LinkIp::Lane LinkIp::lane(Cycle cycle) const {
  if (std::find(noted_.begin(), noted_.end(), cycle) != noted_.end()) return Lane::notification;
  return cycle >= run_.begun() && cycle < run_.end() ? Lane::data : Lane::rest;
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
  const OptwebLatencies& t = parameters_.latency();
  const Cycle under_way = t.link_ip + parameters_.config->link.propagation + adapter;
  return clock_.crossing(*sender_, sent + t.transmit, under_way) + t.receive_link;
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
      train.first = arrival(train.first);
      train.last = arrival(train.last);
      owner_.train_arrives(port_, train);
      break;
    }
    case OptwebTransfer::Kind::delay:
      owner_.train_is_late(port_, arrival(transfer.sent), transfer.ended);
      break;
    case OptwebTransfer::Kind::turn:
      owner_.train_turns(port_, {arrival(transfer.turn.at), transfer.turn.units}, arrival(transfer.first),
                         arrival(transfer.sent), transfer.ended);
      break;
    case OptwebTransfer::Kind::lane:
      break;
  }
}

}  // namespace weft
