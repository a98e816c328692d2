#pragma once
// Signals of the ports of a packet network in a waveform, and the GTKWave view that shows them.
//
// Per watched output of a switch ("sw[3].out[1]") and NIC ("nic[5]"): the message whose flits are on the link (valid,
// its ends as "3>12", its level by name, its VL, the number of the flit); flits in the port's buffer; credits of every
// VL; and, for a Deficit Table, whether an entry is selected, which, its level, the accumulated weight and the deficit
// of every level. A signal holds during the cycle it belongs to; buffers, credits and the table are shown as they are
// at the end of the cycle.

#include <deque>
#include <string>
#include <vector>

#include "config/qos_config.h"
#include "fabric/observer.h"
#include "qos/deficit_table.h"
#include "report/wave_file.h"
#include "topology/graph.h"

namespace weft {

/// An output port of a switch, or a NIC (sw == kNoId).
struct WavePlace {
  SwitchId sw = kNoId;
  PortId port = 0;
  NodeId nic = kNoId;
  bool table = false;  ///< the model of a Deficit Table can be looked into
  bool rtl = false;    ///< a Verilated one is in the file
};

class PacketWaveView final : public PacketObserver {
 public:
  /// Declares the signals. `root`: SystemC name of the network. All references must outlive the view.
  PacketWaveView(WaveFile& file, const QosConfig& config, const Graph& graph, std::string root,
                 std::vector<WavePlace> places);

  bool wants_hops() const override { return true; }
  void on_inject(const PacketMessage& message) override;
  void on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) override;

  const std::vector<WavePlace>& places() const { return places_; }
  /// The message on the link in this cycle; call for every cycle.
  void show_link(std::size_t place, Cycle cycle);
  /// The rest of the place; `credits`: per VL. `table`: null where there is none.
  void show_state(std::size_t place, std::int64_t queued, const std::vector<std::int64_t>& credits,
                  const DeficitTable* table);

  /// GTKWave save file: a group per place, at most 24, zoomed to the first message that moves. `rtl_entries`,
  /// `rtl_levels`, `rtl_count_bits`: parameters of the Verilated tables.
  struct RtlTable {
    std::uint32_t levels = 0, entry_bits = 0, count_bits = 0;
  };
  std::string gtkw(const std::string& fst, const RtlTable& rtl) const;

 private:
  struct OnLink {
    Cycle first = 0;
    Cycle last = 0;
    std::string ends;
    VirtualLane lane = 0;
    ServiceLevel level = 0;
  };
  struct Signals {
    WaveSignal valid = 0, ends = 0, level = 0, lane = 0, flit = 0, queued = 0;
    std::vector<WaveSignal> credits;
    WaveSignal selected = 0, entry = 0, selected_level = 0, weight = 0;
    std::vector<WaveSignal> deficits;
    std::deque<OnLink> coming;
  };
  static constexpr std::size_t kUnwatched = ~std::size_t{0};
  std::vector<std::string> scopes(const WavePlace& place) const;
  void declare(const WavePlace& place);
  void note(std::size_t place, const PacketMessage& message, Cycle first);
  std::string group(std::size_t place, const RtlTable& rtl) const;

  WaveFile& file_;
  const QosConfig& config_;
  const Graph& graph_;
  std::string root_;
  std::vector<WavePlace> places_;
  std::vector<Signals> signals_;
  std::vector<std::size_t> index_;  // per link: its place
  Cycle first_activity_ = -1;
};

}  // namespace weft
