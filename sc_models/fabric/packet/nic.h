#pragma once
// Network interface (NIC) of a packet network: unbounded application queues per SL, a sending buffer with its egress
// scheduler, and a receiving side that consumes flits as they arrive. Timing: docs/packet_switches.md.

#include <memory>
#include <systemc>
#include <vector>

#include "fabric/clock_domain.h"
#include "fabric/packet/packet_switch.h"

namespace weft {

/// Takes messages back that have arrived, and those that were stopped before they entered the network.
class DeliveryHandler {
 public:
  virtual ~DeliveryHandler() = default;
  virtual void take_delivery(PacketMessage& message, Cycle now) = 0;
  virtual void take_back(PacketMessage& message) = 0;
};

class Nic : public HotObject, public sc_core::sc_module, public PacketReceiver, public EgressOwner, public Agent {
 public:
  Nic(sc_core::sc_module_name name, NodeId node, const PacketParameters& parameters, const PacketRouter& router,
      EgressSchedulerFactory& schedulers, PacketCommon& common, DeliveryHandler& handler);

  PacketInPort& in() { return *in_; }
  PacketOutPort& out() { return *out_; }
  EgressPort& egress() { return egress_; }
  const EgressPort& egress() const { return egress_; }

  /// A new message, generated in the present cycle. Call from inside the agenda, before Phase::transfer.
  void submit(PacketMessage& message, Cycle now);
  /// Gives back what waits in the application queues.
  void withdraw();

  void receive(PortId, const PacketTransfer& transfer) override { take(*transfer.message, transfer.head); }
  /// A message whose first flit arrives in cycle `head`.
  void take(PacketMessage& message, Cycle head);
  /// The last flit of the first message under way arrives (PacketAgenda).
  void arrive(Cycle now);
  /// Brings what an arrival needs into the cache; then the message.
  void fetch_arrival() const { prefetch(&node_); }
  void fetch_arriving() const { arriving_.fetch_front(); }
  /// Moves messages from the application queues into the buffer, lowest SL first, as long as there is room: in cycles
  /// in which some have been generated (PacketAgenda), and before decisions.
  void fill(Cycle now);
  /// Brings what a new message needs into the cache.
  void fetch_source(ServiceLevel level) const {
    prefetch(&waiting_);
    prefetch(application_.place(level));
    egress_.fetch();
  }
  /// Plans an arrival that lay too far ahead for the agenda.
  void due(Cycle now, std::uint32_t /*token*/) override {
    common_.agenda.plan_arrival(*this, now + PacketAgenda::kReminder);
  }
  void before_decision(Cycle now) override { fill(now); }
  void space_coming(PortId port, Cycle from) override;

 protected:
  void end_of_elaboration() override {
    egress_.resolve(*out_);
    answer_way_.resolve(*in_);
  }

 private:
  static constexpr std::size_t kFewLevels = 8;  // whose state lies in the NIC itself
  // What an arrival needs is a line of the cache.
  alignas(64) const NodeId node_;
  PacketCommon& common_;
  const PacketParameters& parameters_;
  DeliveryHandler& handler_;
  MessageQueue arriving_;
  PacketAnswerWay answer_way_;
  // And what a new message needs, but for the queue of its level, two others.
  alignas(64) std::uint32_t waiting_ = 0;         // bit s: application queue s holds a message
  Cycle fill_at_ = -1;                            // last cycle in which messages were generated
  InlineArray<VirtualLane, kFewLevels> lane_of_;  // these are by SL
  InlineArray<std::uint8_t, kFewLevels> channel_of_;
  InlineArray<MessageQueue, kFewLevels> application_;
  EgressPort egress_;
  // Apart: they are large and seldom used.
  const std::unique_ptr<PacketInPort> in_;
  const std::unique_ptr<PacketOutPort> out_;
  sc_core::sc_time credit_delay_;
};

}  // namespace weft
