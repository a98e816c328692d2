#pragma once
// Plan of a FiC network. What its nodes send to each other, streams, traces and programs, is run by the one simulation
// (run/simulation.h); circuits with sources of their own, and those that come and go, by run/tdm/tdm_run.h.

#include "fabrics/tdm/observe/circuit_stats.h"
#include "run/fabric_plan.h"
#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_run.h"

namespace weft {

class TdmPlan final : public FabricPlan {
 public:
  /// Both must outlive the plan. Throws InputError as TdmPlatform does.
  TdmPlan(const TdmConfig& config, const BlockCatalog& blocks);
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
  std::unique_ptr<BuiltFabric> build(ClockDomain& domain, const Part& part) const override;
  std::string undivided(const RunOptions& options) const override;
  RunResult run(const RunOptions& options) const override;

 private:
  const std::unique_ptr<TdmPlatform> own_platform_;
  const TdmRunOptions own_options_;
  const TdmPlatform& platform_;
  const TdmRunOptions& options_;
  Workload workload_;
};

/// Words of the longest and of the shortest message on each circuit of programs or traffic; one word without these.
MessageWords words_of_pairs(const TdmPlatform& platform);

/// Words of the longest message of all circuits; 1 without circuits.
std::uint32_t longest_of(const WordsOf& words);

/// Programs or traffic on circuits that are in place before they begin.
TdmRunResult run_tdm_endpoints(const TdmPlatform& platform, const TdmRunOptions& options);

}  // namespace weft
