#pragma once
// Nodes by way of which data of a group go on all paths.

#include <vector>

#include "algorithms/optweb/optweb_config.h"
#include "base/ids.h"

namespace weft::optweb {

/// Nodes by way of which the data of an instruction may go, ascending: its group and its relays, which are the nodes of
/// its program with links to all of the group.
std::vector<NodeId> ways_of(const OptwebConfig& config, const ProgramInstruction& in);

}  // namespace weft::optweb
