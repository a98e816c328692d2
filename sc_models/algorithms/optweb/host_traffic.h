#pragma once
// Accesses of the hosts that a configuration names: what they write, and that it does not depend on time what the
// memories hold in the end.

#include <functional>

#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/program.h"
#include "algorithms/optweb/semantics/sparse_memory.h"

namespace weft::optweb {

/// Throws InputError for writes to where instructions of the node's program send from or receive to: which of the two
/// came first would be a matter of cycles. In mode timing there are no data, and nothing is checked.
void check_host_traffic(const OptwebConfig& config, const MachinePrograms& programs);

/// Bytes that access `index`, a write, puts into the memory of its node: bytes that depend on the seed and on its place
/// in the list. Ends early when `stop`, asked again and again, says so.
void write_host_data(const OptwebConfig& config, std::size_t index, SparseMemory& memory,
                     const std::function<bool()>& stop = {});

}  // namespace weft::optweb
