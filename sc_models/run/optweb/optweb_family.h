#pragma once
// Family of fully connected FPGAs (OPTWEB), as the registry has it.

#include <string>

#include "fabrics/optweb/keys/optweb_system_config.h"
#include "run/family.h"

namespace weft {

Family optweb_family();

/// Checked configuration from text that stands in no file (`name` is used in messages; relative paths are taken from
/// `folder`). Throws InputError with every error found; warnings go to `diagnostics`.
OptwebSystemConfig parse_optweb_config(const std::string& text, const std::string& name, const std::string& folder,
                                       const Overrides& overrides, Diagnostics& diagnostics);

}  // namespace weft
