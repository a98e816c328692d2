#pragma once
// Waveform of a network with one clock that is looked at from outside at the end of every cycle: its file, the part of
// the run that it shows, and the GTKWave view beside it. A fabric adds what it shows.

#include <memory>
#include <string>
#include <vector>

#include "kernel/clock_domain.h"
#include "observe/wave_file.h"
#include "parallel/part.h"
#include "run/waves/wave_window.h"
#include "workload/wave_trigger.h"

namespace weft {

/// A cycle's signals hold from its first picosecond on; RTL clocks rise there and fall in its middle.
class CycleWaves {
 public:
  virtual ~CycleWaves() = default;
  CycleWaves(const CycleWaves&) = delete;
  CycleWaves& operator=(const CycleWaves&) = delete;
  /// Completes the file, with a last cycle in which the run failed, and writes the GTKWave view beside it; returns the
  /// names of both.
  std::vector<std::string> close(Cycle last_cycle);
  WaveWindow& window() { return window_; }

 protected:
  /// Throws InputError for a file that cannot be written. References must outlive the waves.
  CycleWaves(const std::string& path, const Part& part, ClockDomain& domain, const WaveTimes& times);
  /// When all signals are declared.
  void open();
  WaveFile& file() { return *file_; }

  /// Sets the signals of a cycle; of one that is not `written` those that need what came before. Called for the cycles
  /// of the window and the one before it, for all before where needs_history(), and for some of the others, so that
  /// what has passed can be forgotten.
  virtual void show(Cycle cycle, bool written) = 0;
  /// Whether signals of the window would be wrong without the cycles before it.
  virtual bool needs_history() const { return false; }
  /// The window is over: nothing will be shown any more. Once.
  virtual void end() {}
  /// Clocks fall; false: there are none.
  virtual bool show_half() { return false; }
  /// Sets what the cycle has made of registers, which hold it from the next one on.
  virtual void show_registers() {}
  /// Whether a cycle in which the run failed can be shown.
  virtual bool shows_failed_cycle() const { return true; }
  virtual Cycle first_activity() const = 0;
  /// Lines of the view of the waveform `fst`. `first`: first activity in all parts of the network.
  virtual std::string view(const std::string& fst, Cycle first) = 0;

 private:
  void on_cycle(Cycle cycle);
  Cycle first_needed(Cycle cycle) const;

  const std::string path_;
  const Part& part_;
  ClockDomain& domain_;
  WaveWindow window_;
  std::unique_ptr<WaveFile> file_;
  Cycle last_ = -1;  // told of
  std::uint32_t passed_over_ = 0;
  bool over_ = false;
  ClockDomain::HookId hook_ = 0;
};

}  // namespace weft
