#pragma once
// Places of a network as configurations name them (switches, ports, NICs), the faults that strike them, and both held
// against the network.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/ids.h"
#include "base/units.h"
#include "network/graph.h"

namespace weft {

/// Named switches: `sw[5]`, `sw[0..3]`.
struct SwitchRange {
  Location where;
  SwitchId first = 0;
  SwitchId last = 0;  ///< inclusive
};

/// As it is written.
std::string text_of(const SwitchRange& range);
/// Problem with such a range in this network; empty when its switches exist.
std::string range_problem(const SwitchRange& range, const Graph& graph);

/// The same for nodes: `node[5]`, `node[0..3]`.
struct NodeRange {
  Location where;
  NodeId first = 0;
  NodeId last = 0;  ///< inclusive
};

/// Reports the last node of ascending ranges when a network of so many nodes does not have it. `node`: the word for
/// one.
void check_node_ranges(const std::vector<NodeRange>& ranges, std::uint32_t nodes, const std::string& path,
                       const std::string& node, Diagnostics& diagnostics);
/// All nodes of the ranges, in their order.
std::vector<NodeId> nodes_of(const std::vector<NodeRange>& ranges);

/// Ports that are named together: `sw[0..3]`, `sw[5].port2`, `nic[7]`; for faults also `sw[1]-sw[2]`.
struct PortRange {
  Location where;
  bool nic = false;
  std::uint32_t first = 0;            ///< switch or NIC
  std::uint32_t last = 0;             ///< inclusive
  std::optional<std::uint32_t> port;  ///< of the switches; unset: all
  std::optional<std::uint32_t> peer;  ///< only the links of switch `first` to this switch
  std::string text;                   ///< as written
};

/// Links, or all links of switches, fail at the beginning of cycle `down` and come back at `up`.
struct FaultConfig {
  std::string name;  ///< in messages: faults.3
  PortRange place;
  Cycle down = 0;
  std::optional<Cycle> up;
};

/// As messages name it: "faults.3 (sw[0..2], line 7)".
std::string text_of(const FaultConfig& fault);

/// What is wrong with a range of ports in this network; empty when all of them exist and have something connected.
std::string range_problem(const PortRange& range, const Graph& graph);

/// The links a place names, both directions as one number: the lower one (of a NIC's link that of the switch). In
/// ascending order. Precondition: range_problem() is empty.
std::vector<LinkId> cables_of(const PortRange& place, const Graph& graph);

/// Reports places of faults that the network does not have.
void check_faults(const std::vector<FaultConfig>& faults, const Graph& graph, Diagnostics& diagnostics);

/// What the author of a list of faults may not have meant, one line each: faults that begin after `end` (the last cycle
/// of the run, if it is known), that change nothing because another one holds the same links down, and links that stay
/// down beyond the end of one fault because of another one. Precondition: check_faults() has found nothing.
std::vector<std::string> fault_notes(const std::vector<FaultConfig>& faults, const Graph& graph,
                                     std::optional<Cycle> end);

}  // namespace weft
