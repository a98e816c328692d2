#pragma once
// Which egress ports decide and which switches allocate in each coming cycle of a packet network: lists, one of each
// per cycle, with one entry per busy cycle on the clock's agenda. Since everything that a cycle will do is known when
// it begins, the state of those whose turn is near can be fetched into the cache ahead of it, step by step as one thing
// leads to the next: a large network would spend most of its time waiting for that.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/clock_domain.h"

namespace weft {

class EgressPort;
class PacketSwitch;

class PacketAgenda final : public Agent {
 public:
  /// Cycles ahead that the lists hold.
  static constexpr std::uint64_t kAhead = 256;

  explicit PacketAgenda(ClockDomain& domain) : domain_(domain), wheel_(kAhead) {}
  PacketAgenda(const PacketAgenda&) = delete;
  PacketAgenda& operator=(const PacketAgenda&) = delete;

  bool holds(Cycle at) const { return static_cast<std::uint64_t>(at - domain_.now()) < kAhead; }
  /// EgressPort::decide(at), PacketSwitch::serve(at) will be called once for each of these calls, in
  /// Phase::transfer. Precondition: holds(at), and at is a cycle that the clock's agenda takes.
  void plan_decision(EgressPort& port, Cycle at) { plan(at).ports.push_back(&port); }
  void plan_allocation(PacketSwitch& sw, Cycle at) { plan(at).switches.push_back(&sw); }

  void due(Cycle now, std::uint32_t token) override;

  /// State is fetched ahead: for networks that do not fit the cache. Small ones lose by it.
  void fetch_ahead(bool on) { fetches_ = on; }

 private:
  struct Bucket {
    bool planned = false;  // on the clock's agenda
    std::vector<EgressPort*> ports;
    std::vector<PacketSwitch*> switches;
  };
  Bucket& plan(Cycle at) {
    Bucket& b = wheel_[static_cast<std::size_t>(at) % kAhead];
    if (!b.planned) {
      domain_.schedule(at, Phase::transfer, *this, 0);
      b.planned = true;
    }
    return b;
  }
  void serve_ports(Cycle now);
  void serve_switches(Cycle now);

  ClockDomain& domain_;
  bool fetches_ = false;
  std::vector<Bucket> wheel_;
  Bucket now_;  // what is being served; who is planned for the same cycle meanwhile comes after that
};

}  // namespace weft
