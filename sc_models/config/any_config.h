#pragma once
// A configuration of whatever fabric its file names.

#include <string>
#include <variant>

#include "config/config.h"
#include "config/dlt_config.h"
#include "config/document.h"
#include "config/optweb_config.h"
#include "config/qos_config.h"

namespace weft {

using AnyConfig = std::variant<FicConfig, QosConfig, DltConfig, OptwebConfig>;

/// As load_config, for every fabric.
AnyConfig load_any_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics);

/// A packet network, for text that stands in no file.
QosConfig parse_qos_config(const std::string& text, const std::string& name, const std::string& folder,
                           const Overrides& overrides, Diagnostics& diagnostics);

/// An OPTWEB network, for text that stands in no file.
OptwebConfig parse_optweb_config(const std::string& text, const std::string& name, const std::string& folder,
                                 const Overrides& overrides, Diagnostics& diagnostics);

/// A divisible load, from a file that is read already or from the options of the command line.
DltConfig read_dlt_config(ConfigDocument document, const std::string& file, const Overrides& overrides,
                          Diagnostics& diagnostics);

}  // namespace weft
