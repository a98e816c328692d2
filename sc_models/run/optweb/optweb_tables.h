#pragma once
// Tables of a run of an OPTWEB network about its parts, and what all of its figures are made of.

#include "fabrics/optweb/observe/optweb_stats.h"
#include "fabrics/optweb/optweb_network.h"
#include "observe/report.h"

namespace weft {

inline double us(Picoseconds time) { return static_cast<double>(time) / 1e6; }
inline double gbps(std::uint64_t bytes, Picoseconds time) {
  return time <= 0 ? 0 : static_cast<double>(bytes) * 8e3 / static_cast<double>(time);
}

/// Activity of the parts of each node.
Table node_table(const OptwebConfig& config, const OptwebNetwork& network);
/// The accesses of hosts that the configuration names.
Table host_table(const OptwebConfig& config, const OptwebStats& stats);

}  // namespace weft
