// GTKWave opens the view that is written beside a waveform. It drops names it does not know without a word, so every
// signal of the view is looked for among those it shows.

#include <filesystem>
#include <sstream>

#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScript = R"(
foreach name [ gtkwave::getDisplayedSignals ] { puts "SHOWN $name" }
puts "FROM [ gtkwave::getWindowStartTime ]"
after 500
gtkwave::/File/Grab_To_File grab.png
gtkwave::/File/Quit
)";

// Signals of a save file: lines that are neither settings, formats, groups nor comments; "+{alias} name" for some.
std::vector<std::string> signals_of(const std::string& gtkw) {
  std::vector<std::string> out;
  std::istringstream lines(gtkw);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '[' || line[0] == '@' || line[0] == '-' || line[0] == '*') continue;
    out.push_back(line[0] == '+' ? line.substr(line.find("} ") + 2) : line);
  }
  return out;
}

const std::string kTdmHead = "fabric: tdm\nsources: { messages: 3 }\n";

struct View {
  std::string name;
  std::string yaml;
  std::size_t least;  // signals
};

void PrintTo(const View& view, std::ostream* out) { *out << view.name; }

class GtkWave : public ::testing::TestWithParam<View> {};

TEST_P(GtkWave, ShowsEverySignalOfTheView) {
  const ScratchFolder folder;
  folder.write("in.yaml", GetParam().yaml);
  folder.write("grab.tcl", kScript);
  const ProgramResult run = weft({"run", "in.yaml", "--out", "out", "--waves", "waves.fst"}, {folder.path()});
  ASSERT_EQ(run.status, 0) << run.err;
  const std::vector<std::string> wanted = signals_of(slurp(folder.path("waves.gtkw")));
  EXPECT_GE(wanted.size(), GetParam().least);

  const ProgramResult shown = run_program(
      {"xvfb-run", "-a", "-s", "-screen 0 1640x1040x24", "gtkwave", "-S", "grab.tcl", "waves.gtkw"}, {folder.path()});
  ASSERT_EQ(shown.status, 0) << shown.err;
  std::vector<std::string> names;
  std::istringstream lines(shown.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("SHOWN ", 0) == 0) names.push_back(line.substr(6));
  }
  EXPECT_THAT(names, ::testing::ContainerEq(wanted));
  ASSERT_TRUE(fs::exists(folder.path("grab.png")));
  EXPECT_EQ(slurp(folder.path("grab.png")).substr(1, 3), "PNG");
  EXPECT_GT(fs::file_size(folder.path("grab.png")), 20'000U);
}

INSTANTIATE_TEST_SUITE_P(
    Views, GtkWave,
    ::testing::Values(
        View{"lockstep",
             kTdmHead + "topology: { kind: mesh, dims: [2, 2] }\npattern: tornado\nswitch: { data_path: { "
                        "implementation: lockstep }, "
                        "slot_lut: { implementation: lockstep } }\n",
             60},
        View{"large_rtl_tree",
             kTdmHead + "topology: { kind: full_mesh, switches: 10 }\ncircuits: [ { source: 0, destination: 9 } ]\n"
                        "switch: { slots: 70, instances: { 'sw[9]': { data_path: { implementation: rtl }, slot_lut: "
                        "{ implementation: rtl } } } }\nobserve: { waves: { switches: ['sw[0]', 'sw[9]'] } }\n",
             40},
        View{"model", kTdmHead + "topology: { kind: torus, dims: [2, 2, 2] }\npattern: tornado\n", 50},
        View{"packets",
             "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos:\n  levels: { a: { message: 64B }, b: { "
             "message: 192B } }\n  scheduler: dtable\n  dtable: { table: [ { sl: a, weight: 1 }, { sl: b, "
             "weight: 2 } ], implementation: lockstep }\ntraffic: [ { level: a, load: 0.2 }, { level: b, "
             "load: 0.3 } ]\nrun: { warm_up: 0ns, measure: 2us }\nobserve: { waves: { transfers: { rows: 2 } } }\n",
             100},
        View{"ideal",
             "fabric: ideal\nideal: { nodes: 4 }\nqos: { levels: { a: { message: 64B }, b: { message: 1KiB } } }\n"
             "traffic: [ { level: a, load: 0.2 }, { level: b, load: 0.3 } ]\nrun: { warm_up: 0ns, measure: 2us }\n"
             "observe: { waves: { transfers: { rows: 2 } } }\n",
             40},
        View{"optweb",
             "fabric: optweb\nnodes: 3\nsequencer: { implementation: lockstep }\ndmac: { stripe_address: rtl }\n"
             "program: [ { op: barrier }, { op: allgather, size: 1KiB }, { op: alltoall, size: 20KiB } ]\n",
             60}),
    [](const auto& view) { return view.param.name; });

}  // namespace
}  // namespace weft::test
