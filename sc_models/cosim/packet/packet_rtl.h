#pragma once
// RTL blocks that can stand in the places of packet networks.

#include "cosim/common/named_blocks.h"
#include "cosim/packet/dtable_rtl.h"
#include "cosim/packet/iq_router_rtl.h"

namespace weft {

struct PacketRtlBlocks {
  RtlBlocks<DtableBlock> dtable{"the Deficit Table", {}};
  RtlBlocks<IqRouterBlock> iq_router{"the input-queued router", {}};
};

}  // namespace weft
