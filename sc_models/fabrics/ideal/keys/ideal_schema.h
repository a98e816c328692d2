#pragma once
// Configuration of an ideal network: what the file may say (raw), and its step to the checked IdealConfig.

#include <string>
#include <vector>

#include "fabrics/ideal/keys/ideal_config.h"
#include "network/keys/network_schema.h"
#include "workload/program_schema.h"
#include "workload/traffic_schema.h"

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

struct RawIdealLevel {
  Given<DataSize> message;
  Given<std::string> traffic_class;
};

struct RawIdealQos {
  Given<std::vector<Named<RawIdealLevel>>> levels;
};

struct RawIdealEndpoints : RawProgramSoftware {
  Given<std::string> level;
};

struct RawIdealObserve {
  Given<bool> message_log;
};

struct RawIdeal : RawConfigPrograms {
  Given<std::size_t> fabric;
  Given<std::string> title;
  Given<std::vector<Placed<std::string>>> base;  ///< only described here; schema/document.h reads it
  Given<std::uint64_t> seed;
  Given<RawTopology> topology;
  Given<RawIdealNetwork> ideal;
  Given<RawIdealLink> link;
  Given<RawIdealQos> qos;
  Given<std::vector<Placed<RawStream>>> traffic;
  Given<std::string> trace;
  Given<RawIdealEndpoints> endpoints;
  Given<RawRun> run;
  Given<RawIdealObserve> observe;
};

/// `fabrics`: words that the key `fabric` may have.
Section<RawIdeal> ideal_section(const std::vector<std::string>& fabrics);
IdealConfig resolve_ideal(const RawIdeal& raw, const ConfigDocument& document, Diagnostics& diagnostics);

}  // namespace weft
