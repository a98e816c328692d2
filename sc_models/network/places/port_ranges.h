#pragma once
// Places that a configuration names, held against the network.

#include <optional>
#include <string>
#include <vector>

#include "network/graph.h"
#include "network/places/fault_config.h"
#include "network/places/place_range.h"

namespace weft {

/// What is wrong with a range of ports in this network; empty when all of them exist and have something connected.
std::string range_problem(const PortRange& range, const Graph& graph);

/// The links a place names, both directions as one number: the lower one (of a NIC's link that of the switch). In
/// ascending order. Precondition: range_problem() is empty.
std::vector<LinkId> cables_of(const PortRange& place, const Graph& graph);

/// Reports places of faults that the network does not have.
void check_faults(const std::vector<FaultConfig>& faults, const Graph& graph, Diagnostics& diagnostics);

/// What the author of a list of faults may not have meant, one line each: faults that begin after `end` (the last cycle
/// of the run, if it is known), that change nothing because another one holds the same links down, and links that stay
/// down beyond the end of one fault because of another one. Precondition: check_faults() has found nothing.
std::vector<std::string> fault_notes(const std::vector<FaultConfig>& faults, const Graph& graph,
                                     std::optional<Cycle> end);

}  // namespace weft
