#include <stdexcept>

#include "Vdtable_ib.h"
#include "Vdtable_large.h"
#include "Vdtable_small.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/packet/dtable_rtl.h"
#include "cosim/packet/verilated_dtable.h"

namespace weft {
namespace {

std::unique_ptr<SchedulerRtl> dtable(VerilatedContext& context, const ArbitrationTable& table, unsigned counter_bits,
                                     const std::string& name) {
  const auto size = compiled_dtable(table, counter_bits);
  if (size == kIbDtable) return std::make_unique<VerilatedDtable<Vdtable_ib, kIbDtable>>(context, table, name);
  if (size == kSmallDtable) return std::make_unique<VerilatedDtable<Vdtable_small, kSmallDtable>>(context, table, name);
  if (size == kLargeDtable) return std::make_unique<VerilatedDtable<Vdtable_large, kLargeDtable>>(context, table, name);
  throw std::invalid_argument("no compiled dtable takes this table; dtable_rtl_limit() says why");
}

const CompiledMaker kDtable("dtable", dtable);

}  // namespace
}  // namespace weft
