#pragma once
// A network of packet switches and NICs as SystemC modules: builds them from a graph, binds their sockets, owns the
// messages, and checks what must hold in every run: each message arrives once, at its destination, and when everything
// has arrived all credits and all space are back.

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "fabrics/packet/common/message_accounting.h"
#include "fabrics/packet/common/nic.h"
#include "fabrics/packet/common/packet_switch.h"
#include "fabrics/packet/packet_carrier.h"
#include "kernel/clock_domain.h"
#include "kernel/link_adapter.h"
#include "kernel/stall_report.h"
#include "network/graph.h"
#include "parallel/part.h"

namespace weft {

class LinkFaults;

class PacketNetwork : public sc_core::sc_module, public DeliveryHandler, public LossHandler {
 public:
  static constexpr bool kTellsTails = false;  ///< a message leaves its NIC in one piece

  /// All references but the part must outlive the network. Throws std::invalid_argument for a switch with more ports
  /// than kMaxPacketPorts, or more of its parts than its architecture allows.
  PacketNetwork(sc_core::sc_module_name name, ClockDomain& domain, const Graph& graph,
                const PacketParameters& parameters, const PacketRouter& router, EgressSchedulerFactory& schedulers,
                const Part& part = {});
  ~PacketNetwork() override;

  ClockDomain& domain() { return domain_; }
  const ClockDomain& domain() const { return domain_; }
  void add_observer(PacketObserver& observer) { observers_.add(observer); }

  /// A message for the network, generated in the present cycle (before Phase::transfer).
  void submit(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits, std::uint32_t choice) {
    cores_[source]->submit(accounting_.make(source, destination, level, flits, choice), domain_.now());
  }
  /// Brings what submit() needs into the cache.
  void expect(NodeId source) const { cores_[source]->fetch_source(); }

  /// Whether what a cycle needs is brought into the cache ahead of it (PacketAgenda), with the same results. At first:
  /// in large networks.
  void fetch_ahead(bool on) { common_.agenda.fetch_ahead(on); }

  const PacketParameters& parameters() const { return parameters_; }
  /// Messages cut on wires are asked for there.
  void set_faults(LinkFaults& faults) { faults_ = &faults; }
  /// From now on messages without a route are discarded; otherwise they wait.
  void discard_unroutable();
  /// The router gives the message another route than usual because of a fault.
  void note_reroute(const PacketMessage& message, std::uint32_t fault) {
    observers_.tell([&](PacketObserver& o) { o.on_reroute(message, fault); });
  }
  /// Links have changed, and some or none are down: routes all messages that wait at inputs of switches anew.
  void reroute(Cycle now, bool some_down);

  // Of a part, those that are there.
  bool has_switch(SwitchId s) const { return switches_[s] != nullptr; }
  PacketSwitch& sw(SwitchId s) { return *switches_[s]; }
  Nic& nic(NodeId n) { return *nics_[n]; }
  const Nic& nic(NodeId n) const { return *nics_[n]; }
  const MessageAccounting& accounting() const { return accounting_; }
  /// Null: the whole network is here.
  RemoteTransfers* remote() { return cut_ ? &remote_ : nullptr; }
  Ranks* ranks() const { return ranks_; }
  const MessagePool& pool() const { return accounting_.pool(); }
  std::uint64_t outstanding() const { return accounting_.outstanding(); }
  /// Takes back the messages that have not entered the buffer of their NIC.
  void withdraw();
  /// Grants and decisions so far: does not grow while everything is stuck.
  std::uint64_t progress() const;
  /// Blocked ports with their credits, and the oldest message. For reports of a stall.
  std::vector<StalledPort> stalled() const;
  /// Between two cycles: holds what every buffer has given away against the messages that are in it, and the credits
  /// every sender has spent against the messages that are behind its link. Empty when all agree, else the first
  /// difference.
  std::string audit() const;
  /// Ports that an audit looks at.
  std::uint64_t audit_size() const { return graph_.total_ports() + graph_.nodes(); }
  /// Throws RunError unless every message came back once, every buffer is empty and every credit is back. Precondition:
  /// outstanding() == 0 and the agenda has nothing but sources on it.
  void check_conservation(Cycle now);

  void take_delivery(PacketMessage& message, Cycle now) override;
  void take_loss(PacketMessage& message, Cycle now) override;
  void take_loss(PacketMessage& message, Cycle now, SwitchId sw, PortId out) override;
  void take_back(PacketMessage& message) override { accounting_.withdraw(message); }
  PacketMessage& admit(PacketMessage& message) override { return accounting_.admit(message); }

 protected:
  void start_of_simulation() override;

 private:
  std::string audit_sender(const EgressPort& egress, const sc_core::sc_module& module, const PacketSwitch* own,
                           PortId port, PortRef to) const;

  const Graph& graph_;
  const PacketParameters& parameters_;
  LinkFaults* faults_ = nullptr;
  Ranks* const ranks_;  // null: the whole network is here
  ClockDomain& domain_;
  PacketObservers observers_;
  PacketCommon common_;
  MessageAccounting accounting_{observers_};
  std::vector<std::unique_ptr<PacketSwitch>> switches_;
  std::vector<std::unique_ptr<Nic>> nics_;
  std::vector<NicCore*> cores_;  // of nics_
  LinkAdapters<PacketProtocol> adapters_;
  RemoteTransfers remote_;  // of a part
  PacketCarrier carrier_{accounting_, common_, remote_};
  std::unique_ptr<PacketCut> cut_;  // of a part
};

}  // namespace weft
