#pragma once
// The waveform of a network of input-queued routers. The routers are looked at from outside at the end of every cycle;
// nothing is told per flit.

#include <memory>
#include <string>
#include <vector>

#include "fabrics/packet/iq/iq_network.h"
#include "fabrics/packet/observe/iq_wave_view.h"
#include "observe/wave_file.h"
#include "run/packet/packet_platform.h"
#include "run/wave_window.h"

namespace weft {

/// A cycle's signals hold from its first picosecond on.
class IqWaves {
 public:
  /// Throws InputError for a file that cannot be written. References must outlive the waves.
  IqWaves(const std::string& path, const PacketPlatform& platform, IqNetwork& network);
  /// Completes the file and writes the GTKWave view beside it; returns the names of both.
  std::vector<std::string> close(Cycle last_cycle);
  const WaveWindow& window() const { return window_; }

 private:
  void on_cycle(Cycle cycle);
  std::optional<std::uint32_t> flit_on_link(const WavePlace& place, Cycle cycle) const;

  std::string path_;
  const PacketPlatform& platform_;
  IqNetwork& network_;
  IqParameters parameters_;
  Duration period_;
  WaveWindow window_;
  std::unique_ptr<WaveFile> file_;
  IqWaveView view_;
  ClockDomain::HookId hook_ = 0;
};

}  // namespace weft
