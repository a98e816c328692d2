#pragma once
// A network of packet switches and NICs as SystemC modules: builds them from a graph, binds their sockets, owns the
// messages, and checks what must hold in every run: each message arrives once, at its destination, and when everything
// has arrived all credits and all space are back.

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "fabric/clock_domain.h"
#include "fabric/packet/message.h"
#include "fabric/packet/nic.h"
#include "fabric/packet/packet_switch.h"
#include "topology/graph.h"

namespace weft {

class PacketNetwork : public sc_core::sc_module, public DeliveryHandler {
 public:
  /// All references must outlive the network.
  PacketNetwork(sc_core::sc_module_name name, Duration period, const Graph& graph, const PacketParameters& parameters,
                const PacketRouter& router, EgressSchedulerFactory& schedulers);
  ~PacketNetwork() override;

  ClockDomain& domain() { return domain_; }
  const ClockDomain& domain() const { return domain_; }
  void add_observer(PacketObserver& observer) { observers_.add(observer); }

  /// A message for the network, generated in the present cycle (before Phase::transfer).
  void submit(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits, std::uint32_t choice);

  PacketSwitch& sw(SwitchId s) { return *switches_[s]; }
  Nic& nic(NodeId n) { return *nics_[n]; }
  const Nic& nic(NodeId n) const { return *nics_[n]; }
  const MessagePool& pool() const { return pool_; }
  std::uint64_t generated() const { return generated_; }
  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t outstanding() const { return generated_ - delivered_; }
  /// Grants and decisions so far: does not grow while everything is stuck.
  std::uint64_t progress() const;
  /// Who waits for what: blocked ports with their credits, and the oldest message. For reports of a stall.
  std::string describe_stall() const;
  /// Throws RunError unless every buffer is empty and every credit is back. Precondition: outstanding() == 0 and the
  /// agenda has nothing but sources on it.
  void check_conservation(Cycle now);

  void take_delivery(PacketMessage& message, Cycle now) override;

 private:
  const Graph& graph_;
  ClockDomain domain_;
  PacketObservers observers_;
  MessagePool pool_;
  std::vector<std::unique_ptr<PacketSwitch>> switches_;
  std::vector<std::unique_ptr<Nic>> nics_;
  std::uint64_t generated_ = 0;
  std::uint64_t delivered_ = 0;
};

}  // namespace weft
