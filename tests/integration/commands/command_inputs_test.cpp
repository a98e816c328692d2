// Inputs of all commands as pipes, devices and broken files; control characters on the way through the program.

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kSmallMesh = "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2] }\n";
const std::string kPacketInput =
    "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos: { levels: { a: { message: 64B } } }\n"
    "run: { warm_up: 0ns, measure: 1us }\n";
const std::string kTrace = "time_ns,source,destination,level\n0,0,1,a\n";

// As a user types it.
ProgramResult shell(const std::string& line, const ScratchFolder& folder) {
  return run_program({"bash", "-c", "weft() { '" + weft_program() + "' \"$@\"; }; " + line}, {folder.path()});
}

struct Piped {
  std::string name;
  std::string file;
  std::string content;
  std::string command;  ///< FILE stands for the input
};

void PrintTo(const Piped& piped, std::ostream* out) { *out << piped.name; }

class Pipes : public ::testing::TestWithParam<Piped> {};

// In three ways: what another program writes, standard input, a pipe with a name.
TEST_P(Pipes, AreReadLikeFiles) {
  const Piped& p = GetParam();
  const auto command = [&](const std::string& input) {
    std::string line = p.command;
    return line.replace(line.find("FILE"), 4, input);
  };
  for (const std::string& line : {command("<(cat " + p.file + ")"), command("/dev/stdin") + " < " + p.file,
                                  "cat " + p.file + " | " + command("/dev/stdin"),
                                  "mkfifo pipe && { cat " + p.file + " > pipe & } && " + command("pipe")}) {
    const ScratchFolder folder;
    folder.write(p.file, p.content);
    folder.write("fic.yaml", kSmallMesh);
    folder.write("qos.yaml", kPacketInput);
    const ProgramResult r = shell(line, folder);
    EXPECT_EQ(r.status, 0) << line << "\n" << r.err;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Of, Pipes,
    ::testing::Values(
        Piped{"check", "f", kSmallMesh + "pattern: tornado\n", "weft check FILE"},
        Piped{"run", "f", kSmallMesh + "pattern: tornado\nrun: { measure: 1us }\n", "weft run FILE --out out"},
        Piped{"circuits", "f", "0 1 f\n1 2 g\n", "weft check fic.yaml --set circuits_file=FILE"},
        Piped{"trace", "f", kTrace, "weft check qos.yaml --set trace=FILE"},
        Piped{"topology", "f", "switches 2 ports 2\nnode 0 0:0\nnode 1 1:0\nlink 0:1 1:1\n",
              "weft slots --topology file --pattern uniform --out out --file FILE"},
        Piped{"workload", "f", "0 5 4 0 1 0 0\n", "weft schedule FILE --dims 2,2 --slots 4 --out out"},
        Piped{"swf", "f", "; trace\n1 0 -1 5 2 -1 -1 2 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
              "weft schedule FILE --dims 2,2 --slots 4 --out out"},
        Piped{"convert", "f", "0 1 f\n", "weft workload FILE --out w.txt"},
        Piped{"schedule", "f",
              "slot,source,destination\n0,0,1\n0,1,0\n0,2,3\n0,3,2\n1,0,2\n1,2,0\n1,1,3\n1,3,1\n"
              "2,0,3\n3,3,0\n4,1,2\n5,2,1\n",
              "weft alltoall verify FILE --n 2"},
        Piped{"program", "f", "nodes: 2\nprogram: [ { op: barrier } ]\n", "weft check FILE"},
        Piped{"dtable", "f", "service_levels:\n  - { name: a, distance: 2, share: 0.25, mtu: 64B }\n",
              "weft dtable FILE --out out"},
        Piped{"dlt", "f",
              "fabric: dlt\ntopology: { kind: mesh, dims: [2, 2] }\nsigma: 0.3\ninject: [ { at: corner } ]\n",
              "weft dlt FILE --out out"}),
    [](const auto& test) { return test.param.name; });

TEST(InputFiles, APipedConfigurationNamesFilesFromTheWorkingFolder) {
  const ScratchFolder folder;
  folder.write("base.yaml", kSmallMesh);
  EXPECT_EQ(shell("weft check <(printf 'base: base.yaml\\npattern: tornado\\n')", folder).status, 0);
}

TEST(InputFiles, AWriterThatDiesEarlyEndsTheInput) {
  const ScratchFolder folder;
  const ProgramResult r = shell("weft check <(printf 'fabric: tdm\\n'; kill -9 $BASHPID)", folder);
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("required key 'topology' is missing"));
}

TEST(InputFiles, WhatCannotBeReadIsNamedWithTheReason) {
  const ScratchFolder folder;
  folder.write("c.yaml", kPacketInput);
  for (const std::string command : {"check", "run", "dtable", "sweep", "dlt", "schedule", "workload"}) {
    const std::vector<std::string> options =
        command == "schedule" ? std::vector<std::string>{"--dims", "2,2"} : std::vector<std::string>{};
    const auto of = [&](const std::string& file) {
      std::vector<std::string> arguments{command, file};
      arguments.insert(arguments.end(), options.begin(), options.end());
      return weft(arguments, {folder.path()});
    };
    const ProgramResult error = of("/proc/self/mem");
    EXPECT_EQ(error.status, 2) << command;
    EXPECT_THAT(error.err, HasSubstr("cannot be read to its end: Input/output error")) << command;
    const ProgramResult directory = of("/");
    EXPECT_EQ(directory.status, 2) << command;
    EXPECT_THAT(directory.err, HasSubstr("/: error: is a folder, not a file")) << command;
  }
  const ProgramResult trace = weft({"check", "c.yaml", "--set", "trace=/proc/self/mem"}, {folder.path()});
  EXPECT_THAT(trace.err, HasSubstr("Input/output error"));
  EXPECT_EQ(trace.status, 2);
}

TEST(InputFiles, TheLimitIsAnOptionOrAVariable) {
  const ScratchFolder folder;
  const std::string file = folder.write("c.yaml", kSmallMesh + "pattern: tornado\n# " + std::string(2000, 'x') + "\n");
  const std::string refused = "c.yaml: error: is larger than 1KiB, the largest input that is read (set by --max-input)";
  for (const ProgramResult& r :
       {weft({"check", file, "--max-input", "1KiB"}), weft({"--max-input", "1KiB", "check", file}),
        shell("WEFT_MAX_INPUT=1KiB weft check " + file, folder), weft({"run", file, "--max-input=1KiB"})}) {
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr(refused));
  }
  EXPECT_EQ(shell("WEFT_MAX_INPUT=1KiB weft check --max-input 1MiB " + file, folder).status, 0);
  for (const std::string wrong : {"x", "1", "1MHz", "0B", "-1MiB"}) {
    const ProgramResult r = weft({"check", file, "--max-input", wrong});
    EXPECT_EQ(r.status, 2) << wrong;
    EXPECT_THAT(r.err, HasSubstr("--max-input " + wrong)) << r.err;
  }
  const ProgramResult endless = weft({"check", "/dev/zero", "--max-input", "10MiB"});
  EXPECT_EQ(endless.status, 2);
  EXPECT_THAT(endless.err, HasSubstr("/dev/zero: error: is larger than 10MiB"));
}

TEST(InputFiles, ASweepOfAPipeIsRefused) {
  const ScratchFolder folder;
  folder.write("s.yaml", "sweep: pipe\naxes: [ { key: switch.slots, values: [4, 8] } ]\n");
  const ProgramResult r = shell("mkfifo pipe && weft check s.yaml", folder);
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("s.yaml:1:8: error: sweep: pipe is a pipe or a device; every run of a sweep reads it"));
}

TEST(InputFiles, ASweepNamesTheConfigurationThatIsMissing) {
  const ScratchFolder folder;
  const std::string file = folder.write("s.yaml",
                                        "sweep: none.yaml\nmetrics: { m: figures.run.time }\n"
                                        "axes: [ { key: switch.slots, values: [4, 8] } ]\n");
  for (const char* command : {"check", "sweep"}) {
    const ProgramResult r = weft({command, file});
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr("s.yaml:1:8: error: sweep: "));
    EXPECT_THAT(r.err, HasSubstr("none.yaml: cannot be read: No such file or directory"));
  }
}

TEST(InputFiles, ManyErrorsOfEveryReaderAreCounted) {
  const ScratchFolder folder;
  std::string circuits, trace = "time_ns,source,destination,level\n", jobs, links = "switches 2 ports 2\n",
                        keys = kSmallMesh;
  for (int i = 0; i < 500; ++i) {
    circuits += "a b f\n";
    trace += "1,9,0,a\n";
    jobs += "nonsense\n";
    links += "link 0:0 b:0\n";
    keys += fmt::format("key{}: 1\n", i);
  }
  folder.write("circuits", circuits);
  folder.write("trace", trace);
  folder.write("links", links);
  folder.write("c.yaml", kSmallMesh);
  folder.write("q.yaml", kPacketInput);
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"check", "c.yaml", "--set", "circuits_file=circuits"},
           {"check", "q.yaml", "--set", "trace=trace"},
           {"schedule", folder.write("jobs", jobs), "--dims", "2,2"},
           {"slots", "--topology", "file", "--file", "links", "--pattern", "uniform"},
           {"check", folder.write("keys.yaml", keys)},
           {"alltoall", "verify", folder.write("s.csv", "slot,source,destination\n" + circuits), "--n", "2"}}) {
    const ProgramResult r = weft(command, {folder.path()});
    EXPECT_EQ(r.status, 2) << command[0];
    EXPECT_LE(std::count(r.err.begin(), r.err.end(), '\n'), 45) << r.err;
    EXPECT_THAT(r.err, HasSubstr("(and 480 more of this kind)")) << command[0];
  }
}

TEST(InputFiles, ControlCharactersAreEscapedWhereverTheyGo) {
  const ScratchFolder folder;
  const std::string evil = R"("a\x1b[2Jb\0c\x9Bd<&>\n=e")";
  const std::string file = folder.write("c.yaml", "title: " + evil + "\n" + kSmallMesh +
                                                      "run: { measure: 1us }\nobserve: { slot_trace: true }\n" +
                                                      "circuits:\n  - { flow: \"=1+1\\0\", source: 0, destination: 1 "
                                                      "}\n  - { flow: '-5', source: 1, destination: 0 }\n");
  const ProgramResult r = weft({"run", file, "--out", folder.path("out")});
  ASSERT_EQ(r.status, 0) << r.err;
  const auto none = [](const std::string& text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return c == '\n' || c == '\t' || (c >= ' ' && c != 127); }) ||
           text.find_first_of(std::string("\x1b\0\x07", 3)) == std::string::npos;
  };
  EXPECT_TRUE(none(r.out)) << r.out;
  EXPECT_THAT(r.out, HasSubstr("a\\u001b[2Jb\\u0000c\\u009bd<&>\\n=e\n"));
  const std::string html = slurp(folder.path("out/report.html"));
  EXPECT_TRUE(none(html));
  EXPECT_THAT(html, HasSubstr("<h1>a\\u001b[2Jb\\u0000c\\u009bd&lt;&amp;&gt;"));
  const std::string csv = slurp(folder.path("out/circuits.csv"));
  EXPECT_THAT(csv, AllOf(HasSubstr("'=1+1\\u0000"), Not(HasSubstr(",=1+1")), Not(HasSubstr("'-5"))));
  EXPECT_THAT(slurp(folder.path("out/slot_tables.txt")), HasSubstr("Flow ID =1+1\\u0000"));
}

TEST(InputFiles, ANulInAValueCutsNoErrorOff) {
  const ScratchFolder folder;
  const std::string file =
      folder.write("c.yaml", kSmallMesh + "pattern: tornado\nslots: { allocator: \"a\\0b\" }\nsed: 1\n");
  const ProgramResult r = weft({"check", file, "--json"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, AllOf(HasSubstr("unknown value 'a\\u0000b'"), HasSubstr("unknown key 'sed'")));
  EXPECT_EQ(nlohmann::json::parse(r.out)["errors"].size(), 2U);
  const ProgramResult name = weft({"check", "no\x1b[31m\xFF.yaml", "--json"});
  EXPECT_EQ(name.status, 2);
  EXPECT_THAT(name.err, HasSubstr("no\\u001b[31m\\xff.yaml: error: cannot be read"));
  EXPECT_EQ(nlohmann::json::parse(name.out)["ok"], false);
}

TEST(InputFiles, PlotsOfAnyNamesAreXml) {
  const ScratchFolder folder;
  folder.write("jobs", "0 5 2 0 1 f a<b&\"c\"\n1 5 2 0 1 f d\n");
  const ProgramResult r =
      weft({"schedule", "jobs", "--dims", "2,2", "--slots", "4", "--out", "out\x1b"}, {folder.path()});
  ASSERT_EQ(r.status, 0) << r.err;
  const ProgramResult xml = run_program({"python3", "-c",
                                         "import glob, sys, xml.dom.minidom as m\nfiles = glob.glob('out*/*.svg')\n"
                                         "[m.parse(f) for f in files]\nprint(len(files))"},
                                        {folder.path()});
  EXPECT_EQ(xml.status, 0) << xml.err;
  EXPECT_NE(xml.out, "0\n");
}

}  // namespace
}  // namespace weft::test
