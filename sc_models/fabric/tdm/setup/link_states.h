#pragma once
// Which links of a network are usable: between two switches, and between a host and its switch.
//
// A link that has failed comes back when it is repaired and the circuits that crossed it are out of the tables and slot
// LUTs at both ends (it drains). Both directions and the control channel share one state, known to both ends. Within
// a cycle the state does not change: a link that becomes free in cycle t is usable from t + 1 on.

#include <algorithm>
#include <functional>
#include <vector>

#include "base/units.h"
#include "topology/graph.h"

namespace weft {

class LinkStates {
 public:
  explicit LinkStates(const Graph& graph) : graph_(graph), states_(graph.total_ports()) {}

  /// Called when a link will be usable from cycle `from` on.
  void on_restored(std::function<void(LinkId link, Cycle from)> call) { restored_ = std::move(call); }

  /// One number for both directions: the lower one of the two ports' links.
  LinkId at(SwitchId sw, PortId port) const {
    const PortRef peer = graph_.peer(sw, port);
    const LinkId own = graph_.out_link(sw, port);
    return peer.sw == kNoId ? own : std::min(own, graph_.out_link(peer.sw, peer.port));
  }
  bool usable(LinkId link, Cycle now) const {
    const State& s = states_[link];
    return s.failures == 0 && s.draining == 0 && s.free_since < now;
  }
  bool failed(LinkId link) const { return states_[link].failures > 0; }
  /// What was sent before this cycle and arrives in it or later is lost. -1: never failed.
  Cycle last_failure(LinkId link) const { return states_[link].last_failure; }
  /// Number of the failure in that cycle.
  std::uint32_t last_fault(LinkId link) const { return states_[link].last_fault; }

  void fail(LinkId link, Cycle now, std::uint32_t fault) {
    ++states_[link].failures;
    states_[link].last_failure = now;
    states_[link].last_fault = fault;
  }
  void repair(LinkId link, Cycle now) {
    --states_[link].failures;
    settle(link, now);
  }
  void drain_begins(LinkId link) { ++states_[link].draining; }
  void drain_ends(LinkId link, Cycle now) {
    --states_[link].draining;
    settle(link, now);
  }

 private:
  struct State {
    int failures = 0;  // a link fault and faults of both its switches may overlap
    int draining = 0;  // circuits that crossed it and still hold a slot
    Cycle free_since = -1;
    Cycle last_failure = -1;
    std::uint32_t last_fault = 0;
  };
  void settle(LinkId link, Cycle now) {
    State& s = states_[link];
    if (s.failures > 0 || s.draining > 0) return;
    s.free_since = now;
    if (restored_) restored_(link, now + 1);
  }

  const Graph& graph_;
  std::vector<State> states_;
  std::function<void(LinkId, Cycle)> restored_;
};

}  // namespace weft
