#pragma once
// The OB stage: an output buffer, the egress scheduler that empties it onto a link, and the sender's count of the
// credits of the next buffer. Stands in every output port of a packet switch and in every NIC.
//
// Timing: docs/packet_switches.md, "OB". The port acts only in cycles in which something can change: when its link is
// free and a head is in the buffer, or when the credits it waits for arrive.

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"
#include "base/hot_memory.h"
#include "base/inline_array.h"
#include "fabrics/packet/common/message.h"
#include "fabrics/packet/common/message_accounting.h"
#include "fabrics/packet/common/packet_common.h"
#include "fabrics/packet/common/protocol.h"

namespace weft {

/// Service of an egress port's owner to it, while it has asked for that by EgressPort::wait_for_space().
class EgressOwner {
 public:
  virtual ~EgressOwner() = default;
  /// The link is free for a decision in this cycle; more messages may be put into the buffer now.
  virtual void before_decision(Cycle /*now*/) {}
  /// Space of the buffer will come back from cycle `from` on.
  virtual void space_coming(PortId port, Cycle from) = 0;
};

class EgressPort;

/// Egress scheduler that is all of an egress port: a block of RTL, which follows the port cycle by cycle from what it
/// is told. The answers of the link come to it, and it hands them on to the port.
class EgressBlock : public EgressScheduler, public PacketSender {
 public:
  /// The port it stands in, before anything else.
  virtual void stand(EgressPort& port) = 0;
  /// In this cycle the message, whose space has been reserved, has been granted and has joined the queue of its VL;
  /// `moves`: its movement over the crossbar.
  virtual void granted(const PacketMessage& message, const Drain& moves) = 0;
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

class alignas(64) EgressPort final : public Agent {
 public:
  /// `sw`: kNoId in a NIC. All references must outlive the port.
  EgressPort(EgressOwner& owner, PacketCommon& common, SwitchId sw, PortId port, const BufferShares& buffer,
             const BufferShares& next_buffer, std::unique_ptr<EgressScheduler> scheduler);
  EgressPort(const EgressPort&) = delete;
  EgressPort& operator=(const EgressPort&) = delete;

  /// Takes the answers of the link; and whose that is, null for any other.
  PacketSender& sender() {
    if (cold_->block != nullptr) return *cold_->block;
    return *cold_;
  }
  static EgressPort* of(PacketSender* sender);
  /// The socket messages leave by; at the end of elaboration.
  void resolve(PacketOutPort& out);

  void reserve(VirtualLane lane, std::uint32_t flits) { space_.take(lane, common_.places(lane, flits)); }
  /// The message, whose space is reserved, joins the queue of its VL; its head is in the buffer from `message.ready`
  /// on.
  void push(PacketMessage& message);
  /// Asks for a decision in cycle `at` or, when the link is busy, as soon as it is free.
  void wake(Cycle at);
  /// Whether the owner is told of decisions and of space that comes back.
  void wait_for_space(bool on) { owner_waits_ = on; }
  bool waits_for_space() const { return owner_waits_; }
  /// The first decision without an active SL is made in its own cycle from now on, not together with the next one that
  /// has some: for those who look at the scheduler's registers.
  void decide_when_idle() { decides_idle_ = true; }

  /// Credits arrive as the drain says; in `now`, a cycle before that.
  void take_credits(VirtualLane lane, const Drain& drain, Cycle now) {
    credits_->add(lane, drain, now);
    if (credits_->wanted()) wake(drain.start);
  }
  /// Makes the decision it has asked for (PacketAgenda).
  void decide(Cycle now);
  /// Asks for one that lay too far ahead for the agenda.
  void due(Cycle now, std::uint32_t /*token*/) override {
    common_.agenda.plan_decision(*this, now + PacketAgenda::kReminder);
  }
  /// Brings what a decision needs into the cache, step by step: the port, which is all that a message which comes into
  /// the buffer needs, what that points to, the input behind the link.
  void fetch() const { prefetch(this, &space_ + 1); }
  void fetch_next() const;
  void fetch_receiver(Cycle now) const;

  /// The link fails or is back, at the beginning of cycle `now`; while it is down nothing is sent.
  void set_link(bool up, Cycle now);
  bool down() const { return down_; }
  /// Null: the model alone stands here.
  EgressBlock* block() const { return cold_->block; }
  /// What joins a queue is to be told to others, or is lost at once.
  bool down_or_block() const { return down_ || has_block_; }
  /// Gives up the messages of this output, `coming_too`: also those that are still on their way into the buffer. Their
  /// space comes back as if their flits left one per cycle.
  void discard(Cycle now, LossHandler& losses, bool coming_too);

  bool empty() const { return occupied_ == 0; }
  VirtualLane lanes() const { return static_cast<VirtualLane>(queues_.size()); }
  bool empty(VirtualLane lane) const { return queues_[lane].empty(); }
  PacketMessage* front(VirtualLane lane) const { return queues_[lane].front(); }
  const MessageQueue& queue(VirtualLane lane) const { return queues_[lane]; }
  /// The message that an active SL would send, in its decision.
  const PacketMessage& candidate(ServiceLevel level) const { return queues_[common_.lane_of[level]].head(); }
  PacketCommon& common() { return common_; }
  SharedBuffer& space() { return space_; }
  const SharedBuffer& space() const { return space_; }
  SharedBuffer& credits() { return *credits_; }
  const SharedBuffer& credits() const { return *credits_; }

 private:
  static constexpr std::size_t kFewLevels = 8;  // whose state lies in the port itself
  VirtualLane& last_lane(ServiceLevel level) {
    return level < kFewLevels ? last_lane_[level] : cold_->last_lane[level - kFewLevels];
  }
  void find_active(Cycle now);
  void plan(Cycle now);
  void send(ServiceLevel level, Cycle now);
  [[gnu::noinline]] void send_by_socket(PacketMessage& message, Cycle head);

  // What every decision touches comes first and lies together: the time goes into cache misses.
  Cycle free_at_ = 0;       // first cycle in which the link is free for a decision after the last with an active SL
  Cycle wake_at_ = kNever;  // pending call of decide()
  Cycle served_ = -1;       // last cycle of decide()
  PacketCommon& common_;
  EgressOwner& owner_;
  std::uint32_t occupied_ = 0;  // bit v: queue v holds a message
  const SwitchId sw_;
  const std::uint8_t port_;
  std::uint8_t next_port_ = 0;  // of next_switch_
  enum class LinkEnd : std::uint8_t { socket, sw, nic } link_end_ = LinkEnd::socket;
  bool owner_waits_ : 1 = false;
  bool down_ : 1 = false;
  bool has_block_ : 1 = false;
  bool decides_idle_ : 1 = false;
  // Where they are given back, at the input behind the link, or in cold_.
  HotNumber<SharedBuffer> credits_;
  InlineArray<MessageQueue, kFewLanes> queues_;  // per VL
  const HotNumber<EgressScheduler> scheduler_;   // cold_->scheduler
  union {                                        // behind the link, when nothing is between; else by ColdState::path
    HotNumber<PacketSwitch> next_switch_{};
    HotNumber<NicCore> next_nic_;
  };
  std::array<VirtualLane, kFewLevels> last_lane_;  // per SL; of the others: ColdState::last_lane
  struct ColdState final : PacketSender {
    EgressPort& port;
    PacketForwardPath path;
    const BufferShares& next_buffer;
    const std::unique_ptr<EgressScheduler> scheduler;
    std::unique_ptr<SharedBuffer> credits;
    EgressBlock* block = nullptr;        // scheduler, when it is one
    std::vector<VirtualLane> last_lane;  // from SL kFewLevels on
    Cycle resume_at = 0;                 // free_at_ of a link that is down, whose own is kNever

    ColdState(EgressPort& of, const BufferShares& next, std::unique_ptr<EgressScheduler> sends)
        : port(of), next_buffer(next), scheduler(std::move(sends)) {}
    void answer(PortId /*out*/, const PacketTransfer& transfer) override {
      port.take_credits(transfer.lane, transfer.credits, port.common_.domain.now());
    }
  };
  const std::unique_ptr<ColdState> cold_;
  SharedBuffer space_;
};
static_assert(sizeof(EgressPort) == 192);

}  // namespace weft
