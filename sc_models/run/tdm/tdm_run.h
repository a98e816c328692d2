#pragma once
// Options and result of a run of a FiC network.

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/tdm/tdm_blocks.h"
#include "fabrics/tdm/observer.h"
#include "run/run_options.h"

namespace weft {

struct TdmRunOptions : RunOptions {
  std::string slot_trace;                              ///< CSV file for observe.slot_trace, which is off without a name
  TdmSwitchRtlMaker rtl_switch = make_tdm_switch_rtl;  ///< tests: another RTL copy
  SlotLutRtlMaker rtl_slot_lut = make_slot_lut_rtl;    ///< tests: another RTL copy
  std::vector<TdmObserver*> observers;                 ///< further observers
};

struct TdmRunResult : RunResult {
  std::uint64_t word_hops = 0;
};

}  // namespace weft
