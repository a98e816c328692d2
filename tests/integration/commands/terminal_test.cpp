// What a terminal gets: completion, colours, examples in the help of commands, --quiet.

#include <fmt/format.h>

#include <algorithm>
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

const std::string kTerminalMesh = source_dir() + "/configs/tdm/mesh_4x4.yaml";

constexpr const char* kCommands[] = {"run",      "check",  "sweep",    "compare",    "new",
                                     "dtable",   "dlt",    "slots",    "alltoall",   "schedule",
                                     "workload", "optweb", "describe", "completion", "version"};

class Completion : public ::testing::Test {
 protected:
  Completion() {
    scratch_.write("weft.bash", weft({"completion", "bash"}).out);
    scratch_.write("network.yaml", "");
    scratch_.write("notes.txt", "");
  }
  /// Candidates for the last word, as bash would show them.
  std::string candidates(const std::string& words) {
    const std::string script = fmt::format(
        "source ./weft.bash; COMP_WORDS=({}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); _weft; echo \"${{COMPREPLY[*]}}\"",
        words);
    const ProgramResult r = run_program({"bash", "-c", script}, {scratch_.path(), 0, {}});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.err, IsEmpty());
    return r.out.substr(0, r.out.find_last_not_of('\n') + 1);
  }
  ScratchFolder scratch_;
};

TEST_F(Completion, InBash) {
  EXPECT_EQ(run_program({"bash", "-n", scratch_.path("weft.bash")}).status, 0);
  EXPECT_EQ(candidates("weft de"), "describe");
  const std::string commands = candidates("weft ''");
  for (const char* c : kCommands) EXPECT_THAT(commands, HasSubstr(c));
  EXPECT_EQ(candidates("weft run --wa"), "--waves");
  EXPECT_EQ(candidates("weft run net"), "network.yaml") << "configurations";
  EXPECT_EQ(candidates("weft run no"), "") << "no other files";
  EXPECT_EQ(candidates("weft schedule no"), "notes.txt") << "but workloads are any files";
  EXPECT_EQ(candidates("weft run network.yaml --set switch.slot_l"),
            "switch.slot_lut= switch.slot_lut.implementation= switch.slot_lut.rtl=");
  EXPECT_THAT(candidates("weft run --set ''"), AllOf(HasSubstr("link.rate="), Not(HasSubstr("[]"))));
  EXPECT_THAT(candidates("weft describe circuits"), HasSubstr("circuits[].source"));
  EXPECT_EQ(candidates("weft new t"), "torus tree");
  EXPECT_EQ(candidates("weft completion ''"), "bash zsh fish");
  EXPECT_EQ(candidates("weft alltoall verify --tor"), "--torus");
  EXPECT_EQ(candidates("weft alltoall v"), "verify");
  EXPECT_EQ(candidates("weft describe --json-schema optweb_"), "optweb_cost");
  EXPECT_EQ(candidates("weft check --qui"), "--quiet") << "options of the program stand behind commands too";
  EXPECT_EQ(candidates("weft --max-input ''"), "");
  // Words of options that take others too, and options that name files.
  EXPECT_EQ(candidates("weft dlt --switching ''"), "cut_through modified_store_and_forward store_and_forward");
  EXPECT_EQ(candidates("weft slots --pattern bit_r"), "bit_reversal");
  EXPECT_EQ(candidates("weft slots --allocator ''"), "all first_fit longest_first dsatur search");
  EXPECT_EQ(candidates("weft alltoall --method ''"), "groups search exact");
  EXPECT_EQ(candidates("weft schedule --policy ''"), "all fcfs easy lff");
  EXPECT_EQ(candidates("weft slots --file no"), "notes.txt");
}

TEST_F(Completion, InOtherShells) {
  const std::string zsh = weft({"completion", "zsh"}).out;
  EXPECT_TRUE(zsh.starts_with("#compdef weft\n"));
  const std::string fish = weft({"completion", "fish"}).out;
  for (const char* c : kCommands) {
    EXPECT_THAT(zsh, HasSubstr(fmt::format("_weft_{}() {{", c)));
    EXPECT_THAT(fish, HasSubstr(fmt::format("-a {} -d '", c)));
  }
  EXPECT_THAT(fish,
              HasSubstr("__fish_seen_subcommand_from alltoall; and __fish_seen_subcommand_from verify' -l torus"));
  // Shells that are there check the syntax.
  for (const auto& [shell, script] : {std::pair{"zsh", zsh}, std::pair{"fish", fish}}) {
    if (run_program({"sh", "-c", fmt::format("command -v {}", shell)}).status != 0) continue;
    EXPECT_EQ(run_program({shell, "-n", scratch_.write(shell, script)}).status, 0) << shell;
  }
  EXPECT_EQ(weft({"completion", "tcsh"}).status, 2);
}

// Where there is a fish, it is asked what it would offer.
TEST_F(Completion, InFish) {
  if (run_program({"sh", "-c", "command -v fish"}).status != 0) GTEST_SKIP() << "no fish";
  scratch_.write("weft.fish", weft({"completion", "fish"}).out);
  const auto offers = [&](const std::string& words) {
    const ProgramResult r =
        run_program({"fish", "-N", "-c",
                     fmt::format("source weft.fish; complete -C'{}' | string replace -r '\\t.*' ''; true", words)},
                    {scratch_.path(), 0, {}});
    EXPECT_EQ(r.status, 0) << r.err;
    return r.out;
  };
  EXPECT_EQ(offers("weft de"), "describe\n");
  for (const char* c : kCommands) EXPECT_THAT(offers("weft "), HasSubstr(fmt::format("{}\n", c)));
  EXPECT_EQ(offers("weft run --wa"), "--waves\n");
  EXPECT_EQ(offers("weft run net"), "network.yaml\n") << "configurations";
  EXPECT_THAT(offers("weft describe circuits"), HasSubstr("circuits[].source\n"));
  EXPECT_EQ(offers("weft new t"), "torus\ntree\n");
  EXPECT_EQ(offers("weft completion "), "bash\nfish\nzsh\n");
  EXPECT_EQ(offers("weft alltoall verify --tor"), "--torus\n");
  EXPECT_EQ(offers("weft sweep --launcher "), "mpi\nslurm\n") << "no files";
  EXPECT_EQ(offers("weft alltoall --method "), "exact\ngroups\nsearch\n");
  EXPECT_EQ(offers("weft --max-memory "), "");
}

// Likewise a zsh.
TEST_F(Completion, InZsh) {
  if (run_program({"sh", "-c", "command -v zsh"}).status != 0) GTEST_SKIP() << "no zsh";
  scratch_.write("_weft", weft({"completion", "zsh"}).out);
  const auto offers = [&](const std::string& words) {
    const ProgramResult r = run_program(
        {"zsh", "-f", source_dir() + "/tests/integration/commands/zsh_offers.zsh", words}, {scratch_.path(), 0, {}});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.err, IsEmpty());
    return r.out;
  };
  EXPECT_EQ(offers("weft de"), "describe\n");
  const std::string commands = offers("weft ");
  for (const char* c : kCommands) EXPECT_THAT(commands, HasSubstr(fmt::format("{}\n", c)));
  EXPECT_EQ(offers("weft run --wa"), "--waves\n");
  EXPECT_EQ(offers("weft run n"), "network.yaml\n") << "configurations, no other files";
  EXPECT_EQ(offers("weft run network.yaml --set switch.slot_l"),
            "switch.slot_lut\nswitch.slot_lut.implementation\nswitch.slot_lut.rtl\n");
  EXPECT_THAT(offers("weft describe circuits"), HasSubstr("circuits[].source\n"));
  EXPECT_EQ(offers("weft new t"), "torus\ntree\n");
  EXPECT_EQ(offers("weft completion "), "bash\nzsh\nfish\n");
  EXPECT_EQ(offers("weft alltoall verify --tor"), "--torus\n");
  EXPECT_EQ(offers("weft check --qui"), "--quiet\n") << "options of the program stand behind commands too";
}

TEST(Help, EveryCommandHasExamples) {
  for (const char* c : kCommands) {
    const std::string name = c;
    const std::string example = name == "completion" ? "source <(weft completion" : "weft " + name;
    EXPECT_THAT(weft({c, "--help"}).out, HasSubstr("\nexamples:\n  " + example));
  }
  EXPECT_THAT(weft({"optweb", "cost", "--help"}).out, HasSubstr("examples:\n  weft optweb cost"));
  EXPECT_THAT(weft({"alltoall", "verify", "--help"}).out, HasSubstr("examples:\n  weft alltoall verify"));
}

TEST(Suggestion, OfOptions) {
  const auto error = [](const std::vector<std::string>& words) {
    const ProgramResult r = weft(words);
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.out, IsEmpty());
    return r.err;
  };
  EXPECT_EQ(error({"run", kTerminalMesh, "--overwrit"}),
            "command line: error: unknown option '--overwrit'; did you mean '--overwrite'? (weft run --help lists the "
            "options)\n");
  EXPECT_THAT(error({"--versoin"}), HasSubstr("did you mean '--version'? (weft --help lists the options)"));
  EXPECT_THAT(error({"run", kTerminalMesh, "--weaves=out.fst"}), HasSubstr("unknown option '--weaves'; did you mean"));
  EXPECT_THAT(error({"alltoall", "verify", "--tours", "x.csv"}),
              HasSubstr("did you mean '--torus'? (weft alltoall verify --help"));
  EXPECT_THAT(error({"run", kTerminalMesh, "--quite"}), HasSubstr("did you mean '--quiet'?"))
      << "options of the program";
  EXPECT_THAT(error({"run", kTerminalMesh, "-x"}), HasSubstr("unknown option '-x' (weft run --help"));
  EXPECT_THAT(error({"sweep", "--quik"}), HasSubstr("did you mean '--quick'?")) << "before the file that is missing";
  EXPECT_EQ(weft({"check", kTerminalMesh, "--overwrit", "--json"}).status, 2);
  EXPECT_THAT(weft({"check", kTerminalMesh, "--overwrit", "--json"}).out, HasSubstr("\"errors\""));
}

/// On a terminal of its own, made by script(1).
std::string on_a_terminal(const std::string& environment, const std::string& arguments) {
  const ScratchFolder scratch;
  const std::string command = fmt::format("env {} {} {}", environment, weft_program(), arguments);
  return run_program({"script", "-qec", command, "/dev/null"}, {scratch.path(), 0, {}}).out;
}

TEST(Colours, OnATerminalOnly) {
  if (run_program({"sh", "-c", "command -v script"}).status != 0) GTEST_SKIP() << "needs script(1)";
  constexpr const char* kRed = "\033[1;31merror:\033[0m";
  EXPECT_THAT(on_a_terminal("TERM=xterm", "check nowhere.yaml"), HasSubstr(kRed));
  EXPECT_THAT(on_a_terminal("TERM=xterm NO_COLOR=1", "check nowhere.yaml"),
              AllOf(HasSubstr("error: cannot be read"), Not(HasSubstr("\033["))));
  EXPECT_THAT(on_a_terminal("TERM=dumb", "check nowhere.yaml"), Not(HasSubstr("\033[")));
  // Open MPI's terminal for rank 0 says nothing about where the output goes; only `run` stays in the job.
  for (const char* job : {"OMPI_COMM_WORLD_SIZE=1", "PMI_SIZE=1", "PMIX_RANK=0"}) {
    for (const char* command : {"check", "run"}) {
      EXPECT_THAT(on_a_terminal(fmt::format("TERM=xterm {}", job), fmt::format("{} nowhere.yaml", command)),
                  AllOf(HasSubstr("error: cannot be read"), Not(HasSubstr("\033["))));
    }
  }
  EXPECT_THAT(weft({"check", "nowhere.yaml"}).err, Not(HasSubstr("\033[")));
}

// Phases with their completion, the node that is last, the link that carries most: on messages and on OPTWEB.
TEST(Summary, OfPrograms) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("p.yaml", weft({"new", "program"}).out);
  const ProgramResult messages = weft({"run", file, "--out", scratch.path("a")});
  ASSERT_EQ(messages.status, 0) << messages.err;
  EXPECT_THAT(messages.out, AllOf(HasSubstr("slowest node "), HasSubstr("busiest link "), HasSubstr("completed"),
                                  HasSubstr("  halo "), HasSubstr("  norm ")));
  // They stand in the report too, with the numbers of its tables.
  const auto report = nlohmann::json::parse(slurp(scratch.path("a/report.json")));
  const auto& run = report["figures"]["run"];
  const auto& node = report["tables"]["nodes"]["rows"][run["slowest_node"]["value"].get<std::size_t>()];
  EXPECT_EQ(node["time"], run["time"]["value"]);
  double most = 0;
  for (const auto& row : report["tables"]["links"]["rows"]) most = std::max(most, row["utilization"].get<double>());
  EXPECT_EQ(run["busiest_link_utilization"]["value"], most);
  double last = 0;
  for (const auto& row : report["tables"]["operations"]["rows"]) last = std::max(last, row["completed"].get<double>());
  EXPECT_EQ(last, run["time"]["value"]);

  const std::string fpgas = scratch.write("o.yaml", weft({"new", "optweb"}).out);
  const ProgramResult optweb = weft({"run", fpgas, "--out", scratch.path("b")});
  EXPECT_THAT(optweb.out, AllOf(HasSubstr("busiest link "), HasSubstr("  scatter "), HasSubstr("completed")));
}

TEST(Quiet, NoSummaryButErrors) {
  const ScratchFolder scratch;
  const ProgramResult r = weft({"run", kTerminalMesh, "--out", scratch.path("out"), "--quiet"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, IsEmpty());
  EXPECT_THAT(r.err, IsEmpty());
  EXPECT_THAT(slurp(scratch.path("out/report.json")), HasSubstr("weft-report"));
  const ProgramResult wrong = weft({"--quiet", "check", kTerminalMesh, "--set", "switch.slots=1"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("error:"));
  EXPECT_THAT(weft({"check", kTerminalMesh, "--json", "--quiet"}).out, HasSubstr("weft-report"));
  EXPECT_THAT(weft({"describe", "link.rate", "--quiet"}).out, HasSubstr("link.rate"));
}

}  // namespace
}  // namespace weft::test
