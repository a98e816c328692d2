#pragma once
// Plan of an OPTWEB network. Traffic and traces are those of the one simulation (run/simulation.h); programs, which its
// command sequencers execute themselves, have a run of their own (run/optweb/optweb_run.h).

#include "fabrics/optweb/keys/optweb_system_config.h"
#include "run/fabric_plan.h"
#include "run/optweb/optweb_platform.h"

namespace weft {

class OptwebPlan final : public FabricPlan {
 public:
  /// Both must outlive the plan. Throws InputError as OptwebPlatform does, and for traffic that the network does
  /// not fit.
  OptwebPlan(const OptwebSystemConfig& config, const BlockCatalog& blocks);

  std::string title() const override { return config_.title; }
  std::vector<Diagnostic> warnings() const override { return platform_.warnings(); }
  RunResult known() const override;

  const Workload& workload() const override { return config_.workload; }
  const Graph& graph() const override { return graph_; }
  std::int64_t flit_bits() const override { return std::int64_t{config_.word_bytes} * 8; }
  Duration cycle() const override { return config_.period; }
  ReportData header() const override;
  /// With traffic.
  std::unique_ptr<BuiltFabric> build(ClockDomain& domain, const Part& part) const override;
  std::string undivided(const RunOptions& options) const override;
  RunResult run(const RunOptions& options) const override;

 private:
  const OptwebSystemConfig& config_;
  OptwebPlatform platform_;
  Graph graph_;
};

}  // namespace weft
