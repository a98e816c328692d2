#pragma once
// Run of a system that has its work within itself: circuits with sources of their own, circuits that come and go,
// programs that command sequencers execute. It lasts until nothing is left to happen. What nodes send over endpoints is
// run by run/simulation.h.

#include <functional>
#include <string>
#include <vector>

#include "kernel/clock_domain.h"
#include "parallel/ranks.h"
#include "run/run_options.h"
#include "run/waves/wave_window.h"

namespace weft {

class OwnSystem {
 public:
  virtual ~OwnSystem() = default;
  virtual ClockDomain& domain() = 0;
  /// Opens the files that are written while time goes on; throws RunError when one cannot be written on.
  virtual void open_files() {}
  /// Completes them; returns their names.
  virtual std::vector<std::string> close_files(Cycle /*last*/) { return {}; }
  /// Part of the run that goes into the waveform; null without one.
  virtual WaveWindow* wave_window() { return nullptr; }
  /// Puts on the agenda what is there before time begins. `stop`: whether the user has interrupted the run, which then
  /// stays so; to be asked during long work.
  virtual void start(const std::function<bool()>& /*stop*/) {}
  /// Part of the work that is done, 0 to 1.
  virtual double done() const = 0;
  /// Last cycle in which anything happened.
  virtual Cycle last_cycle() { return domain().now(); }
  /// Of a part, at the end of the run: its results become those of all parts.
  virtual void collect(Ranks& /*ranks*/) {}
  /// Nothing is left to happen, and nobody has interrupted the run: returns or throws what is wrong.
  virtual std::string check() = 0;
  /// Report without results.
  virtual ReportData header() = 0;
  /// How far an interrupted run has come, behind "interrupted": "in cycle 17".
  virtual std::string reached(const RunResult& result) const;
  /// Results, into the report that has its outcome.
  virtual void fill(RunResult& result) = 0;
};

/// Runs it; everything that `result` has is filled.
void run_own(OwnSystem& system, const RunOptions& options, RunResult& result);

/// Whether a run is complete, and why not. `reached`: see above.
void set_outcome(const RunResult& result, const std::string& reached, ReportData& report);

}  // namespace weft
