#pragma once
// Messages that a waveform shows as transactions (observe.waves.transfers).

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/ids.h"
#include "workload/traffic_config.h"

namespace weft {

struct WaveTransfers {
  struct Level {
    std::string name;
    Location where;
  };
  struct Node {
    NodeId node = 0;
    Location where;
  };
  Location where;
  std::vector<Node> nodes;    ///< none: all
  std::vector<Level> levels;  ///< none: all
  std::uint32_t rows = 1;     ///< of a node
};

/// A node and a service level that a key of the waves names. Throw InputError for one that there is not.
void check_wave_node(const std::string& key, NodeId node, const Location& where, std::uint32_t nodes);
void check_wave_level(const std::string& key, const std::string& level, const Location& where,
                      const TrafficConfig& traffic);

/// What only the network and its workload can tell. Throws InputError.
void check_wave_transfers(const WaveTransfers& transfers, const TrafficConfig& traffic, std::uint32_t nodes);

}  // namespace weft
