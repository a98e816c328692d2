#include "algorithms/qos/scheduler_factory.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "algorithms/qos/deficit_table.h"
#include "algorithms/qos/ib_arbiter.h"
#include "algorithms/qos/schedulers.h"

namespace weft {
namespace {

using Config = SchedulerConfig;
using Errors = std::vector<std::string>;

std::uint32_t named(const ArbitrationTable& table) {
  std::uint32_t set = 0;
  for (const TableEntry& e : table) {
    if (e.weight > 0 && e.sl < kMaxServiceLevels) set |= 1U << e.sl;
  }
  return set;
}

std::uint32_t positive(const std::vector<std::uint32_t>& values) {
  std::uint32_t set = 0;
  for (std::size_t sl = 0; sl < values.size() && sl < kMaxServiceLevels; ++sl) {
    if (values[sl] > 0) set |= 1U << sl;
  }
  return set;
}

void check_level(Errors& errors, std::string_view what, std::size_t index, ServiceLevel sl) {
  if (sl < kMaxServiceLevels) return;
  errors.push_back(fmt::format("{} {} names SL {}; SLs are 0 to {}", what, index, sl, kMaxServiceLevels - 1));
}

void check_table(Errors& errors, std::string_view what, const ArbitrationTable& table) {
  for (std::size_t i = 0; i < table.size(); ++i) check_level(errors, what, i, table[i].sl);
}

void check_count(Errors& errors, const char* what, std::size_t count) {
  if (count <= kMaxServiceLevels) return;
  errors.push_back(fmt::format("{} {}; there are at most {} SLs", count, what, kMaxServiceLevels));
}

void check_ib_table(Errors& errors, const std::string& which, const ArbitrationTable& table) {
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

void check_dtable(const Config& c, Errors& errors) {
  check_table(errors, "table entry", c.table);
  if (c.counter_bits > 32) errors.push_back(fmt::format("counters of {} bits; at most 32", c.counter_bits));
}

void check_ib(const Config& c, Errors& errors) {
  check_ib_table(errors, "high-priority", c.high);
  check_ib_table(errors, "low-priority", c.low);
  if (c.limit_of_high_priority > IbArbiter::kUnlimited) {
    errors.push_back(fmt::format("limit of high priority {}; at most 254, or 255 for none", c.limit_of_high_priority));
  }
}

void check_order(const Config& c, Errors& errors) {
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < c.order.size(); ++i) {
    check_level(errors, "priority", i, c.order[i]);
    if (c.order[i] >= kMaxServiceLevels) continue;
    if ((seen >> c.order[i] & 1U) != 0) errors.push_back(fmt::format("SL {} has two priorities", c.order[i]));
    seen |= 1U << c.order[i];
  }
}

void check_quanta(const Config& c, Errors& errors) { check_count(errors, "quanta", c.quanta.size()); }

void check_shares(const Config& c, Errors& errors) {
  check_count(errors, "shares", c.shares.size());
  if (!Scfq::common_multiple(c.shares)) {
    errors.push_back("the least common multiple of the shares does not fit 64 bits; use rounder shares");
  }
}

void check_nothing(const Config&, Errors&) {}

std::uint32_t ordered(const std::vector<ServiceLevel>& order) {
  std::uint32_t set = 0;
  for (const ServiceLevel sl : order) {
    if (sl < kMaxServiceLevels) set |= 1U << sl;
  }
  return set;
}

struct Type {
  SchedulerKind kind;
  std::unique_ptr<EgressScheduler> (*make)(const Config&);
  void (*check)(const Config&, Errors&);
  std::uint32_t (*served)(const Config&);
};

template <auto kMake>
std::unique_ptr<EgressScheduler> make(const Config& c) {
  return std::make_unique<decltype(kMake(c))>(kMake(c));
}

using Kind = SchedulerKind;
constexpr auto dtable = [](const Config& c) { return DeficitTable(c.table, c.counter_bits); };
constexpr auto ib = [](const Config& c) { return IbArbiter(c.high, c.low, c.limit_of_high_priority); };
constexpr auto robin = [](const Config&) { return RoundRobin(); };
constexpr auto strict = [](const Config& c) { return StrictPriority(c.order); };
constexpr auto drr = [](const Config& c) { return DeficitRoundRobin(c.quanta); };
constexpr auto scfq = [](const Config& c) { return Scfq(c.shares); };

constexpr std::array kTypes{
    Type{Kind::dtable, make<dtable>, check_dtable, [](const Config& c) { return named(c.table); }},
    Type{Kind::ib_arbiter, make<ib>, check_ib, [](const Config& c) { return named(c.high) | named(c.low); }},
    Type{Kind::round_robin, make<robin>, check_nothing, [](const Config&) { return ~std::uint32_t{0}; }},
    Type{Kind::strict_priority, make<strict>, check_order, [](const Config& c) { return ordered(c.order); }},
    Type{Kind::drr, make<drr>, check_quanta, [](const Config& c) { return positive(c.quanta); }},
    Type{Kind::scfq, make<scfq>, check_shares, [](const Config& c) { return positive(c.shares); }},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (static_cast<std::size_t>(kTypes[i].kind) != i) return false;
  }
  return kTypes.size() == kWords<SchedulerKind>.size();
}
static_assert(in_order(), "a line for every kind, in the order of the enumeration");

const Type& type_of(const Config& config) { return kTypes.at(static_cast<std::size_t>(config.kind)); }

}  // namespace

std::vector<std::string> scheduler_errors(const SchedulerConfig& config) {
  Errors errors;
  type_of(config).check(config, errors);
  return errors;
}

std::uint32_t served_levels(const SchedulerConfig& config) { return type_of(config).served(config); }

std::optional<std::uint32_t> largest_message(const SchedulerConfig& config) {
  if (config.kind != SchedulerKind::dtable || config.counter_bits == 0) return std::nullopt;
  return static_cast<std::uint32_t>((std::uint64_t{1} << config.counter_bits) - 1);
}

std::unique_ptr<EgressScheduler> make_scheduler(const SchedulerConfig& config) {
  const Errors errors = scheduler_errors(config);
  if (!errors.empty()) throw std::invalid_argument(errors.front());
  return type_of(config).make(config);
}

}  // namespace weft
