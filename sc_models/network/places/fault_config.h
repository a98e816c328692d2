#pragma once
// Faults of links and switches, as configurations have them.

#include <optional>
#include <string>

#include "base/units.h"
#include "network/places/place_range.h"

namespace weft {

/// Links, or all links of switches, fail at the beginning of cycle `down` and come back at `up`.
struct FaultConfig {
  std::string name;  ///< in messages: faults.3
  PortRange place;
  Cycle down = 0;
  std::optional<Cycle> up;
};

}  // namespace weft
