// `weft optweb cost` as a user starts it.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

TEST(OptwebCost, ThePapersPrices) {
  const ScratchFolder folder;
  const ProgramResult r = weft({"optweb", "cost", "--out", folder.path("out")});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(
      r.out,
      AllOf(HasSubstr("optweb                       5.5 $/(Gb/s)"), HasSubstr("saving                       38.889 %"),
            HasSubstr("fibres direct                992"), HasSubstr("dragonfly nodes              968")));
  for (const char* file :
       {"report.json", "report.html", "costs.csv", "parts.csv", "wiring.csv", "dragonflies.csv", "sensitivity.csv",
        "inputs.csv", "light_stages.csv", "light_fibres.csv", "light_links.csv"}) {
    EXPECT_TRUE(fs::exists(folder.path(std::string("out/") + file))) << file;
  }
  for (const char* picture : {"cost", "wiring_cost", "fibres", "light"}) {
    EXPECT_THAT(slurp(folder.path(std::string("out/") + picture + ".svg")), HasSubstr("</svg>"));
  }
  EXPECT_THAT(slurp(folder.path("out/wiring.csv")), HasSubstr("\n32,992,992,64,,75392,76800,yes\n"));
}

TEST(OptwebCost, WhoSendsWhichWavelengthToWhom) {
  const ScratchFolder folder;
  const ProgramResult r =
      weft({"optweb", "cost", "--set", "nodes=4", "--set", "node_bandwidth=100Gb/s", "--out", folder.path("out")});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("       1    3    -    1    2\n"));  // node 1 reaches node 0 with wavelength 3
  EXPECT_THAT(slurp(folder.path("out/light_fibres.csv")),
              AllOf(HasSubstr("\n1 out,node 1,hub input 1,3,3>0 1>2 2>3\n"),
                    HasSubstr("\n0 in,hub output 0,node 0,3,3<1 2<2 1<3\n")));
  EXPECT_THAT(slurp(folder.path("out/inputs.csv")),
              AllOf(HasSubstr("\nfibre,76 $,fitted,"), HasSubstr("\noptics,3 $/(Gb/s),stated,")));
}

TEST(OptwebCost, ABudgetThatDoesNotCloseIsRefused) {
  const ScratchFolder folder;
  const ProgramResult r = weft({"optweb", "cost", source_dir() + "/configs/optweb/cost.yaml", "--set",
                                "light.sensitivity=-4dBm", "--out", folder.path("out")});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, AllOf(HasSubstr("cost.yaml:24:1: error: light: the power budget does not close"),
                           HasSubstr("1.92 dB are missing; ")));
  EXPECT_FALSE(fs::exists(folder.path("out")));
}

TEST(OptwebCost, FilesAndOverrides) {
  const ScratchFolder folder;
  const std::string file = source_dir() + "/configs/optweb/cost.yaml";
  const ProgramResult r = weft(
      {"optweb", "cost", file, "--set", "fibre=150", "--set", "fpga.share=1", "--json", "--out", folder.path("out")});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, slurp(folder.path("out/report.json")));
  const auto report = nlohmann::json::parse(r.out);
  EXPECT_DOUBLE_EQ(report["figures"]["wiring"]["crossing"]["value"].get<double>(), 17);  // 1 + 2400 / 150
  EXPECT_DOUBLE_EQ(report["figures"]["cost"]["fpga"]["value"].get<double>(), 1.5625);
}

TEST(OptwebCost, ASavingOfNothingIsADash) {
  const ScratchFolder folder;
  const ProgramResult r =
      weft({"optweb", "cost", "--set", "packet_network=0", "--set", "nodes=66", "--out", folder.path("out")});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, HasSubstr("66 fully connected nodes need 65 links each"));
  EXPECT_THAT(r.out, HasSubstr("saving                       - %"));
  EXPECT_THAT(slurp(folder.path("out/costs.csv")), HasSubstr("packet network,total,0,\n"));
}

TEST(OptwebCost, WrongInputExitsWithTwo) {
  const ScratchFolder folder;
  ProgramOptions options;
  options.folder = folder.path("");
  const std::string file = folder.write("bad.yaml", "nodes: 1\ntransciever: 2\n");
  const ProgramResult bad = weft({"optweb", "cost", file}, options);
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.out, IsEmpty());
  EXPECT_THAT(
      bad.err,
      AllOf(HasSubstr("bad.yaml:1:8: error: nodes: expected a whole number from 2"),
            HasSubstr("bad.yaml:2:1: error: unknown key 'transciever' at the top level; did you mean 'transceiver'?")));
  EXPECT_FALSE(fs::exists(folder.path("out")));
  EXPECT_EQ(weft({"optweb", "cost", "nowhere.yaml"}, options).status, 2);
  EXPECT_EQ(weft({"optweb"}, options).status, 2);
}

}  // namespace
}  // namespace weft::test
