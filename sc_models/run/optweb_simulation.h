#pragma once
// One run of an OPTWEB network: its programs from the first instruction to the last, and the report. One simulation per
// process (the SystemC kernel does not restart).

#include <functional>
#include <string>
#include <vector>

#include "fabric/observer.h"
#include "fabric/optweb/boxes.h"
#include "optweb/blocks.h"
#include "report/plot.h"
#include "report/report.h"
#include "run/optweb_platform.h"
#include "stats/optweb_stats.h"

namespace weft {

struct OptwebRunOptions {
  std::string waves;  ///< FST file to write, empty: none
  std::function<bool()>
      interrupted;  ///< asked in every busy cycle and while bytes move; true ends the run with a partial report
  std::function<void(double)> progress;       ///< told now and then how much is done, 0..1
  std::optional<std::uint64_t> shuffle_seed;  ///< tests: serve modules in random order
  std::vector<OptwebObserver*> observers;     ///< further observers
  optweb::BlockFactory* blocks = nullptr;     ///< tests: other blocks
  OptwebBoxes* boxes = nullptr;               ///< tests: other boxes of the distributed switches
};

struct OptwebPicture {
  std::string name;  ///< of the file, without ending
  std::string meaning;
  Chart chart;
};

struct OptwebRunResult {
  ReportData report;
  std::vector<OptwebPicture> pictures;
  std::vector<std::string> files;  ///< written already: waves and their view
  std::string failure;             ///< what went wrong, empty when nothing did
  bool interrupted = false;
  std::vector<OptwebRow> rows;  ///< by program and instruction
  Picoseconds end = 0;          ///< the last node was done; interrupted: the time reached
  std::uint64_t busy_cycles = 0;
  std::uint64_t verified_bytes = 0;  ///< compared, of all memories
};

OptwebRunResult run_optweb(const OptwebPlatform& platform, const OptwebRunOptions& options);

/// What is known before anything has run (`weft check`).
OptwebRunResult plan_optweb(const OptwebPlatform& platform);

}  // namespace weft
