#pragma once
// The waveform of a packet network: signals of the models and pins of the Verilated Deficit Tables in one FST file.

#include <memory>
#include <string>
#include <vector>

#include "fabrics/packet/observe/packet_wave_view.h"
#include "fabrics/packet/packet_network.h"
#include "observe/wave_file.h"
#include "run/packet/packet_schedulers.h"
#include "run/wave_window.h"

namespace weft {

/// The outputs and NICs that the configuration chooses, all if it names none: each once, switches first.
std::vector<WavePlace> chosen_wave_places(const PacketPlatform& platform, const Part& part);

/// A cycle's signals hold from its first picosecond on; RTL clocks rise there and fall in its middle.
class PacketWaves {
 public:
  /// Throws InputError for a file that cannot be written. References must outlive the
  /// waves.
  PacketWaves(const std::string& path, const PacketPlatform& platform, const Part& part, PacketNetwork& network,
              PacketSchedulers& schedulers);
  /// Completes the file, with a last cycle in which the run failed, and writes the GTKWave view beside it; returns the
  /// names of both.
  std::vector<std::string> close(Cycle last_cycle);
  WaveWindow& window() { return window_; }

 private:
  std::vector<WavePlace> places() const;
  void on_cycle(Cycle cycle);
  EgressPort& egress(const WavePlace& place);

  std::string path_;
  const PacketPlatform& platform_;
  const Part& part_;
  PacketNetwork& network_;
  PacketSchedulers& schedulers_;
  Duration period_;
  WaveWindow window_;
  std::unique_ptr<WaveFile> file_;
  PacketWaveView view_;
  Cycle last_ = -1;  // shown
  ClockDomain::HookId hook_ = 0;
};

}  // namespace weft
