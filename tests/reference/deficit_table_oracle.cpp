#include "reference/deficit_table_oracle.h"

#include <utility>

namespace weft::oracle {

DeficitTableOracle::DeficitTableOracle(std::vector<Entry> table, unsigned levels, std::int64_t largest)
    : table_(std::move(table)), deficit_(levels, 0), largest_(largest) {}

std::optional<unsigned> DeficitTableOracle::step(const std::vector<Queue>& queues) {
  for (unsigned sl = 0; sl < deficit_.size(); ++sl) {
    if (queues[sl].active) continue;
    deficit_[sl] = 0;
    if (selected_ == sl) {
      accumulated_weight_ = 0;
      selected_.reset();
    }
  }
  if (selected_ && accumulated_weight_ < queues[*selected_].head) {
    deficit_[*selected_] = accumulated_weight_;
    accumulated_weight_ = 0;
    selected_.reset();
  }
  // The table is cycled through, at the most once, until an entry of an active SL is found.
  for (std::size_t looked_at = 0; !selected_ && looked_at < table_.size(); ++looked_at) {
    const Entry entry = table_[next_];
    next_ = (next_ + 1) % table_.size();
    if (entry.weight == 0 || !queues[entry.sl].active) continue;
    selected_ = entry.sl;
    accumulated_weight_ = entry.weight + deficit_[entry.sl];
    deficit_[entry.sl] = 0;
    if (accumulated_weight_ > largest_) {
      credits_lost_ += accumulated_weight_ - largest_;
      accumulated_weight_ = largest_;
    }
  }
  if (!selected_ || accumulated_weight_ < queues[*selected_].head) return std::nullopt;
  accumulated_weight_ -= queues[*selected_].head;
  return selected_;
}

}  // namespace weft::oracle
