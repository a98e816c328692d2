#pragma once
// Assignment of the slots of a schedule to wavelengths, planes and time slots (algorithms/alltoall/wdm.h).

#include <cstdint>
#include <vector>

namespace weft::alltoall {

/// Place of every slot of a schedule. Channel c is wavelength c / planes of plane c % planes.
struct ChannelPlan {
  std::uint32_t wavelengths = 1;
  std::uint32_t planes = 1;
  std::uint32_t time_slots = 0;
  std::vector<std::uint32_t> channel;  ///< per slot of the schedule
  std::vector<std::uint32_t> time;     ///< per slot, below time_slots

  std::uint32_t channels() const { return wavelengths * planes; }
  std::uint32_t wavelength(std::uint32_t slot) const { return channel[slot] / planes; }
  std::uint32_t plane(std::uint32_t slot) const { return channel[slot] % planes; }
};

}  // namespace weft::alltoall
