#pragma once
// Configuration of a divisible load: what the file may say (raw), as fabrics/tdm/keys/tdm_schema.h has it for FiC, and
// what it means.

#include <string>
#include <vector>

#include "algorithms/dlt/dlt_config.h"
#include "network/keys/network_schema.h"
#include "schema/document.h"

namespace weft {

struct RawDltInjection {
  Given<std::string> at;
  Given<std::uint64_t> load;  ///< this and the other numbers in millionths
};

struct RawDltNode {
  Given<std::uint64_t> inverse_speed;
  Given<bool> computes;
};

struct RawDltLink {
  Given<SwitchRange> from;
  Given<SwitchRange> to;
  Given<std::uint64_t> inverse_speed;
  Given<bool> failed;
};

struct RawDltRun {
  Given<std::string> fabric;
  Given<DataSize> load;
  Given<std::uint32_t> rounds;
  Given<std::uint64_t> results;  ///< in millionths
};

struct RawDlt {
  Given<std::size_t> fabric;
  Given<std::string> title;
  Given<std::vector<Placed<std::string>>> base;  ///< only described here; schema/document.h reads it
  Given<RawTopology> topology;
  Given<std::uint64_t> sigma;
  Given<std::vector<Placed<RawDltInjection>>> inject;
  Given<DltSwitching> switching;
  Given<DltRoutes> routes;
  Given<std::vector<Named<RawDltNode>>> nodes;
  Given<std::vector<Placed<RawDltLink>>> links;
  Given<RawDltRun> run;
};

/// Networks that a load can be sent over without a configuration of their own: ideal, tdm, and the architectures of
/// packet switches.
std::vector<std::string> dlt_network_words();

/// Declares every key. `fabrics`: the words the key `fabric` knows.
Section<RawDlt> dlt_section(const std::vector<std::string>& fabrics);

/// The cross-checks of one configuration; whether places exist is checked when the network is built.
DltConfig resolve_dlt(const RawDlt& raw, const ConfigDocument& document, Diagnostics& diagnostics);

}  // namespace weft
