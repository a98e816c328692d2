#pragma once
// Largest networks that are built; larger numbers are more likely slips of the pen than networks.

#include <cstdint>

namespace weft {

inline constexpr std::uint64_t kMaxSwitches = 1U << 20;
inline constexpr std::uint64_t kMaxPorts = 20'000'000;  ///< of all switches; a few numbers multiply quickly
inline constexpr std::uint32_t kMaxPortsPerSwitch = 8192;

}  // namespace weft
