// `weft schedule` and `weft workload` as a user starts them: results, the log checked on its own, the paper's text
// output, bad input.

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string kWorkloads = source_dir() + "/configs/workloads/";

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(Json::parse(line));
  return out;
}

// A backfilled job takes the nodes of the one whose turn it is: from then on these are what it lacks.
TEST(Schedule, BlockedByWhatIsLackedAfterBackfilling) {
  const ScratchFolder folder;
  folder.write("jobs.txt", "0 1 1 - - 0 j0\n0 2 1 - - 0 j1\n1 9 2 0 1 0 A\n2 5 2 0 1 0 H\n2 5 2 - - 0 K\n");
  const ProgramResult r =
      weft({"schedule", "jobs.txt", "--topology", "mesh", "--dims", "4", "--slots", "1", "--policy", "easy", "--json"},
           {folder.path()});
  ASSERT_EQ(r.status, 0) << r.err;
  const Json figures = Json::parse(r.out)["tables"]["policies"]["rows"][0];
  EXPECT_EQ(figures["blocked_by_nodes"], 5);  // K runs from 2 to 7
  EXPECT_EQ(figures["blocked_by_slots"], 3);
}

/// Everything that is wrong with a log, from the log alone: who has which node and which slot of which link when, that
/// jobs end when they should, and that no job starts later than promised.
std::vector<std::string> faults(const std::vector<Json>& log) {
  std::vector<std::string> out;
  std::map<int, std::string> node_owner;
  std::map<std::pair<std::string, int>, std::string> slot_owner;
  std::map<std::string, Json> submitted;
  std::map<std::string, Json> running;
  std::map<std::string, long> promised;
  long now = 0;
  const long slots = log.front()["slots"].get<long>();
  const long nodes = log.front()["nodes"].get<long>();
  for (std::size_t i = 1; i < log.size(); ++i) {
    const Json& e = log[i];
    const std::string event = e["event"];
    const std::string job = e["job"];
    const auto fault = [&](const std::string& what) {
      out.push_back(fmt::format("line {}: job {} {}", i + 1, job, what));
    };
    if (e["time"].get<long>() < now) fault("is back in time");
    now = e["time"].get<long>();
    if (event == "submit") {
      submitted[job] = e;
    } else if (event == "reject") {
      if (submitted.erase(job) != 1) fault("is rejected but was not submitted");
    } else if (event == "reserve") {
      promised[job] = e["start_by"].get<long>();
    } else if (event == "start") {
      const auto at = submitted.find(job);
      if (at == submitted.end()) {
        fault("starts but does not wait");
        continue;
      }
      if (e["end"].get<long>() != now + at->second["run"].get<long>()) fault("does not run for its time");
      if (e["nodes"].size() != at->second["nodes"].get<std::size_t>()) fault("has not as many nodes as it asked for");
      if (promised.count(job) > 0 && now > promised[job]) fault("starts later than promised");
      std::set<int> own;
      for (const int n : e["nodes"]) {
        own.insert(n);
        if (n >= nodes || !node_owner.emplace(n, job).second) fault("has a node of another job");
      }
      for (const Json& c : e["circuits"]) {
        if (own.count(c["source"]) == 0) fault("sends from a node it has not");
        for (const int d : c["destinations"]) {
          if (own.count(d) == 0) fault("sends to a node it has not");
        }
        for (const std::string link : c["links"]) {
          for (const int s : c["slots"]) {
            if (s >= slots || !slot_owner.emplace(std::pair(link, s), job).second)
              fault("has a slot of another circuit");
          }
        }
      }
      running[job] = e;
      submitted.erase(at);
    } else {
      const auto at = running.find(job);
      if (at == running.end() || at->second["end"].get<long>() != now) {
        fault("ends but should not");
        continue;
      }
      const auto owned = [&](const auto& entry) { return entry.second == job; };
      std::erase_if(node_owner, owned);
      std::erase_if(slot_owner, owned);
      running.erase(at);
    }
  }
  if (!submitted.empty()) out.push_back("jobs wait at the end");
  if (!running.empty()) out.push_back("jobs run at the end");
  return out;
}

Json schedule_report(const Arguments& arguments) {
  const ScratchFolder folder;
  const ProgramResult r = weft(with(arguments, {"--out", folder.path("out"), "--json"}));
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, IsEmpty());
  EXPECT_EQ(r.out, slurp(folder.path("out/report.json")));
  return Json::parse(r.out);
}

TEST(Schedule, ThePaperSizedWorkloadUnderAllPolicies) {
  const ScratchFolder folder;
  const ProgramResult r =
      weft({"schedule", kWorkloads + "poisson_4x4.txt", "--topology", "mesh", "--dims", "4,4", "--slots", "2",
            "--nodes-policy", "random", "--policy", "all", "--out", folder.path("out")});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("jobs                         96"), HasSubstr("fcfs         easy          lff")));
  for (const char* file : {"report.json", "report.html", "policies.csv", "utilization.csv", "jobs.csv", "rejected.csv",
                           "nodes_over_time.svg", "slots_over_time.svg", "waiting_over_time.svg"}) {
    EXPECT_TRUE(fs::exists(folder.path(std::string("out/") + file))) << file;
  }
  for (const std::string policy : {"fcfs", "easy", "lff"}) {
    const std::vector<Json> log = lines_of(slurp(folder.path("out/schedule_log_" + policy + ".jsonl")));
    EXPECT_GT(log.size(), 96u * 2);
    EXPECT_THAT(faults(log), IsEmpty()) << policy;
    EXPECT_THAT(slurp(folder.path("out/gantt_nodes_" + policy + ".svg")), HasSubstr("node 15"));
    EXPECT_THAT(slurp(folder.path("out/gantt_link_" + policy + ".svg")), HasSubstr("slot 1"));
  }
}

// The checker sees what it is there for.
TEST(Schedule, TheLogCheckerSeesFaults) {
  const ScratchFolder folder;
  ASSERT_EQ(weft({"schedule", kWorkloads + "poisson_4x4.txt", "--dims", "4,4", "--slots", "4", "--policy", "easy",
                  "--out", folder.path("out")})
                .status,
            0);
  const std::vector<Json> log = lines_of(slurp(folder.path("out/schedule_log_easy.jsonl")));
  ASSERT_THAT(faults(log), IsEmpty());
  std::vector<Json> changed = log;
  for (Json& e : changed) {
    if (e["event"] == "reserve") e["start_by"] = e["time"];
  }
  EXPECT_THAT(faults(changed), testing::Contains(HasSubstr("starts later than promised")));
  changed = log;
  std::size_t running = 0;
  for (Json& e : changed) {  // the second of two jobs that run side by side takes a node of the first
    if (e["event"] == "start" && ++running == 2) e["nodes"][0] = 0;
  }
  EXPECT_THAT(faults(changed), testing::Contains(HasSubstr("has a node of another job")));
  changed = log;
  for (Json& e : changed) {
    if (e["event"] == "start" && e["circuits"].size() > 1) e["circuits"][1] = e["circuits"][0];
  }
  EXPECT_THAT(faults(changed), testing::Contains(HasSubstr("has a slot of another circuit")));
}

// What the paper's Figure 13 shows of its example run, letter by letter (arrows as "-->").
TEST(Schedule, Figure13) {
  const ScratchFolder folder;
  ASSERT_EQ(weft({"schedule", kWorkloads + "figure13.txt", "--dims", "4,4", "--out", folder.path("out")}).status, 0);
  const std::string text = slurp(folder.path("out/schedule_tables_fcfs.txt"));
  const std::size_t begin = text.find("##### Time 5 #####");
  ASSERT_NE(begin, std::string::npos);
  const std::string at5 = text.substr(begin, text.find("#####", begin + 20) - begin);
  EXPECT_THAT(at5, HasSubstr("=== Jobs ===\n"
                             "Job 1: running from 4 to 10 on nodes 0 1\n"
                             "Job 2: running from 5 to 15 on nodes 2 3 4 5 6 7 8\n"
                             "Nodes in use: 9 of 16 (56.2 %)\n"));
  for (const char* shown :
       {"Pair ID 4 (Flow ID 0, Job 1):\nSW 0 (port 0->1) - [slot 0] -> SW 1 (port 2->0)\n",
        "Pair ID 5 (Flow ID 0, Job 2):\nSW 6 (port 0->1) - [slot 0] -> SW 7 (port 2->0)\n",
        "Pair ID 6 (Flow ID 1, Job 2):\nSW 5 (port 0->1) - [slot 0] -> SW 6 (port 2->4) - [slot 0] -> SW 2 (port "
        "3->0)\n",
        "=== Port information for each switch ===\n",
        "Port 0 (Slot 0) --> Port 1 (Slot 0), from node 0 to node 1 (Pair ID 4, Flow ID 0, Job 1)\n",
        "Port 1 (Slot 1) --> Port 3 (Slot 1), from node 3 to node 8 (Pair ID 8, Flow ID 2, Job 2)\n",
        "Port 2 (Slot 0) --> Port 0 (Slot 0), from node 0 to node 1 (Pair ID 4, Flow ID 0, Job 1)\n",
        "Port 1 (Slot 1) --> Port 2 (Slot 1), from node 3 to node 8 (Pair ID 8, Flow ID 2, Job 2)\n",
        "Port 3 (Slot 0) --> Port 0 (Slot 0), from node 5 to node 2 (Pair ID 6, Flow ID 1, Job 2)\n"}) {
    EXPECT_THAT(at5, HasSubstr(shown));
  }
}

TEST(Schedule, EqualRunsWriteEqualFiles) {
  const ScratchFolder folder;
  std::map<std::string, std::string> first;
  for (const char* round : {"1", "2"}) {
    const std::string out = folder.path("out");
    ASSERT_EQ(weft({"schedule", kWorkloads + "poisson_4x4.txt", "--dims", "4,4", "--slots", "4", "--policy", "all",
                    "--nodes-policy", "random", "--seed", "9", "--out", out})
                  .status,
              0);
    for (const auto& entry : fs::directory_iterator(out)) {
      const std::string name = entry.path().filename();
      if (name.starts_with(".") || name == "run.json") continue;  // they have times
      if (*round == '1') {
        first[name] = slurp(entry.path());
      } else {
        EXPECT_EQ(slurp(entry.path()), first[name]) << name;
      }
    }
  }
  EXPECT_GT(first.size(), 15u);
}

TEST(Schedule, ATraceWithPatterns) {
  const Arguments base{"schedule", kWorkloads + "sample.swf", "--dims", "8,8", "--policy", "easy"};
  const Json r = schedule_report(with(base, {"--pattern", "ring"}));
  EXPECT_EQ(r["figures"]["workload"]["jobs"]["value"], 13);
  EXPECT_EQ(r["figures"]["easy"]["jobs_rejected"]["value"], 1);
  EXPECT_EQ(r["figures"]["easy"]["jobs_run"]["value"], 12);
  EXPECT_EQ(r["tables"]["rejected"]["rows"][0]["job"], "13");
  EXPECT_GT(r["figures"]["easy"]["slot_utilization"]["value"], 0.0);
  const Json silent = schedule_report(with(base, {"--pattern", "none"}));
  EXPECT_EQ(silent["figures"]["easy"]["circuits"]["value"], 0);
  const Json packed = schedule_report(with(base, {"--procs-per-node", "4"}));
  EXPECT_EQ(packed["figures"]["easy"]["jobs_rejected"]["value"], 0);
}

// Job a runs on both switches from 10 to 20, a pause comes, b runs from 50 to 60. Averages end with the last end,
// though jobs that cannot run are submitted before the first and after the last.
TEST(Schedule, AveragesRunFromTheFirstSubmissionToTheLastEnd) {
  const ScratchFolder folder;
  const auto report = [&](const std::string& jobs) {
    return schedule_report({"schedule", folder.write("jobs.txt", jobs), "--topology", "mesh", "--dims", "4", "--slots",
                            "2", "--policy", "fcfs"});
  };
  const auto figure = [](const Json& r, const char* key) { return r["figures"]["fcfs"][key]["value"]; };
  const std::string runs = "10 10 2 0 1 f a\n30 1 17 - - f y\n50 10 2 0 1 f b\n";
  for (const auto& [jobs, from] :
       {std::pair(runs, 10), std::pair("0 1 17 - - f x\n" + runs + "190 1 17 - - f z\n", 0)}) {
    const Json r = report(jobs);
    const double time = 60 - from;
    EXPECT_EQ(figure(r, "makespan"), 60 - from);
    EXPECT_DOUBLE_EQ(figure(r, "node_utilization"), 2 * 20 / (4 * time));
    // A circuit has three links of the four from nodes, the four to nodes and the six between switches.
    EXPECT_DOUBLE_EQ(figure(r, "slot_utilization"), 3 * 20 / (2 * 14 * time));
    EXPECT_DOUBLE_EQ(figure(r, "busiest_link_utilization"), 20 / (2 * time));
    double nodes = 0;
    double to = from;
    for (const Json& row : r["tables"]["utilization"]["rows"]) {
      EXPECT_EQ(row["from"], to);
      to = row["to"];
      nodes += row["nodes"].get<double>() * (to - row["from"].get<double>());
    }
    EXPECT_EQ(to, 60);
    EXPECT_DOUBLE_EQ(nodes, 2 * 20);
  }
  const Json none = report("0 1 17 - - f x\n90 1 17 - - f z\n");
  EXPECT_EQ(figure(none, "node_utilization"), 0.0);
  EXPECT_TRUE(none["tables"]["utilization"]["rows"].empty());
}

// Jobs that a pattern does not fit are reported; the others run.
TEST(Schedule, APatternThatDoesNotFitAllJobs) {
  const Json r = schedule_report(
      {"schedule", kWorkloads + "sample.swf", "--dims", "8,8", "--policy", "easy", "--pattern", "bit_reversal"});
  EXPECT_GT(r["figures"]["easy"]["jobs_run"]["value"].get<int>(), 0);
  ASSERT_FALSE(r["tables"]["rejected"]["rows"].empty());
  bool told = false;
  for (const Json& row : r["tables"]["rejected"]["rows"]) {
    told = told || row["reason"].get<std::string>().find("needs a power of two of nodes") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

// Options say what the network is; fewer slots let fewer jobs run.
TEST(Schedule, OptionsHaveTheirEffect) {
  const Arguments base{"schedule", kWorkloads + "poisson_4x4.txt"};
  const auto rejected = [](const Json& r) { return r["figures"]["fcfs"]["jobs_rejected"]["value"].get<int>(); };
  const Json mesh = schedule_report(with(base, {"--dims", "4,4", "--slots", "4"}));
  EXPECT_EQ(rejected(mesh), 0);
  EXPECT_GT(rejected(schedule_report(with(base, {"--dims", "4,4", "--slots", "1"}))), 0);
  EXPECT_GT(rejected(schedule_report(with(base, {"--dims", "4,4", "--slots", "4", "--slots-per-flow", "4"}))), 0);
  const Json tree =
      schedule_report(with(base, {"--topology", "tree", "--arity", "4", "--levels", "2", "--slots", "8"}));
  EXPECT_EQ(tree["figures"]["workload"]["network"]["value"], "4-ary 2-tree");
  const Json off = schedule_report(with(base, {"--dims", "4,4", "--detail", "off"}));
  EXPECT_FALSE(off["tables"].contains("jobs"));
  EXPECT_TRUE(mesh["tables"].contains("jobs"));
  const Json boxes = schedule_report(with(base, {"--dims", "4,4", "--slots", "4", "--nodes-policy", "contiguous"}));
  EXPECT_NE(boxes["tables"]["jobs"], mesh["tables"]["jobs"]);
}

TEST(Schedule, BadInput) {
  const ScratchFolder folder;
  const auto error = [&](const Arguments& arguments) {
    const ProgramResult r = weft(arguments);
    EXPECT_EQ(r.status, 2) << r.out;
    EXPECT_THAT(r.out, IsEmpty());
    return r.err;
  };
  const std::string bad = folder.write("bad.txt", "0 5 4 0 4 0 a\n-1 5 2 0 1 0 b\n");
  EXPECT_EQ(
      error({"schedule", bad, "--dims", "4,4"}),
      bad + ":1:9: error: destination: expected a node of the job, 0 to 3 (or '- -' for no communication), got '4'\n" +
          bad + ":2:1: error: submit_time: expected a whole number from 0 to 1000000000000, got '-1'\n");
  EXPECT_THAT(error({"schedule", folder.path("none.txt"), "--dims", "4,4"}), HasSubstr("cannot be read"));
  const std::string good = kWorkloads + "figure13.txt";
  EXPECT_THAT(error({"schedule", good}), HasSubstr("command line: error: topology 'mesh' needs --dims"));
  EXPECT_THAT(error({"schedule", good, "--dims", "4,x"}), HasSubstr("--dims 4,x: error: topology.dims.1: expected"));
  EXPECT_THAT(error({"schedule", good, "--topology", "mseh", "--dims", "4,4"}), HasSubstr("did you mean 'mesh'?"));
  EXPECT_THAT(error({"schedule", good, "--topology", "tree,arity", "--dims", "4"}),
              HasSubstr("unknown value 'tree,arity'"));
  EXPECT_THAT(error({"schedule", good, "--dims", "4,4", "--pattern", "rnig"}), HasSubstr("did you mean 'ring'?"));
  EXPECT_THAT(error({"schedule", good, "--dims", "4,4", "--policy", "esay"}),
              HasSubstr("--policy esay: error: expected one of fcfs, easy, lff, all; did you mean 'easy'?"));
  EXPECT_THAT(error({"schedule", good, "--dims", "4,4", "--nodes-policy", "x"}),
              HasSubstr("--nodes-policy x: error: expected one of first_fit, contiguous, random"));
  for (const char* option : {"--pattern=ring", "--procs-per-node=1", "--run-time=5"}) {
    const std::string name = std::string(option).substr(0, std::string(option).find('='));
    EXPECT_THAT(error({"schedule", good, "--dims", "4,4", option}), HasSubstr(name + ": error: has no effect"));
  }
  EXPECT_THAT(error({"schedule", kWorkloads + "sample.swf", "--dims", "8,8", "--run-time", "5"}),
              HasSubstr("--run-time: error: has no effect"));
  EXPECT_THAT(error({"workload", good, "--pattern", "ring"}), HasSubstr("--pattern: error: has no effect"));
  EXPECT_THAT(error({"workload", kWorkloads + "sample.swf", "--pattern", "bit_reversal"}),
              HasSubstr("job 14: pattern 'bit_reversal' needs a power of two of nodes"));
  for (const Arguments& option : {Arguments{"--run-time", "4"}, {"--procs-per-node", "2"}, {"--format", "swf"}}) {
    EXPECT_THAT(error(with({"workload", "--generate", "5"}, option)), HasSubstr(option[0] + ": error: has no effect"));
  }
  for (const Arguments& option : {Arguments{"--mean-run", "3"}, {"--sizes", "7"}, {"--mean-interarrival", "2"}}) {
    EXPECT_THAT(error(with({"workload", kWorkloads + "sample.swf"}, option)),
                HasSubstr(option[0] + ": error: has no effect without --generate"));
  }
  EXPECT_THAT(error({"workload", good, "--seed", "2"}), HasSubstr("--seed: error: has no effect"));
  EXPECT_THAT(error({"schedule", good, "--dims", "4,4", "--seed", "2"}), HasSubstr("--seed: error: has no effect"));
}

TEST(WorkloadCommand, GeneratesAndConverts) {
  const Arguments generate{"workload", "--generate", "96", "--pattern", "mixed"};
  const ProgramResult a = weft(generate);
  EXPECT_EQ(a.status, 0) << a.err;
  EXPECT_EQ(a.out, slurp(kWorkloads + "poisson_4x4.txt")) << "the file in configs is what the command makes";
  EXPECT_NE(weft(with(generate, {"--seed", "2"})).out, a.out);
  const ScratchFolder folder;
  const ProgramResult b = weft({"workload", source_dir() + "/configs/tdm/figure10.txt", "--run-time", "20", "--out",
                                folder.path("figure10.txt")});
  EXPECT_EQ(b.status, 0) << b.err;
  EXPECT_THAT(b.err, HasSubstr("every job is submitted at 0 and runs for 20"));
  EXPECT_THAT(slurp(folder.path("figure10.txt")), AllOf(HasSubstr("0 20 7 0 6 0 1\n"), HasSubstr("0 20 7 4 5 4 1\n")));
  EXPECT_EQ(weft({"schedule", folder.path("figure10.txt"), "--dims", "4,4", "--out", folder.path("out")}).status, 0);
  EXPECT_EQ(weft({"workload"}).status, 2);
  EXPECT_THAT(weft({"workload", kWorkloads + "sample.swf", "--generate", "5"}).err, HasSubstr("either a file"));
}

}  // namespace
}  // namespace weft::test
