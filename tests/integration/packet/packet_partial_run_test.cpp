// Runs of packet networks that end early: interrupted, or without the settling at the end.

#include <gtest/gtest.h>

#include "fabrics/packet/packet_network.h"
#include "support/packet_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

const std::string kLoaded =
    "fabric: packet\ntopology: { kind: tree, arity: 3, levels: 2 }\n"
    "qos:\n  levels: { a: { message: 64B }, b: { message: 640B } }\n"
    "traffic:\n  - { level: a, load: 0.1 }\n  - { level: b, load: 0.4, source: bursts }\n"
    "run: { warm_up: 3us, measure: 20us, drain: 50us }\n";

TEST(PacketPartialRun, InterruptedRunsAreMarkedAsPartial) {
  int asked = 0;
  const PacketOutcome r =
      run_packet_yaml(kLoaded, {}, [&](PacketRunOptions& o) { o.interrupted = [&] { return ++asked > 1000; }; });
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_FALSE(r.report["complete"].get<bool>());
  EXPECT_THAT(r.report["incomplete_because"].get<std::string>(), HasSubstr("interrupted in cycle"));
}

// Rates count over the part of the window that has passed, whenever a run is stopped; nothing is lost sight of.
TEST(PacketPartialRun, RatesOfAnInterruptedRunAreThoseOfItsTime) {
  for (const double stop : {0.5, 0.1, 0.02}) {  // of the window; the last one is before it
    const PacketOutcome r = run_packet_yaml(
        "fabric: packet\ntopology: { kind: mesh, dims: [4] }\nqos: { levels: { a: { message: 64B } } }\n"
        "traffic: [ { level: a, load: 0.25, source: constant_rate } ]\n"
        "run: { warm_up: 51200ns, measure: 1024us }\n",  // 10,000 and 200,000 cycles
        {}, [&](PacketRunOptions& o) {
          o.prepare = [&, stop](sc_core::sc_module& module) {
            auto& network = dynamic_cast<PacketNetwork&>(module);
            o.interrupted = [&network, stop] {
              return static_cast<double>(network.domain().now()) > (stop > 0.05 ? 10'000 : 0) + stop * 200'000;
            };
          };
        });
    ASSERT_EQ(r.error + r.failure, "");
    EXPECT_FALSE(r.report["complete"].get<bool>());
    if (stop < 0.05) {
      EXPECT_EQ(r.figure("offered"), 0);
      EXPECT_EQ(r.figure("window"), 0);
    } else {
      EXPECT_NEAR(r.figure("window"), stop * 1'024'000, 100);
      EXPECT_NEAR(r.figure("offered"), 0.25, 0.001);
      EXPECT_NEAR(r.figure("accepted"), 0.25, 0.001);
      EXPECT_EQ(r.report["figures"]["run"]["saturated_levels"]["value"], "none");
    }
    EXPECT_EQ(r.figure("generated"), r.figure("delivered") + r.figure("in_flight"));
  }
}

// Without settling what has not arrived is under way, not stalled.
TEST(PacketPartialRun, WhatIsUnderWayAtTheEndIsCounted) {
  const PacketOutcome r = run_packet_yaml(kLoaded, {"run.settle=false", "run.drain=0ns"});
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_GT(r.figure("in_flight"), 0);
  EXPECT_EQ(r.figure("stalled") + r.figure("lost") + r.figure("withdrawn"), 0);
  EXPECT_EQ(r.figure("generated"), r.figure("delivered") + r.figure("in_flight"));
}

}  // namespace
}  // namespace weft::test
