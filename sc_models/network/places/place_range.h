#pragma once
// Places of a network as configurations name them: switches, ports, NICs.

#include <cstdint>
#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "base/ids.h"

namespace weft {

/// Named switches: `sw[5]`, `sw[0..3]`.
struct SwitchRange {
  Location where;
  SwitchId first = 0;
  SwitchId last = 0;  ///< inclusive
};

/// Ports that are named together: `sw[0..3]`, `sw[5].port2`, `nic[7]`; for faults also `sw[1]-sw[2]`.
struct PortRange {
  Location where;
  bool nic = false;
  std::uint32_t first = 0;            ///< switch or NIC
  std::uint32_t last = 0;             ///< inclusive
  std::optional<std::uint32_t> port;  ///< of the switches; unset: all
  std::optional<std::uint32_t> peer;  ///< only the links of switch `first` to this switch
  std::string text;                   ///< as written
};

}  // namespace weft
