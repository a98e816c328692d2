// Run of a FiC network whose circuits are there from the beginning of a phase to its end.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "fabrics/tdm/observe/circuit_stats.h"
#include "fabrics/tdm/observe/link_stats.h"
#include "fabrics/tdm/tdm_network.h"
#include "fabrics/tdm/traffic/stream_supply.h"
#include "parallel/part.h"
#include "run/lockstep_report.h"
#include "run/own_run.h"
#include "run/tdm/circuit_message_log.h"
#include "run/tdm/circuit_records.h"
#include "run/tdm/tdm_plan.h"
#include "run/tdm/tdm_recorder.h"
#include "run/tdm/tdm_report.h"
#include "run/tdm/tdm_run.h"
#include "run/tdm/tdm_waves.h"

namespace weft {
namespace {

std::string lost_messages(const TdmNetwork& network) {
  std::string out =
      fmt::format("nothing is left to happen, but {} messages have not arrived:", network.messages().outstanding());
  int listed = 0;
  const auto& all = network.messages().all();
  for (MessageId id = 0; id < all.size() && listed < 10; ++id) {
    if (all[id].open_deliveries == 0) continue;
    out += fmt::format("\n  {}, injected in cycle {}, {} destination(s) missing", network.describe_message(id),
                       all[id].injected, all[id].open_deliveries);
    ++listed;
  }
  return out;
}

class SourcesRun final : public OwnSystem {
 public:
  SourcesRun(const TdmPlatform& platform, const TdmRunOptions& options)
      : platform_(platform),
        options_(options),
        blocks_(platform.config(), platform.blocks()),
        supply_(platform.config(), platform.phases()),
        part_(part_of(platform, options.ranks)),
        domain_("clock", platform.config().tdm_switch.period),
        network_("tdm", domain_, platform.config(), platform.graph(), platform.phases(), blocks_, supply_, {}, part_),
        circuits_(platform.config(), platform.phases(), {supply_.words(), supply_.words()}),
        links_(platform.graph(), platform.phases(), platform.config().tdm_switch.slots),
        recorder_(platform, true) {
    network_.add_observer(supply_);
    network_.add_observer(circuits_);
    network_.add_observer(links_);
    recorder_.join(network_);
    for (TdmObserver* o : options.observers) network_.add_observer(*o);
    if (CircuitRecords::wanted(platform, options)) {
      records_ = std::make_unique<CircuitRecords>(platform);
      network_.add_observer(*records_);
    }
    if (platform.config().observe.message_log) {
      log_ = std::make_unique<CircuitMessageLog>(platform, options.ranks);
      network_.add_observer(*log_);
    }
    // Ranks have exchanges on their agendas for ever.
    if (options.ranks != nullptr) network_.when_finished([this] { domain_.request_pause(); });
  }

  ClockDomain& domain() override { return domain_; }
  // The cycle that ends the last phase. The clock may go on after it: ranks find out some cycles later that it is over,
  // and waves and slot traces have a further cycle, which must not change the results.
  Cycle last_cycle() override {
    if (network_.controller().finished()) return network_.controller().times().back().data_end + 1;
    return options_.ranks != nullptr ? domain_.now() : domain_.last_busy();
  }
  void collect(Ranks& ranks) override {
    std::vector<std::uint64_t> numbers = links_.numbers();
    numbers.push_back(network_.messages().total());
    ranks.sum(numbers);
    messages_of_all_ = numbers.back();
    numbers.pop_back();
    links_.set_numbers(numbers);
    circuits_.collect(ranks.gather(circuits_.numbers()));
    recorder_.collect(ranks);
    if (log_) log_->collect(ranks);
  }
  void open_files() override {
    if (records_) records_->open(options_);
    files_.open(options_.slot_trace, options_.waves, platform_, part_, network_, blocks_, longest_of(supply_.words()));
  }
  // One process has the cycle behind in its waves, in which it finds that nothing is left.
  std::vector<std::string> close_files(Cycle last) override {
    const bool late = options_.ranks != nullptr && network_.controller().finished();
    return files_.close(late ? last + 1 : domain_.now());
  }
  WaveWindow* wave_window() override { return files_.window(); }

  // From messages where their number is given, else from time.
  double done() const override {
    const TdmConfig& config = platform_.config();
    const std::vector<PhaseTimes>& times = network_.controller().times();
    double done = 0;
    const double now = static_cast<double>(network_.domain().now());
    const double window = static_cast<double>(config.run.warm_up.ps + config.run.measure.ps) /
                          static_cast<double>(config.tdm_switch.period.ps);
    double counted = 0;
    for (std::size_t p = 0; p < times.size(); ++p) {
      if (times[p].data_end >= 0) {
        done += 1;
      } else if (times[p].data_start >= 0 && !config.phases[p].sources.messages) {
        done += std::min(1.0, (now - static_cast<double>(times[p].data_start)) / window);
      }
      if (config.phases[p].sources.messages) {
        counted += static_cast<double>(*config.phases[p].sources.messages * network_.phases()[p].circuits.size());
      }
    }
    done /= static_cast<double>(times.size());
    if (counted > 0) done = std::max(done, static_cast<double>(network_.messages().total()) / counted);
    return std::min(1.0, done);
  }

  std::string check() override { return network_.controller().finished() ? std::string() : lost_messages(network_); }
  ReportData header() override { return tdm_report_header(platform_.config()); }
  void fill(RunResult& result) override {
    add_plan_figures(platform_, result.report);
    add_run_figures(platform_, circuits_, links_, network_.controller().times(), result.cycles,
                    messages_of_all_.value_or(network_.messages().total()), result.report);
    recorder_.add(result.report, result.cycles);
    add_lockstep(blocks_.compared(), result.report);
    result.artifacts = slot_table_artifacts(platform_);
    if (log_) result.artifacts.push_back(log_->artifact(result.report.complete));
  }
  std::uint64_t word_hops() const { return links_.word_hops(); }

 private:
  const TdmPlatform& platform_;
  const TdmRunOptions& options_;
  TdmBlocks blocks_;
  StreamSupply supply_;
  const Part part_;
  ClockDomain domain_;
  TdmNetwork network_;
  CircuitStats circuits_;
  TdmLinkStats links_;
  TdmRecorder recorder_;
  std::unique_ptr<CircuitMessageLog> log_;   // null: none is asked for
  std::unique_ptr<CircuitRecords> records_;  // for waves
  TdmFiles files_;
  std::optional<std::uint64_t> messages_of_all_;  // ranks
};

}  // namespace

Part part_of(const TdmPlatform& platform, Ranks* ranks) {
  return ranks == nullptr ? Part{} : Part{ranks, cut_network(platform.graph(), ranks->size())};
}

TdmRunResult run_tdm(const TdmPlatform& platform, const TdmRunOptions& options) {
  if (platform.config().has_endpoints()) return run_tdm_endpoints(platform, options);
  if (platform.config().setup.mode == SetupMode::in_network) return run_setup(platform, options);
  SourcesRun run(platform, options);
  TdmRunResult result;
  run_own(run, options, result);
  result.word_hops = run.word_hops();
  return result;
}

}  // namespace weft
