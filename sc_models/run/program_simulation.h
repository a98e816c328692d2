#pragma once
// A run of programs on a packet network, from the first instruction to the last delivery, and the report of it.

#include "run/qos_simulation.h"

namespace weft {

/// Precondition: the configuration has programs.
QosRunResult run_programs(const QosPlatform& platform, const QosRunOptions& options);

}  // namespace weft
