#pragma once
// A configuration of whatever fabric its file names.

#include <string>
#include <variant>

#include "config/config.h"
#include "config/qos_config.h"

namespace weft {

using AnyConfig = std::variant<FicConfig, QosConfig>;

/// As load_config, for every fabric.
AnyConfig load_any_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics);

/// A packet network, for text that stands in no file.
QosConfig parse_qos_config(const std::string& text, const std::string& name, const std::string& folder,
                           const Overrides& overrides, Diagnostics& diagnostics);

}  // namespace weft
