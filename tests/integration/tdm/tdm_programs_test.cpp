// Programs on FiC networks: whole runs against times worked out by hand from slots and routes, the same in any order of
// modules and with the RTL, and programs that cannot end.

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

constexpr double kCycle = 10;  // ns

// Four nodes, words of 8 B, ten and three cycles of software. Nodes 0 and 1 are in one row, 0 and 2 in one column; a
// route goes along its row first. With the same slot on every hop a word over h links takes (h + 1) S cycles.
std::string square(int slots, const std::string& rest) {
  return "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2] }\nsetup: { mode: preset }\nswitch: { slots: " +
         std::to_string(slots) +
         ", lanes: 1, lane_payload: 64b }\nendpoints: { send_overhead: 10cycles, receive_overhead: 3cycles }\n" + rest;
}

Outcome run(const std::string& yaml, const Overrides& set = {},
            const std::function<void(TdmRunOptions&)>& prepare = {}) {
  return run_yaml(yaml, set, prepare);
}

double time_of(const Outcome& r) { return r.figure("run", "time").get<double>() / kCycle; }

const std::string kTransferTo3 = "program: [ { op: transfer, source: 0, destination: 3, size: 40B } ]\n";

// Ready in cycle 10; slot 0 comes in 12 and then every 4 cycles for five words; 3 hops of 4 cycles.
TEST(TdmPrograms, Send) {
  const Outcome r = run(square(4, kTransferTo3));
  ASSERT_EQ(r.error + r.failure, "");
  const int last_word = 12 + 4 * 4;
  EXPECT_NEAR(time_of(r), last_word + 12 + 1 + 3, 1e-6);
  EXPECT_NEAR(r.table("nodes")[0]["time"].get<double>() / kCycle, last_word + 1, 1e-6);
  EXPECT_EQ(r.figure("run", "words"), 5);
  EXPECT_EQ(r.figure("run", "messages"), 1);
  EXPECT_EQ(r.table("circuits").size(), 1U);
  EXPECT_EQ(r.table("circuits")[0]["flow"], "0-3");
  EXPECT_NEAR(r.table("circuits")[0]["transit_max"].get<double>(), (last_word + 12 - 10) * 10, 1e-6);
  EXPECT_NEAR(r.table("phases")[0]["data_end"].get<double>(), (last_word + 12) * 10, 1e-6);
  EXPECT_EQ(r.figure("run", "latency_mean"), (last_word + 12 - 10) * 10);
  EXPECT_EQ(r.figure("run", "queueing"), 0);
  EXPECT_EQ(r.figure("run", "network"), (12 - 10 + 12) * 10);  // to its slot, and over three hops
  EXPECT_EQ(r.figure("run", "serialization"), 4 * 4 * 10);
  EXPECT_DOUBLE_EQ(r.figure("run", "accepted").get<double>(), 5 / (4 * time_of(r)));
}

// 1000 cycles of set-up before, and everything later by them; programs count from the moment circuits are in place.
TEST(TdmPrograms, TimeCountsFromTheCircuits) {
  const Outcome r = run(square(4, kTransferTo3), {"setup.mode=central", "setup.processing=100cycles"});
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(time_of(r), 12 + 16 + 12 + 1 + 3, 1e-6);
  EXPECT_NEAR(r.table("nodes")[0]["time"].get<double>() / kCycle, 29, 1e-6);
  EXPECT_GT(r.table("phases")[0]["data_start"].get<double>(), 500 * 10);
}

// Slots 0 and 1: words in 12, 13, 16, 17 and 20.
TEST(TdmPrograms, SeveralSlotsPerCircuit) {
  const Outcome r = run(square(4, "slots_per_flow: 2\n" + kTransferTo3));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(time_of(r), 20 + 12 + 1 + 3, 1e-6);
}

// Links of 5 cycles: a hop between switches takes two frames, the first one from the host takes one.
TEST(TdmPrograms, LatencyOfLinks) {
  const Outcome r = run(square(4, kTransferTo3), {"switch.serdes=5cycles"});
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(time_of(r), 12 + 16 + (4 + 8 + 8) + 1 + 3, 1e-6);
}

// A binomial tree: 0 to 2, then 0 to 1 and 2 to 3. Circuit 0-1 has slot 0, 0-2 slot 1 (same host), 2-3 slot 0.
TEST(TdmPrograms, Broadcast) {
  const Outcome r = run(square(4, "program: [ { op: broadcast, size: 64B } ]\n"));
  ASSERT_EQ(r.error + r.failure, "");
  // 0 to 2: ready in 10, words in 13 .. 41, node 2 has taken it in 41 + 8 + 1 + 3 = 53 and is ready in 63.
  // 2 to 3: words in 64 .. 92. 0 to 1: ready in 42 + 10, words in 52 .. 80.
  EXPECT_NEAR(time_of(r), 92 + 8 + 1 + 3, 1e-6);
  EXPECT_NEAR(r.table("nodes")[1]["time"].get<double>() / kCycle, 80 + 8 + 1 + 3, 1e-6);
  EXPECT_NEAR(r.table("nodes")[0]["time"].get<double>() / kCycle, 81, 1e-6);
}

// Two rounds of the dissemination, a word each. Slots by first fit: 0-1 0, 0-2 1, 1-2 0, 1-3 1, 2-0 0, 2-3 2, 3-0 1,
// 3-1 2.
TEST(TdmPrograms, Barrier) {
  const Outcome r = run(square(4, "program: [ { op: barrier } ]\n"));
  ASSERT_EQ(r.error + r.failure, "");
  // First round, ready in 10: 0-1 in 12, 1-2 in 12 (two links), 2-3 in 10, 3-0 in 13 (two links); taken by node 1 in
  // 24, node 2 in 28, node 3 in 22, node 0 in 29. Second round: 0-2 ready in 39 and sent in 41, taken in 53; 1-3 in 34
  // and 37, taken in 49; 2-0 in 38 and 40, taken in 52; 3-1 in 32 and 34, taken in 46.
  EXPECT_NEAR(time_of(r), 53, 1e-6);
  const std::vector<int> ends{52, 46, 53, 49};
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_NEAR(r.table("nodes")[n]["time"].get<double>() / kCycle, ends[n], 1e-6) << n;
  }
  EXPECT_EQ(r.figure("run", "words"), 8);
}

// All twelve circuits in a frame of three slots, which a node's own link needs at least. Slots by first fit: 0-1 0,
// 0-2 1, 0-3 2, 1-0 0, 1-2 2, 1-3 1, 2-0 1, 2-1 2, 2-3 0, 3-0 2, 3-1 1, 3-2 0.
TEST(TdmPrograms, Alltoall) {
  const Outcome r = run(square(3, "program: [ { op: alltoall, size: 8B } ]\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.figure("slots", "slots_used"), 3);
  // A node sends to the next ones in turn, ready in 10, 20 and 30, and takes what has come after that. Sent in: 0-1 12,
  // 0-2 22, 0-3 32; 1-2 11, 1-3 22, 1-0 30; 2-3 12, 2-0 22, 2-1 32; 3-0 11, 3-1 22, 3-2 30. Of those sent last, 1-0 and
  // 3-2 arrive after 6 cycles, in 37; 0-3 and 2-1 after 9, in 42. The others have been taken by then.
  const std::vector<int> ends{37 + 3, 42 + 3, 37 + 3, 42 + 3};
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_NEAR(r.table("nodes")[n]["time"].get<double>() / kCycle, ends[n], 1e-6) << n;
  }
  EXPECT_EQ(r.figure("run", "messages"), 12);
  EXPECT_EQ(r.figure("run", "bytes"), 12 * 8);
}

// 2000 B are 48 words of 340 bits; each is combined in a cycle.
TEST(TdmPrograms, ReductionsCombineWordByWord) {
  const std::string program = "program: [ { op: reduce, group: [0, 1], size: 2000B } ]\n";
  const Overrides words{"switch.lanes=4", "switch.lane_payload=85b"};
  const Outcome r = run(square(4, program), words);
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(time_of(r), 12 + 47 * 4 + 8 + 1 + 3 + 48, 1e-6);
}

TEST(TdmPrograms, WithoutMessagesThereAreNoCircuits) {
  const Outcome r = run(square(4, "program: [ { op: compute, time: 100cycles } ]\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_TRUE(r.complete);
  EXPECT_NEAR(time_of(r), 100, 1e-6);
  EXPECT_EQ(r.table("circuits").size(), 0U);
}

const std::string kMixed =
    "fabric: tdm\ntopology: { kind: torus, dims: [3, 2] }\nswitch: { slots: 8, serdes: 3cycles }\nseed: 5\n"
    "program:\n"
    "  - { op: alltoall, size: 3000B }\n  - { op: allgather, size: 700B }\n  - { op: broadcast, size: 10000B }\n"
    "  - { op: gather, root: 4, size: 777B }\n  - { op: compute, at: [1, 3], time: 3us }\n  - { op: barrier }\n"
    "  - { op: scatter, root: 2, size: 5000B, group: [0, 2, 5] }\n  - { op: sendrecv, between: [1, 4], size: 0B }\n"
    "  - { op: transfer, source: 3, destination: 0, size: 12345B }\n  - { op: allreduce, size: 4000B }\n"
    "  - { op: fence }\n";

TEST(TdmPrograms, EverythingArrivesOnce) {
  const Outcome r = run(kMixed);
  ASSERT_EQ(r.error + r.failure, "");
  std::int64_t sent = 0;
  std::int64_t received = 0;
  for (const auto& node : r.table("nodes")) {
    sent += node["bytes_sent"].get<std::int64_t>();
    received += node["bytes_received"].get<std::int64_t>();
  }
  EXPECT_EQ(sent, received);
  std::int64_t messages = 0;
  for (const auto& circuit : r.table("circuits")) {
    messages += circuit["messages"].get<std::int64_t>();
    if (circuit["messages"] == 0) continue;
    EXPECT_GE(circuit["transit_min"], circuit["predicted_transit_min"]);
    EXPECT_LE(circuit["transit_max"], circuit["predicted_transit_max"]);
  }
  EXPECT_EQ(messages, r.figure("run", "messages"));
  EXPECT_EQ(r.table("circuits").size(), 30U);
  EXPECT_EQ(r.table("instructions")[0]["bytes"], 30 * 3000);
  EXPECT_EQ(r.table("instructions")[1]["bytes"], 30 * 700);
  EXPECT_EQ(r.table("instructions")[6]["messages"], 2);
  EXPECT_EQ(r.table("instructions")[8]["bytes"], 12345);
}

TEST(TdmPrograms, TheOrderOfModulesDoesNotMatter) {
  const Outcome plain = run(kMixed);
  ASSERT_EQ(plain.error + plain.failure, "");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    EXPECT_TRUE(run(kMixed, {}, [&](TdmRunOptions& o) { o.shuffle_seed = seed; }).report == plain.report) << seed;
  }
}

TEST(TdmPrograms, TheSameWithTheRtl) {
  const Outcome model = run(kMixed, {"observe.slot_trace=true"});
  ASSERT_EQ(model.error + model.failure, "");
  for (const std::string which : {"rtl", "lockstep"}) {
    const Outcome other = run(kMixed, {"observe.slot_trace=true", "switch.slot_lut.implementation=" + which,
                                       "switch.data_path.implementation=" + which});
    ASSERT_EQ(other.error + other.failure, "") << which;
    EXPECT_TRUE(other.neutral_report() == model.neutral_report()) << which;
    EXPECT_TRUE(other.slot_trace == model.slot_trace) << which;
  }
}

TEST(TdmPrograms, ProgramsThatCannotEnd) {
  const Outcome waits = run(square(4,
                                   "programs:\n  'node[0]': [ { op: fence } ]\n"
                                   "  'node[1]': [ { op: recv, source: 0, size: 64B } ]\n"));
  EXPECT_THAT(waits.failure, AllOf(HasSubstr("no further progress is possible, but programs are not over:"),
                                   HasSubstr("node 1 waits in recv at test.yaml:8:16 for 64 B from node 0")));
  EXPECT_FALSE(waits.complete);
  const Outcome left = run(square(4,
                                  "programs:\n  'node[0]': [ { op: send, destination: 1, size: 64B } ]\n"
                                  "  'node[1]': [ { op: compute, time: 1us } ]\n"));
  EXPECT_THAT(left.failure, AllOf(HasSubstr("messages were never received:"),
                                  HasSubstr("64 B from node 0 to node 1, sent in send at test.yaml:7:16")));
}

// Of the slots a program needs: as many as its pairs as circuits of their own.
TEST(TdmPrograms, TooFewSlotsAreRefusedWithTheNumberNeeded) {
  std::string circuits;
  for (int s = 0; s < 16; ++s) {
    for (int d = 0; d < 16; ++d) {
      if (s != d) circuits += fmt::format("  - {{ source: {}, destination: {} }}\n", s, d);
    }
  }
  const std::string torus = "fabric: tdm\ntopology: { kind: torus, dims: [4, 4] }\nswitch: { slots: 8 }\n";
  const Outcome program = run(torus + "program: [ { op: alltoall, size: 1KiB } ]\n");
  const Outcome plain = run(torus + "circuits:\n" + circuits);
  EXPECT_THAT(program.error, AllOf(HasSubstr("test.yaml:4:12: error: flow '0-"), HasSubstr("of 8 slots in use")));
  const auto needed = [](const std::string& text) {
    const std::size_t end = text.find(" slots per frame would do");
    const std::size_t begin = text.rfind(' ', end - 1);
    return text.substr(begin + 1, end - begin - 1);
  };
  const std::string slots = needed(plain.error);
  EXPECT_EQ(needed(program.error), slots);
  EXPECT_EQ(run(torus + "program: [ { op: alltoall, size: 1KiB } ]\n", {"switch.slots=" + slots}).error, "");
}

// A ring of four with two links per node; frames of two slots, both of every circuit. A round of n words: they leave
// from the overhead on, of two messages from the second overhead; two hops of a frame each, a cycle, overhead.
TEST(TdmPrograms, CollectivesByChosenAlgorithms) {
  const auto ring = [](const std::string& algorithms, const std::string& op, const std::string& kind = "torus") {
    return run("fabric: tdm\ntopology: { kind: " + kind +
               ", dims: [4], node_links: 2 }\nsetup: { mode: preset }\nslots_per_flow: 2\n"
               "switch: { slots: 2, lanes: 1, lane_payload: 64b }\n"
               "endpoints: { send_overhead: 10cycles, receive_overhead: 3cycles, algorithms: { " +
               algorithms + " } }\nprogram: [ { op: " + op + " } ]\n");
  };
  const auto round = [](int messages, int words) { return 10 * messages + words - 1 + 2 * 2 + 1 + 3; };
  // Blocks of 1600 B go round three times, or their halves both ways at once.
  const Outcome torus = ring("allgather: torus, torus_from: 0B", "allgather, size: 1600B");
  ASSERT_EQ(torus.error + torus.failure, "");
  EXPECT_NEAR(time_of(torus), 3 * round(2, 100), 1e-6);
  EXPECT_EQ(torus.table("operations")[0]["algorithm"], "torus");
  EXPECT_EQ(torus.table("circuits").size(), 8U);  // to both neighbours
  const Outcome one_way = ring("allgather: ring", "allgather, size: 1600B");
  EXPECT_NEAR(time_of(one_way), 3 * round(1, 200), 1e-6);
  EXPECT_EQ(one_way.table("circuits").size(), 4U);
  EXPECT_EQ(one_way.figure("run", "bytes"), torus.figure("run", "bytes"));

  EXPECT_THAT(
      ring("allgather: torus", "allgather, size: 1MiB", "mesh").error,
      HasSubstr(":7:12: error: allgather: endpoints.algorithms.allgather: the algorithm 'torus' is for a torus"));
  EXPECT_THAT(ring("reduce: halving", "reduce, size: 12B").error, HasSubstr("for each of 4 nodes, these are 12 B"));
}

TEST(TdmPrograms, WhatOnlyTheNetworkCanTell) {
  EXPECT_THAT(run(square(4, "program: [ { op: broadcast, size: 1024GiB } ]\n"), {"switch.lane_payload=8b"}).error,
              HasSubstr(" has more than 2^31 words of 8 bits; at most"));
  const ScratchFolder folder;
  const std::string file = folder.write("p.yaml", "nodes: 5\nprogram: [ { op: barrier } ]\n");
  EXPECT_THAT(run(square(4, "program_file: " + file + "\n")).error,
              HasSubstr(file + ":1:8: error: nodes: the program is written for 5 nodes, the network has 4"));
}

// As many nodes as its pairs have slots for: a barrier of 1,024 nodes has ten circuits at each.
TEST(TdmPrograms, RunOnManyNodes) {
  const Outcome r =
      run("fabric: tdm\ntopology: { kind: torus, dims: [32, 32] }\nsetup: { mode: preset }\nswitch: { slots: 256 }\n"
          "program: [ { op: barrier }, { op: broadcast, root: 5, size: 1KiB } ]\n");
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.table("nodes").size(), 1024U);
  EXPECT_EQ(r.figure("run", "messages"), 1024 * 10 + 1023);
  const Outcome full =
      run("fabric: tdm\ntopology: { kind: mesh, dims: [10, 10] }\nsetup: { mode: preset }\nswitch: { "
          "slots: 32 }\nprogram: [ { op: alltoall, size: 64KiB } ]\n");
  EXPECT_THAT(full.error, HasSubstr("slots"));
}

}  // namespace
}  // namespace weft::test
