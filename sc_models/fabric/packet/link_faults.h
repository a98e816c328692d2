#pragma once
// Links of a packet network that fail, and come back, at given cycles: brings the failures into the switches and NICs,
// has waiting messages routed anew, and notes which messages were cut on the wire, so that they are lost, and which
// failure it was that a message is lost by. Semantics: docs/packet_switches.md, "Links that fail".

#include <optional>
#include <unordered_map>
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
  std::uint32_t fault = 0;  ///< which failure goes or comes, in the order of the configuration
};

class LinkFaults final : public Agent, public PacketObserver {
 public:
  /// A cable stays down while more events said down than up (its own failure, and that of a switch at its end). All
  /// references must outlive the object; it observes the network.
  LinkFaults(const Graph& graph, LinkState& state, FaultyRouting& routing, std::vector<LinkEvent> events);
  void attach(PacketNetwork& network);

  /// Why a message that arrives is lost all the same: it was cut on a wire. Asked once.
  std::optional<LossCause> cut(std::uint32_t sequence) { return cut_.empty() ? std::nullopt : take_cut(sequence); }
  /// A message has no way because this link, or one behind it, is down.
  void blame(std::uint32_t sequence, LinkId link) { blamed_[sequence] = holder(link); }
  /// Why a message without a way is lost. Asked once; blame() comes before. What was cut on its way here counts as cut.
  LossCause no_way(std::uint32_t sequence);
  /// The failure that holds a link down: of several the one that came first.
  std::uint32_t holder(LinkId link) const { return links_.at(link).holders.front(); }
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
    std::vector<std::uint32_t> holders;  // failures that hold it down, in the order in which they came
    std::vector<OnWire> wire;
  };
  std::optional<LossCause> take_cut(std::uint32_t sequence);
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
  // By sequence number: the failure. Messages on the wire, and in between blame() and no_way().
  std::unordered_map<std::uint32_t, std::uint32_t> cut_, blamed_;
};

}  // namespace weft
