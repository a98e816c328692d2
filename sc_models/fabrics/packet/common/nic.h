#pragma once
// Network interface (NIC) of a packet network: unbounded application queues per SL, a sending buffer with its egress
// scheduler, and a receiving side that consumes flits as they arrive. Timing: docs/packet_switches.md.
//
// The part that every message touches, NicCore, lies in hot memory, apart from the module with its sockets.

#include <memory>
#include <systemc>

#include "base/hot_memory.h"
#include "base/inline_array.h"
#include "fabrics/packet/common/egress_port.h"
#include "fabrics/packet/common/message.h"
#include "fabrics/packet/common/packet_common.h"
#include "fabrics/packet/common/protocol.h"
#include "kernel/clock_domain.h"

namespace weft {

class Nic;
class PacketRouter;
class EgressSchedulerFactory;

/// Takes messages back that have arrived, and those that were stopped before they entered the network.
class DeliveryHandler {
 public:
  virtual ~DeliveryHandler() = default;
  /// The message enters the network and may lie elsewhere from then on.
  virtual PacketMessage& admit(PacketMessage& message) { return message; }
  virtual void take_delivery(PacketMessage& message, Cycle now) = 0;
  virtual void take_back(PacketMessage& message) = 0;
};

class NicCore final : public HotObject, public EgressOwner {
 public:
  NicCore(Nic& module, NodeId node, const PacketParameters& parameters, const PacketRouter& router,
          std::unique_ptr<EgressScheduler> scheduler, PacketCommon& common, DeliveryHandler& handler);

  EgressPort& egress() { return egress_; }
  const EgressPort& egress() const { return egress_; }
  Nic& module() const { return module_; }
  /// Sender to this NIC, when nothing is between; without it credits go back by the sockets.
  void set_sender(EgressPort* sender) { sender_ = sender; }

  /// A new message, generated in the present cycle. Call from inside the agenda, before Phase::transfer.
  void submit(PacketMessage& message, Cycle now);
  /// Gives back what waits in the application queues.
  void withdraw();
  /// Moves messages from the application queues into the buffer, lowest SL first, as long as there is room: in cycles
  /// in which some have been generated (PacketAgenda), and before decisions.
  void fill(Cycle now);
  void before_decision(Cycle now) override { fill(now); }
  void space_coming(PortId port, Cycle from) override;
  /// A message whose first flit arrives in cycle `head`.
  void take(PacketMessage& message, Cycle head);
  /// The last flit of the first message under way arrives (PacketAgenda).
  void arrive(Cycle now);

  /// Brings what an arrival needs into the cache; then the message, and the one behind it.
  void fetch_arrival() const { prefetch(this); }
  void fetch_arriving() const { arriving_.fetch_front(); }
  void fetch_following() const { arriving_.fetch_second(); }
  /// And what a new message needs.
  void fetch_source() const {
    prefetch(this, &egress_);
    egress_.fetch();
  }

 private:
  static constexpr std::size_t kFewLevels = 8;  // whose state lies in the NIC itself
  struct Entry {
    VirtualLane lane = 0;
    std::uint8_t channel = 0;
  };
  // What an arrival needs is a line of the cache; what a new message needs, that and the next.
  const NodeId node_;
  MessageQueue arriving_;
  PacketCommon& common_;
  DeliveryHandler& handler_;
  EgressPort* sender_ = nullptr;
  Nic& module_;
  std::uint32_t waiting_ = 0;  // bit s: application queue s holds a message
  Cycle fill_at_ = -1;         // last cycle in which messages were generated
  // By SL: where messages enter the network, and where they wait.
  InlineArray<Entry, kFewLevels> entry_;
  InlineArray<MessageQueue, kFewLevels> application_;
  EgressPort egress_;
};
static_assert(sizeof(NicCore) == 128 + sizeof(EgressPort));

class Nic final : public sc_core::sc_module, public PacketReceiver, public Agent {
 public:
  Nic(sc_core::sc_module_name name, NodeId node, const PacketParameters& parameters, const PacketRouter& router,
      EgressSchedulerFactory& schedulers, PacketCommon& common, DeliveryHandler& handler);

  PacketInPort& in() { return in_; }
  PacketOutPort& out() { return out_; }
  NicCore& core() { return *core_; }
  EgressPort& egress() { return core_->egress(); }
  const EgressPort& egress() const { return core_->egress(); }

  void receive(PortId, const PacketTransfer& transfer) override { core_->take(*transfer.message, transfer.head); }
  /// Gives credits back by the sockets.
  [[gnu::noinline]] void answer(VirtualLane lane, const Drain& credits);
  /// Plans an arrival that lay too far ahead for the agenda.
  void due(Cycle now, std::uint32_t /*token*/) override {
    common_.agenda.plan_arrival(*core_, now + PacketAgenda::kReminder);
  }

 protected:
  void end_of_elaboration() override;

 private:
  PacketCommon& common_;
  const std::unique_ptr<NicCore> core_;
  PacketInPort in_;
  PacketOutPort out_;
  PacketBackwardPath answer_path_;
  const sc_core::sc_time credit_delay_;
};

}  // namespace weft
