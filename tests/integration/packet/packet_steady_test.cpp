// Runs of packet networks that go on until mean latencies are known, and what every run says of its statistics:
// confidence intervals, saturation, latencies that still rise.

#include <cmath>

#include "schema/document.h"
#include "support/packet_runs.h"
#include "support/places.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kSteadyCycle = 5.12;  // ns

// Two NICs at two switches that send to each other, messages of 8 flits: every place on the way is as fast as a NIC's
// link, so they wait nowhere but in front of it, as at a server of 8 cycles.
std::string pair(const std::string& run, double load) {
  return fmt::format(
      "fabric: packet\ntopology: {{ kind: mesh, dims: [2] }}\nqos: {{ levels: {{ a: {{ message: 512B }} }} }}\n"
      "traffic: [ {{ level: a, load: {} }} ]\nrun: {{ {} }}\n",
      load, run);
}
// Geo/D/1: load (S - 1) / (2 (1 - load)) cycles.
double mean_wait(double load) { return load * 7 / (2 * (1 - load)) * kSteadyCycle; }

std::string text(const PacketOutcome& r, const std::string& section, const std::string& figure) {
  return r.report["figures"][section][figure]["value"].get<std::string>();
}
bool yes(const PacketOutcome& r, const std::string& figure) {
  return r.report["figures"]["steady"][figure]["value"].get<bool>();
}

TEST(PacketSteady, TheMeanIsThatOfTheClosedForm) {
  const PacketOutcome idle = run_packet_yaml(pair("warm_up: 0ns, measure: 100us", 0.001));
  ASSERT_EQ(idle.error + idle.failure, "");
  const double zero_load = idle.cell("services", 0, "latency_min").get<double>();
  int held = 0;
  for (int seed = 1; seed <= 10; ++seed) {
    const PacketOutcome r =
        run_packet_yaml(pair("until: steady, half_width: 3%, at_most: 50ms", 0.7), {fmt::format("seed={}", seed)});
    ASSERT_EQ(r.error + r.failure, "");
    EXPECT_TRUE(yes(r, "warmed_up"));
    EXPECT_FALSE(yes(r, "out_of_time"));
    EXPECT_EQ(text(r, "steady", "not_known"), "none");
    EXPECT_EQ(text(r, "run", "saturated_levels"), "none");
    EXPECT_THAT(r.report["notes"], IsEmpty());
    EXPECT_LE(r.cell("services", 0, "relative_half_width").get<double>(), 3);
    const double mean = r.cell("services", 0, "latency_mean").get<double>();
    const double half_width = r.cell("services", 0, "half_width").get<double>();
    EXPECT_NEAR(mean, zero_load + mean_wait(0.7), 3 * half_width) << seed;
    held += std::abs(mean - zero_load - mean_wait(0.7)) <= half_width ? 1 : 0;
  }
  EXPECT_GE(held, 7) << "of ten, 95 percent each";
}

TEST(PacketSteady, LowerLoadsTakeLessTime) {
  const auto length = [](double load) {
    const PacketOutcome r = run_packet_yaml(pair("until: steady, at_most: 100ms", load));
    EXPECT_EQ(r.error + r.failure, "");
    return r.figure("window");
  };
  EXPECT_GT(length(0.9), 3 * length(0.3));
}

// A run that looks now and then is no other run: measured at once with the warm-up and the window it found, every
// message is the same. So it is when modules of a phase act in another order, and when it is run again.
TEST(PacketSteady, LooksChangeNothing) {
  const std::string network =
      "fabric: packet\ntopology: { kind: tree, arity: 3, levels: 2 }\nseed: 7\n"
      "qos: { levels: { a: { message: 64B }, b: { message: 640B } } }\nobserve: { message_log: true }\n"
      "traffic:\n  - { level: a, load: 0.1 }\n  - { level: b, load: 0.2, source: bursts }\n";
  for (const char* architecture : {"ib", "opa", "iq"}) {
    const Overrides set{std::string("switch.architecture=") + architecture};
    const std::string steady = network + "run: { until: steady, warm_up: 5us, measure: 10us, half_width: 10% }\n";
    const PacketOutcome found = run_packet_yaml(steady, set);
    ASSERT_EQ(found.error + found.failure, "");
    EXPECT_FALSE(yes(found, "out_of_time"));
    EXPECT_GT(found.figure("warm_up"), 5000);
    EXPECT_TRUE(run_packet_yaml(steady, set).text == found.text);
    EXPECT_TRUE(run_packet_yaml(steady, set, [](PacketRunOptions& o) { o.shuffle_seed = 3; }).text == found.text);
    const auto ps = [&](const char* figure) { return std::llround(found.figure(figure) * 1000); };
    const PacketOutcome fixed = run_packet_yaml(
        network + fmt::format("run: {{ warm_up: {}ps, measure: {}ps }}\n", ps("warm_up"), ps("window")), set);
    ASSERT_EQ(fixed.error + fixed.failure, "");
    EXPECT_EQ(fixed.report["tables"], found.report["tables"]) << architecture;
    EXPECT_TRUE(fixed.messages == found.messages);
    for (const char* figure : {"offered", "accepted", "generated", "delivered", "flit_hops", "cycles", "drain"}) {
      EXPECT_EQ(fixed.figure(figure), found.figure(figure)) << architecture << " " << figure;
    }
  }
}

// Two levels whose loads add up to 1.5: strict priority serves the first one whole.
const std::string kOverload =
    "fabric: packet\ntopology: { kind: mesh, dims: [2] }\n"
    "qos: { scheduler: strict_priority, levels: { high: { message: 256B }, low: { message: 512B } } }\n"
    "traffic: [ { level: high, load: 0.6 }, { level: low, load: 0.9 } ]\n";

TEST(PacketSteady, SaturationEndsTheRunWithTheGrowthOfTheQueues) {
  const PacketOutcome r = run_packet_yaml(kOverload + "run: { until: steady, half_width: 5% }\n");
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(text(r, "run", "saturated_levels"), "low");
  EXPECT_EQ(text(r, "steady", "not_known"), "none");
  EXPECT_FALSE(yes(r, "out_of_time"));
  EXPECT_LE(r.cell("services", 0, "relative_half_width").get<double>(), 5);
  // 0.5 flits per cycle of either NIC.
  EXPECT_NEAR(r.cell("services", 1, "queue_growth").get<double>(), 2 * 0.5 / kSteadyCycle * 1000, 10);
  EXPECT_NEAR(r.cell("services", 0, "queue_growth").get<double>(), 0, 1);
  EXPECT_THAT(r.report["notes"], Contains(HasSubstr("saturated: low (19")));
}

TEST(PacketSteady, OneLevelCanBeControlledAlone) {
  const auto run = [](const std::string& levels) {
    const PacketOutcome r = run_packet_yaml(kOverload + "run: { until: steady, half_width: 2%" + levels + " }\n");
    EXPECT_EQ(r.error + r.failure, "");
    return r;
  };
  const PacketOutcome high = run(", levels: [high]");
  EXPECT_EQ(text(high, "steady", "controlled_levels"), "high");
  EXPECT_LE(high.cell("services", 0, "relative_half_width").get<double>(), 2);
  EXPECT_LE(high.figure("window"), run("").figure("window"));
}

TEST(PacketSteady, WhatIsNotReachedInTimeIsTold) {
  const PacketOutcome r = run_packet_yaml(pair("until: steady, half_width: 0.1%, measure: 40us, at_most: 200us", 0.9));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_TRUE(yes(r, "out_of_time"));
  EXPECT_EQ(text(r, "steady", "not_known"), "a");
  EXPECT_GE(r.figure("window"), 40'000);
  EXPECT_NEAR(r.figure("warm_up") + r.figure("window"), 200'000, kSteadyCycle);
  EXPECT_THAT(r.report["notes"], Contains(HasSubstr("run.at_most")));
}

TEST(PacketSteady, AnInterruptedRunMeasuresWhatHasPassed) {
  int asked = 0;
  const PacketOutcome r =
      run_packet_yaml(pair("until: steady, half_width: 0.1%, at_most: 1s", 0.5), {},
                      [&](PacketRunOptions& o) { o.interrupted = [&] { return ++asked > 20'000; }; });
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_FALSE(r.report["complete"].get<bool>());
  EXPECT_GT(r.figure("window"), 0);
  EXPECT_NEAR(r.figure("accepted"), 0.5, 0.05);
}

// Of a window of given length.
TEST(PacketSteady, EveryRunHasConfidenceIntervals) {
  const PacketOutcome r = run_packet_yaml(pair("warm_up: 50us, measure: 2ms", 0.7));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_THAT(r.report["notes"], IsEmpty());
  const double half_width = r.cell("services", 0, "half_width").get<double>();
  const double mean = r.cell("services", 0, "latency_mean").get<double>();
  EXPECT_GT(half_width, 0);
  EXPECT_NEAR(r.cell("services", 0, "relative_half_width").get<double>(), 100 * half_width / mean, 1e-9);
  EXPECT_GE(r.cell("services", 0, "batches").get<int>(), 16);
  EXPECT_LE(r.cell("services", 0, "batches").get<int>(), 32);
  const PacketOutcome sure = run_packet_yaml(pair("warm_up: 50us, measure: 2ms, confidence: 99.9%", 0.7));
  EXPECT_NEAR(sure.cell("services", 0, "half_width").get<double>() / half_width, 3.63 / 2.04, 0.05);
  const PacketOutcome few = run_packet_yaml(pair("warm_up: 0ns, measure: 1us", 0.5));
  EXPECT_TRUE(few.cell("services", 0, "half_width").is_null());
  EXPECT_THAT(few.report["notes"], Contains(HasSubstr("too few messages for a confidence interval")));
}

// Near its limit a network holds much and its queues wander; beyond it they grow. Long windows.
TEST(PacketSteady, LongStableRunsAreNotCalledSaturatedAndOverloadedOnesAre) {
  const std::string tree =
      "fabric: packet\ntopology: { kind: tree, arity: 3, levels: 2 }\n"
      "qos: { levels: { a: { message: 128B }, b: { message: 1024B } } }\nswitch: { crossbar_rate: 2 }\n"
      "traffic:\n  - { level: a, load: 0.1, source: constant_rate }\n  - { level: b, load: 0.8 }\n"
      "run: { warm_up: 200us, measure: 2ms }\n";
  for (int seed = 1; seed <= 5; ++seed) {
    const std::string own = fmt::format("seed={}", seed);
    const PacketOutcome stable = run_packet_yaml(tree, {own});
    ASSERT_EQ(stable.error + stable.failure, "");
    EXPECT_EQ(text(stable, "run", "saturated_levels"), "none") << seed;
    EXPECT_NEAR(stable.figure("accepted"), stable.figure("offered"), 0.005) << seed;
    const PacketOutcome over = run_packet_yaml(tree, {own, "traffic.1.load=0.95"});
    ASSERT_EQ(over.error + over.failure, "");
    EXPECT_THAT(text(over, "run", "saturated_levels"), HasSubstr("b")) << seed;
  }
}

// The warm-up ends long before the latency has come to rest.
TEST(PacketSteady, LatencyThatStillRisesIsTold) {
  const std::string first = source_dir() + "/configs/packet/first.yaml";
  const std::string yaml = "base: " + first + "\n";
  const PacketOutcome r = run_packet_yaml(yaml);
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_THAT(r.report["notes"],
              Contains(AllOf(HasSubstr("not steady: "), HasSubstr("bulk"), HasSubstr("still rises"))));
  EXPECT_EQ(r.cell("services", 1, "rising"), true);
  EXPECT_EQ(text(r, "run", "saturated_levels"), "none");
  const PacketOutcome light = run_packet_yaml(yaml, {"traffic.1.load=0.3", "run.measure=400us"});
  EXPECT_THAT(light.report["notes"], Not(Contains(HasSubstr("not steady"))));
}

}  // namespace
}  // namespace weft::test
