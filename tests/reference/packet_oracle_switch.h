#pragma once
// One packet switch of the flit-by-flit reference: input buffers, VA-SA, crossbars and, in an OPA-like switch, MPorts
// with central buffers. An IB-like switch is one MPort of all ports without central links. Its output buffers belong
// to the links behind them (Egress). Section names are those of docs/packet_switches.md.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/slots/allocation.h"
#include "fabrics/packet/opa/opa_parameters.h"
#include "reference/packet_oracle_parts.h"

namespace weft::packet_oracle {

/// Null: the switches are IB-like.
inline const OpaParameters* opa_of(const PacketParameters& parameters) {
  return parameters.architecture == &kOpaArchitecture ? std::any_cast<OpaParameters>(&parameters.own) : nullptr;
}

class Switch {
 public:
  /// `outputs` and `upstream` per port: what drives its outgoing and its incoming link; null at a free port.
  Switch(const OracleSetup& setup, SwitchId id, const std::vector<Egress*>& outputs,
         const std::vector<Egress*>& upstream);

  void arrive(PortId in, VirtualLane lane, Flit flit, const OracleMessage& message, Cycle t);
  /// Cycle t of all crossbars. Returns whether a flit has moved.
  bool move(Cycle t);
  /// VA-SA. Returns whether there was a grant.
  bool allocate(Cycle t);

  void check(Cycle t) const;
  /// Places per VL in use in the input buffer of a port.
  std::vector<std::int64_t> held(PortId in) const;
  /// Places per VL of an output buffer that messages in central buffers have reserved.
  std::vector<std::int64_t> promised(PortId out) const;
  /// What the first messages of the inputs wait for.
  std::string waiting(Cycle t) const;

 private:
  struct Input {
    SharedBuffer buffer;
    LaneQueues queues;
    VisitPtr arriving;
    std::uint32_t vl_pointer = 0;
    std::uint32_t trunk_pointer = 0;
    std::uint32_t central_pointer = 0;
    PortUse use{};
  };
  struct Output {
    std::uint32_t input_pointer = 0;    // first VA-SA: index within the MPort
    PortUse use{};                      // through the crossbar of the MPort
    std::uint32_t central_pointer = 0;  // second VA-SA: MPort * central_links + link
    PortUse central_use{};              // through the central crossbar
  };
  struct CentralLink {
    std::uint32_t input_pointer = 0;
    CentralUse fill;    // to the central buffer
    LaneQueues queues;  // messages in the central buffer that came over this link
    std::uint32_t vl_pointer = 0;
    CentralUse drain;  // through the central crossbar
  };
  struct MPort {
    std::uint32_t first = 0, count = 0;  // ports
    SharedBuffer central;
    std::vector<CentralLink> links;
  };
  struct Request {
    std::uint32_t input = 0;
    VirtualLane lane = 0;  // of the input buffer
    PortId port = 0;
    std::uint32_t offset = 0;  // of the port within its hop
    std::optional<std::uint32_t> link;
  };

  bool first_allocation(std::uint32_t mport, Cycle t);
  bool second_allocation(Cycle t);
  Transfer transfer_of(const VisitPtr& from, VirtualLane to, std::uint32_t rate, Cycle t) const;
  std::optional<Request> request_of(std::uint32_t mport, std::uint32_t input, Cycle t) const;
  std::optional<Request> try_ports(std::uint32_t mport, std::uint32_t input, VirtualLane lane, Cycle t) const;
  /// Of a head in the central buffer, if the link were granted now; nothing if it could not be.
  std::optional<Transfer> out_of_central(const CentralLink& link, const VisitPtr& head, Cycle t) const;
  bool has_room(std::uint32_t mport, const Visit& visit, PortId port, bool through_central) const;
  void grant_output(const Request& request, Cycle t);
  void grant_central(std::uint32_t mport, const Request& request, Cycle t);
  VisitPtr take_head(const Request& request);
  std::uint32_t mport_of(PortId port) const { return static_cast<std::uint32_t>(port / mport_ports_); }
  Cycle next_start(Cycle t) const { return t + parameters_.stages.allocation; }

  const OracleSetup& setup_;
  PacketParameters parameters_;
  const OpaParameters* opa_;  // null: IB-like
  SwitchId id_;
  std::uint32_t ports_;
  std::uint32_t mport_ports_;
  std::vector<Egress*> egress_;
  std::vector<Egress*> upstream_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<MPort> mports_;
  std::vector<Transfer> direct_;      // input to output buffer
  std::vector<Transfer> to_central_;  // input to central buffer; sink: MPort * central_links + link
  std::vector<Transfer> through_;     // central to output buffer; source: MPort * central_links + link
};

}  // namespace weft::packet_oracle
