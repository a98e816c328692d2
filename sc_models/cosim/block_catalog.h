#pragma once
// All RTL blocks that networks of a program can have: Weft's own, and those that the program or its plug-ins register
// (docs/howto/own_rtl.md).

#include "cosim/optweb/optweb_rtl.h"
#include "cosim/packet/packet_rtl.h"
#include "cosim/tdm/tdm_rtl.h"

namespace weft {

struct BlockCatalog {
  TdmRtlBlocks tdm;
  PacketRtlBlocks packet;
  OptwebRtlBlocks optweb;
};

}  // namespace weft
