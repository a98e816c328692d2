#pragma once
// Availability of the links of a network: between two switches, and between a host and its switch.
//
// A link that has failed comes back when it is repaired and the circuits that crossed it are out of the tables and slot
// LUTs at both ends (it drains). Both directions and the control channel share one state, known to both ends. Within
// a cycle the state does not change: a link that becomes free in cycle t is usable from t + 1 on.
//
// Failures of one link may overlap: its own, and those of the switches at both ends. What a link that is not usable
// does to words, requests and sources counts for one of them, which holder() names.
//
// Of a link between two ranks each counts the circuits that drain at its own end, and is told those of the other one.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/units.h"
#include "network/graph.h"

namespace weft {

class LinkAvailability {
 public:
  explicit LinkAvailability(const Graph& graph) : graph_(graph), states_(graph.total_ports()) {}

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
    return s.in_force.empty() && s.drains() == 0 && s.free_since < now;
  }
  bool failed(LinkId link) const { return !states_[link].in_force.empty(); }
  /// Everything that was sent before this cycle and arrives in it or later is lost. -1: never failed.
  Cycle last_failure(LinkId link) const { return states_[link].last_failure; }
  /// The failure that holds the link down: of those in force the one that was told first; from the last repair on,
  /// while the link is not usable yet, the one that held it until then. Only for links that have failed.
  std::uint32_t holder(LinkId link) const {
    const State& s = states_[link];
    return s.in_force.empty() ? s.last_holder : s.in_force.front();
  }

  /// `fault`: number of the failure. Repairs of a cycle come before its failures.
  void fail(LinkId link, Cycle now, std::uint32_t fault) {
    states_[link].in_force.push_back(fault);
    states_[link].last_failure = now;
  }
  void repair(LinkId link, Cycle now, std::uint32_t fault) {
    State& s = states_[link];
    const auto at = std::find(s.in_force.begin(), s.in_force.end(), fault);
    if (at == s.in_force.begin() && s.last_release != now) {  // of several repairs in a cycle the first holder's counts
      s.last_release = now;
      s.last_holder = fault;
    }
    s.in_force.erase(at);
    settle(link, now);
  }
  void drain_begins(LinkId link) { ++states_[link].draining; }
  /// Circuits that drain at this rank's ends of the link.
  std::uint32_t draining(LinkId link) const { return states_[link].draining; }
  /// Those at the other end, as of the end of cycle `now`.
  void drains_elsewhere(LinkId link, std::uint32_t circuits, Cycle now) {
    const bool over = states_[link].elsewhere > 0 && circuits == 0;
    states_[link].elsewhere = circuits;
    if (over) settle(link, now);
  }
  /// Only circuits that drain keep it from being used.
  bool waits_for_drain(LinkId link) const { return states_[link].in_force.empty() && states_[link].drains() > 0; }
  void drain_ends(LinkId link, Cycle now) {
    --states_[link].draining;
    settle(link, now);
  }

 private:
  struct State {
    std::vector<std::uint32_t> in_force;  // failures that are not repaired, in the order in which they came
    std::uint32_t draining = 0;           // circuits that crossed it and still hold a slot
    std::uint32_t elsewhere = 0;          // the same at an end on another rank
    Cycle free_since = -1;
    Cycle last_failure = -1;
    Cycle last_release = -1;  // when a failure that held it was repaired
    std::uint32_t last_holder = 0;
    std::uint32_t drains() const { return draining + elsewhere; }
  };
  void settle(LinkId link, Cycle now) {
    State& s = states_[link];
    if (!s.in_force.empty() || s.drains() > 0) return;
    s.free_since = now;
    if (restored_) restored_(link, now + 1);
  }

  const Graph& graph_;
  std::vector<State> states_;
  std::function<void(LinkId, Cycle)> restored_;
};

}  // namespace weft
