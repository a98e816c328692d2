#pragma once
// Results of the flows of a network in which circuits come and go, put together from its parts on several ranks.

#include <cstdint>
#include <vector>

#include "fabrics/tdm/setup/flow_log.h"
#include "fabrics/tdm/setup/flow_words.h"
#include "fabrics/tdm/setup/ranks/setup_wire.h"
#include "fabrics/tdm/setup/setup_host.h"
#include "parallel/ranks.h"

namespace weft {

struct FlowResults {
  // Of the source.
  bool has_source = false;  ///< on this rank
  FlowLog log;
  std::uint64_t words_offered = 0;
  std::uint64_t open_requests = 0;    ///< that have not come to their end
  std::vector<ArrivedWords> arrived;  ///< by destination; zeros where it is on another rank
};

struct SetupResults {
  std::vector<FlowResults> flows;
  Cycle last_event = 0;
};

/// `results`, latencies and accounts in `runs`: those of this rank become those of all. Destinations are on one rank
/// each.
void collect_results(Ranks& ranks, const FlowRoutes& routes, CircuitRuns& runs, SetupResults& results);

}  // namespace weft
