#pragma once
// Flits in the buffers of switches, sampled from outside from time to time: of architectures whose buffers do not
// follow from what observers are told.

#include <cstdint>
#include <vector>

#include "observe/profile/network_profile.h"
#include "observe/window.h"

namespace weft {

class OccupancySampler : public WindowedStats {
 public:
  /// What each sample finds goes into a profile, too, which must outlive it.
  virtual void record(NetworkProfile& profile) = 0;
  /// Sums over the samples, to be added to those of other parts of the network.
  virtual const std::vector<std::uint64_t>& numbers() const = 0;
  virtual void set_numbers(std::vector<std::uint64_t> numbers) = 0;
  /// Mean flits in the buffers of each switch; empty: it has no sample.
  virtual std::vector<double> occupancy() const = 0;
};

}  // namespace weft
