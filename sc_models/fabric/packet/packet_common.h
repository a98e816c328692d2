#pragma once
// What the switches and NICs of a packet network share. What an egress port or an allocator notes in the cycle of a
// decision is of no use afterwards, so one place serves all of them, and stays in the cache.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <systemc>
#include <vector>

#include "fabric/clock_domain.h"
#include "fabric/observer.h"
#include "fabric/packet/packet_agenda.h"
#include "fabric/packet/parameters.h"
#include "qos/egress_scheduler.h"

namespace weft {

inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

class PacketSwitch;

/// Something that a switch will look at in the present cycle.
struct Look {
  const PacketSwitch* sw = nullptr;
  std::uint32_t number = 0;  ///< input, or what the architecture adds
};

/// Keeps its memory when it is cleared, and adds in few instructions.
class LookList {
 public:
  void clear() { size_ = 0; }
  void push_back(const Look& look) {
    if (size_ == looks_.size()) looks_.resize(2 * size_ + 64);
    looks_[size_++] = look;
  }
  operator std::span<const Look>() const { return {looks_.data(), size_}; }  // NOLINT(google-explicit-constructor)
  const Look* begin() const { return looks_.data(); }
  const Look* end() const { return looks_.data() + size_; }

 private:
  std::vector<Look> looks_;
  std::size_t size_ = 0;
};

/// Who asks for what in one cycle of the allocator of a switch.
struct AllocationLists {
  /// OPA: the head of a queue asks for a resource.
  struct Request {
    std::uint32_t from = 0;  ///< input port; in the second stage the number of the central link
    VirtualLane lane = 0;    ///< of the queue whose head asks
    std::uint32_t resource = 0;
    PortId port = 0;           ///< output port
    std::uint32_t offset = 0;  ///< of the port within the hop
  };
  std::vector<PortId> asked;      ///< inputs that have asked
  std::vector<PortId> requested;  ///< IB: outputs that are asked for
  std::vector<Request> requests;
  std::vector<std::uint32_t> resources;  ///< OPA: that are asked for, in order
  std::vector<std::uint32_t> due;        ///< OPA: MPorts with inputs to be looked at
  /// Of the parts of a list of switches that are being taken through the steps of fetching.
  std::array<LookList, 4> looks;
};

struct PacketCommon {
  PacketCommon(ClockDomain& clock, const PacketParameters& sizes, const PacketObservers& watchers)
      : domain(clock),
        agenda(clock),
        parameters(sizes),
        observers(watchers),
        link_delay(clock.time_of(sizes.stages.output + sizes.stages.link)) {}

  /// From a decision to the first flit on the link; and on to its other end.
  Cycle output_latency() const { return parameters.stages.output; }
  Cycle link_latency() const { return parameters.stages.link; }

  ClockDomain& domain;
  PacketAgenda agenda;
  const PacketParameters& parameters;
  const PacketObservers& observers;
  const sc_core::sc_time link_delay;
  std::uint64_t sent = 0;    ///< decisions of egress ports since the beginning, for the watchdog
  std::uint64_t grants = 0;  ///< and grants of allocators
  // Of an egress port that decides.
  Cycle next_ready = kNever;  ///< first cycle in which a waiting head is in the buffer
  std::int32_t short_by = 0;  ///< the smallest number of credits a waiting head lacks; 0: none does
  EgressView view;
  std::array<VirtualLane, kMaxServiceLevels> lane_of{};  ///< VL of each active SL's head
  AllocationLists lists;
};

}  // namespace weft
