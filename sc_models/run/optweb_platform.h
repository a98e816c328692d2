#pragma once
// From a checked configuration of an OPTWEB network to what its nodes execute.

#include "config/optweb_config.h"
#include "optweb/program.h"

namespace weft {

class OptwebPlatform {
 public:
  /// Throws InputError when addresses are wrong. `config` must outlive the platform.
  explicit OptwebPlatform(const OptwebConfig& config) : config_(config), programs_(optweb::assemble(config)) {
    optweb::check_addresses(config, programs_);
  }
  const OptwebConfig& config() const { return config_; }
  const optweb::MachinePrograms& programs() const { return programs_; }

 private:
  const OptwebConfig& config_;
  optweb::MachinePrograms programs_;
};

}  // namespace weft
