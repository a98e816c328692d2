#include "Vegress_port_drr.h"
#include "Vegress_port_dtable.h"
#include "Vegress_port_ib_arbiter.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/packet/egress_port_rtl.h"
#include "cosim/packet/verilated_egress_port.h"

namespace weft {
namespace {

template <class V, unsigned kScheduler>
std::unique_ptr<EgressPortRtl> with_scheduler(VerilatedContext& context, const EgressPortNeed& need,
                                              const std::string& name) {
  return std::make_unique<VerilatedEgressPort<V, egress_port_size(kScheduler)>>(context, need, name);
}

std::unique_ptr<EgressPortRtl> egress_port(VerilatedContext& context, const EgressPortNeed& need,
                                           const std::string& name) {
  constexpr decltype(&with_scheduler<Vegress_port_dtable, 0>) kMakers[kEgressSchedulers] = {
      with_scheduler<Vegress_port_dtable, 0>, with_scheduler<Vegress_port_drr, 1>,
      with_scheduler<Vegress_port_ib_arbiter, 2>};
  return kMakers[egress_scheduler(*need.scheduler.type)](context, need, name);
}

const CompiledMaker kEgressPort("egress_port", egress_port);

}  // namespace
}  // namespace weft
