#pragma once
// Profile of a packet network over time: flits on links and in the buffers of switches. Of architectures whose messages
// are on a link in one piece; for the others: iq/iq_link_stats.h.

#include <utility>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/observe/packet_links.h"
#include "observe/profile/network_profile.h"

namespace weft {

class PacketProfile final : public PacketObserver {
 public:
  /// `buffers`: messages are not lost in switches, so that flits in buffers follow from the flits on links. References
  /// must outlive it.
  PacketProfile(const Graph& graph, PacketLinks links, bool buffers, NetworkProfile& profile)
      : graph_(graph), links_(std::move(links)), buffers_(buffers), profile_(profile) {}

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
    profile_.carry(link, first, flits);
    if (buffers_ && links_[link].to != kNoId) profile_.enter(links_[link].to, first + links_[link].delay, flits);
  }

  const Graph& graph_;
  const PacketLinks links_;
  const bool buffers_;
  NetworkProfile& profile_;
};

}  // namespace weft
