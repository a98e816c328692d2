#pragma once
// Failures of a configuration (`faults`) as outages of the links of an OPTWEB network.

#include <vector>

#include "algorithms/optweb/faults/link_timeline.h"
#include "algorithms/optweb/optweb_config.h"
#include "network/places.h"

namespace weft::optweb {

/// A link by its nodes, either direction.
struct NodePair {
  NodeId a = kNoId;
  NodeId b = kNoId;
};
/// Links that a place names, with node n on sw[n]. Precondition: range_problem() is empty.
std::vector<NodePair> links_at(const PortRange& place, const Graph& graph);

/// Of a link that an adapter makes longer by so many cycles. `rate`: of its words.
LinkTiming link_timing(const OptwebConfig& config, const WordRate& rate, Cycle adapter);

/// By node and DMAC, in nominal cycles: in order and disjoint, overlapping failures being one. Empty without failures.
std::vector<std::vector<Outage>> outages_of(const OptwebConfig& config);

}  // namespace weft::optweb
