// `weft slots` as a user starts it: Table 1, one pattern on a network, files, pictures, and wrong command lines.

#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

nlohmann::json slots_report(Arguments arguments) {
  const ScratchFolder folder;
  arguments.insert(arguments.begin(), "slots");
  arguments.insert(arguments.end(), {"--out", folder.path("out"), "--json"});
  const ProgramResult r = weft(arguments);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, IsEmpty());
  EXPECT_EQ(r.out, slurp(folder.path("out/report.json")));
  return nlohmann::json::parse(r.out);
}

int slots_figure(const nlohmann::json& report, const std::string& section, const std::string& key) {
  return report["figures"][section][key]["value"].get<int>();
}

TEST(Slots, Table1) {
  const ScratchFolder folder;
  const ProgramResult r = weft({"slots", "--table1", "--out", folder.path("out")});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("exact cells                  42"), HasSubstr("cells in range               13"),
                           HasSubstr("at minimum search            42"),
                           HasSubstr("note: neighbor on mesh 16x16x16: the published 8 was not drawn")));
  for (const char* file : {"table1.csv", "histogram.csv", "table1_minimum.svg", "table1_uniform.svg",
                           "table1_neighbor.svg", "report.html", "report.json"}) {
    EXPECT_TRUE(fs::exists(folder.path(std::string("out/") + file))) << file;
  }
  EXPECT_THAT(slurp(folder.path("out/table1.csv")),
              AllOf(HasSubstr("mesh 8x8x8x8,\"w,z,x,y\",bit_reversal,56,56,yes"),
                    HasSubstr("mesh 64x64,\"x,y\",perfect_shuffle,32,32,yes,,,,,,,,,42,37,33,32")));
}

TEST(Slots, OnePatternOnAMesh) {
  const ScratchFolder folder;
  const ProgramResult r = weft(
      {"slots", "--topology", "mesh", "--dims", "8,8", "--pattern", "perfect_shuffle", "--out", folder.path("out")});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("minimum slots                4"), HasSubstr("slots first fit              5"),
                           HasSubstr("slots search                 4")));
  for (const char* picture : {"load_plus_x", "load_minus_x", "load_plus_y", "load_minus_y"}) {
    EXPECT_THAT(slurp(folder.path(std::string("out/") + picture + ".svg")), HasSubstr("</svg>")) << picture;
  }
  EXPECT_THAT(slurp(folder.path("out/slot_tables.txt")), HasSubstr("Port"));
  // Every circuit leaves the network once (port 0 is the host), in one of the four slots of the best allocation.
  std::istringstream csv(slurp(folder.path("out/slot_tables.csv")));
  std::string line;
  std::getline(csv, line);
  int ejections = 0;
  while (std::getline(csv, line)) {
    unsigned sw = 0;
    unsigned port = 0;
    unsigned slot = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%u,%u,%u", &sw, &port, &slot), 3) << line;
    EXPECT_LT(slot, 4u) << line;
    ejections += port == 0 ? 1 : 0;
  }
  EXPECT_EQ(ejections, 62);
  EXPECT_THAT(slurp(folder.path("out/links.csv")), HasSubstr("node 1 -> sw[1],1,25"));
}

TEST(Slots, TheSameDrawAsARunOfThatSeed) {
  const auto slots = slots_report({"--topology", "mesh", "--dims", "4,4", "--pattern", "uniform", "--seed", "9"});
  const ScratchFolder folder;
  folder.write("c.yaml",
               "fabric: tdm\nseed: 9\ntopology: { kind: mesh, dims: [4, 4] }\npattern: uniform\n"
               "slots: { allocator: search }\n");
  const ProgramResult r = weft({"check", folder.path("c.yaml"), "--json", "--out", folder.path("out")});
  ASSERT_EQ(r.status, 0) << r.err;
  const auto links = [](const nlohmann::json& report, const char* column) {
    std::map<std::string, int> out;
    for (const auto& row : report["tables"]["links"]["rows"]) out[row["link"]] = row[column];
    return out;
  };
  EXPECT_EQ(links(slots, "circuits"), links(nlohmann::json::parse(r.out), "reserved_slots"));
}

// With slot_update a hop takes the slot that comes soonest, so the highest one in use says nothing about what is
// needed.
TEST(Slots, SlotsInUseUnderSlotUpdateAreNotSlotsNeeded) {
  const ScratchFolder folder;
  folder.write("c.yaml",
               "fabric: tdm\ntopology: { kind: mesh, dims: [8] }\npattern: tornado\nswitch: { slots: 32 }\n"
               "slots: { slot_update: true }\n");
  const auto plan = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"check", folder.path("c.yaml"), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult r = weft(arguments);
    EXPECT_EQ(r.status, 0) << r.err;
    return nlohmann::json::parse(r.out);
  };
  const auto wide = plan({});
  const int needed = static_cast<int>(slots_figure(wide, "slots", "minimum_slots"));
  EXPECT_GT(slots_figure(wide, "slots", "slots_used"), needed);
  EXPECT_THAT(wide["figures"]["slots"]["slots_used"]["definition"].get<std::string>(),
              HasSubstr("although a frame of N slots would do"));
  const auto narrow = plan({"--set", "switch.slots=" + std::to_string(needed)});
  EXPECT_EQ(slots_figure(narrow, "slots", "slots_used"), needed);
}

TEST(Slots, SeedsGiveADistribution) {
  const auto report = slots_report({"--topology", "torus", "--dims", "4,4", "--pattern", "uniform", "--seeds", "30"});
  EXPECT_EQ(report["tables"]["seeds"]["rows"].size(), 30u);
  int draws = 0;
  for (const auto& row : report["tables"]["histogram"]["rows"]) draws += row["draws"].get<int>();
  EXPECT_EQ(draws, 30);
  EXPECT_EQ(report["tables"]["seeds"]["rows"][0]["minimum_slots"], slots_figure(report, "slots", "minimum_slots"));
  EXPECT_LE(slots_figure(report, "seeds", "n_min"), slots_figure(report, "seeds", "n_median"));
}

TEST(Slots, OtherNetworks) {
  // Full mesh: no two circuits of a permutation share a link.
  const auto mesh = slots_report({"--topology", "full_mesh", "--switches", "16", "--pattern", "bit_complement"});
  EXPECT_EQ(slots_figure(mesh, "slots", "minimum_slots"), 1);
  EXPECT_EQ(slots_figure(mesh, "slots", "slots_first_fit"), 1);
  const auto ring =
      slots_report({"--topology", "torus", "--dims", "8", "--pattern", "tornado", "--allocator", "dsatur"});
  EXPECT_EQ(slots_figure(ring, "slots", "minimum_slots"), 3);  // all three hops in one direction
  EXPECT_FALSE(ring["figures"]["slots"].contains("slots_first_fit"));
  slots_report({"--topology", "tree", "--arity", "4", "--levels", "2", "--pattern", "bit_reversal"});
  slots_report({"--topology", "dragonfly", "--groups", "5", "--routers-per-group", "2", "--nodes-per-router", "2",
                "--global-links", "2", "--pattern", "tornado"});
  slots_report({"--topology", "file", "--file", source_dir() + "/tests/data/topology/pair_of_rings.topo", "--pattern",
                "tornado"});
}

struct WrongSlotsCase {
  const char* name;
  Arguments arguments;
  const char* message;
};

class WrongSlots : public testing::TestWithParam<WrongSlotsCase> {};

TEST_P(WrongSlots, ExitsWithTwoAndSaysWhy) {
  Arguments arguments = GetParam().arguments;
  arguments.insert(arguments.begin(), "slots");
  const ScratchFolder folder;
  ProgramOptions options;
  options.folder = folder.path("");
  const ProgramResult r = weft(arguments, options);
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.out, IsEmpty());
  EXPECT_THAT(r.err, HasSubstr(GetParam().message));
  EXPECT_FALSE(fs::exists(folder.path("out")));
}

const Arguments kMeshArguments{"--topology", "mesh", "--dims", "4,4"};

Arguments mesh_and(const Arguments& more) {
  Arguments out = kMeshArguments;
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, WrongSlots,
    testing::Values(
        WrongSlotsCase{"nothing", {}, "command line: error: expected --pattern"},
        WrongSlotsCase{"no_pattern", kMeshArguments, "command line: error: expected --pattern"},
        WrongSlotsCase{
            "not_a_power_of_two",
            {"--topology", "mesh", "--dims", "6,6", "--pattern", "bit_reversal"},
            "--pattern bit_reversal: error: pattern 'bit_reversal' needs a power of two of nodes; the network (mesh "
            "6x6) has 36 nodes"},
        WrongSlotsCase{"misspelt_pattern", mesh_and({"--pattern", "tornad"}), "did you mean 'tornado'?"},
        WrongSlotsCase{"misspelt_topology", {"--topology", "messh", "--pattern", "tornado"}, "did you mean 'mesh'?"},
        WrongSlotsCase{"no_dims",
                       {"--topology", "mesh", "--pattern", "tornado"},
                       "--topology mesh: error: topology 'mesh' needs --dims"},
        WrongSlotsCase{"dims", {"--topology", "mesh", "--dims", "4,x", "--pattern", "tornado"}, "--dims 4,x: error: "},
        WrongSlotsCase{"order", mesh_and({"--pattern", "tornado", "--order", "x,z"}), "unknown dimension 'z'"},
        WrongSlotsCase{"allocator", mesh_and({"--pattern", "tornado", "--allocator", "serch"}),
                       "did you mean 'search'?"},
        WrongSlotsCase{"allocator_twice", mesh_and({"--pattern", "tornado", "--allocator", "dsatur,dsatur"}),
                       "named twice"},
        WrongSlotsCase{"seeds", mesh_and({"--pattern", "uniform", "--seeds", "0"}), "expected a whole number from 1"},
        WrongSlotsCase{"seeds_without_use", mesh_and({"--pattern", "tornado", "--seeds", "3"}), "is not random"},
        WrongSlotsCase{"seed_without_use",
                       mesh_and({"--pattern", "tornado", "--allocator", "first_fit,dsatur", "--seed", "4"}),
                       "--seed 4: error: pattern 'tornado' is not random, and no allocator is that searches"},
        WrongSlotsCase{"iterations_without_use",
                       mesh_and({"--pattern", "tornado", "--allocator", "first_fit", "--search-iterations", "3"}),
                       "needs allocator search"},
        WrongSlotsCase{"table1_and_pattern", {"--table1", "--pattern", "tornado"}, "networks and patterns of its own"},
        WrongSlotsCase{"file",
                       {"--topology", "file", "--file", "nowhere.txt", "--pattern", "tornado"},
                       "nowhere.txt: cannot be read"}),
    [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace weft::test
