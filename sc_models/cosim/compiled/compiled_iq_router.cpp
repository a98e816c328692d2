#include <stdexcept>

#include "Viq_router_2.h"
#include "Viq_router_4_islip0.h"
#include "Viq_router_4_islip1.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/packet/iq_router_rtl.h"
#include "cosim/packet/verilated_iq_router.h"

namespace weft {
namespace {

std::unique_ptr<IqRouterRtl> iq_router(VerilatedContext& context, const IqRouterRtlSize& size,
                                       const std::string& name) {
  if (size == kIqRouter2) return std::make_unique<VerilatedIqRouter<Viq_router_2, kIqRouter2>>(context, name);
  if (size == kIqRouter4) return std::make_unique<VerilatedIqRouter<Viq_router_4_islip0, kIqRouter4>>(context, name);
  if (size == kIqRouterIslip) {
    return std::make_unique<VerilatedIqRouter<Viq_router_4_islip1, kIqRouterIslip>>(context, name);
  }
  throw std::invalid_argument("no compiled iq_router has this size");
}

const CompiledMaker kIqRouter("iq_router", iq_router);

}  // namespace
}  // namespace weft
