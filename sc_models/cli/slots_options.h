#pragma once
// What `weft slots` is asked for, by the options of the command line.

#include <vector>

#include "algorithms/slots/allocator.h"
#include "cli/arguments.h"
#include "network/routing/routing_config.h"
#include "network/topology/topology_config.h"

namespace weft::cli {

struct SlotsRequest {
  bool table1 = false;
  TopologyConfig topology;  ///< these only without table1
  RoutingConfig routing;
  std::string pattern;
  Location pattern_where;
  std::vector<Allocator> allocators;
  std::uint64_t seed = 1;
  std::uint32_t seeds = 1;
  std::uint64_t search_iterations = 200'000;
};

/// Throws InputError with everything that is wrong.
SlotsRequest read_slots_request(const SlotsArguments& arguments);

}  // namespace weft::cli
