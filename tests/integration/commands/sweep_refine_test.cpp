// `refine: saturation` as users meet it: tables and page, shards and their merge, going on after a kill.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/diagnostics.h"
#include "support/sweep_folder.h"
#include "sweep/result_store.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* kSearchedNet = R"(fabric: packet
topology: { kind: mesh, dims: [4, 4] }
link: { rate: 64Gb/s }
switch: { architecture: iq }
qos: { levels: { a: { message: 64B } } }
traffic: [ { level: a, load: 0.2 } ]
run: { warm_up: 2us, measure: 5us, drain: 20us }
)";
constexpr const char* kSearch = R"(sweep: packets.yaml
axes:
  - { key: switch.iq.vcs, name: vcs, values: [1, 2] }
  - { key: traffic.0.load, name: load, values: [0.05, 0.4, 0.9] }
seeds: 2
metrics: { latency: 'tables.services[service=a].latency_mean' }
plots: { latency: { x: load, y: latency, series: vcs } }
refine: saturation
quick: { seeds: 1, axes: { load: ['0.05', '0.9'] } }
)";

class SweepRefine : public SweepFolderTest {
 protected:
  SweepRefine() {
    folder_.write("packets.yaml", kSearchedNet);
    folder_.write("search.yaml", kSearch);
  }
  nlohmann::json report(const std::string& out) const {
    return nlohmann::json::parse(slurp(folder_.path(out + "/report.json")));
  }
  void expect_same(const std::string& a, const std::string& b) const {
    expect_same_files(a, b,
                      {"saturation.csv", "results.csv", "summary.csv", "latency.svg", "report.html", "report.json"});
  }
};

TEST_F(SweepRefine, TablesPageAndTerminalShowTheLoadThatWasFound) {
  const ProgramResult r = sweep({"search.yaml"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out,
              AllOf(HasSubstr("  vcs  saturation  saturation low  saturation high  lowest latency  runs  result\n"),
                    HasSubstr("  saturation.csv               one line per curve with the load that was found\n")));
  const auto json = report("out/search");
  const auto& rows = json["tables"]["saturation"]["rows"];
  ASSERT_EQ(rows.size(), 2U);
  std::size_t runs = 0;
  for (const auto& row : rows) {
    EXPECT_EQ(row["result"], "found");
    const double low = row["saturation_low"];
    const double high = row["saturation_high"];
    EXPECT_LE(high - low, 0.01 * (high + low));
    EXPECT_NEAR(row["saturation"].get<double>(), (low + high) / 2, 1e-9);
    runs += row["runs"].get<std::size_t>();
    // The results have a row on either side of the bracket, on the right side of three times the latency.
    double below = 0;
    double beyond = 0;
    bool saturated = false;
    for (const auto& run : json["tables"]["results"]["rows"]) {
      if (run["vcs"] != row["vcs"]) continue;
      if (run["load"] == low) below += run["latency"].get<double>() / 2;
      if (run["load"] == high) beyond += run["latency"].get<double>() / 2;
      if (run["load"] == high) saturated = saturated || run["notes"].get<std::string>().find("saturated") == 0;
    }
    EXPECT_LE(below, 3 * row["lowest_latency"].get<double>());
    EXPECT_TRUE(saturated || beyond > 3 * row["lowest_latency"].get<double>());
  }
  EXPECT_GT(rows[1]["saturation"], rows[0]["saturation"]) << "more virtual channels";
  EXPECT_EQ(json["tables"]["results"]["rows"].size(), runs) << "every run is in results.csv";
  EXPECT_THAT(slurp(folder_.path("out/search/report.html")), HasSubstr("saturation_low"));
  const std::string csv = slurp(folder_.path("out/search/saturation.csv"));
  EXPECT_EQ(sweep_json({"search.yaml"})["ran"], 0);
  EXPECT_EQ(sweep({"search.yaml", "--export-only"}).status, 0);
  EXPECT_EQ(slurp(folder_.path("out/search/saturation.csv")), csv);
  EXPECT_EQ(sweep({"out/search", "--out", "again"}).status, 0) << "from its report";
  EXPECT_EQ(slurp(folder_.path("again/saturation.csv")), csv);
}

TEST_F(SweepRefine, CurvesAreSharedOutAndMerged) {
  ASSERT_EQ(sweep({"search.yaml"}).status, 0);
  std::size_t runs = 0;
  for (const char* part : {"1/2", "2/2"}) {
    const auto json = sweep_json({"search.yaml", "--shard", part});
    EXPECT_EQ(json["ok"], true);
    runs += json["runs"].get<std::size_t>();
    EXPECT_EQ(json["ran"], json["runs"]);
    EXPECT_EQ(sweep_json({"search.yaml", "--shard", part})["ran"], 0) << "its search is complete";
  }
  EXPECT_EQ(runs, report("out/search")["tables"]["results"]["rows"].size());
  const ProgramResult half = sweep({"search.yaml", "--out", "m", "--merge", "out/search_shard_1_of_2"});
  EXPECT_EQ(half.status, 1);
  EXPECT_THAT(half.err, HasSubstr("error: 6 runs are in no store: vcs="));
  EXPECT_THAT(slurp(folder_.path("m/saturation.csv")), AllOf(HasSubstr("found\n"), HasSubstr(",open\n")));
  const ProgramResult r =
      sweep({"search.yaml", "--out", "m", "--merge", "out/search_shard_1_of_2", "out/search_shard_2_of_2"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  expect_same("out/search", "m");
}

TEST_F(SweepRefine, AfterAKillItGoesOnWithTheSamePoints) {
  ASSERT_EQ(sweep({"search.yaml", "--out", "whole"}).status, 0);
  RunningWeft running({"sweep", "search.yaml", "--jobs", "1"}, folder_.path());
  const std::string database = folder_.path("out/search/results.sqlite");
  running.wait_until([&] {
    try {
      return fs::exists(database) && ResultStore(database, ResultStore::Opening::existing).known().size() > 13;
    } catch (const InputError&) {
      return false;  // it is being made
    }
  });
  ASSERT_TRUE(running.kill()) << "it had ended already";
  const std::size_t kept = ResultStore(database).known().size();
  const std::size_t all = report("whole")["tables"]["results"]["rows"].size();
  const auto json = sweep_json({"search.yaml"});
  EXPECT_EQ(json["ran"], all - kept);
  EXPECT_EQ(json["stored"], kept);
  expect_same("whole", "out/search");
}

TEST_F(SweepRefine, AQuickSearchAndOneWhoseLimitIsNotReached) {
  const ProgramResult quick = sweep({"search.yaml", "--quick"});
  EXPECT_EQ(quick.status, 0) << quick.err;
  EXPECT_THAT(slurp(folder_.path("out/search_quick/saturation.csv")), HasSubstr("found\n"));
  const ProgramResult low = sweep(
      {"search.yaml", "--out", "low", "--set", "axes.1.values=[0.05, 0.1]", "--set", "quick.axes.load=[0.05, 0.1]"});
  EXPECT_EQ(low.status, 0) << "that is a result, no error";
  EXPECT_THAT(slurp(folder_.path("low/saturation.csv")), HasSubstr(",4,not reached\n"));
  const ProgramResult wrong =
      weft({"check", "search.yaml", "--set", "refine={find: saturation, axis: vcs}"}, {folder_.path()});
  EXPECT_EQ(wrong.status, 0) << "numbers that grow, even if they are no load";
  const ProgramResult none =
      weft({"check", "search.yaml", "--set", "refine={find: saturation, metric: latenc}"}, {folder_.path()});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("refine.metric: there is no metric 'latenc'; did you mean 'latency'?"));
}

}  // namespace
}  // namespace weft::test
