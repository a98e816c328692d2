#pragma once
// Nodes of a network that a configuration lists by number and as ranges.

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/ids.h"
#include "network/places.h"
#include "schema/schema_types.h"

namespace weft {

inline constexpr std::size_t kMostNodeRanges = 1'000'000;  ///< in a list

/// The entries of a list in ascending order; reports a node that it names twice.
std::vector<NodeRange> resolve_node_ranges(const std::vector<Placed<NodeRange>>& list, const std::string& path,
                                           Diagnostics& diagnostics);

/// Reports a node that a network of so many nodes does not have. `node`: the word for a node.
void check_node_ranges(const std::vector<NodeRange>& ranges, std::uint32_t nodes, const std::string& path,
                       const std::string& node, Diagnostics& diagnostics);

/// All nodes of the ranges, in their order.
std::vector<NodeId> nodes_of(const std::vector<NodeRange>& ranges);

}  // namespace weft
