// `weft run` and `weft check` of OPTWEB networks as a user starts them.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

const std::string kConfigs = WEFT_SOURCE_DIR "/configs/optweb/";

TEST(Optweb, PrintsTheTableOfThePaper) {
  const ScratchFolder folder;
  const ProgramResult r =
      weft({"run", kConfigs + "collectives_4.yaml", "--set", "measure.sizes=[64B, 1MiB]", "--out", folder.path("out")});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("verified                     yes"),
                           HasSubstr("barrier startup              0.040 + 0.360 = 0.400 us"),
                           HasSubstr("allgather startup            0.320 + 0.390 = 0.710 us"),
                           HasSubstr("sendrecv bandwidth           44.8 per link, 89.6 per node Gb/s")));
  for (const char* file : {"report.json", "report.html", "instructions.csv", "nodes.csv", "curves.csv"}) {
    EXPECT_TRUE(fs::exists(folder.path(std::string("out/") + file))) << file;
  }
}

TEST(Optweb, DrawsCurves) {
  const ScratchFolder folder;
  const ProgramResult r = weft({"run", kConfigs + "sizes_4.yaml", "--out", folder.path("out")});
  EXPECT_EQ(r.status, 0) << r.err;
  for (const char* picture : {"bandwidth", "latency", "startup"}) {
    EXPECT_THAT(slurp(folder.path(std::string("out/") + picture + ".svg")),
                AllOf(HasSubstr("<svg"), HasSubstr("allgather")));
  }
  // The next run leaves nothing of this one.
  EXPECT_EQ(weft({"run", kConfigs + "barrier_skew.yaml", "--out", folder.path("out")}).status, 0);
  EXPECT_FALSE(fs::exists(folder.path("out/bandwidth.svg")));
  EXPECT_FALSE(fs::exists(folder.path("out/curves.csv")));
}

TEST(Optweb, ModelRtlAndLockstepAgree) {
  const auto report = [](const std::string& implementation) {
    const ScratchFolder folder;
    const ProgramResult r =
        weft({"run", kConfigs + "programs.yaml", "--set", "sequencer.implementation=" + implementation, "--set",
              "dmac.stripe_address=" + implementation, "--out", folder.path("out"), "--json"});
    EXPECT_EQ(r.status, 0) << r.err;
    auto json = nlohmann::json::parse(r.out);
    EXPECT_THAT(json["implementation"].get<std::string>(), HasSubstr("command sequencer: " + implementation));
    json.erase("implementation");
    return json;
  };
  const auto model = report("model");
  EXPECT_EQ(model, report("rtl"));
  EXPECT_EQ(model, report("lockstep"));
}

TEST(Optweb, RtlHasItsSizes) {
  const ProgramResult r = weft(
      {"check", kConfigs + "programs.yaml", "--set", "sequencer.implementation=rtl", "--set", "sequencer.depth=16"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("--set sequencer.implementation=rtl: error: sequencer.implementation: "));
}

TEST(Optweb, AStallIsAFailureThatNamesAll) {
  const ScratchFolder folder;
  const std::string file = folder.write("in.yaml",
                                        "fabric: optweb\nnodes: 2\nprograms:\n"
                                        "  'node[0]': [ { op: send, destination: 1 } ]\n"
                                        "  'node[1]': [ { op: fence } ]\n");
  EXPECT_EQ(weft({"check", file}).status, 0);
  const ProgramResult r = weft({"run", file, "--out", folder.path("out")});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, AllOf(HasSubstr("nothing can happen any more, but programs are not over:"),
                           HasSubstr("node 0, send (" + file + ":4:16): waits for confirmation of receipt by node 1")));
  EXPECT_THAT(slurp(folder.path("out/report.json")), HasSubstr("\"complete\": false"));
}

TEST(Optweb, BadInputLeavesNothing) {
  const ScratchFolder folder;
  const std::string file =
      folder.write("in.yaml", "fabric: optweb\nnodes: 4\nprogram: [ { op: alltoall, send: 1GiB } ]\n");
  for (const char* command : {"run", "check"}) {
    const ProgramResult r = weft({command, file, "--out", folder.path("out")});
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.out, IsEmpty());
    EXPECT_THAT(r.err,
                HasSubstr("in.yaml:3:12: error: alltoall: relative address 0x40000000 of stripe 0 does not exist"));
    EXPECT_FALSE(fs::exists(folder.path("out")));
  }
  EXPECT_THAT(weft({"run", kConfigs + "programs.yaml", "--waves", folder.path("w.fst")}).err,
              HasSubstr("waves are written for fabrics 'fic' and 'qos' only"));
}

}  // namespace
}  // namespace weft::test
