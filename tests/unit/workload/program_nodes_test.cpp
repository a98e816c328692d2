// Nodes that programs name and the network does not have: each is an error at its place, however large its number.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "schema/document.h"
#include "workload/program_file.h"
#include "workload/program_schema.h"

namespace weft {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const Diagnostic& d : diagnostics.list()) out.push_back(d.text());
  return out;
}

std::vector<std::string> errors_of(const std::string& text) {
  try {
    read_program_file(parse_document(text, "p.yaml", "."));
  } catch (const InputError& e) {
    Diagnostics all;
    for (const Diagnostic& d : e.list()) all.error(d.where, d.message);
    return texts(all);
  }
  return {};
}

TEST(ProgramNodes, BeyondTheNetworkAreErrors) {
  EXPECT_THAT(errors_of("nodes: 4\n"
                        "program:\n"
                        "  - { op: barrier, group: [0, 4000000000] }\n"
                        "  - { op: alltoall, group: [0, 65534] }\n"
                        "  - { op: fence, at: [3, 4, 4] }\n"
                        "  - { op: sendrecv, between: [0, 4] }\n"
                        "  - { op: sendrecv, shift: 1, group: [0, 5] }\n"
                        "  - { op: barrier, group: [3, 3] }\n"),
              ElementsAre("p.yaml:3:31: error: program.0.group.1: expected nodes from 0 to 65534, got "
                          "'4000000000'",
                          "p.yaml:4:32: error: program.1.group: there is no node 65534: the network has nodes 0 to 3",
                          "p.yaml:5:26: error: program.2.at: there is no node 4: the network has nodes 0 to 3",
                          "p.yaml:5:29: error: program.2.at: there is no node 4: the network has nodes 0 to 3",
                          "p.yaml:6:34: error: program.3.between: there is no node 4: the network has nodes 0 to 3",
                          "p.yaml:7:42: error: program.4.group: there is no node 5: the network has nodes 0 to 3",
                          "p.yaml:8:31: error: program.5.group: node 3 stands there twice"));
  EXPECT_THAT(errors_of("nodes: 4\n"
                        "programs:\n"
                        "  'node[0..4000000000]': [ { op: barrier } ]\n"
                        "  'node[4294967295]': [ { op: barrier } ]\n"
                        "  'node[5000000000]': [ { op: barrier } ]\n"),
              ElementsAre("p.yaml:3:3: error: programs: there is no node 4000000000: the network has nodes 0 to 3",
                          "p.yaml:4:3: error: programs: there is no node 4294967295: the network has nodes 0 to 3",
                          "p.yaml:5:3: error: programs: expected nodes written as node[5] or node[0..3], got "
                          "'node[5000000000]'"));
}

// A range stands for its nodes; what is wrong with them is told once.
TEST(ProgramNodes, MayBeRanges) {
  const auto groups = [](const std::string& group) {
    return read_program_file(
               parse_document("nodes: 8\nprogram: [ { op: barrier, group: " + group + " } ]\n", "p.yaml", "."))
        .programs.front()
        .instructions.front()
        .group;
  };
  EXPECT_EQ(groups("[0..2, 5, 'node[6..7]']"), groups("[0, 1, 2, 5, 6, 7]"));
  EXPECT_EQ(groups("[0..7]"), groups("[0, 1, 2, 3, 4, 5, 6, 7]"));
  EXPECT_THAT(
      errors_of("nodes: 4\nprogram:\n"
                "  - { op: barrier, group: [0..65534] }\n"
                "  - { op: barrier, group: [0..65535] }\n"
                "  - { op: barrier, group: [3..1] }\n"
                "  - { op: barrier, group: [0..2, 2] }\n"),
      ElementsAre("p.yaml:3:28: error: program.0.group: there is no node 4: the network has nodes 0 to 3",
                  "p.yaml:4:28: error: program.1.group.0: expected nodes from 0 to 65534, got '0..65535'",
                  "p.yaml:5:28: error: program.2.group.0: expected a node such as 5, or a range of nodes such as "
                  "0..3, got '3..1'",
                  "p.yaml:6:34: error: program.3.group: node 2 stands there twice"));
}

// Without the limits of the keys: the network alone decides.
TEST(ProgramNodes, BeyondTheLimitOfTheKeyAreErrors) {
  RawProgramInstruction barrier;
  barrier.op.given = barrier.op.valid = true;
  barrier.op.value = ProgramOp::barrier;
  barrier.group.given = barrier.group.valid = true;
  barrier.group.value = {
      {0, {"p.yaml", 3, 28}}, {4'000'000'000, {"p.yaml", 3, 31}}, {4'294'967'295, {"p.yaml", 3, 43}}};
  RawPrograms raw;
  raw.program.given = raw.program.valid = true;
  raw.program.value.push_back({barrier, {"p.yaml", 3, 5}});
  Diagnostics diagnostics;
  resolve_programs(raw, {.nodes = 4, .period = Duration{1}}, diagnostics);
  EXPECT_THAT(
      texts(diagnostics),
      ElementsAre("p.yaml:3:31: error: program.0.group: there is no node 4000000000: the network has nodes 0 to 3",
                  "p.yaml:3:43: error: program.0.group: there is no node 4294967295: the network has nodes 0 to 3"));
}

}  // namespace
}  // namespace weft
