#include <stdexcept>

#include "Vdrr_16.h"
#include "Vdrr_32.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/packet/drr_rtl.h"
#include "cosim/packet/verilated_drr.h"

namespace weft {
namespace {

std::unique_ptr<SchedulerRtl> drr(VerilatedContext& context, const std::vector<std::uint32_t>& quanta,
                                  const std::string& name) {
  const auto size = compiled_drr(quanta);
  if (size == kSmallDrr) return std::make_unique<VerilatedDrr<Vdrr_16, kSmallDrr>>(context, quanta, name);
  if (size == kLargeDrr) return std::make_unique<VerilatedDrr<Vdrr_32, kLargeDrr>>(context, quanta, name);
  throw std::invalid_argument("no compiled drr takes these quanta; drr_rtl_limit() says why");
}

const CompiledMaker kDrr("drr", drr);

}  // namespace
}  // namespace weft
