#include "run/setup_simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "run/advance.h"
#include "run/failure.h"
#include "run/fic_waves.h"
#include "run/setup_report.h"
#include "stats/link_stats.h"

namespace weft {
namespace {

std::uint32_t longest_message(const SetupPlan& plan) {
  std::uint32_t longest = 1;
  for (const TimedFlow& f : plan.flows) longest = std::max(longest, f.message_words);
  return longest;
}

// Fraction of the words that have a known number.
double progress_of(const SetupNetwork& network) {
  double done = 0;
  for (std::uint32_t f = 0; f < network.plan().flows.size(); ++f) done += network.source(f).finished() ? 1 : 0;
  return done / static_cast<double>(std::max<std::size_t>(1, network.plan().flows.size()));
}

}  // namespace

RunResult run_setup(const FicPlatform& platform, const SetupPlan& plan, const RunOptions& options,
                    const SetupReader& read) {
  FicBlocks blocks(platform.config(), options.rtl_switch, options.rtl_slot_lut);
  SetupNetwork network("fic", platform.config(), platform.graph(), plan, blocks);
  LinkStats links(platform.graph(), platform.phases(), platform.config().fic_switch.slots);
  network.add_observer(links);
  for (FabricObserver* o : options.observers) network.add_observer(*o);
  if (options.shuffle_seed) network.domain().shuffle(*options.shuffle_seed);
  network.domain().capture_failures();
  std::unique_ptr<SlotTrace> trace;
  if (platform.config().observe.slot_trace && !options.slot_trace.empty()) {
    trace = std::make_unique<SlotTrace>(options.slot_trace, platform, network);
  }
  std::unique_ptr<FicWaves> waves;
  if (!options.waves.empty()) {
    waves = std::make_unique<FicWaves>(options.waves, platform, network, blocks, longest_message(plan));
  }

  RunResult result;
  result.interrupted = advance(network.domain(), {options.interrupted, options.progress, 1U << 14},
                               [&] { return progress_of(network); });

  result.cycles = network.domain().now();
  if (network.domain().failure()) {
    result.failure = failure_text(network.domain().failure());
  } else if (!result.interrupted) {
    result.failure = network.leftovers();
  }
  if (waves) close_file(result, [&] { return waves->close(result.cycles); });
  if (trace) close_file(result, [&] { return trace->close(); });
  result.report = report_header(platform.config());
  result.report.complete = result.failure.empty() && !result.interrupted;
  if (!result.failure.empty()) {
    result.report.incomplete_why = "the run failed: " + result.failure;
  } else if (result.interrupted) {
    result.report.incomplete_why = fmt::format("interrupted in cycle {}", result.cycles);
  }
  add_network_figures(platform, result.report);
  add_setup_figures(platform, network, result.report);
  if (waves) waves->window().add_note(result.cycles, result.report.notes);
  result.word_hops = links.word_hops();
  if (read) read(network);
  return result;
}

RunResult run_setup(const FicPlatform& platform, const RunOptions& options) {
  const SetupPlan plan = make_setup_plan(platform);
  return run_setup(platform, plan, options);
}

RunResult plan_setup(const FicPlatform& platform) {
  RunResult result;
  const SetupPlan plan = make_setup_plan(platform);
  result.report = report_header(platform.config());
  add_network_figures(platform, result.report);
  add_setup_plan(platform, plan, result.report);
  return result;
}

}  // namespace weft
