// The program on packet networks: what it prints and writes, how it ends.

#include <algorithm>
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
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

constexpr const char* kPacketNet =
    "fabric: packet\ntitle: a small net\ntopology: { kind: tree, arity: 2, levels: 2 }\n"
    "qos: { levels: { fast: { message: 64B }, bulk: { message: 1KiB } } }\n"
    "traffic:\n  - { level: fast, load: 0.05 }\n  - { level: bulk, load: 0.4, source: bursts }\n"
    "run: { warm_up: 1us, measure: 10us, drain: 20us }\n";

nlohmann::json report_in(const ScratchFolder& folder, const std::string& out = "out") {
  return nlohmann::json::parse(slurp(folder.path(out + "/report.json")));
}

TEST(PacketProgram, WritesReportTablesAndPage) {
  const ScratchFolder folder;
  folder.write("net.yaml", kPacketNet);
  const ProgramResult r = weft({"run", "net.yaml", "--out", "out"}, {folder.path()});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, IsEmpty());
  EXPECT_THAT(r.out, AllOf(StartsWith("a small net\n"), HasSubstr("results in out/")));
  const auto report = report_in(folder);
  EXPECT_EQ(report["complete"], true);
  EXPECT_EQ(report["title"], "a small net");
  EXPECT_EQ(report["figures"]["run"]["missing"]["value"], 0);
  EXPECT_EQ(report["tables"]["services"]["rows"].size(), 2U);
  for (const char* file : {"report.html", "services.csv", "histogram.csv", "links.csv"}) {
    EXPECT_TRUE(fs::exists(folder.path(std::string("out/") + file))) << file;
  }
  EXPECT_FALSE(fs::exists(folder.path("out/messages.csv")));
  const std::string levels = slurp(folder.path("out/services.csv"));
  EXPECT_EQ(std::count(levels.begin(), levels.end(), '\n'), 3);
}

// The warm-up and the window that were found, and what is known, without opening a file.
TEST(PacketProgram, ASteadyRunSaysWhatItFound) {
  const ScratchFolder folder;
  const std::string config = source_dir() + "/configs/packet/steady.yaml";
  const ProgramResult r = weft({"run", config, "--out", "out"}, {folder.path()});
  ASSERT_EQ(r.status, 0) << r.err;
  for (const char* line : {"  warm up  ", "  window  ", "  half width  ", "  half width wanted            3 %",
                           "  controlled levels            control, bulk\n", "  warmed up                    yes\n",
                           "  not known                    none\n", "  out of time                  no\n"}) {
    EXPECT_THAT(r.out, HasSubstr(line));
  }
  EXPECT_THAT(r.out, Not(HasSubstr("note:")));
  const ProgramResult full = weft(
      {"run", config, "--out", "out2", "--set", "traffic.1.load=0.9", "--set", "run.at_most=2ms"}, {folder.path()});
  ASSERT_EQ(full.status, 0) << full.err;
  EXPECT_THAT(full.out, AllOf(HasSubstr("  saturated levels             bulk\n"), HasSubstr("note: saturated: bulk (8"),
                              HasSubstr(" flits/us): source queues grow")));
}

TEST(PacketProgram, JsonIsTheReportThatIsWritten) {
  const ScratchFolder folder;
  folder.write("net.yaml", kPacketNet);
  const ProgramResult r = weft({"run", "net.yaml", "--json", "--out", "out"}, {folder.path()});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, slurp(folder.path("out/report.json")));
}

TEST(PacketProgram, SameSeedSameBytesOtherSeedOtherRun) {
  const ScratchFolder folder;
  folder.write("net.yaml", kPacketNet);
  const auto run = [&](const char* seed) {
    const ProgramResult r = weft({"run", "net.yaml", "--json", "--seed", seed}, {folder.path()});
    EXPECT_EQ(r.status, 0) << r.err;
    return r.out;
  };
  const std::string first = run("7");
  EXPECT_EQ(run("7"), first);
  auto a = nlohmann::json::parse(first);
  auto b = nlohmann::json::parse(run("8"));
  EXPECT_EQ(a["seed"], 7);
  EXPECT_EQ(b["seed"], 8);
  EXPECT_NE(a["tables"], b["tables"]);
}

TEST(PacketProgram, OverridesChangeTheRun) {
  const ScratchFolder folder;
  folder.write("net.yaml", kPacketNet);
  const ProgramResult r = weft(
      {"run", "net.yaml", "--json", "--set", "traffic.1.load=0", "--set", "switch.architecture=opa"}, {folder.path()});
  ASSERT_EQ(r.status, 0) << r.err;
  const auto report = nlohmann::json::parse(r.out);
  EXPECT_EQ(report["figures"]["network"]["architecture"]["value"], "opa");
  EXPECT_EQ(report["tables"]["services"]["rows"][1]["messages"], 0);
  EXPECT_GT(report["tables"]["services"]["rows"][0]["messages"], 0);
}

TEST(PacketProgram, CheckTellsWhatIsKnownAndWritesOnlyWhenAsked) {
  const ScratchFolder folder;
  folder.write("net.yaml", kPacketNet);
  const ProgramOptions here{folder.path()};
  const ProgramResult plain = weft({"check", "net.yaml"}, here);
  ASSERT_EQ(plain.status, 0) << plain.err;
  EXPECT_THAT(plain.out, StartsWith("net.yaml: ok\n"));
  EXPECT_FALSE(fs::exists(folder.path("out")));
  const ProgramResult json = weft({"check", "net.yaml", "--json", "--out", "planned"}, here);
  ASSERT_EQ(json.status, 0) << json.err;
  const auto report = nlohmann::json::parse(json.out);
  EXPECT_EQ(report["tables"]["services"]["rows"].size(), 2U);
  EXPECT_NEAR(report["tables"]["services"]["rows"][0]["latency_1_switch"].get<double>(), 8 * 5.12, 1e-9);
  EXPECT_TRUE(fs::exists(folder.path("planned/services.csv")));
}

// configs/README.md: durations are rounded up to whole cycles, here of 5.12 ns. The drain goes on to its end, as the
// only message needs more than that.
TEST(PacketProgram, WindowsAreRoundedUpToWholeCycles) {
  const ScratchFolder folder;
  folder.write("net.yaml",
               "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos: { levels: { a: { message: 32KiB } } }\n"
               "trace: one.csv\nrun: { warm_up: 11ns, measure: 16ns, drain: 1025ns, settle: false }\n");
  folder.write("one.csv", "time_ns,source,destination,level\n21,0,1,a\n");
  const ProgramResult r = weft({"run", "net.yaml", "--json", "--out", "out"}, {folder.path()});
  ASSERT_EQ(r.status, 0) << r.err;
  const auto figures = nlohmann::json::parse(r.out)["figures"]["run"];
  EXPECT_NEAR(figures["warm_up"]["value"].get<double>(), 3 * 5.12, 1e-9);
  EXPECT_NEAR(figures["window"]["value"].get<double>(), 4 * 5.12, 1e-9);
  EXPECT_NEAR(figures["drain"]["value"].get<double>(), 201 * 5.12, 1e-9);
}

TEST(PacketProgram, MessageLogHasALinePerMeasuredMessageAndGoesAgain) {
  const ScratchFolder folder;
  folder.write("net.yaml", kPacketNet);
  const ProgramOptions here{folder.path()};
  ASSERT_EQ(weft({"run", "net.yaml", "--out", "out", "--set", "observe.message_log=true"}, here).status, 0);
  std::int64_t measured = 0;
  const auto report = report_in(folder);
  for (const auto& row : report["tables"]["services"]["rows"]) measured += row["messages"].get<std::int64_t>();
  const std::string log = slurp(folder.path("out/messages.csv"));
  EXPECT_THAT(log, StartsWith("generated (ns),sent (ns),delivered (ns),source,destination,level,flits\n"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), measured + 1);
  ASSERT_EQ(weft({"run", "net.yaml", "--out", "out"}, here).status, 0);
  EXPECT_FALSE(fs::exists(folder.path("out/messages.csv"))) << "it belongs to the run before";
}

TEST(PacketProgram, InterruptLeavesAPartialReport) {
  const ScratchFolder folder;
  folder.write("net.yaml", kPacketNet);
  ASSERT_EQ(weft({"run", "net.yaml", "--out", "out"}, {folder.path()}).status, 0);
  // It claims the folder before it has results to list.
  const auto begun = [&] { return slurp(folder.path("out/.weft-manifest")).find("report.json") == std::string::npos; };
  const ProgramResult r = weft({"run", "net.yaml", "--out", "out", "--set", "run.measure=100s", "--set",
                                "observe.message_log=true", "--set", "run.warm_up=0ns"},
                               {folder.path(), 1000, begun});
  EXPECT_EQ(r.status, 130);
  EXPECT_THAT(r.err, HasSubstr("interrupted: the report is partial"));
  const auto report = report_in(folder);
  EXPECT_EQ(report["complete"], false);
  EXPECT_THAT(report["incomplete_because"].get<std::string>(), HasSubstr("interrupted in cycle"));
  EXPECT_GT(report["figures"]["run"]["delivered"]["value"], 0);
  for (const char* table : {"services", "histogram", "links", "messages"}) {
    EXPECT_FALSE(fs::exists(folder.path(fmt::format("out/{}.csv", table))))
        << table << ": a partial table looks complete";
    EXPECT_TRUE(fs::exists(folder.path(fmt::format("out/{}.partial.csv", table)))) << table;
  }
  ASSERT_EQ(weft({"run", "net.yaml", "--out", "out"}, {folder.path()}).status, 0);
  for (const auto& entry : fs::directory_iterator(folder.path("out"))) {
    EXPECT_THAT(entry.path().filename().string(), ::testing::Not(HasSubstr("partial")));
  }
}

/// One wrong input: what is changed in the file above, and what must be said about it.
struct WrongPacketCase {
  std::string name;
  std::string set;
  std::string said;
  std::string also = "title=a wrong net";  ///< second change
};

void PrintTo(const WrongPacketCase& wrong, std::ostream* out) { *out << wrong.name; }

class WrongPacketInput : public ::testing::TestWithParam<WrongPacketCase> {};

TEST_P(WrongPacketInput, ExitsWith2AndLeavesEarlierResultsAlone) {
  const ScratchFolder folder;
  folder.write("net.yaml", kPacketNet);
  folder.write("bad.csv", "time_ns,source,destination,level\n1,0,9,fast\n");
  fs::create_directory(folder.path("out"));
  folder.write("out/services.csv", "earlier");
  for (const std::string command : {"run", "check"}) {
    const ProgramResult plain =
        weft({command, "net.yaml", "--out", "out", "--set", GetParam().set, "--set", GetParam().also}, {folder.path()});
    EXPECT_EQ(plain.status, 2);
    EXPECT_THAT(plain.out, IsEmpty());
    EXPECT_THAT(plain.err, HasSubstr(GetParam().said));
    EXPECT_EQ(slurp(folder.path("out/services.csv")), "earlier");
    const ProgramResult machine =
        weft({command, "net.yaml", "--json", "--set", GetParam().set, "--set", GetParam().also}, {folder.path()});
    EXPECT_EQ(machine.status, 2);
    const auto json = nlohmann::json::parse(machine.out);
    EXPECT_EQ(json["failure"], "bad input");
    EXPECT_THAT(json["errors"].dump(), HasSubstr("message"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Of, WrongPacketInput,
    ::testing::Values(
        WrongPacketCase{"level", "traffic.0.level=slow", "expected a level (a name, or a number below 2), got 'slow'"},
        WrongPacketCase{"key", "qos.schedulr=drr",
                        "unknown key 'schedulr' in section 'qos'; did you mean 'scheduler'?"},
        WrongPacketCase{"buffer", "switch.output_buffer=64B",
                        "switch.output_buffer of 1 flits cannot hold the minima of its VLs, together 34 flits"},
        WrongPacketCase{"deadlock",
                        "topology={kind: dragonfly, arity: null, levels: null, groups: 5, routers_per_group: 4, "
                        "nodes_per_router: 1, global_links: 1}",
                        "messages can wait for each other in a cycle", "routing={algorithm: shortest_path}"},
        WrongPacketCase{"pattern", "traffic.0={level: fast, load: 0.1, destinations: pattern, pattern: tornadoo}",
                        "did you mean 'tornado'?"},
        WrongPacketCase{"trace", "trace=bad.csv", "bad.csv:2:5: error: expected a destination node below 4, got '9'"},
        WrongPacketCase{"trace_missing", "trace=none.csv", "cannot be read"},
        WrongPacketCase{"table", "qos.scheduler=dtable", "qos.scheduler: dtable needs the key 'qos.dtable.table'"},
        WrongPacketCase{"seed", "seed=-1", "seed: expected a whole number"}),
    [](const ::testing::TestParamInfo<WrongPacketCase>& p) { return p.param.name; });

TEST(PacketProgram, WarningsGoToTheErrorStreamAndTheRunGoesOn) {
  const ScratchFolder folder;
  folder.write("net.yaml", kPacketNet);
  const ProgramResult r = weft({"run", "net.yaml", "--json", "--set", "routing.ring=dateline"}, {folder.path()});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.err, HasSubstr("warning: routing.ring has no effect"));
  EXPECT_EQ(nlohmann::json::parse(r.out)["complete"], true);
}

}  // namespace
}  // namespace weft::test
