#pragma once
// Profile of a FiC network over time: words on links. Switches hold no word longer than a slot, so there are no buffers
// to tell of; what waits, waits at the nodes.

#include <vector>

#include "fabrics/tdm/observer.h"
#include "network/graph.h"
#include "observe/profile/network_profile.h"

namespace weft {

class TdmProfile final : public TdmObserver {
 public:
  /// References must outlive it.
  TdmProfile(const Graph& graph, std::uint32_t slots, NetworkProfile& profile)
      : graph_(graph), slots_(slots), profile_(profile), begun_(std::size_t{graph.link_count()} * slots) {}

  /// Names and number of the links; no buffers.
  static void shape(const Graph& graph, ProfileShape& shape);

  bool wants_hops() const override { return true; }
  void on_inject(NodeId source, std::uint32_t link, const Train& train) override {
    carry(graph_.injection_link(source, link), train);
  }
  void on_hop(SwitchId sw, PortId out, const Train& train) override { carry(graph_.out_link(sw, out), train); }
  void on_inject_cut(NodeId source, std::uint32_t link, const TrainCut& cut) override {
    take_back(graph_.injection_link(source, link), cut);
  }
  void on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) override { take_back(graph_.out_link(sw, out), cut); }
  void on_deliver(const DeliveryEvent& event) override {
    if (counts_deliveries_) profile_.accept(event.delivered, event.message.words);
  }
  /// Where circuits have sources of their own, whose messages are no transfers.
  void count_deliveries() { counts_deliveries_ = true; }

 private:
  void carry(LinkId link, const Train& train);
  void take_back(LinkId link, const TrainCut& cut);

  const Graph& graph_;
  const std::uint32_t slots_;
  NetworkProfile& profile_;
  std::vector<Cycle> begun_;  // per link and slot: first word of its last train
  bool counts_deliveries_ = false;
};

}  // namespace weft
