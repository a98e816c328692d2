#pragma once
// Egress ports that decide, switches that allocate and NICs with an arrival in each coming cycle of a packet
// network: lists, one of each per cycle, with one entry per phase of a busy cycle on the clock's agenda. Since
// everything that a cycle will do is known when it begins, the state of those whose turn is near can be fetched into
// the cache ahead of it, step by step as one thing leads to the next: a large network would spend most of its time
// waiting for that.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabrics/packet/common/cycle_lists.h"
#include "kernel/clock_domain.h"

namespace weft {

class EgressPort;
class NicCore;
class PacketSwitch;

class PacketAgenda final : public Agent {
 public:
  /// An agent that is planned further ahead than the lists reach is reminded (Agent::due) so long before, to plan
  /// again.
  static constexpr Cycle kReminder = 128;

  explicit PacketAgenda(ClockDomain& domain) : domain_(domain) {}
  PacketAgenda(const PacketAgenda&) = delete;
  PacketAgenda& operator=(const PacketAgenda&) = delete;

  /// EgressPort::decide(at), PacketSwitch::serve_all(at) will be called once for each of these calls, in
  /// Phase::transfer. Precondition: at is a cycle that the clock's agenda takes; of allocations less than
  /// RequestWheel::kAhead ahead.
  void plan_decision(EgressPort& port, Cycle at) {
    if (holds(at)) {
      ports_.push(plan(at), port);
    } else {
      remind(port, at);
    }
  }
  void plan_allocation(PacketSwitch& sw, Cycle at) { switches_.push(plan(at), sw); }
  /// NicCore::fill(now) will be called in Phase::transfer of this cycle.
  void plan_fill(NicCore& nic, Cycle now) {
    plan(now);
    fills_.push_back(&nic);
  }
  /// NicCore::arrive(at) will be called in Phase::settle. Precondition: at is yet to come.
  void plan_arrival(NicCore& nic, Cycle at) {
    if (!holds(at)) {
      remind(nic, at);
      return;
    }
    if (arrivals_.push(list_of(at), nic)) domain_.schedule(at, Phase::settle, *this, kArrivals);
  }

  void due(Cycle now, std::uint32_t token) override;

  /// State is fetched ahead: for networks that do not fit the cache. Small ones lose by it.
  void fetch_ahead(bool on) { fetches_ = on; }

 private:
  static constexpr std::uint64_t kAhead = 256;  // cycles ahead that the lists hold
  static_assert(kReminder < kAhead);
  static constexpr std::uint32_t kTransfer = 0;  // tokens
  static constexpr std::uint32_t kArrivals = 1;
  bool holds(Cycle at) const { return static_cast<std::uint64_t>(at - domain_.now()) < kAhead; }
  void remind(EgressPort& port, Cycle at);
  void remind(NicCore& nic, Cycle at);
  static std::size_t list_of(Cycle at) { return static_cast<std::size_t>(at) % kAhead; }
  /// The first that is planned for Phase::transfer of a cycle.
  void begin(Cycle at);
  /// Puts the cycle on the clock's agenda, unless it is there. Returns its lists.
  std::size_t plan(Cycle at) {
    const std::size_t list = list_of(at);
    if (!planned_[list]) begin(at);
    return list;
  }
  /// Takes a list through the steps of fetching, if that is on, and the last step, and empties it.
  template <class T, class Last, class... Fetches>
  void serve(std::vector<T*>& list, const Last& last, const Fetches&... fetches);
  void serve_switches(Cycle now);
  void serve_ports(Cycle now);

  ClockDomain& domain_;
  bool fetches_ = false;
  std::array<bool, kAhead> planned_{};  // for Phase::transfer
  CycleLists<PacketSwitch> switches_{kAhead};
  CycleLists<EgressPort> ports_{kAhead};
  CycleLists<NicCore> arrivals_{kAhead};  // with entries of their own on the clock's agenda
  // What is being served; who is planned for the same cycle meanwhile comes after that.
  struct {
    std::vector<PacketSwitch*> switches;
    std::vector<EgressPort*> ports;
    std::vector<NicCore*> arrivals;
  } now_;
  std::vector<NicCore*> fills_;  // of this cycle
};

}  // namespace weft
