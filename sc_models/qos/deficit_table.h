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
// Bounds on shares and on waiting: docs/qos_schedulers.md.
//
// When an SL stops being active is seen in pick() and sent(). That misses nothing at an output port: messages and
// credits of an SL go only when this port sends, so an SL becomes inactive only in sent(). A caller for which that does
// not hold calls observe() in the cycles without a decision.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/boxed.h"
#include "base/inline_array.h"
#include "qos/egress_scheduler.h"

namespace weft {

class DeficitTable final : public EgressScheduler {
 public:
  /// An active SL without an entry of positive weight never sends, nor does any from an empty table; configurations are
  /// checked for that before a run. `counter_bits`: width of the accumulated weight and of the deficit counters, 1 to
  /// 32, or 0: as wide as it takes. Narrow counters saturate; a message larger than they can count is never sent.
  /// Throws std::invalid_argument for an SL of kMaxServiceLevels or more, or a width above 32.
  explicit DeficitTable(const ArbitrationTable& table, unsigned counter_bits = 0);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView& after) override;

  /// The active SLs of a cycle without a decision.
  void observe(std::uint32_t active) { forget_inactive(active); }
  /// Writes an entry; it counts from the next selection on. The selected SL keeps its accumulated weight.
  /// Precondition: index < size of the table.
  void set_entry(std::size_t index, const TableEntry& entry);
  const ArbitrationTable& table() const { return program_->table; }
  unsigned counter_bits() const { return counter_bits_; }

  /// Registers, for lockstep, waves and tests.
  std::uint64_t deficit(ServiceLevel sl) const { return sl < deficit_.size() ? deficit_[sl] : 0; }
  std::uint64_t accumulated_weight() const { return accumulated_; }
  /// Entry selected last; meaningless before the first selection.
  std::size_t entry() const { return position_; }
  bool selected() const { return selected_; }
  /// SL of the selected entry; meaningful while selected().
  ServiceLevel selected_sl() const { return selected_sl_; }

  /// Selections whose accumulated weight did not fit the counter, and the credits lost by that.
  std::uint64_t saturations() const { return seldom_->saturations; }
  std::uint64_t credits_lost() const { return seldom_->credits_lost; }

 private:
  static constexpr std::size_t kFewLevels = 8;  // whose deficits lie in the object itself
  std::uint64_t largest() const;                // value of the counters
  void forget_inactive(std::uint32_t active);
  void keep_deficit();
  bool select_next(std::uint32_t active);

  struct Program {
    ArbitrationTable table;
    std::vector<std::uint64_t> masks;  // [sl * words + word]: entries of positive weight that name the SL
  };
  Program& own_program();
  void mask_entry(Program& program, std::size_t index, const TableEntry& entry);

  struct Seldom {
    std::shared_ptr<Program> program;  // copies of a scheduler share it until one of them is written to
    std::uint64_t saturations = 0;
    std::uint64_t credits_lost = 0;
  };

  // What every decision touches comes first and together.
  const Program* program_ = nullptr;  // seldom_->program
  Boxed<Seldom> seldom_;
  std::uint64_t accumulated_ = 0;
  std::uint32_t position_ = 0;
  std::uint32_t owed_ = 0;  // bit s: deficit_[s] != 0
  std::uint32_t granted_size_ = 0;
  std::uint32_t words_;  // 64-entry words of a mask
  ServiceLevel selected_sl_ = 0;
  bool selected_ = false;
  std::uint8_t counter_bits_;
  InlineArray<std::uint64_t, kFewLevels> deficit_;  // by SL, those of the table at least
};

}  // namespace weft
