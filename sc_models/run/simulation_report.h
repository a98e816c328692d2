#pragma once
// The report of a simulation (run/simulation.h): section `run`, tables and notes of its traffic or programs, around
// what the fabric adds.

#include "observe/transfer_stats.h"
#include "run/fabric_plan.h"

namespace weft {

class NetworkProfile;
class ProgramClient;
class RunLength;
class StreamSources;
class ThroughputSeries;

/// A run that is over, or as far as it has come.
struct FinishedRun {
  const FabricPlan& plan;
  BuiltFabric& built;
  const Fabric& fabric;
  const TransferStats& stats;
  const RunLength* length;             ///< null: the window was fixed
  const StreamSources* sources;        ///< or
  const ProgramClient* programs;       ///< these; the other is null
  const NetworkProfile* profile;       ///< null: none was asked for
  const ThroughputSeries* throughput;  ///< of programs
  Cycle last;                          ///< cycle that the run has come to
  Cycle measured_until;                ///< end of the drain as it was
  Cycle settled_at;                    ///< everything had arrived; -1: not seen
  bool stalled;                        ///< nothing that is left moves any more, because links are down

  double ns(Cycle c) const { return static_cast<double>(c * fabric.tick().ps) / 1000.0; }
};

/// What the statistics of its messages need to know of a fabric.
TransferStatsOptions stats_options(const FabricPlan& plan, const Fabric& fabric);
/// With latencies by length of a route, and by pair of nodes where the tables of the fabric do not give them.
TransferStatsOptions with_routes(TransferStatsOptions options, const BuiltFabric& built);

/// `result.report`; what ended the run and its cycles are in `result` already.
void fill_report(const FinishedRun& run, RunResult& result);

/// Figures of the nodes that run programs, known before a run.
ReportSection program_section(const FabricPlan& plan);

}  // namespace weft
