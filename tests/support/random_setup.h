#pragma once
// Random networks in which circuits come and go.

#include "support/setup_runs.h"

namespace weft::test {

/// A random case; the same seed gives the same. Some of its flows are multicasts, if wanted.
SetupCase random_setup(std::uint64_t seed, bool multicasts = false);

}  // namespace weft::test
