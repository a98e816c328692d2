#pragma once
// Observer of a packet network: statistics, traces and waves see its models through nothing else. All cycles are those
// of the network's clock. Calls come in order of their cycle; within one cycle in no particular order, so observers
// must not depend on it.

#include <cstdint>

#include "base/ids.h"
#include "base/units.h"
#include "fabrics/packet/common/message.h"
#include "kernel/observer_list.h"

namespace weft {

/// Why a message of a packet network is lost.
struct LossCause {
  bool cut = false;         ///< on a wire when it failed; otherwise it had no route left
  std::uint32_t fault = 0;  ///< which one, in the order of the configuration
};

/// Observer of a packet network. Messages are only valid during the call.
class PacketObserver {
 public:
  virtual ~PacketObserver() = default;
  /// Observers that do not want hops cost nothing per hop.
  virtual bool wants_hops() const { return false; }
  /// Whether it is told of every generation and delivery: false for those that only look at what is on the links.
  virtual bool wants_ends() const { return true; }
  virtual void on_generate(const PacketMessage& /*message*/) {}
  /// The message leaves its NIC: first flit on the link in cycle message.sent().
  virtual void on_inject(const PacketMessage& /*message*/) {}
  /// Its last flit is on the link of its NIC, in cycle `now`. Only of iq, whose NICs may have to wait between two
  /// flits, and for those that asked for it (IqNetwork::tell_tails); elsewhere it is message.sent() + flits - 1.
  virtual void on_tail(const PacketMessage& /*message*/, Cycle /*now*/) {}
  /// The message leaves a switch: flits on the link in cycles first .. first + flits - 1.
  virtual void on_hop(SwitchId /*sw*/, PortId /*out*/, const PacketMessage& /*message*/, Cycle /*first*/) {}
  /// One is likely to leave there soon: brings what on_hop() needs into the cache.
  virtual void expect_hop(SwitchId /*sw*/, PortId /*out*/) const {}
  /// Its last flit has arrived, in cycle `now`.
  virtual void on_deliver(const PacketMessage& /*message*/, Cycle /*now*/) {}
  /// It is lost because of a link that failed.
  virtual void on_lose(const PacketMessage& /*message*/, LossCause /*cause*/, Cycle /*now*/) {}
  /// At a switch it is given another route than without the fault that is in its usual one.
  virtual void on_reroute(const PacketMessage& /*message*/, std::uint32_t /*fault*/) {}
  /// It had not entered the network when the run ended.
  virtual void on_withdraw(const PacketMessage& /*message*/) {}
};

using PacketObservers = ObserverList<PacketObserver>;

}  // namespace weft
