#include "qos/deficit_table.h"

#include <bit>

namespace weft {

DeficitTable::DeficitTable(const ArbitrationTable& table)
    : table_(table), words_((table.size() + 63) / 64), masks_(kMaxServiceLevels * words_) {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (table_[i].weight > 0) masks_[table_[i].sl * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
  }
  position_ = table_.empty() ? 0 : table_.size() - 1;  // the first search begins at entry 0
}

void DeficitTable::forget_inactive(std::uint32_t active) {
  for (std::uint32_t gone = owed_ & ~active; gone != 0; gone &= gone - 1) {
    deficit_[static_cast<std::size_t>(std::countr_zero(gone))] = 0;
  }
  owed_ &= active;
  if (selected_ && (active >> table_[position_].sl & 1U) == 0) {
    selected_ = false;
    accumulated_ = 0;
  }
}

// Selects the next entry, after the present one and around, that names an active SL.
bool DeficitTable::select_next(const EgressView& view) {
  const std::size_t start = position_ + 1 == table_.size() ? 0 : position_ + 1;
  for (std::size_t i = 0; i <= words_; ++i) {
    const std::size_t word = (start / 64 + i) % words_;
    std::uint64_t found = 0;
    for (std::uint32_t left = view.active; left != 0; left &= left - 1) {
      found |= masks_[static_cast<std::size_t>(std::countr_zero(left)) * words_ + word];
    }
    if (i == 0) found &= ~std::uint64_t{0} << (start % 64);
    if (found == 0) continue;
    position_ = word * 64 + static_cast<std::size_t>(std::countr_zero(found));
    const ServiceLevel sl = table_[position_].sl;
    accumulated_ = table_[position_].weight + deficit_[sl];
    deficit_[sl] = 0;
    owed_ &= ~(1U << sl);
    selected_ = true;
    return true;
  }
  return false;
}

std::optional<ServiceLevel> DeficitTable::pick(const EgressView& view) {
  forget_inactive(view.active);
  if (view.active == 0) return std::nullopt;
  if (!selected_ || accumulated_ < view.head[table_[position_].sl]) {
    if (selected_) {
      const ServiceLevel sl = table_[position_].sl;
      deficit_[sl] = accumulated_;
      if (accumulated_ > 0) owed_ |= 1U << sl;
      accumulated_ = 0;
      selected_ = false;
    }
    if (!select_next(view)) return std::nullopt;
  }
  const ServiceLevel sl = table_[position_].sl;
  if (accumulated_ < view.head[sl]) return std::nullopt;  // the next step will pass it on as a deficit
  granted_size_ = view.head[sl];
  return sl;
}

void DeficitTable::sent(ServiceLevel, const EgressView& after) {
  accumulated_ -= granted_size_;
  forget_inactive(after.active);
}

}  // namespace weft
