#pragma once
// Options and result of a run of an OPTWEB network.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/optweb/blocks.h"
#include "fabrics/optweb/module_factory.h"
#include "fabrics/optweb/observe/optweb_stats.h"
#include "fabrics/optweb/observer.h"
#include "observe/plot.h"
#include "observe/report.h"

namespace weft {

struct OptwebRunOptions {
  std::string waves;  ///< FST file to write, empty: none
  std::function<bool()>
      interrupted;  ///< asked in every busy cycle and while bytes move; true ends the run with a partial report
  std::function<void(double)> progress;       ///< told now and then how much is done, 0..1
  std::optional<std::uint64_t> shuffle_seed;  ///< tests: serve modules in random order
  std::vector<OptwebObserver*> observers;     ///< further observers
  optweb::BlockFactory* blocks = nullptr;     ///< tests: other blocks
  OptwebModules* modules = nullptr;           ///< tests: other modules of the distributed switches
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

}  // namespace weft
