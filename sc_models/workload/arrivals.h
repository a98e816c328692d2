#pragma once
// Arrival process of the messages of a flow.

#include "base/words.h"

namespace weft {

/// saturated: a message is always waiting; periodic: one per interval; poisson: exponential gaps with that mean.
enum class Arrivals { saturated, periodic, poisson, none };
template <>
inline constexpr auto kWords<Arrivals> = words("saturated", "periodic", "poisson", "none");

}  // namespace weft
