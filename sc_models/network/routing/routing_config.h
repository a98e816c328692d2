#pragma once
// Choice of a routing algorithm and of what keeps rings free of deadlocks.

#include <cstdint>
#include <vector>

#include "base/diagnostics.h"
#include "base/words.h"

namespace weft {

enum class RoutingAlgorithm { dimension_order, shortest_path, valiant, nearest_common_ancestor };
template <>
inline constexpr auto kWords<RoutingAlgorithm> = words("dimension_order", "shortest_path", "valiant",
                                                       "nearest_common_ancestor");

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

struct RoutingConfig {
  Location where;
  RoutingAlgorithm algorithm = RoutingAlgorithm::dimension_order;
  std::vector<std::uint32_t> order;  ///< dimension_order: dimensions in the order they are corrected; x = 0
};

}  // namespace weft
