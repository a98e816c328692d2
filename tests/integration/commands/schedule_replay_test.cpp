// `weft schedule --run`: schedules whose times in the network follow by hand, and what cannot be replayed.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

// The defaults: 10 ns a cycle, words of 340 bits, one cycle for everything that takes time; 8 slots. A unit of 1 us is
// 100 cycles. On a line of three switches a word needs a frame and two hops of a frame, 24 cycles.
Arguments replay_of(const std::string& file, const Arguments& more = {}) {
  Arguments a{"schedule", file, "--topology", "mesh", "--dims", "3", "--run", "--time-unit", "1us"};
  a.insert(a.end(), more.begin(), more.end());
  return a;
}

Json replay_report(const ScratchFolder& folder, const std::string& workload, const Arguments& more = {}) {
  Arguments a = replay_of(folder.write("workload.txt", workload), more);
  a.insert(a.end(), {"--out", folder.path("out"), "--json"});
  const ProgramResult r = weft(a);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, IsEmpty());
  EXPECT_EQ(r.out, slurp(folder.path("out/report.json")));
  return Json::parse(r.out);
}

double replay_figure(const Json& report, const std::string& key) { return report["figures"]["replay"][key]["value"]; }

TEST(ScheduleReplay, TwoJobsWithAPauseBetweenThem) {
  const ScratchFolder folder;
  const Json r = replay_report(folder, "0 10 3 0 2 f a\n20 5 3 2 0 g b\n");
  const Json a = r["tables"]["replay"]["rows"][0];
  // Asked in cycle 0, at the switch in 1, reserved in 2, ACK in 3, slot 0 comes in 8; then every 8th cycle up to 992.
  EXPECT_EQ(a["job"], "a");
  EXPECT_EQ(a["flow"], "f");
  EXPECT_EQ(a["planned_slots"], "0");
  EXPECT_EQ(a["used_slots"], "0");
  EXPECT_EQ(a["predicted_start"], 0);
  EXPECT_EQ(a["first_word"], 80);
  EXPECT_EQ(a["setup_delay"], 80);
  EXPECT_EQ(a["predicted_end"], 10'000);
  EXPECT_EQ(a["words"], 124);
  EXPECT_EQ(a["requests"], 1);
  EXPECT_DOUBLE_EQ(a["predicted_bandwidth"], 34.0 / 8);
  EXPECT_DOUBLE_EQ(a["bandwidth"], 34.0 * 124 / 1000);
  EXPECT_DOUBLE_EQ(a["bandwidth_ratio"], 0.992);
  // The last word arrives in 992 + 24; the answer crosses two host links, two links and three switches of a cycle each.
  EXPECT_EQ(a["cleared"], 10 * (992 + 24 + 2 + 2 + 3));
  const Json b = r["tables"]["replay"]["rows"][1];  // the same from cycle 2000 to 2500: 2008 to 2496
  EXPECT_EQ(b["first_word"], 20'080);
  EXPECT_EQ(b["words"], 62);
  EXPECT_EQ(b["used_slots"], "0");
  EXPECT_EQ(replay_figure(r, "max_setup_delay"), 80);
  EXPECT_EQ(replay_figure(r, "mean_setup_delay"), 80);
  EXPECT_EQ(replay_figure(r, "circuits_refused"), 0);
  EXPECT_EQ(replay_figure(r, "circuits_elsewhere"), 0);
  // Slot 0 comes 125 times while a runs, and 63 times, from 2000 on, while b does.
  EXPECT_DOUBLE_EQ(b["bandwidth_ratio"], 62.0 / 63);
  EXPECT_DOUBLE_EQ(replay_figure(r, "smallest_bandwidth_ratio"), 62.0 / 63);
  EXPECT_DOUBLE_EQ(replay_figure(r, "mean_bandwidth_ratio"), (124.0 / 125 + 62.0 / 63) / 2);
  const Json jobs = r["tables"]["replay_jobs"]["rows"];
  EXPECT_EQ(jobs.size(), 2);
  EXPECT_EQ(jobs[1]["predicted_start"], 20'000);
  EXPECT_EQ(jobs[1]["simulated_start"], 20'080);
}

// However long it runs: a circuit always has something to send. In units of 1 us, 1400 cycles have room for 176 words.
TEST(ScheduleReplay, EveryLengthOfJobSends) {
  const ScratchFolder folder;
  for (int run = 1; run <= 34; ++run) {
    const Json r = replay_report(folder, fmt::format("0 {} 3 0 2 f a\n", run));
    const Json a = r["tables"]["replay"]["rows"][0];
    EXPECT_EQ(a["requests"], 1) << run;
    EXPECT_EQ(a["words"], (100 * run - 1) / 8) << run;  // from cycle 8 on
  }
}

// Job b starts where a ends, in the slot of a. The first switch gets the answer to a's release in 1021, works on it
// until 1022, exchanges its table in 1024 and frees the slot a frame later, in 1032. A request served then is
// acknowledged in 1033, and its first word leaves in 1040.
TEST(ScheduleReplay, AJobInTheSlotsOfTheOneBefore) {
  const ScratchFolder folder;
  const std::string workload = "0 10 3 0 2 f a\n0 10 3 0 2 f b\n";
  const Json r = replay_report(folder, workload, {"--set", "setup.backoff=1cycle"});
  const Json b = r["tables"]["replay"]["rows"][1];
  EXPECT_EQ(b["predicted_start"], 10'000);
  EXPECT_EQ(b["used_slots"], "0");
  EXPECT_GE(b["refused_no_slots"], 1);
  EXPECT_EQ(b["requests"], 1 + b["refused_no_slots"].get<int>());
  // The last refusal came by 1032, and the longest wait is 64 cycles.
  const int first = b["first_word"].get<int>() / 10;
  EXPECT_GE(first, 1040);
  EXPECT_LE(first, 1032 + 64 + 3 + 8);
  EXPECT_EQ(first % 8, 0);
  EXPECT_EQ(b["words"], (2000 - first + 7) / 8);
  EXPECT_EQ(replay_figure(r, "circuits_refused"), 1);
  EXPECT_EQ(replay_figure(r, "max_setup_delay"), 10 * (first - 1000));
  EXPECT_DOUBLE_EQ(replay_figure(r, "smallest_bandwidth_ratio"), (2000 - first + 7) / 8 * 8 / 1000.0);
  EXPECT_EQ(r["tables"]["replay"]["rows"][0]["words"], 124) << "a is not disturbed";

  // A switch that may choose takes slot 1: acknowledged in 1003, slot 1 comes in 1009.
  const Json chosen = replay_report(folder, workload, {"--replay-slots", "chosen"});
  const Json other = chosen["tables"]["replay"]["rows"][1];
  EXPECT_EQ(other["planned_slots"], "0");
  EXPECT_EQ(other["used_slots"], "1");
  EXPECT_EQ(other["first_word"], 10'090);
  EXPECT_EQ(other["requests"], 1);
  EXPECT_EQ(replay_figure(chosen, "circuits_elsewhere"), 1);
}

// Two circuits begin at a node and have all slots: each on a link of its own, from where the schedule has it, one word
// in each cycle from its first one to the end of the job.
TEST(ScheduleReplay, CircuitsOnSeveralLinksOfANode) {
  const ScratchFolder folder;
  const std::string workload = "0 10 3 0 1 f a\n0 10 3 0 2 g a\n";
  for (const char* choice : {"planned", "chosen"}) {
    const Json r = replay_report(
        folder, workload,
        {"--slots", "4", "--slots-per-flow", "4", "--node-links", "2", "--trunk", "2", "--replay-slots", choice});
    const Json rows = r["tables"]["replay"]["rows"];
    ASSERT_EQ(rows.size(), 2U) << choice;
    for (const Json& row : rows) {
      EXPECT_EQ(row["requests"], 1) << choice;
      EXPECT_LE(row["first_word"], 200) << choice;
      EXPECT_EQ(row["words"].get<int>(), 1000 - row["first_word"].get<int>() / 10) << choice;
    }
    EXPECT_EQ(replay_figure(r, "circuits_refused"), 0) << choice;
  }
}

// The ratio is one when no cycle of the circuit's slots goes by without a word: job a runs from cycle 100 to 400, is
// acknowledged in 103, and with 7 slots slot 0 comes in 105, 112, ... 399, more often than 300 / 7 times.
TEST(ScheduleReplay, TheRatioCountsTheCyclesOfTheSlots) {
  const ScratchFolder folder;
  const Json full = replay_report(folder, "0 1 1 - - f z\n1 3 2 0 1 f a\n", {"--slots", "7"});
  EXPECT_EQ(full["tables"]["replay"]["rows"][0]["words"], 43);
  EXPECT_EQ(replay_figure(full, "smallest_bandwidth_ratio"), 1.0);

  const std::string jobs = "0 1 3 0 2 f a\n0 2 3 0 2 f b\n0 1 3 2 0 f c\n0 2 3 0 1 f d\n";
  for (int slots = 5; slots < 12; slots += 3) {
    for (const char* choice : {"planned", "chosen"}) {
      const Json r = replay_report(folder, jobs, {"--slots", std::to_string(slots), "--replay-slots", choice});
      for (const Json& row : r["tables"]["replay"]["rows"]) {
        int cycles = 0;
        const int slot = std::stoi(row["used_slots"].get<std::string>());
        for (int t = row["predicted_start"].get<int>() / 10; t < row["predicted_end"].get<int>() / 10; ++t) {
          cycles += t % slots == slot ? 1 : 0;
        }
        EXPECT_DOUBLE_EQ(row["bandwidth_ratio"], row["words"].get<double>() / cycles) << slots << " " << choice;
        EXPECT_LE(row["bandwidth_ratio"], 1.0) << slots << " " << choice;
      }
    }
  }
}

// A unit for tables is 100 cycles, much more than the network needs: job b follows a in its slot, and sends all that
// the slot carries in 1000 cycles, 125 words, before it ends.
TEST(ScheduleReplay, ReconfigurationsCoverTheNetwork) {
  const ScratchFolder folder;
  const std::string workload = "0 10 3 0 2 f a\n0 10 3 0 2 f b\n";
  const Json r = replay_report(folder, workload, {"--reconfiguration", "1", "--set", "setup.backoff=1cycle"});
  for (const Json& row : r["tables"]["replay"]["rows"]) {
    EXPECT_EQ(row["words"], 125);
    EXPECT_EQ(row["bandwidth_ratio"], 1.0);
  }
  EXPECT_EQ(r["tables"]["replay"]["rows"][0]["first_word"], 80) << "asked at the start of the job";
  EXPECT_EQ(r["tables"]["replay"]["rows"][1]["predicted_start"], 11'000) << "a ends when it has sent";
  EXPECT_EQ(replay_figure(r, "smallest_bandwidth_ratio"), 1.0);
  EXPECT_EQ(r["figures"]["fcfs"]["reconfiguration_time"]["value"], 3) << "a begins, b follows, b ends";
  EXPECT_EQ(r["figures"]["fcfs"]["makespan"]["value"], 22);
  // Three switches that take 60 cycles each for a request need more: the last one's table is in force in 184, so the
  // first word leaves in 160 and not all have left in 1100.
  const Json slow = replay_report(folder, workload, {"--reconfiguration", "1", "--set", "setup.processing=60cycles"});
  EXPECT_EQ(slow["tables"]["replay"]["rows"][0]["first_word"], 1600);
  EXPECT_EQ(slow["tables"]["replay"]["rows"][0]["words"], (1100 - 160 + 7) / 8);
  EXPECT_LT(replay_figure(slow, "smallest_bandwidth_ratio"), 1.0);
}

// Slower switches and a longer unit: the delay is that of the protocol, whatever the unit.
TEST(ScheduleReplay, TheNetworkAndTheUnitAreOptions) {
  const ScratchFolder folder;
  const std::string workload = "5 10 3 0 2 f a\n";
  // Asked in 0, at the switch in 1, reserved in 41, ACK in 42. The third switch is served in 41 + 2 * 41 = 123, its
  // table is in force in 128, and a word that leaves in 104 is there then: later than the ACK allows.
  const Json slow = replay_report(folder, workload, {"--set", "setup.processing=40cycles"});
  EXPECT_EQ(slow["tables"]["replay"]["rows"][0]["first_word"], 1040);
  const Json r = replay_report(folder, workload, {"--slots-per-flow", "2"});
  const Json both = r["tables"]["replay"]["rows"][0];
  EXPECT_EQ(both["planned_slots"], "0 1");
  EXPECT_EQ(both["used_slots"], "0 1");
  EXPECT_DOUBLE_EQ(both["predicted_bandwidth"], 34.0 / 4);
  // Slots 0 and 1 from 8 on: 124 words in each.
  EXPECT_EQ(both["words"], 248);
  EXPECT_EQ(both["predicted_start"], 0) << "time begins with the first job";
  Arguments coarse{"schedule", folder.path("workload.txt"), "--topology", "mesh", "--dims", "3", "--run", "--json",
                   "--out",    folder.path("out")};
  const Json usual = Json::parse(weft(coarse).out);
  EXPECT_EQ(replay_figure(usual, "time_unit"), 100'000);
  EXPECT_EQ(usual["tables"]["replay"]["rows"][0]["words"], (100'000 - 8 + 7) / 8);
}

// One circuit to both nodes: the longer route is that of TwoJobsWithAPauseBetweenThem, so the times are the same.
TEST(ScheduleReplay, AMulticastIsOneCircuit) {
  const ScratchFolder folder;
  for (const char* slots : {"planned", "chosen"}) {
    const Json r = replay_report(folder, "0 10 3 0 1 f m\n0 10 3 0 2 f m\n", {"--replay-slots", slots});
    const Json rows = r["tables"]["replay"]["rows"];
    ASSERT_EQ(rows.size(), 1);
    EXPECT_EQ(rows[0]["destination"], "1 2");
    EXPECT_EQ(rows[0]["planned_slots"], "0");
    EXPECT_EQ(rows[0]["used_slots"], "0");
    EXPECT_EQ(rows[0]["first_word"], 80);
    EXPECT_EQ(rows[0]["words"], 124);
    EXPECT_EQ(rows[0]["cleared"], 10 * (992 + 24 + 2 + 2 + 3));
    EXPECT_DOUBLE_EQ(replay_figure(r, "smallest_bandwidth_ratio"), 0.992);
  }
}

// The switches are so slow that the second job has ended before its request is through.
TEST(ScheduleReplay, ACircuitThatNeverSends) {
  const ScratchFolder folder;
  const Json r = replay_report(folder, "0 10 3 0 2 f a\n0 1 3 0 2 f b\n", {"--set", "setup.processing=200cycles"});
  EXPECT_EQ(replay_figure(r, "circuits_without_data"), 1);
  EXPECT_EQ(replay_figure(r, "mean_setup_delay"), r["tables"]["replay"]["rows"][0]["setup_delay"]);
  EXPECT_THAT(r["notes"].dump(), HasSubstr("1 of 2 circuits were never accepted"));
}

// The project's own workload, with its broadcasts: every circuit gets its slots, and every destination its words.
TEST(ScheduleReplay, ThePaperWorkload) {
  const ScratchFolder folder;
  const ProgramResult p = weft({"schedule", source_dir() + "/configs/workloads/poisson_4x4.txt", "--dims", "4,4",
                                "--slots", "4", "--policy", "easy", "--run", "--out", folder.path("out"), "--json"});
  ASSERT_EQ(p.status, 0) << p.err;
  const Json r = Json::parse(p.out);
  EXPECT_EQ(replay_figure(r, "replayed_circuits"), r["figures"]["easy"]["circuits"]["value"]);
  EXPECT_EQ(replay_figure(r, "circuits_elsewhere"), 0);
  EXPECT_EQ(replay_figure(r, "circuits_without_data"), 0);
  EXPECT_GT(replay_figure(r, "smallest_bandwidth_ratio"), 0.95);
  const Json rows = r["tables"]["replay"]["rows"];
  EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const Json& row) { return row["destination"].is_string(); }));
}

// The circuits of a whole workload, of which no two may meet in the schedule, are all there in the network as well.
TEST(ScheduleReplay, AWholeWorkloadTwice) {
  const ScratchFolder folder;
  ASSERT_EQ(
      weft({"workload", "--generate", "60", "--seed", "3", "--pattern", "exchange", "--out", folder.path("w.txt")})
          .status,
      0);
  std::map<std::string, std::string> first;
  for (const char* round : {"1", "2"}) {
    const ProgramResult p =
        weft({"schedule", folder.path("w.txt"), "--topology", "mesh", "--dims", "4,4", "--slots", "4", "--nodes-policy",
              "random", "--policy", "easy", "--run", "--out", folder.path("out")});
    ASSERT_EQ(p.status, 0) << p.err;
    EXPECT_THAT(p.out, HasSubstr("smallest bandwidth ratio"));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("out"))) {
      const std::string name = entry.path().filename();
      if (name.starts_with(".") || name == "run.json") continue;  // they have times
      if (*round == '1') {
        first[name] = slurp(entry.path());
      } else {
        EXPECT_EQ(slurp(entry.path()), first[name]) << name;
      }
    }
  }
  EXPECT_GT(first.count("replay.csv") + first.count("replay_jobs.csv"), 1);
  const Json r = Json::parse(first["report.json"]);
  EXPECT_EQ(replay_figure(r, "replayed_circuits"), r["figures"]["easy"]["circuits"]["value"]);
  EXPECT_EQ(replay_figure(r, "circuits_elsewhere"), 0);
  EXPECT_EQ(replay_figure(r, "circuits_without_data"), 0);
  for (const Json& row : r["tables"]["replay"]["rows"]) EXPECT_EQ(row["used_slots"], row["planned_slots"]);
}

// Streams that stop early: with RTL alone the destination sees no end, only that a word does not come.
// Both circuits cross the link between the middle switches with all slots: on two links each has one of its own, and
// sends as if it were alone.
TEST(ScheduleReplay, CircuitsSideBySideOnParallelLinks) {
  const ScratchFolder folder;
  const std::string file = folder.write("workload.txt", "0 10 4 0 2 f a\n0 10 4 1 3 g a\n");
  const auto run = [&](const std::string& trunk) {
    const ProgramResult r =
        weft({"schedule", file, "--topology", "mesh", "--dims", "4", "--trunk", trunk, "--slots", "2",
              "--slots-per-flow", "2", "--run", "--time-unit", "1us", "--out", folder.path("out"), "--json"});
    return std::pair(r, r.status == 0 ? Json::parse(r.out) : Json());
  };
  EXPECT_THAT(run("1").first.err, HasSubstr("the schedule has no circuits"));
  const Json r = run("2").second;
  const Json rows = r["tables"]["replay"]["rows"];
  ASSERT_EQ(rows.size(), 2);
  for (const auto& row : rows) {
    EXPECT_EQ(row["used_slots"], "0 1");
    EXPECT_EQ(row["requests"], 1);
    // Acknowledged in 3; from then on a word in every cycle until 1000, in slots that may begin with a wait of one.
    EXPECT_GE(row["words"], 1000 - 6);
  }
  EXPECT_EQ(replay_figure(r, "circuits_refused"), 0);
  const std::string log = slurp(folder.path("out/schedule_log_fcfs.jsonl"));
  EXPECT_THAT(log, AllOf(HasSubstr("sw[1].port1 -> sw[2]"), HasSubstr("sw[1].port2 -> sw[2]")));
}

TEST(ScheduleReplay, RtlGivesTheSame) {
  const ScratchFolder folder;
  const std::string jobs = "0 10 3 0 2 f a\n0 10 3 1 0 g a\n10 7 3 0 2 h b\n12 5 3 2 0 i c\n";
  const auto tables = [&](const char* implementation) {
    const Json r =
        replay_report(folder, jobs, {"--set", fmt::format("switch.data_path.implementation={}", implementation)});
    return r["tables"]["replay"].dump() + r["tables"]["replay_jobs"].dump();
  };
  const std::string model = tables("model");
  EXPECT_EQ(tables("rtl"), model);
  EXPECT_EQ(tables("lockstep"), model);
}

TEST(ScheduleReplay, BadInput) {
  const ScratchFolder folder;
  const std::string good = folder.write("good.txt", "0 10 3 0 2 f a\n20 5 3 2 0 g b\n");
  const auto error = [&](Arguments arguments) {
    arguments.insert(arguments.end(), {"--out", folder.path("out")});
    const ProgramResult r = weft(arguments);
    EXPECT_EQ(r.status, 2) << r.out;
    EXPECT_THAT(r.out, IsEmpty());
    return r.err;
  };
  const Arguments plain{"schedule", good, "--topology", "mesh", "--dims", "3"};
  const auto with = [&](const Arguments& more) {
    Arguments a = plain;
    a.insert(a.end(), more.begin(), more.end());
    return error(a);
  };
  EXPECT_THAT(with({"--time-unit", "1us"}), HasSubstr("--run"));
  EXPECT_THAT(with({"--set", "setup.backoff=1cycle"}), HasSubstr("--run"));
  EXPECT_THAT(with({"--run", "--replay-slots", "planed"}), HasSubstr("planed"));
  EXPECT_THAT(with({"--run", "--time-unit", "1"}), HasSubstr("--time-unit 1: error: "));
  EXPECT_THAT(with({"--run", "--time-unit", "0us"}), HasSubstr("--time-unit 0us: error: "));
  EXPECT_THAT(with({"--run", "--policy", "all"}), HasSubstr("--policy all: error: --run replays the schedule of one"));
  EXPECT_THAT(with({"--run", "--detail", "off"}), HasSubstr("--detail off: error: --run needs the whole schedule"));
  EXPECT_THAT(with({"--run", "--slots", "1"}), HasSubstr("--slots 1: error: a replay needs 2 to 4096 slots"));
  EXPECT_THAT(with({"--run", "--set", "switch.slots=4"}), HasSubstr("use --slots"));
  EXPECT_THAT(with({"--run", "--set", "topology.kind=torus"}), HasSubstr("expected a key of switch or setup"));
  EXPECT_THAT(with({"--run", "--set", "setup.routes=2"}), HasSubstr("on the routes of the schedule"));
  EXPECT_THAT(with({"--run", "--set", "setup.proccessing=2cycles"}), HasSubstr("did you mean 'processing'?"));
  EXPECT_THAT(with({"--run", "--time-unit", "10ns"}),
              HasSubstr("--time-unit 10ns: error: job b runs for 5 cycles, less than the 8 of a frame"));
  EXPECT_THAT(error({"schedule", folder.write("long.txt", "0 100000000000 3 0 2 f a\n"), "--topology", "mesh", "--dims",
                     "3", "--run"}),
              AllOf(HasSubstr("the schedule lasts 100000000000 units"), HasSubstr("46 days")));
  EXPECT_THAT(error(replay_of(folder.write("silent.txt", "0 10 3 - - f a\n"))), HasSubstr("no circuits"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("out"))) << "a replay that is refused leaves something behind";
}

}  // namespace
}  // namespace weft::test
