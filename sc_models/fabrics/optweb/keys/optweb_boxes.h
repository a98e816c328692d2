#pragma once
// Nodes that an OPTWEB configuration wants to have observed: signals in the waveform, boxes in the report.

#include <optional>
#include <string>
#include <vector>

#include "fabrics/optweb/keys/optweb_system_config.h"
#include "workload/workload_schema.h"

namespace weft {

/// Nodes that a key at `path` names, of a network of so many. Reports those that do not exist.
std::vector<NodeId> observed_nodes(const Given<std::vector<Placed<std::uint32_t>>>& raw, const std::string& path,
                                   std::uint32_t nodes, Diagnostics& diagnostics);

std::optional<OptwebBoxChoice> resolve_boxes(const Given<RawNodeBoxes>& raw, std::uint32_t nodes,
                                             Diagnostics& diagnostics);

}  // namespace weft
