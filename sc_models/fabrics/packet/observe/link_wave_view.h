#pragma once
// Common part of the waveforms of packet networks with any switches: places with signals of their own, the
// packet on the link of each, and the GTKWave view with a group per place.
//
// On the link of a place: whether there is a flit (valid), the ends of its packet as "3>12", its level by name, its
// lane, its number within the packet. A signal holds during the cycle it belongs to.

#include <functional>
#include <string>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/keys/packet_config.h"
#include "network/graph.h"
#include "observe/gtkw.h"
#include "observe/wave_file.h"

namespace weft {

/// An output port of a switch, or a NIC (sw == kNoId).
struct WavePlace {
  SwitchId sw = kNoId;
  PortId port = 0;
  NodeId nic = kNoId;
  bool table = false;  ///< the model of a Deficit Table can be looked into
  bool rtl = false;    ///< a Verilated one is in the file
  bool here = true;    ///< in this part of the network; the others are declared, and shown by other ranks
};

class LinkWaveView : public PacketObserver {
 public:
  bool wants_hops() const final { return true; }
  void on_inject(const PacketMessage& message) final;
  void on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) final;

  const std::vector<WavePlace>& places() const { return places_; }
  /// Cycle of the first packet that moves, -1 before it.
  Cycle first_activity() const { return first_activity_; }
  /// Packets from now on are not shown.
  void end() { over_ = true; }
  bool over() const { return over_; }
  /// Of all parts of a network.
  void set_first_activity(Cycle cycle) { first_activity_ = cycle; }

 protected:
  /// Names of the parts of a kind of network.
  struct Names {
    const char* sw;        ///< scope of a switch
    const char* port;      ///< scope of one of its ports
    const char* packet;    ///< signal with the ends
    const char* lane;      ///< signal with the lane
    const char* lane_row;  ///< the same for people
  };
  /// A packet whose flits go over the link of a place.
  struct OnLink {
    Cycle first = 0;  ///< cycle of its first flit
    std::uint32_t flits = 0;
    std::uint32_t next = 0;  ///< number of the flit that comes next, for views that count
    NodeId source = 0;
    NodeId destination = 0;
    ServiceLevel level = 0;
    VirtualLane lane = 0;
    std::string ends{};  ///< written when it is shown first: many are not
  };
  /// References must outlive the view.
  LinkWaveView(WaveFile& file, const PacketConfig& config, const Graph& graph, std::string root,
               std::vector<WavePlace> places, Names names);

  /// A packet comes over the link of a place, behind those that came before in its lane.
  virtual void note(std::size_t place, OnLink packet) = 0;

  std::vector<std::string> scopes(const WavePlace& place) const;
  /// Declares the signals of the next place's link; the rest of its signals comes after.
  void declare_link(const WavePlace& place);
  /// Shows a flit of a packet, or none.
  void show_flit(std::size_t place, OnLink* packet, std::uint64_t flit);
  /// Lane and number of a flit alone.
  void show_number(std::size_t place, const OnLink& packet, std::uint64_t flit);

  using Rows = GtkwRows;
  /// GTKWave save file: a group per place, at most 24, zoomed to the first packet that moves. `more` adds the rows that
  /// follow those of the link.
  std::string save_file(const std::string& fst, const std::function<void(const WavePlace&, Rows&)>& more) const;

  WaveFile& file_;
  const PacketConfig& config_;

 private:
  struct LinkSignals {
    WaveSignal valid = 0, ends = 0, level = 0, lane = 0, flit = 0;
  };
  void arrive(LinkId link, const PacketMessage& message, Cycle first);

  const Graph& graph_;
  std::string root_;
  std::vector<WavePlace> places_;
  Names names_;
  std::vector<LinkSignals> links_;
  std::vector<std::size_t> index_;  // per link: its place
  Cycle first_activity_ = -1;
  bool over_ = false;
};

}  // namespace weft
