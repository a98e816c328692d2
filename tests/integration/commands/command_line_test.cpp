// Messages and exit status of the program for everything that can be wrong with its input.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
namespace fs = std::filesystem;

const std::string kMesh = source_dir() + "/configs/tdm/mesh_4x4.yaml";
const std::string kHead = "fabric: tdm\ntopology: { kind: mesh, dims: [4, 4] }\n";

/// One wrong input: the text of the file, further arguments, and what must be said about it.
struct Wrong {
  std::string name;
  std::string yaml;
  std::vector<std::string> arguments;
  std::vector<std::string> said;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class WrongInput : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongInput, ExitsWith2AndSaysWhereAndWhy) {
  const ScratchFolder folder;
  const std::string file = folder.write("in.yaml", GetParam().yaml);
  for (const std::string command : {"run", "check"}) {
    std::vector<std::string> arguments{command, file};
    if (command == "run") arguments.insert(arguments.end(), {"--out", folder.path("out")});
    arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    const ProgramResult plain = weft(arguments);
    EXPECT_EQ(plain.status, 2);
    EXPECT_THAT(plain.out, IsEmpty());
    for (const std::string& said : GetParam().said) EXPECT_THAT(plain.err, HasSubstr(said));
    EXPECT_FALSE(fs::exists(folder.path("out"))) << "nothing may be half-run";

    arguments.push_back("--json");
    const ProgramResult machine = weft(arguments);
    EXPECT_EQ(machine.status, 2);
    const auto json = nlohmann::json::parse(machine.out);
    EXPECT_EQ(json["ok"], false);
    EXPECT_EQ(json["failure"], "bad input");
    ASSERT_FALSE(json["errors"].empty());
    EXPECT_THAT(plain.err, HasSubstr(json["errors"][0]["message"].get<std::string>()));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Of, WrongInput,
    ::testing::Values(
        Wrong{"unit_missing",
              kHead + "pattern: tornado\nswitch: { serdes: 4 }\n",
              {},
              {"in.yaml:4:19: error: switch.serdes: '4'", "the unit is missing"}},
        Wrong{"unit_wrong",
              kHead + "pattern: tornado\nswitch: { clock: 100MB }\n",
              {},
              {"in.yaml:4:18: error: switch.clock: '100MB'"}},
        Wrong{"unit_in_override",
              kHead + "pattern: tornado\n",
              {"--set", "switch.serdes=4"},
              {"--set switch.serdes=4: error: ", "the unit is missing"}},
        Wrong{"unknown_key",
              kHead + "pattern: tornado\nswitch: { slotz: 4 }\n",
              {},
              {"in.yaml:4:11: error: unknown key 'slotz' in section 'switch'; did you mean 'slots'?"}},
        Wrong{"several_at_once",
              kHead + "pattern: tornado\nswitch: { slotz: 4, serdes: 3 }\nsed: 3\n",
              {},
              {"in.yaml:4:11: ", "in.yaml:4:29: ", "in.yaml:5:1: error: unknown key 'sed'"}},
        Wrong{"slots_exhausted",
              kHead + "switch: { slots: 2 }\ncircuits:\n  - { flow: a, source: 0, destination: 3 }\n"
                      "  - { flow: b, source: 1, destination: 3 }\n  - { flow: c, source: 2, destination: 3 }\n",
              {},
              {"in.yaml:7:5: error: flow 'c' (2 -> 3)", "link sw[2].port1 -> sw[3] is full (2 of 2 slots in use)",
               "3 slots per frame would do"}},
        Wrong{"flow_to_itself",
              kHead + "circuits: [ { source: 5, destination: 5 } ]\n",
              {},
              {"in.yaml:3:39: error: flow '0' (5 -> 5): node 5 sends to itself"}},
        Wrong{"unknown_node",
              kHead + "circuits: [ { source: 5, destination: 16 } ]\n",
              {},
              {"in.yaml:3:39: error: flow '0' (5 -> 16): node 16 does not exist; the network (mesh 4x4) has nodes "
               "0..15"}},
        Wrong{"all_places_at_once",
              kHead + "setup: { mode: in_network }\ncircuits:\n  - { flow: bulk, source: 0, destinations: [1, 99] }\n"
                      "  - { source: 20, destination: 3 }\nfaults: [ { at: 'sw[0]-sw[5]', down: 1us } ]\n"
                      "observe: { waves: { switches: ['sw[16]'] } }\n",
              {},
              {"in.yaml:5:48: error: flow 'bulk' (0 -> 1 99): node 99 does not exist",
               "in.yaml:6:15: error: flow '1' (20 -> 3): node 20 does not exist",
               "in.yaml:7:17: error: faults.0.at: there is no link between sw[0] and sw[5]",
               "in.yaml:8:32: error: there is no sw[16]"}},
        Wrong{"places_beside_other_errors",
              kHead + "switch: { slotz: 4, instances: { 'sw[17]': { slot_lut: { implementation: model } } } }\n"
                      "circuits:\n  - { flow: bulk, source: 0, destinations: [1, 99], slots: none }\n"
                      "faults: [ { at: 'sw[30]', down: 2us, up: 1us } ]\n",
              {},
              {"in.yaml:3:11: error: unknown key 'slotz'", "in.yaml:6:17: error: faults.0.at: there is no sw[30]",
               "in.yaml:6:42: error: faults.0.up: must be after down",
               "error: there is no sw[17]: mesh 4x4 has sw[0] to sw[15]",
               "in.yaml:5:48: error: flow 'bulk' (0 -> 1 99): node 99 does not exist", "in.yaml:5:60: "}},
        Wrong{"unknown_pattern",
              kHead + "pattern: tornad\n",
              {},
              {"in.yaml:3:10: error: unknown pattern 'tornad'; did you mean 'tornado'?"}},
        Wrong{"unknown_switch",
              kHead + "pattern: tornado\nobserve: { waves: { switches: ['sw[16]'] } }\n",
              {},
              {"in.yaml:4:32: error: there is no sw[16]: mesh 4x4 has sw[0] to sw[15]"}},
        Wrong{"unknown_switches",
              kHead + "pattern: tornado\nobserve: { waves: { switches: ['sw[16]', 'sw[20..30]'] } }\n"
                      "switch: { instances: { 'sw[99]': { data_path: { implementation: rtl } } } }\n",
              {},
              {"in.yaml:4:32: error: there is no sw[16]", "in.yaml:4:42: error: there is no sw[30]",
               "in.yaml:5:24: error: there is no sw[99]"}},
        Wrong{"rtl_too_small",
              "fabric: tdm\ntopology: { kind: full_mesh, switches: 70 }\npattern: tornado\n"
              "switch: { data_path: { implementation: rtl } }\n",
              {},
              {"in.yaml:4:9: error: sw[0] has 70 ports", "use implementation: model"}},
        Wrong{"empty", "", {}, {"in.yaml"}},
        Wrong{"binary", std::string("\x7f\x45\x4c\x46\x00\x01\xff\xfe", 8), {}, {"in.yaml"}},
        Wrong{"syntax", "fabric: tdm\ntopology: { kind: mesh, dims: [4, 4\n", {}, {"in.yaml:"}},
        Wrong{"override_without_value",
              kHead + "pattern: tornado\n",
              {"--set", "slots"},
              {"--set slots: error: expected key=value"}},
        Wrong{"override_of_unknown_key",
              kHead + "pattern: tornado\n",
              {"--set", "switch.slotz=3"},
              {"unknown key 'slotz'", "did you mean 'slots'?"}},
        Wrong{"topology_file_missing",
              "fabric: tdm\ntopology: { kind: file, file: none.topo }\npattern: tornado\n",
              {},
              {"in.yaml:2:31: error: ", "none.topo"}},
        Wrong{"topology_file_wrong",
              "fabric: tdm\ntopology: { kind: file, file: '" + source_dir() +
                  "/tests/data/topology/broken.topo' }\n"
                  "pattern: tornado\n",
              {},
              {"broken.topo:2:", "broken.topo:16:1: error: link 1:1 0:1 is already in line 15"}}),
    [](const auto& view) { return view.param.name; });

TEST(Cli, TruncatedFileAtEveryLength) {
  const ScratchFolder folder;
  const std::string whole = slurp(kMesh);
  int refused = 0;
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    const ProgramResult r = weft({"check", folder.write("cut.yaml", whole.substr(0, length))});
    EXPECT_TRUE(r.status == 0 || r.status == 2) << length << ": " << r.status << " " << r.err;
    if (r.status == 2) {
      ++refused;
      EXPECT_THAT(r.err, HasSubstr("cut.yaml")) << length;
    }
  }
  EXPECT_GT(refused, 5);
}

TEST(Cli, WrongCommandLinesAreErrorsLikeOthers) {
  for (const auto& [arguments, said] :
       {std::pair{std::vector<std::string>{"sweep", "x.yaml", "--export-only", "--fresh"}, "error: --export-only "},
        {{"run"}, "weft run: error: expected a configuration, or --resume FOLDER\n"},
        {{"check", "x.yaml", "--bogus"},
         "command line: error: unknown option '--bogus' (weft check --help lists the options)\n"},
        {{"check", "x.yaml", "y.yaml"}, "error: The following argument was not expected: y.yaml\n"},
        {{}, "error: A subcommand is required\n"}}) {
    const ProgramResult r = weft(arguments);
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.out, IsEmpty());
    EXPECT_THAT(r.err, StartsWith(said));
  }
}

TEST(Cli, FilesThatCannotBeRead) {
  EXPECT_THAT(weft({"run", "/nowhere/file.yaml"}).err, StartsWith("/nowhere/file.yaml: error: cannot be read"));
  EXPECT_EQ(weft({"run", "/nowhere/file.yaml"}).status, 2);
  EXPECT_EQ(weft({"run", "/tmp"}).status, 2);
  EXPECT_EQ(weft({"check", kMesh + "/below"}).status, 2);
}

// Files of other commands have no key `fabric`.
TEST(Cli, AFileOfAnotherCommandIsToldSo) {
  const std::string configs = source_dir() + "/configs/";
  for (const auto& [file, command] : {std::pair{"optweb/cost.yaml", "optweb cost"}, {"packet/table4.yaml", "dtable"}}) {
    for (const char* asked : {"check", "run"}) {
      const ProgramResult r = weft({asked, configs + file});
      EXPECT_EQ(r.status, 2);
      EXPECT_THAT(r.err, HasSubstr(std::string("its keys are those of 'weft ") + command + "': weft " + command));
      EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    }
  }
  // A network that only lacks its fabric is one.
  const ScratchFolder folder;
  const ProgramResult r = weft({"check", folder.write("mesh.yaml", "topology: { kind: mesh, dims: [2, 2] }\n")});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("required key 'fabric' is missing"));
}

// Keys of a fabric that is not known are not measured by those of another one.
TEST(Cli, AWrongFabricIsAllThatIsSaid) {
  const ScratchFolder folder;
  const std::string keys =
      "topology: { kind: mesh, dims: [2, 2] }\nqos: { levels: { a: { message: 64B } }, scheduler: round_robin }\n"
      "traffic: [{ level: a, load: 0.1 }]\n";
  const std::string misspelt = folder.write("misspelt.yaml", "fabric: pakcet\n" + keys);
  const std::string missing = folder.write("missing.yaml", keys);
  const std::string ideal = folder.write("ideal.yaml", "fabric: ideal\n" + keys);
  const auto said = [](const Arguments& arguments) { return weft(with({"check"}, arguments)).err; };
  const std::string words = "one of: tdm, packet, optweb, ideal, dlt)";
  EXPECT_EQ(said({misspelt}),
            misspelt + ":1:9: error: fabric: unknown value 'pakcet' (expected " + words + "; did you mean 'packet'?\n");
  EXPECT_EQ(said({missing}),
            missing + ":1:1: error: required key 'fabric' is missing at the top level (" + words + "\n");
  EXPECT_EQ(
      said({missing, "--set", "fabric=packte"}),
      "--set fabric=packte: error: fabric: unknown value 'packte' (expected " + words + "; did you mean 'packet'?\n");
  for (const std::string& file : {misspelt, missing, ideal}) EXPECT_EQ(said({file, "--set", "fabric=packet"}), "");
  EXPECT_THAT(said({ideal}), HasSubstr("unknown key 'scheduler'"));
}

TEST(Cli, FoldersThatCannotBeWritten) {
  const ScratchFolder folder;
  const std::string file = folder.write("file", "not a folder");
  for (const std::string& out : {file, file + "/below", std::string("/proc/weft/out"), std::string("/dev/null/out")}) {
    const ProgramResult r = weft({"run", kMesh, "--out", out});
    EXPECT_EQ(r.status, 2) << out;
    EXPECT_THAT(r.err, AllOf(HasSubstr(out), HasSubstr("error: "))) << out;
    EXPECT_THAT(r.out, IsEmpty());
  }
  for (const std::string& waves : {file + "/w.fst", std::string("/proc/weft/w.fst"), folder.path()}) {
    const ProgramResult r = weft({"run", kMesh, "--out", folder.path("out"), "--waves", waves});
    EXPECT_EQ(r.status, 2) << waves;
    EXPECT_THAT(r.err, HasSubstr("error: ")) << waves;
    EXPECT_FALSE(fs::exists(folder.path("out/report.json"))) << waves;
  }
  EXPECT_EQ(slurp(file), "not a folder");
}

TEST(Cli, WavesGoOnlyToFilesOfTheirKind) {
  const ScratchFolder folder;
  const std::string text = slurp(kMesh);
  const std::string own = folder.write("own.yaml", text);
  for (const char* name : {"own.yaml", "trace.csv", "w.vcd", "w.gtkw", "w.FST", "w", ".fst", "out/report.json"}) {
    const std::string waves = folder.path(name);
    const ProgramResult r = weft({"run", own, "--out", folder.path("out"), "--waves", waves});
    EXPECT_EQ(r.status, 2) << name;
    EXPECT_THAT(r.err, HasSubstr("--waves " + waves + ": error: expected a file name that ends in .fst")) << name;
    EXPECT_FALSE(fs::exists(folder.path("out"))) << name;
  }
  EXPECT_EQ(slurp(own), text);
}

TEST(Cli, WrongCommandLines) {
  const std::vector<std::vector<std::string>> lines{{},
                                                    {"frobnicate"},
                                                    {"run"},
                                                    {"check"},
                                                    {"run", kMesh, "--frob"},
                                                    {"run", kMesh, "more"},
                                                    {"run", kMesh, "--set"},
                                                    {"run", kMesh, "--seed", "abc"},
                                                    {"run", kMesh, "--seed", "-1"},
                                                    {"describe", "everything"},
                                                    {"version", "--frob"}};
  for (std::vector<std::string> line : lines) {
    const ProgramResult plain = weft(line);
    EXPECT_EQ(plain.status, 2) << plain.err;
    EXPECT_THAT(plain.out, IsEmpty());
    EXPECT_FALSE(plain.err.empty());
    line.insert(line.begin() + (line.empty() ? 0 : 1), "--json");  // at the end it would be the value of --set
    const ProgramResult machine = weft(line);
    EXPECT_EQ(machine.status, 2);
    EXPECT_EQ(nlohmann::json::parse(machine.out)["ok"], false) << ::testing::PrintToString(line);
  }
}

TEST(Cli, OutputThatCannotBeWrittenIsAnError) {
  for (const std::string words : {"--help", "run --help", "describe link", "version"}) {
    const ProgramResult r = run_program({"sh", "-c", "exec \"$0\" " + words + " > /dev/full", weft_program()});
    EXPECT_EQ(r.status, 1) << words;
    EXPECT_EQ(r.err, "error: standard output could not be written\n") << words;
  }
}

TEST(Cli, JsonAndNothingElse) {
  const ScratchFolder folder;
  const ProgramResult run = weft({"run", kMesh, "--json", "--out", folder.path("out")});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(nlohmann::json::parse(run.out)["complete"], true);
  EXPECT_EQ(run.out, slurp(folder.path("out/report.json")));
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_EQ(nlohmann::json::parse(weft({"check", kMesh, "--json"}).out)["schema"], "weft-report/2");
  EXPECT_EQ(nlohmann::json::parse(weft({"version", "--json"}).out)["name"], "weft");
  EXPECT_TRUE(nlohmann::json::parse(weft({"describe", "--json"}).out).is_object());
}

TEST(Cli, VersionAndWhatItWasBuiltWith) {
  const std::string version = std::string("weft ") + kVersion;
  EXPECT_EQ(weft({"--version"}).out, version + "\n");
  EXPECT_EQ(weft({"version"}).out, version + "\n");
  const std::string verbose = weft({"version", "--verbose"}).out;
  EXPECT_THAT(verbose, StartsWith(version + "\n"));
  for (const char* package : {"compiler", "libsystemc-dev", "verilator"}) EXPECT_THAT(verbose, HasSubstr(package));
}

TEST(Cli, SuggestsTheCommandThatWasMeant) {
  const ProgramResult r = weft({"rnu", kMesh});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("unknown command 'rnu'; did you mean 'run'?"));
}

TEST(Cli, DescribesOneKeyOrSection) {
  const ProgramResult key = weft({"describe", "switch.slots"});
  EXPECT_EQ(key.status, 0);
  EXPECT_THAT(key.out, AllOf(HasSubstr("[fabric: tdm]"), HasSubstr("switch.slots"), HasSubstr("whole number")));
  EXPECT_THAT(key.out, ::testing::Not(HasSubstr("switch.lanes")));
  const ProgramResult section = weft({"describe", "run"});
  EXPECT_THAT(section.out,
              AllOf(HasSubstr("run.warm_up"), HasSubstr("run.measure"), HasSubstr("[fabric: packet, optweb, ideal]")));
  const ProgramResult wrong = weft({"describe", "switch.slot"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("there is no key or section 'switch.slot'; did you mean 'switch.slots'?"));
}

TEST(Cli, ARunEndsWithATableOfItsServices) {
  const ScratchFolder folder;
  const ProgramResult r = weft(
      {"run", source_dir() + "/configs/packet/first.yaml", "--out", folder.path("out"), "--set", "run.measure=20us"});
  ASSERT_EQ(r.status, 0) << r.err;
  const auto json = nlohmann::json::parse(slurp(folder.path("out/report.json")));
  for (const auto& row : json["tables"]["services"]["rows"]) {
    const auto line = r.out.find("\n  " + row["service"].get<std::string>() + " ");
    ASSERT_NE(line, std::string::npos) << r.out;
    const std::string text = r.out.substr(line + 1, r.out.find('\n', line + 1) - line);
    EXPECT_THAT(text, AllOf(HasSubstr(row["saturated"].get<bool>() ? "yes" : "no"),
                            HasSubstr(nlohmann::json(row["latency_max"]).dump().substr(0, 4))));
  }
  EXPECT_THAT(r.out, HasSubstr("(offered, accepted in flits/cycle/node; offered rate, accepted rate in Gb/s; latency"));
}

TEST(Cli, DescribeIsThePagesOfConfigs) {
  const ScratchFolder folder;
  const ProgramResult r = weft({"describe", "--pages", folder.path("pages")});
  ASSERT_EQ(r.status, 0) << r.err;
  int pages = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path("pages"))) {
    if (entry.is_directory()) continue;
    const std::string name = fs::relative(entry.path(), folder.path("pages")).string();
    EXPECT_TRUE(slurp(entry.path().string()) == slurp(source_dir() + "/configs/" + name))
        << "configs/" << name << " is not what the program says: build/weft describe --pages configs";
    ++pages;
  }
  EXPECT_GE(pages, 9);
  const ProgramResult wrong = weft({"describe", "--pages", folder.write("a file", "")});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("cannot make the folder"));
}

TEST(Cli, RunWritesWhatItSays) {
  const ScratchFolder folder;
  const ProgramResult r =
      weft({"run", kMesh, "--out", "here", "--seed", "5", "--set", "run.measure=100us"}, {folder.path()});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("results in here/"));
  for (const std::string name : {"report.json", "report.html", "circuits.csv", "links.csv", "phases.csv",
                                 "slot_tables.csv", "slot_tables.txt"}) {
    EXPECT_TRUE(fs::exists(folder.path("here/" + name))) << name;
  }
  EXPECT_EQ(nlohmann::json::parse(slurp(folder.path("here/report.json")))["seed"], 5);
  EXPECT_FALSE(fs::exists(folder.path("here/slot_trace.csv"))) << "nobody asked for it";
}

}  // namespace
}  // namespace weft::test
