// weft sweep --shard and --merge as users start them: parts run apart give the bytes of the whole; what does not belong
// together is refused.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "support/sweep_folder.h"
#include "sweep/result_store.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

class SweepShards : public SweepFolderTest {
 protected:
  SweepShards() {
    folder_.write("net.yaml", kSmallNet);
    folder_.write("sweep.yaml", small_sweep("A sweep in parts"));
  }
  void expect_same(const std::string& a, const std::string& b) const {
    expect_same_files(a, b, {"results.csv", "summary.csv", "waiting.svg", "waiting.gp", "report.html", "report.json"});
  }
};

TEST_F(SweepShards, PartsGiveTheBytesOfTheWhole) {
  ASSERT_EQ(sweep({"sweep.yaml"}).status, 0);
  std::size_t runs = 0;
  std::vector<std::string> merge{"sweep.yaml", "--out", "merged", "--merge"};
  for (int i = 5; i >= 1; --i) {  // whichever comes first
    const std::string part = fmt::format("{}/5", i);
    const std::string out = fmt::format("out/sweep_shard_{}_of_5", i);
    const auto json = sweep_json({"sweep.yaml", "--shard", part});
    EXPECT_EQ(json["shard"], part);
    EXPECT_EQ(json["out"], out);
    EXPECT_TRUE(json["runs"] == 2 || json["runs"] == 3) << "12 runs are dealt evenly";
    EXPECT_EQ(json["ran"], json["runs"]);
    EXPECT_EQ(stored(out), json["runs"]);
    EXPECT_FALSE(fs::exists(folder_.path(out + "/summary.csv"))) << "a part is no whole result";
    runs += json["runs"].get<std::size_t>();
    merge.push_back(i % 2 == 0 ? out : out + "/results.sqlite");
  }
  EXPECT_EQ(runs, 12U) << "every run is in one part";
  const ProgramResult r = sweep(merge);
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, IsEmpty());
  expect_same("out/sweep", "merged");
  EXPECT_EQ(sweep_json({"sweep.yaml", "--out", "merged"})["ran"], 0);
  expect_same("out/sweep", "merged");
}

TEST_F(SweepShards, AShardIsToldApartAndGoesOn) {
  const ProgramResult r = sweep({"sweep.yaml", "--shard", "1/4"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, AllOf(HasSubstr("part                         1 of 4\n"), HasSubstr("3 of 12\n"),
                           HasSubstr("'weft sweep sweep.yaml --merge FOLDER...' joins the parts")));
  const auto again = sweep_json({"sweep.yaml", "--shard", "1/4"});
  EXPECT_EQ(again["ran"], 0);
  EXPECT_EQ(again["stored"], 3);
  const auto none = sweep_json({"sweep.yaml", "--shard", "13/13"});
  EXPECT_EQ(none["ok"], true) << "more parts than runs: an empty part";
  EXPECT_EQ(none["runs"], 0);
  const ProgramResult merged = sweep({"sweep.yaml", "--merge", "out/sweep_shard_13_of_13"});
  EXPECT_EQ(merged.status, 1) << "an empty part is no other sweep, but all runs are missing";
  EXPECT_THAT(merged.err, HasSubstr("error: 12 runs are in no store: slots=8, interval=40us, seed 1; "));
}

TEST_F(SweepShards, AfterAKillOnlyTheRestOfTheShardRuns) {
  folder_.write("slow.yaml", kSlowSweep);
  const std::string out = "out/slow_shard_1_of_2";
  RunningWeft running({"sweep", "slow.yaml", "--jobs", "1", "--shard", "1/2"}, folder_.path());
  const std::string database = folder_.path(out + "/results.sqlite");
  running.wait_until([&] {
    try {
      return fs::exists(database) && !ResultStore(database, ResultStore::Opening::existing).known().empty();
    } catch (const InputError&) {
      return false;  // it is being made
    }
  });
  ASSERT_TRUE(running.kill()) << "it had ended already";
  const std::size_t kept = stored(out);
  ASSERT_GT(kept, 0U);
  ASSERT_LT(kept, 6U);
  // What a killed part has stored can be merged, and the rest is named.
  const auto merged = sweep_json({"slow.yaml", "--out", "merged", "--merge", out});
  EXPECT_EQ(merged["ok"], false);
  EXPECT_EQ(merged["merged"], kept);
  EXPECT_EQ(merged["missing"].size(), 12 - kept);
  EXPECT_EQ(sweep_json({"slow.yaml", "--shard", "1/2"})["ran"], 6 - kept);
  EXPECT_EQ(sweep_json({"slow.yaml", "--out", "merged", "--merge", out})["merged"], 6 - kept);
}

TEST_F(SweepShards, MissingRunsAreNamedAndCanBeRunInTheMergedFolder) {
  ASSERT_EQ(sweep({"sweep.yaml"}).status, 0);
  for (const char* part : {"1/3", "3/3"}) ASSERT_EQ(sweep({"sweep.yaml", "--shard", part}).status, 0);
  const ProgramResult r =
      sweep({"sweep.yaml", "--out", "m", "--merge", "out/sweep_shard_1_of_3", "out/sweep_shard_3_of_3"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, AllOf(HasSubstr("error: 4 runs are in no store: "),
                           HasSubstr("'weft sweep sweep.yaml --out m' runs what is missing")));
  const std::string csv = slurp(folder_.path("m/results.csv"));
  std::size_t named = 0;
  std::size_t missing = 0;
  for (const char* slots : {"8", "16"}) {
    for (const char* interval : {"40", "20"}) {
      for (int seed = 1; seed <= 3; ++seed) {
        const bool is_missing = csv.find(fmt::format("\n{},{},{},missing", slots, interval, seed)) != std::string::npos;
        const bool is_named =
            r.err.find(fmt::format("slots={}, interval={}us, seed {}", slots, interval, seed)) != std::string::npos;
        EXPECT_EQ(is_missing, is_named);
        missing += is_missing ? 1 : 0;
        named += is_named ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(named, 4U);
  EXPECT_EQ(missing, 4U);
  EXPECT_EQ(sweep_json({"sweep.yaml", "--out", "m"})["ran"], 4);
  expect_same("out/sweep", "m");
}

TEST_F(SweepShards, DoubleRunsMustAgree) {
  ASSERT_EQ(sweep({"sweep.yaml", "--out", "a"}).status, 0);
  ASSERT_EQ(sweep({"sweep.yaml", "--shard", "1/2", "--out", "b"}).status, 0);
  EXPECT_EQ(sweep({"sweep.yaml", "--out", "m", "--merge", "a", "b"}).status, 0);
  expect_same("a", "m");
  {
    ResultStore store(folder_.path("b/results.sqlite"));
    auto run = store.get(store.known().front().identity);
    auto report = nlohmann::json::parse(run->report);
    report["figures"]["run"]["latency_max"]["value"] = 1;
    run->report = report.dump();
    store.put(*run, {});
  }
  const ProgramResult r = sweep({"sweep.yaml", "--out", "n", "--merge", "a", "b"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, AllOf(HasSubstr("b/results.sqlite: error: has another result of slots="),
                           HasSubstr("than a/results.sqlite; both are of the same configuration")));
  EXPECT_EQ(stored("n"), 0U) << "nothing is merged by half";
  const ProgramResult into = sweep({"sweep.yaml", "--out", "m", "--merge", "b"});
  EXPECT_EQ(into.status, 2) << "the merged store counts too";
  expect_same("a", "m");
}

TEST_F(SweepShards, StoresOfOtherSweepsAreRefused) {
  ASSERT_EQ(sweep({"sweep.yaml", "--shard", "1/2", "--out", "a"}).status, 0);
  folder_.write("other.yaml",
                "sweep: net.yaml\naxes: [ { key: switch.slots, name: s, values: [32] } ]\n"
                "metrics: { l: sections.run.latency_max }\n");
  ASSERT_EQ(sweep({"other.yaml"}).status, 0);
  const ProgramResult other = sweep({"sweep.yaml", "--out", "m", "--merge", "a", "out/other"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("out/other/results.sqlite: error: belongs to another sweep: expected runs such as "
                                   "'slots=8, interval=40us, seed 1', got such as 's=32, seed 1'"));
  folder_.write("net.yaml", std::string(kSmallNet) + "slots: { allocator: dsatur }\n");
  const ProgramResult changed = sweep({"sweep.yaml", "--out", "m", "--merge", "a"});
  EXPECT_EQ(changed.status, 2);
  EXPECT_THAT(changed.err,
              HasSubstr("a/results.sqlite: error: 6 of its 6 runs are of another configuration or version"));
}

// Runs of the new configuration may belong to other parts; what a part has left of the old one is in no one's way.
TEST_F(SweepShards, PartsThatRanAnewAfterAChangeAreJoined) {
  for (const char* allocator : {"first_fit", "dsatur", "search"}) {
    folder_.write("net.yaml", std::string(kSmallNet) + "slots: { allocator: " + allocator + " }\n");
    for (const char* part : {"1/3", "2/3", "3/3"}) {
      ASSERT_EQ(sweep({"sweep.yaml", "--shard", part, "--out", std::string("part") + part[0]}).status, 0);
    }
  }
  const ProgramResult merged = sweep({"sweep.yaml", "--out", "m", "--merge", "part1", "part2", "part3"});
  ASSERT_EQ(merged.status, 0) << merged.err;
  ASSERT_EQ(sweep({"sweep.yaml", "--out", "w"}).status, 0);
  expect_same("w", "m");
}

TEST_F(SweepShards, WrongOptionsAreSaid) {
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"0/4", "got '0/4'; parts are counted from 1"},
           {"5/4", "got '5/4'; there is no such part"},
           {"2", "--shard 2: error: expected i/N, the part and the number of parts (1/8 to 8/8 of 8), got '2'"},
           {"1/", "got '1/'"},
           {"-1/4", "got '-1/4'"},
           {"1/2/3", "got '1/2/3'"},
           {"1/99999999999999999999999", "got '1/99999999999999999999999'"}}) {
    const ProgramResult r = sweep({"sweep.yaml", "--shard=" + text});
    EXPECT_EQ(r.status, 2) << text;
    EXPECT_THAT(r.err, HasSubstr(said));
  }
  EXPECT_FALSE(fs::exists(folder_.path("out")));
  for (const auto& more : std::vector<std::vector<std::string>>{{"--export-only", "--shard", "1/2"},
                                                                {"--fresh", "--merge", "a"},
                                                                {"--shard", "1/2", "--merge", "a"},
                                                                {"--export-only", "--jobs", "2"},
                                                                {"--export-only", "--memory", "1GiB"},
                                                                {"--export-only", "--nice", "3"},
                                                                {"--jobs", "2", "--merge", "a"},
                                                                {"--memory", "1GiB", "--merge", "a"},
                                                                {"--nice", "3", "--merge", "a"}}) {
    std::vector<std::string> arguments{"sweep.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult r = sweep(arguments);
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr(" excludes ")) << fmt::format("{}", fmt::join(more, " "));
  }
  const ProgramResult nowhere = sweep({"sweep.yaml", "--merge", "nowhere"});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("nowhere: error: does not exist; expected the folder of a shard"));
  EXPECT_THAT(sweep({"sweep.yaml", "--merge", "--out", "m"}).err,
              HasSubstr("--merge: error: expected the folders of shards, got the option '--out'"));
  folder_.write("text.sqlite", "no database, but a text of some length that is certainly none of SQLite's own files\n");
  const ProgramResult text = sweep({"sweep.yaml", "--merge", "text.sqlite"});
  EXPECT_EQ(text.status, 2);
  EXPECT_THAT(text.err, HasSubstr("text.sqlite: error: cannot be read"));
  ASSERT_EQ(sweep({"sweep.yaml", "--shard", "1/6", "--out", "a"}).status, 0);
  EXPECT_THAT(sweep({"sweep.yaml", "--merge", "a", "a/results.sqlite"}).err, HasSubstr("is given twice"));
  EXPECT_THAT(sweep({"sweep.yaml", "--out", "a", "--merge", "a"}).err, HasSubstr("is the merged store itself"));
}

}  // namespace
}  // namespace weft::test
