#pragma once
// The waveform of a network of input-queued routers: signals of the models, and pins and registers of the Verilated
// routers, in one FST file. The routers are looked at from outside at the end of every cycle; nothing is told per flit.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fabrics/packet/iq/iq_network.h"
#include "fabrics/packet/observe/iq_wave_view.h"
#include "run/packet/iq/iq_routers.h"
#include "run/packet/packet_platform.h"
#include "run/waves/cycle_waves.h"

namespace weft {

class IqWaves final : public CycleWaves {
 public:
  /// Throws InputError for a file that cannot be written. References must outlive the waves.
  IqWaves(const std::string& path, const PacketPlatform& platform, const Part& part, IqNetwork& network,
          const IqRouters& routers);

 private:
  std::map<SwitchId, IqRtlModule*> shown_rtl(const IqRouters& routers) const;
  void show(Cycle cycle, bool written) override;
  /// Flits of a packet are counted as they go over a link.
  bool needs_history() const override { return true; }
  void end() override;
  bool show_half() override;
  /// In which a pair has differed.
  bool shows_failed_cycle() const override { return !rtl_.empty(); }
  Cycle first_activity() const override { return view_.first_activity(); }
  std::string view(const std::string& fst, Cycle first) override;
  std::optional<std::uint32_t> flit_on_link(const WavePlace& place, Cycle cycle);

  const PacketPlatform& platform_;
  const Part& part_;
  IqNetwork& network_;
  IqParameters parameters_;
  IqWaveView view_;
  const std::map<SwitchId, IqRtlModule*> rtl_;  // routers with RTL of which a port is shown
  struct Leaving {
    Cycle at = 0;  // arrives at the router of another part
    VirtualLane vc = 0;
  };
  std::map<LinkId, std::deque<Leaving>> leaving_;
};

}  // namespace weft
