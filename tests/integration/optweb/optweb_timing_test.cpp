// Times of OPTWEB instructions: the published figures, cycle counts added up by hand, and what a changed part does to
// them.

#include <cmath>

#include "integration/optweb/optweb_timing.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

// Figures of the paper (IEEE Trans. Computers 70(6), 2021): sections 4.2, 4.3.2, 4.3.4; Figures 10, 12, 15.
TEST(OptwebTiming, StartUpLatenciesArePublished) {
  const OptwebOutcome r = good_timing(kTimingHead +
                                      "measure: { operations: [barrier, transfer, sendrecv, scatter, gather, "
                                      "broadcast, alltoall, allgather, multipath], sizes: [64B] }\n");
  EXPECT_NEAR(r.startup_us("barrier_configuration"), 0.04, 0.005);
  EXPECT_NEAR(r.startup_us("barrier_migration"), 0.36, 0.005);
  for (const char* op : {"transfer", "sendrecv", "scatter", "gather", "broadcast", "alltoall", "allgather"}) {
    EXPECT_NEAR(r.startup_us(std::string(op) + "_configuration"), 0.32, 0.005) << op;
    EXPECT_NEAR(r.startup_us(std::string(op) + "_migration"), 0.39, 0.005) << op;
    EXPECT_NEAR(r.startup_us(std::string(op) + "_latency"), 0.71, 0.005) << op;
    // The paper takes half of the time from sending to the confirmation at the source for the migration.
    EXPECT_NEAR((r.startup_us(std::string(op) + "_confirmed") - r.startup_us(std::string(op) + "_configuration")) / 2,
                0.39, 0.005)
        << op;
  }
  EXPECT_NEAR(r.startup_us("multipath_latency"), 1.87, 0.02);
}

// Of the 64 cycles of configuration the first word is on the link after 60, the last one 4 later; 74 more until it is
// counted, which leave the 4 of the report out.
TEST(OptwebTiming, TransfersHaveLatencyAndLoad) {
  const OptwebOutcome r =
      good_timing(kTimingHead + "program: [ { op: transfer, source: 0, destination: 1, size: 64B } ]\n");
  const auto& services = r.report["tables"]["services"]["rows"];
  ASSERT_EQ(services.size(), 1U);
  EXPECT_EQ(services[0]["service"], "eager");
  EXPECT_EQ(services[0]["messages"], 1);
  EXPECT_EQ(services[0]["latency_mean"], 5.0 * (60 + 4 + 74));
  EXPECT_EQ(services[0]["queueing"], 5.0 * 60);
  EXPECT_EQ(services[0]["serialization"], 5.0 * 4);
  EXPECT_EQ(services[0]["network"], 5.0 * 74);
  EXPECT_EQ(r.figure("run", "latency_p99"), 5.0 * (60 + 4 + 74));
  const double time = r.figure("run", "time");
  EXPECT_DOUBLE_EQ(r.figure("run", "accepted"), 2 / (4 * time / 5));  // words of 32 B, 4 nodes
  EXPECT_DOUBLE_EQ(r.figure("run", "accepted_rate"), 512 / time);
  const auto& links = r.report["tables"]["links"]["rows"];
  ASSERT_EQ(links.size(), 1U);
  EXPECT_EQ(links[0]["link"], "node[0] -> node[1]");
  EXPECT_EQ(links[0]["words"], 2);
  EXPECT_NEAR(links[0]["utilization"].get<double>(), 100 * 512 / 45.0 / time, 1e-9);
}

// Of every operation, every transfer is measured, be it to relays, by rendezvous or before its instruction.
TEST(OptwebTiming, EveryTransferIsMeasured) {
  const OptwebOutcome r =
      good_timing(kTimingHead +
                  "measure: { operations: [sendrecv, scatter, gather, broadcast, alltoall, allgather, "
                  "multipath, reduce, allreduce], sizes: [64B, 1KiB, 64KiB] }\n");
  std::int64_t measured = 0;
  for (const auto& row : r.report["tables"]["services"]["rows"]) {
    measured += row["messages"].get<std::int64_t>();
    EXPECT_NEAR(row["queueing"].get<double>() + row["network"].get<double>() + row["serialization"].get<double>(),
                row["latency_mean"].get<double>(), 1e-6);
  }
  EXPECT_EQ(measured, r.figure("run", "transfers"));
  EXPECT_GT(measured, 100);
}

// Section 4.3.2: with a receive buffer of 0 B even 64 B are by rendezvous, which takes 0.09 us more.
TEST(OptwebTiming, RendezvousIsPublished) {
  const std::string yaml = kTimingHead + "measure: { operations: [allgather, sendrecv], sizes: [64B] }\n";
  const OptwebOutcome r = good_timing(yaml, {"switch.eager_buffer=0B"});
  EXPECT_NEAR(r.startup_us("allgather_latency"), 0.80, 0.005);
  EXPECT_NEAR(r.startup_us("sendrecv_latency"), 0.80, 0.005);
  EXPECT_EQ(r.cell(2, "protocol"), "rendezvous");
}

TEST(OptwebTiming, BandwidthsArePublished) {
  const OptwebOutcome r =
      good_timing(kTimingHead +
                  "measure: { operations: [sendrecv, scatter, gather, broadcast, alltoall, allgather, multipath] }\n");
  for (const char* op : {"sendrecv", "scatter", "gather", "broadcast", "alltoall", "allgather"}) {
    EXPECT_NEAR(r.figure("bandwidth", std::string(op) + "_link"), 45, 0.1) << op;
  }
  EXPECT_NEAR(r.figure("bandwidth", "sendrecv_node"), 90, 0.2);
  for (const char* op : {"scatter", "gather", "broadcast"}) {
    EXPECT_NEAR(r.figure("bandwidth", std::string(op) + "_node"), 135, 0.3) << op;
  }
  EXPECT_NEAR(r.figure("bandwidth", "alltoall_node"), 270, 0.5);
  EXPECT_NEAR(r.figure("bandwidth", "allgather_node"), 270, 0.5);
  EXPECT_NEAR(r.figure("bandwidth", "multipath_paths"), 90, 0.2);  // N / 2 links
}

TEST(OptwebTiming, MultipathOfEightNodesHasHalfOfTheLinks) {
  const OptwebOutcome r =
      good_timing("fabric: optweb\nnodes: 8\nmode: timing\nmeasure: { operations: [multipath], sizes: [128MiB] }\n");
  EXPECT_NEAR(r.figure("bandwidth", "multipath_paths"), 180, 0.4);
}

// Figure 15: multipath routing wins from 16 KiB on with four nodes; the lines cross at 12.7 KiB.
TEST(OptwebTiming, MultipathWinsFrom16KiB) {
  const OptwebOutcome r =
      good_timing(kTimingHead +
                  "measure: { operations: [transfer, multipath], sizes: [4KiB, 8KiB, 12KiB, 13KiB, 16KiB, 32KiB] }\n");
  const auto& rows = r.report["tables"]["curves"]["rows"];
  ASSERT_EQ(rows.size(), 12U);
  for (std::size_t i = 0; i < 6; ++i) {
    const double direct = rows[i]["latency"];
    const double multipath = rows[i + 6]["latency"];
    EXPECT_EQ(multipath < direct, i >= 3) << rows[i]["size"];
  }
}

// Figure 11: size / (0.8 us + size / 45 Gb/s), for what is by rendezvous exactly.
TEST(OptwebTiming, BandwidthFollowsTheAnalyticCurve) {
  const OptwebOutcome r = good_timing(kTimingHead +
                                      "measure: { operations: [sendrecv, alltoall, allgather], sizes: [64B, 1KiB, "
                                      "16KiB, 64KiB, 1MiB, 128MiB] }\n");
  for (const auto& row : r.report["tables"]["curves"]["rows"]) {
    const double bits = row["size"].get<double>() * 8;
    const double analytic = bits / (800 + bits / 45);
    EXPECT_NEAR(row["link_bandwidth"].get<double>(), analytic, analytic * (bits > 131072 ? 0.01 : 0.15));
    EXPECT_LT(row["overhead"].get<double>(), 900);  // section 4.3.2
  }
}

// Figure 14: the number of nodes makes no difference.
TEST(OptwebTiming, LatencyIsTheSameFor2To64Nodes) {
  for (const char* nodes : {"2", "3", "4", "16", "64"}) {
    const OptwebOutcome r = good_timing(
        kTimingHead +
            "memory: { interfaces: 128 }\nmeasure: { operations: [barrier, allgather, alltoall], sizes: [64B, "
            "64KiB] }\n",
        {std::string("nodes=") + nodes});
    EXPECT_EQ(r.cycles(2, "latency"), 80) << nodes;
    EXPECT_EQ(r.cycles(5, "latency"), 142) << nodes;
    EXPECT_EQ(r.cycles(11, "latency"), 142) << nodes;
    EXPECT_NEAR(r.figure("bandwidth", "alltoall_link"), 64 * 1024 * 8 / (800 + 64 * 1024 * 8 / 45.0), 0.5) << nodes;
  }
}

// Section 4.2 and Figure 9: starts 1 and 2 ms late; the last node is early by the way of a notification in the first
// barrier, and all are in step from the second on.
TEST(OptwebTiming, BarriersBringSkewedNodesTogether) {
  const OptwebOutcome r =
      good_timing(kTimingHead +
                  "program:\n  - { op: compute, time: 1ms, at: [2] }\n  - { op: compute, time: 2ms, at: "
                  "[3] }\n  - { op: barrier }\n  - { op: barrier }\n  - { op: barrier }\n");
  EXPECT_NEAR(r.cell(2, "skew").get<double>(), 2e6, 100);
  EXPECT_NEAR(r.cell(2, "jitter").get<double>(), 300, 50);
  EXPECT_LT(r.cell(3, "jitter").get<double>(), 20);
  EXPECT_LT(r.cell(4, "jitter").get<double>(), 20);
}

TEST(OptwebTiming, SizesThatAreNoWholeWordsTakeTheNextOnes) {
  const Parts p;
  for (const int bytes : {1, 31, 32, 33, 65}) {
    const OptwebOutcome r = good_timing(aligned("{ op: allgather, size: " + std::to_string(bytes) + "B }"), p.set());
    EXPECT_EQ(r.cycles(kTimedLine, "latency"), p.received((bytes + 31) / 32)) << bytes;
  }
}

// What is sent and received from one memory interface shares it: 51.2 Gb/s / 2.
TEST(OptwebTiming, OneInterfaceForBothHalvesTheBandwidth) {
  const std::string yaml = aligned("{ op: alltoall, size: 16MiB, receive: 64MiB }");
  EXPECT_NEAR(good_timing(yaml).cell(kTimedLine, "link_bandwidth").get<double>(), 25.6, 0.1);
  EXPECT_NEAR(good_timing(aligned("{ op: alltoall, size: 16MiB }")).cell(kTimedLine, "link_bandwidth").get<double>(),
              45, 0.1);
  // A slow interface is the limit for every operation.
  EXPECT_NEAR(good_timing(aligned("{ op: alltoall, size: 16MiB }"), {"memory.rate=20Gb/s"})
                  .cell(kTimedLine, "link_bandwidth")
                  .get<double>(),
              20, 0.1);
}

// A sender at full rate, a receiver whose interface is read at the same time: no back-pressure, so words are lost.
TEST(OptwebTiming, ABufferThatOverflowsIsAnError) {
  const std::string yaml =
      "fabric: optweb\nnodes: 3\nmode: timing\nprograms:\n"
      "  'node[0]': [ { op: sendrecv, source: 2, destination: 1, size: 1MiB } ]\n"
      "  'node[1]': [ { op: sendrecv, source: 0, destination: 0, size: 1MiB, send: 300MiB } ]\n"
      "  'node[2]': [ { op: send, destination: 0, size: 1MiB } ]\n";
  const OptwebOutcome r = run_optweb_yaml(yaml);
  EXPECT_THAT(r.failure, HasSubstr("the receive buffer of the link from node 0 overflows"));
  EXPECT_THAT(r.failure, HasSubstr("node 1, sendrecv (t.yaml:6:16)"));
  for (const char* op : {"reduce_scatter, size: 1MiB", "reduce, size: 50000B, root: 3"}) {
    EXPECT_THAT(
        run_optweb_yaml(kTimingHead + "program:\n  - { op: " + op + ", send: 40KiB, receive: 200MiB }\n").failure,
        ::testing::ContainsRegex(
            "which is read at the same time; place what is sent \\([0-9]+ bytes from "
            "relative address 0x[0-9a-f]+ of stripe [0-9] on\\) and what is received "
            "\\([0-9]+ bytes from relative address 0x[0-9a-f]+ of stripe [0-9] on\\) in different interfaces"));
  }
}

// 4 m of fibre are 20 ns, and a hub of 10 ns: 6 cycles where 1 m has one.
TEST(OptwebTiming, WiringDelaysEveryLink) {
  const std::string far = "wiring: { kind: KIND, length: 4, hub: 10ns }\n";
  for (const auto& [kind, fibres] : {std::pair{"p_oh", 12}, std::pair{"w_oh", 8}}) {
    std::string wiring = far;
    wiring.replace(wiring.find("KIND"), 4, kind);
    const OptwebOutcome r = good_timing(wiring + aligned("{ op: barrier }"));
    EXPECT_EQ(r.cycles(kTimedLine, "latency"), 80 + 5);
    EXPECT_EQ(r.figure("network", "fibres"), fibres);
  }
  EXPECT_EQ(good_timing(aligned("{ op: barrier }")).figure("network", "fibres"), 12);
}

// Node 1 is early and its data wait in the buffer of node 0, which has read them out before its own have gone: the
// confirmation cuts its data. 7 + 511 words + 5 + 5 counted, 4 + 5 later the notification: cycle 537. The data run
// from 60 to 60 + 513 words = 644, and 2 * 1 + 2 words longer: 649. From there 64 + 5 + 5 + 4.
TEST(OptwebTiming, ANotificationCutsData) {
  const std::string yaml =
      "fabric: optweb\nnodes: 2\nverify: data\nprogram:\n  - { op: compute, time: 2000cycles, at: [0] "
      "}\n  - { op: sendrecv, between: [0, 1], size: 16KiB }\n";
  const OptwebOutcome r = good_timing(yaml);
  EXPECT_EQ(r.cycles(1, "configuration"), 649);
  EXPECT_EQ(r.cycles(1, "latency"), 649 + 78);
  EXPECT_EQ(good_timing(yaml, {"link.gap=3"}).cycles(1, "latency"), 644 + 10 + 78);  // 2 * 3 + 2 words are 9.1 cycles
}

// The words of nodes that are there wait for those of one that is late, in a buffer of 16 KiB.
TEST(OptwebTiming, ALateNodeHoldsAReductionUp) {
  const OptwebOutcome eager = good_timing(kTimingHead +
                                          "program:\n  - { op: compute, time: 3000cycles, at: [2] }\n"
                                          "  - { op: allreduce, size: 16KiB }\n");
  EXPECT_EQ(eager.cycles(1, "latency"), 2 + 3 + 50 + 5 + (513 * 256 + 224) / 225 + 64 + 5 + 8 + 5 + 4);
  EXPECT_EQ(eager.figure("run", "buffered_transfers"), 3);  // at the late node; elsewhere it is the unit that waits
  // A larger one begins with a barrier.
  const OptwebOutcome late = good_timing(
      "fabric: optweb\nnodes: 4\nverify: data\nprogram:\n"
      "  - { op: compute, time: 3000cycles, at: [2] }\n"
      "  - { op: reduce, size: 1MiB, root: 1 }\n");
  EXPECT_NEAR(late.cell(1, "latency").get<double>(), 8.0 * (1 << 20) / 45 + 800 + 400, 400);
}

TEST(OptwebTiming, TwoHops) {
  const std::string dragonfly = "fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nmode: timing\nprogram:\n";
  const std::string lined_up = "  - { op: barrier }\n  - { op: barrier }\n";
  std::string program = dragonfly + lined_up;
  for (const char* to : {"3", "12", "7"}) {
    program += "  - { op: transfer, source: 0, destination: " + std::string(to) + " }\n" + lined_up;
  }
  const OptwebOutcome r =
      good_timing(program + "  - { op: alltoall }\n" + lined_up +
                  "  - { op: alltoall, receive: 256MiB }\n  - { op: barrier, group: [4, 5, 6, 7] }\n");
  EXPECT_EQ(r.cycles(1, "latency"), 2 * 80);
  EXPECT_EQ(r.cell(2, "hops"), 1);
  EXPECT_EQ(r.cycles(2, "latency"), 142);  // within the group
  EXPECT_EQ(r.cycles(5, "latency"), 142);  // to the same place of another group
  EXPECT_EQ(r.cell(8, "hops"), 2);
  // To node 4: counted, confirmed; a fence; to node 7.
  EXPECT_EQ(r.cycles(8, "latency"), (142 + 5 + 1) + 12 + 142);
  // 256 B within the group, confirmed; a fence; four rounds, all but the last confirmed.
  EXPECT_EQ(r.cycles(11, "latency"), (142 - 4 + 11 + 78) + 12 + 3 * (142 + 78) + 142);
  // What rests on the way lies in the interface of what is received: three words a round take two cycles each.
  EXPECT_EQ(r.cycles(14, "latency"), r.cycles(11, "latency") + 4 * (6 - 4));
  EXPECT_EQ(r.cell(15, "hops"), 1);
  EXPECT_EQ(r.figure("network", "links_per_node"), 6);
  EXPECT_NEAR(r.figure("network", "hops"), (6 + 9 * 2) / 15.0, 1e-9);
}

// No time before zero and no rate above that of a link, whichever nodes are late and whatever a row has of an
// operation.
TEST(OptwebTiming, NothingIsSaidOfPartsOfOperations) {
  const std::string late = "  - { op: compute, time: 100us, at: [2] }\n";
  const std::string spmd =
      "program:\n" + late + "  - { op: transfer, source: 0, destination: 2, size: 4KiB }\n" + late +
      "  - { op: gather, root: 2, size: 8KiB, send: 1MiB, receive: 300MiB }\n" + late +
      "  - { op: broadcast, root: 0, size: 8KiB, send: 2MiB, receive: 310MiB }\n" + late +
      "  - { op: sendrecv, shift: 1, size: 8KiB, send: 3MiB, receive: 320MiB }\n" + late +
      "  - { op: transfer, source: 0, destination: 1, path: multipath, size: 32B, receive: 330MiB }\n"
      "  - { op: send, at: [0], destination: 3, size: 4KiB }\n  - { op: recv, at: [3], source: 0, size: 4KiB }\n";
  const std::string own =
      "programs:\n  'node[0]': [ { op: scatter, size: 256KiB } ]\n  'node[1..3]': [ { op: scatter, size: 256KiB } ]\n";
  for (const std::string& programs : {spmd, own}) {
    const OptwebOutcome r = good_timing("fabric: optweb\nnodes: 4\nverify: data\n" + programs);
    const auto& rows = r.report["tables"]["instructions"]["rows"];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const char* column : {"configuration", "migration", "latency", "completed"}) {
        EXPECT_TRUE(rows[i][column].is_null() || rows[i][column] >= 0) << column << " of " << i;
      }
      for (const char* column : {"bandwidth", "link_bandwidth", "node_bandwidth"}) {
        EXPECT_TRUE(rows[i][column].is_null()) << column << " of " << i;
      }
    }
  }
}

TEST(OptwebTiming, FenceAndCompute) {
  const OptwebOutcome r = good_timing(aligned("{ op: fence }") + "  - { op: compute, time: 100cycles }\n");
  EXPECT_EQ(r.cycles(kTimedLine, "latency"), 3 + 9);
  EXPECT_EQ(r.cycles(kTimedLine + 1, "latency"), 3 + 100);
}

// The same with data and without, in any order of the modules, and every time.
TEST(OptwebTiming, DoesNotDependOnDataOrOrder) {
  const std::string yaml =
      "fabric: optweb\nnodes: 5\nmeasure: { operations: [scatter, gather, broadcast, alltoall, allgather, multipath, "
      "multipath_broadcast], sizes: [33B, 40KiB] }\n";
  const OptwebOutcome data = good_timing(yaml);
  const OptwebOutcome timing = good_timing(yaml, {"mode=timing"});
  EXPECT_EQ(data.report["tables"], timing.report["tables"]);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const OptwebOutcome shuffled = run_optweb_yaml(yaml, {}, [&](OptwebRunOptions& o) { o.shuffle_seed = seed; });
    EXPECT_EQ(shuffled.text, data.text);
  }
}

}  // namespace
}  // namespace weft::test
