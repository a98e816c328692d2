#pragma once
// Family of ideal networks, as the registry has it.

#include <string>

#include "fabrics/ideal/keys/ideal_config.h"
#include "run/family.h"

namespace weft {

Family ideal_family();

/// Checked configuration from text that stands in no file (`name` is used in messages; relative paths are taken from
/// `folder`). Throws InputError with every error found; warnings go to `diagnostics`.
IdealConfig parse_ideal_config(const std::string& text, const std::string& name, const std::string& folder,
                               const Overrides& overrides, Diagnostics& diagnostics);

}  // namespace weft
