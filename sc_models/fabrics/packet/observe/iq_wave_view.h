#pragma once
// Signals of the ports of input-queued routers in a waveform, and the GTKWave view that shows them.
//
// Per watched port of a router ("router[3].port[1]") the flit on the link that leaves there
// (fabrics/packet/observe/link_wave_view.h), by its VC; of every VC of that link the credits and the input VC that owns
// it ("in0.vc1"); and the flits in the buffer of every VC of the input. Per NIC ("nic[5]") the flit on its link, the
// credits, and the packets that wait. Credits, owners and buffers are shown as they are at the end of the cycle.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fabrics/packet/observe/link_wave_view.h"

namespace weft {

class IqWaveView final : public LinkWaveView {
 public:
  /// Declares the signals. `root`: SystemC name of the network. All references must outlive the view.
  IqWaveView(WaveFile& file, const PacketConfig& config, const Graph& graph, std::string root,
             std::vector<WavePlace> places, std::uint32_t vcs);

  /// Whether flits of packets that have begun to go over the link are still to come.
  bool expects_flits(std::size_t place) const { return signals_[place].coming > 0; }
  /// The VC of the flit on the link in this cycle, if there is one; to be called for every cycle.
  void show_link(std::size_t place, std::optional<std::uint32_t> vc);
  /// The same in a cycle that is not written; one in which the link expects nothing may be left out.
  void pass_link(std::size_t place, std::uint32_t vc);
  struct State {
    std::vector<std::uint64_t> credits;                                   ///< per VC
    std::vector<std::uint64_t> queued;                                    ///< router: flits per VC; NIC: packets
    std::vector<std::optional<std::pair<PortId, std::uint32_t>>> owners;  ///< router: input port and VC, per VC
  };
  void show_state(std::size_t place, const State& state);

  /// Verilated router of a switch.
  struct Rtl {
    std::string module;
    std::uint32_t ports = 0;
  };
  /// `rtl`: by switch, of those in the file; their valid pins stand in the group of the router's first port.
  std::string gtkw(const std::string& fst, const std::map<SwitchId, Rtl>& rtl) const;

 private:
  struct Signals {
    std::vector<WaveSignal> credits, queued, owners;
    std::vector<std::deque<OnLink>> packets;  // per VC, in the order in which they go over the link
    std::uint32_t coming = 0;                 // of all VCs
    std::optional<OnLink> passed;             // packet of the last flit, which was not written
  };
  void note(std::size_t place, OnLink packet) override;
  void count_flit(Signals& s, std::uint32_t vc);
  void declare(const WavePlace& place);
  void add_rows(const WavePlace& place, Rows& rows) const;
  void add_pins(const WavePlace& place, const Rtl& rtl, Rows& rows) const;

  const std::uint32_t vcs_;
  std::vector<Signals> signals_;
};

}  // namespace weft
