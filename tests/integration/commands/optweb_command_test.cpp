// `weft run` and `weft check` of OPTWEB networks as a user starts them.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "support/neutral_report.h"
#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

const std::string kOptwebConfigs = source_dir() + "/configs/optweb/";

TEST(Optweb, PrintsTheTableOfThePaper) {
  const ScratchFolder folder;
  const ProgramResult r = weft({"run", kOptwebConfigs + "collectives_4.yaml", "--set", "measure.sizes=[64B, 1MiB]",
                                "--out", folder.path("out")});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("verified                     yes"),
                           HasSubstr("barrier startup              40 + 360 = 400 ns"),
                           HasSubstr("allgather startup            320 + 390 = 710 ns"),
                           HasSubstr("sendrecv bandwidth           44.8 per link, 89.6 per node Gb/s")));
  for (const char* file : {"report.json", "report.html", "instructions.csv", "nodes.csv", "curves.csv"}) {
    EXPECT_TRUE(fs::exists(folder.path(std::string("out/") + file))) << file;
  }
}

// The start-up latency is that of the smallest size with its bytes; what a curve has without them is called otherwise.
TEST(Optweb, StartUpHasOneMeaning) {
  const ScratchFolder folder;
  const ProgramResult r = weft({"run", kOptwebConfigs + "collectives_4.yaml", "--json", "--set",
                                "measure.sizes=[1KiB, 1MiB]", "--out", folder.path("out")});
  ASSERT_EQ(r.status, 0) << r.err;
  const auto report = nlohmann::json::parse(r.out);
  std::set<std::string> seen;
  for (const auto& row : report["tables"]["curves"]["rows"]) {
    const std::string operation = row["operation"];
    if (!seen.insert(operation).second) continue;
    EXPECT_EQ(row["latency"], report["figures"]["startup"][operation + "_latency"]["value"]) << operation;
    EXPECT_FALSE(row.contains("start_up"));
    if (operation != "transfer") continue;
    EXPECT_NEAR(row["overhead"].get<double>(), row["latency"].get<double>() - 1024 * 8 / 45.0, 1e-6);
  }
  EXPECT_EQ(seen.size(), 8U);
  EXPECT_THAT(report["figures"]["startup"]["transfer_startup"]["definition"].get<std::string>(),
              HasSubstr("transfer of 1024 B"));
}

TEST(Optweb, DrawsCurves) {
  const ScratchFolder folder;
  const ProgramResult r = weft({"run", kOptwebConfigs + "sizes_4.yaml", "--out", folder.path("out")});
  EXPECT_EQ(r.status, 0) << r.err;
  for (const char* picture : {"bandwidth", "latency", "overhead"}) {
    EXPECT_THAT(slurp(folder.path(std::string("out/") + picture + ".svg")),
                AllOf(HasSubstr("<svg"), HasSubstr("allgather")));
  }
  // The next run leaves nothing of this one.
  EXPECT_EQ(weft({"run", kOptwebConfigs + "barrier_skew.yaml", "--out", folder.path("out")}).status, 0);
  EXPECT_FALSE(fs::exists(folder.path("out/bandwidth.svg")));
  EXPECT_FALSE(fs::exists(folder.path("out/curves.csv")));
}

TEST(Optweb, ModelRtlAndLockstepAgree) {
  const auto report = [](const std::string& implementation) {
    const ScratchFolder folder;
    const ProgramResult r =
        weft({"run", kOptwebConfigs + "programs.yaml", "--set", "sequencer.implementation=" + implementation, "--set",
              "dmac.stripe_address=" + implementation, "--set", "link.implementation=" + implementation, "--out",
              folder.path("out"), "--json"});
    EXPECT_EQ(r.status, 0) << r.err;
    const auto json = nlohmann::json::parse(r.out);
    EXPECT_THAT(json["implementation"].get<std::string>(), HasSubstr("command sequencer: " + implementation));
    return neutral_report(r.out);
  };
  const auto model = report("model");
  EXPECT_EQ(model, report("rtl"));
  EXPECT_EQ(model, report("lockstep"));
}

TEST(Optweb, RtlHasItsSizes) {
  const ProgramResult r = weft({"check", kOptwebConfigs + "programs.yaml", "--set", "sequencer.implementation=rtl",
                                "--set", "sequencer.depth=16"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("--set sequencer.implementation=rtl: error: sequencer.implementation: "));
  EXPECT_THAT(
      weft({"check", kOptwebConfigs + "programs.yaml", "--set", "link.implementation=lockstep", "--set", "link.gap=3"})
          .err,
      HasSubstr("error: link.implementation: a gap of 3 cycles between runs; the compiled RTL has 1 or 2"));
  const ScratchFolder folder;
  const std::string large = folder.write("large.yaml",
                                         "fabric: optweb\nnodes: 20\nmemory: { interfaces: 64, capacity: 16GiB }\n"
                                         "switch: { implementation: rtl }\nprogram: [ { op: barrier } ]\n");
  EXPECT_THAT(
      weft({"check", large}).err,
      HasSubstr("large.yaml:4:27: error: switch.implementation: 20 ports, one for each node that is reached and "
                "the node itself; the compiled RTL has 16"));
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
  EXPECT_THAT(r.err,
              AllOf(HasSubstr("no further progress is possible after 650ns (cycle 130), but programs are not over:"),
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
}

// Sequencer, lanes and RTL in one file, read back: the barrier and the eager alltoall of docs/optweb.md, cycle by
// cycle.
TEST(Optweb, WavesShowWhatTheTablesSay) {
  const ScratchFolder folder;
  folder.write("in.yaml",
               "fabric: optweb\nnodes: 2\nsequencer: { implementation: lockstep }\nprogram:\n  - { op: barrier }\n"
               "  - { op: alltoall, size: 64B, name: exchange }\n");
  const ProgramResult r = weft({"run", "in.yaml", "--out", "out", "--waves", "w.fst"}, {folder.path()});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("waves: gtkwave w.gtkw   (view of w.fst)"));
  const Vcd vcd = read_fst(folder.path("w.fst"));
  const auto text = [&](const std::string& name, std::uint64_t cycle) {
    return vcd.signal("optweb.node[0]." + name).at(cycle * 5000);
  };
  // The doorbell is rung in cycle 0. Fetched in cycle 1; the barrier is complete at boundary 81, the next one is
  // fetched there.
  EXPECT_EQ(text("sequencer.state", 0), "idle");
  EXPECT_EQ(text("sequencer.state", 1), "fetch");
  EXPECT_EQ(text("sequencer.state", 3), "run");
  EXPECT_EQ(text("sequencer.instruction", 80), "barrier");
  EXPECT_EQ(text("sequencer.state", 81), "fetch");
  EXPECT_EQ(text("sequencer.instruction", 84), "exchange 64B");
  // 8 cycles of configuration: the notification is on the lane in the last of them, and 64 later at the other end.
  EXPECT_EQ(text("link[1].out", 7), "");
  EXPECT_EQ(text("link[1].out", 8), "note");
  EXPECT_EQ(text("link[1].out", 9), "");
  EXPECT_EQ(text("link[1].in", 8 + 64), "note");
  // Two words and the one that is dropped: the last of 64 cycles of configuration, which began at 81.
  EXPECT_EQ(text("link[1].out", 81 + 59), "");
  EXPECT_EQ(text("link[1].out", 81 + 60), "data");
  EXPECT_EQ(text("link[1].out", 81 + 63), "data");
  EXPECT_EQ(text("link[1].out", 81 + 64), "");
  const std::string view = slurp(folder.path("w.gtkw"));
  EXPECT_THAT(view, AllOf(HasSubstr("optweb.node[0].sequencer.state"), HasSubstr("command_sequencer.issue_o[2:0]")));
}

}  // namespace
}  // namespace weft::test
