#pragma once
// The two-table arbiter of InfiniBand: a high-priority and a low-priority table of {SL, weight} entries, each cycled
// through by itself, and a limit on what the high-priority table may send before the low-priority one has its chance.
//
// - Weights are 0 to 255 units of 64 B, that is credits. An entry sends while it has weight left, so the last message
// of
//   a turn may be larger than what is left (the weight is rounded up to whole messages); what it took too much is not
//   remembered. An entry whose SL is inactive loses the rest of its turn.
// - LimitOfHighPriority L: after L * 4096 B of high-priority messages, counted in the same way, a low-priority message
//   may be sent. 0: after one message. 255: never for this reason.
// - The counter starts again whenever the low-priority table has its chance, whether it used it or not; with no active
//   SL in the high-priority table low-priority messages are sent one by one.
//
// Source: InfiniBand Architecture Specification, release 1.4, volume 1, section 7.6.9; Cano-Cano et al., section 3.1.
// The tables name VLs in the standard; here SLs, which an identity SL2VL mapping makes the same.
// Timing: a grant in every step in which an SL with a positive weight is active: the search for it is one step.

#include <cstdint>
#include <optional>

#include "algorithms/qos/scheduler_type.h"

namespace weft {

class IbArbiter final : public EgressScheduler {
 public:
  static constexpr std::size_t kMaxEntries = 64;  ///< of each table
  static constexpr std::uint32_t kMaxWeight = 255;
  static constexpr std::uint32_t kUnlimited = 255;
  static constexpr std::uint32_t kCreditsPerLimit = 64;  ///< 4096 B

  /// An SL without a positive weight in either table never sends. Throws std::invalid_argument when a table or one of
  /// its weights is larger than the standard has it, or the limit is above 255.
  IbArbiter(const ArbitrationTable& high, const ArbitrationTable& low, std::uint32_t limit_of_high_priority);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView& after) override;

  /// Registers, for lockstep: the turn of a table, the credits of high priority that count against the limit, whether
  /// they have reached it.
  struct Turn {
    std::size_t entry = 0;
    ServiceLevel sl = 0;
    std::uint32_t left = 0;  ///< of its weight; 0: no turn
  };
  Turn high_turn() const { return high_.turn(); }
  Turn low_turn() const { return low_.turn(); }
  std::uint64_t high_sent() const { return high_sent_; }
  bool expired() const { return expired_; }

 private:
  class Table {
   public:
    explicit Table(const ArbitrationTable& entries);
    /// The SL that may send next, if any; goes on to its entry.
    std::optional<ServiceLevel> select(std::uint32_t active);
    void charge(std::uint32_t credits) { left_ -= credits < left_ ? credits : left_; }
    bool has_any(std::uint32_t active) const { return (active & named_) != 0; }
    Turn turn() const { return left_ == 0 ? Turn{} : Turn{position_, entries_[position_].sl, left_}; }

   private:
    ArbitrationTable entries_;
    std::uint32_t named_ = 0;  // SLs of positive weight
    std::size_t position_;
    std::uint32_t left_ = 0;  // weight of the present entry
  };

  Table high_;
  Table low_;
  std::uint32_t limit_;
  std::uint64_t high_sent_ = 0;  // credits since the low-priority table had its chance
  bool expired_ = false;
  bool granted_high_ = false;
  std::uint32_t granted_size_ = 0;
};

extern const SchedulerType kIbArbiterScheduler;

}  // namespace weft
