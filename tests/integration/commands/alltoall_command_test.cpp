// `weft alltoall` as a user starts it: results, files, the verifier, wrong input, and the schedule run on FiC-SW.

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
namespace fs = std::filesystem;

nlohmann::json alltoall_report(Arguments arguments, const std::string& out) {
  arguments.insert(arguments.end(), {"--out", out, "--json"});
  const ProgramResult r = weft(arguments);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, slurp(out + "/report.json"));
  return nlohmann::json::parse(r.out);
}

nlohmann::json alltoall_figure(const nlohmann::json& report, const std::string& section, const std::string& key) {
  return report["figures"][section][key]["value"];
}

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(AllToAll, WritesScheduleTablesAndPictures) {
  const ScratchFolder folder;
  const std::string out = folder.path("out");
  const ProgramResult r = weft({"alltoall", "--n", "6", "--out", out});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, IsEmpty());
  EXPECT_THAT(r.out, AllOf(HasSubstr("lower bound                  54"), HasSubstr("slots                        55"),
                           HasSubstr("gap                          1"), HasSubstr("mesh 6x6, X-Y routing")));
  for (const char* file : {"report.json", "report.html", "schedule.csv", "schedule.json", "slot_tables.csv",
                           "slot_tables.txt", "groups.csv", "slots.csv", "profile.svg", "link_map_0.svg"}) {
    ASSERT_TRUE(fs::exists(out + "/" + file)) << file;
  }
  const std::string csv = slurp(out + "/schedule.csv");
  EXPECT_TRUE(csv.starts_with("slot,source,destination\n"));
  EXPECT_EQ(count_lines(csv), 1U + 36 * 35);
  const auto json = nlohmann::json::parse(slurp(out + "/schedule.json"));
  EXPECT_EQ(json["slots"], 55);
  std::size_t pairs = 0;
  for (const auto& slot : json["schedule"]) pairs += slot["pairs"].size();
  EXPECT_EQ(pairs, 36U * 35);
  EXPECT_THAT(slurp(out + "/profile.svg"), AllOf(HasSubstr("<svg"), HasSubstr("</svg>")));
  EXPECT_THAT(slurp(out + "/link_map_0.svg"), HasSubstr("slot 54"));
  // Entries of the slot tables: every circuit has one in each of its routers.
  EXPECT_EQ(count_lines(slurp(out + "/slot_tables.csv")), 1U + 36 * 35 + 2 * 36 * 70);

  const ProgramResult check = weft({"alltoall", "verify", out + "/schedule.csv"});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("1260 connections in 55 slots"));
  // A shorter schedule in the same folder leaves nothing of this one behind.
  EXPECT_EQ(weft({"alltoall", "--n", "64", "--dims", "2x2", "--out", out}).status, 2);
  EXPECT_TRUE(fs::exists(out + "/schedule.csv"));
  EXPECT_EQ(weft({"alltoall", "--dims", "20x2", "--out", out}).status, 0);
  EXPECT_FALSE(fs::exists(out + "/link_map_0.svg"));
}

TEST(AllToAll, OptionsHaveTheirEffect) {
  const ScratchFolder folder;
  const auto mesh = alltoall_report({"alltoall", "--dims", "5x4"}, folder.path("mesh"));
  const auto torus = alltoall_report({"alltoall", "--dims", "5x4", "--torus"}, folder.path("torus"));
  EXPECT_EQ(alltoall_figure(mesh, "schedule", "lower_bound"), 24);
  EXPECT_EQ(alltoall_figure(torus, "schedule", "lower_bound"), 19);
  EXPECT_EQ(alltoall_figure(torus, "problem", "links"), 80);
  const auto yx = alltoall_report({"alltoall", "--dims", "5x4", "--order", "yx"}, folder.path("yx"));
  EXPECT_EQ(alltoall_figure(yx, "problem", "grid"), "mesh 5x4, Y-X routing");
  EXPECT_NE(slurp(folder.path("yx/schedule.csv")), slurp(folder.path("mesh/schedule.csv")));
  for (const char* name : {"mesh", "torus", "yx"}) {
    const ProgramResult r = weft({"alltoall", "verify", folder.path(std::string(name) + "/schedule.csv"), "--json"});
    EXPECT_EQ(r.status, 0) << name << r.err;
    EXPECT_EQ(nlohmann::json::parse(r.out)["connections"], 380);
  }
  const ProgramResult before = weft({"alltoall", "--dims", "5x4", "verify", folder.path("yx/schedule.csv")});
  EXPECT_EQ(before.status, 2);
  EXPECT_THAT(before.err, HasSubstr("--dims: error: stands before 'verify'"));
  // As a schedule of another grid it is wrong.
  const ProgramResult wrong = weft({"alltoall", "verify", folder.path("yx/schedule.csv"), "--dims", "5x4"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("mesh 5x4, X-Y routing: slot "), HasSubstr("carries both")));
}

TEST(AllToAll, ChannelsShortenTheExchange) {
  const ScratchFolder folder;
  const std::string out = folder.path("wdm");
  const auto report = alltoall_report({"alltoall", "--n", "8", "--wavelengths", "4", "--planes", "2"}, out);
  EXPECT_EQ(alltoall_figure(report, "time", "time_slots"), 18);  // 140 / 8
  EXPECT_EQ(alltoall_figure(report, "channels", "channels_used"), 8);
  EXPECT_GT(alltoall_figure(report, "channels", "saved_percent").get<double>(), 10);
  EXPECT_TRUE(slurp(out + "/schedule.csv").starts_with("slot,source,destination,wavelength,plane\n"));
  const ProgramResult r = weft({"alltoall", "verify", out + "/schedule.csv"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("4032 connections in 18 slots on 4 wavelengths of 2 planes"));
  const auto bounded = alltoall_report({"alltoall", "--n", "8", "--time-slots", "30"}, folder.path("bounded"));
  EXPECT_EQ(alltoall_figure(bounded, "channels", "wavelengths"), 5);
  EXPECT_EQ(alltoall_figure(bounded, "channels", "planes"), 1);
  const auto planes =
      alltoall_report({"alltoall", "--n", "8", "--time-slots", "30", "--wavelengths", "2"}, folder.path("p"));
  EXPECT_EQ(alltoall_figure(planes, "channels", "planes"), 3);
  EXPECT_EQ(alltoall_figure(planes, "channels", "channels_used"), 5);
  const auto loose = alltoall_report({"alltoall", "--n", "4", "--time-slots", "1000"}, folder.path("loose"));
  EXPECT_EQ(alltoall_figure(loose, "time", "time_slots"), 16);  // all that there are
}

TEST(AllToAll, TheVerifierNamesTheFirstConflict) {
  const ScratchFolder folder;
  const std::string out = folder.path("out");
  ASSERT_EQ(weft({"alltoall", "--n", "3", "--out", out}).status, 0);
  const std::string csv = slurp(out + "/schedule.csv");
  const std::string path = out + "/broken.csv";
  const auto verify = [&](const std::string& content) {
    folder.write("out/broken.csv", content);
    return weft({"alltoall", "verify", path});
  };
  const std::size_t first = csv.find("\n1,");
  std::string moved = csv;
  moved[first + 1] = '0';  // the first connection of slot 1 moves to slot 0
  const ProgramResult conflict = verify(moved);
  EXPECT_EQ(conflict.status, 2);
  EXPECT_THAT(conflict.err, AllOf(HasSubstr("broken.csv: "), HasSubstr("slot 0: "), HasSubstr(" both ")));
  std::string missing = csv;
  missing.erase(first + 1, missing.find('\n', first + 1) - first);
  EXPECT_THAT(verify(missing).err, HasSubstr("has no slot"));
  EXPECT_THAT(verify(csv + csv.substr(first + 1, missing.find('\n'))).err, HasSubstr("is already in slot"));
  const ProgramResult json = weft({"alltoall", "verify", path, "--json"});
  EXPECT_EQ(json.status, 2);
  EXPECT_EQ(nlohmann::json::parse(json.out)["failure"], "bad input");
}

// Files as other programs, editors and accidents make them.
TEST(AllToAll, TheVerifierReadsWhatItIsGiven) {
  const ScratchFolder folder;
  ASSERT_EQ(weft({"alltoall", "--n", "3", "--out", folder.path("s")}).status, 0);
  const std::string csv = slurp(folder.path("s/schedule.csv"));
  const std::size_t second = csv.find('\n') + 1;
  const std::string header = csv.substr(0, second), rows = csv.substr(second);
  const auto verify = [&](const std::string& content) {
    folder.write("v.csv", content);
    return weft({"alltoall", "verify", folder.path("v.csv"), "--n", "3"});
  };
  const auto replaced = [](std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
      text.replace(at, what.size(), by);
    }
    return text;
  };
  for (const std::string& good : {"\xEF\xBB\xBF" + csv, replaced(csv, "\n", "\r\n"), replaced(csv, "\n", "\n\n"),
                                  csv.substr(0, csv.size() - 1)}) {
    EXPECT_EQ(verify(good).status, 0) << good.substr(0, 30);
  }
  const auto error = [&](const std::string& content) {
    const ProgramResult r = verify(content);
    EXPECT_EQ(r.status, 2) << content.substr(0, 40);
    EXPECT_EQ(count_lines(r.err), 1U) << r.err;
    return r.err;
  };
  EXPECT_THAT(error(""), HasSubstr("is empty; expected the header 'slot,source,destination'"));
  EXPECT_THAT(error(header), HasSubstr("mesh 3x3, X-Y routing: connection 0 -> 1 has no slot"));
  EXPECT_THAT(error(rows), HasSubstr("v.csv:1:1: error: expected the header"));
  EXPECT_THAT(error(replaced(csv, ",", ";")), HasSubstr("got 'slot;source;destination'"));
  EXPECT_THAT(error(std::string("\xFF\xFEs\0l\0o\0t\0", 10) + "\n"),
              HasSubstr("got '\\xff\\xfes\\u0000l\\u0000o\\u0000t\\u0000'"));
  EXPECT_THAT(error("slot,source\n0,1\n"), HasSubstr("v.csv:1:1: error: expected the header"));
  EXPECT_THAT(error(header + "0,1\n"), HasSubstr("v.csv:2:1: error: expected 3 fields"));
  EXPECT_THAT(error(header + "0,1,2,3\n"), HasSubstr("got 4"));
  EXPECT_THAT(error(csv + "0,1,99\n"),
              HasSubstr("v.csv:74:5: error: destination: expected a whole number from 0 to 8"));
  EXPECT_THAT(error(csv + "99999999999999999999,1,2\n"), HasSubstr("got '99999999999999999999'"));
  EXPECT_THAT(error(csv + "-1,1,2\n"), HasSubstr("got '-1'"));
  EXPECT_THAT(error(csv + "1.5,1,2\n"), HasSubstr("got '1.5'"));
  EXPECT_THAT(error(csv + "3,4,4\n"), HasSubstr("node 4 sends to itself"));
  EXPECT_THAT(error(csv + std::string(500, '0') + "\n"), HasSubstr("too long for a line of a schedule"));
  ASSERT_EQ(weft({"alltoall", "--n", "4", "--out", folder.path("s")}).status, 0);
  EXPECT_THAT(error(slurp(folder.path("s/schedule.csv"))),
              HasSubstr("is a schedule of 16 nodes, not of the 9 of mesh"));
}

TEST(AllToAll, SearchAndExact) {
  const ScratchFolder folder;
  const auto found = alltoall_report({"alltoall", "--n", "5", "--method", "search", "--time-limit", "5", "--seed", "2"},
                                     folder.path("search"));
  EXPECT_EQ(alltoall_figure(found, "schedule", "start_slots"), 33);
  EXPECT_LT(alltoall_figure(found, "schedule", "slots"), 33);
  EXPECT_EQ(weft({"alltoall", "verify", folder.path("search/schedule.csv")}).status, 0);
  const auto proved = alltoall_report({"alltoall", "--n", "3", "--method", "exact"}, folder.path("exact"));
  EXPECT_EQ(alltoall_figure(proved, "schedule", "slots"), 8);
  EXPECT_EQ(alltoall_figure(proved, "schedule", "gap"), 0);
}

TEST(AllToAll, AnInterruptedSearchKeepsItsBest) {
  const ScratchFolder folder;
  const std::string out = folder.path("out");
  ProgramOptions options;
  options.interrupt_after_ms = 1500;
  options.when = when_there(out);
  const ProgramResult r =
      weft({"alltoall", "--n", "10", "--method", "search", "--time-limit", "55", "--out", out}, options);
  EXPECT_EQ(r.status, 130) << r.err;
  EXPECT_THAT(r.out, HasSubstr("PARTIAL: the search was interrupted"));
  EXPECT_EQ(weft({"alltoall", "verify", out + "/schedule.csv"}).status, 0);
}

// Tori, rectangles, latencies longer than a frame and phases one after the other: the prediction is what is simulated.
TEST(AllToAll, PredictedFramesAreUsed) {
  const ScratchFolder folder;
  const auto run = [&](const std::string& lines) {
    folder.write("run.yaml", "fabric: tdm\nsetup: { mode: central }\n" + lines);
    const auto report = alltoall_report({"run", folder.path("run.yaml")}, folder.path("out"));
    EXPECT_EQ(alltoall_figure(report, "alltoall", "frames_predicted"),
              alltoall_figure(report, "alltoall", "frames_used"))
        << lines;
    EXPECT_EQ(alltoall_figure(report, "alltoall", "cycles_predicted"),
              alltoall_figure(report, "alltoall", "cycles_used"))
        << lines;
    return alltoall_figure(report, "alltoall", "frames_used").get<int>();
  };
  const std::string sources = "sources: { message: 340b, messages: 1 }\n";
  EXPECT_EQ(run("topology: { kind: torus, dims: [5, 5] }\nswitch: { slots: 25 }\nalltoall: groups\n" + sources), 6);
  EXPECT_EQ(run("topology: { kind: mesh, dims: [4, 3] }\nswitch: { slots: 12 }\nalltoall: groups\n"
                "sources: { message: 340b, messages: 5 }\n"),
            7 + 4);
  // 20 cycles on a link of a frame of 16: two frames per link between switches.
  EXPECT_EQ(run("topology: { kind: mesh, dims: [4, 4] }\nswitch: { slots: 16, serdes: 20cycles }\nalltoall: groups\n" +
                sources),
            8 + 6);
}

TEST(AllToAll, TimesFollowTheSlot) {
  const ScratchFolder folder;
  const auto ten = alltoall_report({"alltoall", "--n", "4"}, folder.path("a"));
  EXPECT_EQ(alltoall_figure(ten, "time", "schedule_time"), 160);
  EXPECT_EQ(alltoall_figure(ten, "time", "tdm_time"), 8 * 160);
  const auto four = alltoall_report({"alltoall", "--n", "4", "--slot-time", "4ns"}, folder.path("b"));
  EXPECT_EQ(alltoall_figure(four, "time", "slot_time"), 4);
  EXPECT_EQ(alltoall_figure(four, "time", "schedule_time"), 64);
  EXPECT_EQ(alltoall_figure(four, "time", "tdm_time"), 8 * 64);
}

// The systematic schedule is the least that the exact method returns, however little time it has.
TEST(AllToAll, ExactBeginsWithTheSystematicSchedule) {
  const ScratchFolder folder;
  const auto notes = [&](const std::string& n) {
    const auto report =
        alltoall_report({"alltoall", "--n", n, "--method", "exact", "--time-limit", "0.01"}, folder.path(n));
    EXPECT_LE(alltoall_figure(report, "schedule", "slots"), n == "8" ? 140 : 640);
    return report["notes"].dump();
  };
  EXPECT_THAT(notes("8"), HasSubstr("not proved: the time limit was reached"));
  EXPECT_THAT(notes("12"), AllOf(HasSubstr("not proved: the grid is too large for the solver"),
                                 ::testing::Not(HasSubstr("time limit"))));
}

// What is left out is said, one note each; what was there before is gone.
TEST(AllToAll, SaysWhatItLeavesOut) {
  const ScratchFolder folder;
  const std::string out = folder.path("out");
  alltoall_report({"alltoall", "--n", "4"}, out);
  EXPECT_TRUE(fs::exists(out + "/slot_tables.csv"));
  const auto spread = alltoall_report({"alltoall", "--n", "4", "--wavelengths", "2"}, out);
  EXPECT_TRUE(fs::exists(out + "/slot_tables.csv"));
  const auto many = alltoall_report({"alltoall", "--n", "4", "--wavelengths", "300"}, out);
  EXPECT_THAT(many["notes"].dump(), HasSubstr("no FiC slot tables: they are written up to 256 wavelengths and planes"));
  EXPECT_FALSE(fs::exists(out + "/slot_tables.csv"));
  EXPECT_FALSE(fs::exists(out + "/slot_tables.txt"));
  EXPECT_THAT(slurp(out + "/link_map_0.svg"), HasSubstr("slots 0 to 15 before they were spread"));
  const auto wide = alltoall_report({"alltoall", "--dims", "33x2"}, folder.path("wide"));
  EXPECT_THAT(wide["notes"].dump(), AllOf(HasSubstr("no profile.svg: it is drawn up to 32 x 32 nodes"),
                                          HasSubstr("no link maps: they are drawn up to 12 x 12 nodes")));
}

// Options in the place of what schedule.json says; the size still comes from there.
TEST(AllToAll, TheVerifierOverlaysOptions) {
  const ScratchFolder folder;
  ASSERT_EQ(weft({"alltoall", "--dims", "5x3", "--order", "yx", "--out", folder.path("s")}).status, 0);
  const std::string file = folder.path("s/schedule.csv");
  EXPECT_THAT(weft({"alltoall", "verify", file}).out, HasSubstr("mesh 5x3, Y-X routing"));
  EXPECT_THAT(weft({"alltoall", "verify", file, "--torus"}).err, HasSubstr("torus 5x3, Y-X routing"));
  const ProgramResult other = weft({"alltoall", "verify", file, "--order", "xy"});
  EXPECT_THAT(other.out + other.err, HasSubstr("mesh 5x3, X-Y routing"));
  EXPECT_EQ(weft({"alltoall", "verify", file, "--order", "zx"}).status, 2);
}

// However long it took: the report of a search that met the bound is the same.
TEST(AllToAll, ReportsOfASearchRepeat) {
  const ScratchFolder folder;
  const Arguments search{"alltoall", "--n", "5", "--method", "search", "--search-moves", "symmetric"};
  const auto first = alltoall_report(search, folder.path("a")), second = alltoall_report(search, folder.path("b"));
  EXPECT_EQ(first, second);
  EXPECT_EQ(alltoall_figure(first, "problem", "search_moves"), "symmetric");
}

TEST(AllToAll, WrongInputIsExplained) {
  const auto error = [](Arguments arguments) {
    arguments.insert(arguments.begin(), "alltoall");
    const ProgramResult r = weft(arguments);
    EXPECT_EQ(r.status, 2) << r.out;
    return r.err;
  };
  EXPECT_THAT(error({}), HasSubstr("the size of the grid is missing: --n 8, or --dims 8x6"));
  EXPECT_THAT(error({"--n", "1"}), HasSubstr("--n 1: error: expected a size from 2 to 64 nodes, got '1'"));
  EXPECT_THAT(error({"--dims", "1x1"}), HasSubstr("--dims 1x1: error: a grid has at least two nodes"));
  EXPECT_THAT(error({"--dims", "0x5"}), HasSubstr("--dims 0x5: error: expected a size from 1 to 64 nodes, got '0'"));
  EXPECT_THAT(error({"--n", "-3"}), HasSubstr("got '-3'"));
  EXPECT_THAT(error({"--n", "1000"}), HasSubstr("its 1e+12 connections would take about 12 TB of memory"));
  EXPECT_THAT(error({"--n", "99999999999999999999999"}), HasSubstr("expected a size from 2 to 64"));
  EXPECT_THAT(error({"--dims", "8"}), HasSubstr("expected columns and rows, as 8x6"));
  EXPECT_THAT(error({"--dims", "8x"}), HasSubstr("got ''"));
  EXPECT_THAT(error({"--n", "4", "--dims", "4x4"}), HasSubstr("one of --n and --dims is enough"));
  EXPECT_THAT(error({"--n", "4", "--method", "group"}), HasSubstr("did you mean 'groups'"));
  EXPECT_THAT(error({"--n", "4", "--order", "x"}), HasSubstr("expected xy or yx"));
  EXPECT_THAT(error({"--n", "4", "--wavelengths", "0"}), HasSubstr("expected a whole number from 1 to 4096"));
  EXPECT_THAT(error({"--n", "4", "--wavelengths", "100", "--planes", "100"}), HasSubstr("may be at most 4096"));
  EXPECT_THAT(error({"--n", "4", "--wavelengths", "2", "--planes", "2", "--time-slots", "3"}),
              HasSubstr("16 slots in 3 time slots need 6 channels; 2 wavelengths times 2 planes are 4"));
  EXPECT_THAT(error({"--n", "4", "--time-limit", "5"}), HasSubstr("has no meaning with method groups"));
  EXPECT_THAT(error({"--n", "4", "--method", "search", "--time-limit", "0"}), HasSubstr("expected seconds"));
  EXPECT_THAT(error({"--n", "4", "--search-moves", "tabu"}), HasSubstr("has no meaning without --method search"));
  EXPECT_THAT(error({"--n", "4", "--method", "search", "--search-moves", "tab"}), HasSubstr("did you mean 'tabu'"));
  EXPECT_THAT(error({"--n", "4", "--slot-time", "10"}), HasSubstr("--slot-time 10: error: "));
  EXPECT_THAT(error({"--n", "64", "--method", "search"}), HasSubstr("makes none of more than 1 GiB"));
  EXPECT_THAT(error({"--n", "64", "--method", "exact"}), HasSubstr("expected a smaller grid or --method groups"));
  EXPECT_THAT(error({"verify", "no_such.csv", "--n", "4"}), HasSubstr("cannot be read"));
  EXPECT_THAT(error({"verify", "no_such.csv"}), HasSubstr("no_such.csv: error: cannot be read: there is no such file"));
  EXPECT_THAT(error({"verify", source_dir() + "/README.md"}), HasSubstr("the grid is not known"));
  EXPECT_THAT(error({"--n", "4", "--seed", "18446744073709551616"}),
              HasSubstr("expected a whole number from 0 to 18446744073709551615"));
  EXPECT_THAT(error({"--n", "4", "--seed", "-1"}), HasSubstr("--seed -1: error: "));
  EXPECT_THAT(error({"--n", "4", "--seed", "7"}), HasSubstr("--seed 7: error: has no effect: method groups without"));
  EXPECT_THAT(error({"--n", "3", "--method", "exact", "--seed", "7"}), HasSubstr("--seed 7: error: has no effect"));
}

// Every word arrives, when the closed form says: it is sent in its slot of the first frame and takes a frame of 160 ns
// per switch. The last one arrives in the eighth frame.
void runs_in_eight_frames(const Arguments& more) {
  const ScratchFolder folder;
  Arguments arguments{"run", source_dir() + "/configs/tdm/alltoall_4x4.yaml"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto report = alltoall_report(arguments, folder.path("out"));
  const auto& circuits = report["tables"]["circuits"]["rows"];
  ASSERT_EQ(circuits.size(), 240U);
  double latest = 0;
  for (const auto& c : circuits) {
    EXPECT_EQ(c["messages"], 1);
    const double expected = 10 * std::stod(c["slot_list"].get<std::string>()) + 160 * (c["hops"].get<double>() + 1);
    EXPECT_EQ(c["transit_max"], expected) << c["flow"];
    latest = std::max(latest, expected);
  }
  EXPECT_GT(latest, 7 * 160);
  EXPECT_LT(latest, 8 * 160);
  EXPECT_EQ(alltoall_figure(report, "slots", "slots_used"), 16);
  // 4 + 4 frames, of which the last one ends with the last arrival.
  EXPECT_EQ(alltoall_figure(report, "alltoall", "frames_predicted"), 8);
  EXPECT_EQ(alltoall_figure(report, "alltoall", "frames_used"), 8);
  EXPECT_EQ(alltoall_figure(report, "alltoall", "cycles_predicted").get<double>() * 10, latest);
  EXPECT_EQ(alltoall_figure(report, "alltoall", "cycles_used").get<double>() * 10, latest);
}

TEST(AllToAll, RunsOnTdmSwitches) { runs_in_eight_frames({}); }

TEST(AllToAll, RunsInLockstep) {
  runs_in_eight_frames(
      {"--set", "switch.data_path.implementation=lockstep", "--set", "switch.slot_lut.implementation=lockstep"});
}

TEST(AllToAll, AScheduleFileRuns) {
  const ScratchFolder folder;
  ASSERT_EQ(weft({"alltoall", "--dims", "4x4", "--out", folder.path("s")}).status, 0);
  folder.write("run.yaml",
               "fabric: tdm\ntopology: { kind: mesh, dims: [4, 4] }\nswitch: { slots: 16 }\nsetup: { mode: preset }\n"
               "schedule_file: s/schedule.csv\nsources: { message: 340b, messages: 3 }\n");
  const auto report = alltoall_report({"run", folder.path("run.yaml")}, folder.path("out"));
  EXPECT_EQ(report["tables"]["circuits"]["rows"].size(), 240U);
  // Three messages of one word: two frames more than for one.
  EXPECT_EQ(alltoall_figure(report, "alltoall", "frames_predicted"), 10);
  EXPECT_EQ(alltoall_figure(report, "alltoall", "frames_used"), 10);
  const auto error = [&](const Arguments& set) {
    Arguments arguments{"check", folder.path("run.yaml")};
    for (const std::string& s : set) arguments.insert(arguments.end(), {"--set", s});
    const ProgramResult r = weft(arguments);
    EXPECT_EQ(r.status, 2) << r.out;
    return r.err;
  };
  EXPECT_THAT(error({"switch.slots=15"}), HasSubstr("the all-to-all schedule has 16 slots, a frame (switch.slots) 15"));
  const std::string other = error({"topology.dims=[2,8]"});
  EXPECT_THAT(other, AllOf(HasSubstr("run.yaml:5:16: error: "), HasSubstr("is a schedule of mesh 4x4, X-Y routing, not "
                                                                          "of mesh 2x8, X-Y routing")));
  EXPECT_EQ(count_lines(other), 1U);
  // Without the schedule.json beside it the file itself shows how many nodes it is for, or the first conflict.
  fs::copy_file(folder.path("s/schedule.csv"), folder.path("alone.csv"));
  const std::string alone = "schedule_file=" + folder.path("alone.csv");
  EXPECT_THAT(error({alone, "topology.dims=[3,3]"}), HasSubstr("is a schedule of 16 nodes, not of the 9 of mesh 3x3"));
  EXPECT_THAT(error({alone, "topology.dims=[5,5]", "switch.slots=64"}),
              HasSubstr("is a schedule of 16 nodes, not of the 25 of mesh 5x5"));
  EXPECT_THAT(error({alone, "topology.dims=[2,8]"}), HasSubstr("slot 0: link 3 -> 5 carries both"));
  EXPECT_THAT(error({"topology.dims=[4,4,2]"}), HasSubstr("needs a mesh or torus of two dimensions"));
  EXPECT_THAT(error({"slots.slot_update=true"}), HasSubstr("the same slot on every hop"));
  EXPECT_THAT(error({"slots_per_flow=2"}), HasSubstr("every circuit of an all-to-all schedule has one slot"));
  EXPECT_THAT(error({"pattern=transpose"}), HasSubstr("may be given; given are pattern and schedule_file"));
  EXPECT_THAT(error({"schedule_file=none.csv"}), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace weft::test
