#pragma once
// The OB stage: an output buffer, the egress scheduler that empties it onto a link, and the sender's count of the
// credits of the next buffer. Stands in every output port of a packet switch and in every NIC.
//
// Timing: docs/packet_switches.md, "OB". The port acts only in cycles in which something can change: when its link is
// free and a head is in the buffer, or when the credits it waits for arrive.

#include <array>
#include <boost/container/small_vector.hpp>
#include <limits>
#include <memory>
#include <vector>

#include "fabric/clock_domain.h"
#include "fabric/packet/message.h"
#include "fabric/packet/shared_buffer.h"
#include "qos/egress_scheduler.h"

namespace weft {

inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

/// What the owner of an egress port does for it.
class EgressOwner {
 public:
  virtual ~EgressOwner() = default;
  virtual void wake_egress(PortId port, Cycle at) = 0;
  /// The link is free for a decision in this cycle; more messages may be put into the buffer now.
  virtual void before_decision(Cycle /*now*/) {}
  /// The message has been picked; its first flit is put on the link in cycle `first`.
  virtual void transmit(PortId port, PacketMessage& message, Cycle first) = 0;
  /// Space will come back from cycle `from` on.
  virtual void space_coming(PortId port, Cycle from) = 0;
};

/// What a port sees in the cycle of a decision; the ports of a switch share one, since it is of no use afterwards.
struct EgressScratch {
  EgressView view;
  std::array<VirtualLane, kMaxServiceLevels> lane_of{};  ///< VL of each active SL's head
};

/// Takes messages that are lost in the network.
class LossHandler {
 public:
  virtual ~LossHandler() = default;
  /// At an input, for which the router has found no way.
  virtual void take_loss(PacketMessage& message, Cycle now) = 0;
  /// In the buffer of an output whose link is down.
  virtual void take_loss(PacketMessage& message, Cycle now, SwitchId sw, PortId out) = 0;
};

class EgressPort {
 public:
  /// `owner` and `scratch` must outlive the port.
  EgressPort(EgressOwner& owner, EgressScratch& scratch, PortId port, const BufferShares& buffer,
             const BufferShares& next_buffer, Cycle output_latency, std::unique_ptr<EgressScheduler> scheduler);

  SharedBuffer& space() { return space_; }
  void reserve(VirtualLane lane, std::uint32_t flits) { space_.take(lane, flits); }
  /// The message, whose space is reserved, joins the queue of its VL; its head is in the buffer from `message.ready`
  /// on.
  void push(PacketMessage& message);
  /// Credits arrive as the drain says.
  void add_credits(VirtualLane lane, const Drain& drain, Cycle now);
  /// The cycle asked for by wake_egress().
  void due(Cycle now);
  /// Asks for a decision in cycle `at` or, when the link is busy, as soon as it is free.
  void wake(Cycle at);

  /// The link fails or is back, at the beginning of cycle `now`; while it is down nothing is sent.
  void set_link(bool up, Cycle now);
  /// Gives up all messages of this output of switch `sw`; their space comes back as if their flits left one per cycle.
  void discard(Cycle now, SwitchId sw, LossHandler& losses);

  bool link_free(Cycle now) const { return now >= free_at_; }
  bool empty() const { return occupied_ == 0; }
  VirtualLane lanes() const { return static_cast<VirtualLane>(queues_.size()); }
  bool empty(VirtualLane lane) const { return queues_[lane].empty(); }
  PacketMessage* front(VirtualLane lane) const { return queues_[lane].front(); }
  const MessageQueue& queue(VirtualLane lane) const { return queues_[lane]; }
  SharedBuffer& credits() { return credits_; }
  const SharedBuffer& credits() const { return credits_; }
  const SharedBuffer& space() const { return space_; }
  /// Decisions made since the beginning, for the watchdog.
  std::uint64_t sent() const { return sent_; }

 private:
  void look(Cycle now);
  void plan(Cycle now);
  void send(ServiceLevel level, Cycle now);

  // What every decision touches comes first and lies together: on large networks the time goes into cache misses.
  Cycle free_at_ = 0;           // first cycle in which the link is free for a decision
  Cycle wake_at_ = kNever;      // pending call of due()
  Cycle served_ = -1;           // last cycle of due()
  std::int64_t short_by_ = 0;   // smallest number of credits a waiting head lacks; 0: none lacks any
  std::uint32_t occupied_ = 0;  // bit v: queue v holds a message
  const PortId port_;
  std::uint64_t sent_ = 0;
  EgressOwner& owner_;
  std::unique_ptr<EgressScheduler> scheduler_;
  boost::container::small_vector<MessageQueue, 8> queues_;  // per VL
  SharedBuffer space_;
  SharedBuffer credits_;
  EgressScratch& scratch_;
  Cycle resume_at_ = 0;        // free_at_ of a link that is down, whose own is kNever
  Cycle next_ready_ = kNever;  // first cycle in which a waiting head is in the buffer, as look() found
  const Cycle output_latency_;
  std::array<VirtualLane, kMaxServiceLevels> last_lane_{};
};

}  // namespace weft
