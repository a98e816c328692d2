// Run of a FiC network in which circuits come and go.

#include <fmt/format.h>

#include <algorithm>

#include "fabrics/tdm/observe/link_stats.h"
#include "run/advance.h"
#include "run/failure.h"
#include "run/lockstep_report.h"
#include "run/tdm/setup_report.h"
#include "run/tdm/tdm_run.h"
#include "run/tdm/tdm_waves.h"

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

TdmRunResult run_setup(const TdmPlatform& platform, const SetupPlan& plan, const TdmRunOptions& options,
                       const SetupReader& read) {
  TdmBlocks blocks(platform.config(), options.rtl_switch, options.rtl_slot_lut);
  SetupNetwork network("tdm", platform.config(), platform.graph(), plan, blocks);
  TdmLinkStats links(platform.graph(), platform.phases(), platform.config().tdm_switch.slots);
  network.add_observer(links);
  for (TdmObserver* o : options.observers) network.add_observer(*o);
  if (options.shuffle_seed) network.domain().shuffle(*options.shuffle_seed);
  network.domain().capture_failures();
  TdmRunResult result;
  std::unique_ptr<SlotTrace> trace;
  std::unique_ptr<TdmWaves> waves;
  const bool open = open_file(result, [&] {
    if (platform.config().observe.slot_trace && !options.slot_trace.empty()) {
      trace = std::make_unique<SlotTrace>(options.slot_trace, platform, network);
    }
    if (!options.waves.empty()) {
      waves = std::make_unique<TdmWaves>(options.waves, platform, network, blocks, longest_message(plan));
    }
  });
  if (open) {
    result.interrupted = advance(network.domain(), {options.interrupted, options.progress, 1U << 14},
                                 [&] { return progress_of(network); });
  }

  result.cycles = std::max<Cycle>(0, network.domain().now());
  if (!open) {
    // it has not begun
  } else if (network.domain().failure()) {
    result.failure = failure_text(network.domain().failure());
  } else if (!result.interrupted) {
    result.failure = network.leftovers();
  }
  if (waves) close_file(result, [&] { return waves->close(result.cycles); });
  if (trace) close_file(result, [&] { return trace->close(); });
  result.report = tdm_report_header(platform.config());
  result.report.complete = result.failure.empty() && !result.interrupted;
  if (!result.failure.empty()) {
    result.report.incomplete_why = "the run failed: " + result.failure;
  } else if (result.interrupted) {
    result.report.incomplete_why = fmt::format("interrupted in cycle {}", result.cycles);
  }
  add_network_figures(platform, result.report);
  add_setup_figures(platform, network, result.report);
  add_lockstep(blocks.compared(), result.report);
  if (waves) waves->window().add_note(result.cycles, result.report.notes);
  result.word_hops = links.word_hops();
  if (read) read(network);
  return result;
}

TdmRunResult run_setup(const TdmPlatform& platform, const TdmRunOptions& options) {
  const SetupPlan plan = make_setup_plan(platform);
  return run_setup(platform, plan, options);
}

TdmRunResult plan_setup(const TdmPlatform& platform) {
  TdmRunResult result;
  const SetupPlan plan = make_setup_plan(platform);
  result.report = tdm_report_header(platform.config());
  add_network_figures(platform, result.report);
  add_setup_plan(platform, plan, result.report);
  return result;
}

}  // namespace weft
