// Records of the egress schedulers that exist in RTL: limits, Weft's own blocks, what lockstep and waves know of them.
// The Verilated classes are in cosim/compiled.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "algorithms/qos/deficit_table.h"
#include "algorithms/qos/ib_arbiter.h"
#include "algorithms/qos/schedulers.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/packet/drr_rtl.h"
#include "cosim/packet/dtable_rtl.h"
#include "cosim/packet/egress_port_rtl.h"
#include "cosim/packet/ib_arbiter_rtl.h"

namespace weft {
namespace {

template <class Scheduler>
std::string deficits(const Scheduler& s) {
  std::string out;
  for (ServiceLevel sl = 0; sl < kMaxServiceLevels; ++sl) {
    if (s.deficit(sl) != 0) out += fmt::format(" SL {}: {}", sl, s.deficit(sl));
  }
  return "deficits:" + (out.empty() ? std::string(" none") : out);
}

std::string state_of_dtable(const EgressScheduler& model) {
  const auto& table = dynamic_cast<const DeficitTable&>(model);
  std::string out;
  if (table.selected()) {
    out = fmt::format("entry {} of SL {} with {} credits left; ", table.entry(), table.selected_sl(),
                      table.accumulated_weight());
  }
  return out + deficits(table);
}

std::string state_of_drr(const EgressScheduler& model) {
  const auto& drr = dynamic_cast<const DeficitRoundRobin&>(model);
  return (drr.in_turn() ? fmt::format("turn of SL {}; ", drr.turn()) : std::string("no turn; ")) + deficits(drr);
}

std::string state_of_ib_arbiter(const EgressScheduler& model) {
  const auto& arbiter = dynamic_cast<const IbArbiter&>(model);
  const auto text = [](const IbArbiter::Turn& turn) {
    return turn.left == 0 ? std::string("no turn")
                          : fmt::format("entry {} of SL {} with {} credits left", turn.entry, turn.sl, turn.left);
  };
  return fmt::format("high-priority table: {}; low-priority table: {}; {} credits of high priority counted{}",
                     text(arbiter.high_turn()), text(arbiter.low_turn()), arbiter.high_sent(),
                     arbiter.expired() ? ", the low-priority table has its chance" : "");
}

std::uint32_t level_bits(const SchedulerRtlSize& size) { return std::bit_width(size.levels - 1U); }

}  // namespace

std::optional<DtableRtlSize> compiled_dtable(const ArbitrationTable& table, unsigned counter_bits) {
  for (const DtableRtlSize& size : {kIbDtable, kSmallDtable, kLargeDtable}) {
    if (!dtable_rtl_limit(size, table, counter_bits, 0)) return size;
  }
  return std::nullopt;
}

std::optional<SchedulerRtlLimit> dtable_rtl_limit(const ArbitrationTable& table, unsigned counter_bits,
                                                  std::uint32_t largest_message) {
  if (counter_bits != 0 && counter_bits != kIbDtable.counter_bits) {
    return SchedulerRtlLimit{
        SchedulerRtlLimit::Of::counters, 0,
        fmt::format("counters of {} bits; the compiled RTL has {} bits, or as many as it takes (0)", counter_bits,
                    kIbDtable.counter_bits)};
  }
  return dtable_rtl_limit(counter_bits == 0 ? kLargeDtable : kIbDtable, table, counter_bits, largest_message);
}

std::optional<SchedulerRtlLimit> dtable_rtl_limit(const DtableRtlSize& most, const ArbitrationTable& table,
                                                  unsigned counter_bits, std::uint32_t largest_message) {
  if (counter_bits == 0 ? most.counter_bits < most.never_full() : counter_bits != most.counter_bits) {
    return SchedulerRtlLimit{
        SchedulerRtlLimit::Of::counters, 0,
        fmt::format("counters of {}; the compiled RTL has {} bits, which {}",
                    counter_bits == 0 ? "unlimited width" : fmt::format("{} bits", counter_bits), most.counter_bits,
                    most.counter_bits < most.never_full() ? "can saturate" : "never saturate")};
  }
  const std::string with = counter_bits == 0 ? "" : fmt::format(" with counters of {} bits", counter_bits);
  if (auto limit = table_rtl_limit(most, table, with)) return limit;
  return message_rtl_limit(most, largest_message);
}

std::unique_ptr<SchedulerRtl> make_dtable_rtl(VerilatedContext& context, const ArbitrationTable& table,
                                              unsigned counter_bits, const std::string& name) {
  return compiled<decltype(make_dtable_rtl)>("dtable")(context, table, counter_bits, name);
}

SchedulerBlock dtable_block() {
  return {"dtable", [](const SchedulerConfig& s) { return compiled_dtable(s.table, s.counter_bits).value(); },
          [](const SchedulerConfig& s, std::uint32_t largest_message) {
            return dtable_rtl_limit(s.table, s.counter_bits, largest_message);
          },
          [](VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
            return make_dtable_rtl(context, s.table, s.counter_bits, name);
          }};
}

constinit const SchedulerRtlKind kDtableRtl{
    .type = &kDtableScheduler,
    .idle_is_a_decision = true,
    .state = state_of_dtable,
    .saturations = [](const EgressScheduler& model) { return dynamic_cast<const DeficitTable&>(model).saturations(); },
    .registers = [](const SchedulerRtlSize& size) -> std::vector<SchedulerRegister> {
      return {{"entry_q", static_cast<std::uint32_t>(std::bit_width(size.entries - 1U))},
              {"accumulated_q", size.counter_bits}};
    }};

std::optional<DrrRtlSize> compiled_drr(const std::vector<std::uint32_t>& quanta) {
  for (const DrrRtlSize& size : {kSmallDrr, kLargeDrr}) {
    if (!drr_rtl_limit(size, quanta, 0)) return size;
  }
  return std::nullopt;
}

std::optional<SchedulerRtlLimit> drr_rtl_limit(const DrrRtlSize& size, const std::vector<std::uint32_t>& quanta,
                                               std::uint32_t largest_message) {
  using Of = SchedulerRtlLimit::Of;
  if (quanta.size() > size.levels) {
    return SchedulerRtlLimit{Of::level, size.levels,
                             fmt::format("SL {}; the compiled RTL has SLs 0 to {}", size.levels, size.levels - 1)};
  }
  const auto largest = std::max_element(quanta.begin(), quanta.end());
  if (largest != quanta.end()) {
    const auto sl = static_cast<std::size_t>(largest - quanta.begin());
    if (std::uint64_t{*largest} >> size.weight_bits != 0) {
      return SchedulerRtlLimit{Of::weight, sl,
                               fmt::format("quantum {}; the compiled RTL takes at most {}", *largest,
                                           (std::uint64_t{1} << size.weight_bits) - 1)};
    }
    // A turn begins with less than a message left, and the RTL grants messages that the counter can hold.
    const std::uint64_t most = std::max<std::uint64_t>(std::uint64_t{*largest} + largest_message, 1) - 1;
    if (most >> size.counter_bits != 0) {
      return SchedulerRtlLimit{
          Of::counters, sl,
          fmt::format("with quantum {} and messages of up to {} credits a counter can reach {}; those of the compiled "
                      "RTL have {} bits and hold {}",
                      *largest, largest_message, most, size.counter_bits, (std::uint64_t{1} << size.counter_bits) - 1)};
    }
  }
  return message_rtl_limit(size, largest_message);
}

std::optional<SchedulerRtlLimit> drr_rtl_limit(const std::vector<std::uint32_t>& quanta,
                                               std::uint32_t largest_message) {
  return drr_rtl_limit(kLargeDrr, quanta, largest_message);
}

std::unique_ptr<SchedulerRtl> make_drr_rtl(VerilatedContext& context, const std::vector<std::uint32_t>& quanta,
                                           const std::string& name) {
  return compiled<decltype(make_drr_rtl)>("drr")(context, quanta, name);
}

SchedulerBlock drr_block() {
  return {
      "drr", [](const SchedulerConfig& s) { return compiled_drr(s.quanta).value(); },
      [](const SchedulerConfig& s, std::uint32_t largest_message) { return drr_rtl_limit(s.quanta, largest_message); },
      [](VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
        return make_drr_rtl(context, s.quanta, name);
      }};
}

constinit const SchedulerRtlKind kDrrRtl{
    .type = &kDrrScheduler,
    .idle_is_a_decision = true,
    .state = state_of_drr,
    .saturations = nullptr,
    .registers = [](const SchedulerRtlSize& size) -> std::vector<SchedulerRegister> {
      return {{"in_turn_q", 1}, {"turn_q", level_bits(size)}};
    }};

std::optional<SchedulerRtlLimit> ib_arbiter_rtl_limit(const IbArbiterRtlSize& size, const ArbitrationTable& high,
                                                      const ArbitrationTable& low, std::uint32_t largest_message) {
  using Table = SchedulerRtlLimit::Table;
  for (const Table which : {Table::high, Table::low}) {
    auto limit = table_rtl_limit(size, which == Table::high ? high : low);
    if (!limit) continue;
    limit->table = which;
    return limit;
  }
  return message_rtl_limit(size, largest_message);
}

std::optional<IbArbiterRtlSize> compiled_ib_arbiter(const ArbitrationTable& high, const ArbitrationTable& low) {
  for (const IbArbiterRtlSize& size : {kSmallIbArbiter, kLargeIbArbiter}) {
    if (!ib_arbiter_rtl_limit(size, high, low, 0)) return size;
  }
  return std::nullopt;
}

std::unique_ptr<SchedulerRtl> make_ib_arbiter_rtl(VerilatedContext& context, const ArbitrationTable& high,
                                                  const ArbitrationTable& low, std::uint32_t limit_of_high_priority,
                                                  const std::string& name) {
  return compiled<decltype(make_ib_arbiter_rtl)>("ib_arbiter")(context, high, low, limit_of_high_priority, name);
}

SchedulerBlock ib_arbiter_block() {
  return {"ib_arbiter", [](const SchedulerConfig& s) { return compiled_ib_arbiter(s.high, s.low).value(); },
          [](const SchedulerConfig& s, std::uint32_t largest_message) {
            return ib_arbiter_rtl_limit(kLargeIbArbiter, s.high, s.low, largest_message);
          },
          [](VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
            return make_ib_arbiter_rtl(context, s.high, s.low, s.limit_of_high_priority, name);
          }};
}

// The plain class keeps its count while nothing is active (idle() does nothing), so the RTL is not asked then: a
// decision without an active SL would end a pending chance of the low-priority table.
constinit const SchedulerRtlKind kIbArbiterRtl{
    .type = &kIbArbiterScheduler,
    .idle_is_a_decision = false,
    .state = state_of_ib_arbiter,
    .saturations = nullptr,
    .registers = [](const SchedulerRtlSize&) -> std::vector<SchedulerRegister> {
      return {{"expired_q", 1}, {"sent_q", 14}};
    }};

std::unique_ptr<EgressPortRtl> make_egress_port_rtl(VerilatedContext& context, const EgressPortNeed& need,
                                                    const std::string& name) {
  return compiled<decltype(make_egress_port_rtl)>("egress_port")(context, need, name);
}

EgressPortBlock egress_port_block() {
  return {"egress_port", egress_port_size, [](unsigned scheduler) { return scheduler < kEgressSchedulers; },
          make_egress_port_rtl};
}

unsigned egress_scheduler(const SchedulerType& type) {
  const SchedulerType* const inside[kEgressSchedulers] = {&kDtableScheduler, &kDrrScheduler, &kIbArbiterScheduler};
  return static_cast<unsigned>(std::find(std::begin(inside), std::end(inside), &type) - std::begin(inside));
}

std::optional<SchedulerRtlLimit> egress_scheduler_limit(const SchedulerRtlSize& size, const SchedulerConfig& config,
                                                        std::uint32_t largest_message) {
  switch (egress_scheduler(*config.type)) {
    case 0:
      return dtable_rtl_limit(size, config.table, config.counter_bits, largest_message);
    case 1:
      return drr_rtl_limit(size, config.quanta, largest_message);
    default:
      return ib_arbiter_rtl_limit(size, config.high, config.low, largest_message);
  }
}

}  // namespace weft
