#pragma once
// Routes of the packets of an input-queued network while links are down, as its routers ask for them, and the end of
// packets that have none.

#include <vector>

#include "kernel/clock_domain.h"
#include "network/routing/packet_routing.h"

namespace weft {

struct PacketMessage;
class IqNetwork;

class IqRerouting {
 public:
  virtual ~IqRerouting() = default;
  /// A count of 0: the packet has no route and is to be discarded. One that is to wait gets its usual route.
  virtual RouteStep step(const RoutePlace& place, const PacketMessage& message) = 0;
};

/// Takes packets without a route out of their input VC (as numbered in IqCore), one flit per cycle and VC.
class IqDiscards final : public Agent {
 public:
  explicit IqDiscards(IqNetwork& network) : network_(network) {}
  /// The packet at the front of the VC is discarded, its first flit in cycle `from`, which is now or the next one.
  void add(std::uint32_t vc, Cycle from);
  /// Not this one: true if its first flit would go in the present cycle or later.
  bool recall(std::uint32_t vc, Cycle now);
  /// In Phase::settle: arrivals of the cycle have been seen.
  void due(Cycle now, std::uint32_t token) override;
  /// Flits discarded so far.
  std::uint64_t flits() const { return flits_; }

 private:
  struct Place {
    std::uint32_t vc;
    Cycle from;
  };
  IqNetwork& network_;
  std::vector<Place> places_;
  std::uint64_t flits_ = 0;
  Cycle planned_ = -1;  // the last cycle it is on the agenda for
};

}  // namespace weft
