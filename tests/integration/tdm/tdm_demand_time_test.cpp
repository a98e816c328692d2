// Collectives over circuits that come and go, and reductions over planned ones: their time in closed form.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/tdm_runs.h"

namespace weft::test {
namespace {

double cycles_of_node(const Outcome& r, std::size_t node) { return r.table("nodes")[node]["time"].get<double>() / 10; }

// Halving and doubling among 16 nodes of a 4 x 4 torus: rounds of n/2, n/4, n/8, n/16 words and back, and a cycle per
// word to combine on the way down. With the routes of the network the exchanges with the node two places further, of
// n/4 and n/16 words, have half of the slots: both directions of a pair go round a ring the same way. On other routes
// of least length no two circuits share a link.
TEST(ReductionRoutes, ExchangesGoRoundARingBothWays) {
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: torus, dims: [4, 4] }\nswitch: { slots: 16 }\nsetup: { mode: preset }\n"
      "endpoints: { collectives: circuits }\nprogram: [ { op: allreduce, size: 1MiB } ]\n";
  const Outcome spread = run_yaml(yaml);
  const Outcome fixed = run_yaml(yaml, {"setup.routes=1"});
  ASSERT_EQ(spread.error + spread.failure + fixed.error + fixed.failure, "");
  for (const auto& c : spread.table("circuits")) EXPECT_EQ(c["slots"], 16);
  const double words = 1048576.0 * 8 / 340;
  const double combine = words * 15 / 16;
  // Eight rounds, each with overheads, a way of at most three switches and a change of tables of a frame or two.
  const double rest = 8 * (32 + 3 * 16 + 3 + 2 * 16 + 4);
  const auto cycles = [](const Outcome& r) { return r.figure("run", "time").get<double>() / 10; };
  const double through_all = 2 * words * (1.0 / 2 + 1.0 / 4 + 1.0 / 8 + 1.0 / 16);
  const double with_halves = 2 * words * (1.0 / 2 + 2.0 / 4 + 1.0 / 8 + 2.0 / 16);
  EXPECT_GT(cycles(spread), through_all + combine);
  EXPECT_LT(cycles(spread), through_all + combine + rest);
  EXPECT_GT(cycles(fixed), with_halves + combine);
  EXPECT_LT(cycles(fixed), with_halves + combine + rest);
}

struct DemandCase {  // a broadcast along a line of switches, with all slots of the frame
  int switches;
  int slots;
  int processing;       // t_proc
  int reconfiguration;  // t_c
  int pipeline;
  int serdes;
  int words;
};

void PrintTo(const DemandCase& c, std::ostream* out) {
  *out << c.switches << " switches, S = " << c.slots << ", t_proc " << c.processing << ", t_c " << c.reconfiguration
       << ", pipeline " << c.pipeline << ", SerDes " << c.serdes << ", " << c.words << " words";
}

// docs/fic_collectives.md, "On demand": node 0 is ready in cycle 10 and requests at once; the first word leaves in the
// first cycle after the ACK in which no switch is late for it, the others follow cycle by cycle.
int last_word_leaves(const DemandCase& c) {
  const int link = std::max(1, c.pipeline + c.serdes);
  const int host = std::max(1, c.pipeline);
  const int asked = 10;
  int first = asked + 2 * host + c.processing + 1;  // after the ACK
  for (int i = 0; i < c.switches; ++i) {
    const int served = asked + host + c.processing + i * (link + c.processing);
    const int written = served + c.slots * c.reconfiguration;
    const int in_force = (written + c.slots - 1) / c.slots * c.slots;
    const int hop = c.slots * ((c.pipeline + c.serdes) / c.slots + 1);
    first = std::max(first, in_force - c.slots - i * hop);
  }
  return first + c.words - 1;
}

class BroadcastOnDemand : public ::testing::TestWithParam<DemandCase> {};

TEST_P(BroadcastOnDemand, TakesTheTimeOfRequestAndWay) {
  const DemandCase& c = GetParam();
  const Outcome r = run_yaml(
      fmt::format("fabric: tdm\ntopology: {{ kind: mesh, dims: [{}] }}\n"
                  "setup: {{ mode: in_network, processing: {}cycles }}\nslots_per_flow: {}\n"
                  "endpoints: {{ send_overhead: 10cycles, receive_overhead: 3cycles, collectives: circuits }}\n"
                  "switch: {{ slots: {}, lanes: 1, lane_payload: 64b, pipeline: {}cycles, serdes: {}cycles, "
                  "reconfiguration: {}cycles "
                  "}}\nprogram:\n  - {{ op: broadcast, size: {}B }}\n",
                  c.switches, c.processing, c.slots, c.slots, c.pipeline, c.serdes, c.reconfiguration, 8 * c.words));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.table("flows")[0]["refused_no_slots"], 0);
  EXPECT_EQ(r.table("flows")[0]["refused_late"], 0);
  const int last = last_word_leaves(c);
  // The source is done when no word can be asked for again: the circuit is accepted, or everything has arrived.
  const int accepted = 10 + 4 * std::max(1, c.pipeline) + c.switches * c.processing +
                       2 * (c.switches - 1) * std::max(1, c.pipeline + c.serdes);
  const int farthest = c.slots * ((c.pipeline + c.serdes) / c.slots + 1) * (c.switches - 1);
  const int arrived = last + c.slots + farthest + c.pipeline;
  EXPECT_NEAR(cycles_of_node(r, 0), std::max(last, std::min(accepted, arrived)) + 1, 1e-6);
  for (int n = 1; n < c.switches; ++n) {
    const int hop = c.slots * ((c.pipeline + c.serdes) / c.slots + 1);
    EXPECT_NEAR(cycles_of_node(r, static_cast<std::size_t>(n)), last + c.slots + n * hop + c.pipeline + 1 + 3, 1e-6)
        << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Lines, BroadcastOnDemand,
                         ::testing::Values(DemandCase{2, 4, 1, 1, 0, 0, 8}, DemandCase{3, 8, 1, 1, 0, 1, 100},
                                           DemandCase{5, 4, 5, 3, 1, 2, 9}, DemandCase{4, 16, 16, 1, 0, 4, 1},
                                           DemandCase{6, 3, 2, 1, 2, 9, 40}, DemandCase{4, 8, 1, 20, 1, 1, 500}));

// Four slots, and a multicast from each of 16 nodes: most requests are refused to some destinations, but the words
// behind them come to the others, so that a message may have arrived everywhere before a request of its source is
// accepted. The source sends it again, and nothing else.
TEST(CollectivesOnDemand, AMessageMayArriveEverywhereBeforeItsRequestIsAccepted) {
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: torus, dims: [4, 4] }\nswitch: { slots: 4 }\nsetup: { mode: in_network }\n"
      "endpoints: { collectives: circuits }\nprogram:\n  - { op: barrier }\n  - { op: barrier }\n  - { op: barrier }\n"
      "  - { op: transfer, source: 4, destination: 2, size: 747B }\n  - { op: allgather, size: 40B }\n"
      "  - { op: allgather, size: 40B }\n";
  double resent = 0;
  for (int seed = 1; seed <= 10; ++seed) {
    const Outcome r = run_yaml(yaml, {fmt::format("seed={}", seed)});
    ASSERT_EQ(r.error + r.failure, "") << seed;
    const double words = 18;  // of 747 bytes
    EXPECT_EQ(r.figure("setup", "words_delivered"), 5 * 16 * 15 + words) << seed;
    EXPECT_LT(r.figure("run", "time").get<double>(), 1e6) << seed;
    resent += r.figure("setup", "words_resent").get<double>();
  }
  EXPECT_GT(resent, 1000);
}

// The program or the trace is over when its word has arrived. A failure that then takes the circuit during its release,
// or keeps the source from asking for another, is no reason to wait, and costs no time.
TEST(CollectivesOnDemand, FailuresBehindTheEndCostNothing) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,bytes\n0,0,1,40\n");
  const std::string head =
      "fabric: tdm\ntopology: { kind: mesh, dims: [2] }\nswitch: { slots: 2 }\nsetup: { mode: in_network }\n";
  const std::string program = head +
                              "endpoints: { send_overhead: 1cycle, receive_overhead: 1cycle }\n"
                              "program: [ { op: transfer, source: 0, destination: 1, size: 40B } ]\n";
  const std::string traced = head + "run: { warm_up: 0ns, measure: 100ns }\ntrace: " + trace + "\n";
  const double end = run_yaml(program).figure("run", "time").get<double>() / 10;
  for (const char* place : {"sw[0]-sw[1]", "nic[0]", "nic[1]", "sw[1]"}) {
    for (int down = 1; down < 30; ++down) {
      for (const bool repaired : {true, false}) {
        const std::string faults = fmt::format("faults: [ {{ at: '{}', down: {}cycles{} }} ]\n", place, down,
                                               repaired ? fmt::format(", up: {}cycles", down + 3000) : "");
        const bool in_time = down >= end;
        if (!repaired && !in_time) continue;
        const Outcome r = run_yaml(program + faults);
        ASSERT_EQ(r.error + r.failure, "") << faults;
        EXPECT_EQ(r.figure("setup", "words_delivered"), 1) << faults;
        EXPECT_GE(r.table("flows")[0]["dark_time"].get<double>(), 0) << faults;
        if (in_time) {
          EXPECT_EQ(r.figure("run", "time").get<double>() / 10, end) << faults;
          EXPECT_EQ(r.table("flows")[0]["dark_time"], 0) << faults;
          EXPECT_EQ(r.table("flows")[0]["state"], "finished") << faults;
        }
        if (repaired) {
          EXPECT_EQ(run_yaml(traced + faults).failure, "") << faults;
        }
      }
    }
  }
}

// Another slot and another link of a bundle on each hop: the same words come to everybody.
TEST(CollectivesOnDemand, BundlesWithAnotherSlotOnEachHop) {
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: torus, dims: [2, 4], trunk: 3 }\nswitch: { slots: 4 }\n"
      "setup: { mode: in_network }\nendpoints: { collectives: circuits }\nprogram:\n  - { op: barrier }\n"
      "  - { op: allgather, size: 300B }\n  - { op: alltoall, size: 700B }\n  - { op: broadcast, size: 3KiB, root: 1 "
      "}\n";
  const Outcome apart = run_yaml(yaml, {"slots.bundles=apart"});
  const Outcome together = run_yaml(yaml, {"slots.slot_update=true", "slots.bundles=together"});
  ASSERT_EQ(apart.error + apart.failure + together.error + together.failure, "");
  EXPECT_EQ(together.figure("setup", "words_delivered"), apart.figure("setup", "words_delivered"));
  EXPECT_EQ(together.figure("run", "bytes"), apart.figure("run", "bytes"));
}

}  // namespace
}  // namespace weft::test
