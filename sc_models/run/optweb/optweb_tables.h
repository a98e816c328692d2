#pragma once
// Tables of a run of an OPTWEB network about its parts, and what all of its figures are made of.

#include "fabrics/optweb/keys/optweb_system_config.h"
#include "fabrics/optweb/observe/optweb_boxes.h"
#include "fabrics/optweb/observe/optweb_stats.h"
#include "fabrics/optweb/optweb_network.h"
#include "observe/services.h"
#include "observe/statistic.h"

namespace weft {

inline double us(Picoseconds time) { return static_cast<double>(time) / 1e6; }
inline double ns(Picoseconds time) { return static_cast<double>(time) / 1e3; }
inline double gbps(std::uint64_t bytes, Picoseconds time) {
  return time <= 0 ? 0 : static_cast<double>(bytes) * 8e3 / static_cast<double>(time);
}

/// Words that a link carries at its rate.
double words_per_second(const OptwebConfig& config);
/// Load and latency of the transfers over links, eager ones and rendezvous apart, in a run that ended at `end`.
std::vector<ServiceFigures> transfer_services(const OptwebConfig& config, const OptwebStats& stats, Picoseconds end);
ServiceFigures all_transfers(const OptwebConfig& config, const OptwebStats& stats, Picoseconds end);
Table transfer_histogram(const OptwebStats& stats);
/// Every directed link that carried something.
Table link_table(const OptwebConfig& config, const OptwebNetwork& network, Picoseconds end);
/// What the parts of each node have done.
Table node_table(const OptwebConfig& config, const OptwebNetwork& network);
/// Every memory interface that has moved words, with `memory.model: hbm2`.
Table memory_table(const OptwebConfig& config, const OptwebNetwork& network, Picoseconds end);
/// The accesses of hosts that the configuration names.
Table host_table(const OptwebConfig& config, const OptwebStats& stats);

/// Observer of what a configuration names, in a network of so many nodes.
OptwebBoxTimes box_times(const OptwebBoxChoice& choice, std::uint32_t nodes);
/// States of the boxes within nodes, with `observe.boxes`. Throws RunError when a place was in two states at a time.
Table box_table(const OptwebConfig& config, const OptwebBoxTimes& times, Picoseconds end);

}  // namespace weft
