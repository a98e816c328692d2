#include "run/own_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "run/advance.h"
#include "run/agree.h"
#include "run/failure.h"

namespace weft {

std::string OwnSystem::reached(const RunResult& result) const { return fmt::format("in cycle {}", result.cycles); }

void set_outcome(const RunResult& result, const std::string& reached, ReportData& report) {
  report.complete = result.failure.empty() && !result.interrupted;
  if (!result.failure.empty()) {
    report.incomplete_why = "the run failed: " + result.failure;
  } else if (result.interrupted) {
    report.incomplete_why = "interrupted " + reached;
  }
}

void run_own(OwnSystem& system, const RunOptions& options, RunResult& result) {
  ClockDomain& domain = system.domain();
  if (options.shuffle_seed) domain.shuffle(*options.shuffle_seed);
  domain.capture_failures();
  const std::function<bool()> stop = [&] {
    return result.interrupted = result.interrupted || (options.interrupted && options.interrupted());
  };
  const bool open = open_file(result, [&] {
    system.open_files();
    limit_waves(system.wave_window(), options.wave_span);
  });
  system.start(stop);
  if (open) advance(domain, {stop, options.progress}, [&] { return system.done(); });
  if (options.ranks != nullptr) {
    RunEnd end = agree(*options.ranks, domain, result.interrupted);
    result.interrupted = end.interrupted;
    if (result.failure.empty()) result.failure = std::move(end.failure);
  } else if (open && domain.failure()) {
    result.failure = failure_text(domain.failure());
  }
  result.cycles = std::max<Cycle>(0, system.last_cycle());
  if (open && result.failure.empty() && !result.interrupted) {
    try {
      result.failure = system.check();
    } catch (const std::exception& e) {
      result.failure = e.what();
    }
  }
  if (options.ranks != nullptr) system.collect(*options.ranks);
  close_file(result, [&] { return system.close_files(result.cycles); });
  result.report = system.header();
  set_outcome(result, system.reached(result), result.report);
  system.fill(result);
  if (const WaveWindow* window = system.wave_window()) window->add_note(result.cycles, result.report.notes);
}

}  // namespace weft
