#pragma once
// What the nodes of a FiC run send: streams of messages over the circuits of its phases, or programs.

#include <memory>

#include "fabric/tdm/fic_network.h"
#include "report/report.h"
#include "run/fic_platform.h"
#include "stats/circuit_stats.h"
#include "stats/link_stats.h"

namespace weft {

class FicWorkload {
 public:
  virtual ~FicWorkload() = default;
  virtual MessageSupply& supply() = 0;
  virtual FabricObserver& observer() = 0;
  virtual void join(FicNetwork&) {}
  /// Words of the longest and of the shortest message of each circuit.
  virtual MessageWords words() const = 0;
  /// Fraction of the work done.
  virtual double progress(FicNetwork& network) const = 0;
  /// What is known before the run, besides slots and circuits.
  virtual void add_plan(ReportData&) const {}
  /// Figures and tables of a run whose last event was in cycle `last_cycle`.
  virtual void add_results(FicNetwork& network, const CircuitStats& circuits, const LinkStats& links, Cycle last_cycle,
                           ReportData& report) const = 0;
};

std::unique_ptr<FicWorkload> make_stream_workload(const FicPlatform& platform);
/// Precondition: the configuration has programs.
std::unique_ptr<FicWorkload> make_program_workload(const FicPlatform& platform);

}  // namespace weft
