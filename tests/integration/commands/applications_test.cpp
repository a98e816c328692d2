// One program on OPTWEB, a torus, one switch and a torus of circuits, as a user runs it, and the files that describe
// programs.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kConfigFolder = source_dir() + "/configs/";

nlohmann::json figures(const std::string& config, const std::string& program = {}) {
  const ScratchFolder folder;
  std::vector<std::string> arguments{"run", kConfigFolder + config, "--json", "--out", folder.path("out")};
  if (!program.empty()) arguments.insert(arguments.end(), {"--set", "program_file=" + program});
  const ProgramResult r = weft(arguments);
  EXPECT_EQ(r.status, 0) << r.err;
  return nlohmann::json::parse(r.out)["figures"]["run"];
}

double value(const nlohmann::json& section, const std::string& name) { return section[name]["value"].get<double>(); }

// Graph500 of scale 20: 56 levels, in each everybody gets 8 KiB and 8 B of everybody.
TEST(Applications, GraphOnThreeNetworks) {
  const double bytes = 56.0 * 16 * 15 * (8192 + 8);
  const auto optweb = figures("optweb/graph500_scale20_16.yaml");
  EXPECT_EQ(value(optweb, "bytes"), bytes);
  const auto torus = figures("packet/graph500_scale20_torus_16.yaml");
  const auto one = figures("packet/graph500_scale20_switch_16.yaml");
  for (const auto& run : {torus, one}) {
    EXPECT_EQ(value(run, "bytes"), bytes);
    EXPECT_NEAR(value(run, "time"), value(run, "computing") + value(run, "communicating"), value(run, "time") * 0.01);
    // Nobody is faster than a node of 800 Gb/s.
    EXPECT_GT(value(run, "communicating"), bytes / 16 * 8 / 800);
  }
  // One switch: four steps of doubling for each of both collectives, of 1, 2, 4 and 8 blocks. A step takes 320 + 30 ns
  // of software, 500 + 47 cycles each, and 1 + 8 + 307 - 1 cycles, one flit each 0.64 ns.
  double cycles = 56 * 38;  // computations of 24 ns
  for (const int blocks : {1, 2, 4, 8}) {
    cycles += 56 * (500 + 47 + 1 + 2 + 5 + 307 + 128 * blocks - 1);
    cycles += 56 * (500 + 47 + 1 + 2 + 5 + 307);
  }
  EXPECT_NEAR(value(one, "time"), cycles * 0.64, 1e-3);
}

// Small copies of the other skeletons, on all four networks: the slow one is the torus, nothing is lost.
TEST(Applications, SmallSkeletonsOnFourNetworks) {
  const ScratchFolder folder;
  const std::string program =
      folder.write("small.yaml",
                   "nodes: 16\nprogram:\n"
                   "  - repeat: 2\n    program:\n"
                   "      - { op: compute, time: 1us }\n"
                   "      - { op: gather, size: 4116B }\n"
                   "      - { op: broadcast, size: 4116B, path: automatic }\n"
                   "      - { op: alltoall, size: 128KiB }\n"
                   "  - { op: broadcast, root: 3, size: 1MiB, path: automatic }\n"
                   "  - { op: broadcast, root: 4, group: [4, 5, 6, 7], size: 64KiB, path: automatic }\n");
  const auto optweb = figures("optweb/ft_16.yaml", program);
  const auto torus = figures("packet/ft_torus_16.yaml", program);
  const auto one = figures("packet/ft_switch_16.yaml", program);
  const auto circuits = figures("tdm/ft_16.yaml", program);
  for (const char* same : {"bytes", "messages", "instructions"}) EXPECT_EQ(circuits[same], torus[same]) << same;
  EXPECT_NEAR(value(circuits, "computing"), 2000, 10);
  // A circuit has one slot of 15 of 200 Gb/s, and a pairwise exchange of 128 KiB uses 15 of them one after the other.
  EXPECT_GT(value(circuits, "time"), 2 * 15 * 131072 * 8 / (200.0 / 15));
  EXPECT_GT(value(torus, "time"), 2 * value(one, "time"));
  EXPECT_GT(value(torus, "time"), 2 * value(optweb, "time"));
  EXPECT_EQ(value(torus, "bytes"), value(one, "bytes"));
  EXPECT_NEAR(value(one, "computing"), 2000, 10);
  // The gather moves 32 blocks over its tree, the short broadcast 15, the long one scatters 32 parts of 16 (over the
  // same tree) and gathers 15 per node.
  const double kib = 1024;
  EXPECT_EQ(value(one, "bytes"),
            2 * (4116 * (32 + 15) + 240 * 128 * kib) + 1024 * kib * (32 + 240) / 16 + 3 * 64 * kib);
}

TEST(Applications, ProgramFilesAreCheckedAndNotRun) {
  const std::string file = kConfigFolder + "workloads/ft_16.yaml";
  const ProgramResult good = weft({"check", file});
  EXPECT_EQ(good.status, 0);
  EXPECT_THAT(good.out, HasSubstr("programs for 16 nodes, 103 instructions"));
  EXPECT_THAT(weft({"check", file, "--json"}).out, HasSubstr("\"instructions\": 103"));
  const ProgramResult run = weft({"run", file});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("has programs but no network; name it with the key program_file"));
  const ScratchFolder folder;
  const std::string wrong =
      folder.write("wrong.yaml",
                   "nodes: 4\nprogram:\n  - { op: alltoall, group: [1, 4] }\n"
                   "  - { op: compute, time: 5 }\n  - repeat: 3\n  - repeat: 100000\n    program: "
                   "[ { op: fence }, { op: fence } ]\n");
  const ProgramResult bad = weft({"check", wrong});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, AllOf(HasSubstr(wrong + ":3:32: error: program.0.group: there is no node 4"),
                             HasSubstr(wrong + ":4:26: error: "),
                             HasSubstr(wrong + ":5:5: error: required key 'program' is missing in section 'program.2'"),
                             HasSubstr(wrong + ":6:13: error: program.3.repeat: written out, the program has more "
                                               "than 100000 instructions")));
}

TEST(Applications, LoadsRefusePrograms) {
  const ScratchFolder folder;
  const std::string file =
      folder.write("in.yaml", "base: " + kConfigFolder + "dlt/mesh_5x5.yaml\nprogram_file: p.yaml\n");
  const ProgramResult r = weft({"check", file});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("in.yaml:2:1: error: program_file: programs run on fabrics 'tdm', 'packet', 'optweb', "
                               "'ideal', not on 'dlt'; it spreads a load without programs"));
}

// What a check says of programs, and the files of a run, waves among them.
TEST(Applications, CircuitsOfPrograms) {
  const std::string file = kConfigFolder + "tdm/programs.yaml";
  const ProgramResult check = weft({"check", file, "--json"});
  ASSERT_EQ(check.status, 0) << check.err;
  const auto figures = nlohmann::json::parse(check.out)["figures"];
  EXPECT_EQ(figures["slots"]["circuits"]["value"], 240);
  EXPECT_EQ(figures["programs"]["nodes"]["value"], 16);
  EXPECT_NEAR(figures["programs"]["circuit_rate"]["value"].get<double>(), 34.0 / 18, 1e-9);
  const ScratchFolder folder;
  const ProgramResult run = weft({"run", file, "--out", folder.path("out"), "--waves", folder.path("out/w.fst"),
                                  "--set", "observe.waves.switches=['sw[5]']", "--set", "observe.waves.until=20us"});
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* name : {"operations.csv", "nodes.csv", "instructions.csv", "circuits.csv", "links.csv", "phases.csv",
                           "slot_tables.csv", "slot_tables.txt", "w.fst", "w.gtkw"}) {
    EXPECT_TRUE(std::filesystem::exists(folder.path(std::string("out/") + name))) << name;
  }
}

}  // namespace
}  // namespace weft::test
