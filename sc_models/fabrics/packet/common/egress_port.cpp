#include "fabrics/packet/common/egress_port.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace weft {

EgressPort::EgressPort(EgressOwner& owner, PacketCommon& common, SwitchId sw, PortId port, const BufferShares& buffer,
                       const BufferShares& next_buffer, std::unique_ptr<EgressScheduler> scheduler)
    : common_(common),
      owner_(owner),
      sw_(sw),
      port_(static_cast<std::uint8_t>(port)),
      queues_(buffer.minimum.size()),
      scheduler_(scheduler.get()),
      cold_(std::make_unique<ColdState>(*this, next_buffer, std::move(scheduler))),
      space_(buffer) {
  cold_->block = dynamic_cast<EgressBlock*>(cold_->scheduler.get());
  if (cold_->block != nullptr) {
    has_block_ = true;
    cold_->block->stand(*this);
  }
  last_lane_.fill(kMaxLanes - 1);
  if (common.parameters.levels > kFewLevels) {
    cold_->last_lane.assign(common.parameters.levels - kFewLevels, kMaxLanes - 1);
  }
}

EgressPort* EgressPort::of(PacketSender* sender) {
  auto* const cold = dynamic_cast<ColdState*>(sender);
  return cold == nullptr ? nullptr : &cold->port;
}

void EgressPort::push(PacketMessage& message) {
  const VirtualLane lane = message.lane;
  const bool first = queues_[lane].empty();
  queues_[lane].push(message);
  occupied_ |= 1U << lane;
  if (first) wake(message.ready);
}

void EgressPort::wake(Cycle at) {
  at = std::max(at, free_at_);
  if (at >= wake_at_ || at <= served_) return;
  wake_at_ = at;
  common_.agenda.plan_decision(*this, at);
}

void EgressPort::set_link(bool up, Cycle now) {
  down_ = !up;
  if (!up) {
    if (now > free_at_) scheduler_->idle();
    cold_->resume_at = std::exchange(free_at_, kNever);
    return;
  }
  free_at_ = std::max(now, cold_->resume_at);
  wake(free_at_);
}

void EgressPort::discard(Cycle now, LossHandler& losses, bool coming_too) {
  for (std::uint32_t left = occupied_; left != 0; left &= left - 1) {
    const auto lane = static_cast<VirtualLane>(std::countr_zero(left));
    MessageQueue& queue = queues_[lane];
    while (!queue.empty() && (coming_too || queue.head().ready <= now)) {
      PacketMessage& m = queue.pop();
      common_.give_back(lane, {std::max(now, m.ready), m.ready, 1, m.flits},
                        [&](const Drain& d) { space_.add(lane, d, now); });
      losses.take_loss(m, now, sw_, port_);
    }
    if (queue.empty()) occupied_ &= ~(1U << lane);
  }
}

void EgressPort::send_by_socket(PacketMessage& message, Cycle head) {
  PacketTransfer transfer;
  transfer.message = &message;
  transfer.head = head;
  cold_->path.send(transfer, common_.link_delay);
}

// Which SLs are active in this cycle, with which message; and what the others wait for.
void EgressPort::find_active(Cycle now) {
  EgressView& view = common_.view;
  std::uint32_t active = 0;
  Cycle next_ready = kNever;
  std::int32_t short_by = 0;
  for (std::uint32_t left = occupied_; left != 0; left &= left - 1) {
    const auto lane = static_cast<VirtualLane>(std::countr_zero(left));
    const PacketMessage& m = queues_[lane].head();
    if (m.ready > now) {
      next_ready = std::min(next_ready, m.ready);
      continue;
    }
    const auto lacking = static_cast<std::int32_t>(credits_->lacking(lane, common_.places(lane, m.flits), now));
    if (lacking > 0) {
      short_by = short_by == 0 ? lacking : std::min(short_by, lacking);
      continue;
    }
    const std::uint32_t bit = 1U << m.level;
    if ((active & bit) != 0) {
      const VirtualLane last = last_lane(m.level);
      if (common_.lane_of[m.level] > last || lane <= last) continue;
    }
    active |= bit;
    view.head[m.level] = m.flits;
    common_.lane_of[m.level] = lane;
  }
  view.active = active;
  common_.next_ready = next_ready;
  common_.short_by = short_by;
  credits_->want(short_by > 0);
}

// Asks for the next decision.
void EgressPort::plan(Cycle now) {
  if (common_.view.active != 0) {
    wake(now + 1);
    return;
  }
  if (common_.next_ready != kNever) wake(common_.next_ready);
  if (common_.short_by > 0 && credits_->draining()) wake(credits_->earliest(now, common_.short_by));
}

void EgressPort::decide(Cycle now) {
  if (now != wake_at_) return;  // overtaken by an earlier wish
  wake_at_ = kNever;
  if (now < free_at_) {  // a decision has been made since the wish
    wake(free_at_);
    return;
  }
  served_ = now;
  if (owner_waits_) owner_.before_decision(now);
  if (occupied_ == 0) {
    if (decides_idle_) scheduler_->idle();
    return;
  }
  find_active(now);
  if (common_.view.active != 0) {
    // In the cycles since it was free nothing was active: the port would have been woken.
    if (now > free_at_) scheduler_->idle();
    free_at_ = now + 1;
    if (const auto level = scheduler_->pick(common_.view)) {
      send(*level, now);
      find_active(now);
      scheduler_->sent(*level, common_.view);
    }
    if (decides_idle_) wake(free_at_);
  } else if (decides_idle_) {
    scheduler_->idle();
  }
  plan(now);
}

}  // namespace weft
