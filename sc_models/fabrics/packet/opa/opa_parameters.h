#pragma once
// Parameters of the OPA-like switch beside those that all packet switches have, in cycles and flits: what the model and
// the flit-by-flit reference of the tests share. Semantics and timing: docs/packet_switches.md, "OPA-like switch".

#include <cstdint>

#include "fabrics/packet/common/switch_architecture.h"

namespace weft {

extern const SwitchArchitecture kOpaArchitecture;

inline constexpr std::uint32_t kMaxCentralLinks = 64;  ///< of an MPort

struct OpaParameters {
  std::uint32_t mport_ports = 4;    ///< ports per MPort
  std::uint32_t central_links = 2;  ///< links of an MPort to the central crossbar, 1 to kMaxCentralLinks
  std::uint32_t central_rate = 3;   ///< flits per cycle of a transfer to or out of a central buffer
  /// That a central link carries at once on either side, together at central_rate.
  std::uint32_t central_messages = 1;
  BufferShares central;  ///< per MPort
};

}  // namespace weft
