#pragma once
// Kinds of egress schedulers; docs/qos_schedulers.md says what each does.

#include "base/words.h"

namespace weft {

enum class SchedulerKind { dtable, ib_arbiter, round_robin, strict_priority, drr, scfq };
template <>
inline constexpr auto kWords<SchedulerKind> = words("dtable", "ib_arbiter", "round_robin", "strict_priority", "drr",
                                                    "scfq");

}  // namespace weft
