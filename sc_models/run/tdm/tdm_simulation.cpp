// Run of a FiC network whose circuits are there from the beginning of a phase to its end.

#include <fmt/format.h>

#include <algorithm>

#include "fabrics/tdm/tdm_network.h"
#include "run/advance.h"
#include "run/failure.h"
#include "run/lockstep_report.h"
#include "run/tdm/tdm_report.h"
#include "run/tdm/tdm_run.h"
#include "run/tdm/tdm_waves.h"
#include "run/tdm/tdm_workload.h"

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

std::unique_ptr<TdmWorkload> make_workload(const TdmPlatform& platform) {
  return platform.config().programs.empty() ? make_stream_workload(platform) : make_program_workload(platform);
}

class Run {
 public:
  Run(const TdmPlatform& platform, const TdmRunOptions& options)
      : platform_(platform),
        options_(options),
        blocks_(platform.config(), options.rtl_switch, options.rtl_slot_lut),
        workload_(make_workload(platform)),
        network_("tdm", platform.config(), platform.graph(), platform.phases(), blocks_, workload_->supply()),
        circuits_(platform.config(), platform.phases(), workload_->words()),
        links_(platform.graph(), platform.phases(), platform.config().tdm_switch.slots) {
    workload_->join(network_);
    network_.add_observer(workload_->observer());
    network_.add_observer(circuits_);
    network_.add_observer(links_);
    for (TdmObserver* o : options.observers) network_.add_observer(*o);
    if (options.shuffle_seed) network_.domain().shuffle(*options.shuffle_seed);
    network_.domain().capture_failures();
  }

  TdmRunResult run() {
    TdmRunResult result;
    std::unique_ptr<SlotTrace> trace;
    std::unique_ptr<TdmWaves> waves;
    const bool open = open_file(result, [&] {
      if (platform_.config().observe.slot_trace && !options_.slot_trace.empty()) {
        trace = std::make_unique<SlotTrace>(options_.slot_trace, platform_, network_);
      }
      if (options_.waves.empty()) return;
      const WordsOf lengths = workload_->words().longest;
      const std::uint32_t longest = lengths.empty() ? 1 : *std::max_element(lengths.begin(), lengths.end());
      waves = std::make_unique<TdmWaves>(options_.waves, platform_, network_, blocks_, longest);
    });
    if (open) advance();

    result.interrupted = interrupted_;
    result.cycles = std::max<Cycle>(0, network_.domain().now());
    if (!open) {
      // it has not begun
    } else if (network_.domain().failure()) {
      result.failure = failure_text(network_.domain().failure());
    } else if (!interrupted_ && !network_.controller().finished()) {
      result.failure = lost_messages(network_);
    }
    if (waves) close_file(result, [&] { return waves->close(result.cycles); });
    if (trace) close_file(result, [&] { return trace->close(); });
    fill(result);
    if (waves) waves->window().add_note(result.cycles, result.report.notes);
    return result;
  }

 private:
  void advance() {
    interrupted_ = weft::advance(network_.domain(), {options_.interrupted, options_.progress, 1U << 14},
                                 [&] { return workload_->progress(network_); });
  }

  void fill(TdmRunResult& result) {
    result.report = tdm_report_header(platform_.config());
    result.report.complete = result.failure.empty() && !interrupted_;
    if (!result.failure.empty()) {
      result.report.incomplete_why = "the run failed: " + result.failure;
    } else if (interrupted_) {
      result.report.incomplete_why = fmt::format("interrupted in cycle {}", result.cycles);
    }
    add_plan_figures(platform_, result.report);
    workload_->add_results(network_, circuits_, links_, result.cycles, result.report);
    add_lockstep(blocks_.compared(), result.report);
    result.word_hops = links_.word_hops();
    const auto tables = slot_table_artifacts(platform_);
    result.artifacts.insert(result.artifacts.end(), tables.begin(), tables.end());
  }

  const TdmPlatform& platform_;
  const TdmRunOptions& options_;
  TdmBlocks blocks_;
  std::unique_ptr<TdmWorkload> workload_;
  TdmNetwork network_;
  CircuitStats circuits_;
  TdmLinkStats links_;
  bool interrupted_ = false;
};

}  // namespace

TdmRunResult run_tdm(const TdmPlatform& platform, const TdmRunOptions& options) {
  if (platform.config().setup.mode == SetupMode::in_network) return run_setup(platform, options);
  return Run(platform, options).run();
}

TdmRunResult plan_tdm(const TdmPlatform& platform) {
  if (platform.config().setup.mode == SetupMode::in_network) return plan_setup(platform);
  TdmRunResult result;
  result.report = tdm_report_header(platform.config());
  add_plan_figures(platform, result.report);
  const std::unique_ptr<TdmWorkload> workload = make_workload(platform);
  workload->add_plan(result.report);
  const CircuitStats circuits(platform.config(), platform.phases(), workload->words());
  const TdmLinkStats links(platform.graph(), platform.phases(), platform.config().tdm_switch.slots);
  add_plan_tables(platform, circuits, links, result.report);
  result.artifacts = slot_table_artifacts(platform);
  return result;
}

}  // namespace weft
