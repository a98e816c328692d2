#pragma once
// Network interface (NIC) of an input-queued network: an unbounded queue of packets, one packet at a time on a VC of
// the router's input port, flit by flit as credits allow; takes every flit that arrives. Timing: docs/iq_router.md.

#include <algorithm>
#include <functional>
#include <limits>
#include <systemc>
#include <vector>

#include "fabrics/packet/common/nic.h"
#include "fabrics/packet/iq/iq_router.h"
#include "kernel/clock_domain.h"

namespace weft {

class IqNic : public sc_core::sc_module, public IqReceiver, public IqSender, public Agent {
 public:
  /// Becomes a member of the agenda. All references must outlive the NIC.
  IqNic(sc_core::sc_module_name name, ClockDomain& domain, IqAgenda& agenda, NodeId node,
        const IqParameters& parameters, const PacketObservers& observers, DeliveryHandler& handler);

  IqInPort& in() { return in_; }
  IqOutPort& out() { return out_; }

  /// A new packet, generated in the present cycle (before Phase::transfer).
  void submit(PacketMessage& message, Cycle now);
  /// Gives back the packets that have not begun to leave.
  void withdraw();
  /// Packets that have not begun to leave.
  std::uint64_t backlog() const { return backlog_; }
  /// Flits sent so far.
  std::uint64_t sent() const { return sent_; }
  /// The packet that is leaving or would be next, null when there is none.
  const PacketMessage* first() const { return current_ != nullptr ? current_ : queue_.front(); }
  /// Packets begin to leave only while the link is up. In Phase::prepare.
  void set_link(bool up, Cycle now);
  /// Packets on the wire to this NIC, in Phase::prepare: those whose tail has not arrived.
  void each_on_wire(const std::function<void(const PacketMessage&)>& visit) const;
  /// Credits of a VC, those on their way back included.
  std::uint32_t credits(std::uint32_t vc) const {
    return vcs_[vc].credits + coming(vc, std::numeric_limits<Cycle>::max());
  }
  /// Credits of a VC that it can use in cycle `now`.
  std::uint32_t credits_here(std::uint32_t vc, Cycle now) const { return vcs_[vc].credits + coming(vc, now); }
  bool leads_straight() const { return straight_; }
  /// As IqCore::lose_credits().
  void lose_credits(std::uint32_t vc, std::uint32_t credits) {
    take_credits(acted_);
    vcs_[vc].credits -= std::min(credits, vcs_[vc].credits);
  }
  /// Difference from the initial state; empty when all is back, credits on the wire count as back.
  std::string leftovers() const;

  /// A flit that arrives in cycle `at`, a credit that can be used from then on.
  void take_flit(std::uint32_t vc, IqFlit flit, Cycle at);
  void take_credit(std::uint32_t vc, Cycle at);

  void receive(PortId, const IqTransfer& transfer) override { take_flit(transfer.vc, transfer.flit, transfer.at); }
  void answer(PortId, const IqTransfer& transfer) override { take_credit(transfer.vc, transfer.at); }
  void due(Cycle now, std::uint32_t token) override;

 protected:
  void end_of_elaboration() override;

 private:
  static constexpr std::uint32_t kSend = 0;
  static constexpr std::uint32_t kDelivery = 1;
  struct Credit {
    Cycle at;
    std::uint32_t vc;
  };
  struct Vc {
    std::uint32_t credits = 0;
    PacketMessage* arriving = nullptr;  // on the receiving side
    std::uint32_t arrived = 0;          // flits of it
  };
  /// Of a VC, those that come back up to a cycle.
  std::uint32_t coming(std::uint32_t vc, Cycle last) const;
  void take_credits(Cycle now);
  bool start_packet(Cycle now);
  void send_flit(Cycle now);
  void wait_for_credit();
  void plan(Cycle at) {
    planned_ = true;
    agenda_.plan(at, member_);
  }

  // What a packet needs lies together, before the large sockets.
  ClockDomain& domain_;
  IqAgenda& agenda_;
  const PacketObservers& observers_;
  DeliveryHandler& handler_;
  const std::uint32_t member_;
  const NodeId node_;
  std::uint32_t next_flit_ = 0;       // of the packet on the link
  std::uint32_t vc_ = 0;              // of it
  PacketMessage* current_ = nullptr;  // that packet
  MessageQueue queue_;
  std::uint64_t backlog_ = 0;
  std::uint64_t sent_ = 0;
  std::uint32_t pointer_ = 0;
  bool planned_ = false;  // a decision is on the agenda
  bool blocked_ = false;  // the next credit plans it
  bool stopped_ = false;  // the link is down
  bool straight_ = false;
  IqCore* down_ = nullptr;       // where flits go; null: by path_
  IqCore* up_ = nullptr;         // where credits go; null: by path_
  IqCore::VcIndex down_vc_ = 0;  // the first one there
  IqCore::VcIndex up_vc_ = 0;
  std::vector<Vc> vcs_;
  std::vector<Credit> credits_;  // ring of those that were not taken yet; a VC never has more than its buffer
  std::size_t first_credit_ = 0;
  std::size_t credits_coming_ = 0;
  Cycle acted_ = -1;  // the last cycle in which it did
  MessageQueue arriving_;
  const IqParameters parameters_;
  LinkForwardPath<IqProtocol> path_;
  LinkBackwardPath<IqProtocol> answer_path_;
  sc_core::sc_time link_delay_;
  sc_core::sc_time credit_delay_;
  IqInPort in_;
  IqOutPort out_;
};

}  // namespace weft
