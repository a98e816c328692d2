#pragma once
// RTL blocks that can stand in the places of packet networks.

#include "cosim/common/named_blocks.h"
#include "cosim/packet/drr_rtl.h"
#include "cosim/packet/dtable_rtl.h"
#include "cosim/packet/egress_port_rtl.h"
#include "cosim/packet/ib_arbiter_rtl.h"
#include "cosim/packet/iq_router_rtl.h"

namespace weft {

struct PacketRtlBlocks {
  RtlBlocks<SchedulerBlock> dtable{"the Deficit Table", dtable_block()};
  RtlBlocks<SchedulerBlock> drr{"deficit round robin", drr_block()};
  RtlBlocks<SchedulerBlock> ib_arbiter{"the two-table arbiter of InfiniBand", ib_arbiter_block()};
  RtlBlocks<EgressPortBlock> egress_port{"the egress port", egress_port_block()};
  RtlBlocks<IqRouterBlock> iq_router{"the input-queued router", {}};
  /// visit(blocks) for each place.
  template <class Visit>
  void each_place(Visit&& visit) const {
    visit(dtable), visit(drr), visit(ib_arbiter), visit(egress_port), visit(iq_router);
  }

  /// An egress scheduler that exists in RTL: its blocks, and what lockstep and waves know of it.
  struct Scheduler {
    const RtlBlocks<SchedulerBlock>* blocks = nullptr;
    const SchedulerRtlKind* kind = nullptr;
    explicit operator bool() const { return blocks != nullptr; }
  };
  /// Empty for a type without RTL.
  Scheduler scheduler(const SchedulerType& type) const {
    for (const Scheduler& s :
         {Scheduler{&dtable, &kDtableRtl}, Scheduler{&drr, &kDrrRtl}, Scheduler{&ib_arbiter, &kIbArbiterRtl}}) {
      if (s.kind->type == &type) return s;
    }
    return {};
  }
};

}  // namespace weft
