#pragma once
// IB-like switch: one crossbar from the input to the output buffers. VA-SA is a separable allocator: each input asks
// for one output on behalf of one VL, each output grants one input, both in round-robin order. Source: Cano-Cano et
// al., section 2.1. Timing: docs/packet_switches.md.

#include <array>
#include <span>
#include <vector>

#include "fabric/packet/packet_switch.h"

namespace weft {

class IbSwitch final : public PacketSwitch {
 public:
  IbSwitch(sc_core::sc_module_name name, const PacketSwitchSite& site, const PacketParameters& parameters,
           const PacketRouter& router, EgressSchedulerFactory& schedulers, PacketCommon& common)
      : PacketSwitch(name, site, parameters, router, schedulers, common),
        outputs_(make_hot_array<OutputLine>(site.ports / 4 + 1)) {}

  void serve_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches) const override;

  // Steps of allocate_all().
  void fetch() const {
    PacketSwitch::fetch();
    prefetch(&outputs_);
  }
  void fetch_look(std::uint32_t in) const { fetch_input(in); }
  void fetch_heads(std::uint32_t in, Cycle now) const { fetch_fronts(inputs_[in], now); }
  void fetch_hops(std::uint32_t in, Cycle now) const;
  void fetch_port(std::uint32_t in, Cycle now) const;
  void serve(Cycle now);

 private:
  struct Output {
    Cycle free_at = 0;        // first cycle in which it can be granted again
    PortId next_input = 0;    // round-robin pointer
    PortId winner = kNoPort;  // of the present cycle
    std::uint8_t offset = 0;  // of this port within the winner's hop
    VirtualLane lane = 0;     // the winner's
  };
  static_assert(sizeof(Output) == 16);
  struct alignas(64) OutputLine {  // of the cache
    std::array<Output, 4> of;
  };

  Output& output(PortId port) const { return outputs_[port / 4].of[port % 4]; }
  bool request(PortId in, VirtualLane lane, Cycle now, Cycle& retry);
  std::uint32_t turn(PortId in, const Output& o) const;
  Cycle soonest(PortId in, Cycle from) const;

  const HotArray<OutputLine> outputs_;
};

}  // namespace weft
