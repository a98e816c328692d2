#pragma once
// Deficit round robin (DRR): the active SLs take turns in the order of their numbers. A turn adds the SL's quantum to
// its deficit counter; the SL sends while the counter covers its head message, and keeps what is left for its next
// turn. An SL that becomes inactive loses its counter. Backlogged SLs share the link as their quanta.
//
// Source: Shreedhar, Varghese, "Efficient Fair Queuing using Deficit Round Robin", SIGCOMM 1995. They visit active
// flows in the order in which these became active; hardware, as here, in the order of their numbers. Inactive means, as
// for the Deficit Table, no message or no credits; the paper knows no credits. Timing: one turn at the most per step,
// as one table step of DeficitTable; rtl/packet/drr.sv does it in one clock cycle.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"

namespace weft {

class DeficitRoundRobin final : public EgressScheduler {
 public:
  /// quanta[s]: credits per turn of SL s; an SL with quantum 0, or beyond the list, never sends.
  /// Precondition: at most kMaxServiceLevels quanta.
  explicit DeficitRoundRobin(const std::vector<std::uint32_t>& quanta);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView& after) override;
  /// The active SLs of a cycle without a decision.
  void observe(std::uint32_t active);

  /// Counts from the SL's next turn on. Precondition: sl < kMaxServiceLevels.
  void set_quantum(ServiceLevel sl, std::uint32_t quantum);

  /// Registers, for tests; the counter of the SL whose turn it is is what it may still send.
  std::uint64_t deficit(ServiceLevel sl) const { return deficit_[sl]; }

 private:
  std::array<std::uint32_t, kMaxServiceLevels> quantum_{};
  std::array<std::uint64_t, kMaxServiceLevels> deficit_{};
  std::uint32_t served_ = 0;  // SLs with a quantum
  std::uint32_t granted_size_ = 0;
  ServiceLevel turn_ = kMaxServiceLevels - 1;
  bool in_turn_ = false;
};

}  // namespace weft
