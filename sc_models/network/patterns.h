#pragma once
// Named communication patterns: who sends to whom. Source: FiC paper, section III and Table 1; the
// definitions are those that reproduce all deterministic cells of the table.

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/ids.h"
#include "base/random.h"
#include "network/graph.h"

namespace weft {

/// Names of all patterns, in the order of the paper's table, then the project's additions.
const std::vector<std::string>& pattern_names();

/// Meaning of a key that names one.
std::string pattern_meaning();

/// Whether the pattern draws its destinations. False for a name that is none.
bool is_random_pattern(const std::string& name);

/// Source/destination pairs in source order; fixed points (destination == source) send nothing.
/// uniform and neighbor draw from `random`. Throws InputError at `where` for an unknown name (with a
/// suggestion) or a network on which the pattern is undefined (bit patterns need 2^b nodes,
/// tornado_per_dimension and neighbor a grid).
std::vector<std::pair<NodeId, NodeId>> make_pattern(const std::string& name, const Graph& graph, RandomStream& random,
                                                    const Location& where);

}  // namespace weft
