#pragma once
// One run of a packet network: warm-up, measurement window, drain; and the report of it. One simulation per process
// (the SystemC kernel does not restart).

#include "run/packet/packet_platform.h"
#include "run/packet/packet_run.h"

namespace weft {

PacketRunResult run_packet(const PacketPlatform& platform, const PacketRunOptions& options);

}  // namespace weft
