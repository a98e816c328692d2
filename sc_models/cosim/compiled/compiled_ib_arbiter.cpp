#include <stdexcept>

#include "Vib_arbiter_16.h"
#include "Vib_arbiter_32.h"
#include "cosim/packet/ib_arbiter_rtl.h"
#include "cosim/packet/verilated_ib_arbiter.h"

namespace weft {

std::optional<IbArbiterRtlSize> compiled_ib_arbiter(const ArbitrationTable& high, const ArbitrationTable& low) {
  for (const IbArbiterRtlSize& size : {kSmallIbArbiter, kLargeIbArbiter}) {
    if (!ib_arbiter_rtl_limit(size, high, low, 0)) return size;
  }
  return std::nullopt;
}

std::unique_ptr<SchedulerRtl> make_ib_arbiter_rtl(VerilatedContext& context, const ArbitrationTable& high,
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

}  // namespace weft
