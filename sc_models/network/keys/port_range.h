#pragma once
// Names of places of a network in a configuration: switches, ports, NICs, and for faults the links between two
// switches.

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "network/places.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

/// `sw[5]` or `sw[0..3]`.
Type<SwitchRange> switch_range_type();

/// Reads `sw[5]`, `sw[0..3]`; the location of the result is `where`. Reports an error and returns nothing if
/// it is none.
std::optional<SwitchRange> parse_switch_range(const std::string& text, const Location& where, const std::string& path,
                                              Diagnostics& diagnostics);

/// The same for `node[5]`, `node[0..3]`.
std::optional<NodeRange> parse_node_range(const std::string& text, const Location& where, const std::string& path,
                                          Diagnostics& diagnostics);

/// An entry of a list of nodes with numbers up to `last`: `5`, `0..3`, or the same as `node[5]`, `node[0..3]`.
Type<NodeRange> node_range_type(NodeId last = kNoId - 1);
inline constexpr std::size_t kMostNodeRanges = 1'000'000;  ///< in a list
/// The entries of such a list in ascending order; reports a node that it names twice.
std::vector<NodeRange> resolve_node_ranges(const std::vector<Placed<NodeRange>>& list, const std::string& path,
                                           Diagnostics& diagnostics);

/// A list of up to `most` nodes whose entries are written in the same way; a range stands for each of its nodes.
Type<std::vector<Placed<std::uint32_t>>> node_list_type(NodeId last = kNoId - 1, std::size_t most = kMostNodeRanges);
/// Whether a node of such a list comes from the same range as the one before it.
bool in_range_of_previous(const std::vector<Placed<std::uint32_t>>& list, std::size_t index);

/// `sw[5]`, `sw[0..3]`, `sw[5].port2`, `nic[7]`, `nic[0..3]`.
Type<PortRange> port_range_type();

/// Reads the same; reports anything else at `where` and returns nothing.
std::optional<PortRange> parse_port_range(const std::string& text, const Location& where, const std::string& path,
                                          Diagnostics& diagnostics);

/// The same, and the links between two switches: `sw[1]-sw[2]`.
std::optional<PortRange> parse_link_place(const std::string& text, const Location& where, const std::string& path,
                                          Diagnostics& diagnostics);

}  // namespace weft
