#pragma once
// The waveform of a packet network: signals of the models and pins of the Verilated Deficit Tables in one FST file.

#include <string>
#include <vector>

#include "fabrics/packet/observe/packet_wave_view.h"
#include "fabrics/packet/packet_network.h"
#include "run/packet/packet_schedulers.h"
#include "run/waves/cycle_waves.h"

namespace weft {

/// The outputs and NICs that the configuration chooses, all if it names none: each once, switches first.
std::vector<WavePlace> chosen_wave_places(const PacketPlatform& platform, const Part& part);

class PacketWaves final : public CycleWaves {
 public:
  /// Throws InputError for a file that cannot be written. References must outlive the
  /// waves.
  PacketWaves(const std::string& path, const PacketPlatform& platform, const Part& part, PacketNetwork& network,
              PacketSchedulers& schedulers);

 private:
  std::vector<WavePlace> places() const;
  EgressPort& egress(const WavePlace& place);
  void show(Cycle cycle, bool written) override;
  bool needs_history() const override { return has_rtl_; }
  void end() override;
  bool show_half() override;
  void show_registers() override;
  Cycle first_activity() const override { return view_.first_activity(); }
  std::string view(const std::string& fst, Cycle first) override;

  const PacketPlatform& platform_;
  const Part& part_;
  PacketNetwork& network_;
  PacketSchedulers& schedulers_;
  PacketWaveView view_;
  bool has_rtl_ = false;  // at a place that is shown
};

}  // namespace weft
