#pragma once
// Lets the time of a run go on: until nothing is left to happen, something pauses it, or the user interrupts it.

#include <exception>
#include <functional>
#include <systemc>

#include "base/diagnostics.h"
#include "kernel/clock_domain.h"

namespace weft {

/// Options of every run that take effect while time goes on.
struct RunMonitor {
  const std::function<bool()>& interrupted;     ///< asked in every busy cycle, may be empty
  const std::function<void(double)>& progress;  ///< told now and then how much is done, 0..1, may be empty
  std::uint64_t told = 1U << 12;                ///< busy cycles between two looks at the progress
};

/// Returns whether the user has interrupted the run. `done` says how much of it is done, 0..1.
inline bool advance(ClockDomain& domain, const RunMonitor& watch, const std::function<double()>& done) {
  std::uint64_t calls = 0;
  bool interrupted = false;
  domain.set_pause_check([&] {
    if (watch.progress && ++calls % watch.told == 0) watch.progress(done());
    interrupted = interrupted || (watch.interrupted && watch.interrupted());
    return interrupted;
  });
  try {
    sc_core::sc_start();
  } catch (const RunError&) {  // before the first cycle; those of cycles are kept already
    domain.keep_failure(std::current_exception());
  }
  domain.set_pause_check({});
  return interrupted;
}

}  // namespace weft
