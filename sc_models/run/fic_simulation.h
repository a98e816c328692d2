#pragma once
// One run of a FiC network: builds the SystemC modules, lets time pass until every message is delivered, and collects
// the report. One simulation per process (the SystemC kernel does not restart).

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/fic_blocks.h"
#include "fabric/observer.h"
#include "report/report.h"
#include "run/fic_platform.h"

namespace weft {

struct RunOptions {
  std::string waves;                          ///< FST file to write, empty: none
  std::string slot_trace;                     ///< CSV file for observe.slot_trace, which is off without a name
  std::function<bool()> interrupted;          ///< asked in every busy cycle; true ends the run with a partial report
  std::function<void(double)> progress;       ///< told now and then how much is done, 0..1
  std::optional<std::uint64_t> shuffle_seed;  ///< tests: serve modules in random order
  TdmSwitchRtlMaker rtl_switch = make_tdm_switch_rtl;  ///< tests: another RTL copy
  SlotLutRtlMaker rtl_slot_lut = make_slot_lut_rtl;    ///< tests: another RTL copy
  std::vector<FabricObserver*> observers;              ///< further observers
};

struct RunResult {
  ReportData report;
  std::vector<Artifact> artifacts;  ///< to be written beside the report
  std::vector<std::string> files;   ///< written already: waves, their view, the slot trace
  std::string failure;              ///< what went wrong, empty when nothing did
  bool interrupted = false;
  std::uint64_t word_hops = 0;
  Cycle cycles = 0;  ///< cycle of the last event
};

/// Throws InputError when a wave file cannot be written; failures of the run itself come back in the result, with a
/// report marked incomplete.
RunResult run_fic(const FicPlatform& platform, const RunOptions& options);

/// The report before anything has run: slots, tables, predictions (`weft check`).
RunResult plan_fic(const FicPlatform& platform);

}  // namespace weft
