#pragma once
// The waveform of a network of input-queued routers: signals of the models, and pins and registers of the Verilated
// routers, in one FST file. The routers are looked at from outside at the end of every cycle; nothing is told per flit.

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fabrics/packet/iq/iq_network.h"
#include "fabrics/packet/observe/iq_wave_view.h"
#include "observe/wave_file.h"
#include "run/packet/iq/iq_routers.h"
#include "run/packet/packet_platform.h"
#include "run/wave_window.h"

namespace weft {

/// A cycle's signals hold from its first picosecond on; RTL clocks rise there and fall in its middle.
class IqWaves {
 public:
  /// Throws InputError for a file that cannot be written. References must outlive the waves.
  IqWaves(const std::string& path, const PacketPlatform& platform, const Part& part, IqNetwork& network,
          const IqRouters& routers);
  /// Completes the file and writes the GTKWave view beside it; returns the names of both.
  std::vector<std::string> close(Cycle last_cycle);
  WaveWindow& window() { return window_; }

 private:
  std::map<SwitchId, IqRtlModule*> shown_rtl(const IqRouters& routers) const;
  void on_cycle(Cycle cycle);
  std::optional<std::uint32_t> flit_on_link(const WavePlace& place, Cycle cycle);

  std::string path_;
  const PacketPlatform& platform_;
  const Part& part_;
  IqNetwork& network_;
  IqParameters parameters_;
  Duration period_;
  WaveWindow window_;
  std::unique_ptr<WaveFile> file_;
  IqWaveView view_;
  const std::map<SwitchId, IqRtlModule*> rtl_;  // routers with RTL of which a port is shown
  struct Leaving {
    Cycle at = 0;  // arrives at the router of another part
    VirtualLane vc = 0;
  };
  std::map<LinkId, std::deque<Leaving>> leaving_;
  Cycle last_ = -1;  // shown
  ClockDomain::HookId hook_ = 0;
};

}  // namespace weft
