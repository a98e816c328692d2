#pragma once
// IB-like switch: one crossbar from the input to the output buffers. VA-SA is a separable allocator: each input asks
// for one output on behalf of one VL, each output grants one input, both in round-robin order. Source: Cano-Cano et
// al., section 2.1. Timing: docs/packet_switches.md.

#include <cstdint>
#include <span>

#include "base/hot_memory.h"
#include "fabrics/packet/common/packet_switch.h"

namespace weft {

class IbSwitch final : public PacketSwitch {
 public:
  IbSwitch(sc_core::sc_module_name name, const SwitchSite& site, const PacketParameters& parameters,
           const PacketRouter& router, EgressSchedulerFactory& schedulers, PacketCommon& common)
      : PacketSwitch(name, site, parameters, router, schedulers, common),
        free_at_(make_hot_array<Cycle>(site.ports, kHotStep)),
        next_input_(make_hot_array<std::uint8_t>(site.ports)) {}

  void serve_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches) const override;

  // Steps of allocate_all().
  void fetch() const {
    PacketSwitch::fetch();
    prefetch(&free_at_);
  }
  void fetch_requests(Cycle now) const {
    PacketSwitch::fetch_requests(now);
    prefetch(&free_at_[0], &free_at_[0] + ports_);
    prefetch(&next_input_[0], &next_input_[0] + ports_);
  }
  void find_requests(Cycle now, RequestList& requests) {
    PacketSwitch::find_requests(now, requests, [this](std::uint32_t in) { fetch_input(in); });
  }
  void fetch_heads(const AllocationRequest& l, Cycle now) const { fetch_fronts(inputs_[l.number], now); }
  void choose(AllocationRequest& l, Cycle now);
  void serve(std::span<AllocationRequest> requests, Cycle now);

 private:
  /// Finds what an input asks for: the first head in its turn that is ready for a free output. `room`: which must have
  /// room as well.
  void search(AllocationRequest& l, Cycle now, bool room);
  template <bool kPlain>
  void search_as(AllocationRequest& l, Cycle now, bool room);
  void enter(AllocationRequest& l);
  void grant(Cycle now);
  /// Of an output, after the inputs, in SharedPorts.
  std::size_t number_of(PortId port) const { return std::size_t{ports_} + port; }
  std::uint32_t turn(std::uint32_t in, PortId out) const;
  Cycle soonest(PortId in, Cycle from) const;

  // Per output, the one array behind the other.
  alignas(64) const HotArray<Cycle> free_at_;  // first cycle in which it can be granted again
  const HotArray<std::uint8_t> next_input_;    // round-robin pointer
};

}  // namespace weft
