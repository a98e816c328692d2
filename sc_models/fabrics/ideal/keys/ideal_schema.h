#pragma once
// Configuration of an ideal network: what the file may say (raw), and its step to the checked IdealConfig.

#include <string>
#include <vector>

#include "fabrics/ideal/keys/ideal_config.h"
#include "network/keys/network_schema.h"
#include "workload/workload_schema.h"

namespace weft {

struct RawIdealLink {
  Given<Rate> rate;
  Given<DataSize> flit;
};

struct RawIdealPair {
  Given<std::uint32_t> from;
  Given<std::uint32_t> to;
  Given<CycleSpan> latency;
};

struct RawIdealNetwork {
  Given<std::uint32_t> nodes;
  Given<CycleSpan> latency;
  Given<std::vector<Placed<RawIdealPair>>> pairs;
  Given<IdealReceivers> receivers;
};

struct RawIdeal : RawWorkload {
  Given<RawTopology> topology;
  Given<RawIdealNetwork> ideal;
  Given<RawIdealLink> link;
};

/// `fabrics`: words that the key `fabric` may have.
Section<RawIdeal> ideal_section(const std::vector<std::string>& fabrics);
IdealConfig resolve_ideal(const RawIdeal& raw, const ConfigDocument& document, Diagnostics& diagnostics);

}  // namespace weft
