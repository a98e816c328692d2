#pragma once
// Messages of the control channel of a FiC network: setup requests, acknowledgements, releases, teardowns.

#include <cstdint>
#include <memory>
#include <span>
#include <tlm>
#include <vector>

#include "algorithms/slots/slot_set.h"
#include "base/ids.h"
#include "base/units.h"
#include "fabrics/tdm/setup/circuit_route.h"
#include "kernel/link.h"

namespace weft {

/// One request for slots: every try of a flow, and every request for more slots, has a number of its own.
struct CircuitKey {
  std::uint32_t flow = 0;
  std::uint32_t number = 0;
  auto operator<=>(const CircuitKey&) const = default;
};

enum class TeardownCause : std::uint8_t {
  no_slots = 0,  ///< a switch does not hold the slots free
  down = 1,      ///< the route leads over a link or switch that is down
  late = 2,      ///< the switch's table could not be written before the first word comes
  fault = 3,     ///< a link or switch of the circuit failed
};
inline constexpr std::size_t kTearCauses = 4;

struct SetupMessage {
  enum class Kind : std::uint8_t {
    request,   ///< source -> destinations: reserve
    ack,       ///< one hop back: this switch has reserved and will be ready
    accept,    ///< destinations -> source: all of the route, or of a branch, is reserved
    withdraw,  ///< from a fork of which one branch was refused, along the others: answer with a teardown
    release,   ///< source -> destinations: nothing will be sent any more in these slots
    released,  ///< destinations -> source: everything sent has arrived; frees the slots
    teardown,  ///< either way: frees the slots, data under way is lost
  } kind = Kind::request;
  CircuitKey key;
  std::shared_ptr<const CircuitRoute> route;
  /// Request: the same route where each switch chooses the links of bundles behind it; null: the links are given.
  std::shared_ptr<CircuitRoute> open;
  std::uint32_t hop = 0;     ///< request: index of the receiving switch on the route
  std::uint32_t wanted = 0;  ///< request: m
  SlotSet common;            ///< request, teardown: slots free on every link asked so far
  /// The slots reserved (request: none before the first switch has chosen), released. With slot_update those of a
  /// request are the ones in which its words come to the switch, all others those of the source.
  SlotSet slots;
  /// Request with slot_update, behind the first switch, for each slot of the circuit in the order of time: a word that
  /// leaves the host in cycle `sent` leaves the switch before in cycle `left`.
  struct Lane {
    Cycle sent = 0;
    Cycle left = 0;
  };
  std::vector<Lane> lanes;
  Cycle start = 0;  ///< request, ack: cycle from which on the source may send
  Cycle hold = 0;   ///< request: cycles the source adds to the earliest start
  TeardownCause cause = TeardownCause::no_slots;
  bool forward = false;     ///< teardown: towards the destination
  Cycle failed_at = -1;     ///< teardown by a fault: when
  std::uint32_t fault = 0;  ///< and which one of the plan; teardown by what is down: the one that holds the link
  Cycle late_by = 0;        ///< teardown of a late request
  bool withdrawn = false;   ///< teardown: answers a withdrawal, nothing was refused there
  SwitchId at = kNoId;      ///< teardown: switch that began it
  Cycle cleared = 0;        ///< released, teardown towards the source: every entry behind it is out of force by then
  /// accept: words received, the fewest of all destinations; release: number of the word behind the last one that was
  /// sent on this circuit, 0: none was.
  std::uint64_t words = 0;
  std::uint32_t circuit = 0;  ///< release: number of the circuit's first request
  Cycle sent = 0;             ///< stamped by the sending port
};

/// Constant times of the protocol, in cycles.
struct SetupTiming {
  std::uint32_t slots = 2;  ///< S
  Cycle processing = 1;     ///< t_proc: a switch works on one request, release or teardown
  Cycle column = 1;         ///< t_c: one column of a shadow table
  Cycle link = 1;           ///< control channel between two switches
  Cycle host_link = 1;      ///< control channel between a host and its switch
  Cycle data_link = 0;      ///< C: from a switch's output slot to the next register
  Cycle ejection = 0;       ///< from the last switch's output slot to the host
  /// That an adapter adds to each directed link, for words as for messages, by its number; empty: none has any.
  std::span<const Cycle> adapters = {};
  bool slot_update = false;  ///< each switch chooses slots of its own

  Cycle adapter(LinkId at) const { return adapters.empty() ? 0 : adapters[at]; }
  /// Cycles from the slot before `hop` (of the host, or of the switch before it) to the register of this switch.
  Cycle wire(const RouteHop& hop) const { return (hop.parent == kNoHop ? 0 : data_link) + adapter(hop.link); }
  /// Cycles from the slot before `hop` to the departure from this switch: in the same slot; with slot_update at least,
  /// and at most a frame less a cycle more.
  Cycle step(const RouteHop& hop) const {
    return slot_update ? wire(hop) + 1 : Cycle{slots} * (wire(hop) / Cycle{slots} + 1);
  }
  /// Control channel between a host and its switch, or two switches, over link `at`.
  Cycle host_way(LinkId at) const { return host_link + adapter(at); }
  Cycle way(LinkId at) const { return link + adapter(at); }
  /// From the host's slot to the departure from switch `hop` of the route; with slot_update at least.
  Cycle departure(const CircuitRoute& route, std::uint32_t hop) const {
    Cycle all = 0;
    for (; hop != kNoHop; hop = route.hops[hop].parent) all += step(route.hops[hop]);
    return all;
  }
  /// From the host's slot to the arrival at each destination; with slot_update at least.
  std::vector<Cycle> transits(const CircuitRoute& route) const {
    std::vector<Cycle> out(route.destinations.size(), 0);
    for (std::uint32_t h = 0; h < route.hops.size(); ++h) {
      for (const RouteBranch& b : route.hops[h].branches) {
        if (b.next == kNoHop) out[route.index_of(b.host)] = departure(route, h) + ejection + adapter(b.link);
      }
    }
    return out;
  }
  /// Cycles by which the slots chosen can make a word arrive later than that at a destination, by its index.
  Cycle latest_choice(const CircuitRoute& route, std::size_t destination) const {
    return slot_update ? (Cycle{route.links_to(destination)} + 1) * (Cycle{slots} - 1) : 0;
  }
  /// First frame boundary at or after `cycle`.
  Cycle boundary(Cycle cycle) const { return (cycle + slots - 1) / Cycle{slots} * Cycle{slots}; }
};

// TLM-2.0 protocol of the control channel that runs beside each link: one non-blocking call per message, annotated with
// its latency. Both directions of a link are sockets of their own, so there is no backward path.

struct SetupProtocol {
  using tlm_payload_type = SetupMessage;
  using tlm_phase_type = tlm::tlm_phase;
};

using SetupReceiver = LinkReceiver<SetupProtocol>;
using SetupInPort = LinkInPort<SetupProtocol>;
using SetupOutPort = LinkOutPort<SetupProtocol>;

}  // namespace weft
