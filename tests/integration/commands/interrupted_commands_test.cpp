// Runs that do not get to their end: what they leave behind is marked as partial or is not there.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/slot_trace.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::vector<std::string> leftovers(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string end = entry.path().extension().string();
    if (end == ".part" || end == ".hier" || end == ".tmp") out.push_back(entry.path().filename().string());
  }
  return out;
}

constexpr const char* kLongRun = R"(
fabric: tdm
topology: { kind: mesh, dims: [4, 4] }
switch: { data_path: { implementation: lockstep } }
pattern: matrix_transpose
sources: { arrivals: saturated }
run: { measure: 1s }
observe: { slot_trace: true }
)";

TEST(Interrupt, LeavesAPartialReportAndReadableWaves) {
  const ScratchFolder folder;
  folder.write("long.yaml", kLongRun);
  ProgramOptions options{folder.path(), 1000, when_there(folder.path("out/waves.fst.part"))};
  const ProgramResult r = weft({"run", "long.yaml", "--out", "out", "--waves", "out/waves.fst"}, options);
  EXPECT_EQ(r.status, 130);
  EXPECT_THAT(r.err, HasSubstr("interrupted"));
  EXPECT_THAT(r.out, HasSubstr("PARTIAL: interrupted in cycle"));
  const auto report = nlohmann::json::parse(slurp(folder.path("out/report.json")));
  EXPECT_EQ(report["complete"], false);
  EXPECT_THAT(std::string(report["incomplete_because"]), HasSubstr("interrupted in cycle"));
  EXPECT_GT(report["figures"]["run"]["messages_delivered"]["value"], 0);
  EXPECT_THAT(leftovers(folder.path()), ::testing::IsEmpty());
  EXPECT_FALSE(fs::exists(folder.path("out/circuits.csv"))) << "a partial table looks complete";
  EXPECT_TRUE(fs::exists(folder.path("out/circuits.partial.csv")));
  ASSERT_TRUE(fs::exists(folder.path("out/waves.gtkw")));
  const Vcd waves = read_fst(folder.path("out/waves.fst"));
  const auto& slot = waves.signal("tdm.slot");
  EXPECT_GT(slot.changes.size(), 100U);
  EXPECT_GE(static_cast<double>(slot.changes.back().time) / 1000,
            report["figures"]["run"]["time"]["value"].get<double>());
  EXPECT_FALSE(parse_slot_trace(slurp(folder.path("out/slot_trace.csv"))).empty());
}

TEST(Interrupt, JsonIsStillJson) {
  const ScratchFolder folder;
  folder.write("long.yaml", kLongRun);
  const ProgramResult r = weft({"run", "long.yaml", "--out", "out", "--json", "--set", "observe.slot_trace=false"},
                               {folder.path(), 500, when_there(folder.path("out"))});
  EXPECT_EQ(r.status, 130);
  EXPECT_EQ(nlohmann::json::parse(r.out)["complete"], false);
}

TEST(Interrupt, AClosedTerminalLeavesAPartialReport) {
  const ScratchFolder folder;
  folder.write("long.yaml", kLongRun);
  const Arguments hang_up{"timeout", "-s", "HUP", "--preserve-status"};
  const ProgramResult r =
      run_program(with(hang_up, {"2", weft_program(), "run", "long.yaml", "--out", "out"}), {folder.path()});
  EXPECT_EQ(r.status, 130) << r.err;
  EXPECT_EQ(nlohmann::json::parse(slurp(folder.path("out/report.json")))["complete"], false);
  const ProgramResult kept =  // as under nohup
      run_program({"sh", "-c",
                   "trap '' HUP; " + weft_program() +
                       " run long.yaml --set run.measure=300us --set observe.slot_trace=false --out kept & "
                       "sleep 0.2; kill -HUP $!; wait $!"},
                  {folder.path()});
  EXPECT_EQ(kept.status, 0) << kept.err;
  EXPECT_EQ(nlohmann::json::parse(slurp(folder.path("kept/report.json")))["complete"], true);
}

// A configuration that is refused leaves the results of an earlier run alone; a run that cannot begin leaves none that
// could be taken for its own.
TEST(FailedRun, EarlierResultsStayOrGo) {
  const ScratchFolder folder;
  folder.write("good.yaml",
               "fabric: tdm\ntopology: { kind: mesh, dims: [2] }\ncircuits: [ { source: 0, destination: 1 } ]\n"
               "sources: { messages: 3 }\n");
  const ProgramOptions here{folder.path()};
  ASSERT_EQ(weft({"run", "good.yaml", "--out", "out"}, here).status, 0);
  const std::string before = slurp(folder.path("out/report.json"));
  EXPECT_EQ(weft({"run", "good.yaml", "--out", "out", "--set", "switch.slots=1"}, here).status, 2);
  EXPECT_EQ(slurp(folder.path("out/report.json")), before);
  EXPECT_EQ(weft({"run", "good.yaml", "--out", "out", "--waves", "good.yaml/w.fst"}, here).status, 2);
  if (fs::exists(folder.path("out/report.json"))) {
    EXPECT_EQ(slurp(folder.path("out/report.json")), before);
  }
  EXPECT_THAT(leftovers(folder.path()), ::testing::IsEmpty());
}

}  // namespace
}  // namespace weft::test
