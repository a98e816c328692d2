#pragma once
// What the memories of all nodes hold after a program, said without hardware: every instruction is the copies that the
// MPI operation of its name stands for, and two nodes exchange data when both have come to it. Used to verify runs; it
// shares the memory with the model, and nothing else.

#include <vector>

#include "config/optweb_config.h"
#include "optweb/sparse_memory.h"

namespace weft::optweb {

/// Executes the programs on `memories` (one per node). Returns false when some nodes wait for each other for ever.
bool execute_semantics(const OptwebConfig& config, std::vector<SparseMemory>& memories);

}  // namespace weft::optweb
