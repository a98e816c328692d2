// Deficit round robin and InfiniBand's two-table arbiter in RTL as egress schedulers: the same decisions as the plain
// classes, and lockstep that sees faults, alone and in a network. The faulty copies are made by tests/CMakeLists.txt.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <sstream>
#include <tuple>

#include "Vdrr_keeps.h"
#include "Vdrr_narrow.h"
#include "Vib_arbiter_late.h"
#include "algorithms/qos/scheduler_factory.h"
#include "algorithms/qos/schedulers.h"
#include "base/diagnostics.h"
#include "cosim/packet/packet_rtl.h"
#include "cosim/packet/rtl_schedulers.h"
#include "cosim/packet/verilated_drr.h"
#include "cosim/packet/verilated_ib_arbiter.h"
#include "support/child.h"
#include "support/faulty_blocks.h"
#include "support/packet_runs.h"
#include "support/random_decisions.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Optional;

// A kind of scheduler with random contents; its messages have 1 to `sizes` credits.
struct RandomScheduler {
  const char* name;
  const SchedulerRtlKind* kind;
  std::uint64_t levels, sizes;
  SchedulerRtlSize compiled;
  std::function<SchedulerConfig(RandomStream&, std::uint64_t levels)> make;
};

void PrintTo(const RandomScheduler& s, std::ostream* out) { *out << s.name; }

SchedulerConfig drr_of(std::vector<std::uint32_t> quanta) {
  SchedulerConfig c;
  c.type = kDrrRtl.type;
  c.quanta = std::move(quanta);
  return c;
}

SchedulerConfig ib_of(ArbitrationTable high, ArbitrationTable low, std::uint32_t limit) {
  SchedulerConfig c;
  c.type = kIbArbiterRtl.type;
  c.high = std::move(high);
  c.low = std::move(low);
  c.limit_of_high_priority = limit;
  return c;
}

std::function<SchedulerConfig(RandomStream&, std::uint64_t)> random_quanta(std::uint64_t most) {
  return [most](RandomStream& random, std::uint64_t levels) {
    std::vector<std::uint32_t> quanta(levels);
    for (std::uint32_t& q : quanta) q = random.below(8) == 0 ? 0 : static_cast<std::uint32_t>(1 + random.below(most));
    return drr_of(quanta);
  };
}

std::function<SchedulerConfig(RandomStream&, std::uint64_t)> random_ib(std::uint64_t entries) {
  return [entries](RandomStream& random, std::uint64_t levels) {
    const auto table = [&] {
      ArbitrationTable out(1 + random.below(entries));
      for (TableEntry& e : out) {
        e.sl = static_cast<ServiceLevel>(random.below(levels));
        e.weight = random.below(5) == 0 ? 0 : static_cast<std::uint32_t>(random.below(256));
      }
      return out;
    };
    const std::uint32_t limits[] = {0, 1, 3, 254, 255};
    ArbitrationTable high = table();
    return ib_of(high, table(), limits[random.below(5)]);
  };
}

std::unique_ptr<SchedulerRtl> weft_rtl(VerilatedContext& context, const SchedulerConfig& config) {
  return builtin_blocks<PacketRtlBlocks>().scheduler(*config.type).blocks->builtin.make(context, config, "rtl");
}

class SchedulerRtlTest : public ::testing::TestWithParam<RandomScheduler> {
 protected:
  std::shared_ptr<VerilatedContext> context_ = make_rtl_context();
};

TEST_P(SchedulerRtlTest, RtlDecidesLikeTheModel) {
  const RandomScheduler& p = GetParam();
  std::size_t grants = 0;
  for (std::uint64_t seed = 0; seed < 10 * static_cast<std::uint64_t>(soak()); ++seed) {
    RandomStream setup(seed, "scheduler");
    const SchedulerConfig config = p.make(setup, p.levels);
    const auto& block = builtin_blocks<PacketRtlBlocks>().scheduler(*config.type).blocks->builtin;
    ASSERT_FALSE(block.limit(config, static_cast<std::uint32_t>(p.sizes)).has_value());
    ASSERT_EQ(block.size(config), p.compiled);
    const auto model = make_scheduler(config);
    RtlScheduler rtl(*p.kind, weft_rtl(*context_, config));
    EgressPort model_port;
    EgressPort rtl_port;
    RandomStream model_random(seed, "cycles");
    RandomStream rtl_random(seed, "cycles");
    for (int cycle = 0; cycle < 2000; ++cycle) {
      const auto a = random_decision(model_random, p.levels, p.sizes, model_port, *model);
      const auto b = random_decision(rtl_random, p.levels, p.sizes, rtl_port, rtl);
      ASSERT_EQ(a, b) << "seed " << seed << " cycle " << cycle;
      grants += a ? 1 : 0;
    }
    EXPECT_EQ(rtl.saturations(), 0U);
  }
  EXPECT_GT(grants, 1000U);
}

TEST_P(SchedulerRtlTest, LockstepAgrees) {
  const RandomScheduler& p = GetParam();
  std::size_t grants = 0;
  for (std::uint64_t seed = 100; seed < 100 + 10 * static_cast<std::uint64_t>(soak()); ++seed) {
    RandomStream random(seed, "lockstep");
    const SchedulerConfig config = p.make(random, p.levels);
    LockstepCount count;
    LockstepScheduler both(
        *p.kind, make_scheduler(config), weft_rtl(*context_, config), "sw[0].out[1]", [] { return std::string("0ns"); },
        count);
    EgressPort port;
    for (int cycle = 0; cycle < 2000; ++cycle) {
      grants += random_decision(random, p.levels, p.sizes, port, both) ? 1 : 0;
    }
    EXPECT_GE(count.requests, 1000U);
  }
  EXPECT_GT(grants, 1000U);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, SchedulerRtlTest,
    ::testing::Values(RandomScheduler{"drr_2", &kDrrRtl, 2, 5, kSmallDrr, random_quanta(9)},
                      RandomScheduler{"drr_8", &kDrrRtl, 8, 32, kSmallDrr, random_quanta(40)},
                      RandomScheduler{"drr_16_wide", &kDrrRtl, 16, 65535, kSmallDrr, random_quanta(65535)},
                      RandomScheduler{"drr_32", &kDrrRtl, 32, 64, kLargeDrr, random_quanta(200)},
                      RandomScheduler{"ib_arbiter_2", &kIbArbiterRtl, 2, 40, kSmallIbArbiter, random_ib(1)},
                      RandomScheduler{"ib_arbiter_16", &kIbArbiterRtl, 16, 200, kSmallIbArbiter, random_ib(64)},
                      RandomScheduler{"ib_arbiter_16_wide", &kIbArbiterRtl, 16, 65535, kSmallIbArbiter, random_ib(33)},
                      RandomScheduler{"ib_arbiter_32", &kIbArbiterRtl, 32, 64, kLargeIbArbiter,
                                      [](RandomStream& random, std::uint64_t levels) {
                                        SchedulerConfig c = random_ib(64)(random, levels);
                                        c.low.back() = {31, 7};
                                        return c;
                                      }}),
    [](const auto& chosen) { return std::string(chosen.param.name); });

std::unique_ptr<SchedulerRtl> faulty_drr(VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
  return std::make_unique<VerilatedDrr<Vdrr_keeps, kSmallDrr>>(context, s.quanta, name);
}
std::unique_ptr<SchedulerRtl> faulty_ib(VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
  const IbTables tables{s.high, s.low, s.limit_of_high_priority};
  return std::make_unique<VerilatedIbArbiter<Vib_arbiter_late, kSmallIbArbiter>>(context, tables, name);
}

// The first decision in which a faulty copy differs, and what lockstep says about it.
std::string difference(const SchedulerRtlKind& kind, const SchedulerConfig& config, decltype(SchedulerBlock::make) make,
                       EgressPort& port, const std::function<void(int)>& before) {
  const auto context = make_rtl_context();
  int cycle = 0;
  LockstepCount count;
  LockstepScheduler both(
      kind, make_scheduler(config), make(*context, config, "faulty"), "sw[3].out[2]",
      [&] { return fmt::format("{}ns (cycle {})", 5 * cycle, cycle); }, count);
  try {
    for (; cycle < 100; ++cycle) {
      before(cycle);
      port.step(both);
    }
  } catch (const RunError& e) {
    return e.what();
  }
  return "nothing";
}

// SL 0 sends 2 of 3 credits, SL 1 one; SL 0 is without credits in cycle 2 and must begin anew in cycle 3: 3 credits do
// not cover its message of 4, but 3 + 1 would.
TEST(SchedulerLockstep, DrrThatKeepsACounterIsCaughtWhenItShows) {
  EgressPort port;
  for (const std::uint32_t size : {2U, 4U, 4U}) port.push(0, size);
  for (int i = 0; i < 20; ++i) port.push(1, 1);
  EXPECT_EQ(difference(kDrrRtl, drr_of({3, 1}), faulty_drr, port, [&](int cycle) { port.block(0, cycle == 2); }),
            "lockstep difference in sw[3].out[2] at 15ns (cycle 3)\n"
            "  active SLs, with the credits of their head messages: SL 0: 4, SL 1: 1\n"
            "  model after this step: turn of SL 0; deficits: SL 0: 3\n"
            "  model grants nothing\n"
            "  rtl grants SL 0");
}

// Two messages of 32 credits reach the limit of 64, after which it is the turn of low priority.
TEST(SchedulerLockstep, ArbiterThatPassesTheLimitIsCaughtWhenItShows) {
  EgressPort port;
  for (int i = 0; i < 9; ++i) port.push(0, 32);
  for (int i = 0; i < 9; ++i) port.push(1, 1);
  EXPECT_EQ(
      difference(kIbArbiterRtl, ib_of({{0, 255}}, {{1, 100}}, 1), faulty_ib, port, [](int) {}),
      "lockstep difference in sw[3].out[2] at 10ns (cycle 2)\n"
      "  active SLs, with the credits of their head messages: SL 0: 32, SL 1: 1\n"
      "  model after this step: high-priority table: entry 0 of SL 0 with 191 credits left; low-priority table: "
      "entry 0 of SL 1 with 100 credits left; 64 credits of high priority counted, the low-priority table has its "
      "chance\n"
      "  model grants SL 1\n"
      "  rtl grants SL 0");
}

// Quanta and messages that just fit the counters of the block: what they reach is there, and nothing saturates.
TEST(SchedulerLockstep, CountersThatTheLimitAllowsSuffice) {
  constexpr DrrRtlSize kNarrow{4, 0, 6, 6, 6};
  const std::vector<std::uint32_t> quanta{1, 31, 32, 17};
  ASSERT_FALSE(drr_rtl_limit(kNarrow, quanta, 32).has_value());
  const auto context = make_rtl_context();
  LockstepCount count;
  LockstepScheduler both(
      kDrrRtl, make_scheduler(drr_of(quanta)),
      std::make_unique<VerilatedDrr<Vdrr_narrow, kNarrow>>(*context, quanta, "narrow"), "here",
      [] { return std::string(); }, count);
  EgressPort port;
  RandomStream random(1, "narrow");
  std::uint64_t most = 0;
  for (int cycle = 0; cycle < 20000; ++cycle) {
    random_decision(random, 4, 32, port, both);
    for (ServiceLevel sl = 0; sl < 4; ++sl) {
      most = std::max(most, dynamic_cast<const DeficitRoundRobin&>(both.model()).deficit(sl));
    }
  }
  EXPECT_GE(most, 28U) << "deficits are far from the largest, 31";
}

TEST(SchedulerLockstep, LargerMessageThanThePinsTakeStopsTheRun) {
  const auto context = make_rtl_context();
  RtlScheduler rtl(kDrrRtl, weft_rtl(*context, drr_of({1})));
  EgressPort port;
  port.push(0, 65536);
  EXPECT_THROW(port.step(rtl), RunError);
}

// What leaves the NICs: cycle of the first flit, source, destination, level.
using Departures = std::set<std::tuple<std::int64_t, std::string, std::string, std::string>>;
Departures departures(const std::string& log) {
  std::istringstream in(log);
  std::string line;
  Departures out;
  for (std::getline(in, line); std::getline(in, line);) {
    std::vector<std::string> c;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) c.push_back(cell);
    out.insert({std::llround(std::stod(c.at(1)) * 1000 / 5120), c.at(3), c.at(4), c.at(5)});
  }
  return out;
}

// A network with the faulty copy in all NICs. Lockstep must stop in the cycle of the decision that first sends another
// message than the model does: the faulty copy alone, whose run goes on, says which one that is.
void expect_caught_in_a_network(const std::string& scheduler, const std::string& contents,
                                RtlBlocks<SchedulerBlock> PacketRtlBlocks::*place,
                                decltype(SchedulerBlock::make) make) {
  const std::string yaml = R"(
fabric: packet
topology: { kind: mesh, dims: [2], nodes_per_switch: 2 }
traffic: [ { level: NC, load: 0.35, source: bursts }, { level: BE, load: 0.5, source: bursts } ]
run: { warm_up: 0ns, measure: 20us, drain: 40us }
observe: { message_log: true }
qos: { scheduler: )" + scheduler +
                           contents + " }\n";
  const std::string key = "qos." + scheduler + ".instances=";
  const auto which = [&](const std::string& implementation) {
    return Overrides{key + "{'nic[0..3]': { implementation: " + implementation + " }}"};
  };
  const PacketRtlBlocks faulty = with_scheduler(place, make);
  const PacketOutcome model = run_packet_yaml(yaml);
  const PacketOutcome good = run_packet_yaml(yaml, which("lockstep"));
  const PacketOutcome alone = run_packet_yaml(yaml, which("rtl"), {}, {}, faulty);
  ASSERT_EQ(model.error + model.failure + good.error + good.failure + alone.error + alone.failure, "") << scheduler;
  EXPECT_EQ(good.messages, model.messages);
  const Departures right = departures(model.messages);
  const Departures wrong = departures(alone.messages);
  ASSERT_GT(right.size(), 200U);
  ASSERT_NE(right, wrong) << "the fault does not show";
  const auto pair = std::mismatch(right.begin(), right.end(), wrong.begin(), wrong.end());
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  if (pair.first != right.end()) first = std::min(first, std::get<0>(*pair.first));
  if (pair.second != wrong.end()) first = std::min(first, std::get<0>(*pair.second));
  const ScratchFolder folder;
  for (const std::string& waves : {std::string(), folder.path("w.fst")}) {
    const PacketOutcome run = run_packet_yaml(
        yaml, which("lockstep"), [&](PacketRunOptions& o) { o.waves = waves; }, {}, faulty);
    ASSERT_EQ(run.error, "");
    EXPECT_THAT(run.failure, HasSubstr("lockstep difference in packet.nic["));
    EXPECT_THAT(run.failure, HasSubstr(fmt::format("(cycle {})\n", first - 1))) << scheduler << " " << waves;
    EXPECT_EQ(run.report["complete"], false);
  }
}

TEST(SchedulerLockstep, FaultyDrrStopsANetworkInItsCycle) {
  expect_caught_in_a_network("drr",
                             ", levels: { NC: { message: 192B, quantum: 2 }, BE: { message: 1024B, quantum: 7 } }",
                             &PacketRtlBlocks::drr, faulty_drr);
}

TEST(SchedulerLockstep, FaultyArbiterStopsANetworkInItsCycle) {
  expect_caught_in_a_network("ib_arbiter",
                             ", levels: { NC: { message: 1024B }, BE: { message: 1024B } }, ib_arbiter: { high: [ { "
                             "sl: NC, weight: 9 } ], low: "
                             "[ { sl: BE, weight: 7 } ], limit_of_high_priority: 1 }",
                             &PacketRtlBlocks::ib_arbiter, faulty_ib);
}

const auto is = [](SchedulerRtlLimit::Of of, std::size_t entry, const char* text) {
  return Optional(AllOf(Field(&SchedulerRtlLimit::of, of), Field(&SchedulerRtlLimit::entry, entry),
                        Field(&SchedulerRtlLimit::text, HasSubstr(text))));
};

TEST(SchedulerRtlLimit, OfDeficitRoundRobin) {
  using Of = SchedulerRtlLimit::Of;
  EXPECT_FALSE(drr_rtl_limit(std::vector<std::uint32_t>(32, 65535), 65535).has_value());
  EXPECT_THAT(drr_rtl_limit({1, 65536, 2}, 1),
              is(Of::weight, 1, "quantum 65536; the compiled RTL takes at most 65535"));
  EXPECT_THAT(drr_rtl_limit({1}, 65536), is(Of::messages, 0, "messages of 65536 credits"));
  EXPECT_EQ(compiled_drr(std::vector<std::uint32_t>(16, 1)), kSmallDrr);
  EXPECT_EQ(compiled_drr(std::vector<std::uint32_t>(17, 1)), kLargeDrr);
  const DrrRtlSize own{4, 0, 6, 6, 6};
  EXPECT_FALSE(drr_rtl_limit(own, {1, 1, 1, 32}, 32).has_value()) << "31 left and a quantum of 32 are 63";
  EXPECT_THAT(drr_rtl_limit(own, {1, 1, 1, 32}, 33), is(Of::counters, 3, "a counter can reach 64; those of the"));
  EXPECT_THAT(drr_rtl_limit(own, {1, 1, 1, 1, 1}, 1), is(Of::level, 4, "SL 4; the compiled RTL has SLs 0 to 3"));
  EXPECT_THROW(make_drr_rtl(*make_rtl_context(), {70000}, "x"), std::invalid_argument);
}

TEST(SchedulerRtlLimit, OfInfiniBandsArbiter) {
  using Of = SchedulerRtlLimit::Of;
  const ArbitrationTable full(64, TableEntry{31, 255});
  EXPECT_FALSE(ib_arbiter_rtl_limit(kLargeIbArbiter, full, full, 65535).has_value());
  EXPECT_THAT(ib_arbiter_rtl_limit(kLargeIbArbiter, full, full, 65536), is(Of::messages, 0, "messages of 65536"));
  EXPECT_EQ(compiled_ib_arbiter({{15, 1}}, {}), kSmallIbArbiter);
  EXPECT_EQ(compiled_ib_arbiter({}, {{16, 1}}), kLargeIbArbiter);
  const IbArbiterRtlSize own{4, 2, 8, 6, 0};
  EXPECT_THAT(ib_arbiter_rtl_limit(own, ArbitrationTable(3), {}, 1), is(Of::table, 0, "a table of 3 entries"));
  const auto low = ib_arbiter_rtl_limit(own, {}, {{0, 1}, {4, 1}}, 1);
  EXPECT_THAT(low, is(Of::level, 1, "SL 4; the compiled RTL has SLs 0 to 3"));
  EXPECT_EQ(low->table, SchedulerRtlLimit::Table::low);
  EXPECT_THROW(make_ib_arbiter_rtl(*make_rtl_context(), ArbitrationTable(65), {}, 0, "x"), std::invalid_argument);
}

}  // namespace
}  // namespace weft::test
