#pragma once
// Choice of a routing algorithm and of what keeps rings free of deadlocks.

#include <cstdint>
#include <vector>

#include "base/diagnostics.h"
#include "base/words.h"

namespace weft {

/// How a ring of buffers is kept from filling up.
enum class RingControl : std::uint8_t {
  bubble,    ///< entering a ring leaves room for one more message (Carrion et al., HiPC 1997)
  dateline,  ///< two lane classes; a message that crosses the wrap-around link changes to the second (Dally, Seitz
             ///< 1987)
  none,
};
template <>
inline constexpr auto kWords<RingControl> = words("bubble", "dateline", "none");

/// Torus: of two equally long routes round a ring each message takes one at random, or the one in direction +.
enum class RouteTies : std::uint8_t { random, plus };
template <>
inline constexpr auto kWords<RouteTies> = words("random", "plus");

struct RoutingAlgorithm;
extern const RoutingAlgorithm kDimensionOrder;

inline constexpr std::uint32_t kMaxRoots = 8;

struct RoutingConfig {
  Location where;
  const RoutingAlgorithm* algorithm = &kDimensionOrder;
  std::vector<std::uint32_t> order;  ///< dimension_order: dimensions in the order they are corrected; x = 0
  std::uint32_t roots = 1;           ///< up_down: roots, each with a lane class of its own
};

/// Options of the routing of packets.
struct PacketRoutingOptions {
  RoutingConfig routing;
  RingControl ring = RingControl::bubble;
  RouteTies ties = RouteTies::random;
};

}  // namespace weft
