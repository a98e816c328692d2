#include "fabric/packet/nic.h"

#include <fmt/format.h>

#include <bit>

#include "base/diagnostics.h"

namespace weft {

Nic::Nic(sc_core::sc_module_name name, NodeId node, const PacketParameters& parameters, const PacketRouter& router,
         EgressSchedulerFactory& schedulers, PacketCommon& common, DeliveryHandler& handler)
    : sc_module(name),
      node_(node),
      common_(common),
      parameters_(parameters),
      handler_(handler),
      lane_of_(parameters.levels),
      channel_of_(parameters.levels),
      application_(parameters.levels),
      egress_(*this, common, kNoId, 0, parameters.nic, parameters.input,
              schedulers.scheduler({this->name(), kNoId, 0, node, &common.domain})),
      in_(std::make_unique<PacketInPort>("in", *this, 0)),
      out_(std::make_unique<PacketOutPort>("out", &egress_, 0)),
      credit_delay_(common.domain.time_of(parameters.stages.credit)) {
  for (std::uint32_t s = 0; s < parameters.levels; ++s) {
    lane_of_[s] = router.injection_lane(node, static_cast<ServiceLevel>(s));
    channel_of_[s] = router.injection_channel(node, static_cast<ServiceLevel>(s));
  }
}

void Nic::submit(PacketMessage& message, Cycle now) {
  message.generated = now;
  message.lane = lane_of_[message.level];
  message.channel = channel_of_[message.level];
  common_.observers.tell([&](PacketObserver& o) { o.on_generate(message); });
  application_[message.level].push(message);
  waiting_ |= 1U << message.level;
  egress_.wait_for_space(true);
  if (fill_at_ == now) return;  // all messages of a cycle are there before the first goes on
  fill_at_ = now;
  common_.agenda.plan_fill(*this, now);
}

void Nic::withdraw() {
  for (; waiting_ != 0; waiting_ &= waiting_ - 1) {
    MessageQueue& queue = application_[static_cast<std::size_t>(std::countr_zero(waiting_))];
    while (!queue.empty()) handler_.take_back(queue.pop());
  }
  egress_.wait_for_space(false);
}

void Nic::fill(Cycle now) {
  std::int64_t lacking = 0;
  for (std::uint32_t left = waiting_; left != 0; left &= left - 1) {
    const auto level = static_cast<ServiceLevel>(std::countr_zero(left));
    MessageQueue& queue = application_[level];
    while (!queue.empty()) {
      const std::int64_t missing = egress_.space().lacking(lane_of_[level], queue.front()->flits, now);
      if (missing > 0) {
        lacking = lacking == 0 ? missing : std::min(lacking, missing);
        break;
      }
      PacketMessage& m = queue.pop();
      m.ready = now;
      egress_.reserve(m.lane, m.flits);
      egress_.push(m);
    }
    if (queue.empty()) waiting_ &= ~(1U << level);
  }
  egress_.wait_for_space(waiting_ != 0);
  // Space that comes back while the link is free is used at once; while it is busy the next decision will do.
  if (lacking > 0 && egress_.space().draining()) egress_.wake(egress_.space().earliest(now, lacking));
}

void Nic::space_coming(PortId, Cycle from) { egress_.wake(from); }

void Nic::take(PacketMessage& m, Cycle head) {
  m.ready = head + static_cast<Cycle>(m.flits) - 1;  // its last flit arrives
  arriving_.push(m);
  common_.agenda.plan_arrival(*this, m.ready);
  PacketTransfer credits;
  credits.lane = m.lane;
  const Cycle back = head + parameters_.stages.credit;
  credits.credits = {back, back, 1, m.flits};
  answer_way_.answer(credits, credit_delay_);
}

void Nic::arrive(Cycle now) {
  PacketMessage& m = arriving_.pop();
  if (m.destination != node_) {
    throw RunError(fmt::format("{}: a message for node {} arrives here", this->name(), m.destination));
  }
  handler_.take_delivery(m, now);
}

}  // namespace weft
