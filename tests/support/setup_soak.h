#pragma once
// Random networks in which circuits come and go, seed by seed.

#include <cstdint>

namespace weft::test {

/// What has come together in all runs; of flows with several destinations alone if there are some.
struct SetupSoak {
  bool all = false;  ///< false: one seed only (WEFT_SEED), or a run was wrong
  std::uint64_t flows = 0;
  std::uint64_t refused = 0;  ///< for want of slots
  std::uint64_t late = 0;
  std::uint64_t lost = 0;
  std::uint64_t dropped = 0;           ///< words
  std::uint64_t taken_of_refused = 0;  ///< words behind refused requests that failures took
  std::uint64_t further = 0;           ///< additions accepted
};

/// Runs 120 seeds (more in a soak), or that of WEFT_SEED, and fails the test at the first run with something wrong,
/// that depends on the order of modules in a cycle, or in which a failure of links that are down already is charged
/// with anything. `multicasts`: some flows have several destinations.
SetupSoak soak_setup(bool multicasts);

}  // namespace weft::test
