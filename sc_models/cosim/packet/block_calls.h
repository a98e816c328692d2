#pragma once
// Calls of weft_add_block that make Weft's own RTL of schedulers and egress ports in the size that a network needs
// (docs/howto/rtl.md), for the messages about networks that the compiled sizes do not fit.

#include <cstdint>
#include <string>

#include "cosim/packet/egress_port_rtl.h"

namespace weft {

/// "weft_add_block(scheduler PLACE dtable PARAMETERS ...)"; empty when the RTL cannot be of that size, or when there is
/// none of the scheduler. `levels`: SLs from 0 on; `largest_message`: credits.
std::string scheduler_block_call(const SchedulerConfig& config, std::uint32_t levels, std::uint32_t largest_message);
/// The same of an egress port for the outputs of a network, with a link to a switch and to a NIC.
std::string egress_port_block_call(const EgressPortNeed& to_switch, const EgressPortNeed& to_node,
                                   std::uint32_t levels);

}  // namespace weft
