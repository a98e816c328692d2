// The resolved configuration of a report: origins of values, and `weft run report.json`, which gives the same bytes.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

const std::string kAllConfigs = source_dir() + "/configs/";

OrderedJson ordered_report(const std::string& folder) { return OrderedJson::parse(slurp(folder + "/report.json")); }

/// Every file of a report but what differs from run to run.
void expect_same_results(const std::string& a, const std::string& b) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(a)) {
    const std::string name = entry.path().filename().string();
    if (name == "run.json" || name == ".weft-manifest") continue;
    EXPECT_EQ(slurp(a + "/" + name), slurp(b + "/" + name)) << name;
    ++files;
  }
  EXPECT_GE(files, 3U);
}

class ReportAgain : public ::testing::Test {
 protected:
  ReportAgain() {
    fs::create_directory(scratch_.path("nets"));
    scratch_.write("nets/base.yaml",
                   "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2] }\nrun: { measure: 50us }\n"
                   "circuits_file: flows.txt\n");
    scratch_.write("nets/flows.txt", "0 3 0\n1 2 1\n");
    scratch_.write("design.yaml", "base: nets/base.yaml\nswitch:\n  slots: 4\n");
  }
  ProgramResult run(std::vector<std::string> arguments, const std::string& folder = "") {
    return weft(std::move(arguments), {scratch_.path(folder), 0, {}});
  }
  ScratchFolder scratch_;
};

TEST_F(ReportAgain, OriginOfEveryValue) {
  const ProgramResult r = run({"run", "design.yaml", "--set", "switch.lanes=2", "--seed", "7", "--out", "a"});
  ASSERT_EQ(r.status, 0) << r.err;
  const OrderedJson configuration = ordered_report(scratch_.path("a"))["configuration"];
  const OrderedJson& values = configuration["values"];
  const OrderedJson& origins = configuration["origins"];
  EXPECT_EQ(values["switch"]["slots"], 4);
  EXPECT_EQ(origins["switch"]["slots"], "design.yaml:3");
  EXPECT_EQ(values["switch"]["lanes"], 2);
  EXPECT_EQ(origins["switch"]["lanes"], "--set");
  EXPECT_EQ(origins["seed"], "--set");
  EXPECT_EQ(values["switch"]["clock"], "100MHz");
  EXPECT_EQ(origins["switch"]["clock"], "default");
  EXPECT_EQ(origins["topology"]["dims"], "nets/base.yaml:2");
  EXPECT_EQ(origins["topology"]["trunk"], "default");
  EXPECT_EQ(origins["setup"], "default");  // of all its values
  EXPECT_EQ(values["circuits_file"], "flows.txt");
  // What has no effect here, or may not stand here at all.
  EXPECT_FALSE(values["setup"].contains("tries"));
  EXPECT_FALSE(values.contains("buffers"));
  EXPECT_FALSE(values["run"].contains("half_width"));
  EXPECT_FALSE(values["slots"].contains("search_iterations"));
}

// Sections that mean something by being there.
TEST_F(ReportAgain, SectionsOfDefaultsAlone) {
  scratch_.write("sections.yaml", "fabric: optweb\nnodes: 4\nlink: { serial: {} }\nobserve:\n  boxes:\nmeasure: {}\n");
  ASSERT_EQ(run({"run", "sections.yaml", "--out", "a"}).status, 0);
  const OrderedJson configuration = ordered_report(scratch_.path("a"))["configuration"];
  EXPECT_EQ(configuration["origins"]["link"]["serial"]["clock"], "default");
  const ProgramResult again = run({"run", "a", "--out", "b"});
  ASSERT_EQ(again.status, 0) << again.err;
  expect_same_results(scratch_.path("a"), scratch_.path("b"));
}

TEST_F(ReportAgain, SameBytesFromAFolderAndFromAnotherPlace) {
  ASSERT_EQ(run({"run", "design.yaml", "--set", "switch.lanes=2", "--out", "results/a"}).status, 0);
  ProgramResult again = run({"run", "results/a", "--out", "results/b"});
  ASSERT_EQ(again.status, 0) << again.err;
  expect_same_results(scratch_.path("results/a"), scratch_.path("results/b"));
  // The configuration is in the report; the file with the flows is found where it was.
  fs::remove(scratch_.path("design.yaml"));
  again = run({"run", "../results/a/report.json", "--out", "../results/c"}, "nets");
  ASSERT_EQ(again.status, 0) << again.err;
  expect_same_results(scratch_.path("results/a"), scratch_.path("results/c"));
  // Of a copy too.
  again = run({"run", "results/c"});
  ASSERT_EQ(again.status, 0) << again.err;
  expect_same_results(scratch_.path("results/a"), scratch_.path("out/c_again"));
}

TEST_F(ReportAgain, OverridesWinOverTheReport) {
  ASSERT_EQ(run({"run", "design.yaml", "--out", "a"}).status, 0);
  const ProgramResult r = run({"run", "a", "--set", "switch.slots=16", "--out", "b"});
  ASSERT_EQ(r.status, 0) << r.err;
  const OrderedJson configuration = ordered_report(scratch_.path("b"))["configuration"];
  EXPECT_EQ(configuration["values"]["switch"]["slots"], 16);
  EXPECT_EQ(configuration["origins"]["switch"]["slots"], "--set");
  EXPECT_EQ(run({"check", "a"}).status, 0);
}

TEST_F(ReportAgain, RunRecordHoldsWhatDiffers) {
  ASSERT_EQ(run({"run", "design.yaml", "--out", "a"}).status, 0);
  const OrderedJson record = OrderedJson::parse(slurp(scratch_.path("a/run.json")));
  EXPECT_EQ(record["schema"], "weft-run/1");
  EXPECT_EQ(record["working_folder"], "..");
  EXPECT_GT(record["wall_time_s"], 0);
  EXPECT_GT(record["largest_memory_bytes"], 1'000'000);
  EXPECT_FALSE(record["built_with"]["verilator"].empty());
  EXPECT_FALSE(record["host"].empty());
}

TEST_F(ReportAgain, WhatIsNoReportIsRefused) {
  scratch_.write("broken.json", "{\n \"schema\": \"weft-report/2\",\n \"figures\": {]\n}");
  scratch_.write("old.json", R"({"schema": "weft-report/2", "config": "x.yaml", "figures": {}})");
  scratch_.write("older.json", R"({"schema": "weft-report/1", "config": "x.yaml"})");
  scratch_.write("torn.json", R"({"schema": "weft-report/2", "configuration": {"values": {"fabric": "tdm"},
                                  "origins": {}}})");
  fs::create_directory(scratch_.path("empty"));
  const auto refused = [&](const std::string& path, const std::string& why) {
    const ProgramResult r = run({"run", path});
    EXPECT_EQ(r.status, 2) << path;
    EXPECT_THAT(r.err, HasSubstr(why)) << path;
  };
  refused("broken.json", "broken.json:3:");
  refused("old.json", "old.json: error: has no key configuration");
  refused("older.json", "schema: expected 'weft-report/2', got 'weft-report/1'");
  refused("torn.json", "torn.json: error: configuration: expected values and their origins, 'fabric' has none");
  refused("empty", "empty: error: is a folder, not a file, and holds no report.json");
}

// Studies have a configuration too: the keys of their file, or their options.
TEST_F(ReportAgain, OfStudies) {
  ASSERT_EQ(run({"slots", "--topology", "mesh", "--dims", "4,4", "--pattern", "tornado", "--out", "s"}).status, 0);
  OrderedJson configuration = ordered_report(scratch_.path("s"))["configuration"];
  EXPECT_EQ(configuration["values"]["dims"], "4,4");
  EXPECT_EQ(configuration["origins"]["dims"], "command line");
  ASSERT_EQ(run({"run", "s"}).status, 0) << "the options are in the report";
  expect_same_results(scratch_.path("s"), scratch_.path("out/s_again"));
  EXPECT_EQ(run({"check", "s"}).status, 2);
  EXPECT_EQ(run({"run", "s", "--waves", "w.fst"}).status, 2) << "an option of networks";
  ASSERT_EQ(run({"run", "s", "--seed", "7", "--out", "s7"}).status, 0);
  EXPECT_EQ(ordered_report(scratch_.path("s7"))["configuration"]["values"]["seed"], "7");

  ASSERT_EQ(run({"dlt", kAllConfigs + "dlt/mesh_5x5.yaml", "--set", "sigma=0.2", "--out", "d"}).status, 0);
  configuration = ordered_report(scratch_.path("d"))["configuration"];
  EXPECT_EQ(configuration["values"]["sigma"], "0.2");
  EXPECT_EQ(configuration["origins"]["sigma"], "--set");
  ASSERT_EQ(run({"dlt", "d"}).status, 0);
  expect_same_results(scratch_.path("d"), scratch_.path("out/d_again"));
  ASSERT_EQ(run({"run", "d", "--out", "f"}).status, 0);
  expect_same_results(scratch_.path("d"), scratch_.path("f"));

  ASSERT_EQ(run({"dtable", kAllConfigs + "packet/table4.yaml", "--out", "t"}).status, 0);
  EXPECT_EQ(ordered_report(scratch_.path("t"))["configuration"]["values"]["entries"], 64);
  ASSERT_EQ(run({"dtable", "t"}).status, 0);
  expect_same_results(scratch_.path("t"), scratch_.path("out/t_again"));
  ASSERT_EQ(run({"optweb", "cost", "--out", "c"}).status, 0);
  EXPECT_EQ(ordered_report(scratch_.path("c"))["configuration"]["values"]["nodes"], 32);
}

// `weft run` makes the report of any command again, byte for byte; beside it stand packages, host and times.
TEST_F(ReportAgain, OfEveryStudy) {
  scratch_.write("jobs.txt", slurp(kAllConfigs + "workloads/figure13.txt"));
  scratch_.write("pair.topo", "switches 2 ports 2\nnode 0 0:0\nnode 1 1:0\nlink 0:1 1:1\n");
  const std::vector<std::vector<std::string>> studies{
      {"slots", "--topology", "file", "--file", "pair.topo", "--pattern", "uniform", "--allocator", "search"},
      {"alltoall", "--n", "4", "--torus", "--wavelengths", "4"},
      {"schedule", "jobs.txt", "--dims", "4,4", "--policy", "all"},
      {"dlt", "--topology", "mesh", "--dims", "3,3", "--inject", "corner", "--inject", "2,2", "--sigma", "0.3"},
      {"dlt", kAllConfigs + "dlt/mesh_5x5.yaml", "--set", "sigma=0.2", "--run", "ideal", "--rounds", "2"},
      {"dtable", kAllConfigs + "packet/table4.yaml", "--method", "paper", "--set", "max_weight=255"},
      {"optweb", "cost"},
      {"optweb", "cost", kAllConfigs + "optweb/cost.yaml", "--set", "fibre=60"}};
  int number = 0;
  for (std::vector<std::string> study : studies) {
    const std::string folder = fmt::format("study_{}", ++number);
    study.insert(study.end(), {"--out", folder});
    const ProgramResult first = run(study);
    ASSERT_EQ(first.status, 0) << study.front() << ": " << first.err;
    const ProgramResult again = run({"run", folder + "/report.json"});
    ASSERT_EQ(again.status, 0) << study.front() << ": " << again.err;
    expect_same_results(scratch_.path(folder), scratch_.path("out/" + folder + "_again"));
    EXPECT_EQ(OrderedJson::parse(slurp(scratch_.path(folder + "/run.json")))["schema"], "weft-run/1");
  }
}

// A file written as JSON is a configuration like any other.
TEST_F(ReportAgain, ConfigurationsMayBeJson) {
  scratch_.write("net.json", R"({"fabric": "tdm", "topology": {"kind": "mesh", "dims": [2, 2]}, "pattern": "tornado",
                                 "run": {"measure": "20us"}})");
  EXPECT_EQ(run({"check", "net.json"}).status, 0);
}

TEST_F(ReportAgain, Sweeps) {
  scratch_.write("sweep.yaml",
                 "sweep: design.yaml\naxes: [ { key: switch.slots, values: [4, 8] } ]\n"
                 "metrics: { latency: sections.run.latency_max }\n");
  ProgramResult r = run({"sweep", "sweep.yaml", "--out", "a", "--set", "seeds=2"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("latency mean"), HasSubstr("latency ci95")));
  const OrderedJson report = ordered_report(scratch_.path("a"));
  EXPECT_EQ(report["configuration"]["values"]["sweep"], "design.yaml");
  EXPECT_EQ(report["configuration"]["origins"]["seeds"], "--set");
  EXPECT_EQ(report["tables"]["summary"]["rows"].size(), 2U);
  r = run({"sweep", "a", "--out", "b"});
  ASSERT_EQ(r.status, 0) << r.err;
  for (const char* name : {"report.json", "results.csv", "summary.csv"}) {
    EXPECT_EQ(slurp(scratch_.path("a/") + name), slurp(scratch_.path("b/") + name)) << name;
  }
  ASSERT_EQ(run({"run", "a", "--out", "c"}).status, 0);
  EXPECT_EQ(slurp(scratch_.path("a/report.json")), slurp(scratch_.path("c/report.json")));
}

TEST_F(ReportAgain, QuickSweeps) {
  scratch_.write("sweep.yaml",
                 "sweep: design.yaml\naxes: [ { key: switch.slots, values: [4, 8] } ]\n"
                 "metrics: { latency: sections.run.latency_max }\nquick: { seeds: 1, axes: { slots: [8] } }\n");
  ASSERT_EQ(run({"sweep", "sweep.yaml", "--quick", "--out", "a"}).status, 0);
  for (const char* command : {"run", "sweep"}) {
    const ProgramResult r = run({command, "a", "--out", command});
    ASSERT_EQ(r.status, 0) << r.err;
    for (const char* name : {"report.json", "results.csv", "summary.csv"}) {
      EXPECT_EQ(slurp(scratch_.path("a/") + name), slurp(scratch_.path(command) + "/" + name)) << name;
    }
  }
}

/// Defaults that a report names are in force: a file that says them all gives the same results, without a warning.
class EveryDefault : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryDefault, IsInForce) {
  const ScratchFolder scratch;
  const std::string config = kAllConfigs + GetParam();
  const auto check = [](const std::string& file) {
    const ProgramResult r = weft({"check", file, "--json"});
    EXPECT_EQ(r.status, 0) << r.err;
    return r;
  };
  const ProgramResult first = check(config);
  OrderedJson known = OrderedJson::parse(first.out);
  const ProgramResult second = check(scratch.write("explicit.yaml", known["configuration"]["values"].dump()));
  EXPECT_EQ(std::count(second.err.begin(), second.err.end(), '\n'),
            std::count(first.err.begin(), first.err.end(), '\n'))
      << second.err;
  OrderedJson explicit_known = OrderedJson::parse(second.out);
  for (OrderedJson* j : {&known, &explicit_known}) {
    j->erase("config");
    j->erase("configuration");
  }
  EXPECT_EQ(known, explicit_known);
}

INSTANTIATE_TEST_SUITE_P(Shipped, EveryDefault,
                         ::testing::Values("tdm/phases_8x8.yaml", "tdm/setup_4x4.yaml", "tdm/traffic_4x4.yaml",
                                           "tdm/programs.yaml", "tdm/alltoall_4x4.yaml", "packet/first.yaml",
                                           "packet/dragonfly.yaml", "packet/iq_mesh_8x8.yaml",
                                           "packet/paper_torus_8x8.yaml", "optweb/programs.yaml",
                                           "optweb/collectives_4.yaml", "optweb/traffic_8.yaml", "ideal/first.yaml"));

}  // namespace
}  // namespace weft::test
