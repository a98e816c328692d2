#include "fabric/packet/egress_port.h"

#include <bit>
#include <utility>

namespace weft {

EgressPort::EgressPort(EgressOwner& owner, EgressScratch& scratch, PortId port, const BufferShares& buffer,
                       const BufferShares& next_buffer, Cycle output_latency,
                       std::unique_ptr<EgressScheduler> scheduler)
    : port_(port),
      owner_(owner),
      scheduler_(std::move(scheduler)),
      queues_(buffer.minimum.size()),
      space_(buffer),
      credits_(next_buffer),
      scratch_(scratch),
      output_latency_(output_latency) {
  last_lane_.fill(static_cast<VirtualLane>(kMaxLanes - 1));
}

void EgressPort::push(PacketMessage& message) {
  const VirtualLane lane = message.lane;
  const bool first = queues_[lane].empty();
  queues_[lane].push(message);
  occupied_ |= 1U << lane;
  if (first) wake(message.ready);
}

void EgressPort::add_credits(VirtualLane lane, const Drain& drain, Cycle now) {
  credits_.add(lane, drain, now);
  if (short_by_ > 0) wake(drain.start);
}

void EgressPort::wake(Cycle at) {
  at = std::max(at, free_at_);
  if (at >= wake_at_ || at <= served_) return;
  wake_at_ = at;
  owner_.wake_egress(port_, at);
}

void EgressPort::set_link(bool up, Cycle now) {
  if (!up) {
    resume_at_ = std::exchange(free_at_, kNever);
    return;
  }
  free_at_ = std::max(now, resume_at_);
  wake(free_at_);
}

void EgressPort::discard(Cycle now, SwitchId sw, LossHandler& losses) {
  for (; occupied_ != 0; occupied_ &= occupied_ - 1) {
    const auto lane = static_cast<VirtualLane>(std::countr_zero(occupied_));
    while (!queues_[lane].empty()) {
      PacketMessage& m = queues_[lane].pop();
      space_.add(lane, {std::max(now, m.ready), m.ready, 1, m.flits}, now);
      losses.take_loss(m, now, sw, port_);
    }
  }
}

// Which SLs are active in this cycle, with which message; and what the others wait for.
void EgressPort::look(Cycle now) {
  scratch_.view.active = 0;
  next_ready_ = kNever;
  short_by_ = 0;
  for (std::uint32_t left = occupied_; left != 0; left &= left - 1) {
    const auto lane = static_cast<VirtualLane>(std::countr_zero(left));
    const PacketMessage& m = *queues_[lane].front();
    if (m.ready > now) {
      next_ready_ = std::min(next_ready_, m.ready);
      continue;
    }
    const std::int64_t lacking = credits_.lacking(lane, m.flits, now);
    if (lacking > 0) {
      short_by_ = short_by_ == 0 ? lacking : std::min(short_by_, lacking);
      continue;
    }
    const std::uint32_t bit = 1U << m.level;
    const VirtualLane last = last_lane_[m.level];
    if ((scratch_.view.active & bit) != 0 && !(scratch_.lane_of[m.level] <= last && lane > last)) continue;
    scratch_.view.active |= bit;
    scratch_.view.head[m.level] = m.flits;
    scratch_.lane_of[m.level] = lane;
  }
}

// Asks for the next decision.
void EgressPort::plan(Cycle now) {
  if (scratch_.view.active != 0) {
    wake(now + 1);
    return;
  }
  if (next_ready_ != kNever) wake(next_ready_);
  if (short_by_ > 0 && credits_.draining()) wake(credits_.earliest(now, short_by_));
}

void EgressPort::send(ServiceLevel level, Cycle now) {
  const VirtualLane lane = scratch_.lane_of[level];
  PacketMessage& m = queues_[lane].pop();
  if (queues_[lane].empty()) occupied_ &= ~(1U << lane);
  last_lane_[level] = lane;
  credits_.take(lane, m.flits);
  const Cycle first = now + output_latency_;
  space_.add(lane, {first, first, 1, m.flits}, now);
  free_at_ = now + m.flits;
  ++sent_;
  owner_.space_coming(port_, first);
  owner_.transmit(port_, m, first);  // the message belongs to the receiver from here on
}

void EgressPort::due(Cycle now) {
  if (now != wake_at_) return;  // overtaken by an earlier wish
  wake_at_ = kNever;
  if (!link_free(now)) {  // a decision has been made since the wish
    wake(free_at_);
    return;
  }
  served_ = now;
  owner_.before_decision(now);
  if (occupied_ == 0) return;
  look(now);
  if (scratch_.view.active != 0) {
    if (const auto level = scheduler_->pick(scratch_.view)) {
      send(*level, now);
      look(now);
      scheduler_->sent(*level, scratch_.view);
    }
  }
  plan(now);
}

}  // namespace weft
