#pragma once
// Model signals in a waveform, and the GTKWave view that shows them.
//
// Per network: the slot counter, the frame number, the phase. Per watched switch: the slot counter, the last slot LUT
// request, and per output port the word in flight: valid, source, first destination, message, word, and the same as
// text ("3>12 m0 w17"). A signal holds during the cycle it belongs to.

#include <map>
#include <string>
#include <vector>

#include "config/config.h"
#include "fabric/observer.h"
#include "report/wave_file.h"
#include "slots/circuit_plan.h"
#include "stats/cell_view.h"
#include "topology/graph.h"

namespace weft {

class WaveView final : public FabricObserver {
 public:
  /// Declares the signals. `root`: SystemC name of the network; everything given must outlive the view.
  WaveView(WaveFile& file, const FicConfig& config, const Graph& graph, const std::vector<PhasePlan>& phases,
           std::string root, const std::vector<bool>& watched);

  void on_phase(std::size_t phase, Cycle data_start) override;
  void on_setup(const SetupEvent& event) override;
  /// All words that leave watched switches in this cycle; call for every cycle.
  void on_cells(Cycle cycle, const std::vector<Cell>& cells);

  /// GTKWave save file: groups by switch, texts shown as texts, at most 16 switches. `fst`: file name to open.
  std::string gtkw(const std::string& fst) const;

 private:
  struct Port {
    WaveSignal valid = 0, source = 0, destination = 0, message = 0, word = 0, text = 0;
  };
  struct Switch {
    std::vector<Port> ports;
    WaveSignal slot = 0, setup = 0, setup_ok = 0, setup_free = 0;
    Cycle setup_until = -1;
  };
  void declare(SwitchId sw);

  WaveFile& file_;
  const Graph& graph_;
  std::vector<const CircuitPlan*> circuits_;
  const std::vector<PhasePlan>& phases_;
  std::uint32_t slots_;
  std::string root_;
  std::map<SwitchId, Switch> switches_;
  WaveSignal slot_ = 0, frame_ = 0, phase_ = 0;
  std::vector<std::pair<SwitchId, PortId>> busy_;  // ports that showed a word in the last cycle
  std::vector<bool> rtl_data_path_;
  std::vector<bool> rtl_slot_lut_;
};

/// "0 host", "1 +x", "2 -x" for meshes and tori, else the number.
std::string port_label(const Graph& graph, SwitchId sw, PortId port);

}  // namespace weft
