#pragma once
// Workload of a FiC run: streams of messages over the circuits of its phases, or programs.

#include <memory>

#include "fabrics/tdm/observe/circuit_stats.h"
#include "fabrics/tdm/observe/link_stats.h"
#include "fabrics/tdm/tdm_network.h"
#include "observe/report.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

class TdmWorkload {
 public:
  virtual ~TdmWorkload() = default;
  virtual MessageSupply& supply() = 0;
  virtual TdmObserver& observer() = 0;
  virtual void join(TdmNetwork&) {}
  /// Words of the longest and of the shortest message of each circuit.
  virtual MessageWords words() const = 0;
  /// Fraction of the work done.
  virtual double progress(TdmNetwork& network) const = 0;
  /// Facts known before the run, besides slots and circuits.
  virtual void add_plan(ReportData&) const {}
  /// Figures and tables of a run whose last event was in cycle `last_cycle`.
  virtual void add_results(TdmNetwork& network, const CircuitStats& circuits, const TdmLinkStats& links,
                           Cycle last_cycle, ReportData& report) const = 0;
};

std::unique_ptr<TdmWorkload> make_stream_workload(const TdmPlatform& platform);
/// Precondition: the configuration has programs.
std::unique_ptr<TdmWorkload> make_program_workload(const TdmPlatform& platform);

}  // namespace weft
