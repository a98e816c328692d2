// Hierarchies of full meshes with three and more levels: times added up by hand, rates, and what they refuse. Bytes are
// compared in optweb_two_hops_test.cpp.

#include <utility>
#include <vector>

#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kCube = "fabric: optweb\nnodes: 64\ntopology: hierarchy\nlevels: [4, 4, 4]\n";
const std::string kLinedUp = "program:\n  - { op: barrier }\n  - { op: barrier }\n  - { ";

// Groups of four groups of four nodes, all at the beginning of the instruction at the same time.
OptwebOutcome on_cube(const std::string& instruction, const std::string& network = kCube) {
  const OptwebOutcome r = run_optweb_yaml(network + "mode: timing\n" + kLinedUp + instruction + " }\n");
  EXPECT_THAT(r.error + r.failure, IsEmpty()) << instruction;
  return r;
}
std::int64_t cube_latency(const std::string& instruction) {
  const OptwebOutcome r = on_cube(instruction);
  EXPECT_EQ(r.cell(2, "hops"), 3) << instruction;
  return r.cycles(2, "latency");
}

// A step of 64 B takes 142 cycles until it is received, 148 until its receiver goes on and 220 until its source does;
// a level of the reduction unit takes 4, a fence 12. Of more words, a link passes 225 in 256 cycles.
TEST(OptwebHierarchy, TakesTheTimesOfItsSteps) {
  constexpr std::int64_t kReceived = 142;
  constexpr std::int64_t kOn = kReceived + 6;
  constexpr std::int64_t kBack = kReceived + 78;
  constexpr std::int64_t kFence = 12;
  constexpr std::int64_t kLevels = 2 * 4;
  const auto more = [](std::int64_t words) { return ((words + 1) * 256 + 224) / 225 - (3 * 256 + 224) / 225; };
  // 16 blocks for the groups above, then 4, then one.
  EXPECT_EQ(cube_latency("op: scatter, root: 6"), 16 * kBack + kFence + 4 * kBack + kFence + kReceived);
  EXPECT_EQ(cube_latency("op: gather, root: 6"), kOn + kFence + 3 * kBack + kOn + kFence + 15 * kBack + kReceived);
  EXPECT_EQ(cube_latency("op: reduce_scatter"),
            16 * (kBack + kLevels) + kFence + 4 * (kBack + kLevels) + kFence + kReceived + kLevels);
  EXPECT_EQ(cube_latency("op: reduce, root: 6"), 2 * (kOn + kLevels + kFence) + kReceived + kLevels);
  EXPECT_EQ(cube_latency("op: allreduce"), 2 * (kBack + kLevels + kFence) + kReceived + kLevels);
  EXPECT_EQ(cube_latency("op: broadcast, root: 6"), 2 * kBack + kReceived) << "the root has no fence";
  // The own block, 4 of the group, 16 of the group of groups.
  EXPECT_EQ(cube_latency("op: allgather"), kBack + kFence + 4 * kBack + kFence + 15 * kBack + kReceived);
  // 16 blocks at once; 4 rounds for each of 4 groups of groups; 4 rounds of 4 blocks.
  EXPECT_EQ(cube_latency("op: alltoall"),
            kBack + more(32) + kFence + 16 * kBack + kFence + 3 * (kBack + more(8)) + kReceived + more(8));
  EXPECT_EQ(cube_latency("op: transfer, source: 1, destination: 62"), 2 * (kOn + kFence) + kReceived);
  EXPECT_EQ(cube_latency("op: sendrecv, between: [1, 62]"), 2 * (kOn + kFence) + kReceived);
  EXPECT_EQ(
      on_cube("op: barrier").cycles(2, "latency") * 2,
      on_cube("op: barrier", "fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\n").cycles(2, "latency") * 3);
}

// Gb/s of 8 MiB, with addresses by default: what is read and what is written lie in different interfaces in each step.
TEST(OptwebHierarchy, UsesItsLinks) {
  const std::pair<const char*, double> operations[] = {
      {"op: transfer, source: 1, destination: 62", 3},
      {"op: sendrecv, between: [1, 62]", 3},
      {"op: scatter", 16 + 4 + 1},
      {"op: gather", 1 + 4 + 16},
      {"op: alltoall", 3 * 16},
      {"op: reduce", 3},
      {"op: reduce_scatter", 16 + 4 + 1},
      {"op: allreduce", 3},
      {"op: broadcast", 3},
      {"op: broadcast, path: multipath", 1},  // a quarter, four times
      {"op: allreduce, path: multipath", 1},
  };
  for (const auto& [instruction, times] : operations) {
    const OptwebOutcome r = on_cube(std::string(instruction) + ", size: 8MiB");
    EXPECT_NEAR(r.cell(2, "bandwidth").get<double>() * times / 45, 1, 0.02) << instruction;
  }
  EXPECT_EQ(on_cube("op: broadcast, path: multipath").cell(2, "hops"), 4);
  EXPECT_EQ(on_cube("op: transfer, source: 1, destination: 13, path: multipath").cell(2, "hops"), 2);
}

// Four levels, in which both areas of resting data are used and the second last one is used again.
TEST(OptwebHierarchy, DefaultAddressesKeepAreasApart) {
  const std::string network = "fabric: optweb\nnodes: 36\ntopology: hierarchy\nlevels: [3, 2, 3, 2]\nverify: data\n";
  for (const char* op : {"scatter", "gather", "alltoall", "allgather", "broadcast", "reduce", "reduce_scatter",
                         "allreduce", "sendrecv, shift: 17"}) {
    const OptwebOutcome r = run_optweb_yaml(network + kLinedUp + "op: " + op + ", size: 20KiB }\n");
    ASSERT_THAT(r.error + r.failure, IsEmpty()) << op;
    EXPECT_EQ(r.figure("run", "unfenced_reads"), 0) << op;
    EXPECT_GT(r.figure("run", "verified_bytes"), 36 * 20 * 1024) << op;
  }
}

// With a slow memory a missing fence is an error.
TEST(OptwebHierarchy, FencesStandBetweenTheSteps) {
  for (const char* instruction :
       {"op: scatter, root: 6", "op: gather, root: 6", "op: reduce, root: 6", "op: reduce_scatter",
        "op: sendrecv, shift: 5", "op: transfer, source: 1, destination: 10", "op: alltoall", "op: allgather",
        "op: broadcast, root: 6", "op: broadcast, root: 6, path: multipath", "op: allreduce",
        "op: allreduce, path: multipath"}) {
    const OptwebOutcome r = run_optweb_yaml(
        "fabric: optweb\nnodes: 12\ntopology: hierarchy\nlevels: [2, 3, 2]\nverify: data\nbuffers: { size: 1000B }\n"
        "program:\n  - { " +
            std::string(instruction) + " }\n",
        {"memory.write=400cycles"});
    EXPECT_THAT(r.error + r.failure, IsEmpty()) << instruction;
    EXPECT_EQ(r.figure("run", "unfenced_reads"), 0) << instruction;
    EXPECT_GT(r.figure("run", "verified_bytes"), 0) << instruction;
  }
}

// Two levels are a dragonfly.
TEST(OptwebHierarchy, OfTwoLevelsIsADragonfly) {
  const std::string head = "fabric: optweb\nnodes: 12\nverify: data\n";
  const std::string program =
      "program:\n  - { op: alltoall, size: 20KiB }\n  - { op: allreduce, size: 4KiB }\n  - { op: sendrecv, shift: 5, "
      "receive: 300MiB }\n";
  const OptwebOutcome a = run_optweb_yaml(head + "topology: hierarchy\nlevels: [4, 3]\n" + program);
  const OptwebOutcome b = run_optweb_yaml(head + "topology: dragonfly\ngroups: 3\n" + program);
  ASSERT_THAT(a.error + a.failure + b.error + b.failure, IsEmpty());
  EXPECT_EQ(a.report["tables"]["instructions"]["rows"], b.report["tables"]["instructions"]["rows"]);
  EXPECT_EQ(a.report["tables"]["links"]["rows"], b.report["tables"]["links"]["rows"]);
  EXPECT_EQ(a.figure("network", "hops"), b.figure("network", "hops"));
}

TEST(OptwebHierarchy, ReportsItsNetwork) {
  const OptwebOutcome r = on_cube("op: barrier", "fabric: optweb\nnodes: 12\ntopology: hierarchy\nlevels: [2, 3, 2]\n");
  EXPECT_EQ(r.report["figures"]["network"]["levels"]["value"], "2 x 3 x 2");
  EXPECT_EQ(r.figure("network", "links_per_node"), 4);
  // Of 11 other nodes, 4 are a hop away, 1 x 2 + 1 x 1 + 2 x 1 two hops, 1 x 2 x 1 three.
  EXPECT_DOUBLE_EQ(r.figure("network", "hops"), (4 * 1 + 5 * 2 + 2 * 3) / 11.0);
}

TEST(OptwebHierarchy, ErrorsSayWhatIsWrong) {
  const auto bad = [](const std::string& network) {
    return bad_input("fabric: optweb\n" + network + "\nprogram: [ { op: barrier } ]\n");
  };
  EXPECT_THAT(bad("nodes: 12\ntopology: hierarchy"),
              HasSubstr("t.yaml:3:11: error: topology: a hierarchy needs the key 'levels'"));
  EXPECT_THAT(bad("nodes: 12\ntopology: hierarchy\nlevels: [2, 3, 3]"),
              HasSubstr("t.yaml:4:9: error: levels: 2 x 3 x 3 are 18 nodes, the network has 12"));
  EXPECT_THAT(
      bad("nodes: 480\ntopology: hierarchy\nlevels: [60, 8]"),
      HasSubstr("levels: 60 x 8 need 66 links per node, an FPGA has 64; more levels of fewer places need less"));
  EXPECT_THAT(bad("nodes: 12\ntopology: hierarchy\nlevels: [2, 3, 2]\ngroups: 2"),
              HasSubstr("groups: a hierarchy has 'levels' instead"));
  EXPECT_THAT(bad("nodes: 12\nlevels: [2, 3, 2]"),
              HasSubstr("t.yaml:3:1: error: levels: a full mesh has none; for topology: hierarchy"));
  EXPECT_THAT(bad("nodes: 12\ntopology: hierarchy\nlevels: [12]"), HasSubstr("t.yaml:4:9: error: levels"));
  EXPECT_THAT(bad("nodes: 24\ntopology: hierarchy\nlevels: [4, 3, 2]\nmemory: { interfaces: 12 }"),
              HasSubstr("memory.interfaces: 6 links and the node itself need 14 memory interfaces"));
}

TEST(OptwebHierarchy, WhatCannotGoThreeHopsSaysWhy) {
  const auto bad = [](const std::string& instruction, const std::string& buffers = "") {
    return bad_input("fabric: optweb\nnodes: 12\ntopology: hierarchy\nlevels: [2, 3, 2]\n" + buffers +
                     "program:\n  - { " + instruction + " }\n");
  };
  EXPECT_THAT(bad("op: send, destination: 11, at: [0]"), HasSubstr("send: there is no link between nodes 0 and 11"));
  EXPECT_THAT(bad("op: alltoall, group: [0, 1, 2, 3, 6, 7, 8]"),
              HasSubstr("collectives go several hops among nodes that have the same places in each of their groups, at "
                        "every level"));
  EXPECT_THAT(bad("op: transfer, source: 0, destination: 11, path: multipath"),
              HasSubstr("t.yaml:6:5: error: transfer: no route of two hops leads from 0 to 11; use path: direct"));
  EXPECT_THAT(
      bad("op: alltoall, size: 1MiB, scratch2: 385MiB"),
      AllOf(HasSubstr("what rests at scratch ("), HasSubstr("and what rests at scratch2 ("), HasSubstr("overlap")));
  EXPECT_THAT(bad("op: alltoall, size: 1MiB, receive: 129MiB"),
              AllOf(HasSubstr("what rests at scratch2 ("), HasSubstr("and what is received"), HasSubstr("overlap")));
  EXPECT_THAT(bad("op: scatter, size: 60MiB"), HasSubstr("overlap"));  // six of them are more than half of an interface
}

// Of two hops nothing rests twice.
TEST(OptwebHierarchy, WarnsOfUnusedScratch2) {
  const auto warnings = [](const std::string& instruction) {
    return run_optweb_yaml("fabric: optweb\nnodes: 12\ntopology: hierarchy\nlevels: [2, 3, 2]\nprogram:\n  - { " +
                           instruction + ", scratch2: 64MiB }\n")
        .warnings;
  };
  EXPECT_THAT(warnings("op: transfer, source: 0, destination: 5"),
              HasSubstr("scratch2 has no effect, no data of this transfer rest behind a second hop"));
  EXPECT_THAT(warnings("op: allreduce"), IsEmpty());
}

}  // namespace
}  // namespace weft::test
