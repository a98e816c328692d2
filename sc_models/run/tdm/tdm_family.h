#pragma once
// Family of time-division multiplexed circuit switches (FiC), as the registry has it.

#include <string>

#include "fabrics/tdm/keys/tdm_config.h"
#include "run/family.h"

namespace weft {

Family tdm_family();

/// Reads, merges (`base:`), overrides and checks a configuration. Throws InputError with every error found; warnings go
/// to `diagnostics`.
TdmConfig load_tdm_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics);

/// Same, for text that stands in no file (`name` is used in messages; relative paths are taken from `folder`).
TdmConfig parse_tdm_config(const std::string& text, const std::string& name, const std::string& folder,
                           const Overrides& overrides, Diagnostics& diagnostics);

}  // namespace weft
