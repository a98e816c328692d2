#pragma once
// What statistics of messages need to know of a fabric (observe/transfer_stats.h).

#include "observe/transfer_stats.h"
#include "run/fabric_plan.h"

namespace weft {

TransferStatsOptions stats_options(const FabricPlan& plan, const Fabric& fabric);
/// With latencies by length of a route, and by pair of nodes where the tables of the fabric do not give them.
TransferStatsOptions with_routes(TransferStatsOptions options, const BuiltFabric& built);

}  // namespace weft
