#pragma once
// Family of packet networks, as the registry has it.

#include <string>

#include "fabrics/packet/keys/packet_config.h"
#include "run/family.h"

namespace weft {

Family packet_family();

/// Reads, merges (`base:`), overrides and checks a configuration. Throws InputError with every error found; warnings go
/// to `diagnostics`.
PacketConfig load_packet_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics);

/// Same, for text that stands in no file (`name` is used in messages; relative paths are taken from `folder`).
PacketConfig parse_packet_config(const std::string& text, const std::string& name, const std::string& folder,
                                 const Overrides& overrides, Diagnostics& diagnostics);

}  // namespace weft
