#pragma once
// A network of input-queued routers and NICs as SystemC modules: builds them from a graph, binds their sockets, owns
// the packets, and checks what must hold in every run: each packet arrives once, whole, at its destination, and when
// everything has arrived all credits are back and all VCs free. Timing: docs/iq_router.md.

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "fabrics/packet/common/message_accounting.h"
#include "fabrics/packet/iq/iq_carrier.h"
#include "fabrics/packet/iq/iq_nic.h"
#include "fabrics/packet/iq/iq_router.h"
#include "fabrics/packet/iq/iq_router_module.h"
#include "kernel/clock_domain.h"
#include "kernel/link_adapter.h"
#include "kernel/stall_report.h"
#include "network/graph.h"
#include "parallel/part.h"

namespace weft {

class LinkFaults;

class IqNetwork : public sc_core::sc_module, public DeliveryHandler {
 public:
  static constexpr bool kTellsTails = true;

  /// All references but the parameters, the adapters and the part must outlive the network. `adapters`: cycles that one
  /// adds to each directed link, by its number; empty: none has any. `factory`: of routers that are no models; it is
  /// not kept. Throws RunError when iq_problems() finds one.
  IqNetwork(sc_core::sc_module_name name, ClockDomain& domain, const Graph& graph, const IqParameters& parameters,
            const PacketRouting& routing, const std::vector<Cycle>& adapters = {}, const Part& part = {},
            IqRouterFactory* factory = nullptr);
  ~IqNetwork() override;

  ClockDomain& domain() { return domain_; }
  const ClockDomain& domain() const { return domain_; }
  void add_observer(PacketObserver& observer) { observers_.add(observer); }
  /// Tells an observer from now on when a tail has left its NIC.
  void tell_tails(PacketObserver& observer) { observers_.add_for_tails(observer); }

  /// A packet for the network, generated in the present cycle (before Phase::transfer). A node may send to itself; the
  /// level is only carried along. Precondition: flits >= 1.
  void submit(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits, std::uint32_t choice) {
    nics_[source]->submit(accounting_.make(source, destination, level, flits, choice), domain_.now());
  }

  /// Core of all routers.
  IqCore& core() { return core_; }
  // Of a part, those that are there.
  bool has_router(SwitchId s) const { return routers_[s] != nullptr; }
  bool has_nic(NodeId n) const { return nics_[n] != nullptr; }
  /// Every router is here.
  bool is_whole() const;
  const IqRouterModule& router(SwitchId s) const { return *routers_[s]; }
  /// Precondition: it is a model.
  IqRouter& model(SwitchId s) { return static_cast<IqRouter&>(*routers_[s]); }
  IqNic& nic(NodeId n) { return *nics_[n]; }
  const IqNic& nic(NodeId n) const { return *nics_[n]; }
  const MessageAccounting& accounting() const { return accounting_; }
  /// Null: the whole network is here.
  RemoteTransfers* remote() { return cut_ ? &remote_ : nullptr; }
  Ranks* ranks() const { return ranks_; }
  /// Of a part, by all ranks: what they have decided so far is where it belongs.
  void catch_up() { cut_->exchange(); }
  /// Of a part: is told of flits that leave for other parts, with the cycle in which they arrive at the router there.
  void watch_cut(std::function<void(LinkId, const IqTransfer&)> leaving) { cut_->watch(std::move(leaving)); }
  const MessagePool& pool() const { return accounting_.pool(); }
  const IqParameters& parameters() const { return parameters_; }
  std::uint64_t outstanding() const { return accounting_.outstanding(); }
  /// Copies of packets that are also on another rank, which the tail has not left yet.
  std::uint64_t straddling() const;
  /// Links fail: packets cut on wires are asked for in `faults`, routes in `rerouting`. To be called before time
  /// begins.
  void set_faults(LinkFaults& faults, IqRerouting& rerouting);
  /// `rerouting` gives the packet another route than usual because of a fault.
  void note_reroute(const PacketMessage& message, std::uint32_t fault) {
    observers_.tell([&](PacketObserver& o) { o.on_reroute(message, fault); });
  }
  /// A packet without a route is gone.
  void take_loss(PacketMessage& message, Cycle now);
  /// Between two cycles: holds the credits every sender has given away against the flits behind its link, VC by VC.
  /// Empty when all agree, else the first difference.
  std::string audit() const;
  /// Ports that an audit looks at.
  std::uint64_t audit_size() const { return graph_.total_ports() + graph_.nodes(); }
  /// Takes back the packets that have not begun to leave their NICs.
  void withdraw();
  /// Flits sent by routers so far.
  std::uint64_t flit_hops() const;
  /// Flits sent by routers and NICs, and packets that came back: does not grow while everything is stuck.
  std::uint64_t progress() const;
  /// Blocked VCs with their credits, and the oldest packet. For reports of a stall.
  std::vector<StalledPort> stalled() const;
  /// Throws RunError unless every packet came back once, every buffer is empty, every VC free and every credit back.
  /// Precondition: outstanding() == 0 and the agenda has nothing but sources on it.
  void check_conservation(Cycle now);

  void take_delivery(PacketMessage& message, Cycle now) override;
  void take_back(PacketMessage& message) override { accounting_.withdraw(message); }

 private:
  const Graph& graph_;
  const IqParameters parameters_;
  const std::uint32_t vcs_;
  const std::uint32_t buffer_;
  IqRoutes routes_;
  ClockDomain& domain_;
  IqAgenda agenda_;
  PacketObservers observers_;
  MessageAccounting accounting_{observers_};
  IqCore core_;
  std::vector<std::unique_ptr<IqRouterModule>> routers_;
  std::vector<const IqRouterModule*> outside_;  // those that are not in the core
  std::vector<std::unique_ptr<IqNic>> nics_;
  LinkAdapters<IqProtocol> adapters_;
  RemoteTransfers remote_;  // of a part
  IqCarrier carrier_{accounting_, remote_};
  std::unique_ptr<IqCut> cut_;         // of a part
  mutable IqCore::Accounts accounts_;  // of the last audit: a warm run allocates nothing
  LinkFaults* faults_ = nullptr;
  Ranks* const ranks_;  // null: the whole network is here
  std::unique_ptr<IqDiscards> discards_;
};

}  // namespace weft
