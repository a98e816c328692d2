#pragma once
// Signals of the ports of input-queued routers in a waveform, and the GTKWave view that shows them.
//
// Per watched port of a router ("router[3].port[1]") the flit on the link that leaves there: valid, the ends of its
// packet as "3>12", its level by name, its VC, its number within the packet; of every VC of that link the credits and
// the input VC that owns it ("in0.vc1"); and the flits in the buffer of every VC of the input. Per NIC ("nic[5]") the
// flit on its link, the credits, and the packets that wait. A signal holds during the cycle it belongs to; credits,
// owners and buffers are shown as they are at the end of the cycle.

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/qos_config.h"
#include "fabric/observer.h"
#include "report/packet_wave_view.h"
#include "report/wave_file.h"
#include "topology/graph.h"

namespace weft {

class IqWaveView final : public PacketObserver {
 public:
  /// Declares the signals. `root`: SystemC name of the network. All references must outlive the view.
  IqWaveView(WaveFile& file, const QosConfig& config, const Graph& graph, std::string root,
             std::vector<WavePlace> places);

  bool wants_hops() const override { return true; }
  void on_inject(const PacketMessage& message) override;
  void on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) override;

  const std::vector<WavePlace>& places() const { return places_; }
  /// The VC of the flit on the link in this cycle, if there is one; to be called for every cycle.
  void show_link(std::size_t place, std::optional<std::uint32_t> vc);
  struct State {
    std::vector<std::uint64_t> credits;                                   ///< per VC
    std::vector<std::uint64_t> queued;                                    ///< router: flits per VC; NIC: packets
    std::vector<std::optional<std::pair<PortId, std::uint32_t>>> owners;  ///< router: input port and VC, per VC
  };
  void show_state(std::size_t place, const State& state);

  /// GTKWave save file: a group per place, at most 24, zoomed to the first packet that moves.
  std::string gtkw(const std::string& fst) const;

 private:
  struct OnLink {
    std::string ends;
    ServiceLevel level = 0;
    std::uint32_t flits = 0;
    std::uint32_t next = 0;  // number of the flit that comes next
  };
  struct Signals {
    WaveSignal valid = 0, ends = 0, level = 0, vc = 0, flit = 0;
    std::vector<WaveSignal> credits, queued, owners;
    std::vector<std::deque<OnLink>> packets;  // per VC, in the order in which they go over the link
  };
  static constexpr std::size_t kUnwatched = ~std::size_t{0};
  std::vector<std::string> scopes(const WavePlace& place) const;
  void declare(const WavePlace& place);
  void note(std::size_t place, const PacketMessage& message, Cycle first);
  std::string group(std::size_t place) const;

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
