#pragma once
// Model signals in a waveform, and the GTKWave view that shows them.
//
// Per network: the slot counter, the frame number, the phase. Per watched switch: the slot counter, the last slot LUT
// request as text, and per output port the word in flight: valid, the circuit as text (the name of its flow, with its
// nodes where the flow has several circuits; "3>12" without a name, "5>0+" for a multicast whose first destination is
// 0), the message (its number in the circuit modulo 2^16) and the word's index in the
// message. A signal holds during the cycle it belongs to.

#include <string>
#include <utility>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/observe/cell_view.h"
#include "fabrics/tdm/observer.h"
#include "network/graph.h"
#include "observe/wave_file.h"

namespace weft {

/// A Verilated block of a switch: its top module, empty when there is none, and the parameters that set the widths of
/// its signals.
struct RtlScope {
  std::string module;
  std::uint32_t ports = 0;
  std::uint32_t slots = 0;
};
struct SwitchRtl {
  RtlScope data_path;
  RtlScope slot_lut;
  RtlScope setup_unit;
  /// Interfaces of the nodes at the switch; the ports of the block are their links.
  std::vector<std::pair<NodeId, RtlScope>> hosts;
};

class TdmWaveView final : public TdmObserver {
 public:
  /// Declares the signals. `longest_message`: words; `root`: SystemC name of the network; everything given must outlive
  /// the view.
  TdmWaveView(WaveFile& file, const TdmConfig& config, const Graph& graph, const std::vector<PhasePlan>& phases,
              std::uint32_t longest_message, std::string root, const std::vector<bool>& watched);

  void on_phase(std::size_t phase, Cycle data_start) override;
  void on_setup(const SetupEvent& event) override;
  /// The last words of watched switches before the first cycle that is shown: their numbers stay.
  void on_held(const std::vector<Cell>& cells);
  /// All words that leave watched switches in this cycle; call for every cycle that is shown.
  void on_cells(Cycle cycle, const std::vector<Cell>& cells);

  /// Cycle of the first word on a watched switch, -1 before it.
  Cycle first_activity() const { return first_activity_; }
  /// Of all parts of a network.
  void set_first_activity(Cycle cycle) { first_activity_ = cycle; }

  /// GTKWave save file: groups by switch, texts shown as texts, at most 16 switches, zoomed to the first word that
  /// moves. `fst`: file name to open; `rtl`: by switch.
  std::string gtkw(const std::string& fst, const std::vector<SwitchRtl>& rtl) const;

 private:
  struct Port {
    WaveSignal valid = 0, circuit = 0, message = 0, word = 0;
  };
  static constexpr std::size_t kUnwatched = ~std::size_t{0};
  struct Switch {
    SwitchId id = 0;
    std::vector<Port> ports;
    WaveSignal slot = 0, setup = 0, setup_ok = 0, setup_free = 0;
    Cycle setup_until = -1;
  };
  void declare(SwitchId sw);
  const Port& set_word(const Cell& cell);
  std::string port_scope(SwitchId sw, PortId port) const;
  std::string switch_group(const Switch& s, const SwitchRtl& rtl) const;

  WaveFile& file_;
  const Graph& graph_;
  std::vector<std::string> circuits_;  // texts
  std::uint32_t word_bits_;
  const std::vector<PhasePlan>& phases_;
  std::uint32_t slots_;
  std::string root_;
  std::vector<std::size_t> index_;  // by switch: its place in switches_
  std::vector<Switch> switches_;
  WaveSignal slot_ = 0, frame_ = 0, phase_ = 0;
  Duration period_;
  Cycle first_activity_ = -1;
  std::vector<std::pair<SwitchId, PortId>> busy_;  // ports that showed a word in the last cycle
  std::vector<std::pair<SwitchId, PortId>> next_busy_;
};

/// "0 host", "1 +x", "2 -x" for meshes and tori, else the number.
std::string port_label(const Graph& graph, SwitchId sw, PortId port);

}  // namespace weft
