#pragma once
// Switches that belong to the same rank, since a node has NICs at several of them.

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "network/graph.h"
#include "parallel/part.h"

namespace weft {

/// By switch: the first of those that it must not be parted from, often itself. Every `nics` nodes of the graph that
/// follow each other are the NICs of one node.
std::vector<SwitchId> joined_switches(const Graph& graph, std::uint32_t nics);

/// Parts that such a network can be cut into, at most.
RankId most_parts(const std::vector<SwitchId>& joined);

/// As cut_network(graph, ranks); switches that are joined go to the same rank.
std::vector<RankId> cut_network(const Graph& graph, RankId ranks, const std::vector<SwitchId>& joined);

}  // namespace weft
