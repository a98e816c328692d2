#pragma once
// Routing of packets, switch by switch: unlike circuits (routing.h) they may have a choice, of the ports of a
// trunk or of a random way up a tree, and need lane classes or bubble flow control where rings could deadlock.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "network/graph.h"

namespace weft {

/// The way out of a switch: ports [first, first + count), any of them, on a lane class.
struct RouteStep {
  PortId first = 0;
  std::uint16_t count = 1;
  std::uint8_t lane_class = 0;
  bool bubble_ring = false;  ///< the way leads along a ring under bubble flow control
  bool enters_ring = false;  ///< it comes into that ring from outside
};

/// Where a message stands: it has come into switch `at` by port `in` on `lane_class`.
struct RoutePlace {
  SwitchId at = 0;
  PortId in = 0;
  std::uint8_t lane_class = 0;
};

class PacketRouting {
 public:
  virtual ~PacketRouting() = default;
  /// `choice`: the random number its source gave the message.
  virtual RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const = 0;
  /// Every step that some choice leads to.
  virtual void each_step(const RoutePlace& place, NodeId to,
                         const std::function<void(const RouteStep&)>& visit) const = 0;
  virtual std::uint32_t lane_classes() const { return 1; }
  /// All messages from one node to another take the same links and lane classes: step() does not look at `choice`.
  virtual bool single_path() const = 0;
  /// Ways to all nodes of a switch are the same up to that switch.
  virtual bool same_to_switch() const { return false; }
  /// Its routes go round rings on one lane class; only bubbles, which are whole packets, could keep them open.
  virtual bool rings_without_classes() const { return false; }
  /// Its routes keep to one link where several lead from one switch to another, and would do as well with another of
  /// them.
  virtual bool any_parallel_link() const { return false; }
  /// The form of its routes leaves no circle of buffers that wait for each other on its lane classes (see
  /// deadlock_check.h), whatever the size of the network. A test holds this against the search on small networks.
  virtual bool acyclic_by_form() const { return false; }
};

/// The lanes that messages really take, level by level, where they are not the same everywhere.
class LaneChoice {
 public:
  struct Lane {
    std::uint8_t lane = 0;     ///< VL
    std::uint8_t channel = 0;  ///< what else it remembers: the service channel (SC)
  };
  virtual ~LaneChoice() = default;
  /// Each is followed by itself; 1: the lane is the class of the routing.
  virtual std::uint32_t levels() const = 0;
  virtual Lane inject(NodeId from, std::uint32_t level) const = 0;
  /// On the way out of port step.first.
  virtual Lane next(const RoutePlace& place, const RouteStep& step, std::uint32_t level, const Lane& came) const = 0;
};

}  // namespace weft
