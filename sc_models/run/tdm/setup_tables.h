#pragma once
// The tables of a run in which circuits come and go: flows, their destinations, circuits, changes of slots.

#include "fabrics/tdm/setup/setup_network.h"
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

}  // namespace weft
