// Streams and traces on OPTWEB: messages at any time as instructions of the command sequencers
// (fabrics/optweb/optweb_fabric.h). Latencies are held against sums of the table in docs/optweb.md, bytes against those
// at their sources.

#include <fmt/format.h>

#include <sstream>

#include "algorithms/optweb/clock_period.h"
#include "base/diagnostics.h"
#include "fabrics/optweb/optweb_fabric.h"
#include "run/optweb/optweb_family.h"
#include "support/child.h"
#include "support/optweb_runs.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// Sums of docs/optweb.md, in cycles of 5 ns.
constexpr int kNotified = 1 + 16 + 30 + 1 + 17 + 4 + 4;  // a notification, from switch to sequencer
constexpr int kDoorbell = 1;
constexpr int kFirstWord = 2 + 3 + 50 + 2 + 3;
constexpr int kRendezvous = 8 + 64 + 4 + 2;  // the first word of one
constexpr int kMigration = 16 + 30 + 1 + 17 + 5 + 5 + 4;
constexpr int kConfirmed = 5 + 1;  // the confirmation has left, the receiver goes on
int on_link(int words) { return ((words + 1) * 256 + 224) / 225; }

struct Message {
  double generated, entered, delivered;
};

/// A network whose messages stand in a trace.
OptwebOutcome run_trace(const std::string& network, const std::string& levels, const std::string& lines,
                        const Overrides& set = {}) {
  const ScratchFolder folder;
  const std::string file = folder.write("t.csv", "time_ns,source,destination,level\n" + lines);
  return run_optweb_yaml("fabric: optweb\n" + network + "\nqos: { levels: { " + levels + " } }\ntrace: " + file +
                             "\nrun: { warm_up: 0ns, measure: 1ms, drain: 10ms }\nobserve: { message_log: true }\n",
                         set);
}

std::vector<Message> messages(const OptwebOutcome& run) {
  EXPECT_EQ(run.error + run.failure, "");
  std::istringstream log(run.messages);
  std::string line;
  std::vector<Message> out;
  for (std::getline(log, line); std::getline(log, line);) {
    std::vector<double> cells;
    std::istringstream in(line);
    for (std::string cell; cells.size() < 3 && std::getline(in, cell, ',');) cells.push_back(std::stod(cell));
    out.push_back({cells.at(0), cells.at(1), cells.at(2)});
  }
  return out;
}

// Eager up to 16 KiB, by rendezvous from there on.
TEST(OptwebTraffic, LatencyAloneIsTheSumOfItsParts) {
  for (const int bytes : {1, 32, 33, 64, 1000, 16384, 16385, 65536, 1 << 20}) {
    const int words = (bytes + 31) / 32;
    const int first = bytes > 16384 ? kRendezvous : kFirstWord;
    const int expected = kNotified + kDoorbell + first + on_link(words) + kMigration + kConfirmed;
    const std::string level = fmt::format("a: {{ message: {}B }}", bytes);
    const auto seen = messages(run_trace("nodes: 4\nverify: data", level, "1000,2,1,a\n"));
    ASSERT_EQ(seen.size(), 1U) << bytes;
    EXPECT_EQ(seen[0].delivered - seen[0].generated, 5 * expected) << bytes;
    EXPECT_EQ(seen[0].entered - seen[0].generated, 5 * (kNotified + kDoorbell + 3)) << bytes << ": issued";
  }
}

// What `weft check` says against a run, where it says something: other latencies of the parts.
TEST(OptwebTraffic, CheckAgreesWithRuns) {
  int told = 0;
  for (const std::string key : {"switch.setup=60cycles", "switch.setup=200cycles", "memory.rate=45Gb/s",
                                "memory.rate=46Gb/s", "link.rate=20Gb/s", "link.rate=51.2Gb/s", "memory.read=5cycles",
                                "switch.gate=90cycles", "switch.eager_buffer=0B", "link.gap=5"}) {
    for (const std::uint64_t bytes : {std::uint64_t{64}, std::uint64_t{40'000}}) {
      const std::string level = fmt::format("a: {{ message: {}B }}", bytes);
      const auto seen = messages(run_trace("nodes: 4\nmode: timing", level, "1000,2,1,a\n", {key}));
      ASSERT_EQ(seen.size(), 1U) << key;
      const ChildResult r = in_child([&] {
        Diagnostics diagnostics;
        const OptwebSystemConfig config =
            parse_optweb_config("fabric: optweb\nnodes: 4\nqos: { levels: { " + level + " } }\ntraffic: []\n", "t.yaml",
                                ".", {key}, diagnostics);
        return std::to_string(zero_load_latency(config, bytes).value_or(-1));
      });
      ASSERT_TRUE(r.ok) << r.text;
      if (r.text == "-1") continue;
      ++told;
      EXPECT_EQ(seen[0].delivered - seen[0].generated, 5 * std::stod(r.text)) << key << " " << bytes;
    }
  }
  EXPECT_EQ(told, 2 * 8) << "all but with a slow memory";
}

TEST(OptwebTraffic, CheckSaysTheLatencyAlone) {
  const ChildResult r = in_child([] {
    Diagnostics diagnostics;
    const OptwebSystemConfig config = parse_optweb_config(
        "fabric: optweb\nnodes: 4\nqos: { levels: { s: { message: 64B }, l: { message: 64KiB } } }\n"
        "traffic: [ { level: s, load: 0.1 } ]\n",
        "t.yaml", ".", {}, diagnostics);
    return fmt::format("{} {}", *zero_load_latency(config, 64), *zero_load_latency(config, 65536));
  });
  ASSERT_TRUE(r.ok) << r.text;
  EXPECT_EQ(r.text, fmt::format("{} {}", kNotified + kDoorbell + kFirstWord + on_link(2) + kMigration + kConfirmed,
                                kNotified + kDoorbell + kRendezvous + on_link(2048) + kMigration + kConfirmed));
}

// From 0 to the other place of another group: a recv and a fence at the node between, and its send behind them.
TEST(OptwebTraffic, TwoHopsAddUp) {
  const auto seen = messages(
      run_trace("nodes: 16\ntopology: dragonfly\ngroups: 4\nverify: data", "a: { message: 64B }", "1000,0,5,a\n"));
  ASSERT_EQ(seen.size(), 1U);
  const int hop = kFirstWord + on_link(2) + kMigration + kConfirmed;
  constexpr int kFence = 12;
  EXPECT_EQ(seen[0].delivered - seen[0].generated, 5 * (2 * kNotified + kDoorbell + hop + kFence + hop));
}

// At both nodes between them the same; instructions come a notification per level of the network later.
TEST(OptwebTraffic, ThreeHopsAddUp) {
  const auto seen = messages(run_trace("nodes: 27\ntopology: hierarchy\nlevels: [3, 3, 3]\nverify: data",
                                       "a: { message: 64B }", "1000,0,26,a\n5000,4,4,a\n9000,7,16,a\n"));
  ASSERT_EQ(seen.size(), 3U);
  const int hop = kFirstWord + on_link(2) + kMigration + kConfirmed;
  constexpr int kFence = 12;
  EXPECT_EQ(seen[0].delivered - seen[0].generated, 5 * (3 * kNotified + kDoorbell + hop + 2 * (kFence + hop)));
  EXPECT_EQ(seen[2].delivered - seen[2].generated, 5 * (3 * kNotified + kDoorbell + hop)) << "a link";
}

// Both send to each other in the same cycle: the lower source goes first at both nodes.
TEST(OptwebTraffic, MessagesOfACycleGoByTheirSources) {
  const auto seen = messages(run_trace("nodes: 3", "a: { message: 64B }", "1000,1,0,a\n1000,0,1,a\n"));
  ASSERT_EQ(seen.size(), 2U);
  const double alone = 5 * (kNotified + kDoorbell + kFirstWord + on_link(2) + kMigration + kConfirmed);
  EXPECT_EQ(seen[0].delivered - seen[0].generated, alone);
  EXPECT_GT(seen[1].delivered, seen[0].delivered + 500);
}

constexpr const char* kBusy = R"(
fabric: optweb
nodes: 6
verify: data
qos: { levels: { short: { message: 64B }, long: { message: 40KiB } } }
traffic:
  - { level: short, load: 0.002 }
  - { level: long, load: 0.03, source: bursts, burst: 3 }
run: { warm_up: 20us, measure: 400us, drain: 200us }
observe: { message_log: true }
)";

TEST(OptwebTraffic, EveryByteArrives) {
  const OptwebOutcome run = run_optweb_yaml(kBusy);
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(run.report["figures"]["run"]["conserved"]["value"], "yes");
  EXPECT_EQ(run.figure("run", "verified_bytes"), run.figure("run", "bytes"));
  EXPECT_GT(run.figure("run", "delivered"), 100);
  EXPECT_EQ(run.figure("run", "missing"), 0);
}

// Over one to three links.
TEST(OptwebTraffic, EveryByteArrivesOverSeveralHops) {
  const OptwebOutcome run = run_optweb_yaml(
      kBusy, {"nodes=12", "topology=hierarchy", "levels=[2, 3, 2]", "traffic.0.load=0.0005", "traffic.1.load=0.01"});
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(run.report["figures"]["run"]["conserved"]["value"], "yes");
  EXPECT_GT(run.figure("run", "verified_bytes"), 0);
  EXPECT_GT(run.figure("run", "delivered"), 100);
  EXPECT_GT(run.figure("run", "link_transfers"), run.figure("run", "delivered"));
  EXPECT_EQ(run.figure("run", "missing"), 0);
}

// The order of modules, the blocks, and own clocks of no difference change nothing.
TEST(OptwebTraffic, ResultsDependOnNothingElse) {
  const OptwebOutcome plain = run_optweb_yaml(kBusy);
  ASSERT_EQ(plain.error + plain.failure, "");
  for (const std::uint64_t seed : {1, 2}) {
    const OptwebOutcome run = run_optweb_yaml(kBusy, {}, [seed](OptwebRunOptions& o) { o.shuffle_seed = seed; });
    EXPECT_EQ(run.text, plain.text);
    EXPECT_EQ(run.messages, plain.messages);
  }
  const Overrides lockstep = {"sequencer.implementation=lockstep", "dmac.stripe_address=lockstep",
                              "link.implementation=lockstep"};
  const OptwebOutcome both = run_optweb_yaml(kBusy, lockstep);
  ASSERT_EQ(both.error + both.failure, "");
  EXPECT_EQ(both.messages, plain.messages);
  const ScratchFolder folder;
  const OptwebOutcome waves =
      run_optweb_yaml(kBusy, lockstep, [&](OptwebRunOptions& o) { o.waves = folder.path("w.fst"); });
  EXPECT_EQ(waves.messages, plain.messages);
  EXPECT_EQ(waves.text, both.text);
}

TEST(OptwebTraffic, ClocksOfTheirOwnCostLessThanAPeriodPerCrossing) {
  const std::string level = "a: { message: 64B }";
  const auto aligned = messages(run_trace("nodes: 4", level, "1000,2,1,a\n"));
  const auto own = messages(run_trace("nodes: 4\nclocks: { phase: random, tolerance_ppm: 50 }", level, "1000,2,1,a\n"));
  ASSERT_EQ(own.size(), 1U);
  // A crossing on the link; the agenda and the edges of both nodes.
  EXPECT_NEAR(own[0].delivered - own[0].generated, aligned[0].delivered - aligned[0].generated, 4 * 5.0);
}

// Loads are per cycle of the network, though records are in ticks of the fastest clock.
TEST(OptwebTraffic, LoadsOfClocksThatDifferArePerCycleOfTheNetwork) {
  const OptwebOutcome run = run_optweb_yaml(kBusy, {"clocks.phase=random", "clocks.tolerance_ppm=1000"});
  ASSERT_EQ(run.error + run.failure, "");
  const double flits_of_a_second = run.figure("run", "offered") * run.figure("network", "nodes") / 5e-9;
  EXPECT_NEAR(flits_of_a_second * 256 / 1e9, run.figure("run", "offered_rate"), 1e-6);
}

// More than the nodes take: queues grow, what no sequencer has is taken back, the rest arrives.
TEST(OptwebTraffic, OverloadIsToldAndEnds) {
  const OptwebOutcome run = run_optweb_yaml(kBusy, {"traffic.1.load=0.9", "traffic.1.source=bernoulli"});
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_THAT(std::string(run.report["figures"]["run"]["saturated_levels"]["value"]), HasSubstr("long"));
  EXPECT_GT(run.figure("run", "withdrawn"), 0);
  EXPECT_EQ(run.figure("run", "generated"), run.figure("run", "delivered") + run.figure("run", "withdrawn"));
}

TEST(OptwebTraffic, PatternsAreDrawnOnItsNodes) {
  const OptwebOutcome run =
      run_optweb_yaml(kBusy, {"traffic.1.destinations=pattern", "traffic.1.pattern=shift", "traffic.0.load=0"});
  EXPECT_EQ(run.failure, "");
  if (run.error.empty()) {
    EXPECT_GT(run.figure("run", "delivered"), 0);
  } else {
    EXPECT_THAT(run.error, HasSubstr("pattern"));
  }
}

TEST(OptwebTraffic, WhatCannotBeIsAnError) {
  const auto error = [](const Overrides& set) { return run_optweb_yaml(kBusy, set).error; };
  EXPECT_THAT(error({"measure.sizes=[64B]"}), HasSubstr("measure: there is traffic; only one of both may be given"));
  EXPECT_THAT(error({"qos.levels.long.message=300MiB"}),
              HasSubstr("qos.levels.long.message: expected at most 268435456B"));
  EXPECT_THAT(error({"host=[{ node: 0, op: write, size: 64B }]"}),
              HasSubstr("verify: hosts may write what messages send"));
  const OptwebOutcome no_levels = run_optweb_yaml("fabric: optweb\nnodes: 2\ntrace: t.csv\n");
  EXPECT_THAT(no_levels.error, HasSubstr("t.yaml:3:1: error: traffic and trace need the key 'qos'"));
  const OptwebOutcome nothing = run_optweb_yaml("fabric: optweb\nnodes: 2\n");
  EXPECT_THAT(nothing.error, HasSubstr("one of program, programs, program_file, measure, traffic and trace is needed"));
  const OptwebOutcome unused =
      run_optweb_yaml("fabric: optweb\nnodes: 2\nprogram: [ { op: barrier } ]\nrun: { measure: 1us }\n");
  EXPECT_THAT(unused.warnings, ContainsRegex("t.yaml:4:[0-9]+: .*run has no effect with programs"));
  EXPECT_THAT(run_trace("nodes: 2", "a: { message: 64B }", "10,0,2,a\n").error, ContainsRegex("t.csv:2:.*2"));
}

// A byte that changes on its way is found when its message arrives.
TEST(OptwebTraffic, AWrongByteIsFound) {
  class Corruptor final : public OptwebObserver {
   public:
    explicit Corruptor(OptwebNetwork& network) : network_(network) {}
    void on_deliver(const OptwebDelivery& d) override {
      const std::uint64_t stripe = std::uint64_t{512} << 20;
      const std::vector<std::byte> wrong(1, std::byte{0x5a});
      network_.node(d.to).memory().bytes().write(stripe * d.from + stripe / 2 + 17, wrong);
    }

   private:
    OptwebNetwork& network_;
  };
  const ChildResult r = in_child([]() -> std::string {
    Diagnostics diagnostics;
    const OptwebSystemConfig config = parse_optweb_config(
        "fabric: optweb\nnodes: 3\nverify: data\nqos: { levels: { a: { message: 64B } } }\ntraffic: [ { level: a, "
        "load: 0 } ]\n",
        "t.yaml", ".", {}, diagnostics);
    ClockDomain domain("clock", optweb::agenda_period(config));
    optweb::BlockFactory blocks;
    OptwebFabric fabric(domain, config, 1);
    OptwebNetwork network("optweb", domain, config, fabric.programs(), blocks);
    Corruptor corruptor(network);
    network.add_observer(corruptor);
    fabric.join(network);
    domain.capture_failures();
    Transfer transfer;
    transfer.to = 2;
    transfer.bytes = 64;
    fabric.send(1, transfer);
    sc_core::sc_start();
    if (!domain.failure()) return "nothing";
    try {
      std::rethrow_exception(domain.failure());
    } catch (const RunError& e) {
      return e.what();
    }
  });
  ASSERT_TRUE(r.ok) << r.text;
  EXPECT_EQ(r.text, "byte 17 of 64 of transfer 1 from node 1 to node 2 is wrong");
}

}  // namespace
}  // namespace weft::test
