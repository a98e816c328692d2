#pragma once
// Signals of the ports of a packet network in a waveform, and the GTKWave view that shows them.
//
// Per watched output of a switch ("sw[3].out[1]") and NIC ("nic[5]"): the message whose flits are on the link
// (fabrics/packet/observe/link_wave_view.h), by its VL; flits in the port's buffer; credits of every VL; and, for a
// Deficit Table, whether an entry is selected, which, its level, the accumulated weight and the deficit of every level.
// Buffers, credits and the table are shown as they are at the end of the cycle.

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/qos/deficit_table.h"
#include "fabrics/packet/observe/link_wave_view.h"

namespace weft {

class PacketWaveView final : public LinkWaveView {
 public:
  /// Declares the signals. `root`: SystemC name of the network. All references must outlive the view.
  PacketWaveView(WaveFile& file, const PacketConfig& config, const Graph& graph, std::string root,
                 std::vector<WavePlace> places);

  /// The message on the link in this cycle; call for every cycle.
  void show_link(std::size_t place, Cycle cycle);
  /// Buffer and credits of the place; `credits`: per VL.
  void show_state(std::size_t place, std::int64_t queued, const std::vector<std::int64_t>& credits);
  /// State of its Deficit Table; null where there is none.
  void show_table(std::size_t place, const DeficitTable* table);

  /// A Verilated scheduler or egress port: its kind ("dtable"), its top module, pins and registers with their widths.
  struct RtlPins {
    struct Pin {
      std::string name;
      std::uint32_t bits = 1;
      bool set = false;  ///< a bit for each SL
    };
    std::string kind;
    std::string module;
    std::vector<Pin> pins;
  };
  /// `rtl`: of each place that has one.
  std::string gtkw(const std::string& fst, const std::function<RtlPins(const WavePlace&)>& rtl) const;

 private:
  struct Signals {
    WaveSignal queued = 0;
    std::vector<WaveSignal> credits;
    WaveSignal selected = 0, entry = 0, selected_level = 0, weight = 0;
    std::vector<WaveSignal> deficits;
    std::deque<OnLink> coming;
  };
  void note(std::size_t place, OnLink message) override;
  void declare(const WavePlace& place);
  void add_rows(const WavePlace& place, const std::function<RtlPins(const WavePlace&)>& rtl_of, Rows& rows) const;

  std::vector<Signals> signals_;
};

}  // namespace weft
