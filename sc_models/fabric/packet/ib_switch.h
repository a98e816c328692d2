#pragma once
// IB-like switch: one crossbar from the input to the output buffers. VA-SA is a separable allocator: each input asks
// for one output on behalf of one VL, each output grants one input, both in round-robin order. Source: Cano-Cano et
// al., section 2.1. Timing: docs/packet_switches.md.

#include "fabric/packet/packet_switch.h"

namespace weft {

class IbSwitch final : public PacketSwitch {
 public:
  IbSwitch(sc_core::sc_module_name name, const PacketSwitchSite& site, const PacketParameters& parameters,
           const PacketRouter& router, EgressSchedulerFactory& schedulers, EgressCommon& common)
      : PacketSwitch(name, site, parameters, router, schedulers, common), outputs_(site.ports) {}

 private:
  struct Output {
    Cycle free_at = 0;        // first cycle in which it can be granted again
    PortId next_input = 0;    // round-robin pointer
    PortId winner = kNoPort;  // of the present cycle
    std::uint8_t offset = 0;  // of this port within the winner's hop
    VirtualLane lane = 0;     // the winner's
  };
  static_assert(sizeof(Output) == 16);

  void allocate(Cycle now) override;
  void fetch_hops(std::span<const Look> heads) const override;
  void fetch_ports(std::span<const Look> heads, Cycle now) const override;
  bool request(PortId in, VirtualLane lane, Cycle now, Cycle& retry);
  std::uint32_t turn(PortId in, const Output& o) const;

  std::vector<Output> outputs_;
  std::vector<PortId> requested_;  // outputs with a request in this cycle
};

}  // namespace weft
