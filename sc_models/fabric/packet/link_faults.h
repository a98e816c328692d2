#pragma once
// Links of a packet network that fail, and come back, at given cycles: brings the failures into the switches and NICs,
// has waiting messages routed anew, and notes which messages were cut on the wire, so that they are lost. Semantics:
// docs/packet_switches.md, "Links that fail".

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fabric/clock_domain.h"
#include "fabric/observer.h"
#include "routing/link_state.h"
#include "topology/graph.h"

namespace weft {

class PacketNetwork;

/// A cable, both directions of it, changes at the beginning of a cycle.
struct LinkEvent {
  Cycle cycle = 0;
  LinkId link = 0;  ///< either direction
  bool up = false;
};

class LinkFaults final : public Agent, public PacketObserver {
 public:
  /// A cable stays down while more events said down than up (its own failure, and that of a switch at its end). All
  /// references must outlive the object; it observes the network.
  LinkFaults(const Graph& graph, LinkState& state, FaultyRouting& routing, std::vector<LinkEvent> events);
  void attach(PacketNetwork& network);

  /// The message was cut on a wire; asked once, when it comes back.
  bool cut(std::uint32_t sequence) { return !cut_.empty() && cut_.erase(sequence) != 0; }
  /// A link is down, so messages may wait for ever.
  bool any_down() const { return down_ > 0; }
  /// No link will change any more.
  bool over() const { return next_ == events_.size(); }
  std::uint64_t cut_messages() const { return cuts_; }

  void due(Cycle now, std::uint32_t token) override;
  bool wants_hops() const override { return true; }
  void on_inject(const PacketMessage& message) override;
  void on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) override;

 private:
  struct OnWire {
    std::uint32_t sequence = 0;
    Cycle last = 0;  // its last flit arrives
  };
  struct Watched {
    std::uint32_t failures = 0;  // that hold it down
    std::vector<OnWire> wire;
  };
  LinkId other_way(LinkId link) const;
  void cut_wire(LinkId link, Cycle now);
  void change(LinkId link, bool up, Cycle now);
  void note(LinkId link, const PacketMessage& message, Cycle first);

  const Graph& graph_;
  LinkState& state_;
  FaultyRouting& routing_;
  PacketNetwork* network_ = nullptr;
  Cycle flight_ = 0;
  std::vector<LinkEvent> events_;  // by cycle
  std::size_t next_ = 0;
  std::uint32_t down_ = 0;  // directed links
  std::uint64_t cuts_ = 0;
  std::unordered_map<LinkId, Watched> links_;  // that ever fail
  std::unordered_set<std::uint32_t> cut_;      // sequence numbers
};

}  // namespace weft
