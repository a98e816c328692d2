// Programs that cannot run to their end, and addresses that cannot be right.

#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kTwo = "fabric: optweb\nnodes: 2\nprograms:\n";
const std::string kFour = "fabric: optweb\nnodes: 4\nprogram:\n";

std::string failure(const std::string& yaml) { return run_optweb_yaml(yaml).failure; }
std::string bad_input(const std::string& yaml) { return run_optweb_yaml(yaml).error; }

TEST(OptwebErrors, ASendWithoutItsRecvNamesBothNodesAndInstructions) {
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: send, destination: 1 } ]\n  'node[1]': [ { op: recv, source: 0 }, { "
                             "op: recv, source: 0 } ]\n"),
              AllOf(HasSubstr("nothing can happen any more"),
                    HasSubstr("node 1, recv (t.yaml:5:41): waits for data from node 0")));
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: send, destination: 1 } ]\n  'node[1]': [ { op: compute, time: 1us } "
                             "]\n"),
              HasSubstr("node 0, send (t.yaml:4:16): waits for confirmation of receipt by node 1"));
}

// The link carries no more than a cycle of activity; the simulator knows what it was meant for.
TEST(OptwebErrors, ANotificationThatIsTakenForAnother) {
  EXPECT_THAT(
      failure(kTwo + "  'node[0]': [ { op: send, destination: 1, size: 1MiB } ]\n  'node[1]': [ { op: barrier } ]\n"),
      HasSubstr("node 0, send (t.yaml:4:16) has got a notification and takes it to say that it is ready to "
                "receive, but node 1, barrier (t.yaml:5:16) has sent it to say its barrier"));
}

TEST(OptwebErrors, ABarrierThatOneNodeNeverReaches) {
  EXPECT_THAT(failure("fabric: optweb\nnodes: 3\nprograms: { 'node[0..1]': [ { op: barrier } ] }\n"),
              AllOf(HasSubstr("node 0, barrier (t.yaml:3:29): waits for node 2"),
                    HasSubstr("node 1, barrier (t.yaml:3:29): waits for node 2")));
}

TEST(OptwebErrors, SizesThatDiffer) {
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: send, destination: 1, size: 96B } ]\n  'node[1]': [ { op: recv, "
                             "source: 0, size: 64B } ]\n"),
              HasSubstr("node 1, recv (t.yaml:5:16) expects 64 bytes from node 0, but node 0, send (t.yaml:4:16) has "
                        "sent 96"));
}

TEST(OptwebErrors, Addresses) {
  EXPECT_THAT(bad_input(kFour + "  - { op: allgather, size: 128MiB, receive: 64MiB }\n"),
              AllOf(HasSubstr("t.yaml:4:5: error: allgather: on node 0 what is sent (134217728 bytes from 0x0 on) and "
                              "what is received"),
                    HasSubstr("overlap")));
  EXPECT_THAT(bad_input(kFour + "  - { op: alltoall, size: 300MiB, receive: 256MiB }\n"),
              AllOf(HasSubstr("t.yaml:4:5: error: alltoall: 314572800 bytes from relative address 0x10000000 on reach "
                              "beyond the end of a stripe"),
                    HasSubstr("(a stripe, 2K, has 512MiB)")));
  EXPECT_THAT(bad_input(kFour + "  - { op: scatter, size: 64B, send: 512MiB }\n"),
              HasSubstr("relative address 0x20000000 of stripe 0 does not exist"));
  EXPECT_THAT(bad_input(kFour + "  - { op: transfer, source: 0, destination: 1, size: 9GiB }\n"),
              HasSubstr("reach beyond the end of a stripe"));
  // All of a file at once, each instruction once.
  const std::string two =
      bad_input(kFour + "  - { op: alltoall, send: 512MiB }\n  - { op: gather, receive: 512MiB }\n");
  EXPECT_THAT(two, AllOf(HasSubstr("t.yaml:4:5"), HasSubstr("t.yaml:5:5")));
  EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), 1);
}

TEST(OptwebErrors, WhatLooksWrongAndIsNot) {
  for (const char* program :
       {"  - { op: alltoall, size: 0B }\n", "  - { op: sendrecv, source: 1, destination: 1, group: [1] }\n",
        "  - { op: allgather, group: [2] }\n", "  - { op: barrier, group: [3] }\n",
        "  - { op: transfer, source: 3, destination: 0, size: 1B }\n",
        "  - { op: broadcast, path: automatic, size: 16KiB }\n",
        "  - { op: transfer, source: 0, destination: 1, group: [0, 1], path: multipath }\n"}) {
    const OptwebOutcome r = run_optweb_yaml("verify: data\n" + kFour + program);
    EXPECT_THAT(r.error + r.failure, IsEmpty()) << program;
  }
}

// Eager data wait for their instruction in the receive buffer.
TEST(OptwebErrors, EagerDataMayComeEarly) {
  const OptwebOutcome r =
      run_optweb_yaml("verify: data\n" + kTwo +
                      "  'node[0]': [ { op: send, destination: 1, size: 16KiB } ]\n"
                      "  'node[1]': [ { op: compute, time: 1000cycles }, { op: recv, source: 0, size: 16KiB } ]\n");
  EXPECT_THAT(r.error + r.failure, IsEmpty());
  EXPECT_EQ(r.figure("run", "buffered_transfers"), 1);
  // Read out a word per cycle from the paths being set on: 2 + 5, 511 more words, 5 + 5 + 4.
  EXPECT_EQ(r.cycles(2, "latency"), 2 + 5 + 511 + 14);
}

// Longer programs than the instruction memory pass through it.
TEST(OptwebErrors, ProgramsAreLongerThanTheInstructionMemory) {
  std::string program = kFour;
  for (int i = 0; i < 40; ++i) program += "  - { op: barrier }\n";
  for (const char* depth : {"2", "3", "39", "40", "41"}) {
    const OptwebOutcome r = run_optweb_yaml(program, {std::string("sequencer.depth=") + depth});
    EXPECT_THAT(r.error + r.failure, IsEmpty()) << depth;
    EXPECT_EQ(r.figure("run", "instructions"), 160) << depth;
    EXPECT_EQ(r.cycles(39, "start"), r.cycles(0, "start") + 39 * 80) << depth;  // back to back
  }
}

}  // namespace
}  // namespace weft::test
