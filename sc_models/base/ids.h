#pragma once
// Identifiers shared by all layers. All count from 0.

#include <cstdint>
#include <limits>

namespace weft {

using SwitchId = std::uint32_t;
using NodeId = std::uint32_t;     ///< an end node (host, compute node)
using PortId = std::uint16_t;     ///< port of one switch
using LinkId = std::uint32_t;     ///< directed link, see network/graph.h for the numbering
using Slot = std::uint16_t;       ///< time slot of a TDM frame
using CircuitId = std::uint32_t;  ///< one source of one flow, with all its destinations

inline constexpr std::uint32_t kNoId = std::numeric_limits<std::uint32_t>::max();
inline constexpr PortId kNoPort = std::numeric_limits<PortId>::max();

}  // namespace weft
