#include <stdexcept>

#include "Vib_arbiter_16.h"
#include "Vib_arbiter_32.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/packet/ib_arbiter_rtl.h"
#include "cosim/packet/verilated_ib_arbiter.h"

namespace weft {
namespace {

std::unique_ptr<SchedulerRtl> ib_arbiter(VerilatedContext& context, const ArbitrationTable& high,
                                         const ArbitrationTable& low, std::uint32_t limit_of_high_priority,
                                         const std::string& name) {
  const IbTables tables{high, low, limit_of_high_priority};
  const auto size = compiled_ib_arbiter(high, low);
  if (size == kSmallIbArbiter) {
    return std::make_unique<VerilatedIbArbiter<Vib_arbiter_16, kSmallIbArbiter>>(context, tables, name);
  }
  if (size == kLargeIbArbiter) {
    return std::make_unique<VerilatedIbArbiter<Vib_arbiter_32, kLargeIbArbiter>>(context, tables, name);
  }
  throw std::invalid_argument("no compiled ib_arbiter takes these tables; ib_arbiter_rtl_limit() says why");
}

const CompiledMaker kIbArbiter("ib_arbiter", ib_arbiter);

}  // namespace
}  // namespace weft
