// Programs over circuits that change with them: whole runs against times worked out by hand from slots, routes and
// changes of tables, conservation of data, and what is refused.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/document.h"
#include "support/scratch.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kSlotTime = 10;  // ns

// Four nodes, words of 8 B, ten and three cycles of software. With the same slot on every hop a word over h links takes
// (h + 1) S cycles; 0 and 3, 1 and 2 are two links apart.
std::string four_nodes(int slots, const std::string& program, const std::string& rest = "") {
  return "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2] }\nsetup: { mode: preset }\n"
         "endpoints: { send_overhead: 10cycles, receive_overhead: 3cycles, collectives: circuits }\n"
         "switch: { slots: " +
         std::to_string(slots) + ", lanes: 1, lane_payload: 64b }\n" + rest + "program:\n" + program;
}

double cycles_of(const Outcome& r) { return r.figure("run", "time").get<double>() / kSlotTime; }
double node_time(const Outcome& r, std::size_t node) {
  return r.table("nodes")[node]["time"].get<double>() / kSlotTime;
}
double step(const Outcome& r, std::size_t number, const char* column) {
  return r.table("steps")[number][column].get<double>() / kSlotTime;
}

const std::string kBroadcast = "  - { op: broadcast, size: 64B }\n";

// Ready in cycle 10; eight words in all four slots; 2 and 3 switches of 4 cycles each.
TEST(ProgramCircuits, BroadcastIsOneMulticastWithAllSlots) {
  const Outcome r = run_yaml(four_nodes(4, kBroadcast));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(node_time(r, 0), 10 + 8, 1e-6);
  EXPECT_NEAR(node_time(r, 1), 17 + 8 + 1 + 3, 1e-6);
  EXPECT_NEAR(node_time(r, 2), 17 + 8 + 1 + 3, 1e-6);
  EXPECT_NEAR(node_time(r, 3), 17 + 12 + 1 + 3, 1e-6);
  EXPECT_EQ(r.figure("run", "messages"), 1);
  EXPECT_EQ(r.figure("run", "words"), 8);
  EXPECT_EQ(r.figure("run", "circuit_changes"), 0);
  EXPECT_EQ(r.table("instructions")[0]["algorithm"], "multicast");
  ASSERT_EQ(r.table("circuits").size(), 3U);  // a line per destination
  for (const auto& line : r.table("circuits")) EXPECT_EQ(line["slots"], 4);
  for (std::size_t n = 1; n < 4; ++n) EXPECT_EQ(r.table("nodes")[n]["bytes_received"], 64);
  const auto carried = r.table("collectives");
  ASSERT_EQ(carried.size(), 1U);
  EXPECT_EQ(carried[0]["carried_by"], "circuits");
  EXPECT_EQ(carried[0]["slots"], 4);
  EXPECT_EQ(carried[0]["reason"], "switches copy: one circuit reaches all");
}

// The same circuits: nothing changes. Node 0 is ready again 10 cycles after its words have left.
TEST(ProgramCircuits, TheSameCircuitsStay) {
  const Outcome r = run_yaml(four_nodes(4, kBroadcast + kBroadcast));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.figure("run", "circuit_changes"), 0);
  EXPECT_EQ(r.table("steps").size(), 1U);
  EXPECT_NEAR(cycles_of(r), 28 + 7 + 12 + 1 + 3, 1e-6);
}

const std::string kTwoRoots = kBroadcast + "  - { op: broadcast, root: 1, size: 64B }\n";

// Everything of the first broadcast has arrived in 29, which the controller knows in 30; the tables were written long
// before and change in the first frame that begins after 30, in 32. Node 1 has taken the data in 29 and is ready in 39.
TEST(ProgramCircuits, TablesChangeAtAFrameBoundaryWhileNodesGoOn) {
  const Outcome r = run_yaml(four_nodes(4, kTwoRoots));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.figure("run", "circuit_changes"), 1);
  EXPECT_NEAR(step(r, 0, "data_end"), 29, 1e-6);
  EXPECT_NEAR(step(r, 1, "tables_ready"), 4, 1e-6);
  EXPECT_NEAR(step(r, 1, "data_start"), 32, 1e-6);
  EXPECT_NEAR(step(r, 1, "change"), 3, 1e-6);
  EXPECT_NEAR(cycles_of(r), 39 + 7 + 12 + 1 + 3, 1e-6);
  EXPECT_EQ(r.table("phases").size(), 2U);
}

// t_c = 20 cycles for each of four slots, from the beginning of the first phase on.
TEST(ProgramCircuits, SlowTablesAreWaitedFor) {
  const Outcome r = run_yaml(four_nodes(4, kTwoRoots), {"switch.reconfiguration=20cycles"});
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(step(r, 1, "tables_ready"), 80, 1e-6);
  EXPECT_NEAR(step(r, 1, "data_start"), 84, 1e-6);
  EXPECT_NEAR(cycles_of(r), 84 + 7 + 12 + 1 + 3, 1e-6);
}

// They are written while nodes compute, too: the computation begins in 33 at the latest.
TEST(ProgramCircuits, TablesChangeWhileNodesCompute) {
  const std::string program =
      kBroadcast + "  - { op: compute, time: 100cycles }\n  - { op: broadcast, root: 1, size: 64B }\n";
  const Outcome r = run_yaml(four_nodes(4, program), {"switch.reconfiguration=20cycles"});
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(step(r, 1, "data_start"), 84, 1e-6);
  EXPECT_NEAR(cycles_of(r), (29 + 100 + 10) + 7 + 12 + 1 + 3, 1e-6);
}

// With a request every 5 cycles the controller releases the seven links of the first tree, and queries and reserves
// those of the second.
TEST(ProgramCircuits, RequestsOfTheControllerCount) {
  const Outcome r = run_yaml(four_nodes(4, kTwoRoots), {"setup.mode=central", "setup.processing=5cycles"});
  ASSERT_EQ(r.error + r.failure, "");
  const double end = step(r, 0, "data_end");
  const int edges = 1 + 3 + 3;  // from the node, three links of the tree, to three nodes
  const double reserved = end + 1 + 3 * edges * 5;
  EXPECT_NEAR(step(r, 1, "data_start"), (static_cast<int>(reserved) + 1 + 3) / 4 * 4, 1e-6);
}

// Four multicasts that pairwise share a link: a slot each. Sent in 12, 13, 10 and 11; see the arrivals below.
TEST(ProgramCircuits, BarrierIsAMulticastOfEachNode) {
  const Outcome r = run_yaml(four_nodes(4, "  - { op: barrier }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  // At node 0 from 2 in 18, 1 in 21, 3 in 23; node 1 from 3 in 19, 0 in 20, 2 in 22; node 2 from 3 in 19, 0 in 20, 1 in
  // 25; node 3 from 2 in 18, 1 in 21, 0 in 24. Each is taken 3 cycles after it or the one before it.
  const std::vector<int> ends{28, 29, 29, 28};
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(node_time(r, n), ends[n], 1e-6) << n;
  EXPECT_EQ(r.figure("run", "words"), 4);
  EXPECT_EQ(r.table("instructions")[0]["algorithm"], "multicasts");
}

// In a frame of two slots the four multicasts take turns, two by two.
TEST(ProgramCircuits, ARoundThatDoesNotFitIsCut) {
  const Outcome r = run_yaml(four_nodes(2, "  - { op: allgather, size: 80B }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.table("phases").size(), 2U);
  EXPECT_EQ(r.table("phases")[0]["phase"], "1_allgather_1of2");
  EXPECT_EQ(r.figure("run", "circuit_changes"), 1);
  // Nodes 0 and 1 send ten words in every other slot from 10 and 11 on, node 1 to node 0 over 2 switches of 2 cycles;
  // that has then taken its data, and goes on last.
  EXPECT_NEAR(step(r, 0, "data_end"), 11 + 9 * 2 + 2 * 2 + 1 + 3, 1e-6);
  EXPECT_NEAR(step(r, 1, "data_start"), 40, 1e-6);
  for (std::size_t n = 0; n < 4; ++n) EXPECT_EQ(r.table("nodes")[n]["bytes_received"], 3 * 80);
}

// All twelve circuits in three slots, as for messages (TdmPrograms.Alltoall); in six slots each has two.
TEST(ProgramCircuits, AlltoallIsACircuitForEachPair) {
  const Outcome r = run_yaml(four_nodes(3, "  - { op: alltoall, size: 8B }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  const std::vector<int> ends{37 + 3, 42 + 3, 37 + 3, 42 + 3};
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(node_time(r, n), ends[n], 1e-6) << n;
  const Outcome two = run_yaml(four_nodes(6, "  - { op: alltoall, size: 8B }\n"));
  ASSERT_EQ(two.error + two.failure, "");
  ASSERT_EQ(two.table("circuits").size(), 12U);
  for (const auto& line : two.table("circuits")) EXPECT_EQ(line["slots"], 2);
}

// Four multicasts, which pairwise share a link, in three slots: long ones go one after the other with all slots, brief
// ones two by two with one slot each.
TEST(ProgramCircuits, LongMessagesAreCutIntoPhasesThatUseAllSlots) {
  const Outcome r = run_yaml(four_nodes(3, "  - { op: allgather, size: 80000B }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.table("collectives")[0]["phases"], 4);
  EXPECT_EQ(r.table("collectives")[0]["slots"], 3);
  EXPECT_LT(cycles_of(r), 4 * (10000 + 50));
  const Outcome brief = run_yaml(four_nodes(3, "  - { op: allgather, size: 80B }\n"));
  ASSERT_EQ(brief.error + brief.failure, "");
  EXPECT_EQ(brief.table("collectives")[0]["phases"], 2);
}

// Two rounds of 800 B among four nodes: halves are combined, then whole parts exchanged; each round has the four
// circuits of its exchanges, with all slots.
TEST(ProgramCircuits, ReductionsRunRoundByRound) {
  const Outcome r = run_yaml(four_nodes(4, "  - { op: allreduce, size: 4000B }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.table("instructions")[0]["algorithm"], "halving_doubling_circuits");
  ASSERT_EQ(r.table("steps").size(), 3U);  // distances 2, 1, 1 and 2: the two in the middle are one step
  for (const auto& line : r.table("circuits")) EXPECT_EQ(line["slots"], 4);
  const Outcome messages =
      run_yaml(four_nodes(4, "  - { op: allreduce, size: 4000B }\n"), {"endpoints.collectives=messages"});
  ASSERT_EQ(messages.error + messages.failure, "");
  EXPECT_EQ(r.figure("run", "bytes"), messages.figure("run", "bytes"));
  EXPECT_LT(2 * cycles_of(r), cycles_of(messages));
}

// 1 MiB in words of 340 b, over five switches of 16 cycles at most: 247.9 us instead of 7.4 ms.
TEST(ProgramCircuits, BroadcastOfAMebibyteOnATorus) {
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: torus, dims: [4, 4] }\nswitch: { slots: 16 }\nsetup: { mode: preset }\n"
      "endpoints: { collectives: circuits }\nprogram: [ { op: broadcast, size: 1MiB } ]\n";
  const Outcome r = run_yaml(yaml);
  ASSERT_EQ(r.error + r.failure, "");
  const int words = (8 * 1024 * 1024 + 339) / 340;
  EXPECT_EQ(words, 24673);
  EXPECT_NEAR(cycles_of(r), 32 + words - 1 + 5 * 16 + 1 + 3, 1e-6);
  const Outcome messages = run_yaml(yaml, {"endpoints.collectives=messages"});
  ASSERT_EQ(messages.error + messages.failure, "");
  EXPECT_GT(cycles_of(messages), 25 * cycles_of(r));
}

// Rows and columns of a grid of nodes, as in SUMMA: disjoint groups change together.
TEST(ProgramCircuits, DisjointGroupsShareAPhase) {
  const Outcome r = run_yaml(four_nodes(4,
                                        "  - { op: broadcast, root: 0, group: [0, 1], size: 64B }\n"
                                        "  - { op: broadcast, root: 3, group: [2, 3], size: 64B }\n"
                                        "  - { op: broadcast, root: 2, group: [0, 2], size: 64B }\n"
                                        "  - { op: broadcast, root: 3, group: [1, 3], size: 64B }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.table("phases").size(), 2U);
  EXPECT_EQ(r.table("circuits").size(), 4U);
  for (const auto& line : r.table("circuits")) EXPECT_EQ(line["slots"], 4);
  for (const auto& line : r.table("collectives")) EXPECT_EQ(line["carried_by"], "circuits");
}

// Node 3 sends a message of its own meanwhile.
TEST(ProgramCircuits, CollectivesThatNotAllNodesReachRunAsMessages) {
  const Outcome r = run_yaml(four_nodes(6,
                                        "  - { op: broadcast, root: 0, group: [0, 1, 2], size: 64B }\n"
                                        "  - { op: transfer, source: 3, destination: 0, size: 64B }\n"
                                        "  - { op: barrier }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  const auto carried = r.table("collectives");
  ASSERT_EQ(carried.size(), 2U);
  EXPECT_EQ(carried[0]["carried_by"], "messages");
  EXPECT_EQ(carried[0]["reason"], "circuits change for all nodes at once, but node 3 is not in a collective then");
  EXPECT_EQ(carried[1]["carried_by"], "circuits");
  EXPECT_EQ(r.table("instructions")[0]["algorithm"], "binomial");
  EXPECT_THAT(r.report, HasSubstr("1 of 2 collectives run as messages"));
}

const std::string kAllOperations =
    "fabric: tdm\ntopology: { kind: torus, dims: [4, 2] }\nswitch: { slots: 10, serdes: 3cycles }\nseed: 5\n"
    "endpoints: { collectives: circuits }\n"
    "program:\n"
    "  - { op: alltoall, size: 3000B }\n  - { op: allgather, size: 700B }\n  - { op: broadcast, size: 10000B }\n"
    "  - { op: gather, root: 4, size: 777B }\n  - { op: compute, at: [1, 3], time: 3us }\n  - { op: barrier }\n"
    "  - { op: scatter, root: 2, size: 5000B, group: [0, 2, 5] }\n  - { op: sendrecv, between: [1, 4], size: 0B }\n"
    "  - { op: transfer, source: 3, destination: 0, size: 12345B }\n  - { op: allreduce, size: 4000B }\n"
    "  - repeat: 3\n    program:\n      - { op: scatter, root: 6, size: 900B }\n      - { op: reduce, size: 4000B }\n"
    "      - { op: reduce_scatter, size: 400B }\n      - { op: send, at: [5], destination: 1, size: 900B, wait: false "
    "}\n"
    "      - { op: recv, at: [1], source: 5, size: 900B }\n"
    "  - { op: fence }\n";

// Bytes that all nodes should have received, by definition of the operations on eight nodes.
std::int64_t expected_bytes() {
  std::int64_t sum = 8 * 7 * (3000 + 700) + 7 * 10000 + 7 * 777 + 2 * 5000 + 12345;
  sum += 8 * 2 * 7 * 500;  // allreduce: 7/8 of the data twice
  // reduce: halving, then a gather along a tree with 4, 2 and 1 messages of 1, 2 and 4 parts.
  return sum + 3 * (7 * 900 + 8 * 7 * 500 + 12 * 500 + 8 * 7 * 400 + 900);
}

std::int64_t received_bytes(const Outcome& r) {
  std::int64_t sum = 0;
  for (const auto& node : r.table("nodes")) sum += node["bytes_received"].get<std::int64_t>();
  return sum;
}

TEST(ProgramCircuits, EverythingArrivesOnce) {
  const Outcome r = run_yaml(kAllOperations);
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(received_bytes(r), expected_bytes());
  std::int64_t deliveries = 0;
  for (const auto& circuit : r.table("circuits")) {
    deliveries += circuit["messages"].get<std::int64_t>();
    if (circuit["messages"] == 0) continue;
    EXPECT_GE(circuit["transit_min"], circuit["predicted_transit_min"]);
    EXPECT_LE(circuit["transit_max"], circuit["predicted_transit_max"]);
  }
  std::int64_t taken = 0;
  for (const auto& node : r.table("nodes")) taken += node["messages_received"].get<std::int64_t>();
  EXPECT_EQ(deliveries, taken);
  EXPECT_GT(r.figure("run", "circuit_changes"), 20);
}

TEST(ProgramCircuits, TheOrderOfModulesDoesNotMatter) {
  const Outcome plain = run_yaml(kAllOperations);
  ASSERT_EQ(plain.error + plain.failure, "");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    EXPECT_TRUE(run_yaml(kAllOperations, {}, [&](TdmRunOptions& o) { o.shuffle_seed = seed; }).report == plain.report)
        << seed;
  }
}

TEST(ProgramCircuits, SlotsMayChangeFromHopToHop) {
  const Outcome r = run_yaml(kAllOperations, {"slots.slot_update=true", "setup.mode=preset"});
  ASSERT_EQ(r.error + r.failure, "");
  const Outcome same = run_yaml(kAllOperations, {"setup.mode=preset"});
  EXPECT_EQ(r.figure("run", "messages"), same.figure("run", "messages"));
  EXPECT_LT(cycles_of(r), cycles_of(same));
}

TEST(ProgramCircuits, TheSameWithTheRtl) {
  const Outcome model = run_yaml(kAllOperations, {"observe.slot_trace=true"});
  ASSERT_EQ(model.error + model.failure, "");
  for (const std::string which : {"rtl", "lockstep"}) {
    const Outcome other =
        run_yaml(kAllOperations, {"observe.slot_trace=true", "switch.slot_lut.implementation=" + which,
                                  "switch.data_path.implementation=" + which});
    ASSERT_EQ(other.error + other.failure, "") << which;
    EXPECT_TRUE(other.neutral_report() == model.neutral_report()) << which;
    EXPECT_TRUE(other.slot_trace == model.slot_trace) << which;
  }
}

const Overrides kOnDemand{"setup.mode=in_network", "setup.backoff=4cycles"};

// One request for all destinations.
TEST(ProgramCircuitsOnDemand, BroadcastAsksForOneMulticast) {
  const Outcome r = run_yaml(four_nodes(4, kBroadcast, "slots_per_flow: 4\n"), {"setup.mode=in_network"});
  ASSERT_EQ(r.error + r.failure, "");
  ASSERT_EQ(r.table("flows").size(), 1U);
  EXPECT_EQ(r.table("flows")[0]["words_sent"], 8);
  EXPECT_EQ(r.table("destinations").size(), 3U);
  EXPECT_EQ(r.figure("run", "messages"), 1);
  EXPECT_EQ(received_bytes(r), 3 * 64);
  EXPECT_EQ(r.table("collectives")[0]["carried_by"], "circuits");
  EXPECT_EQ(r.table("instructions")[0]["algorithm"], "multicast");
}

TEST(ProgramCircuitsOnDemand, EverythingArrivesOnce) {
  const Outcome r = run_yaml(kAllOperations, kOnDemand);
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(received_bytes(r), expected_bytes());
}

TEST(ProgramCircuitsOnDemand, TheOrderOfModulesDoesNotMatter) {
  const Outcome plain = run_yaml(kAllOperations, kOnDemand);
  ASSERT_EQ(plain.error + plain.failure, "");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto shuffle = [&](TdmRunOptions& o) { o.shuffle_seed = seed; };
    EXPECT_TRUE(run_yaml(kAllOperations, kOnDemand, shuffle).report == plain.report) << seed;
  }
}

// Nodes outside of a collective need not wait for it.
TEST(ProgramCircuitsOnDemand, CollectivesOfSomeNodesHaveCircuitsToo) {
  const Outcome r = run_yaml(four_nodes(6,
                                        "  - { op: broadcast, root: 0, group: [0, 1, 2], size: 64B }\n"
                                        "  - { op: transfer, source: 3, destination: 0, size: 64B }\n"),
                             kOnDemand);
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.table("collectives")[0]["carried_by"], "circuits");
  EXPECT_EQ(received_bytes(r), 3 * 64);
}

TEST(ProgramCircuits, WhatIsRefused) {
  EXPECT_THAT(run_yaml(four_nodes(2,
                                  "  - { op: sendrecv, shift: 1, size: 8B }\n  - { op: sendrecv, shift: 2, size: 8B }\n"
                                  "  - { op: sendrecv, shift: 3, size: 8B }\n  - { op: barrier }\n"))
                  .error,
              AllOf(HasSubstr("test.yaml:7:5: error: the messages between two collectives over circuits"),
                    HasSubstr("need 12 circuits at the same time and 3 slots per frame; switch.slots is 2")));
  EXPECT_THAT(run_yaml(four_nodes(4, kBroadcast), {"endpoints.collectives=circuit"}).error,
              HasSubstr("did you mean 'circuits'"));
}

// Node 1 waits for a message that node 0 sends behind the collective, whose circuits stay until node 1 has sent there.
TEST(ProgramCircuits, ProgramsThatCannotEnd) {
  const std::string programs =
      "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2] }\nsetup: { mode: preset }\n"
      "endpoints: { collectives: circuits }\nprograms:\n"
      "  'node[0]': [ { op: gather, root: 2, group: [0, 1, 2] }, { op: send, destination: 1, size: 64B } ]\n"
      "  'node[1]': [ { op: recv, source: 0, size: 64B }, { op: gather, root: 2, group: [0, 1, 2] } ]\n"
      "  'node[2]': [ { op: gather, root: 2, group: [0, 1, 2] } ]\n";
  EXPECT_THAT(run_yaml(programs).failure,
              HasSubstr("step 1 of 2, circuits of phase '1_gather': they do not change before node 1 has "
                        "sent everything"));
}

}  // namespace
}  // namespace weft::test
