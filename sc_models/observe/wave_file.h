#pragma once
// A waveform file that models write into. The one implementation (cosim/common/fst_wave_file.h) shares its file with
// the Verilated blocks, so that model and RTL signals stand in one waveform.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace weft {

using WaveSignal = std::uint32_t;

/// Cycles that are shown: in [from, until).
struct CycleRange {
  Cycle from = 0;
  Cycle until = std::numeric_limits<Cycle>::max();
};

class WaveFile {
 public:
  virtual ~WaveFile() = default;
  /// Declares a signal of `width` bits; `scopes` from the outermost to the innermost. Before the first dump().
  virtual WaveSignal add_bits(const std::vector<std::string>& scopes, const std::string& name, std::uint32_t width) = 0;
  /// Text, in the scope of the signal declared just before it.
  virtual WaveSignal add_text(const std::string& name) = 0;
  /// Bits above the signal's width must be 0.
  virtual void set(WaveSignal signal, std::uint64_t value) = 0;
  virtual void set_text(WaveSignal signal, std::string_view text) = 0;
  /// After all signals are declared, before the first dump().
  virtual void open() = 0;
  /// Writes what has changed; times must increase.
  virtual void dump(std::uint64_t time_ps) = 0;
  /// Completes the file under its final name. Nothing is dumped behind `end_ps`, but by ranks that have gone on longer
  /// than the run.
  virtual void close(std::uint64_t end_ps) = 0;
};

}  // namespace weft
