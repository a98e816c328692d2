#pragma once
// The waveform of an OPTWEB network: signals of the models and pins of the Verilated blocks in one FST file.

#include <string>
#include <vector>

#include "cosim/fst_wave_file.h"
#include "cosim/optweb_blocks.h"
#include "fabric/observer.h"
#include "fabric/optweb/optweb_network.h"
#include "report/optweb_wave_view.h"
#include "run/optweb_platform.h"

namespace weft {

/// A cycle's signals hold from its first picosecond on; RTL clocks rise there and fall in its middle.
class OptwebWaves {
 public:
  /// Throws InputError for a file that cannot be written. References must outlive the waves.
  OptwebWaves(const std::string& path, const OptwebPlatform& platform, OptwebNetwork& network, OptwebBlocks& blocks);
  /// Completes the file and writes the GTKWave view beside it; returns the names of both.
  std::vector<std::string> close();

 private:
  void on_cycle(Cycle cycle);

  std::string path_;
  const OptwebPlatform& platform_;
  OptwebNetwork& network_;
  OptwebBlocks& blocks_;
  bool rtl_;
  FstWaveFile file_;
  OptwebWaveView view_;
  struct Seen {  // at the end of the cycle before
    std::uint32_t completed = 0;
    bool busy = false;
  };
  std::vector<Seen> seen_;  // by node
  Cycle last_ = -1;
};

}  // namespace weft
