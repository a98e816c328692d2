// weft sweep as users start it: outputs, resuming after a kill, interrupts, failures.

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/sweep_folder.h"
#include "sweep/result_store.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

std::string quick_sweep() { return small_sweep("A small sweep") + "quick: { seeds: 1, axes: { slots: [8] } }\n"; }

// Runs in the database while the sweep is at work.
int committed(const std::string& database) {
  sqlite3* db = nullptr;
  int count = 0;
  const auto row = [](void* out, int, char** values, char**) {
    *static_cast<int*>(out) = std::stoi(values[0]);
    return 0;
  };
  if (sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    sqlite3_exec(db, "SELECT count(*) FROM runs", row, &count, nullptr);
  }
  sqlite3_close(db);
  return count;
}

class SweepProgram : public SweepFolderTest {
 protected:
  SweepProgram() {
    folder_.write("net.yaml", kSmallNet);
    folder_.write("sweep.yaml", quick_sweep());
    folder_.write("slow.yaml", kSlowSweep);
  }
  std::string file(const std::string& name) const { return slurp(folder_.path(name)); }
};

TEST_F(SweepProgram, WritesDatabaseTablesAndPlots) {
  const ProgramResult r = sweep({"sweep.yaml"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, IsEmpty()) << "no bar in a pipe";
  EXPECT_THAT(r.out, AllOf(StartsWith("A small sweep\n"), HasSubstr("run now                      12\n"),
                           HasSubstr("results in out/sweep/")));
  const std::string csv = file("out/sweep/results.csv");
  EXPECT_THAT(csv,
              StartsWith("slots,interval (us),seed,status,message,latency (ns),waiting (ns),notes\n8,40,1,done,,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 13);
  EXPECT_THAT(file("out/sweep/summary.csv"),
              HasSubstr("waiting_mean (ns),waiting_stddev (ns),waiting_ci95 (ns),noted\n8,40,3,"));
  EXPECT_THAT(file("out/sweep/waiting.svg"), HasSubstr("<title>A small sweep</title>"));
  EXPECT_TRUE(fs::exists(folder_.path("out/sweep/waiting.gp")));

  // A run of the sweep is the run a user would start by hand.
  weft({"run", "net.yaml", "--set", "switch.slots=16", "--set", "sources.interval=20us", "--seed", "2", "--out", "one"},
       {folder_.path()});
  const auto report = nlohmann::json::parse(file("one/report.json"));
  const auto value = report["figures"]["run"]["latency_max"]["value"].get<double>();
  EXPECT_THAT(csv, HasSubstr("\n16,20,2,done,," + fmt::format("{}", value) + ","));

  // Everything is there: only outputs are written, the same bytes.
  const std::string svg = file("out/sweep/waiting.svg");
  fs::remove(folder_.path("out/sweep/results.csv"));
  const ProgramResult again = sweep({"sweep.yaml", "--export-only"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("12 of 12 runs are stored already"));
  EXPECT_EQ(file("out/sweep/results.csv"), csv);
  EXPECT_EQ(file("out/sweep/waiting.svg"), svg);
  EXPECT_EQ(sweep_json({"sweep.yaml"})["ran"], 0);
  EXPECT_EQ(sweep_json({"sweep.yaml", "--fresh"})["ran"], 12);
}

TEST_F(SweepProgram, TablesDoNotDependOnJobs) {
  ASSERT_EQ(sweep({"sweep.yaml", "--jobs", "1", "--out", "a"}).status, 0);
  ASSERT_EQ(sweep({"sweep.yaml", "--jobs", "2", "--out", "b"}).status, 0);
  for (const char* name : {"results.csv", "summary.csv", "waiting.svg"}) {
    EXPECT_EQ(file(std::string("a/") + name), file(std::string("b/") + name)) << name;
  }
}

TEST_F(SweepProgram, QuickRunsFewerPointsAndHasItsOwnFolder) {
  const auto json = sweep_json({"sweep.yaml", "--quick"});
  EXPECT_EQ(json["points"], 2);
  EXPECT_EQ(json["ran"], 2);
  EXPECT_EQ(json["out"], "out/sweep_quick");
}

TEST_F(SweepProgram, AChangedConfigurationRunsAgainAndIsSaid) {
  ASSERT_EQ(sweep({"sweep.yaml"}).status, 0);
  folder_.write("net.yaml", std::string(kSmallNet) + "slots: { allocator: dsatur }\n");
  const ProgramResult r = sweep({"sweep.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.err,
              HasSubstr("12 runs were stored for another configuration or version of the program; running again"));
  EXPECT_EQ(stored("out/sweep"), 12U);
}

TEST_F(SweepProgram, AfterAKillOnlyTheRestRuns) {
  RunningWeft running({"sweep", "slow.yaml", "--jobs", "2", "--out", "out"}, folder_.path());
  const std::string database = folder_.path("out/results.sqlite");
  running.wait_until([&] { return committed(database) > 0; });
  ASSERT_TRUE(running.kill()) << "it had ended already";
  const std::size_t kept = stored("out");
  EXPECT_GT(kept, 0U);
  EXPECT_LT(kept, 12U);
  const auto json = sweep_json({"slow.yaml", "--out", "out"});
  EXPECT_EQ(json["stored"], kept);
  EXPECT_EQ(json["ran"], 12 - kept);
  EXPECT_EQ(stored("out"), 12U);
}

TEST_F(SweepProgram, ReportHasTheRangeOfEachMetric) {
  ASSERT_EQ(sweep({"sweep.yaml", "--out", "out"}).status, 0);
  const auto report = nlohmann::json::parse(slurp(folder_.path("out/report.json")));
  std::vector<double> means;
  for (const auto& row : report["tables"]["summary"]["rows"]) means.push_back(row["latency_mean"]);
  ASSERT_GT(means.size(), 2U);
  const auto [lowest, highest] = std::minmax_element(means.begin(), means.end());
  EXPECT_LT(*lowest, *highest);
  const auto& metrics = report["figures"]["metrics"];
  EXPECT_EQ(metrics["latency_lowest"]["value"], *lowest);
  EXPECT_EQ(metrics["latency_highest"]["value"], *highest);
  const auto& row = report["tables"]["summary"]["rows"][static_cast<std::size_t>(highest - means.begin())];
  EXPECT_THAT(metrics["latency_highest"]["definition"].get<std::string>(),
              HasSubstr(fmt::format("at slots={}", row["slots"].get<int>())));
}

TEST_F(SweepProgram, AnInterruptKeepsWhatIsFinished) {
  const ProgramOptions options{folder_.path(), 300, when_there(folder_.path("out/results.sqlite"))};
  const ProgramResult r = weft({"sweep", "slow.yaml", "--jobs", "1", "--out", "out"}, options);
  EXPECT_EQ(r.status, 130);
  EXPECT_THAT(r.err, HasSubstr("of 12 runs are stored; the same command runs the others"));
  const std::size_t kept = stored("out");
  EXPECT_LT(kept, 12U);
  EXPECT_EQ(sweep_json({"slow.yaml", "--out", "out"})["ran"], 12 - kept);
}

TEST_F(SweepProgram, AnInvalidPointStopsEverythingBeforeItBegins) {
  const ProgramResult r = sweep({"sweep.yaml", "--set", "axes.0.values=[8, 1]", "--set", "axes.1.values=[40us, 20]"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err,
              HasSubstr("--set axes.0.values=[8, 1]: error: switch.slots: expected a whole number from 2 to 4096"));
  EXPECT_THAT(r.err, HasSubstr("--set axes.1.values=[40us, 20]: error: sources.interval: '20'"));
  EXPECT_FALSE(fs::exists(folder_.path("out")));
  std::string text = quick_sweep();
  text.replace(text.find("[8, 16]"), 7, "[8, 1 ]");
  folder_.write("sweep.yaml", text);
  for (const char* command : {"check", "sweep"}) {
    const ProgramResult bad = weft({command, "sweep.yaml"}, {folder_.path()});
    EXPECT_EQ(bad.status, 2);
    EXPECT_THAT(bad.err, StartsWith("sweep.yaml:4:38: error: switch.slots: expected a whole number from 2 to 4096, got "
                                    "'1' (at slots=1, interval=40us and 1 other point)"));
  }
}

TEST_F(SweepProgram, CheckKnowsSweeps) {
  const ProgramResult r = weft({"check", "sweep.yaml"}, {folder_.path()});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.out, "sweep.yaml: ok\n  4 points, 12 runs\n");
  EXPECT_FALSE(fs::exists(folder_.path("out")));
}

// A key without effect makes rows that are alike; the value of the axis is named, in a check and before a sweep.
TEST_F(SweepProgram, WarningsOfPointsAreNotSwallowed) {
  folder_.write("packets.yaml", R"(fabric: packet
topology: { kind: mesh, dims: [2, 2] }
qos: { levels: { a: { message: 128B } }, dtable: { counter_bits: 8 } }
traffic: [ { level: a, load: 0.2 } ]
run: { warm_up: 1us, measure: 5us, drain: 50us }
)");
  folder_.write("vcs.yaml", R"(sweep: packets.yaml
axes: [ { key: switch.iq.vcs, name: v, values: [2, 4] } ]
metrics: { x: 'tables.services[service=a].latency_mean' }
)");
  const std::string said =
      "vcs.yaml:2:49: warning: switch.iq has no effect with architecture 'ib' (at v=2)\n"
      "vcs.yaml:2:52: warning: switch.iq has no effect with architecture 'ib' (at v=4)\n"
      "packets.yaml:3:42: warning: qos.dtable has no effect with scheduler 'round_robin' (at v=2 and 1 other point)\n";
  const ProgramResult check = weft({"check", "vcs.yaml"}, {folder_.path()});
  EXPECT_EQ(check.status, 0);
  EXPECT_EQ(check.err, said);
  EXPECT_THAT(check.out, HasSubstr("vcs.yaml: ok"));
  const ProgramResult r = sweep({"vcs.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, said);
}

// The axis as it was written, however close its values are.
TEST_F(SweepProgram, AxesHaveAllTheirDigits) {
  folder_.write("packets.yaml", R"(fabric: packet
topology: { kind: mesh, dims: [2, 2] }
qos: { levels: { a: { message: 128B } } }
traffic: [ { level: a, load: 0.2 } ]
run: { warm_up: 1us, measure: 5us, drain: 50us }
)");
  folder_.write("close.yaml", R"(sweep: packets.yaml
axes: [ { key: traffic.0.load, name: load, values: [0.0004, 0.00042, 0.12341] } ]
seeds: 1
metrics: { x: 'tables.services[service=a].accepted_rate' }
)");
  const ProgramResult r = sweep({"close.yaml"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("\n  0.0004  "), HasSubstr("\n  0.00042  "), HasSubstr("\n  0.12341  ")));
}

TEST_F(SweepProgram, ASweepOfASweepIsRefused) {
  folder_.write("twice.yaml", "sweep: sweep.yaml\naxes: [ { key: seeds, values: [1] } ]\nmetrics: {}\n");
  const ProgramResult r = sweep({"twice.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("twice.yaml:1:8: error: sweep: expected a configuration to run; "));
  EXPECT_THAT(r.err, HasSubstr("sweep.yaml is a sweep itself"));
}

TEST_F(SweepProgram, AMisspeltMetricIsPlaced) {
  const ProgramResult r = sweep({"sweep.yaml", "--set", "metrics.latency=sections.run.latency_mx"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err,
              HasSubstr("metrics.latency: section 'run' has no figure 'latency_mx'; did you mean 'latency_max'?"));
}

TEST_F(SweepProgram, AKeyOfTheConfigurationOnTheCommandLineIsToldItsPlace) {
  const ProgramResult r = sweep({"sweep.yaml", "--set", "run.measure=10us"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("--set run.measure=10us: error: 'run' is no key of a sweep file; if it is one of the "
                               "configuration, set it at all points: --set 'set={run.measure: 10us}'"));
  EXPECT_THAT(sweep({"sweep.yaml", "--set", "seed=3"}).err, HasSubstr("did you mean 'seeds'?"));
}

TEST_F(SweepProgram, AMetricByItsNameOfVersion1IsToldItsNewOne) {
  const ProgramResult r = sweep({"sweep.yaml", "--set", "metrics.latency=sections.run.max_latency"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err,
              HasSubstr("metrics.latency: 'sections.run.max_latency' is a name of version 1 of the report; since "
                        "version 2: 'sections.run.transit_max'"));
}

// As --merge does: the tables have what is there, and what is missing is named.
TEST_F(SweepProgram, AnExportNamesWhatIsMissing) {
  ASSERT_EQ(sweep({"sweep.yaml"}).status, 0);
  const ProgramResult more = sweep({"sweep.yaml", "--set", "seeds=4", "--export-only"});
  EXPECT_EQ(more.status, 1);
  EXPECT_THAT(more.err, AllOf(HasSubstr("12 of 16 runs are stored already"),
                              HasSubstr("error: 4 runs are not stored: slots=8, interval=40us, seed 4; "),
                              HasSubstr("'weft sweep sweep.yaml --out out/sweep' runs what is missing")));
  EXPECT_THAT(file("out/sweep/results.csv"), AllOf(HasSubstr("\n8,40,1,done,"), HasSubstr("\n8,40,4,missing,")));
  const auto json = sweep_json({"sweep.yaml", "--set", "seeds=4", "--export-only"});
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["ran"], 0);
  EXPECT_EQ(json["missing"].size(), 4U);
}

TEST_F(SweepProgram, AnExportOfAnotherConfigurationLeavesTheTables) {
  ASSERT_EQ(sweep({"sweep.yaml"}).status, 0);
  const std::string csv = file("out/sweep/results.csv");
  const std::string page = file("out/sweep/report.html");
  folder_.write("net.yaml", std::string(kSmallNet) + "slots: { allocator: dsatur }\n");
  const ProgramResult r = sweep({"sweep.yaml", "--export-only"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err,
              AllOf(HasSubstr("12 runs were stored for another configuration or version of the program; left out"),
                    HasSubstr("holds no run of this sweep as its files are now; there is nothing to export"),
                    Not(HasSubstr("running again"))));
  EXPECT_EQ(file("out/sweep/results.csv"), csv);
  EXPECT_EQ(file("out/sweep/report.html"), page);
}

TEST_F(SweepProgram, AnExportNamesWhatHasFailed) {
  folder_.write("deadlock.yaml", "sweep: " + source_dir() +
                                     "/configs/packet/ring_deadlock.yaml\nmetrics: { l: sections.run.latency_mean }\n"
                                     "axes: [ { key: run.measure, values: [30us] } ]\n");
  ASSERT_EQ(sweep({"deadlock.yaml"}).status, 1);
  const ProgramResult r = sweep({"deadlock.yaml", "--export-only"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, AllOf(HasSubstr("error: 1 run failed:"), HasSubstr("measure=30us, seed 1: "),
                           Not(HasSubstr("trying again"))));
}

TEST_F(SweepProgram, NothingToExport) {
  const ProgramResult r = sweep({"sweep.yaml", "--export-only"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("out/sweep/results.sqlite: error: does not exist; there is nothing to export"));
  std::filesystem::create_directories(folder_.path("out/sweep"));
  folder_.write("out/sweep/results.sqlite", "");
  folder_.write("out/sweep/results.csv", "of an earlier sweep");
  const ProgramResult empty = sweep({"sweep.yaml", "--export-only", "--overwrite"});
  EXPECT_EQ(empty.status, 2);
  EXPECT_THAT(empty.err, HasSubstr("out/sweep/results.sqlite: error: holds no run; there is nothing to export"));
  EXPECT_EQ(file("out/sweep/results.csv"), "of an earlier sweep");
}

}  // namespace
}  // namespace weft::test
