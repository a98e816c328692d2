#pragma once
// Routes of messages while links are down, for every kind of packet switch, and the account of which failure a change
// of route belongs to.

#include <memory>
#include <optional>
#include <vector>

#include "fabrics/packet/common/link_faults.h"
#include "fabrics/packet/common/message.h"
#include "fabrics/packet/common/parameters.h"
#include "network/graph.h"
#include "network/places.h"
#include "network/routing/link_state.h"
#include "network/routing/packet_routing.h"
#include "network/routing/routing_config.h"

namespace weft {

/// Link failures of a network, and the messages they leave without a route.
struct RerouteParameters {
  PacketRoutingOptions routing;
  Unroutable unroutable = Unroutable::discard;
  std::vector<FaultConfig> faults;  ///< at places that the network has
};

class MessageRerouting {
 public:
  /// References must outlive the object.
  MessageRerouting(const RerouteParameters& parameters, const PacketRouting& usual, const Graph& graph);

 protected:
  ~MessageRerouting() = default;
  /// Changes of links, in the order of the faults.
  std::vector<LinkEvent> events() const;
  bool discards() const { return parameters_.unroutable == Unroutable::discard; }
  /// Tells `faults` when the message takes another route than usual, or has none and is to be discarded: count 0. One
  /// that is to wait goes as far as it can on its usual route.
  template <class Network>
  RouteStep step(const RoutePlace& place, const PacketMessage& m, LinkFaults& faults, Network& network) const {
    const RouteStep step = routing_->step(place, m.destination, m.choice);
    if (state_.all_up()) return step;
    const RouteStep usual = usual_.step(place, m.destination, m.choice);
    if (step.count > 0) {
      if (step.first == usual.first && step.count == usual.count) return step;
      if (const auto link = first_down(place, m)) network.note_reroute(m, faults.holder(*link));
      return step;
    }
    if (!discards()) return usual;
    faults.blame(m.sequence, first_down(place, m).value());
    return step;
  }

  const RerouteParameters parameters_;
  const PacketRouting& usual_;
  const Graph& graph_;
  LinkState state_;
  std::unique_ptr<FaultyRouting> routing_;

 private:
  std::optional<LinkId> first_down(RoutePlace place, const PacketMessage& message) const;
};

}  // namespace weft
