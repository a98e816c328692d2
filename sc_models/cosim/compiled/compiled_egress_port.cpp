#include "Vegress_port_drr.h"
#include "Vegress_port_dtable.h"
#include "Vegress_port_ib_arbiter.h"
#include "cosim/packet/egress_port_rtl.h"
#include "cosim/packet/verilated_egress_port.h"

namespace weft {
namespace {

template <class V, unsigned kScheduler>
std::unique_ptr<EgressPortRtl> make_egress_port(VerilatedContext& context, const EgressPortNeed& need,
                                                const std::string& name) {
  return std::make_unique<VerilatedEgressPort<V, egress_port_size(kScheduler)>>(context, need, name);
}

}  // namespace

EgressPortBlock egress_port_block() {
  return {"egress_port", egress_port_size, [](unsigned scheduler) { return scheduler < kEgressSchedulers; },
          [](VerilatedContext& context, const EgressPortNeed& need, const std::string& name) {
            constexpr decltype(&make_egress_port<Vegress_port_dtable, 0>) kMakers[kEgressSchedulers] = {
                make_egress_port<Vegress_port_dtable, 0>, make_egress_port<Vegress_port_drr, 1>,
                make_egress_port<Vegress_port_ib_arbiter, 2>};
            return kMakers[egress_scheduler(*need.scheduler.type)](context, need, name);
          }};
}

}  // namespace weft
