// Run of a FiC network whose circuits are there from the beginning of a phase to its end.

#include <fmt/format.h>

#include <algorithm>

#include "fabrics/tdm/observe/circuit_stats.h"
#include "fabrics/tdm/observe/link_stats.h"
#include "fabrics/tdm/tdm_network.h"
#include "fabrics/tdm/traffic/stream_supply.h"
#include "run/advance.h"
#include "run/failure.h"
#include "run/lockstep_report.h"
#include "run/tdm/tdm_plan.h"
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

class Run {
 public:
  Run(const TdmPlatform& platform, const TdmRunOptions& options)
      : platform_(platform),
        options_(options),
        blocks_(platform.config(), options.rtl_switch, options.rtl_slot_lut),
        supply_(platform.config(), platform.phases()),
        domain_("clock", platform.config().tdm_switch.period),
        network_("tdm", domain_, platform.config(), platform.graph(), platform.phases(), blocks_, supply_),
        circuits_(platform.config(), platform.phases(), {supply_.words(), supply_.words()}),
        links_(platform.graph(), platform.phases(), platform.config().tdm_switch.slots) {
    network_.add_observer(supply_);
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
      const WordsOf lengths = supply_.words();
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
                                 [&] { return progress(); });
  }

  // From messages where their number is given, else from time.
  double progress() const {
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

  void fill(TdmRunResult& result) {
    result.report = tdm_report_header(platform_.config());
    result.report.complete = result.failure.empty() && !interrupted_;
    if (!result.failure.empty()) {
      result.report.incomplete_why = "the run failed: " + result.failure;
    } else if (interrupted_) {
      result.report.incomplete_why = fmt::format("interrupted in cycle {}", result.cycles);
    }
    add_plan_figures(platform_, result.report);
    add_run_figures(platform_, circuits_, links_, network_.controller().times(), result.cycles,
                    network_.messages().total(), result.report);
    add_lockstep(blocks_.compared(), result.report);
    result.word_hops = links_.word_hops();
    const auto tables = slot_table_artifacts(platform_);
    result.artifacts.insert(result.artifacts.end(), tables.begin(), tables.end());
  }

  const TdmPlatform& platform_;
  const TdmRunOptions& options_;
  TdmBlocks blocks_;
  StreamSupply supply_;
  ClockDomain domain_;
  TdmNetwork network_;
  CircuitStats circuits_;
  TdmLinkStats links_;
  bool interrupted_ = false;
};

}  // namespace

TdmRunResult run_tdm(const TdmPlatform& platform, const TdmRunOptions& options) {
  if (platform.config().setup.mode == SetupMode::in_network) return run_setup(platform, options);
  if (platform.config().has_endpoints()) return run_tdm_endpoints(platform, options);
  return Run(platform, options).run();
}

}  // namespace weft
