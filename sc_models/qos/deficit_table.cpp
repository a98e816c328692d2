#include "qos/deficit_table.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace weft {

DeficitTable::DeficitTable(const ArbitrationTable& table, unsigned counter_bits)
    : words_(static_cast<std::uint32_t>((table.size() + 63) / 64)),
      counter_bits_(static_cast<std::uint8_t>(counter_bits)),
      deficit_(kFewLevels) {
  if (counter_bits > 32) throw std::invalid_argument("counters of a deficit table have at most 32 bits");
  seldom_->program = std::make_shared<Program>();
  Program& program = own_program();
  program.table = table;
  program.masks.resize(std::size_t{kMaxServiceLevels} * words_);
  for (std::size_t i = 0; i < table.size(); ++i) mask_entry(program, i, table[i]);
  position_ = table.empty() ? 0 : static_cast<std::uint32_t>(table.size() - 1);  // the first search begins at entry 0
}

void DeficitTable::mask_entry(Program& program, std::size_t index, const TableEntry& entry) {
  if (entry.sl >= kMaxServiceLevels) throw std::invalid_argument("a table entry names a service level above 31");
  if (entry.sl >= deficit_.size()) {
    InlineArray<std::uint64_t, kFewLevels> all(kMaxServiceLevels);
    std::copy(deficit_.begin(), deficit_.end(), &all[0]);
    deficit_ = all;
  }
  if (entry.weight > 0) program.masks[std::size_t{entry.sl} * words_ + index / 64] |= std::uint64_t{1} << (index % 64);
}

DeficitTable::Program& DeficitTable::own_program() {
  std::shared_ptr<Program>& program = seldom_->program;
  if (program.use_count() > 1) program = std::make_shared<Program>(*program);
  program_ = program.get();
  return *program;
}

void DeficitTable::set_entry(std::size_t index, const TableEntry& entry) {
  Program& program = own_program();
  program.masks[std::size_t{program.table[index].sl} * words_ + index / 64] &= ~(std::uint64_t{1} << (index % 64));
  mask_entry(program, index, entry);
  program.table[index] = entry;
}

// Deficits are smaller than a message, so 64 bits never overflow.
std::uint64_t DeficitTable::largest() const {
  return counter_bits_ == 0 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << counter_bits_) - 1;
}

void DeficitTable::forget_inactive(std::uint32_t active) {
  for (std::uint32_t gone = owed_ & ~active; gone != 0; gone &= gone - 1) {
    deficit_[static_cast<std::size_t>(std::countr_zero(gone))] = 0;
  }
  owed_ &= active;
  if (selected_ && (active >> selected_sl_ & 1U) == 0) {
    selected_ = false;
    accumulated_ = 0;
  }
}

// The selected SL gives way; what it could not use is kept for its next turn.
void DeficitTable::keep_deficit() {
  deficit_[selected_sl_] = accumulated_;
  if (accumulated_ > 0) owed_ |= 1U << selected_sl_;
  accumulated_ = 0;
  selected_ = false;
}

// Selects the next entry, after the present one and around, that names an active SL. The first word is looked at twice,
// for the entries after the present one and, last, for those before it; so the search ends whatever the table holds.
bool DeficitTable::select_next(std::uint32_t active) {
  const ArbitrationTable& table = program_->table;
  if (table.empty()) return false;
  const std::size_t start = position_ + std::size_t{1} == table.size() ? 0 : position_ + std::size_t{1};
  for (std::size_t i = 0; i <= words_; ++i) {
    const std::size_t word = (start / 64 + i) % words_;
    std::uint64_t found = 0;
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
      found |= program_->masks[static_cast<std::size_t>(std::countr_zero(left)) * words_ + word];
    }
    if (i == 0) found &= ~std::uint64_t{0} << (start % 64);
    if (found == 0) continue;
    position_ = static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(found));
    selected_sl_ = table[position_].sl;
    selected_ = true;
    const std::uint64_t earned = table[position_].weight + deficit_[selected_sl_];
    accumulated_ = std::min(earned, largest());
    if (earned > accumulated_) {
      ++seldom_->saturations;
      seldom_->credits_lost += earned - accumulated_;
    }
    deficit_[selected_sl_] = 0;
    owed_ &= ~(1U << selected_sl_);
    return true;
  }
  return false;
}

std::optional<ServiceLevel> DeficitTable::pick(const EgressView& view) {
  forget_inactive(view.active);
  if (!selected_ || accumulated_ < view.head[selected_sl_]) {
    if (selected_) keep_deficit();
    if (!select_next(view.active)) return std::nullopt;
    if (accumulated_ < view.head[selected_sl_]) return std::nullopt;  // the next step keeps it as a deficit
  }
  granted_size_ = view.head[selected_sl_];
  return selected_sl_;
}

void DeficitTable::sent(ServiceLevel, const EgressView& after) {
  accumulated_ -= granted_size_;
  forget_inactive(after.active);
}

}  // namespace weft
