#pragma once
// State that the switches and NICs of a packet network share. Notes that an egress port or an allocator makes in the
// cycle of a decision are of no use afterwards, so one place serves all of them, and stays in the cache.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <systemc>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"
#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/common/packet_agenda.h"
#include "fabrics/packet/common/parameters.h"
#include "fabrics/packet/common/shared_buffer.h"
#include "kernel/clock_domain.h"

namespace weft {

inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

class PacketSwitch;

/// Request to an allocator in the present cycle: an input, or a link of the switch, and the output it asks for.
struct AllocationRequest {
  PacketSwitch* sw = nullptr;
  Cycle retry = kNever;        ///< when nothing is asked for: cycle of the next request; kNever: others see to it
  std::uint32_t number = 0;    ///< input, or what the architecture adds
  std::uint32_t resource = 0;  ///< several stages: what is asked for on the way to the output, in the stage's numbers
  PortId port = kNoPort;       ///< output asked for; kNoPort: none
  VirtualLane lane = 0;        ///< on behalf of the head of this queue
  std::uint8_t offset = 0;     ///< of the port within the hop
  bool granted = false;        ///< in the last iteration
};

/// Ports of crossbars in the cycle of an allocation, as far as transfers share them that take no more than a cycle: the
/// flits that these move in it. The numbers are those of the architecture.
class SharedPorts {
 public:
  /// Whether the port has been granted to such transfers alone, with capacity left for this one.
  bool takes(std::size_t port, std::uint32_t flits, std::uint32_t rate) const {
    return used(port) && ports_[port].flits + flits <= std::min(rate, ports_[port].rate);
  }
  bool used(std::size_t port) const { return port < ports_.size() && ports_[port].flits != 0; }
  void add(std::size_t port, std::uint32_t flits, std::uint32_t rate) {
    if (port >= ports_.size()) ports_.resize(port + 1);
    Port& p = ports_[port];
    if (p.flits == 0) in_use_.push_back(port);
    p.rate = p.flits == 0 ? rate : std::min(p.rate, rate);
    p.flits += flits;
  }
  void clear() {
    for (const std::size_t port : in_use_) ports_[port] = {};
    in_use_.clear();
  }

 private:
  struct Port {
    std::uint32_t flits = 0;
    std::uint32_t rate = 0;  // of the slowest of the transfers
  };
  std::vector<Port> ports_;
  std::vector<std::size_t> in_use_;
};

/// List of requests that keeps its memory when it is cleared, and adds in few instructions.
class RequestList {
 public:
  void clear() { size_ = 0; }
  void push_back(const AllocationRequest& request) {
    if (size_ == requests_.size()) requests_.resize(2 * size_ + 64);
    requests_[size_++] = request;
  }
  AllocationRequest* begin() { return requests_.data(); }
  AllocationRequest* end() { return requests_.data() + size_; }

 private:
  std::vector<AllocationRequest> requests_;
  std::size_t size_ = 0;
};

/// Requests of one cycle: of the allocator at work, and of the switches in the steps before it.
struct AllocationLists {
  std::vector<PortId> requested;  ///< one stage: outputs that are asked for
  /// One stage: of each output that is asked for, who is to have it; of the others null.
  std::array<AllocationRequest*, kMaxPacketPorts> winner{};
  std::vector<AllocationRequest*> stage_requests;  ///< several stages: in one of them
  std::vector<std::uint32_t> resources;            ///< several stages: that are asked for, in order
  SharedPorts shared;                              ///< several iterations
  /// Of the parts of a list of switches that are between finding their requests and the allocation (allocate_all),
  /// which are as many steps.
  std::array<RequestList, 4> requests;
};

struct PacketCommon {
  PacketCommon(ClockDomain& clock, const PacketParameters& sizes, const PacketObservers& watchers)
      : domain(clock),
        agenda(clock),
        parameters(sizes),
        observers(watchers),
        link_delay(clock.time_of(sizes.stages.output + sizes.stages.link)) {
    std::copy(sizes.least_places.begin(), sizes.least_places.end(), least_places.begin());
    std::copy(sizes.whole_size.begin(), sizes.whole_size.end(), whole_size.begin());
    small_messages = !sizes.least_places.empty() && sizes.whole_size.empty();
  }

  /// From a decision to the first flit on the link; and on to its other end.
  Cycle output_latency() const { return parameters.stages.output; }
  Cycle link_latency() const { return parameters.stages.link; }

  /// Places that a message takes in a buffer.
  std::uint32_t places(VirtualLane lane, std::uint32_t flits) const {
    return small_messages ? std::max(flits, least_places[lane]) : flits;
  }
  /// The same of all messages of a queue.
  std::int64_t places(VirtualLane lane, const MessageQueue& queue) const {
    std::int64_t sum = 0;
    for (const PacketMessage* m = queue.front(); m != nullptr; m = m->next.get()) sum += places(lane, m->flits);
    return sum;
  }
  /// Calls give(drain) for the places of a message whose flits leave as `moves` says: its flits, and with the last one
  /// what it has taken beyond.
  template <class Give>
  [[gnu::always_inline]] void give_back(VirtualLane lane, const Drain& moves, const Give& give) const {
    if (small_messages) [[unlikely]]
      return give_in_parts(lane, moves, give);
    give(moves);
  }
  /// The same when messages may take more places than they have flits.
  template <class Give>
  [[gnu::noinline]] void give_in_parts(VirtualLane lane, const Drain& moves, const Give& give) const {
    give(moves);
    const std::uint32_t beyond = places(lane, moves.flits) - moves.flits;
    if (beyond == 0) return;
    const Cycle last = moves.last();
    give(Drain{last, last - static_cast<Cycle>(beyond), beyond, beyond});
  }
  /// To be called for every new message: notes the first one that takes more places than it has flits. Those before it
  /// do not, so that accounting by flits alone has been right until then.
  void note_size(ServiceLevel level, std::uint32_t flits) {
    if (flits < whole_size[level]) small_messages = true;
  }

  ClockDomain& domain;
  PacketAgenda agenda;
  const PacketParameters& parameters;
  const PacketObservers& observers;
  const sc_core::sc_time link_delay;
  bool small_messages = false;  ///< some take more places than they have flits
  bool routes_late = false;     ///< links are down: messages are routed in the very cycle, not when they are sent
  std::uint64_t sent = 0;       ///< decisions of egress ports since the beginning, for the watchdog
  std::uint64_t grants = 0;     ///< and grants of allocators
  // Of an egress port that decides.
  Cycle next_ready = kNever;  ///< first cycle in which a waiting head is in the buffer
  std::int32_t short_by = 0;  ///< the smallest number of credits a waiting head lacks; 0: none does
  EgressView view;
  std::array<VirtualLane, kMaxServiceLevels> lane_of{};  ///< VL of each active SL's head
  AllocationLists lists;
  std::array<std::uint32_t, kMaxLanes> least_places{};        ///< per VL, see PacketParameters
  std::array<std::uint32_t, kMaxServiceLevels> whole_size{};  ///< per SL
};

}  // namespace weft
