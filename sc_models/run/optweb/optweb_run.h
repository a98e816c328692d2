#pragma once
// Run of an OPTWEB network, from the first instruction of its programs to the last, and its report: options, result,
// and the functions that run it or only plan it. One simulation per process (the SystemC kernel does not restart).

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/optweb/blocks.h"
#include "fabrics/optweb/keys/optweb_system_config.h"
#include "fabrics/optweb/module_factory.h"
#include "fabrics/optweb/observe/optweb_stats.h"
#include "fabrics/optweb/observer.h"
#include "run/optweb/optweb_platform.h"
#include "run/run_options.h"

namespace weft {

/// `interrupted` is asked while bytes move, too.
struct OptwebRunOptions : RunOptions {
  std::vector<OptwebObserver*> observers;  ///< further observers
  optweb::BlockFactory* blocks = nullptr;  ///< instead of those the configuration names; null: those
  std::optional<Cycle> profile;            ///< length of its windows
  OptwebWaveChoice shown;                  ///< in the waveform
  std::optional<OptwebBoxChoice> boxes;    ///< in a table of the report
  OptwebModules* modules = nullptr;        ///< of the nodes; null: those the configuration names
};

struct OptwebRunResult : RunResult {
  std::vector<OptwebRow> rows;  ///< by program and instruction
  Picoseconds end = 0;          ///< the last node was done; interrupted: the time reached
  std::uint64_t busy_cycles = 0;
  std::uint64_t verified_bytes = 0;  ///< compared, of all memories
};

OptwebRunResult run_optweb(const OptwebPlatform& platform, const OptwebRunOptions& options);

}  // namespace weft
