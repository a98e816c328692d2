#pragma once
// Clock of a node. All nodes of a network are served by one agenda (kernel/clock_domain.h); a node's clock says in
// which cycle of the agenda each edge of its own lies.
//
// With aligned clocks they are the same thing. With clocks of their own, edge c of a node is at phase + c * T, its
// period T being that of the nominal frequency times 1 + offset; all are whole attoseconds, so nothing but T itself is
// ever rounded (by less than 0.0002 ppm at 200 MHz). A cycle of the agenda is as long as the shortest period of all
// nodes, or a little shorter, so that every edge of a node has a cycle of the agenda of its own, and edges of different
// nodes are served in the same cycle only when they are less than a period apart. That is in order as long as what one
// node does to another takes a nominal period at least, as every link does.
//
// Crossing: what is in the clock of a sender at one of its edges and takes a time of its own to the receiver is there
// in the receiver's clock at its first edge that is not earlier (the stages of the synchronizer behind it are cycles of
// `link.receive`). With aligned clocks that costs nothing, else up to a period.

#include <cstdint>

#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/word_rate.h"
#include "fabrics/optweb/observer.h"
#include "kernel/clock_domain.h"

namespace weft {

class NodeClock {
 public:
  /// The period of the agenda is optweb::agenda_period().
  NodeClock(ClockDomain& agenda, const OptwebConfig& config, NodeId node);

  /// The cycle being served; between cycles the last one that has begun. -1 before the first.
  Cycle now() const { return own_ ? begun_before(agenda_.now() + 1) - 1 : agenda_.now(); }
  /// First cycle that code outside the agenda can still influence.
  Cycle next_cycle() const { return own_ ? begun_before(agenda_.next_cycle()) : agenda_.next_cycle(); }
  bool serving() const { return agenda_.serving(); }
  /// The cycle of the agenda that is being served has an edge of this clock.
  bool has_edge() const { return !own_ || slot(now()) == agenda_.now(); }
  void schedule(Cycle due, Phase phase, Agent& agent, std::uint32_t token) {
    agenda_.schedule(own_ ? slot(due) : due, phase, agent, token);
  }

  /// When cycle n begins, rounded down.
  Picoseconds time(Cycle n) const { return own_ ? static_cast<Picoseconds>(edge(n) / kAs) : n * nominal_.ps; }
  /// Length of so many cycles, rounded down.
  Picoseconds span(Cycle n) const { return own_ ? static_cast<Picoseconds>(n * period_ / kAs) : n * nominal_.ps; }
  /// First cycle that begins at a time or after it.
  Cycle at_or_after(Picoseconds time) const;
  /// What leaves `from` at the beginning of its cycle n, and is under way for so many nominal periods, is here by the
  /// beginning of the cycle returned.
  Cycle crossing(const NodeClock& from, Cycle n, Cycle nominal) const;

 private:
  static constexpr std::int64_t kAs = 1'000'000;  // attoseconds of a picosecond

  optweb::WideInteger edge(Cycle n) const { return phase_ + n * period_; }
  Cycle slot(Cycle n) const { return static_cast<Cycle>(edge(n) / slot_); }
  Cycle begun_before(Cycle slot) const { return first_edge(slot * slot_); }
  /// First edge at or after a time that is not before 0.
  Cycle first_edge(optweb::WideInteger at) const;

  ClockDomain& agenda_;
  Duration nominal_;
  bool own_;
  optweb::WideInteger phase_ = 0;   // attoseconds, less than a period
  optweb::WideInteger period_ = 0;  // attoseconds
  optweb::WideInteger slot_ = 0;    // attoseconds of a cycle of the agenda
};

}  // namespace weft
