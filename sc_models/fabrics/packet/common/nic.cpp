#include "fabrics/packet/common/nic.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "base/diagnostics.h"
#include "fabrics/packet/common/packet_switch.h"

namespace weft {

NicCore::NicCore(Nic& module, NodeId node, const PacketParameters& parameters, const PacketRouter& router,
                 std::unique_ptr<EgressScheduler> scheduler, PacketCommon& common, DeliveryHandler& handler)
    : node_(node),
      common_(common),
      handler_(handler),
      module_(module),
      entry_(parameters.levels),
      application_(parameters.levels),
      egress_(*this, common, kNoId, 0, parameters.nic, parameters.input, std::move(scheduler)) {
  for (std::uint32_t s = 0; s < parameters.levels; ++s) {
    const auto level = static_cast<ServiceLevel>(s);
    entry_[s] = {router.injection_lane(node, level), router.injection_channel(node, level)};
  }
}

void NicCore::submit(PacketMessage& message, Cycle now) {
  message.generated = now;
  message.lane = entry_[message.level].lane;
  message.channel = entry_[message.level].channel;
  common_.note_size(message.level, message.flits);
  common_.observers.tell_end([&](PacketObserver& o) { o.on_generate(message); });
  application_[message.level].push(message);
  waiting_ |= 1U << message.level;
  egress_.wait_for_space(true);
  if (fill_at_ == now) return;  // all messages of a cycle are there before the first goes on
  fill_at_ = now;
  common_.agenda.plan_fill(*this, now);
}

void NicCore::withdraw() {
  for (; waiting_ != 0; waiting_ &= waiting_ - 1) {
    MessageQueue& queue = application_[static_cast<std::size_t>(std::countr_zero(waiting_))];
    while (!queue.empty()) handler_.take_back(queue.pop());
  }
  egress_.wait_for_space(false);
}

void NicCore::fill(Cycle now) {
  std::int64_t lacking = 0;
  for (std::uint32_t left = waiting_; left != 0; left &= left - 1) {
    const auto level = static_cast<ServiceLevel>(std::countr_zero(left));
    MessageQueue& queue = application_[level];
    while (!queue.empty()) {
      const std::int64_t missing =
          egress_.space().lacking(entry_[level].lane, common_.places(entry_[level].lane, queue.head().flits), now);
      if (missing > 0) {
        lacking = lacking == 0 ? missing : std::min(lacking, missing);
        break;
      }
      PacketMessage& m = handler_.admit(queue.pop());
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

void NicCore::space_coming(PortId, Cycle from) { egress_.wake(from); }

void NicCore::take(PacketMessage& m, Cycle head) {
  m.ready = head + static_cast<Cycle>(m.flits) - 1;  // its last flit arrives
  arriving_.push(m);
  common_.agenda.plan_arrival(*this, m.ready);
  const Cycle back = head + common_.parameters.stages.credit;
  common_.give_back(
      m.lane, {back, back, 1, m.flits}, [&](const Drain& credits) __attribute__((always_inline)) {
        if (sender_ != nullptr) {
          sender_->take_credits(m.lane, credits, common_.domain.now());
        } else {
          module_.answer(m.lane, credits);
        }
      });
}

void NicCore::arrive(Cycle now) {
  PacketMessage& m = arriving_.pop();
  if (m.destination != node_) {
    throw RunError(fmt::format("{}: a message for node {} arrives here", module_.name(), m.destination));
  }
  handler_.take_delivery(m, now);
}

Nic::Nic(sc_core::sc_module_name name, NodeId node, const PacketParameters& parameters, const PacketRouter& router,
         EgressSchedulerFactory& schedulers, PacketCommon& common, DeliveryHandler& handler)
    : sc_module(name),
      common_(common),
      core_(std::make_unique<NicCore>(*this, node, parameters, router,
                                      schedulers.scheduler({this->name(), kNoId, 0, node, &common.domain}), common,
                                      handler)),
      in_(*this, 0),
      out_(&core_->egress().sender(), 0),
      credit_delay_(common.domain.time_of(parameters.stages.credit)) {}

void Nic::answer(VirtualLane lane, const Drain& credits) {
  PacketTransfer transfer;
  transfer.lane = lane;
  transfer.credits = credits;
  answer_path_.answer(transfer, credit_delay_);
}

void Nic::end_of_elaboration() {
  core_->egress().resolve(out_);
  answer_path_.resolve(in_);
  core_->set_sender(EgressPort::of(answer_path_.straight()));
}

}  // namespace weft
