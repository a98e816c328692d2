#pragma once
// Accesses of the hosts to the memories of an OPTWEB network (key `host`), checked.

#include <cstdint>
#include <string>
#include <vector>

#include "fabrics/optweb/keys/optweb_schema.h"

namespace weft {

inline std::uint64_t bytes_of(const DataSize& size) { return static_cast<std::uint64_t>(size.bits) / 8; }

/// Error where a size that is given is not a number of bytes.
void check_whole_bytes(const Given<DataSize>& size, const std::string& path, Diagnostics& diagnostics);

/// `config`: nodes, period, memory and mode are resolved. Those with an error are left out.
std::vector<OptwebHostAccess> host_accesses(const RawOptweb& raw, const OptwebSystemConfig& config,
                                            Diagnostics& diagnostics);

}  // namespace weft
