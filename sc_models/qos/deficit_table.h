#pragma once
// The Deficit Table (DTable) egress scheduler: a weighted arbitration table whose entries carry over what they could
// not use. A table of {SL, weight} entries is cycled through; the selected SL sends while its accumulated weight covers
// its head message; what is left goes to the SL's deficit counter and is added when the SL is selected again. An SL
// that becomes inactive loses both.
//
// Source: Martinez, Alfaro, Sanchez, "Providing QoS with the Deficit Table Scheduler", IEEE TPDS 21(3), 2009; Cano-Cano
// et al., "QoS provision in hierarchical and non-hierarchical switch architectures", section 4.
// Timing: one table step per cycle (see egress_scheduler.h): a step either goes on with the selected SL or selects the
// next entry of an active SL, whatever the distance. rtl/qos/dtable.sv makes the same step in one clock cycle.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "qos/egress_scheduler.h"

namespace weft {

class DeficitTable final : public EgressScheduler {
 public:
  /// Precondition: no entry names an SL of kMaxServiceLevels or more. An active SL without an entry of positive weight
  /// never sends; configurations are checked for that before a run.
  explicit DeficitTable(const ArbitrationTable& table);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView& after) override;

  /// Registers, for lockstep, waves and tests.
  std::uint64_t deficit(ServiceLevel sl) const { return deficit_[sl]; }
  std::uint64_t accumulated_weight() const { return accumulated_; }
  /// Entry selected last; meaningless before the first selection.
  std::size_t entry() const { return position_; }
  bool selected() const { return selected_; }

 private:
  void forget_inactive(std::uint32_t active);
  bool select_next(const EgressView& view);

  ArbitrationTable table_;
  std::uint32_t granted_size_ = 0;
  std::size_t words_;                 // 64-entry words of a mask
  std::vector<std::uint64_t> masks_;  // [sl * words_ + word]: entries of positive weight that name the SL
  std::array<std::uint64_t, kMaxServiceLevels> deficit_{};
  std::uint32_t owed_ = 0;  // bit s: deficit_[s] != 0
  std::uint64_t accumulated_ = 0;
  std::size_t position_ = 0;
  bool selected_ = false;
};

}  // namespace weft
