// Folders of results: what Weft did not write stays, what it wrote before does not look current, one command at a time.

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Key;
using ::testing::Not;
namespace fs = std::filesystem;

const std::string kNet =
    "fabric: tdm\ntopology: { kind: mesh, dims: [2] }\ncircuits: [ { source: 0, destination: 1 } ]\n"
    "sources: { messages: 3 }\n";
const std::string kPackets =
    "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos: { levels: { a: { message: 64B } } }\n"
    "traffic: [ { level: a, load: 0.1 } ]\nrun: { warm_up: 0ns, measure: 1us }\n";
const std::string kLong =
    "fabric: tdm\ntopology: { kind: mesh, dims: [4, 4] }\npattern: matrix_transpose\n"
    "sources: { arrivals: saturated }\nrun: { measure: 10s }\nobserve: { slot_trace: true }\n";

// Every file and link below a folder with its content, every folder with "folder".
std::map<std::string, std::string> content_of(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_symlink()) {
      out[name] = "link to " + fs::read_symlink(entry.path()).string();
    } else {
      out[name] = entry.is_directory() ? "folder" : slurp(entry.path().string());
    }
  }
  return out;
}

class OutputFolders : public ::testing::Test {
 protected:
  OutputFolders() {
    folder_.write("net.yaml", kNet);
    folder_.write("packets.yaml", kPackets);
    folder_.write("long.yaml", kLong);
    folder_.write("jobs.txt", "0 5 2 0 1 0 0\n");
    folder_.write("table.yaml", "service_levels:\n  - { name: a, distance: 2, share: 0.25, mtu: 64B }\n");
    folder_.write("sweep.yaml",
                  "sweep: packets.yaml\naxes: [ { key: traffic.0.load, values: [0.1, 0.2] } ]\n"
                  "metrics: { m: sections.run.delivered }\n");
  }
  ProgramResult weft_here(const std::vector<std::string>& arguments) const { return weft(arguments, {folder_.path()}); }
  ProgramResult run(const std::string& config, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"run", config, "--out", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return weft_here(arguments);
  }
  std::map<std::string, std::string> out() const { return content_of(folder_.path("out")); }
  std::string path(const std::string& name) const { return folder_.path(name); }

  ScratchFolder folder_;
};

struct Command {
  std::string name;
  std::vector<std::string> arguments;
};

void PrintTo(const Command& command, std::ostream* out) { *out << command.name; }

class EveryCommand : public OutputFolders, public ::testing::WithParamInterface<Command> {};

// The names are those of results, of half-written results and of work folders.
TEST_P(EveryCommand, LeavesAFolderOfSomebodyElseAlone) {
  fs::create_directories(path("out/schedule"));
  fs::create_directories(path("out/running/deep"));
  fs::create_directory(path("elsewhere"));
  for (const char* name : {"jobs.csv", "nodes.csv", "links.csv", "services.csv", "report.html.part", "summary.txt",
                           "schedule/mine", "running/deep/mine"}) {
    folder_.write(std::string("out/") + name, "mine");
  }
  folder_.write("elsewhere/kept", "mine");
  fs::create_directory_symlink("../elsewhere", path("out/curves.csv"));
  const auto before = out();
  std::vector<std::string> arguments = GetParam().arguments;
  arguments.insert(arguments.end(), {"--out", "out"});
  const ProgramResult refused = weft_here(arguments);
  EXPECT_EQ(refused.status, 2) << refused.out;
  EXPECT_THAT(refused.err, AllOf(HasSubstr("out: error: the folder is not empty"), HasSubstr("--overwrite")));
  EXPECT_EQ(out(), before);

  // A file may give way to a result of its name then, and nothing else goes.
  arguments.emplace_back("--overwrite");
  const ProgramResult r = weft_here(arguments);
  EXPECT_EQ(r.status, 0) << r.err;
  const auto after = out();
  for (const auto& [name, content] : before) {
    const bool moved = name.ends_with(".part") && after.count(name) == 0;
    const std::string now = moved ? name + ".kept" : name;
    ASSERT_TRUE(after.count(now) == 1) << name;
    if (!name.ends_with(".csv")) {
      EXPECT_EQ(after.at(now), content) << name;
    }
  }
  EXPECT_EQ(slurp(path("elsewhere/kept")), "mine");
  EXPECT_EQ(after.count("report.json"), 1U);

  // Its own results it replaces without being told to.
  arguments.pop_back();
  const ProgramResult again = weft_here(arguments);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.err.find("note: out"), std::string::npos) << again.err;
}

INSTANTIATE_TEST_SUITE_P(
    Of, EveryCommand,
    ::testing::Values(Command{"run", {"run", "net.yaml"}}, Command{"run_packets", {"run", "packets.yaml"}},
                      Command{"check", {"check", "packets.yaml"}}, Command{"sweep", {"sweep", "sweep.yaml"}},
                      Command{"dtable", {"dtable", "table.yaml"}},
                      Command{"slots", {"slots", "--dims", "2,2", "--pattern", "tornado"}},
                      Command{"alltoall", {"alltoall", "--n", "3"}},
                      Command{"schedule", {"schedule", "jobs.txt", "--dims", "2,2"}},
                      Command{"dlt", {"dlt", "--topology", "mesh", "--dims", "2,2", "--sigma", "0.3"}},
                      Command{"cost", {"optweb", "cost"}}),
    [](const auto& command) { return command.param.name; });

// The tables of one command are gone when another one has written its own; what the user put beside them is not.
TEST_F(OutputFolders, OldResultsGoAndOthersStay) {
  ASSERT_EQ(run("net.yaml", {"--waves", "out/w.fst", "--set", "observe.slot_trace=true"}).status, 0);
  const auto first = out();
  for (const char* name : {"circuits.csv", "slot_trace.csv", "w.fst", "w.gtkw"})
    EXPECT_THAT(first, Contains(Key(name)));
  folder_.write("out/nodes.csv", "mine");
  folder_.write("out/waves.fst", "mine");
  fs::create_directory(path("out/running"));
  folder_.write("out/running/mine", "mine");
  ASSERT_EQ(run("packets.yaml").status, 0);
  const auto second = out();
  for (const char* name : {"circuits.csv", "slot_trace.csv", "w.fst", "w.gtkw"}) {
    EXPECT_THAT(second, Not(Contains(Key(name))));
  }
  for (const char* name : {"nodes.csv", "waves.fst", "running/mine"}) EXPECT_EQ(second.at(name), "mine") << name;
  EXPECT_THAT(second, IsSupersetOf({Key("services.csv"), Key("report.json")}));
}

TEST_F(OutputFolders, AFileThatWasChangedIsNotRemoved) {
  ASSERT_EQ(run("net.yaml").status, 0);
  folder_.write("out/circuits.csv", "with a remark of mine");
  fs::remove(path("out/report.html"));
  fs::create_symlink("../net.yaml", path("out/report.html"));
  const auto before = out();
  const ProgramResult refused = run("packets.yaml");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("out: error: files were changed or replaced since Weft wrote them (circuits.csv, "
                                     "report.html): move them away"));
  EXPECT_EQ(out(), before);
  ASSERT_EQ(run("packets.yaml", {"--overwrite"}).status, 0);
  EXPECT_EQ(out()["circuits.csv"], "with a remark of mine") << "this run has no such table";
  EXPECT_THAT(out()["report.html"], HasSubstr("<html"));
  EXPECT_EQ(slurp(path("net.yaml")), kNet);
}

TEST_F(OutputFolders, AFileInTheWayOfAResultIsKeptUnderAnotherName) {
  ASSERT_EQ(run("net.yaml").status, 0);
  folder_.write("out/slot_trace.csv", "mine");
  folder_.write("out/slot_trace.csv.part", "mine too");
  const ProgramResult r = run("net.yaml", {"--set", "observe.slot_trace=true"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.err,
              HasSubstr("note: out/slot_trace.csv was not written by Weft; it is kept as slot_trace.csv.kept\n"));
  EXPECT_EQ(out()["slot_trace.csv.kept"], "mine");
  EXPECT_EQ(out()["slot_trace.csv.part.kept"], "mine too");
  EXPECT_THAT(out()["slot_trace.csv"], HasSubstr("cycle,switch,"));
  folder_.write("out/report.json", "mine");
  EXPECT_EQ(run("net.yaml").status, 2) << "what is certain to be in the way is known before the run";
}

TEST_F(OutputFolders, LinksAreNotFollowed) {
  folder_.write("victim", "mine");
  fs::create_directory(path("real"));
  fs::create_directory_symlink("real", path("out"));
  ASSERT_EQ(run("net.yaml").status, 0) << "the folder itself may be a link";
  EXPECT_TRUE(fs::exists(path("real/report.json")));
  for (const char* name : {"report.json", "circuits.csv", "phases.csv.part", "circuits.csv.part"}) {
    fs::remove(path(std::string("real/") + name));
    fs::create_symlink("../victim", path(std::string("real/") + name));
  }
  EXPECT_EQ(run("net.yaml").status, 2);
  EXPECT_EQ(slurp(path("victim")), "mine");
  EXPECT_EQ(run("net.yaml", {"--overwrite"}).status, 0);
  EXPECT_EQ(slurp(path("victim")), "mine");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path("real/report.json"))));

  fs::remove(path("real/.weft-manifest"));
  fs::create_symlink("../victim", path("real/.weft-manifest"));
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--overwrite"}}) {
    const ProgramResult r = run("net.yaml", more);
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr("out/.weft-manifest: error: is a link, not a manifest of Weft's"));
  }
  EXPECT_EQ(slurp(path("victim")), "mine");
}

TEST_F(OutputFolders, AManifestOfSomebodyElseCountsAsNone) {
  fs::create_directory(path("out"));
  for (const char* text : {"hello\n", "weft manifest 1\nfile 4 1.000000000 ../net.yaml\n",
                           "weft manifest 1\nfile 4 1.0 /etc/passwd\n", "weft manifest 1\nremove links.csv\n"}) {
    folder_.write("out/.weft-manifest", text);
    const ProgramResult r = run("net.yaml");
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr("out/.weft-manifest: error: is not a manifest of Weft's"));
    EXPECT_THAT(out(), ElementsAre(std::pair<const std::string, std::string>(".weft-manifest", text)));
  }
  EXPECT_EQ(run("net.yaml", {"--overwrite"}).status, 0);
  EXPECT_EQ(run("net.yaml").status, 0);
  EXPECT_EQ(slurp(path("net.yaml")), kNet);
}

// SIGKILL at work: no table, plot, wave or report of the run before, nothing of its own under a final name.
TEST_F(OutputFolders, AKilledRunLeavesNothingThatLooksCurrent) {
  ASSERT_EQ(run("net.yaml", {"--waves", "out/waves.fst", "--set", "observe.slot_trace=true"}).status, 0);
  folder_.write("out/notes.txt", "mine");
  RunningWeft running({"run", "long.yaml", "--out", "out", "--waves", "out/waves.fst"}, folder_.path());
  EXPECT_TRUE(running.wait_until([&] {
    std::error_code ec;
    return fs::file_size(path("out/slot_trace.csv.part"), ec) > 100'000 && !ec;
  }));
  ASSERT_TRUE(running.kill());
  std::vector<std::string> left;
  for (const auto& [name, content] : out()) left.push_back(name);
  EXPECT_THAT(left, ::testing::IsSubsetOf({".weft-manifest", "notes.txt", "slot_trace.csv.part", "waves.fst.part",
                                           "waves.fst.part.hier"}));
  ASSERT_EQ(run("packets.yaml").status, 0);
  for (const auto& [name, content] : out()) EXPECT_THAT(name, Not(HasSubstr(".part")));
  EXPECT_EQ(out()["notes.txt"], "mine");
}

TEST_F(OutputFolders, AKilledSweepLeavesTheStoreAlone) {
  const std::vector<std::string> slow{"sweep",  "sweep.yaml", "--out", "out",
                                      "--jobs", "1",          "--set", "set={run.measure: 10ms}"};
  ASSERT_EQ(weft_here({"sweep", "sweep.yaml", "--out", "out"}).status, 0);
  fs::create_directory(path("out/running"));
  fs::create_directory(path("elsewhere"));
  folder_.write("elsewhere/file", "mine");
  fs::create_directory_symlink("../../elsewhere", path("out/running/link"));
  RunningWeft running(slow, folder_.path());
  EXPECT_TRUE(running.wait_until([&] { return !fs::exists(path("out/results.csv")); }));
  ASSERT_TRUE(running.kill());
  EXPECT_THAT(out(), Not(Contains(Key("results.csv"))));
  EXPECT_THAT(out(), Contains(Key("results.sqlite")));
  EXPECT_EQ(weft_here(slow).status, 0);
  EXPECT_THAT(out(), IsSupersetOf({Key("results.csv"), Key("summary.csv")}));
  EXPECT_EQ(slurp(path("elsewhere/file")), "mine");
  EXPECT_TRUE(fs::is_symlink(path("out/running/link")));
}

TEST_F(OutputFolders, OneCommandAtATime) {
  RunningWeft running({"run", "long.yaml", "--out", "out"}, folder_.path());
  ASSERT_TRUE(running.wait_until([&] { return fs::exists(path("out/slot_trace.csv.part")); }));
  fs::create_directory_symlink("out", path("same"));
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"run", "net.yaml", "--out", "out"},
                                                    {"run", "net.yaml", "--out", "same", "--overwrite"},
                                                    {"check", "net.yaml", "--out", "out"},
                                                    {"sweep", "sweep.yaml", "--out", "out", "--overwrite"}}) {
    const ProgramResult r = weft_here(arguments);
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr(arguments[3] + ": error: is in use by another weft command"));
  }
  EXPECT_TRUE(fs::exists(path("out/slot_trace.csv.part")));
  ASSERT_TRUE(running.kill());
  EXPECT_EQ(run("net.yaml").status, 0) << "the lock of a killed command is gone";
}

TEST_F(OutputFolders, NoFilesMeansTheReportAlone) {
  const ProgramResult r = weft_here({"run", "net.yaml", "--no-files", "--json", "--set", "observe.slot_trace=true"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_FALSE(fs::exists(path("out")));
  ASSERT_EQ(run("net.yaml", {"--set", "observe.slot_trace=true"}).status, 0);
  EXPECT_EQ(r.out, slurp(path("out/report.json")));
  EXPECT_EQ(weft_here({"run", "net.yaml", "--no-files"}).status, 2) << "nothing would be left of the run";
  EXPECT_EQ(weft_here({"run", "net.yaml", "--no-files", "--json", "--waves", "w.fst"}).status, 2);
}

TEST_F(OutputFolders, DefaultNamesArePlainAndVisible) {
  const std::map<std::string, std::string> names{{"...yaml", "results"},
                                                 {".yaml", "yaml"},
                                                 {"..yaml", "results"},
                                                 {"./-x.yaml", "x"},
                                                 {"a.b.yaml", "a.b"},
                                                 {"a\nb\x7f.yaml", "a_b_"},
                                                 {"a\xff\xc3\xa4.yaml", "a_\xc3\xa4"},
                                                 {"two words.yaml", "two words"}};
  for (const auto& [file, name] : names) {
    folder_.write(file, kNet);
    ASSERT_EQ(weft_here({"run", file}).status, 0) << file;
    EXPECT_TRUE(fs::exists(path("out/" + name + "/report.json"))) << file;
    fs::remove_all(path("out"));
    EXPECT_FALSE(fs::exists(path("report.json"))) << file;
  }
}

TEST_F(OutputFolders, AWaveformReplacesOnlyOneOfWefts) {
  for (const char* name : {"w.fst", "w.gtkw", "w.fst.part"}) {
    const std::string mine = folder_.write(name, "[*] GTKWave Analyzer\n");
    const ProgramResult r = run("net.yaml", {"--waves", "w.fst"});
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr(std::string(name) + ": error: exists and was not written by Weft"));
    EXPECT_EQ(slurp(mine), "[*] GTKWave Analyzer\n");
    EXPECT_FALSE(fs::exists(path("out")));
    EXPECT_EQ(run("net.yaml", {"--waves", "w.fst", "--overwrite"}).status, 0);
    EXPECT_EQ(run("net.yaml", {"--waves", "w.fst"}).status, 0);
    EXPECT_EQ(slurp(path("w.fst")).substr(74, 5), std::string("weft\0", 5));
    for (const char* left : {"w.fst", "w.gtkw"}) fs::remove(path(left));
    fs::remove_all(path("out"));
  }
  folder_.write("victim", "mine");
  fs::create_symlink("victim", path("w.fst"));
  EXPECT_EQ(run("net.yaml", {"--waves", "w.fst"}).status, 2);
  EXPECT_EQ(run("net.yaml", {"--waves", "w.fst", "--overwrite"}).status, 0);
  EXPECT_EQ(slurp(path("victim")), "mine");
}

TEST_F(OutputFolders, AKilledRunLeavesNoWaveformElsewhere) {
  ASSERT_EQ(run("net.yaml", {"--waves", "w.fst"}).status, 0);
  RunningWeft running({"run", "long.yaml", "--out", "out", "--waves", "w.fst"}, folder_.path());
  EXPECT_TRUE(running.wait_until([&] {
    std::error_code ec;
    return fs::file_size(path("w.fst.part"), ec) > 10'000 && !ec;
  }));
  const ProgramResult other = weft_here({"run", "net.yaml", "--out", "other", "--waves", "w.fst", "--overwrite"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("w.fst: error: is being written by another weft command"));
  EXPECT_TRUE(fs::exists(path("w.fst.part")));
  ASSERT_TRUE(running.kill());
  EXPECT_FALSE(fs::exists(path("w.fst")));
  EXPECT_FALSE(fs::exists(path("w.gtkw")));
  EXPECT_EQ(run("net.yaml", {"--waves", "w.fst"}).status, 0);
  EXPECT_FALSE(fs::exists(path("w.fst.part")));
}

TEST_F(OutputFolders, PartsOfKilledRanksGoWithTheWaveform) {
  ASSERT_EQ(run("net.yaml", {"--waves", "w.fst"}).status, 0);
  fs::copy(path("w.fst"), path("w.fst.rank1.part"));
  folder_.write("w.fst.rank1.part.hier", "half");
  folder_.write("w.fst.rank2.part.hier", "mine");
  ASSERT_EQ(run("net.yaml", {"--waves", "w.fst"}).status, 0);
  EXPECT_FALSE(fs::exists(path("w.fst.rank1.part")));
  EXPECT_FALSE(fs::exists(path("w.fst.rank1.part.hier")));
  EXPECT_EQ(slurp(path("w.fst.rank2.part.hier")), "mine") << "nothing says that it is Weft's";
}

TEST_F(OutputFolders, AWorkloadReplacesNothingByItself) {
  const std::vector<std::string> make{"workload", "--generate", "3", "--out", "w.txt"};
  ASSERT_EQ(weft_here(make).status, 0);
  const std::string first = slurp(path("w.txt"));
  EXPECT_THAT(first, Not(IsEmpty()));
  const ProgramResult r = weft_here({"workload", "--generate", "4", "--out", "w.txt"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("w.txt: error: exists; give another name, or replace it with --overwrite"));
  EXPECT_EQ(slurp(path("w.txt")), first);
  EXPECT_EQ(weft_here({"workload", "--generate", "4", "--out", "w.txt", "--overwrite"}).status, 0);
  EXPECT_NE(slurp(path("w.txt")), first);
}

// Results do not depend on pictures.
TEST(Pictures, AreMissingAloneWithoutGnuplot) {
  const ScratchFolder folder;
  const Arguments slots{"slots", "--topology", "mesh", "--dims", "3,3", "--pattern", "tornado", "--out"};
  ASSERT_EQ(weft(with(slots, {folder.path("drawn")})).status, 0);
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const ProgramResult r = weft(with(slots, {folder.path("plain")}));
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.err, HasSubstr("warning: load_plus_x.svg is not drawn: gnuplot is not installed"));
  std::map<std::string, std::string> drawn = content_of(folder.path("drawn"));
  std::erase_if(drawn, [](const auto& file) { return file.first.ends_with(".svg"); });
  std::map<std::string, std::string> plain = content_of(folder.path("plain"));
  for (const char* other : {"run.json", ".weft-manifest"}) {
    drawn.erase(other);
    plain.erase(other);
  }
  EXPECT_EQ(plain, drawn);
}

}  // namespace
}  // namespace weft::test
