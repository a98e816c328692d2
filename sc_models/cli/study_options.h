#pragma once
// Options of `weft alltoall`, `weft dlt` and `weft slots` as checked problems.

#include <string>
#include <vector>

#include "algorithms/dlt/dlt_config.h"
#include "algorithms/slots/allocation_options.h"
#include "cli/arguments.h"
#include "network/routing/routing_config.h"
#include "network/topology/topology.h"
#include "run/registry.h"
#include "schema/document.h"
#include "studies/alltoall/alltoall_report.h"

namespace weft::cli {

/// Problem of `weft alltoall`. Throws InputError with everything that is wrong, also when the grid would need more
/// memory than there is.
AllToAllProblem alltoall_problem(const AllToAllArguments& arguments);

/// "1.5 GB".
std::string bytes_text(double bytes);

/// The grid of a schedule file: from the options; when they give no size, from schedule.json in the file's
/// folder, with the other options in the place of what it says.
alltoall::Grid alltoall_grid(const AllToAllArguments& arguments);

/// Configuration of `weft dlt`, and the document it is from, overrides included.
struct LoadedDlt {
  DltConfig config;
  ConfigDocument document;
};

/// What `weft dlt --topology` knows.
std::vector<std::string> dlt_topology_words();

/// From a file or from the options of the command line. Throws InputError with everything that is wrong.
LoadedDlt load_dlt(const DltArguments& arguments, const Registry& registry);

/// Overrides of the command line, options about the simulated network included.
Overrides dlt_overrides(const DltArguments& arguments);

/// Whether a document describes a divisible load.
bool is_dlt_document(const ConfigDocument& document);

/// A divisible load, from a file that is read already or from the options of the command line. Throws InputError with
/// every error found; warnings go to `diagnostics`. `in_force` gets the tree that was read, overrides included.
DltConfig read_dlt_config(ConfigDocument document, const std::string& file, const Overrides& overrides,
                          const Registry& registry, Diagnostics& diagnostics, YamlNode* in_force = nullptr);

/// Request of `weft slots`.
struct SlotsRequest {
  bool table1 = false;
  TopologyConfig topology;  ///< these only without table1
  RoutingConfig routing;
  std::string pattern;
  Location pattern_where;
  std::vector<const Allocator*> allocators;
  std::uint64_t seed = 1;
  std::uint32_t seeds = 1;
  std::uint64_t search_iterations = 200'000;
};

/// Throws InputError with everything that is wrong.
SlotsRequest read_slots_request(const SlotsArguments& arguments);

}  // namespace weft::cli
