#pragma once
// Network interface (NIC) of a packet network: unbounded application queues per SL, a sending buffer with its egress
// scheduler, and a receiving side that consumes flits as they arrive. Timing: docs/packet_switches.md.

#include <array>
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

class Nic : public sc_core::sc_module, public PacketReceiver, public EgressOwner, public Agent {
 public:
  Nic(sc_core::sc_module_name name, NodeId node, const PacketParameters& parameters, const PacketRouter& router,
      EgressSchedulerFactory& schedulers, EgressCommon& common, DeliveryHandler& handler);

  PacketInPort& in() { return in_; }
  PacketOutPort& out() { return out_; }
  EgressPort& egress() { return egress_; }
  const EgressPort& egress() const { return egress_; }

  /// A new message, generated in the present cycle. Call before Phase::transfer or from outside the agenda.
  void submit(PacketMessage& message, Cycle now);
  /// Gives back what waits in the application queues.
  void withdraw();

  void receive(PortId in, const PacketTransfer& transfer) override;
  void due(Cycle now, std::uint32_t token) override;
  void before_decision(Cycle now) override;
  void space_coming(PortId port, Cycle from) override;

 protected:
  void end_of_elaboration() override {
    egress_.resolve(out_);
    answer_way_.resolve(in_);
  }

 private:
  static constexpr std::uint32_t kDelivery = 0;
  static constexpr std::uint32_t kFill = 1;
  void fill_buffer(Cycle now);

  ClockDomain& domain_;
  const NodeId node_;
  const PacketParameters& parameters_;
  const PacketObservers& observers_;
  DeliveryHandler& handler_;
  EgressPort egress_;
  PacketInPort in_;
  PacketOutPort out_;
  PacketAnswerWay answer_way_;
  std::array<VirtualLane, kMaxServiceLevels> lane_of_{};
  std::array<std::uint8_t, kMaxServiceLevels> channel_of_{};
  std::array<MessageQueue, kMaxServiceLevels> application_;
  std::uint32_t waiting_ = 0;  // bit s: application queue s holds a message
  Cycle fill_at_ = -1;         // last cycle in which messages were generated
  MessageQueue arriving_;
  sc_core::sc_time credit_delay_;
};

}  // namespace weft
