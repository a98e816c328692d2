#pragma once
// From a checked configuration of an OPTWEB network to what its nodes execute.

#include <vector>

#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/program.h"
#include "base/diagnostics.h"
#include "cosim/optweb/optweb_rtl.h"
#include "fabrics/optweb/user/box_catalog.h"
#include "parallel/part.h"

namespace weft {

class OptwebPlatform {
 public:
  /// Throws InputError when addresses are wrong, or RTL or an own box is not there or does not fit. All must outlive
  /// the platform.
  explicit OptwebPlatform(const OptwebConfig& config, const OptwebRtlBlocks& blocks = builtin_blocks<OptwebRtlBlocks>(),
                          const OptwebBoxes& boxes = builtin_blocks<OptwebBoxes>());
  const OptwebRtlBlocks& blocks() const { return blocks_; }
  const OptwebBoxes& boxes() const { return boxes_; }
  const OptwebConfig& config() const { return config_; }
  const optweb::MachinePrograms& programs() const { return programs_; }
  /// Of keys that have no effect.
  const std::vector<Diagnostic>& warnings() const { return diagnostics_.list(); }

 private:
  void check_rtl();

  const OptwebConfig& config_;
  const OptwebRtlBlocks& blocks_;
  const OptwebBoxes& boxes_;
  optweb::MachinePrograms programs_;
  Diagnostics diagnostics_;
};

/// The nodes of each rank: those that follow each other are together. `ranks` null: one process has all of them.
Part optweb_part(const OptwebConfig& config, Ranks* ranks);

}  // namespace weft
