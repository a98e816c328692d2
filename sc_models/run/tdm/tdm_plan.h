#pragma once
// Plan of a FiC network. Its endpoints and programs are those of the one simulation (run/simulation.h); the streams of
// circuits, and networks whose circuits come and go, have a run of their own (run/tdm/tdm_run.h).

#include "fabrics/tdm/observe/circuit_stats.h"
#include "run/fabric_plan.h"
#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_run.h"

namespace weft {

class TdmPlan final : public FabricPlan {
 public:
  /// `config` must outlive the plan. Throws InputError as TdmPlatform does.
  explicit TdmPlan(const TdmConfig& config);
  /// `platform` and `options` must outlive the plan.
  TdmPlan(const TdmPlatform& platform, const TdmRunOptions& options);

  std::string title() const override { return platform_.config().title; }
  /// Slots, tables, predictions.
  RunResult known() const override;

  const Workload& workload() const override { return workload_; }
  const Graph& graph() const override { return platform_.graph(); }
  std::int64_t flit_bits() const override { return platform_.config().tdm_switch.word_bits(); }
  ReportData header() const override;
  std::vector<Figure> program_links() const override;
  /// Precondition: circuits are planned, setup.mode is preset or central.
  std::unique_ptr<BuiltFabric> build(ClockDomain& domain, const Part& part) const override;
  RunResult run(const RunOptions& options) const override;

 private:
  const std::unique_ptr<TdmPlatform> own_platform_;
  const TdmRunOptions own_options_;
  const TdmPlatform& platform_;
  const TdmRunOptions& options_;
  Workload workload_;
};

/// Words of the longest and of the shortest message of programs on each circuit; one word where there are no programs.
MessageWords words_of_programs(const TdmPlatform& platform);

/// Programs on circuits that are in place before they begin.
TdmRunResult run_tdm_programs(const TdmPlatform& platform, const TdmRunOptions& options);

}  // namespace weft
