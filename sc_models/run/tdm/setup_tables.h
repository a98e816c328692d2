#pragma once
// The tables of a run in which circuits come and go: flows, their destinations, circuits, changes of slots.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabrics/tdm/setup/setup_network.h"
#include "observe/profile/hop_counts.h"
#include "observe/values.h"

namespace weft {

/// Words that did not come to a destination.
struct DiscardedWords {
  std::uint64_t refused = 0;  ///< behind refused requests
  std::uint64_t lost = 0;     ///< by failures
  DiscardedWords& operator+=(const DiscardedWords& other) {
    refused += other.refused;
    lost += other.lost;
    return *this;
  }
};

/// By flow and destination.
std::vector<std::vector<DiscardedWords>> discarded_words(const SetupNetwork& network);

/// Until `end`, that of the run, for a flow that is still dark then.
inline Cycle dark_time(const FlowLog& log, Cycle end) {
  return log.dark + (log.dark_since < 0 ? 0 : end - log.dark_since);
}

/// Before a run: what the flows ask for.
Table planned_flows(const SetupPlan& plan);
/// After it.
void add_setup_tables(const SetupNetwork& network, const CycleTimes& times, Cycle end, ReportData& report);
/// Latency of all messages by the length of their routes.
Table setup_hops(const SetupNetwork& network, Duration period);
/// Lengths of the routes of all flows; nothing where two flows from one node to another differ, or for large networks.
std::optional<HopCounts> setup_hops(const SetupPlan& plan, std::uint32_t nodes);

}  // namespace weft
