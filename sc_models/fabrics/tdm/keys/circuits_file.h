#pragma once
// Text files with one source/destination pair per line, the form in which traffic matrices are exchanged:
//
//   source destination flow_id [job_id]     # comment
//
// Pairs with equal job_id and flow_id are one flow and use the same slots.

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "fabrics/tdm/keys/tdm_config.h"

namespace weft {

/// Flows of the file in order of first appearance, each asking for `slots` slots. `value_where` is where the
/// file's name stands; a file that cannot be read is reported there, wrong lines at their own place (at most
/// 20 of them).
std::vector<FlowConfig> read_circuits_file(const std::string& path, const Location& value_where,
                                           const std::string& key_path, std::uint32_t slots, Diagnostics& diagnostics);

}  // namespace weft
