#pragma once
// Contents of the memories of all nodes after a program, defined without hardware: every instruction is the copies that
// the MPI operation of its name stands for, and two nodes exchange data when both have come to it (what a node sends to
// itself waits). Used to verify runs; with the model it shares the memory, the numbering of stripes, and what becomes
// of two elements in a reduction.

#include <functional>
#include <vector>

#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/reduction.h"
#include "algorithms/optweb/semantics/sparse_memory.h"

namespace weft::optweb {

/// What a node's own reduction unit makes of two elements; empty: Weft's.
using OwnCombine = std::function<CombineElements(NodeId node)>;

/// Executes the programs on `memories` (one per node). Returns false when some nodes wait for each other for ever, or
/// when `stop`, asked again and again, has said so.
bool execute_semantics(const OptwebConfig& config, std::vector<SparseMemory>& memories,
                       const std::function<bool()>& stop = {}, const OwnCombine& own = {});

}  // namespace weft::optweb
