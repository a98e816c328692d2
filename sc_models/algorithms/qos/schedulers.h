#pragma once
// Egress schedulers of a few lines: round robin, strict priority, deficit round robin, self-clocked fair queueing.
// scheduler_factory.h makes them by description.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/qos/scheduler_type.h"

namespace weft {

// Round robin: the active SLs send one message each, in the order of their numbers, beginning after the SL that sent
// last. Shares of messages are equal, shares of credits follow the message sizes; no state but the last SL.
//
// Source: textbook; the arbiter that switches use where no QoS is asked for. Timing: a grant in every step with an
// active SL.

class RoundRobin final : public EgressScheduler {
 public:
  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView&) override { last_ = sl; }

 private:
  ServiceLevel last_ = kMaxServiceLevels - 1;
};

/// The first SL of a non-empty set, beginning at `first` and around.
ServiceLevel first_at_or_after(std::uint32_t set, std::uint32_t first);

// Strict priority: the active SL that stands first in a fixed order sends. The first SL waits for one message in
// transfer at the most; any other may starve. An SL that is not in the order never sends.
//
// Source: textbook; IEEE 802.1Q, clause 8.6.8.1 (strict priority transmission selection), where it is the default.
// Timing: a grant in every step with an active SL of the order.

class StrictPriority final : public EgressScheduler {
 public:
  /// `order`: SLs, most urgent first. Precondition: all below kMaxServiceLevels.
  explicit StrictPriority(std::vector<ServiceLevel> order);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel, const EgressView&) override {}

 private:
  std::vector<ServiceLevel> order_;
};

// Deficit round robin (DRR): the active SLs take turns in the order of their numbers. A turn adds the SL's quantum to
// its deficit counter; the SL sends while the counter covers its head message, and keeps what is left for its next
// turn. An SL that is inactive at a decision loses its counter. Backlogged SLs share the link as their quanta.
//
// Source: Shreedhar, Varghese, "Efficient Fair Queuing using Deficit Round Robin", SIGCOMM 1995. They visit active
// flows in the order in which these became active; hardware, as here, in the order of their numbers. Inactive means, as
// for the Deficit Table, no message or no credits at a decision, so that a message that is still leaving keeps the
// counter: their loop looks whether the queue is empty when Send() is done. The paper knows no credits. Timing: one
// turn at the most per step, as one table step of DeficitTable; rtl/packet/drr.sv does it in one clock cycle.

class DeficitRoundRobin final : public EgressScheduler {
 public:
  /// quanta[s]: credits per turn of SL s; an SL with quantum 0, or beyond the list, never sends.
  /// Precondition: at most kMaxServiceLevels quanta.
  explicit DeficitRoundRobin(const std::vector<std::uint32_t>& quanta);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView&) override { deficit_[sl] -= granted_size_; }
  void idle() override { forget_inactive(0); }

  /// Counts from the SL's next turn on. Precondition: sl < kMaxServiceLevels.
  void set_quantum(ServiceLevel sl, std::uint32_t quantum);

  /// Registers, for lockstep and tests; the counter of the SL whose turn it is is what it may still send.
  std::uint64_t deficit(ServiceLevel sl) const { return deficit_[sl]; }
  bool in_turn() const { return in_turn_; }
  /// SL whose turn it is; meaningful while in_turn().
  ServiceLevel turn() const { return turn_; }

 private:
  void forget_inactive(std::uint32_t active);

  std::array<std::uint32_t, kMaxServiceLevels> quantum_{};
  std::array<std::uint64_t, kMaxServiceLevels> deficit_{};
  std::uint32_t served_ = 0;  // SLs with a quantum
  std::uint32_t granted_size_ = 0;
  ServiceLevel turn_ = kMaxServiceLevels - 1;
  bool in_turn_ = false;
};

// Self-clocked fair queueing (SCFQ): every message has a finish tag, the active SL with the smallest tag sends (on
// equality the lower SL), and the tag of the message in transfer is the virtual time of the link. A message that
// arrives at virtual time v behind one with tag F gets max(F, v) + size / share.
//
// Source: Golestani, "A Self-Clocked Fair Queueing Scheme for Broadband Applications", INFOCOM 1994. An SL that lacks
// credits is treated like one without messages: it gets a new tag when it is active again and claims no missed service.
//
// Tags of head messages suffice. A message that arrives behind others arrives while the tag F of the message before it
// is still waiting or in transfer; tags in transfer never fall, so v <= F and its tag is F + size / share. When it
// becomes head, because that message has just been sent, the virtual time is F: the tag is v + size / share. A message
// that arrives alone is head at once and its SL's last tag has been sent: F <= v, again v + size / share. So the tag is
// given when a message becomes head, as virtual time plus size / share, and one register per SL holds it.
//
// Tags are kept relative to the virtual time and in units of 1 / (least common multiple of the shares): exact integers,
// bounded by the largest message times that multiple whatever the length of the run.
// Timing: a grant in every step with an active SL that has a share.

class Scfq final : public EgressScheduler {
 public:
  /// shares[s]: weight of SL s, any positive integers; an SL with share 0, or beyond the list, never sends.
  /// Throws std::invalid_argument when the least common multiple of the shares does not fit 64 bits.
  /// Precondition: at most kMaxServiceLevels shares.
  explicit Scfq(const std::vector<std::uint32_t>& shares);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView& after) override;

  /// Least common multiple of the positive shares, 1 without any; nothing when it does not fit 64 bits.
  static std::optional<std::uint64_t> common_multiple(const std::vector<std::uint32_t>& shares);

 private:
  __extension__ using Tag = unsigned __int128;  // 32 bits of size, 64 of the multiple

  std::array<std::uint64_t, kMaxServiceLevels> per_credit_{};  // the multiple / share
  std::array<Tag, kMaxServiceLevels> tag_{};                   // of the head messages, less the virtual time
  std::uint32_t served_ = 0;                                   // SLs with a share
  std::uint32_t tagged_ = 0;                                   // SLs whose head message has its tag
};

extern const SchedulerType kRoundRobinScheduler, kStrictPriorityScheduler, kDrrScheduler, kScfqScheduler;

}  // namespace weft
