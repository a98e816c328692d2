#pragma once
// Checked configuration of `weft dlt`: a divisible load on a network. The keys are declared in
// studies/dlt/dlt_schema.cpp; the options of the command line are checked as a file is.

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/words.h"
#include "network/places.h"
#include "network/topology/topology.h"

namespace weft {

/// cut_through: relay and compute while receiving; modified_store_and_forward: relay after full receipt, compute while
/// receiving; store_and_forward: relay and compute after full receipt.
enum class DltSwitching { cut_through, modified_store_and_forward, store_and_forward };
template <>
inline constexpr auto kWords<DltSwitching> = words("cut_through", "modified_store_and_forward", "store_and_forward");

/// Rule by which the simulated distribution picks, for each node in order of distance, the neighbour that feeds it.
enum class DltRoutes { fewest_nodes, least_load, dimension_order };
template <>
inline constexpr auto kWords<DltRoutes> = words("fewest_nodes", "least_load", "dimension_order");

struct DltInjection {
  Location where;
  std::string at;   ///< corner, edge, centre, a node number, or coordinates "x,y,..."
  double load = 0;  ///< part of the load that starts here; 0: the linear program chooses
};

struct DltNodeException {
  SwitchRange range;
  std::optional<double> inverse_speed;
  std::optional<bool> computes;
};

/// Both directions of every link between a switch of one range and a switch of the other.
struct DltLinkException {
  Location where;
  SwitchRange from;
  SwitchRange to;
  std::optional<double> inverse_speed;
  bool failed = false;
};

/// The shares sent as messages over a simulated network.
struct DltRun {
  std::string fabric;  ///< configuration file, or the word of a network that needs none
  Location where;      ///< of the fabric
  Location load_where;
  std::uint64_t load = 0;    ///< bytes
  std::uint32_t rounds = 1;  ///< messages per node
  double results = 0;        ///< bytes returned per byte of load
};

struct DltConfig {
  std::string file;  ///< empty when it comes from the command line
  std::string title;
  TopologyConfig topology;
  double sigma = 0;
  Location sigma_where;
  std::vector<DltInjection> inject;
  DltSwitching switching = DltSwitching::cut_through;
  DltRoutes routes = DltRoutes::fewest_nodes;
  std::vector<DltNodeException> nodes;  ///< later entries win
  std::vector<DltLinkException> links;  ///< later entries win
  std::optional<DltRun> run;
};

}  // namespace weft
