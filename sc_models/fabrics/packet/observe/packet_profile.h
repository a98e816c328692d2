#pragma once
// Profile of a packet network over time: flits on links and in the buffers of switches.
//
// Packets of some architectures share a link flit by flit, while observers are told of a packet as a whole, when its
// head is sent. Its flits count from then on, but no two flits of a link for the same cycle: those of a packet whose
// head has come between the flits of another one count behind them.

#include <algorithm>
#include <utility>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/observe/packet_links.h"
#include "observe/profile/network_profile.h"

namespace weft {

class PacketProfile final : public PacketObserver {
 public:
  /// `shares`: packets may share a link flit by flit. `buffers`: messages leave switches in one piece and are not lost
  /// in them, so that flits in buffers follow from the flits on links. References must outlive it.
  PacketProfile(const Graph& graph, PacketLinks links, bool shares, bool buffers, NetworkProfile& profile)
      : graph_(graph),
        links_(std::move(links)),
        shares_(shares),
        buffers_(buffers),
        profile_(profile),
        free_(shares ? graph.link_count() : 0) {}

  bool wants_hops() const override { return true; }
  bool wants_ends() const override { return false; }
  void on_inject(const PacketMessage& message) override {
    carry(graph_.injection_link(message.source), message.flits, message.sent());
  }
  void on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) override {
    if (buffers_) profile_.leave(sw, first, message.flits);
    carry(graph_.out_link(sw, out), message.flits, first);
  }

 private:
  void carry(LinkId link, std::uint32_t flits, Cycle first) {
    if (shares_) return carry_in_turn(link, flits, first);
    profile_.carry(link, first, flits);
    if (buffers_ && links_[link].to != kNoId) profile_.enter(links_[link].to, first + links_[link].delay, flits);
  }

  // Flits that have no cycle left before the end of the measurement are not in it.
  void carry_in_turn(LinkId link, std::uint32_t flits, Cycle first) {
    const Window& window = profile_.window();
    const Cycle from = std::max({first, window.first, free_[link]});
    const Cycle count = std::min(window.overlap(first, first + flits), window.last - from);
    if (count <= 0) return;
    free_[link] = from + count;
    profile_.carry(link, from, static_cast<std::uint64_t>(count));
  }

  const Graph& graph_;
  const PacketLinks links_;
  const bool shares_;
  const bool buffers_;
  NetworkProfile& profile_;
  std::vector<Cycle> free_;  // per link: first cycle without a flit that has been counted
};

}  // namespace weft
