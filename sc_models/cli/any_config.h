#pragma once
// A configuration of whatever fabric its file names.

#include <functional>
#include <string>
#include <variant>

#include "algorithms/dlt/dlt_config.h"
#include "algorithms/optweb/optweb_config.h"
#include "fabrics/packet/keys/packet_config.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "schema/document.h"

namespace weft {

using AnyConfig = std::variant<TdmConfig, PacketConfig, DltConfig, OptwebConfig>;

/// Holds the places of a configuration with errors against its network, so that all errors are told at once.
using PlaceCheck = std::function<void(const TdmConfig& config, Diagnostics& diagnostics)>;

/// Reads, merges (`base:`), overrides and checks a configuration of FiC. Throws InputError with every error found.
/// Warnings go to `diagnostics`.
TdmConfig load_tdm_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics);

/// Same, for text that stands in no file (`name` is used in messages; relative paths are taken from `folder`).
TdmConfig parse_tdm_config(const std::string& text, const std::string& name, const std::string& folder,
                           const Overrides& overrides, Diagnostics& diagnostics);

/// As load_tdm_config, for every fabric. `places`: called for a FiC configuration with errors outside its topology.
AnyConfig load_any_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics,
                          const PlaceCheck& places = {});

/// The same for a document that is read already.
AnyConfig read_any_config(ConfigDocument document, const std::string& file, const Overrides& overrides,
                          Diagnostics& diagnostics, const PlaceCheck& places = {});

/// A packet network, for text that stands in no file.
PacketConfig parse_packet_config(const std::string& text, const std::string& name, const std::string& folder,
                                 const Overrides& overrides, Diagnostics& diagnostics);

/// An OPTWEB network, for text that stands in no file.
OptwebConfig parse_optweb_config(const std::string& text, const std::string& name, const std::string& folder,
                                 const Overrides& overrides, Diagnostics& diagnostics);

/// A divisible load, from a file that is read already or from the options of the command line.
DltConfig read_dlt_config(ConfigDocument document, const std::string& file, const Overrides& overrides,
                          Diagnostics& diagnostics);

}  // namespace weft
