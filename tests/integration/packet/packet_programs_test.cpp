// Programs on packet networks: whole runs against closed forms, the same in any order of modules, and programs that
// cannot end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/packet_runs.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kCycle = 5.12;    // ns: 64 B at 12.5 GB/s
constexpr int kOneSwitch = 2 + 6;  // ob + link, ib + rt + va + x + ob + link

// One switch, packets of four flits, ten and three cycles of software.
std::string one_switch(int nics, const std::string& rest) {
  return "fabric: packet\ntopology: { kind: tree, arity: " + std::to_string(nics) +
         ", levels: 1 }\nqos: { levels: { a: { message: 256B } } }\n" + rest;
}
const std::string kSoftware = "send_overhead: 10cycles, receive_overhead: 3cycles";

PacketOutcome run(const std::string& yaml, const std::function<void(PacketRunOptions&)>& prepare = {}) {
  return run_packet_yaml(yaml, {}, prepare);
}

// Pairwise exchange is a permutation in every step, which one switch carries without any waiting: 40,000 B are 625
// flits, back to back.
TEST(PacketPrograms, PairwiseAlltoallIsTheClosedForm) {
  const PacketOutcome r =
      run(one_switch(4, "endpoints: { " + kSoftware + " }\nprogram: [ { op: alltoall, size: 40000B } ]\n"));
  ASSERT_EQ(r.error + r.failure, "");
  const int step = 10 + kOneSwitch + 625 - 1 + 1 + 3;
  EXPECT_NEAR(r.figure("time"), 3 * step * kCycle, 1e-9);
  EXPECT_EQ(r.figure("messages"), 12);
  EXPECT_EQ(r.figure("bytes"), 12 * 40000);
  EXPECT_EQ(r.figure("packets"), 12 * 157);
  EXPECT_EQ(r.cell("operations", 0, "algorithm"), "pairwise");
  EXPECT_NEAR(r.figure("software"), 3 * 13 * kCycle, 1e-9);
  // From the end of the sender's software to the last flit at the destination.
  EXPECT_NEAR(r.figure("latency_mean"), (kOneSwitch + 625 - 1) * kCycle, 1e-9);
  EXPECT_NEAR(r.figure("latency_p999"), (kOneSwitch + 625 - 1) * kCycle, 1e-9);
  EXPECT_EQ(r.figure("queueing"), 0);
  EXPECT_NEAR(r.figure("network"), kOneSwitch * kCycle, 1e-9);
  EXPECT_NEAR(r.figure("serialization"), (625 - 1) * kCycle, 1e-9);
  EXPECT_NEAR(r.figure("accepted"), 3.0 * 625 / (3 * step), 1e-12);
  EXPECT_NEAR(r.figure("accepted_rate"), 4 * 100 * 625.0 / step, 1e-9);  // of four links of 100 Gb/s
  EXPECT_FALSE(r.report["figures"]["run"].contains("offered")) << "programs send when they may";
  EXPECT_EQ(r.cell("services", 0, "messages"), 12);
}

// Two NICs per node: 157 packets in turn, 79 of them (the last has one flit) over the busier NIC.
TEST(PacketPrograms, PacketsTakeTheNicsInTurn) {
  const PacketOutcome r =
      run(one_switch(8, "endpoints: { nics: 2, " + kSoftware + " }\nprogram: [ { op: alltoall, size: 40000B } ]\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(r.figure("time"), 3 * (10 + kOneSwitch + (78 * 4 + 1) - 1 + 1 + 3) * kCycle, 1e-9);
  // Links belong to NICs, and are called so.
  std::set<std::string> links;
  for (std::size_t l = 0; l < r.lines("links"); ++l) links.insert(r.cell("links", l, "link").get<std::string>());
  EXPECT_TRUE(links.count("nic[7] -> sw[0]") == 1 && links.count("sw[0].port7 -> nic[7]") == 1);
  EXPECT_EQ(links.count("node 0 -> sw[0]"), 0U);
}

// On a ring with two NICs per node, one for each link: both neighbours at once, 625 flits to each.
TEST(PacketPrograms, OrANicStandsForALink) {
  const std::string ring =
      "fabric: packet\ntopology: { kind: torus, dims: [6], nodes_per_switch: 2 }\nrouting: { ring: dateline }\n"
      "qos: { levels: { a: { message: 256B } } }\nendpoints: { nics: 2, spread: links, " +
      kSoftware + " }\n";
  const PacketOutcome r = run(ring +
                              "programs:\n  'node[0]':\n"
                              "    - { op: send, destination: 1, size: 40000B, wait: false }\n"
                              "    - { op: send, destination: 5, size: 40000B, wait: false }\n"
                              "  'node[1]': [ { op: recv, source: 0, size: 40000B } ]\n"
                              "  'node[5]': [ { op: recv, source: 0, size: 40000B } ]\n");
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(r.figure("time"), (2 * 10 + (2 + 2 * 6) + 625 - 1 + 1 + 3) * kCycle, 1e-9);
  EXPECT_THAT(run(one_switch(8, "endpoints: { nics: 2, spread: links }\nprogram: [ { op: barrier } ]\n")).error,
              HasSubstr("endpoints.spread: 'links' is for meshes and tori with two NICs per dimension"));
}

// Node 0 sends to node 4, which differs in both dimensions, and to node 3, which differs in y: if y comes first, both
// leave by the link in y and arrive by different ones, else they have a link each.
TEST(PacketPrograms, TheNicIsThatOfTheFirstDimensionOfTheRoute) {
  const std::string torus =
      "fabric: packet\ntopology: { kind: torus, dims: [3, 3], nodes_per_switch: 4 }\n"
      "qos: { levels: { a: { message: 256B } } }\nendpoints: { nics: 4, spread: links, " +
      kSoftware +
      " }\n"
      "programs:\n  'node[0]':\n"
      "    - { op: send, destination: 4, size: 40000B, wait: false }\n"
      "    - { op: send, destination: 3, size: 40000B, wait: false }\n"
      "  'node[4]': [ { op: recv, source: 0, size: 40000B } ]\n"
      "  'node[3]': [ { op: recv, source: 0, size: 40000B } ]\n";
  const auto time = [&](const char* order) {
    const PacketOutcome r = run(torus + "routing: { ring: dateline, order: " + order + " }\n");
    EXPECT_EQ(r.error + r.failure, "");
    return r.figure("time") / kCycle;
  };
  EXPECT_LT(time("[x, y]"), 700);
  EXPECT_GT(time("[y, x]"), 1250);
  EXPECT_THAT(run(torus + "routing: { algorithm: shortest_path, ring: none }\n").error,
              HasSubstr("which says by which link a message leaves, it is 'shortest_path'"));
}

// Round a ring of six switches, to the neighbour and back: link by link nobody meets anybody.
TEST(PacketPrograms, ShiftOnARing) {
  const PacketOutcome r = run(
      "fabric: packet\ntopology: { kind: torus, dims: [6] }\nrouting: { ring: dateline }\n"
      "qos: { levels: { a: { message: 256B } } }\nendpoints: { " +
      kSoftware +
      " }\n"
      "program:\n  - repeat: 5\n    program: [ { op: sendrecv, shift: 1, size: 6400B }, { op: compute, time: 100cycles "
      "} ]\n");
  ASSERT_EQ(r.error + r.failure, "");
  const int step = 10 + (2 + 2 * 6) + 100 - 1 + 1 + 3;
  EXPECT_NEAR(r.figure("time"), 5 * (step + 100) * kCycle, 1e-9);
  EXPECT_NEAR(r.figure("computing"), 5 * 100 * kCycle, 1e-9);
  EXPECT_NEAR(r.figure("communicating"), 5 * step * kCycle, 1e-9);
  EXPECT_EQ(r.lines("instructions"), 10U);
}

// A node that has nothing to wait for is done in the cycle in which programs begin.
TEST(PacketPrograms, ANodeMayBeDoneAtOnce) {
  const PacketOutcome r =
      run(one_switch(4, "endpoints: { " + kSoftware +
                            " }\nprograms: { 'node[0]': [ { op: fence } ], 'node[1]': [ { op: compute, "
                            "time: 50cycles } ] }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(r.figure("time"), 50 * kCycle, 1e-9);
  EXPECT_EQ(r.cell("nodes", 0, "time"), 0);
  EXPECT_EQ(r.cell("nodes", 0, "communicating"), 0);
  EXPECT_NEAR(r.cell("nodes", 1, "time").get<double>(), 50 * kCycle, 1e-9);
  EXPECT_EQ(r.figure("communicating"), 0);
}

// One flit along the deepest branch of a binomial tree of eight.
TEST(PacketPrograms, BroadcastOverATree) {
  const PacketOutcome r =
      run(one_switch(8, "endpoints: { " + kSoftware + " }\nprogram: [ { op: broadcast, size: 64B } ]\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(r.figure("time"), 3 * (10 + kOneSwitch + 1 + 3) * kCycle, 1e-9);
}

// 4 x 4 torus with a NIC per link: the bucket allgather uses all four links, the ring of MPICH one.
TEST(PacketPrograms, TorusAlgorithmsUseAllLinks) {
  constexpr double kBytes = 1 << 20;
  const auto torus = [](const std::string& algorithms, const std::string& op) {
    return run(
        "fabric: packet\ntopology: { kind: torus, dims: [4, 4], nodes_per_switch: 4 }\n"
        "routing: { ring: dateline }\nqos: { levels: { a: { message: 4KiB } } }\n"
        "endpoints: { nics: 4, spread: links, algorithms: { " +
        algorithms + " } }\nprogram: [ { op: " + op + ", size: 1MiB } ]\n");
  };
  const double per_link = kBytes / 12.5;  // ns
  const PacketOutcome gathered = torus("allgather: torus", "allgather");
  ASSERT_EQ(gathered.error + gathered.failure, "");
  EXPECT_EQ(gathered.cell("operations", 0, "algorithm"), "torus");
  EXPECT_EQ(gathered.figure("bytes"), 16 * 15 * kBytes);
  EXPECT_EQ(gathered.figure("messages"), 16 * 4 * 6);  // 3 + 3 rounds over four links
  EXPECT_GT(gathered.figure("time"), 15 * per_link / 4);
  EXPECT_LT(gathered.figure("time"), 15 * per_link / 4 * 1.1);
  const PacketOutcome ring = torus("allgather: ring", "allgather");
  EXPECT_EQ(ring.cell("operations", 0, "algorithm"), "ring");
  EXPECT_GT(ring.figure("time"), 15 * per_link);

  // Two hops on average and one more: 8 times the data of a pair over each link.
  const PacketOutcome exchanged = torus("alltoall: torus", "alltoall");
  ASSERT_EQ(exchanged.error + exchanged.failure, "");
  EXPECT_GT(exchanged.figure("time"), 8 * per_link);
  EXPECT_LT(exchanged.figure("time"), 8 * per_link * 1.1);

  const PacketOutcome sent = torus("broadcast: torus, chunk: 16KiB", "broadcast");
  ASSERT_EQ(sent.error + sent.failure, "");
  EXPECT_GT(sent.figure("time"), per_link / 4);
  EXPECT_LT(sent.figure("time"), per_link / 4 * (16 + 14) / 16 * 2);
  EXPECT_EQ(sent.figure("bytes"), 15 * kBytes);

  const PacketOutcome reduced = torus("allreduce: torus", "allreduce");
  ASSERT_EQ(reduced.error + reduced.failure, "");
  EXPECT_EQ(reduced.figure("bytes"), 2 * 15 * kBytes);
  EXPECT_GT(reduced.figure("time"), 2 * 15 * per_link / 16 / 4);
}

TEST(PacketPrograms, AlgorithmsThatCannotBeUsed) {
  const auto error = [](const std::string& topology, const std::string& algorithms, const std::string& op) {
    return run("fabric: packet\ntopology: " + topology +
               "\nrouting: { ring: dateline }\nqos: { levels: { a: { message: 256B } } }\n"
               "endpoints: { algorithms: { " +
               algorithms + " } }\nprogram: [ { " + op + ", size: 64KiB } ]\n")
        .error;
  };
  EXPECT_THAT(error("{ kind: mesh, dims: [4, 4] }", "broadcast: torus", "op: broadcast"),
              HasSubstr(":6:12: error: broadcast: endpoints.algorithms.broadcast: the algorithm 'torus' is for a torus "
                        "with one node per switch"));
  EXPECT_THAT(error("{ kind: torus, dims: [4, 4] }", "allgather: torus", "op: allgather, group: [0, 1, 4, 5]"),
              HasSubstr("these are no such nodes"));
  EXPECT_THAT(error("{ kind: torus, dims: [4, 6] }", "broadcast: torus", "op: broadcast"),
              HasSubstr("broadcasts in one dimension, or in two"));
  EXPECT_THAT(error("{ kind: torus, dims: [6] }", "allgather: doubling", "op: allgather"),
              HasSubstr("recursive doubling is for a power of two of nodes, these are 6"));
  EXPECT_EQ(error("{ kind: torus, dims: [6] }", "reduce_scatter: halving", "op: reduce_scatter"), "");
  EXPECT_THAT(error("{ kind: torus, dims: [6] }", "allgather: rings", "op: allgather"),
              HasSubstr("did you mean 'ring'?"));
  EXPECT_EQ(error("{ kind: torus, dims: [4, 4] }", "allgather: torus", "op: allgather, group: [1, 5, 9, 13]"), "");
}

// Recursive doubling of four nodes: two exchanges of 1000 B, 16 flits; each is combined in 16 cycles or what it takes.
TEST(PacketPrograms, ReductionsCombine) {
  const std::string program = "program: [ { op: allreduce, size: 1000B, combine: max, type: float32 } ]\n";
  const PacketOutcome r = run(one_switch(4, "endpoints: { " + kSoftware + " }\n" + program));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(r.figure("time"), 2 * (10 + kOneSwitch + 16 - 1 + 1 + 3 + 16) * kCycle, 1e-9);
  const PacketOutcome slow = run(one_switch(4, "endpoints: { combine: 5cycles, " + kSoftware + " }\n" + program));
  EXPECT_NEAR(slow.figure("time"), 2 * (10 + kOneSwitch + 16 - 1 + 1 + 3 + 80) * kCycle, 1e-9);
}

// A message without bytes is a packet of one flit.
TEST(PacketPrograms, BarrierWaitsForTheLast) {
  const PacketOutcome r =
      run(one_switch(4, "endpoints: { " + kSoftware +
                            " }\nprogram: [ { op: compute, at: [2], time: 500cycles }, { op: barrier "
                            "} ]\n"));
  ASSERT_EQ(r.error + r.failure, "");
  // Nodes 3 and 0 wait for node 2 in the two rounds of the dissemination.
  EXPECT_NEAR(r.figure("time"), (500 + 2 * (10 + kOneSwitch + 1 + 3)) * kCycle, 1e-9);
}

const std::string kMixed =
    "fabric: packet\ntopology: { kind: torus, dims: [3, 2], nodes_per_switch: 2 }\nrouting: { ring: dateline }\n"
    "switch: { architecture: opa }\n"
    "qos: { levels: { small: { message: 64B }, big: { message: 1000B } } }\nendpoints: { level: big, nics: 2 }\n"
    "program:\n"
    "  - { op: alltoall, size: 3000B }\n  - { op: allgather, size: 70000B }\n  - { op: broadcast, size: 100000B }\n"
    "  - { op: gather, root: 4, size: 777B }\n  - { op: compute, at: [1, 3], time: 3us }\n  - { op: barrier }\n"
    "  - { op: scatter, root: 2, size: 5000B, group: [0, 2, 5] }\n  - { op: sendrecv, between: [1, 4], size: 0B }\n"
    "  - { op: transfer, source: 3, destination: 0, size: 12345B }\n  - { op: fence }\n";

TEST(PacketPrograms, EverythingArrivesOnce) {
  const PacketOutcome r = run(kMixed);
  ASSERT_EQ(r.error + r.failure, "");
  std::int64_t sent = 0;
  std::int64_t received = 0;
  for (std::size_t n = 0; n < 6; ++n) {
    sent += r.cell("nodes", n, "bytes_sent").get<std::int64_t>();
    received += r.cell("nodes", n, "bytes_received").get<std::int64_t>();
  }
  EXPECT_EQ(sent, received);
  // alltoall and allgather: 30 pairs; scatter over a chain 2 -> 5, 0 of two messages.
  EXPECT_EQ(r.cell("instructions", 0, "bytes"), 30 * 3000);
  EXPECT_EQ(r.cell("instructions", 1, "bytes"), 30 * 70000);
  EXPECT_EQ(r.cell("instructions", 6, "messages"), 2);
  EXPECT_EQ(r.cell("instructions", 7, "messages"), 2);
  EXPECT_EQ(r.cell("instructions", 8, "bytes"), 12345);
}

TEST(PacketPrograms, TheOrderOfModulesDoesNotMatter) {
  const PacketOutcome plain = run(kMixed);
  ASSERT_EQ(plain.error + plain.failure, "");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(run(kMixed, [&](PacketRunOptions& o) { o.shuffle_seed = seed; }).text, plain.text) << seed;
  }
}

TEST(PacketPrograms, AReceiveWithoutASendNamesBothNodes) {
  const PacketOutcome r = run(one_switch(2,
                                         "programs:\n  'node[0]': [ { op: fence } ]\n"
                                         "  'node[1]': [ { op: recv, source: 0, size: 64B } ]\n"));
  EXPECT_THAT(r.failure, AllOf(HasSubstr("no further progress is possible, but programs are not over:"),
                               HasSubstr("node 1 waits in recv at test.yaml:6:16 for 64 B from node 0 (the program of "
                                         "node 0 is over)")));
  EXPECT_EQ(r.report["complete"], false);
}

TEST(PacketPrograms, ASendWithoutAReceiveNamesBothNodes) {
  const PacketOutcome r = run(one_switch(2,
                                         "programs:\n  'node[0]': [ { op: send, destination: 1, size: 64B } ]\n"
                                         "  'node[1]': [ { op: compute, name: work, time: 1us } ]\n"));
  EXPECT_THAT(r.failure,
              AllOf(HasSubstr("messages were never received:"),
                    HasSubstr("64 B from node 0 to node 1, sent in send at test.yaml:5:16; the program of node "
                              "1 is over")));
}

TEST(PacketPrograms, BothEndsMustAgree) {
  const PacketOutcome r =
      run(one_switch(2,
                     "programs:\n  'node[0]': [ { op: send, destination: 1, name: mine, size: 64B } "
                     "]\n  'node[1]': [ { op: recv, source: 0, size: 65B } ]\n"));
  EXPECT_THAT(r.failure, AllOf(HasSubstr("programs do not fit together"), HasSubstr("send (mine) at test.yaml:5:16"),
                               HasSubstr("recv at test.yaml:6:16")));
  EXPECT_THAT(run(one_switch(2,
                             "programs:\n  'node[0]': [ { op: allgather, name: mine, size: 64B } ]\n"
                             "  'node[1]': [ { op: allgather, size: 65B } ]\n"))
                  .error,
              HasSubstr("test.yaml:6:16: error: the programs do not match: node 1 has size 65B for this allgather, "
                        "node 0 has size 64B (allgather, test.yaml:5:16)"));
}

// The same file on both fabrics; what belongs to one alone does not disturb the other.
TEST(PacketPrograms, ProgramFiles) {
  const ScratchFolder folder;
  const std::string file =
      folder.write("p.yaml",
                   "title: two steps\nnodes: 4\nbuffers: { size: 6400B, receive: 256MiB }\n"
                   "program:\n  - repeat: 3\n    program:\n      - { op: broadcast, path: "
                   "automatic }\n      - repeat: 2\n        program: [ { op: alltoall, scratch: 1MiB } ]\n");
  const PacketOutcome r = run(one_switch(4, "program_file: " + file + "\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.lines("instructions"), 9U);
  EXPECT_EQ(r.figure("bytes"), 3 * (3 * 6400 + 2 * 12 * 6400));
  EXPECT_THAT(run(one_switch(5, "program_file: " + file + "\n")).error,
              HasSubstr(file + ":2:8: error: nodes: the program is written for 4 nodes, the network has 5"));
  EXPECT_THAT(run(one_switch(4, "buffers: { size: 1KiB }\nprogram_file: " + file + "\n")).error,
              HasSubstr("buffers: has no effect, the program file has its own buffers"));
  EXPECT_THAT(run(one_switch(4,
                             "programs:\n  'node[0]': [ { op: gather } ]\n  'node[1..3]': [ { op: gather, root: 2 } "
                             "]\n"))
                  .error,
              AllOf(HasSubstr("node 1 has root 2 for this gather, node 0 has root 0 (gather, test.yaml:"),
                    HasSubstr("the programs do not match")));
  EXPECT_THAT(run(one_switch(4, "program_file: nowhere.yaml\n")).error,
              HasSubstr("test.yaml:4:15: error: program_file: "));
  const std::string wrong = folder.write("w.yaml", "nodes: 4\nprogram: [ { op: alltoal } ]\n");
  EXPECT_THAT(run(one_switch(4, "program_file: " + wrong + "\n")).error,
              AllOf(HasSubstr(wrong + ":2:18: error: "), HasSubstr("did you mean 'alltoall'?")));
  const std::string network = folder.write("n.yaml", "fabric: packet\n");
  EXPECT_THAT(run(one_switch(4, "program_file: " + network + "\n")).error, HasSubstr("describes a network"));
}

}  // namespace
}  // namespace weft::test
