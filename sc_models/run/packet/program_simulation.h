#pragma once
// A run of programs on a packet network, from the first instruction to the last delivery, and the report of it.

#include "run/packet/packet_platform.h"
#include "run/packet/packet_run.h"

namespace weft {

/// Precondition: the configuration has programs.
PacketRunResult run_programs(const PacketPlatform& platform, const PacketRunOptions& options);

}  // namespace weft
