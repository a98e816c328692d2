#pragma once
// Checks of a FiC configuration against its network: places that it names, limits of the simulation, and warnings
// before it runs.

#include <string>
#include <vector>

#include "algorithms/collectives/lowering.h"
#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "network/graph.h"

namespace weft {

/// Reports switches and links that the network does not have: of blocks, waves and failures.
void check_places(const TdmConfig& config, const Graph& graph, Diagnostics& diagnostics);

/// Reports links of one bundle with different delays, and what else does not go together with bundles. Its places
/// exist.
void check_bundles(const TdmConfig& config, const Graph& graph, Diagnostics& diagnostics);

/// Warns of slots.bundles in a network without parallel links. Its topology is valid.
void warn_without_bundles(const TdmConfig& config, Location key, Diagnostics& diagnostics);

/// Reports wrong places, and nodes of circuits, of a configuration in which other things are wrong; its topology is
/// not.
void check_places_of_wrong(const TdmConfig& config, Diagnostics& diagnostics);

__extension__ using Wide = __int128;

inline constexpr std::int64_t kMostWords = std::int64_t{1} << 31;       ///< of a message, exclusive
inline constexpr Wide kMostTime = Wide{4'000'000'000} * 1'000'000'000;  ///< ps

/// Throws InputError when a message has more words than a train can have (2^31), or when the run could last longer than
/// 4e18 ps (46 days): simulated time is a 64-bit number of picoseconds. The bound on time is an upper estimate.
void check_limits(const TdmConfig& config, const Graph& graph, const std::vector<PhasePlan>& phases);

/// The same for messages of programs and traffic, for which the length of the run does not matter: throws InputError
/// when one has more words than a train can have.
void check_pair_limits(const TdmConfig& config, const std::vector<collectives::PairMessages>& messages);

/// Things that are allowed but probably not meant: circuits offered more than their slots carry.
std::vector<std::string> load_notes(const TdmConfig& config, const std::vector<PhasePlan>& phases);

}  // namespace weft
