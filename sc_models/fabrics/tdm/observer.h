#pragma once
// Observer of a FiC network: statistics, traces and waves see its models through nothing else. All cycles are those of
// the network's clock. Calls come in order of their cycle; within one cycle in no particular order, so observers must
// not depend on it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/slots/slot_lut.h"
#include "base/ids.h"
#include "base/units.h"
#include "fabrics/tdm/message.h"
#include "fabrics/tdm/train.h"
#include "kernel/clock_domain.h"
#include "kernel/observer_list.h"

namespace weft {

/// A message has arrived completely at one of its destinations.
struct DeliveryEvent {
  MessageId id = 0;
  TdmMessage message;
  NodeId destination = kNoId;
  Cycle first_arrival = 0;  ///< its first word reached the host
  Cycle delivered = 0;      ///< its last word reached the host
};

/// A slot LUT request and its answer.
struct SetupEvent {
  Cycle cycle = 0;
  SwitchId sw = kNoId;
  std::uint32_t row = 0;
  SlotLutOp op = SlotLutOp::query;
  std::uint32_t flow = 0;  ///< index of the flow within its phase
  bool ok = false;
  std::uint32_t free_slots = 0;  ///< slots left in the vector that is passed on
};

class TdmObserver {
 public:
  virtual ~TdmObserver() = default;
  /// Observers that do not want hops cost nothing per hop.
  virtual bool wants_hops() const { return false; }
  virtual void on_phase(std::size_t /*phase*/, Cycle /*data_start*/) {}
  /// The message is the first in the queue of its circuit: now is message.head.
  virtual void on_head(const TdmMessage& /*message*/) {}
  /// `link`: which of the node's links it is, from 0.
  virtual void on_inject(NodeId /*source*/, std::uint32_t /*link*/, const Train& /*train*/) {}
  virtual void on_inject_cut(NodeId /*source*/, std::uint32_t /*link*/, const TrainCut& /*cut*/) {}
  /// First word of the train leaves an output in cycle train.start, which is now.
  virtual void on_hop(SwitchId /*sw*/, PortId /*out*/, const Train& /*train*/) {}
  virtual void on_hop_cut(SwitchId /*sw*/, PortId /*out*/, const TrainCut& /*cut*/) {}
  virtual void on_deliver(const DeliveryEvent& /*event*/) {}
  virtual void on_setup(const SetupEvent& /*event*/) {}
  virtual void on_swap(SwitchId /*sw*/, Cycle /*boundary*/) {}
  /// End of a cycle; only called while an observer asked for cycles (see ObservedNetwork::observe_cycles).
  virtual void on_cycle(Cycle /*cycle*/) {}
};

/// Observers of one TDM network.
class Observers : public ObserverList<TdmObserver> {
 public:
  Observers() = default;
  Observers(const Observers&) = delete;
  Observers& operator=(const Observers&) = delete;
  ~Observers() {
    if (domain_) domain_->remove_cycle_hook(hook_);
  }
  /// From now on they are told of the end of cycles of `domain`, once, however many of them ask: of those in which
  /// anything happens, and of those that one of them `wants` (ClockDomain::add_cycle_hook); without `wants` of each.
  void tell_cycles(ClockDomain& domain, std::function<Cycle(Cycle)> wants) {
    if (!wants) wants = [](Cycle cycle) { return cycle; };
    wants_.push_back(std::move(wants));
    if (domain_) return;
    domain_ = &domain;
    hook_ = domain.add_cycle_hook([this](Cycle cycle) { tell([&](TdmObserver& o) { o.on_cycle(cycle); }); },
                                  [this](Cycle cycle) { return wanted(cycle); });
  }

 private:
  Cycle wanted(Cycle cycle) const {
    Cycle first = ClockDomain::kNever;
    for (const auto& wants : wants_) first = std::min(first, wants(cycle));
    return first;
  }
  std::vector<std::function<Cycle(Cycle)>> wants_;
  ClockDomain* domain_ = nullptr;
  ClockDomain::HookId hook_ = 0;
};

/// TDM network as its observers see it, however its circuits are set up.
class ObservedNetwork {
 public:
  virtual ~ObservedNetwork() = default;
  /// SystemC name.
  virtual std::string path() const = 0;
  /// Call before the first cycle.
  virtual void add_observer(TdmObserver& observer) = 0;
  /// From now on every observer gets on_cycle() at the end of cycles: of those in which anything moves, and of those
  /// that `wants` names, the first from a given one on (ClockDomain::kNever: none); without it of each.
  virtual void observe_cycles(std::function<Cycle(Cycle)> wants = {}) = 0;
};

}  // namespace weft
