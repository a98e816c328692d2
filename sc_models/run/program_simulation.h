#pragma once
// A run of programs on a packet network, from the first instruction to the last delivery, and the report of it.

#include "run/qos_simulation.h"

namespace weft {

/// Figures of the nodes and their programs, known before a run.
Section program_section(const QosConfig& config);

/// Precondition: the configuration has programs.
QosRunResult run_programs(const QosPlatform& platform, const QosRunOptions& options);

}  // namespace weft
