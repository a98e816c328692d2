#pragma once
// Places of links in an OPTWEB configuration, and the keys of links that fail or make errors.

#include <string>
#include <vector>

#include "algorithms/optweb/faults/link_failures.h"
#include "fabrics/optweb/keys/optweb_schema.h"

namespace weft {

/// Links that a place names; nothing, and an error, when it names none. Places are those of the network's graph: node n
/// is on sw[n], and its own link there is no link of this network.
std::vector<optweb::NodePair> link_places(const std::string& name, const PortRange& place, const Graph& graph,
                                          Diagnostics& diagnostics);

/// faults, link.errors and the keys beside them. Precondition: clock, word and neighbours are resolved.
void resolve_link_failures(const RawOptweb& raw, OptwebConfig& out, Diagnostics& diagnostics);

}  // namespace weft
