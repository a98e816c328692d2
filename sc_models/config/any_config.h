#pragma once
// A configuration of whatever fabric its file names.

#include <functional>
#include <string>
#include <variant>

#include "config/config.h"
#include "config/dlt_config.h"
#include "config/document.h"
#include "config/optweb_config.h"
#include "config/qos_config.h"

namespace weft {

using AnyConfig = std::variant<FicConfig, QosConfig, DltConfig, OptwebConfig>;

/// Holds the places of a configuration with errors against its network, so that all errors are told at once.
using PlaceCheck = std::function<void(const FicConfig& config, Diagnostics& diagnostics)>;

/// As load_config, for every fabric. `places`: called for a FiC configuration with errors outside its topology.
AnyConfig load_any_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics,
                          const PlaceCheck& places = {});

/// The same for a document that is read already.
AnyConfig read_any_config(ConfigDocument document, const std::string& file, const Overrides& overrides,
                          Diagnostics& diagnostics, const PlaceCheck& places = {});

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
