#pragma once
// Nodes whose signals a waveform has (observe.waves.nodes).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace weft {

/// Ascending, each once. `chosen`: as the configuration names them, which has been checked; none: all.
inline std::vector<NodeId> wave_nodes(std::vector<NodeId> chosen, std::uint32_t nodes) {
  const bool all = chosen.empty();
  for (NodeId n = 0; all && n < nodes; ++n) chosen.push_back(n);
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

}  // namespace weft
