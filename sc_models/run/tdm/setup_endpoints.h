#pragma once
// FiC network in which circuits come and go, as the one simulation runs it: its messages come from endpoints, that is
// from streams, traces, programs and clients.

#include <memory>

#include "run/fabric_plan.h"
#include "run/tdm/tdm_run.h"

namespace weft {

/// Fabric of circuits, planned or not, with what belongs to it.
class BuiltCircuits : public BuiltFabric {
 public:
  /// Words sent by switch outputs, those to hosts included.
  virtual std::uint64_t word_hops() const = 0;
};

/// References must outlive what is built. `services`: of the workload.
std::unique_ptr<BuiltCircuits> build_setup(ClockDomain& domain, const TdmPlatform& platform,
                                           const TdmRunOptions& options, std::size_t services);

/// Words of the longest message of a plan, at least 1.
std::uint32_t longest_message(const SetupPlan& plan);

}  // namespace weft
