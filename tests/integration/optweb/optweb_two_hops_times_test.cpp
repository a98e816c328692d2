// Operations of two hops in dragonflies: times added up by hand, where data lie, and what cannot go two hops.

#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Four groups of four nodes, all at the beginning of the instruction at the same time.
OptwebOutcome lined_up(const std::string& instruction) {
  const OptwebOutcome r = run_optweb_yaml(
      "fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nmode: timing\nbuffers: { receive: 64MiB, scratch: "
      "300MiB }\nprogram:\n  - { op: barrier }\n  - { op: barrier }\n  - { " +
      instruction + " }\n");
  EXPECT_THAT(r.error + r.failure, IsEmpty()) << instruction;
  return r;
}
std::int64_t latency(const std::string& instruction) {
  const OptwebOutcome r = lined_up(instruction);
  EXPECT_EQ(r.cell(2, "hops"), 2) << instruction;
  return r.cycles(2, "latency");
}

// A step of 64 B takes 142 cycles until it is received, 148 until its receiver goes on and 220 until its source does;
// a level of the reduction unit takes 4, a fence 12.
TEST(OptwebTwoHops, TakeTheTimesOfTheirSteps) {
  constexpr std::int64_t kReceived = 142;
  constexpr std::int64_t kOn = kReceived + 6;
  constexpr std::int64_t kBack = kReceived + 78;
  constexpr std::int64_t kFence = 12;
  constexpr std::int64_t kLevels = 2 * 4;
  // A block for each of four groups, and from the root's group to all others.
  EXPECT_EQ(latency("op: scatter, root: 6"), 4 * kBack + kFence + kReceived);
  // To the root's group; then the blocks of each group.
  EXPECT_EQ(latency("op: gather, root: 6"), kOn + kFence + 3 * kBack + kReceived);
  EXPECT_EQ(latency("op: reduce, root: 6"), kOn + kLevels + kFence + kReceived + kLevels);
  EXPECT_EQ(latency("op: reduce_scatter"), 4 * (kBack + kLevels) + kFence + kReceived + kLevels);
  // Place 3 of each group sends to the next group, whose place 3, which sends itself at the same time, sends on to
  // place 0. Of two nodes alone, those between send nothing of their own.
  EXPECT_EQ(latency("op: sendrecv, shift: 1"), kBack + kFence + kReceived);
  EXPECT_EQ(latency("op: sendrecv, between: [1, 14]"), kOn + kFence + kReceived);
  EXPECT_EQ(latency("op: transfer, source: 1, destination: 14"), kOn + kFence + kReceived);
  EXPECT_EQ(latency("op: transfer, source: 1, destination: 14, path: multipath, size: 128B"), kOn + kFence + kReceived);
}

// Gb/s of 8 MiB: two times over a link; by two routes half of it; blocks for four groups and once more.
TEST(OptwebTwoHops, UseTheirLinks) {
  const auto rate = [](const std::string& instruction) {
    return lined_up(instruction + ", size: 8MiB").cell(2, "bandwidth").get<double>();
  };
  EXPECT_NEAR(rate("op: transfer, source: 1, destination: 14"), 45.0 / 2, 0.1);
  EXPECT_NEAR(rate("op: transfer, source: 1, destination: 14, path: multipath"), 45, 0.3);
  EXPECT_NEAR(rate("op: transfer, source: 1, destination: 2, path: automatic"), 90, 1);  // the four of the group
  EXPECT_NEAR(rate("op: sendrecv, shift: 1"), 45.0 / 2, 0.1);
  EXPECT_NEAR(rate("op: scatter"), 45.0 / 5, 0.1);
  EXPECT_NEAR(rate("op: gather"), 45.0 / 5, 0.1);
  EXPECT_NEAR(rate("op: reduce"), 45.0 / 2, 0.1);
  EXPECT_NEAR(rate("op: reduce_scatter"), 45.0 / 5, 0.1);
  EXPECT_NEAR(rate("op: broadcast"), 45.0 / 2, 0.1);
  EXPECT_NEAR(rate("op: broadcast, path: automatic"), 45.0 * 4 / 3, 0.5);  // a quarter, three times
  EXPECT_NEAR(rate("op: allreduce"), 45.0 / 2, 0.1);
  EXPECT_NEAR(rate("op: allreduce, path: multipath"), 45.0 * 4 / 3, 0.5);
  EXPECT_EQ(lined_up("op: broadcast, path: multipath").cell(2, "hops"), 3);
}

// Without addresses what rests is read from one interface while what is received goes into the other: a block over a
// link takes its size at 45 Gb/s, an alltoall four blocks at once and four rounds.
TEST(OptwebTwoHops, DefaultAddressesKeepResultsAndRestApart) {
  const std::string head = "fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\n";
  const std::pair<const char*, double> operations[] = {{"scatter", 45.0 / 5},        {"gather", 45.0 / 5},
                                                       {"alltoall", 45.0 / 8},       {"reduce", 45.0 / 2},
                                                       {"reduce_scatter", 45.0 / 5}, {"allreduce", 45.0 / 2}};
  for (const auto& [op, rate] : operations) {
    const std::string barriers = "program:\n  - { op: barrier }\n  - { op: barrier }\n  - { op: ";
    const OptwebOutcome r = run_optweb_yaml(head + "mode: timing\n" + barriers + op + ", size: 8MiB }\n");
    ASSERT_THAT(r.error + r.failure, IsEmpty()) << op;
    EXPECT_NEAR(r.cell(2, "bandwidth").get<double>(), rate, 0.1) << op;
    const OptwebOutcome measured =
        run_optweb_yaml(head + "mode: timing\nmeasure: { operations: [" + op + "], sizes: [8MiB] }\n");
    ASSERT_THAT(measured.error + measured.failure, IsEmpty()) << op;
    EXPECT_EQ(measured.cell(2, "latency"), r.cell(2, "latency")) << op;
    const OptwebOutcome data = run_optweb_yaml(head + "verify: data\n" + barriers + op + ", size: 40KiB }\n");
    ASSERT_THAT(data.error + data.failure, IsEmpty()) << op;
    EXPECT_GT(data.figure("run", "verified_bytes"), 16 * 40 * 1024) << op;
  }
  // Among nodes that all have links what is sent and what is received keep interfaces of their own.
  const OptwebOutcome near = run_optweb_yaml(
      head +
      "mode: timing\nprogram:\n  - { op: barrier }\n  - { op: barrier }\n  - { op: alltoall, size: 8MiB, group: "
      "[4, 5, 6, 7] }\n  - { op: allreduce, size: 8MiB, group: [1, 5, 9, 13] }\n");
  ASSERT_THAT(near.error + near.failure, IsEmpty());
  EXPECT_NEAR(near.cell(2, "bandwidth").get<double>(), 45, 0.1);
}

// In one interface, the second step reads what rests at half of the rate at which words come.
TEST(OptwebTwoHops, ResultsAndRestInOneInterfaceOverflow) {
  EXPECT_THAT(run_optweb_yaml("fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nprogram:\n"
                              "  - { op: reduce, size: 1MiB, receive: 300MiB, scratch: 400MiB }\n")
                  .failure,
              AllOf(HasSubstr("node 0, reduce, its reduce (t.yaml:6:5): the receive buffer of the link from node 4 "
                              "overflows: its 1048576 bytes come faster than the memory interface takes them, which is "
                              "read at the same time"),
                    HasSubstr("place what rests at scratch (1048576 bytes from relative address 0x19000000 of "
                              "stripe 0 on) and what is received (1048576 bytes from relative address 0x12c00000 of "
                              "stripe 0 on) in different interfaces")));
}

// With a slow memory a missing fence is an error.
TEST(OptwebTwoHops, FencesStandBetweenTheSteps) {
  for (const char* instruction :
       {"op: scatter, root: 6", "op: gather, root: 6", "op: reduce, root: 6", "op: reduce_scatter",
        "op: sendrecv, shift: 5", "op: transfer, source: 1, destination: 14",
        "op: transfer, source: 1, destination: 14, path: multipath", "op: alltoall", "op: allgather",
        "op: broadcast, root: 6", "op: broadcast, root: 6, path: multipath", "op: allreduce",
        "op: allreduce, path: multipath"}) {
    const OptwebOutcome r = run_optweb_yaml(
        std::string("fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nverify: data\nbuffers: { size: 1000B, "
                    "receive: 64MiB, scratch: 300MiB }\nprogram:\n  - { ") +
            instruction + " }\n",
        {"memory.write=400cycles"});
    EXPECT_THAT(r.error + r.failure, IsEmpty()) << instruction;
    EXPECT_EQ(r.figure("run", "unfenced_reads"), 0) << instruction;
    EXPECT_GT(r.figure("run", "verified_bytes"), 0) << instruction;
  }
}

std::string error_of(const std::string& instruction, const std::string& programs = "program") {
  return run_optweb_yaml("fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\n" + programs +
                         (programs == "program" ? ":\n  - { " : " [ { ") + instruction +
                         (programs == "program" ? " }\n" : " } ] }\n"))
      .error;
}

TEST(OptwebTwoHops, WhatCannotGoTwoHopsSaysWhy) {
  EXPECT_THAT(
      error_of("op: send, destination: 10, at: [0]"),
      HasSubstr("t.yaml:6:5: error: send: there is no link between nodes 0 and 10; the node between them has an "
                "instruction for their data only in a transfer, or in a sendrecv with shift or between"));
  EXPECT_THAT(error_of("op: sendrecv, source: 10, destination: 10, group: [0]"), HasSubstr("only in a transfer"));
  for (const char* op : {"scatter", "gather", "reduce", "reduce_scatter", "barrier", "broadcast, path: multipath"}) {
    EXPECT_THAT(error_of(std::string("op: ") + op + ", group: [0, 1, 4, 6]"),
                HasSubstr("; collectives go two hops among nodes that have the same places in each of their groups"));
  }
  // The node between two has a part wherever it stands; one that has none does not.
  const auto of = [](const char* nodes) { return std::string("programs: { '") + nodes + "':"; };
  EXPECT_THAT(error_of("op: transfer, source: 0, destination: 15, group: [0, 15]", of("node[12]")), IsEmpty());
  EXPECT_THAT(error_of("op: transfer, source: 0, destination: 15", of("node[7]")),
              HasSubstr("no node of this program takes part in this transfer"));
}

// What is sent, received and on its way lies apart over all steps of an instruction.
TEST(OptwebTwoHops, AreasOfAnInstructionLieApart) {
  EXPECT_THAT(error_of("op: scatter, size: 1MiB, receive: 64MiB, scratch: 2MiB"),
              AllOf(HasSubstr("t.yaml:6:5: error: scatter: on node 0 what rests at scratch (1048576 bytes from "),
                    HasSubstr("and what is sent (1048576 bytes from "), HasSubstr("overlap")));
  EXPECT_THAT(error_of("op: alltoall, size: 1MiB, receive: 302MiB, scratch: 300MiB"),
              AllOf(HasSubstr("what rests at scratch"), HasSubstr("what is received"), HasSubstr("overlap")));
  EXPECT_THAT(error_of("op: scatter, size: 1MiB, receive: 512KiB, scratch: 300MiB"),
              AllOf(HasSubstr("what is sent"), HasSubstr("what is received"), HasSubstr("overlap")));
}

}  // namespace
}  // namespace weft::test
