#pragma once
// All RTL blocks that networks of a program can have: Weft's own, and those that the program or its plug-ins register
// (docs/howto/rtl.md); and boxes of OPTWEB nodes that these register (docs/howto/boxes.md).

#include "cosim/optweb/optweb_rtl.h"
#include "cosim/packet/packet_rtl.h"
#include "cosim/tdm/tdm_rtl.h"
#include "fabrics/optweb/user/box_catalog.h"

namespace weft {

struct BlockCatalog {
  TdmRtlBlocks tdm;
  PacketRtlBlocks packet;
  OptwebRtlBlocks optweb;
  OptwebBoxes optweb_boxes;  ///< modules that stand in its nodes
};

}  // namespace weft
