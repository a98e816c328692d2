#include "run/fic_simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/tdm/fic_network.h"
#include "run/advance.h"
#include "run/failure.h"
#include "run/fic_report.h"
#include "run/fic_waves.h"
#include "run/setup_simulation.h"
#include "traffic/stream_supply.h"

namespace weft {
namespace {

// Fraction of the work done, from messages where their number is given, else from time.
double progress_of(const FicConfig& config, const FicNetwork& network, const std::vector<PhaseTimes>& times) {
  double done = 0;
  const double now = static_cast<double>(network.domain().now());
  const double window = static_cast<double>(config.run.warm_up.ps + config.run.measure.ps) /
                        static_cast<double>(config.fic_switch.period.ps);
  double counted = 0;
  for (std::size_t p = 0; p < times.size(); ++p) {
    if (times[p].data_end >= 0) {
      done += 1;
    } else if (times[p].data_start >= 0 && !config.phases[p].traffic.messages) {
      done += std::min(1.0, (now - static_cast<double>(times[p].data_start)) / window);
    }
    if (config.phases[p].traffic.messages) {
      counted += static_cast<double>(*config.phases[p].traffic.messages * network.phases()[p].circuits.size());
    }
  }
  done /= static_cast<double>(times.size());
  if (counted > 0) done = std::max(done, static_cast<double>(network.messages().total()) / counted);
  return std::min(1.0, done);
}

std::string lost_messages(const FicNetwork& network) {
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

WordsOf words_of_circuits(const FicPlatform& platform, const StreamSupply& supply) {
  WordsOf all;
  for (const PhasePlan& p : platform.phases()) {
    for (const CircuitPlan& c : p.circuits) all.push_back(supply.words(c.id));
  }
  return all;
}

class Run {
 public:
  Run(const FicPlatform& platform, const RunOptions& options)
      : platform_(platform),
        options_(options),
        blocks_(platform.config(), options.rtl_switch, options.rtl_slot_lut),
        supply_(platform.config(), platform.phases()),
        network_("fic", platform.config(), platform.graph(), platform.phases(), blocks_, supply_),
        circuits_(platform.config(), platform.phases(), words()),
        links_(platform.graph(), platform.phases(), platform.config().fic_switch.slots) {
    network_.add_observer(supply_);
    network_.add_observer(circuits_);
    network_.add_observer(links_);
    for (FabricObserver* o : options.observers) network_.add_observer(*o);
    if (options.shuffle_seed) network_.domain().shuffle(*options.shuffle_seed);
    network_.domain().capture_failures();
  }

  RunResult run() {
    std::unique_ptr<SlotTrace> trace;
    if (platform_.config().observe.slot_trace && !options_.slot_trace.empty()) {
      trace = std::make_unique<SlotTrace>(options_.slot_trace, platform_, network_);
    }
    std::unique_ptr<FicWaves> waves;
    if (!options_.waves.empty()) {
      const WordsOf lengths = words();
      const std::uint32_t longest = lengths.empty() ? 1 : *std::max_element(lengths.begin(), lengths.end());
      waves = std::make_unique<FicWaves>(options_.waves, platform_, network_, blocks_, longest);
    }
    advance();

    RunResult result;
    result.interrupted = interrupted_;
    result.cycles = network_.domain().now();
    if (network_.domain().failure()) {
      result.failure = failure_text(network_.domain().failure());
    } else if (!interrupted_ && !network_.controller().finished()) {
      result.failure = lost_messages(network_);
    }
    if (waves) {
      const auto files = waves->close(result.cycles);
      result.files.insert(result.files.end(), files.begin(), files.end());
    }
    if (trace) {
      trace->close();
      result.files.push_back(options_.slot_trace);
    }
    fill(result);
    if (waves) waves->window().add_note(result.cycles, result.report.notes);
    return result;
  }

 private:
  WordsOf words() const { return words_of_circuits(platform_, supply_); }

  void advance() {
    interrupted_ = weft::advance(network_.domain(), {options_.interrupted, options_.progress, 1U << 14}, [&] {
      return progress_of(platform_.config(), network_, network_.controller().times());
    });
  }

  void fill(RunResult& result) {
    result.report = report_header(platform_.config());
    result.report.complete = result.failure.empty() && !interrupted_;
    if (!result.failure.empty()) {
      result.report.incomplete_why = "the run failed: " + result.failure;
    } else if (interrupted_) {
      result.report.incomplete_why = fmt::format("interrupted in cycle {}", result.cycles);
    }
    add_plan_figures(platform_, result.report);
    add_run_figures(platform_, circuits_, links_, network_.controller().times(), result.cycles,
                    network_.messages().total(), result.report);
    result.word_hops = links_.word_hops();
    const auto tables = slot_table_artifacts(platform_);
    result.artifacts.insert(result.artifacts.end(), tables.begin(), tables.end());
  }

  const FicPlatform& platform_;
  const RunOptions& options_;
  FicBlocks blocks_;
  StreamSupply supply_;
  FicNetwork network_;
  CircuitStats circuits_;
  LinkStats links_;
  bool interrupted_ = false;
};

}  // namespace

RunResult run_fic(const FicPlatform& platform, const RunOptions& options) {
  if (platform.config().setup.mode == SetupMode::in_network) return run_setup(platform, options);
  return Run(platform, options).run();
}

RunResult plan_fic(const FicPlatform& platform) {
  if (platform.config().setup.mode == SetupMode::in_network) return plan_setup(platform);
  RunResult result;
  result.report = report_header(platform.config());
  add_plan_figures(platform, result.report);
  const StreamSupply supply(platform.config(), platform.phases());
  const CircuitStats circuits(platform.config(), platform.phases(), words_of_circuits(platform, supply));
  const LinkStats links(platform.graph(), platform.phases(), platform.config().fic_switch.slots);
  add_plan_tables(platform, circuits, links, result.report);
  result.artifacts = slot_table_artifacts(platform);
  return result;
}

}  // namespace weft
