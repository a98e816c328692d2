#pragma once
// Input-queued virtual-channel router of the model as a SystemC module. Its state and what it does are in the core of
// its network (iq_core.h). Timing: docs/iq_router.md.
//
// When a socket leads straight to another router of the core, as is known at the end of elaboration, flits and
// credits do not go by it; to a NIC they go as a call of its owner, through anything else that was put between as
// transport calls.

#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "fabrics/packet/iq/iq_core.h"
#include "fabrics/packet/iq/iq_router_module.h"

namespace weft {

class IqRouter final : public IqRouterModule {
 public:
  /// The core must outlive the router.
  IqRouter(const sc_core::sc_module_name& name, IqCore& core, const SwitchSite& site);

  IqCore& core() const { return core_; }
  /// Number of a VC in the core.
  IqCore::VcIndex index(PortId port, std::uint32_t vc) const { return core_.vc(base_ + port, vc); }
  /// Number of a port in the core.
  IqCore::PortIndex index(PortId port) const { return base_ + port; }

  /// A credit of an output VC that can be used from cycle `at` on.
  void take_credit(PortId out, std::uint32_t vc, Cycle at) { core_.take_credit(index(out, vc), at); }
  /// As IqCore::lose_credits().
  void lose_credits(PortId out, std::uint32_t vc, std::uint32_t credits) {
    core_.lose_credits(index(out, vc), credits);
  }

  std::vector<Waiting> waiting() const override;
  std::string leftovers() const override;
  std::string waits_for(PortId out, std::uint32_t vc) const override;
  std::optional<std::uint32_t> flit_coming(PortId in, Cycle at) const override {
    return core_.flit_coming(index(in), at);
  }
  std::optional<std::uint32_t> credit_coming(PortId out, Cycle at) const override {
    return core_.credit_coming(index(out), at);
  }
  std::uint32_t queued(PortId in, std::uint32_t vc) const override { return core_.input(index(in, vc)).flits; }
  std::uint32_t credits(PortId out, std::uint32_t vc) const override { return core_.credits(index(out, vc)); }
  std::optional<std::pair<PortId, std::uint32_t>> owner(PortId out, std::uint32_t vc) const override;
  std::uint32_t spent(PortId out, std::uint32_t vc, const IqCore::Accounts& core) const override {
    return core.spent[index(out, vc)];
  }
  std::uint32_t held(PortId in, std::uint32_t vc, const IqCore::Accounts& core) const override {
    return core.held[index(in, vc)];
  }
  std::uint64_t flits() const override;
  std::uint64_t sent(PortId out) const override { return core_.sent(index(out)); }
  Cycle sending_time() const override { return core_.sending_time(); }

  void receive(PortId in, const IqTransfer& transfer) override;
  void answer(PortId out, const IqTransfer& transfer) override;

 protected:
  void end_of_elaboration() override;

 private:
  PortId port_here(IqCore::VcIndex vc) const { return static_cast<PortId>(core_.port_of(vc) - base_); }

  /// The cycle of the latest flit, or credit, that has come by a transport call.
  Cycle& newest(std::vector<Cycle>& of, PortId port, std::uint32_t vc) {
    const std::uint32_t vcs = core_.parameters().vcs;
    if (of.empty()) of.assign(std::size_t{ports()} * vcs, -1);
    return of[port * vcs + vc];
  }

  IqCore& core_;
  const IqCore::PortIndex base_;
  std::vector<Cycle> newest_flits_, newest_credits_;  // by port and VC; empty: nothing has come so far
};

}  // namespace weft
