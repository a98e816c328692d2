#pragma once
// Catalogs in which Weft's own RTL is replaced by other copies, such as faulty ones.

#include <utility>

#include "cosim/packet/packet_rtl.h"
#include "cosim/tdm/tdm_rtl.h"

namespace weft::test {

inline TdmRtlBlocks with_switch(decltype(TdmSwitchBlock::make) make) {
  TdmRtlBlocks blocks;
  blocks.data_path.builtin.make = std::move(make);
  return blocks;
}
inline TdmRtlBlocks with_slot_lut(decltype(SlotLutBlock::make) make) {
  TdmRtlBlocks blocks;
  blocks.slot_lut.builtin.make = std::move(make);
  return blocks;
}
/// `place`: a scheduler, as &PacketRtlBlocks::drr.
inline PacketRtlBlocks with_scheduler(RtlBlocks<SchedulerBlock> PacketRtlBlocks::*place,
                                      decltype(SchedulerBlock::make) make) {
  PacketRtlBlocks blocks;
  (blocks.*place).builtin.make = std::move(make);
  return blocks;
}

}  // namespace weft::test
