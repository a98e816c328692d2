#pragma once
// From a checked configuration of an OPTWEB network to what its nodes execute.

#include "config/optweb_config.h"
#include "optweb/program.h"

namespace weft {

class OptwebPlatform {
 public:
  /// Throws InputError when addresses are wrong, or the compiled RTL does not fit. `config` must outlive the platform.
  explicit OptwebPlatform(const OptwebConfig& config);
  const OptwebConfig& config() const { return config_; }
  const optweb::MachinePrograms& programs() const { return programs_; }

 private:
  void check_rtl() const;

  const OptwebConfig& config_;
  optweb::MachinePrograms programs_;
};

}  // namespace weft
