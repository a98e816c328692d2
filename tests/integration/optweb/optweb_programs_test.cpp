// Errors in programs, reported before they run: programs that do not match, routes that are not there,
// keys without effect.

#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(OptwebPrograms, AllPathsAreMoreThanOne) {
  for (const char* op : {"transfer, source: 0, destination: 1", "broadcast", "allreduce"}) {
    EXPECT_THAT(bad_input(kFour + "  - { op: " + op + ", group: [0, 1], path: multipath }\n"),
                HasSubstr("there is only one route between 0 and 1 in this group"))
        << op;
  }
  EXPECT_THAT(bad_input("fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nprogram:\n"
                        "  - { op: transfer, source: 0, destination: 5, group: [0, 1, 5], path: multipath }\n"),
              HasSubstr("there is only one route between 0 and 5 in this group"));
}

// From node 0 to 5 by way of node 4.
TEST(OptwebPrograms, NodesBetweenHaveTheInstruction) {
  const auto programs = [](const std::string& between) {
    const std::string transfer = "[ { op: transfer, source: 0, destination: 5, group: [0, 5] } ]\n";
    return run_optweb_yaml("fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nprograms:\n  'node[0]': " +
                           transfer + "  'node[5]': " + transfer + between);
  };
  EXPECT_THAT(programs("").error,
              HasSubstr("t.yaml:6:16: error: transfer: data pass node 4, which has no such transfer in its program"));
  const OptwebOutcome r = programs("  'node[4]': [ { op: transfer, source: 0, destination: 5, group: [0, 5] } ]\n");
  EXPECT_THAT(r.error + r.failure, IsEmpty());
}

// Every node would wait for others that wait for it.
TEST(OptwebPrograms, RootsThatDifferNameBothNodesAndRoots) {
  const auto programs = [](const std::string& a, const std::string& b) {
    return bad_input("fabric: optweb\nnodes: 4\nprograms:\n  'node[0..1]': [ " + a + " ]\n  'node[2..3]': [ " + b +
                     " ]\n");
  };
  for (const char* op : {"broadcast", "scatter", "gather", "reduce"}) {
    const std::string name = op;
    EXPECT_THAT(programs("{ op: barrier }, { op: " + name + ", root: 1 }", "{ op: barrier }, { op: " + name + " }"),
                HasSubstr("t.yaml:5:36: error: the programs do not match: node 2 has root 0 for this " + name +
                          ", node 0 has root 1 (" + name + ", t.yaml:4:36)"));
  }
  // Of other nodes, of nodes of one of the programs, and behind an operation that is told in the run.
  EXPECT_THAT(programs("{ op: broadcast, root: 1, group: [0, 1] }", "{ op: broadcast, root: 2, group: [2, 3] }"),
              IsEmpty());
  EXPECT_THAT(
      programs("{ op: broadcast, root: 1, group: [0, 1] }, { op: broadcast, root: 2 }", "{ op: broadcast, root: 2 }"),
      IsEmpty());
  EXPECT_THAT(programs("{ op: broadcast, root: 1 }", "{ op: barrier }, { op: broadcast, root: 2 }"), IsEmpty());
}

// They would meet in the run, where one node is told of another.
TEST(OptwebPrograms, ReductionsAndSizesThatDifferNameBothNodesAndValues) {
  const auto programs = [](const std::string& a, const std::string& b) {
    return bad_input("fabric: optweb\nnodes: 4\nprograms:\n  'node[0..1]': [ { op: barrier }, { " + a +
                     " } ]\n  'node[2..3]': [ { op: barrier }, { " + b + " } ]\n");
  };
  for (const char* op : {"reduce", "allreduce", "reduce_scatter"}) {
    const std::string name = op;
    EXPECT_EQ(programs("op: " + name, "op: " + name + ", combine: max, type: float32, size: 128B"),
              "t.yaml:5:36: error: the programs do not match: node 2 has size 128B for this " + name +
                  ", node 0 has size 64B (" + name + ", t.yaml:4:36)\n" +
                  "t.yaml:5:36: error: the programs do not match: node 2 has combine max for this " + name +
                  ", node 0 has combine sum (" + name + ", t.yaml:4:36)\n" +
                  "t.yaml:5:36: error: the programs do not match: node 2 has type float32 for this " + name +
                  ", node 0 has type int32 (" + name + ", t.yaml:4:36)");
  }
  for (const char* op : {"alltoall", "allgather", "broadcast", "scatter", "gather"}) {
    const std::string name = op;
    EXPECT_THAT(programs("op: " + name + ", size: 1MiB", "op: " + name + ", size: 1000B"),
                HasSubstr("node 2 has size 1000B for this " + name + ", node 0 has size 1MiB (" + name))
        << op;
    EXPECT_THAT(programs("op: " + name, "op: " + name + ", send: 1KiB"), IsEmpty()) << op;  // addresses are their own
  }
  EXPECT_THAT(programs("op: allreduce, combine: max, group: [0, 1]", "op: allreduce, group: [2, 3], size: 1KiB"),
              IsEmpty());
}

// Data of these do not rest on their way: within a group of a dragonfly, over one link, below multipath_from.
TEST(OptwebPrograms, ScratchThatHasNoEffectIsAWarning) {
  const std::string four = "fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nprogram:\n";
  const auto line = [](const std::string& op) {
    return "t.yaml:6:7: warning: scratch has no effect, no data of this " + op + " rest on their way\n";
  };
  const auto warnings = [](const std::string& yaml) {
    const OptwebOutcome r = run_optweb_yaml(yaml);
    EXPECT_THAT(r.error + r.failure, IsEmpty()) << yaml;
    return r.warnings;
  };
  for (const char* op : {"alltoall", "scatter", "gather", "reduce", "allreduce", "reduce_scatter"}) {
    const std::string name = op;
    EXPECT_EQ(warnings(four + "  - { scratch: 300MiB, op: " + name + ", group: [0, 1, 2] }\n"), line(name));
    EXPECT_EQ(warnings(four + "  - { scratch: 300MiB, op: " + name + " }\n"), "") << op;
  }
  const std::string ends = "source: 0, destination: 1 }\n";
  EXPECT_EQ(warnings(four + "  - { scratch: 300MiB, op: transfer, " + ends), line("transfer"));
  EXPECT_EQ(warnings(four + "  - { scratch: 300MiB, op: transfer, path: automatic, size: 8KiB, " + ends),
            line("transfer"));
  EXPECT_EQ(warnings(four + "  - { scratch: 300MiB, op: transfer, path: automatic, size: 64KiB, " + ends), "");
  EXPECT_EQ(warnings(four + "  - { scratch: 300MiB, op: sendrecv, shift: 1 }\n"), "");
  EXPECT_EQ(warnings(four + "  - { scratch: 300MiB, op: sendrecv, between: [2, 3] }\n"), line("sendrecv"));
  // Once, however often it is repeated.
  EXPECT_EQ(warnings(four + "  - repeat: 3\n    program: [ { op: allreduce, group: [0, 4], scratch: 300MiB }, { op: "
                            "barrier } ]\n"),
            "t.yaml:7:48: warning: scratch has no effect, no data of this allreduce rest on their way\n");
  EXPECT_THAT(bad_input(kFour + "  - { op: allgather, scratch: 0B }\n"),
              HasSubstr("scratch: this key has no meaning for 'allgather'"));
}

TEST(OptwebPrograms, MeasuringAllPathsWhereThereIsOneIsNoted) {
  const auto notes = [](const std::string& nodes) {
    const OptwebOutcome r =
        run_optweb_yaml("fabric: optweb\nnodes: " + nodes +
                        "\nmode: timing\nmeasure: { operations: [transfer, multipath, multipath_broadcast], sizes: "
                        "[64B, 1MiB] }\n");
    EXPECT_THAT(r.error + r.failure, IsEmpty());
    return r.report["notes"].get<std::vector<std::string>>();
  };
  EXPECT_EQ(
      notes("2"),
      (std::vector<std::string>{
          "multipath: there is only one route between 0 and 1 in this group, which is what was measured",
          "multipath_broadcast: there is only one route between 0 and 1 in this group, which is what was measured"}));
  EXPECT_EQ(notes("3"), std::vector<std::string>{});
}

TEST(OptwebPrograms, BuffersThatHaveNoEffect) {
  EXPECT_THAT(bad_input("fabric: optweb\nnodes: 4\nbuffers: { size: 1KiB }\nmeasure: { sizes: [64B] }\n"),
              HasSubstr("t.yaml:3:12: error: buffers.size: has no effect, 'measure' has its own sizes"));
  EXPECT_THAT(bad_input("fabric: optweb\nnodes: 4\nbuffers: { send: 1KiB }\nprogram_file: none.yaml\n"),
              HasSubstr("t.yaml:3:1: error: buffers: has no effect, the program file has its own buffers"));
}

}  // namespace
}  // namespace weft::test
