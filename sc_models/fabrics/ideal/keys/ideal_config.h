#pragma once
// Checked configuration of an ideal network (fabric: ideal). Keys: fabrics/ideal/keys/ideal_schema.cpp.

#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "network/topology/topology.h"
#include "workload/workload.h"

namespace weft {

/// serial: a node takes one flit per cycle; parallel: any number of transfers arrive side by side.
enum class IdealReceivers { serial, parallel };
template <>
inline constexpr auto kWords<IdealReceivers> = words("serial", "parallel");

struct IdealConfig {
  std::string file;
  std::string title;
  std::optional<TopologyConfig> topology;  ///< its nodes, for patterns that need a network; else:
  std::uint32_t nodes = 0;
  Rate rate;
  DataSize flit;
  Cycle latency = 1;
  IdealReceivers receivers = IdealReceivers::serial;
  /// Latencies of single pairs; later ones win.
  struct Pair {
    Location where;
    NodeId from = 0;
    NodeId to = 0;
    Cycle latency = 1;
  };
  std::vector<Pair> pairs;
  /// In the waveform.
  struct Waves {
    std::vector<WaveTransfers::Node> nodes;  ///< none: all
    WaveTimes times;
  };
  Waves waves;
  Workload workload;  ///< its period is the time of one flit: one cycle
};

}  // namespace weft
