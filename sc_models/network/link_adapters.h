#pragma once
// Adapters: modules in the way of chosen links (a longer cable, a retimer, a gateway) that pass everything on a
// constant whole number of cycles later, in either direction. What passes keeps its order and its rate.

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "network/graph.h"
#include "network/places.h"

namespace weft {

struct AdapterConfig {
  std::string name;  ///< in messages: adapters.3
  PortRange place;
  Cycle delay = 1;
};

/// Reports places of adapters that the network does not have.
void check_adapters(const std::vector<AdapterConfig>& adapters, const Graph& graph, Diagnostics& diagnostics);

/// Cycles that adapters add to each directed link, by its number; those of one link add up. Empty without adapters.
/// Precondition: check_adapters() has found nothing.
std::vector<Cycle> adapter_delays(const std::vector<AdapterConfig>& adapters, const Graph& graph);

/// The longest of them; 0 without any.
Cycle longest_adapter(const std::vector<Cycle>& delays);

}  // namespace weft
