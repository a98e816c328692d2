#pragma once
// The Deficit Table (DTable) egress scheduler: a weighted arbitration table whose entries carry over what they could
// not use. A table of {SL, weight} entries is cycled through; the selected SL sends while its accumulated weight covers
// its head message; what is left goes to the SL's deficit counter and is added when the SL is selected again. An SL
// that is inactive at a decision loses both.
//
// Source: Martinez, Alfaro, Sanchez, "Providing QoS with the Deficit Table Scheduler", IEEE TPDS 21(3), 2009; Cano-Cano
// et al., "QoS provision in hierarchical and non-hierarchical switch architectures", section 4.
// Timing: one table step per cycle (see egress_scheduler.h): a step either goes on with the selected SL or selects the
// next entry of an active SL, whatever the distance. rtl/packet/dtable.sv makes the same step in one clock cycle.
// Bounds on shares and on waiting: docs/qos_schedulers.md.
//
// Activity is looked at at decisions only, which are made in every cycle in which the link is free for a next message.
// So a message that is still leaving keeps the state of its SL, as the paper's "stores at least one packet" says, and
// an SL whose next message is there by then goes on with its accumulated weight.

#include <array>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/qos/scheduler_type.h"

namespace weft {

class DeficitTable final : public EgressScheduler {
 public:
  /// An active SL without an entry of positive weight never sends, nor does any from an empty table; configurations are
  /// checked for that before a run. `counter_bits`: width of the accumulated weight and of the deficit counters, 1 to
  /// 32, or 0: as wide as it takes. Narrow counters saturate; a message larger than they can count is never sent.
  /// Throws std::invalid_argument for an SL of kMaxServiceLevels or more, more than 65,536 entries, or a width
  /// above 32.
  explicit DeficitTable(const ArbitrationTable& table, unsigned counter_bits = 0);
  DeficitTable(const DeficitTable& other);
  DeficitTable& operator=(const DeficitTable&) = delete;
  ~DeficitTable() override {
    if (wide_) delete more_;
  }

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel, const EgressView&) override { accumulated_ -= granted_size_; }
  void idle() override { forget_inactive(0); }

  /// Writes an entry; it counts from the next selection on. The selected SL keeps its accumulated weight.
  /// Precondition: index < size of the table.
  void set_entry(std::size_t index, const TableEntry& entry);
  const ArbitrationTable& table() const { return program_->table; }
  unsigned counter_bits() const { return program_->counter_bits; }

  /// Registers, for lockstep, waves and tests.
  std::uint64_t deficit(ServiceLevel sl) const { return wide_ || sl < kFewLevels ? deficits()[sl] : 0; }
  std::uint64_t accumulated_weight() const { return accumulated_; }
  /// Entry selected last; meaningless before the first selection.
  std::size_t entry() const { return position_; }
  bool selected() const { return selected_; }
  /// SL of the selected entry; meaningful while selected().
  ServiceLevel selected_sl() const { return selected_sl_; }

  /// Selections whose accumulated weight did not fit the counter, and the credits lost by that.
  std::uint64_t saturations() const { return wide_ ? more_->saturations : 0; }
  std::uint64_t credits_lost() const { return wide_ ? more_->credits_lost : 0; }

 private:
  static constexpr std::size_t kFewLevels = 8;  // whose deficits lie in the object itself
  // Copies of a scheduler share it until one of them is written to.
  struct Program : boost::intrusive_ref_counter<Program, boost::thread_unsafe_counter> {
    ArbitrationTable table;
    unsigned counter_bits = 0;
    std::uint32_t words = 0;           // 64-entry words of a mask
    std::vector<std::uint64_t> masks;  // [sl * words + word]: entries of positive weight that name the SL
  };
  // What does not fit the object.
  struct More {
    std::array<std::uint32_t, kMaxServiceLevels> deficits{};
    std::uint32_t owed = 0;
    std::uint64_t saturations = 0;
    std::uint64_t credits_lost = 0;
  };
  std::uint64_t largest() const;  // value of the counters
  void forget_inactive(std::uint32_t active);
  void keep_deficit();
  bool select_next(std::uint32_t active);
  Program& own_program();
  void mask_entry(Program& program, std::size_t index, const TableEntry& entry);
  More& widen();
  /// `change(deficits by SL, set of those that are not 0)`.
  template <class Change>
  void change_deficits(Change&& change) {
    if (wide_) {
      change(more_->deficits, more_->owed);
    } else {
      change(few_, owed_);
    }
  }
  const std::uint32_t* deficits() const { return wide_ ? more_->deficits.data() : few_.data(); }

  // A line of the cache.
  boost::intrusive_ptr<Program> program_;
  std::uint64_t accumulated_ = 0;
  union {  // by SL; less than a message, since only what does not cover one is left
    std::array<std::uint32_t, kFewLevels> few_;
    More* more_;  // when wide
  };
  std::uint32_t granted_size_ = 0;
  std::uint16_t position_ = 0;
  std::uint8_t owed_ = 0;  // bit s: few_[s] != 0
  ServiceLevel selected_sl_ : 5 = 0;
  bool selected_ : 1 = false;
  bool wide_ : 1 = false;
};
static_assert(sizeof(DeficitTable) == 64);

}  // namespace weft
