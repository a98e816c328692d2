#include "algorithms/qos/deficit_table.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

namespace weft {
namespace {

void check(const TableEntry& entry) {
  if (entry.sl >= kMaxServiceLevels) throw std::invalid_argument("a table entry names a service level above 31");
}

}  // namespace

DeficitTable::DeficitTable(const ArbitrationTable& table, unsigned counter_bits) : program_(new Program), few_{} {
  if (counter_bits > 32) throw std::invalid_argument("counters of a deficit table have at most 32 bits");
  if (table.size() > std::size_t{1} << 16) throw std::invalid_argument("a deficit table has at most 65,536 entries");
  for (const TableEntry& entry : table) check(entry);
  program_->counter_bits = counter_bits;
  program_->table = table;
  program_->words = static_cast<std::uint32_t>((table.size() + 63) / 64);
  program_->masks.resize(std::size_t{kMaxServiceLevels} * program_->words);
  for (std::size_t i = 0; i < table.size(); ++i) mask_entry(*program_, i, table[i]);
  position_ = table.empty() ? 0 : static_cast<std::uint16_t>(table.size() - 1);  // the first search begins at entry 0
}

DeficitTable::DeficitTable(const DeficitTable& other)
    : EgressScheduler(other),
      program_(other.program_),
      accumulated_(other.accumulated_),
      few_{},
      granted_size_(other.granted_size_),
      position_(other.position_),
      owed_(other.owed_),
      selected_sl_(other.selected_sl_),
      selected_(other.selected_),
      wide_(other.wide_) {
  if (wide_) {
    more_ = new More(*other.more_);
  } else {
    few_ = other.few_;
  }
}

// From now on the deficits lie elsewhere.
DeficitTable::More& DeficitTable::widen() {
  if (!wide_) {
    auto more = std::make_unique<More>();
    std::copy(few_.begin(), few_.end(), more->deficits.begin());
    more->owed = owed_;
    more_ = more.release();
    wide_ = true;
  }
  return *more_;
}

void DeficitTable::mask_entry(Program& program, std::size_t index, const TableEntry& entry) {
  if (entry.sl >= kFewLevels) widen();
  if (entry.weight == 0) return;
  program.masks[std::size_t{entry.sl} * program.words + index / 64] |= std::uint64_t{1} << (index % 64);
}

DeficitTable::Program& DeficitTable::own_program() {
  if (program_->use_count() > 1) program_ = new Program(*program_);
  return *program_;
}

void DeficitTable::set_entry(std::size_t index, const TableEntry& entry) {
  check(entry);
  Program& program = own_program();
  program.masks[std::size_t{program.table[index].sl} * program.words + index / 64] &=
      ~(std::uint64_t{1} << (index % 64));
  mask_entry(program, index, entry);
  program.table[index] = entry;
}

// Deficits are smaller than a message, so 64 bits never overflow.
std::uint64_t DeficitTable::largest() const {
  const unsigned bits = program_->counter_bits;
  return bits == 0 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1;
}

void DeficitTable::forget_inactive(std::uint32_t active) {
  change_deficits([active]<class Set>(auto& deficits, Set& owed) {
    for (std::uint32_t gone = owed & ~active; gone != 0; gone &= gone - 1) {
      deficits[static_cast<std::size_t>(std::countr_zero(gone))] = 0;
    }
    owed = static_cast<Set>(owed & active);
  });
  if (selected_ && (active >> selected_sl_ & 1U) == 0) {
    selected_ = false;
    accumulated_ = 0;
  }
}

// The selected SL gives way; what it could not use is kept for its next turn.
void DeficitTable::keep_deficit() {
  change_deficits([this]<class Set>(auto& deficits, Set& owed) {
    deficits[selected_sl_] = static_cast<std::uint32_t>(accumulated_);
    if (accumulated_ > 0) owed |= static_cast<Set>(1U << selected_sl_);
  });
  accumulated_ = 0;
  selected_ = false;
}

// Selects the next entry, after the present one and around, that names an active SL. The first word is looked at twice,
// for the entries after the present one and, last, for those before it; so the search ends whatever the table holds.
bool DeficitTable::select_next(std::uint32_t active) {
  const Program& program = *program_;
  const ArbitrationTable& table = program.table;
  if (table.empty()) return false;
  const std::size_t start = position_ + std::size_t{1} == table.size() ? 0 : position_ + std::size_t{1};
  std::size_t word = start / 64;
  for (std::size_t i = 0; i <= program.words; ++i, word = word + 1 == program.words ? 0 : word + 1) {
    std::uint64_t found = 0;
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
      found |= program.masks[static_cast<std::size_t>(std::countr_zero(left)) * program.words + word];
    }
    if (i == 0) found &= ~std::uint64_t{0} << (start % 64);
    if (found == 0) continue;
    position_ = static_cast<std::uint16_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(found)));
    selected_sl_ = table[position_].sl;
    selected_ = true;
    std::uint64_t earned = table[position_].weight;
    change_deficits([&]<class Set>(auto& deficits, Set& owed) {
      earned += std::exchange(deficits[selected_sl_], 0);
      owed &= static_cast<Set>(~(1U << selected_sl_));
    });
    accumulated_ = std::min(earned, largest());
    if (earned > accumulated_) {
      ++widen().saturations;
      more_->credits_lost += earned - accumulated_;
    }
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
  return ServiceLevel{selected_sl_};
}

constinit const SchedulerType kDtableScheduler{
    .name = "dtable",
    .meaning = "Deficit Table, a weighted arbitration table whose entries carry over what they could not use",
    .make = [](const SchedulerConfig& c) -> std::unique_ptr<EgressScheduler> {
      return std::make_unique<DeficitTable>(c.table, c.counter_bits);
    },
    .check =
        [](const SchedulerConfig& c, std::vector<std::string>& errors) {
          check_table(errors, "table entry", c.table);
          if (c.counter_bits > 32) {
            errors.push_back("counters of " + std::to_string(c.counter_bits) + " bits; at most 32");
          }
        },
    .served = [](const SchedulerConfig& c) { return levels_in(c.table); },
    .largest = [](const SchedulerConfig& c) -> std::optional<std::uint32_t> {
      if (c.counter_bits == 0) return std::nullopt;
      return static_cast<std::uint32_t>((std::uint64_t{1} << c.counter_bits) - 1);
    },
    .steps = [](const SchedulerConfig& c, ServiceLevel sl, std::uint32_t message) -> std::uint64_t {
      std::uint64_t weight = 0;
      for (const TableEntry& e : c.table) weight += e.sl == sl ? e.weight : 0;
      return weight == 0 ? 0 : (message / weight + 2) * c.table.size();
    },
};

}  // namespace weft
