#pragma once
// Input-queued virtual-channel router as a SystemC module: the TLM sockets of its ports, and what can be seen of it.
// Its state and what it does are in the core of its network (iq_core.h). Timing: docs/iq_router.md.
//
// When a socket leads straight to another router of the core, as is known at the end of elaboration, flits and
// credits do not go by it; to a NIC they go as a call of its owner, through anything else that was put between as
// transport calls.

#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "fabrics/packet/iq/iq_core.h"

namespace weft {

class IqRouter : public sc_core::sc_module, public IqReceiver, public IqSender {
 public:
  /// The core must outlive the router.
  IqRouter(sc_core::sc_module_name name, IqCore& core, const SwitchSite& site);
  ~IqRouter() override;

  IqInPort& in(PortId port) { return *in_[port]; }
  IqOutPort& out(PortId port) { return *out_[port]; }
  PortId ports() const { return static_cast<PortId>(in_.size()); }
  IqCore& core() const { return core_; }
  /// Number of a VC in the core.
  IqCore::VcIndex index(PortId port, std::uint32_t vc) const { return core_.vc(base_ + port, vc); }
  /// Number of a port in the core.
  IqCore::PortIndex index(PortId port) const { return base_ + port; }

  /// A credit of an output VC that can be used from cycle `at` on.
  void take_credit(PortId out, std::uint32_t vc, Cycle at) { core_.take_credit(index(out, vc), at); }

  /// An input VC that holds flits, for reports of stalls.
  struct Waiting {
    PortId in;
    VirtualLane vc;
    const PacketMessage* message;
    PortId out;             ///< first port of its hop
    bool down;              ///< the link there is down
    bool has_vc;            ///< owns an output VC
    std::uint32_t credits;  ///< of that output VC
  };
  std::vector<Waiting> waiting() const;
  /// Difference from the initial state: flits left, credits not back, VCs owned. Empty when all is back.
  std::string leftovers() const;
  /// State in which an output VC waits: for reports of credits that are lost.
  std::string waits_for(PortId out, std::uint32_t vc) const;
  /// As IqCore::lose_credits().
  void lose_credits(PortId out, std::uint32_t vc, std::uint32_t credits) {
    core_.lose_credits(index(out, vc), credits);
  }
  /// As in IqCore, of this router's ports.
  std::optional<std::uint32_t> flit_coming(PortId in, Cycle at) const { return core_.flit_coming(index(in), at); }
  std::optional<std::uint32_t> credit_coming(PortId out, Cycle at) const { return core_.credit_coming(index(out), at); }
  /// Flits in the buffer of an input VC.
  std::uint32_t queued(PortId in, std::uint32_t vc) const { return core_.input(index(in, vc)).flits; }
  /// Flits in the buffers of all its inputs.
  std::uint64_t flits() const;
  std::uint32_t credits(PortId out, std::uint32_t vc) const { return core_.credits(index(out, vc)); }
  /// Input port and VC of the packet that owns an output VC.
  std::optional<std::pair<PortId, std::uint32_t>> owner(PortId out, std::uint32_t vc) const;

  void receive(PortId in, const IqTransfer& transfer) override;
  void answer(PortId out, const IqTransfer& transfer) override;

 protected:
  void end_of_elaboration() override;

 private:
  PortId port_here(IqCore::VcIndex vc) const { return static_cast<PortId>(core_.port_of(vc) - base_); }
  [[noreturn]] void refuse(const char* what, PortId port, const IqTransfer& transfer, Cycle at) const;

  IqCore& core_;
  const IqCore::PortIndex base_;
  std::vector<std::unique_ptr<IqInPort>> in_;
  std::vector<std::unique_ptr<IqOutPort>> out_;
};

}  // namespace weft
