// Programs that cannot run to their end, and addresses that cannot be right.

#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kTwo = "fabric: optweb\nnodes: 2\nprograms:\n";

std::string failure(const std::string& yaml) { return run_optweb_yaml(yaml).failure; }

TEST(OptwebErrors, ASendWithoutItsRecvNamesBothNodesAndInstructions) {
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: send, destination: 1 } ]\n  'node[1]': [ { op: recv, source: 0 }, { "
                             "op: recv, source: 0 } ]\n"),
              AllOf(HasSubstr("no further progress is possible"),
                    HasSubstr("node 1, recv (t.yaml:5:41): waits for data from node 0")));
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: send, destination: 1 } ]\n  'node[1]': [ { op: compute, time: 1us } "
                             "]\n"),
              HasSubstr("node 0, send (t.yaml:4:16): waits for confirmation of receipt by node 1"));
}

// The link carries no more than a cycle of activity; the simulator knows what both ends are doing.
TEST(OptwebErrors, ASendThatMeetsABarrier) {
  EXPECT_THAT(
      failure(kTwo + "  'node[0]': [ { op: send, destination: 1, size: 1MiB } ]\n  'node[1]': [ { op: barrier } ]\n"),
      AllOf(HasSubstr("the programs do not match: node 0, send (t.yaml:4:16) meets another operation"),
            HasSubstr("node 1, barrier (t.yaml:5:16)")));
}

TEST(OptwebErrors, ABarrierThatOneNodeNeverReaches) {
  EXPECT_THAT(failure("fabric: optweb\nnodes: 3\nprograms: { 'node[0..1]': [ { op: barrier } ] }\n"),
              AllOf(HasSubstr("node 0, barrier (t.yaml:3:29): waits for node 2"),
                    HasSubstr("node 1, barrier (t.yaml:3:29): waits for node 2")));
}

TEST(OptwebErrors, SizesThatDiffer) {
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: send, destination: 1, size: 96B } ]\n  'node[1]': [ { op: recv, "
                             "source: 0, size: 64B } ]\n"),
              HasSubstr("node 1, recv (t.yaml:5:16) expects 64 bytes from node 0, but node 0, send (t.yaml:4:16) sends "
                        "96"));
}

// Nothing of these passes over a link.
TEST(OptwebErrors, TransfersThatMoveNothingHaveTwoEndsAsWell) {
  EXPECT_THAT(
      failure(kTwo + "  'node[0]': [ { op: send, destination: 1, size: 0B } ]\n  'node[1]': [ { op: fence } ]\n"),
      AllOf(HasSubstr("the programs are over, but do not match"),
            HasSubstr("node 0, send (t.yaml:4:16): sends 0 bytes to node 1, where no instruction takes them")));
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: fence } ]\n  'node[1]': [ { op: recv, source: 0, size: 0B } ]\n"),
              HasSubstr("node 1, recv (t.yaml:5:16): expects 0 bytes from node 0, where no instruction sends them"));
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: send, destination: 0, size: 64B } ]\n"),
              HasSubstr("node 0, send (t.yaml:4:16): sends 64 bytes to node 0, where no instruction takes them"));
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: send, destination: 1, size: 0B } ]\n  'node[1]': [ { op: recv, "
                             "source: 0, size: 64B } ]\n"),
              HasSubstr("node 1, recv (t.yaml:5:16) expects 64 bytes from node 0, but node 0, send (t.yaml:4:16) sends "
                        "0"));
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: recv, source: 0, size: 64B } ]\n"),
              HasSubstr("node 0, recv (t.yaml:4:16): waits for data from node 0"));
}

TEST(OptwebErrors, ASendToOneselfIsACopy) {
  for (const char* size : {"0B", "1B", "100B", "16KiB"}) {
    const OptwebOutcome r = run_optweb_yaml(
        "verify: data\n" + kTwo + "  'node[0]': [ { op: send, destination: 0, size: " + size +
        " }, { op: send, destination: 0, size: 32B, send: 1MiB }, { op: recv, source: 0, size: " + size +
        " }, { op: recv, source: 0, size: 32B, receive: 300MiB } ]\n");
    EXPECT_THAT(r.error + r.failure, IsEmpty()) << size;
    EXPECT_EQ(r.figure("run", "bytes"), 0);
  }
}

// As many bytes between the same nodes, but something else.
TEST(OptwebErrors, OperationsThatLookAlike) {
  const auto two = [](const std::string& a, const std::string& b) {
    return failure(kTwo + "  'node[0]': [ { " + a + " } ]\n  'node[1]': [ { " + b + " } ]\n");
  };
  EXPECT_THAT(two("op: alltoall", "op: allgather"),
              AllOf(HasSubstr("the programs do not match"), HasSubstr("node 0, alltoall (t.yaml:4:16)"),
                    HasSubstr("node 1, allgather (t.yaml:5:16)")));
  EXPECT_THAT(two("op: broadcast, root: 0", "op: recv, source: 0"), HasSubstr("meets another operation"));
  EXPECT_THAT(two("op: scatter, root: 0", "op: broadcast, root: 0"), HasSubstr("meets another operation"));
  EXPECT_THAT(two("op: alltoall, size: 0B", "op: allgather, size: 0B"), HasSubstr("meets another operation"));
  EXPECT_THAT(failure("fabric: optweb\nnodes: 3\nprograms:\n  'node[0]': [ { op: alltoall, group: [0, 1] } ]\n"
                      "  'node[1..2]': [ { op: alltoall } ]\n"),
              HasSubstr("has another group, root, round or reduction than"));
  EXPECT_THAT(two("op: send, destination: 1", "op: sendrecv, source: 0, destination: 0, receive: 300MiB"),
              HasSubstr("node 1, sendrecv (t.yaml:5:16): waits for"));
}

// A read that overtakes a write: the default latencies make up for a missing fence, a slower memory does not.
TEST(OptwebErrors, AMissingFence) {
  const std::string program =
      kFour + "  - { op: allgather }\n  - FENCE{ op: sendrecv, shift: 1, send: 256MiB, receive: 0B }\n";
  const auto with = [&](const std::string& fence) {
    std::string out = program;
    return out.replace(out.find("FENCE"), 5, fence);
  };
  const std::string fence = "{ op: fence }\n  - ";
  OptwebOutcome r = run_optweb_yaml(with(""));
  EXPECT_THAT(r.error + r.failure, IsEmpty());
  EXPECT_EQ(r.figure("run", "unfenced_reads"), 4);
  EXPECT_THAT(run_optweb_yaml(with(""), {"memory.write=400cycles"}).failure,
              AllOf(HasSubstr("a fence is missing: node "), HasSubstr("sendrecv (t.yaml:5:5) reads in cycle "),
                    HasSubstr(", allgather (t.yaml:4:5) has written")));
  for (const char* write : {"8cycles", "40cycles", "400cycles"}) {
    r = run_optweb_yaml(with(fence), {std::string("memory.write=") + write});
    EXPECT_THAT(r.error + r.failure, IsEmpty()) << write;
    EXPECT_EQ(r.figure("run", "unfenced_reads"), 0);
  }
}

TEST(OptwebErrors, TheWatchdogNamesWhoIsGoneAndWhen) {
  EXPECT_THAT(
      failure(kTwo + "  'node[0]': [ { op: recv, source: 1 } ]\n  'node[1]': [ { op: compute, time: 10cycles } ]\n"),
      AllOf(HasSubstr("no further progress is possible after 70ns (cycle 14)"),
            HasSubstr("node 1: its program is over since 70ns (cycle 14)")));
  EXPECT_THAT(failure(kTwo + "  'node[0]': [ { op: recv, source: 1 } ]\n"), HasSubstr("node 1: has no program"));
}

// Stalls, the ends of programs and the times of the report count from the same zero to the ends of cycles.
TEST(OptwebErrors, AStallHasTheTimeOfTheReport) {
  const OptwebOutcome r = run_optweb_yaml(kTwo +
                                          "  'node[0]': [ { op: send, destination: 1, size: 1KiB } ]\n"
                                          "  'node[1]': [ { op: compute, time: 1us } ]\n");
  EXPECT_THAT(r.failure, AllOf(HasSubstr("no further progress is possible after 1.02us (cycle 204)"),
                               HasSubstr("node 1: its program is over since 1.02us (cycle 204)")));
  EXPECT_DOUBLE_EQ(r.figure("run", "time"), 1020);
}

// Of an instruction that only some nodes have completed there are no times.
TEST(OptwebErrors, APartialReportSaysNothingWrong) {
  const OptwebOutcome r =
      run_optweb_yaml(kFour +
                          "  - { op: barrier }\n  - { op: compute, time: 1us, at: [0] }\n  - { op: barrier }\n"
                          "  - { op: transfer, source: 0, destination: 1 }\n",
                      {"program.2.group=[0, 1, 2, 3]"});
  EXPECT_THAT(r.error + r.failure, IsEmpty());
  const OptwebOutcome stalls = run_optweb_yaml(
      "verify: data\nfabric: optweb\nnodes: 3\nprograms:\n"
      "  'node[0..1]': [ { op: barrier, group: [0, 1] }, { op: barrier } ]\n  'node[2]': [ { op: fence } ]\n");
  EXPECT_THAT(stalls.failure, HasSubstr("no further progress"));
  EXPECT_EQ(stalls.cycles(0, "latency"), 80);
  EXPECT_TRUE(stalls.cell(1, "latency").is_null());
  EXPECT_TRUE(stalls.cell(1, "start").is_null());
  EXPECT_EQ(stalls.report["figures"]["run"]["verified"]["value"], false);
  EXPECT_EQ(stalls.figure("run", "verified_bytes"), 0);
}

TEST(OptwebErrors, WhatIsToBeVerifiedIsAlwaysReported) {
  const OptwebOutcome nothing = run_optweb_yaml("verify: data\n" + kFour + "  - { op: barrier }\n");
  EXPECT_EQ(nothing.report["figures"]["run"]["verified"]["value"], true);
  EXPECT_EQ(nothing.figure("run", "verified_bytes"), 0);
  const OptwebOutcome unasked = run_optweb_yaml(kFour + "  - { op: barrier }\n");
  EXPECT_FALSE(unasked.report["figures"]["run"].contains("verified"));
}

TEST(OptwebErrors, ReductionsHaveWholeElements) {
  EXPECT_THAT(bad_input(kFour + "  - { op: reduce, size: 33B }\n"),
              HasSubstr("program.0.size: 'reduce' needs a multiple of 4 bytes (elements of int32), got 33B"));
  EXPECT_THAT(bad_input(kFour + "  - { op: allreduce, size: 64B, send: 2B, type: float32 }\n"),
              HasSubstr("program.0.send: 'allreduce' needs a multiple of 4 bytes (elements of float32), got 2B"));
  EXPECT_THAT(bad_input(kFour + "  - { op: allgather, combine: sum }\n"),
              HasSubstr("combine: this key has no meaning for 'allgather'"));
  EXPECT_THAT(bad_input("fabric: optweb\nnodes: 4\nmeasure: { operations: [reduce], sizes: [6B] }\n"),
              HasSubstr("measure.sizes: 6 B are not whole elements of 4 bytes, which 'reduce' needs"));
  EXPECT_THAT(bad_input(kFour + "  - { op: reduce_scatter, size: 300MiB }\n"),
              HasSubstr("reach beyond its end (a stripe, 2K, has 512MiB)"));
}

TEST(OptwebErrors, Dragonflies) {
  const auto bad = [](const std::string& head, const std::string& op = "barrier") {
    return bad_input("fabric: optweb\n" + head + "\nprogram:\n  - { op: " + op + " }\n");
  };
  EXPECT_THAT(bad("nodes: 16\ntopology: dragonfly"),
              HasSubstr("t.yaml:3:11: error: topology: a dragonfly needs the key"));
  EXPECT_THAT(bad("nodes: 16\ntopology: dragonfly\ngroups: 5"),
              HasSubstr("16 nodes are not 5 groups of the same size"));
  EXPECT_THAT(bad("nodes: 960\ntopology: dragonfly\ngroups: 2"), HasSubstr("2 groups of 480 nodes need 480 links"));
  EXPECT_THAT(bad("nodes: 65"), HasSubstr("nodes: a full mesh has at most 64"));
  EXPECT_THAT(bad("nodes: 16\ngroups: 4"), HasSubstr("groups: a full mesh has no groups"));
  EXPECT_THAT(bad("nodes: 968\ntopology: dragonfly\ngroups: 22"),
              HasSubstr("64 links and the node itself need 130 memory interfaces, two each, there are 32"));
  const std::string four = "nodes: 16\ntopology: dragonfly\ngroups: 4";
  EXPECT_THAT(
      bad(four, "scatter, group: [0, 5]"),
      HasSubstr("scatter: there is no link between nodes 0 and 5; collectives go two hops among nodes that have "
                "the same places in each of their groups"));
  EXPECT_THAT(bad(four, "send, destination: 10, at: [0]"), HasSubstr("there is no link between nodes 0 and 10"));
  EXPECT_THAT(bad(four, "barrier, group: [0, 1, 4, 6]"), HasSubstr("there is no link between nodes"));
  EXPECT_THAT(bad(four, "allreduce, path: multipath, group: [0, 1, 4, 6]"), HasSubstr("the same places"));
}

// Each of these nodes has links to the root, but not all of them to each other.
TEST(OptwebErrors, GroupsThatAreStars) {
  for (const char* op : {"barrier", "broadcast", "scatter", "gather", "alltoall", "allgather", "reduce", "allreduce",
                         "reduce_scatter"}) {
    const bool root = std::string("broadcast scatter gather reduce").find(op) != std::string::npos;
    EXPECT_THAT(
        bad_input("fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nverify: data\nprogram:\n  - { op: " +
                  std::string(op) + (root ? ", root: 4" : "") + ", group: [0, 4, 6, 7, 8] }\n"),
        HasSubstr(std::string("t.yaml:7:5: error: ") + op + ": there is no link between nodes 0 and 6"))
        << op;
  }
}

TEST(OptwebErrors, OverlapsNameScratch) {
  EXPECT_THAT(bad_input("fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nprogram:\n"
                        "  - { op: alltoall, size: 64KiB, scratch: 0B }\n"),
              HasSubstr("and what rests at scratch ("));
}

TEST(OptwebErrors, ClocksOfTheirOwnHaveAPicosecond) {
  const std::string clocks =
      "fabric: optweb\nnodes: 4\nprogram: [ { op: barrier } ]\nclocks: { offsets_ppm: [0, 1000, "
      "-1000, 1] }\nclock: ";
  EXPECT_THAT(bad_input(clocks + "1000GHz\n"),
              HasSubstr("t.yaml:5:8: error: clock: expected at most 500GHz with clocks of their own"));
}

TEST(OptwebErrors, Addresses) {
  EXPECT_THAT(bad_input(kFour + "  - { op: allgather, size: 128MiB, receive: 64MiB }\n"),
              AllOf(HasSubstr(
                  "t.yaml:4:5: error: allgather: on node 0 what is sent (134217728 bytes from relative address 0x0 of "
                  "stripe 0 on) and what is received (134217728 bytes from relative address 0x4000000 of "
                  "stripe 0 on) overlap")));
  EXPECT_THAT(
      bad_input(kFour + "  - { op: alltoall, size: 300MiB, receive: 256MiB }\n"),
      AllOf(HasSubstr("t.yaml:4:5: error: alltoall: 314572800 bytes from relative address 0x10000000 of stripe 0 "
                      "on reach beyond its end"),
            HasSubstr("(a stripe, 2K, has 512MiB)")));
  EXPECT_THAT(bad_input(kFour + "  - { op: scatter, size: 64B, send: 512MiB }\n"),
              HasSubstr("relative address 0x20000000 of stripe 0 does not exist"));
  EXPECT_THAT(bad_input(kFour + "  - { op: transfer, source: 0, destination: 1, size: 9GiB }\n"),
              HasSubstr("reach beyond its end"));
  // All of a file at once, each instruction once.
  const std::string two =
      bad_input(kFour + "  - { op: alltoall, send: 512MiB }\n  - { op: gather, receive: 512MiB }\n");
  EXPECT_THAT(two, AllOf(HasSubstr("t.yaml:4:5"), HasSubstr("t.yaml:5:5")));
  EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), 1);
}

// What the file does not say is named with its place: results at K, of two steps at K/2 with what rests at 3K/2.
TEST(OptwebErrors, DefaultAddressesAreNamed) {
  const std::string nine = "fabric: optweb\nnodes: 9\ntopology: dragonfly\ngroups: 3\nprogram:\n";
  EXPECT_THAT(bad_input(nine + "  - { op: alltoall, size: 43MiB }\n"),
              HasSubstr("t.yaml:6:5: error: alltoall: 135266304 bytes from relative address 0x18000000 of stripe 0 on "
                        "reach beyond its end (a stripe, 2K, has 512MiB); 'receive' at K/2 (relative address "
                        "0x8000000) and 'scratch' at 3K/2 (relative address 0x18000000), the defaults, can be given"));
  EXPECT_THAT(
      bad_input(nine + "  - { op: scatter, root: 4, size: 60MiB }\n"),
      AllOf(HasSubstr("t.yaml:6:5: error: scatter: on node 4 what is sent (62914560 bytes from relative address "
                      "0x7800000 of stripe 1 on) and what is received (62914560 bytes from relative address "
                      "0x8000000 of stripe 1 on) overlap; 'receive' at K/2"),
            HasSubstr("can be given")));
  EXPECT_THAT(bad_input(kFour + "  - { op: allgather, size: 300MiB }\n"),
              HasSubstr("; 'receive' at K (relative address 0x10000000), the default, can be given"));
  EXPECT_THAT(bad_input(nine + "  - { op: scatter, root: 4, size: 60MiB, receive: 132MiB, scratch: 400MiB }\n"),
              AllOf(HasSubstr("overlap"), ::testing::Not(HasSubstr("default"))));
}

// Of a memory that is wrong nothing else is judged; a default is wrong where the keys are that it does not fit.
TEST(OptwebErrors, MemoriesThatAreNotWholeWords) {
  const auto with = [](const std::string& keys) {
    return bad_input("fabric: optweb\nnodes: 5\n" + keys +
                     "program:\n  - { op: reduce }\nhost: [ { node: 0, op: read, address: 4GiB, size: 4B } ]\n");
  };
  // 8 GiB are 26,843,545 times 10 words of 32 bytes, and 192 bytes.
  const std::string wrong = with("memory: { interfaces: 10 }\n");
  EXPECT_THAT(wrong,
              HasSubstr("t.yaml:3:23: error: memory.capacity: 8GiB (the default) are not whole words of 32 bytes "
                        "in each of 10 interfaces; the nearest capacity that is: 8589934720B"));
  EXPECT_EQ(std::count(wrong.begin(), wrong.end(), '\n'), 0) << wrong;
  EXPECT_THAT(with("memory: { interfaces: 10, capacity: 8589934720B }\n"),
              HasSubstr("t.yaml:6:39: error: host.0.address: expected less than a stripe"));
  const std::string given = with("memory: { interfaces: 10, capacity: 330B }\n");
  EXPECT_THAT(given,
              HasSubstr("t.yaml:3:37: error: memory.capacity: 330B are not whole words of 32 bytes in each of 10 "
                        "interfaces; the nearest capacity that is: 320B"));
  EXPECT_EQ(std::count(given.begin(), given.end(), '\n'), 0) << given;
  EXPECT_THAT(with("memory: { interfaces: 10, capacity: 21GiB }\n"),
              HasSubstr("nearest capacity that is: 21474836480B"));
  EXPECT_THAT(
      with("memory: { interfaces: 16, capacity: 64GiB }\n"),
      HasSubstr("t.yaml:3:37: error: memory.capacity: 64GiB over 16 interfaces are more than 2GiB each, which is "
                "the most an interface has; at most 34359738368B"));
  const std::string word = with("word: 24B\n");
  EXPECT_THAT(word, HasSubstr("t.yaml:3:7: error: memory.capacity: 8GiB (the default)"));
}

TEST(OptwebErrors, OneMistakeIsOneError) {
  const std::string fence = bad_input(kFour + "  - { op: fence, at: [9] }\n");
  EXPECT_THAT(fence, HasSubstr("program.0.at: there is no node 9"));
  EXPECT_EQ(std::count(fence.begin(), fence.end(), '\n'), 0) << fence;
  EXPECT_THAT(bad_input("fabric: optweb\nnodes: 4\nmeasure: { operations: [barrier, transfer, transfer] }\n"),
              HasSubstr("t.yaml:3:44: error: measure.operations: 'transfer' stands there twice"));
}

// Of a transfer from node 0 to 1 data rest at nodes 2 and 3, whose own data stay what they are.
TEST(OptwebErrors, DataDoNotRestOnThoseOfOthers) {
  const std::string alltoall = "  - { op: alltoall, size: 64KiB, receive: 300MiB }\n";
  const auto transfer = [](const std::string& scratch) {
    return "  - { op: transfer, source: 0, destination: 1, size: 256KiB, path: multipath, send: 1MiB, receive: 310MiB, "
           "scratch: " +
           scratch + " }\n";
  };
  EXPECT_THAT(bad_input(kFour + alltoall + transfer("300MiB")),
              AllOf(HasSubstr("t.yaml:5:5: error: transfer: on node 2 data rest on their way (at scratch, 65536 bytes "
                              "from relative address 0x12c00000 of stripe 1 on) where 'alltoall' (t.yaml:4:5) sends or "
                              "receives (65536 bytes"),
                    HasSubstr("choose another 'scratch'")));
  EXPECT_THAT(bad_input(kFour + transfer("32KiB") + "  - { op: gather, size: 64KiB, root: 1 }\n"),
              HasSubstr("t.yaml:4:5: error: transfer: on node 2"));
  // 200 MiB from K on reach beyond 3/2 K, where data rest unless it is said otherwise.
  EXPECT_THAT(bad_input(kFour + "  - { op: alltoall, size: 200MiB }\n" +
                        "  - { op: transfer, source: 0, destination: 1, size: 128MiB, path: automatic }\n"),
              HasSubstr("data rest on their way"));
  EXPECT_THAT(bad_input("fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nprogram:\n"
                        "  - { op: allreduce, size: 64KiB, receive: 64MiB, scratch: 300MiB }\n"
                        "  - { op: sendrecv, between: [0, 1], size: 64KiB, receive: 0B, send: 128MiB }\n"
                        "  - { op: sendrecv, source: 0, destination: 0, group: [0], size: 64B, send: 300MiB }\n"),
              AllOf(HasSubstr("t.yaml:6:5: error: allreduce: on node 0"), HasSubstr("t.yaml:8:5")));
  // At scratch of one another; beside those of others; at the ends of the transfer itself; all of it measured only.
  for (const std::string& good : {kFour + alltoall + transfer("400MiB") + transfer("400MiB"),
                                  kFour + alltoall + transfer("307264KiB"), kFour + transfer("310MiB"),
                                  std::string("fabric: optweb\nnodes: 4\nmode: timing\n"
                                              "measure: { operations: [alltoall, multipath], sizes: [200MiB] }\n")}) {
    const OptwebOutcome r = run_optweb_yaml(good);
    EXPECT_THAT(r.error + r.failure, IsEmpty()) << good;
  }
}

TEST(OptwebErrors, WhatLooksWrongAndIsNot) {
  for (const char* program :
       {"  - { op: alltoall, size: 0B }\n", "  - { op: sendrecv, source: 1, destination: 1, group: [1] }\n",
        "  - { op: allgather, group: [2] }\n", "  - { op: barrier, group: [3] }\n",
        "  - { op: transfer, source: 3, destination: 0, size: 1B }\n",
        "  - { op: broadcast, path: automatic, size: 16KiB }\n",
        "  - { op: broadcast, path: automatic, size: 16KiB, group: [0, 1] }\n",
        "  - { op: transfer, source: 0, destination: 1, group: [0, 1], size: 1MiB, path: automatic }\n"}) {
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
