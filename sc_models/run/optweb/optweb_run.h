#pragma once
// Options and result of a run of an OPTWEB network.

#include <cstdint>
#include <vector>

#include "algorithms/optweb/blocks.h"
#include "fabrics/optweb/module_factory.h"
#include "fabrics/optweb/observe/optweb_stats.h"
#include "fabrics/optweb/observer.h"
#include "run/run_options.h"

namespace weft {

/// `interrupted` is asked while bytes move, too.
struct OptwebRunOptions : RunOptions {
  std::vector<OptwebObserver*> observers;  ///< further observers
  optweb::BlockFactory* blocks = nullptr;  ///< tests: other blocks
  OptwebModules* modules = nullptr;        ///< tests: other modules of the distributed switches
};

struct OptwebRunResult : RunResult {
  std::vector<OptwebRow> rows;  ///< by program and instruction
  Picoseconds end = 0;          ///< the last node was done; interrupted: the time reached
  std::uint64_t busy_cycles = 0;
  std::uint64_t verified_bytes = 0;  ///< compared, of all memories
};

}  // namespace weft
