#pragma once
// Profile of an OPTWEB network over time: words on links, once their receivers have counted them. A run of words is
// spread evenly from its first to its last.

#include "fabrics/optweb/observer.h"
#include "observe/profile/network_profile.h"

namespace weft {

class OptwebProfile final : public OptwebObserver {
 public:
  /// The profile must outlive it. `accepts`: what is counted by a receiver is accepted load; else that is told of
  /// otherwise.
  OptwebProfile(std::uint32_t nodes, NetworkProfile& profile, bool accepts)
      : nodes_(nodes), profile_(profile), accepts_(accepts) {}

  /// Links between all pairs of nodes, of which those that carry nothing are not named anywhere.
  static void shape(std::uint32_t nodes, double words_per_second, ProfileShape& shape);

  void on_deliver(const OptwebDelivery& d) override;

 private:
  Cycle tick(Picoseconds at) const { return at / profile_.shape().tick.ps; }

  const std::uint32_t nodes_;
  NetworkProfile& profile_;
  const bool accepts_;
};

}  // namespace weft
