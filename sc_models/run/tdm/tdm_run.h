#pragma once
// Options and result of a run of a FiC network.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cosim/tdm/tdm_blocks.h"
#include "fabrics/tdm/observer.h"
#include "observe/report.h"

namespace weft {

struct TdmRunOptions {
  std::string waves;                          ///< FST file to write, empty: none
  std::string slot_trace;                     ///< CSV file for observe.slot_trace, which is off without a name
  std::function<bool()> interrupted;          ///< asked in every busy cycle; true ends the run with a partial report
  std::function<void(double)> progress;       ///< told now and then how much is done, 0..1
  std::optional<std::uint64_t> shuffle_seed;  ///< tests: serve modules in random order
  TdmSwitchRtlMaker rtl_switch = make_tdm_switch_rtl;  ///< tests: another RTL copy
  SlotLutRtlMaker rtl_slot_lut = make_slot_lut_rtl;    ///< tests: another RTL copy
  std::vector<TdmObserver*> observers;                 ///< further observers
};

struct TdmRunResult {
  ReportData report;
  std::vector<Artifact> artifacts;  ///< to be written beside the report
  std::vector<std::string> files;   ///< written already: waves, their view, the slot trace
  std::string failure;              ///< what went wrong, empty when nothing did
  bool interrupted = false;
  std::uint64_t word_hops = 0;
  Cycle cycles = 0;  ///< cycle of the last event
};

}  // namespace weft
