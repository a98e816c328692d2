// Run of a FiC network in which circuits come and go.

#include <algorithm>
#include <memory>

#include "fabrics/tdm/observe/link_stats.h"
#include "parallel/part.h"
#include "run/adapters_report.h"
#include "run/lockstep_report.h"
#include "run/own_run.h"
#include "run/tdm/circuit_message_log.h"
#include "run/tdm/circuit_records.h"
#include "run/tdm/setup_endpoints.h"
#include "run/tdm/setup_report.h"
#include "run/tdm/tdm_recorder.h"
#include "run/tdm/tdm_run.h"
#include "run/tdm/tdm_waves.h"

namespace weft {
namespace {

class SetupRun final : public OwnSystem {
 public:
  SetupRun(const TdmPlatform& platform, const SetupPlan& plan, const TdmRunOptions& options)
      : platform_(platform),
        options_(options),
        blocks_(platform.config(), platform.blocks()),
        domain_("clock", platform.config().tdm_switch.period),
        part_(part_of(platform, options.ranks)),
        network_("tdm", domain_, platform.config(), platform.graph(), plan, blocks_, part_),
        links_(platform.graph(), platform.phases(), platform.config().tdm_switch.slots),
        recorder_(platform, false) {
    network_.latencies().measure_from(CycleSpan{false, platform.config().run.warm_up.ps}.cycles(domain_.period()));
    network_.add_observer(links_);
    recorder_.join(network_);
    for (TdmObserver* o : options.observers) network_.add_observer(*o);
    if (CircuitRecords::wanted(platform, options)) {
      records_ = std::make_unique<CircuitRecords>(platform, plan.flows);
      network_.listen(*records_);
    }
    if (platform.config().observe.message_log) {
      log_ = std::make_unique<CircuitMessageLog>(platform, plan.flows, options.ranks);
      network_.listen(*log_);
    }
  }

  ClockDomain& domain() override { return domain_; }
  Cycle last_cycle() override { return network_.last_busy(); }
  void collect(Ranks& ranks) override {
    network_.collect();
    std::vector<std::uint64_t> numbers = links_.numbers();
    ranks.sum(numbers);
    links_.set_numbers(numbers);
    recorder_.collect(ranks);
    if (log_) log_->collect(ranks);
  }
  void open_files() override {
    if (records_) records_->open(options_);
    files_.open(options_.slot_trace, options_.waves, platform_, part_, network_, blocks_,
                longest_message(network_.plan()));
  }
  // One process has the cycle behind in its waves, in which it finds that nothing is left.
  std::vector<std::string> close_files(Cycle last) override {
    return files_.close(options_.ranks == nullptr ? domain_.now() : last + 1);
  }
  WaveWindow* wave_window() override { return files_.window(); }

  // Fraction of the words that have a known number.
  double done() const override {
    const auto flows = static_cast<std::uint32_t>(network_.plan().flows.size());
    double done = 0;
    for (std::uint32_t f = 0; f < flows; ++f) done += network_.has_source(f) && network_.source(f).finished() ? 1 : 0;
    return done / std::max(1U, flows);
  }
  std::string check() override { return network_.leftovers(); }
  ReportData header() override { return tdm_report_header(platform_.config()); }
  void fill(RunResult& result) override {
    add_network_figures(platform_, result.report);
    add_setup_figures(platform_, network_, result.report);
    add_adapters(platform_.config().adapters, platform_.graph(), platform_.config().tdm_switch.period, result.report);
    if (result.report.complete) result.report.tables.push_back(links_.carried(network_.last_event()));
    recorder_.add(result.report, result.cycles);
    add_lockstep(blocks_.compared(), result.report);
    if (log_) result.artifacts.push_back(log_->artifact(result.report.complete));
  }
  std::uint64_t word_hops() const { return links_.word_hops(); }
  const SetupNetwork& network() const { return network_; }

 private:
  const TdmPlatform& platform_;
  const TdmRunOptions& options_;
  TdmBlocks blocks_;
  ClockDomain domain_;
  const Part part_;
  SetupNetwork network_;
  TdmLinkStats links_;
  TdmRecorder recorder_;
  std::unique_ptr<CircuitMessageLog> log_;   // null: none is asked for
  std::unique_ptr<CircuitRecords> records_;  // for waves
  TdmFiles files_;
};

}  // namespace

TdmRunResult run_setup(const TdmPlatform& platform, const SetupPlan& plan, const TdmRunOptions& options,
                       const SetupReader& read) {
  SetupRun run(platform, plan, options);
  TdmRunResult result;
  run_own(run, options, result);
  result.word_hops = run.word_hops();
  if (read) read(run.network());
  return result;
}

TdmRunResult run_setup(const TdmPlatform& platform, const TdmRunOptions& options) {
  const SetupPlan plan = make_setup_plan(platform);
  return run_setup(platform, plan, options);
}

}  // namespace weft
