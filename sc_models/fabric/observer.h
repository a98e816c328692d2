#pragma once
// What models tell whoever watches: statistics, traces and waves are observers, and see the models through nothing
// else. All cycles are those of the network's clock. Calls come in order of their cycle; within one cycle in no
// particular order, so observers must not depend on it.

#include <string>
#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "fabric/observer_list.h"
#include "fabric/optweb/events.h"
#include "fabric/packet/message.h"
#include "fabric/tdm/message.h"
#include "fabric/tdm/train.h"
#include "slots/slot_lut.h"

namespace weft {

/// A message has arrived completely at one of its destinations.
struct DeliveryEvent {
  MessageId id = 0;
  Message message;
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

class FabricObserver {
 public:
  virtual ~FabricObserver() = default;
  /// Observers that do not want hops cost nothing per hop.
  virtual bool wants_hops() const { return false; }
  virtual void on_phase(std::size_t /*phase*/, Cycle /*data_start*/) {}
  virtual void on_inject(NodeId /*source*/, const Train& /*train*/) {}
  /// First word of the train leaves an output in cycle train.start, which is now.
  virtual void on_hop(SwitchId /*sw*/, PortId /*out*/, const Train& /*train*/) {}
  virtual void on_hop_cut(SwitchId /*sw*/, PortId /*out*/, const TrainCut& /*cut*/) {}
  virtual void on_deliver(const DeliveryEvent& /*event*/) {}
  virtual void on_setup(const SetupEvent& /*event*/) {}
  virtual void on_swap(SwitchId /*sw*/, Cycle /*boundary*/) {}
  /// End of a cycle; only called while an observer asked for every cycle (see FicNetwork::observe_cycles).
  virtual void on_cycle(Cycle /*cycle*/) {}
};

/// Why a message of a packet network is lost.
struct LossCause {
  bool cut = false;         ///< on a wire when it failed; otherwise it had no way left
  std::uint32_t fault = 0;  ///< which one, in the order of the configuration
};

/// Observer of a packet network. Messages are only valid during the call.
class PacketObserver {
 public:
  virtual ~PacketObserver() = default;
  /// Observers that do not want hops cost nothing per hop.
  virtual bool wants_hops() const { return false; }
  virtual void on_generate(const PacketMessage& /*message*/) {}
  /// The message leaves its NIC: first flit on the link in cycle message.sent().
  virtual void on_inject(const PacketMessage& /*message*/) {}
  /// The message leaves a switch: flits on the link in cycles first .. first + flits - 1.
  virtual void on_hop(SwitchId /*sw*/, PortId /*out*/, const PacketMessage& /*message*/, Cycle /*first*/) {}
  /// One is likely to leave there soon: brings what on_hop() needs into the cache.
  virtual void expect_hop(SwitchId /*sw*/, PortId /*out*/) const {}
  /// Its last flit has arrived, in cycle `now`.
  virtual void on_deliver(const PacketMessage& /*message*/, Cycle /*now*/) {}
  /// It is lost because of a link that failed.
  virtual void on_lose(const PacketMessage& /*message*/, LossCause /*cause*/, Cycle /*now*/) {}
  /// At a switch it is given another way than without the fault that is in its usual one.
  virtual void on_reroute(const PacketMessage& /*message*/, std::uint32_t /*fault*/) {}
  /// It had not entered the network when the run ended.
  virtual void on_withdraw(const PacketMessage& /*message*/) {}
};

using PacketObservers = ObserverList<PacketObserver>;

/// Observer of an OPTWEB network.
class OptwebObserver {
 public:
  virtual ~OptwebObserver() = default;
  bool wants_hops() const { return false; }
  virtual void on_execute(const OptwebExecution& /*execution*/) {}
  virtual void on_deliver(const OptwebDelivery& /*delivery*/) {}
  virtual void on_host(const OptwebHostEvent& /*event*/) {}
};

}  // namespace weft
