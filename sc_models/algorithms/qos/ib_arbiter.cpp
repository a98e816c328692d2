#include "algorithms/qos/ib_arbiter.h"

#include <fmt/format.h>

#include <stdexcept>

namespace weft {

IbArbiter::Table::Table(const ArbitrationTable& entries)
    : entries_(entries), position_(entries.empty() ? 0 : entries.size() - 1) {
  if (entries.size() > kMaxEntries) throw std::invalid_argument("an InfiniBand arbitration table has up to 64 entries");
  for (const TableEntry& e : entries) {
    if (e.sl >= kMaxServiceLevels || e.weight > kMaxWeight) {
      throw std::invalid_argument("an InfiniBand arbitration table entry has a weight above 255 or an SL above 31");
    }
    if (e.weight > 0) named_ |= 1U << e.sl;
  }
}

std::optional<ServiceLevel> IbArbiter::Table::select(std::uint32_t active) {
  if (!has_any(active)) return std::nullopt;
  while (left_ == 0 || (active >> entries_[position_].sl & 1U) == 0) {
    position_ = position_ + 1 == entries_.size() ? 0 : position_ + 1;
    left_ = entries_[position_].weight;
  }
  return entries_[position_].sl;
}

IbArbiter::IbArbiter(const ArbitrationTable& high, const ArbitrationTable& low, std::uint32_t limit_of_high_priority)
    : high_(high), low_(low), limit_(limit_of_high_priority) {
  if (limit_ > kUnlimited) throw std::invalid_argument("LimitOfHighPriority is 0 to 255");
}

std::optional<ServiceLevel> IbArbiter::pick(const EgressView& view) {
  const bool low_has = low_.has_any(view.active);
  granted_high_ = high_.has_any(view.active) && !(expired_ && low_has);
  if (expired_ && !low_has) {  // the chance was there
    expired_ = false;
    high_sent_ = 0;
  }
  const auto sl = granted_high_ ? high_.select(view.active) : low_.select(view.active);
  if (sl) granted_size_ = view.head[*sl];
  return sl;
}

void IbArbiter::sent(ServiceLevel, const EgressView&) {
  if (!granted_high_) {
    low_.charge(granted_size_);
    high_sent_ = 0;
    expired_ = false;
    return;
  }
  high_.charge(granted_size_);
  high_sent_ += granted_size_;
  expired_ = limit_ != kUnlimited && high_sent_ >= std::uint64_t{limit_} * kCreditsPerLimit;
}

namespace {

void check_ib_table(std::vector<std::string>& errors, const std::string& which, const ArbitrationTable& table) {
  const std::string what = which + " entry";
  check_table(errors, what, table);
  if (table.size() > IbArbiter::kMaxEntries) {
    errors.push_back(fmt::format("{} table of {} entries; at most {}", which, table.size(), IbArbiter::kMaxEntries));
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].weight <= IbArbiter::kMaxWeight) continue;
    errors.push_back(fmt::format("{} {} has weight {}; at most {}", what, i, table[i].weight, IbArbiter::kMaxWeight));
  }
}

}  // namespace

constinit const SchedulerType kIbArbiterScheduler{
    .name = "ib_arbiter",
    .meaning = "two-table arbiter of InfiniBand",
    .make = [](const SchedulerConfig& c) -> std::unique_ptr<EgressScheduler> {
      return std::make_unique<IbArbiter>(c.high, c.low, c.limit_of_high_priority);
    },
    .check =
        [](const SchedulerConfig& c, std::vector<std::string>& errors) {
          check_ib_table(errors, "high-priority", c.high);
          check_ib_table(errors, "low-priority", c.low);
          if (c.limit_of_high_priority > IbArbiter::kUnlimited) {
            errors.push_back(
                fmt::format("limit of high priority {}; at most 254, or 255 for none", c.limit_of_high_priority));
          }
        },
    .served = [](const SchedulerConfig& c) { return levels_in(c.high) | levels_in(c.low); },
};

}  // namespace weft
