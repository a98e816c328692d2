#pragma once
// Links of a network that fail, and come back, at given cycles: holds which are down and why, brings the changes into
// the network, has what waits there routed anew, and keeps which messages were cut on the wire, so that they are lost,
// and which failure it was that a message is lost by. What a change does to switches and NICs, and what is on a wire,
// the kind of network says. Semantics: docs/packet_switches.md, "Links that fail".

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "kernel/clock_domain.h"
#include "network/graph.h"
#include "network/routing/link_state.h"
#include "parallel/ranks.h"

namespace weft {

/// A cable, both directions of it, changes at the beginning of a cycle.
struct LinkEvent {
  Cycle cycle = 0;
  LinkId link = 0;  ///< either direction
  bool up = false;
  std::uint32_t fault = 0;  ///< which failure goes or comes, in the order of the configuration
  std::uint32_t rank = 0;   ///< of two that come in one cycle the one with the lower rank holds the link
};

class LinkFaults : public Agent {
 public:
  /// A cable stays down while more events said down than up (its own failure, and that of a switch at its end). All
  /// references must outlive the object.
  LinkFaults(const Graph& graph, LinkState& state, FaultyRouting& routing, std::vector<LinkEvent> events);

  /// Why a message that arrives is lost all the same: it was cut on a wire. Asked once.
  std::optional<LossCause> cut(std::uint32_t sequence) { return cut_.empty() ? std::nullopt : take_cut(sequence); }
  /// A message has no route because this link, or one behind it, is down.
  void blame(std::uint32_t sequence, LinkId link) { blamed_[sequence] = holder(link); }
  /// Why a message without a route is lost. Asked once; blame() comes before. What was cut on its way here counts as
  /// cut.
  LossCause no_route(std::uint32_t sequence);
  /// The failure that holds a link down: of several the one that came first, of those of one cycle by their rank.
  std::uint32_t holder(LinkId link) const { return links_.at(link).front().fault; }
  /// A link is down, so messages may wait for ever.
  bool any_down() const { return down_ > 0; }
  /// No link will change any more.
  bool over() const { return next_ == events_.size(); }
  std::uint64_t cut_messages() const { return cuts_; }

  void due(Cycle now, std::uint32_t token) override;

 protected:
  /// Puts the first change on the agenda. `ranks`: null when the whole network is here.
  void start(ClockDomain& domain, Ranks* ranks);
  /// Number of a link among those that ever fail; of every other kUnconcerned. Asked for every hop of a message.
  static constexpr std::uint32_t kUnconcerned = ~std::uint32_t{0};
  std::uint32_t concerned(LinkId link) const { return number_of_[link]; }
  std::size_t concerned_links() const { return links_.size(); }
  /// To be called by cut_wire(), of several ranks by one of them.
  void lose_on_wire(std::uint32_t sequence, LinkId link);
  const Graph& graph() const { return graph_; }

  /// Before cut_wire() is called, on all ranks: what they have decided so far becomes known.
  virtual void catch_up() {}
  /// The link goes down: everything that is on its wire is cut.
  virtual void cut_wire(LinkId link, Cycle now) = 0;
  /// The sender at the beginning of a link is told.
  virtual void change(LinkId link, bool up, Cycle now) = 0;
  /// All changes of this cycle have been told.
  virtual void reroute(Cycle now) = 0;
  /// A message is lost while part of it may still be on a wire: what happens to that is no other loss.
  virtual void forget(std::uint32_t /*sequence*/) {}

 private:
  std::optional<LossCause> take_cut(std::uint32_t sequence);
  void share_cuts();
  void note_loss(std::uint32_t sequence);

  const Graph& graph_;
  LinkState& state_;
  FaultyRouting& routing_;
  ClockDomain* domain_ = nullptr;
  std::vector<LinkEvent> events_;  // by cycle
  std::size_t next_ = 0;
  std::uint32_t down_ = 0;  // directed links
  std::uint64_t cuts_ = 0;
  // Of several ranks, all of which know of every message that is cut: it may be lost by any of them.
  struct Cut {
    std::uint32_t place = 0;  // of the link among those that change
    std::uint32_t sequence = 0;
    LinkId link = 0;
  };
  struct Loss {
    std::uint32_t sequence = 0;
    Cycle at = 0;
  };
  Ranks* ranks_ = nullptr;  // null: there are none
  std::vector<Cut> cuts_here_;
  std::vector<Loss> losses_here_;  // without a route, since the last change
  std::uint32_t place_ = 0;
  struct Holder {
    std::uint32_t fault = 0;
    std::uint32_t rank = 0;
    Cycle since = 0;
  };
  // Links that ever fail: the failures that hold them down, in the order in which they came.
  std::unordered_map<LinkId, std::vector<Holder>> links_;
  std::vector<std::uint32_t> number_of_;  // per link, see concerned()
  // By sequence number: the failure. Messages on the wire, and in between blame() and no_route().
  std::unordered_map<std::uint32_t, std::uint32_t> cut_, blamed_;
};

}  // namespace weft
