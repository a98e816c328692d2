// weft sweep --launcher with programs that stand for Slurm and Open MPI: the bytes of a local run, whatever happens to
// workers, job and launcher. tests/slurm/run holds the same against a real Slurm.

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/diagnostics.h"
#include "support/sweep_folder.h"
#include "sweep/launch/launcher.h"
#include "sweep/result_store.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

// Tasks of a job array are processes, whose numbers are in $FAKE. `refuse`: no job is taken. `idle.<task>`: the worker
// of that task is killed before it begins, once. `limit`: workers are killed after so many seconds.
constexpr const char* kSbatch = R"sh(#!/bin/sh
echo "$@" >> "$FAKE/sbatch.calls"
if [ -e "$FAKE/refuse" ]; then echo "sbatch: error: invalid partition specified: long" >&2; exit 1; fi
while [ $# -gt 1 ]; do
  if [ "$1" = --array ]; then tasks=$2; fi
  shift
done
limit=$(cat "$FAKE/limit" 2>/dev/null || echo 1000)
job=$(($(cat "$FAKE/last" 2>/dev/null || echo 100) + 1))
echo $job > "$FAKE/last"
for range in $(echo "$tasks" | tr , ' '); do
  for task in $(seq "${range%-*}" "${range#*-}"); do
    program="sh $1"
    if [ -e "$FAKE/idle.$task" ]; then program=true; rm "$FAKE/idle.$task"; fi
    SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_ON_NODE=1 setsid timeout -s KILL "$limit" $program >/dev/null 2>&1 &
    echo $! > "$FAKE/$job.$task"
  done
done
echo "$job;cluster"
)sh";
constexpr const char* kSqueue = R"sh(#!/bin/sh
while [ $# -gt 0 ]; do
  if [ "$1" = --jobs ]; then job=$2; fi
  shift
done
known=no
for file in "$FAKE/$job".*; do
  [ -e "$file" ] || continue
  known=yes
  case "$(cut -d ' ' -f 3 "/proc/$(cat "$file")/stat" 2>/dev/null)" in ''|Z) ;; *) echo RUNNING;; esac
done
if [ $known = no ]; then echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1; fi
)sh";
constexpr const char* kScancel = R"sh(#!/bin/sh
echo "$1" >> "$FAKE/scancel.calls"
for file in "$FAKE/$1".*; do kill -s TERM -- "-$(cat "$file")" 2>/dev/null; done
exit 0
)sh";
constexpr const char* kMpirun = R"sh(#!/bin/sh
printf "%s\n" "$*" >> "$FAKE/mpirun.calls"
ranks=$2
for script; do :; done
rank=0
while [ $rank -lt $ranks ]; do
  OMPI_COMM_WORLD_RANK=$rank sh "$script" &
  rank=$((rank + 1))
done
wait
)sh";

// Runs of about a quarter of a second each.
constexpr const char* kSlowWorkers = R"(sweep: net.yaml
set: { run.measure: 160ms, sources.interval: 10us }
axes: [ { key: switch.slots, values: [8, 9, 10, 11] } ]
seeds: 4
metrics: { latency: sections.run.latency_max }
)";

class SweepLauncher : public SweepFolderTest {
 protected:
  /// endless.yaml: runs of half a minute.
  void write_endless() const {
    std::string endless = kSlowWorkers;
    endless.replace(endless.find("160ms"), 5, "20s");
    folder_.write("endless.yaml", endless);
  }
  SweepLauncher() {
    folder_.write("net.yaml", kSmallNet);
    folder_.write("sweep.yaml", small_sweep("A launched sweep"));
    folder_.write("slow.yaml", kSlowWorkers);
    fs::create_directory(folder_.path("fake"));
    for (const auto& [name, text] : std::vector<std::pair<std::string, const char*>>{
             {"sbatch", kSbatch}, {"squeue", kSqueue}, {"scancel", kScancel}, {"mpirun", kMpirun}}) {
      folder_.write("fake/" + name, text);
      chmod(folder_.path("fake/" + name).c_str(), 0755);
    }
    setenv("FAKE", folder_.path("fake").c_str(), 1);
    setenv("PATH", (folder_.path("fake") + ":" + path_).c_str(), 1);
  }
  ~SweepLauncher() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("FAKE");
  }
  ProgramResult launch(const std::string& file, int workers, const std::vector<std::string>& more = {}) const {
    return sweep(with({file, "--out", "l", "--launcher", "slurm", "--workers", std::to_string(workers)}, more));
  }
  nlohmann::json launch_json(const std::string& file, int workers) const {
    return nlohmann::json::parse(launch(file, workers, {"--json"}).out);
  }
  std::vector<std::string> calls(const std::string& program) const {
    std::vector<std::string> out;
    if (!fs::exists(folder_.path("fake/" + program + ".calls"))) return out;
    std::istringstream in(slurp(folder_.path("fake/" + program + ".calls")));
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }
  std::size_t stored_in_parts() const {
    std::size_t out = 0;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(folder_.path("l/workers"), ec)) {
      const std::string store = entry.path().string() + "/results.sqlite";
      try {
        if (fs::exists(store)) out += ResultStore(store, ResultStore::Opening::existing).known().size();
      } catch (const InputError&) {
        continue;  // it is being made
      }
    }
    return out;
  }
  void expect_same(const std::string& a, const std::string& b, bool plot = true) const {
    expect_same_files(a, b, {"results.csv", "summary.csv", "report.html", "report.json"});
    if (plot) expect_same_files(a, b, {"waiting.svg"});
  }

  std::string path_ = std::getenv("PATH");
};

TEST_F(SweepLauncher, AJobArrayGivesTheBytesOfALocalRun) {
  ASSERT_EQ(sweep({"sweep.yaml"}).status, 0);
  const ProgramResult r =
      launch("sweep.yaml", 3, {"--launcher-args", "--time=2:00 --comment 'a b'", "--launcher-args=--mem=1G"});
  ASSERT_EQ(r.status, 0) << r.err;
  expect_same("out/sweep", "l");
  EXPECT_THAT(r.err, HasSubstr("job 101: 3 workers for 12 runs\n"));
  EXPECT_THAT(r.out, HasSubstr("run now                      12\n"));
  ASSERT_EQ(calls("sbatch").size(), 1U);
  EXPECT_THAT(calls("sbatch")[0], AllOf(HasSubstr("--array 1-3"), HasSubstr("--time=2:00 --comment a b --mem=1G /"),
                                        Not(HasSubstr("--cpus-per-task"))));
  EXPECT_FALSE(fs::exists(folder_.path("l/workers"))) << "nothing of the workers is left";
  const auto again = launch_json("sweep.yaml", 3);
  EXPECT_EQ(again["ran"], 0);
  EXPECT_EQ(again["stored"], 12);
  EXPECT_EQ(calls("sbatch").size(), 1U) << "no job when nothing is missing";
  expect_same("out/sweep", "l");
}

TEST_F(SweepLauncher, MoreWorkersThanRuns) {
  const auto json = nlohmann::json::parse(launch("sweep.yaml", 40, {"--json", "--jobs", "2"}).out);
  EXPECT_EQ(json["ran"], 12);
  EXPECT_THAT(calls("sbatch"), ElementsAre(AllOf(HasSubstr("--array 1-12 "), HasSubstr("--cpus-per-task 2 "))))
      << "no workers without runs";
}

TEST_F(SweepLauncher, AWorkerThatWasKilledIsReplaced) {
  ASSERT_EQ(sweep({"sweep.yaml"}).status, 0);
  folder_.write("fake/idle.2", "");
  const ProgramResult r = launch("sweep.yaml", 3);
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, AllOf(HasSubstr("1 worker did not start\n"), HasSubstr("job 102: 1 worker for 4 runs\n")));
  EXPECT_THAT(calls("sbatch"), ElementsAre(HasSubstr("--array 1-3 "), HasSubstr("--array 2 ")));
  expect_same("out/sweep", "l");
}

TEST_F(SweepLauncher, AllocationsMayBeShorterThanTheSweep) {
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(sweep({"slow.yaml", "--out", "local", "--jobs", "2"}).status, 0);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
  folder_.write("fake/limit", fmt::format("{:.2f}", whole.count() / 2));
  const auto json = launch_json("slow.yaml", 2);
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["ran"], 16);
  EXPECT_GT(calls("sbatch").size(), 1U);
  expect_same("local", "l", false);
}

TEST_F(SweepLauncher, WithoutProgressItGivesUpAndNamesWhatIsMissing) {
  for (const char* worker : {"fake/idle.1", "fake/idle.2"}) folder_.write(worker, "");
  const ProgramResult r = launch("sweep.yaml", 2);
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, AllOf(HasSubstr("error: 12 runs are in no store: slots=8, interval=40us, seed 1; "),
                           HasSubstr("2 workers did not start\n"), Not(HasSubstr("messages of the workers"))));
  EXPECT_EQ(calls("sbatch").size(), 1U);
  EXPECT_EQ(launch_json("sweep.yaml", 3)["ran"], 12) << "with another number of workers";
}

TEST_F(SweepLauncher, WorkersThatAreKilledLeaveTheirMessages) {
  write_endless();
  folder_.write("fake/limit", "1");
  const ProgramResult r = launch("endless.yaml", 2);
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, AllOf(HasSubstr("error: 16 runs are in no store: "),
                           HasSubstr("2 workers were ended before the end; stored runs count\n"),
                           HasSubstr("messages of the workers: "), HasSubstr("l/workers/part_*.log")));
  EXPECT_EQ(calls("sbatch").size(), 1U);
}

TEST_F(SweepLauncher, PartsOfAnotherConfigurationAreNotTakenOver) {
  ASSERT_EQ(sweep({"sweep.yaml", "--out", "l", "--set", "seeds=1"}).status, 0);
  for (const char* part : {"1", "3"}) {
    ASSERT_EQ(sweep({"sweep.yaml", "--shard", std::string(part) + "/3", "--out", "l/workers/part_" + std::string(part)})
                  .status,
              0);
  }
  folder_.write("net.yaml", std::string(kSmallNet) + "slots: { allocator: dsatur }\n");
  const ProgramResult r = launch("sweep.yaml", 2);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, AllOf(HasSubstr("l/workers/part_1/results.sqlite: error: 4 of its 4 runs are of another "
                                     "configuration or version"),
                           HasSubstr("; it is removed\n"), HasSubstr("job 101: 2 workers for 12 runs")));
  EXPECT_FALSE(fs::exists(folder_.path("l/workers")));
  ASSERT_EQ(sweep({"sweep.yaml", "--out", "local"}).status, 0);
  expect_same("local", "l");
}

TEST_F(SweepLauncher, OnlyWhatIsMissingRuns) {
  ASSERT_EQ(sweep({"sweep.yaml"}).status, 0);
  ASSERT_EQ(sweep({"sweep.yaml", "--out", "l", "--set", "seeds=2"}).status, 0);
  const auto json = launch_json("sweep.yaml", 2);
  EXPECT_EQ(json["stored"], 8);
  EXPECT_EQ(json["ran"], 4);
  expect_same("out/sweep", "l");
}

TEST_F(SweepLauncher, AnInterruptCancelsTheJobAndKeepsWhatIsStored) {
  const ProgramResult r = sweep({"slow.yaml", "--out", "l", "--launcher", "slurm", "--workers", "2"}, 1,
                                [&] { return stored_in_parts() > 0; });
  EXPECT_EQ(r.status, 130);
  EXPECT_THAT(calls("scancel"), ElementsAre("101"));
  EXPECT_THAT(r.err, HasSubstr(" of 16 runs are stored; the same command runs the others\n"));
  const std::size_t kept = ResultStore(folder_.path("l/results.sqlite")).known().size();
  EXPECT_GT(kept, 0U) << "they are joined already";
  ASSERT_LT(kept, 16U);
  const auto json = launch_json("slow.yaml", 2);
  EXPECT_EQ(json["stored"], kept);
  EXPECT_EQ(json["ran"], 16 - kept);
  EXPECT_EQ(json["ok"], true);
}

TEST_F(SweepLauncher, ALauncherThatWasKilledIsFollowedByTheNext) {
  RunningWeft running({"sweep", "slow.yaml", "--out", "l", "--launcher", "slurm", "--workers", "2"}, folder_.path());
  running.wait_until([&] { return stored_in_parts() > 0; });
  ASSERT_TRUE(running.kill()) << "it had ended already";
  const ProgramResult other = launch("slow.yaml", 2, {"--set", "seeds=3"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("l/workers/job.json: error: job 101 still runs the sweep as it was before"));
  EXPECT_EQ(launch("slow.yaml", 2, {"--fresh"}).status, 2) << "the job would go on with the old results";
  const ProgramResult r = launch("slow.yaml", 2);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, HasSubstr("following job 101, which an earlier launch submitted\n"));
  EXPECT_EQ(calls("sbatch").size(), 1U);
  EXPECT_THAT(calls("scancel"), IsEmpty());
  ASSERT_EQ(sweep({"slow.yaml", "--out", "local"}).status, 0);
  expect_same("local", "l", false);
}

TEST_F(SweepLauncher, WhatTheSchedulerRefusesIsSaid) {
  folder_.write("fake/refuse", "");
  const ProgramResult r = launch("sweep.yaml", 2);
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err,
              HasSubstr("error: sbatch: the job was not taken: sbatch: error: invalid partition specified: long"));
  fs::remove(folder_.path("fake/refuse"));
  EXPECT_EQ(launch("sweep.yaml", 2).status, 0);
  fs::remove(folder_.path("fake/sbatch"));
  if (run_program({"sh", "-c", "command -v sbatch"}).status == 0) return;  // a real Slurm is here too
  EXPECT_THAT(launch("sweep.yaml", 2, {"--fresh"}).err, HasSubstr("sbatch: cannot be started: No such file"));
}

TEST_F(SweepLauncher, AWrongPointIsToldBeforeAnythingIsSubmitted) {
  const ProgramResult r = launch("sweep.yaml", 2, {"--set", "axes.0.values=[8, 1]"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("switch.slots: expected a whole number from 2 to 4096, got '1'"));
  EXPECT_THAT(calls("sbatch"), IsEmpty());
  EXPECT_FALSE(fs::exists(folder_.path("l")));
}

TEST_F(SweepLauncher, RunsThatFailAreListedAndNotTriedAgain) {
  folder_.write("packets.yaml", R"(fabric: packet
topology: { kind: mesh, dims: [4, 4] }
qos: { levels: { a: { message: 128B } } }
traffic: [ { level: a, load: 0.2 } ]
run: { warm_up: 1us, measure: 5us, drain: 50us }
)");
  folder_.write("failing.yaml", R"(sweep: packets.yaml
axes: [ { key: traffic.0.load, name: load, values: [0.1, 0.2] } ]
metrics: { x: 'tables.services[service=a].latency_mean' }
)");
  const ProgramResult r = launch("failing.yaml", 2, {"--memory", "16MiB"});
  if (r.status == 0) GTEST_SKIP() << "sanitizers reserve too much for a limit of memory";
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(calls("sbatch").size(), 1U);
  EXPECT_THAT(r.err, AllOf(HasSubstr("error: 2 runs failed:\n"),
                           HasSubstr("load=0.1, seed 1: needs more than the 16 MiB of memory that a run may use")));
  EXPECT_EQ(launch("failing.yaml", 2, {"--memory", "16MiB"}).status, 1);
  EXPECT_EQ(calls("sbatch").size(), 1U) << "not with the same limit";
  EXPECT_EQ(launch("failing.yaml", 2).status, 0);
}

TEST_F(SweepLauncher, ASearchIsLaunchedByCurve) {
  folder_.write("packets.yaml", R"(fabric: packet
topology: { kind: mesh, dims: [4, 4] }
link: { rate: 64Gb/s }
switch: { architecture: iq }
qos: { levels: { a: { message: 64B } } }
traffic: [ { level: a, load: 0.2 } ]
run: { warm_up: 2us, measure: 5us, drain: 20us }
)");
  folder_.write("search.yaml", R"(sweep: packets.yaml
axes: [ { key: switch.iq.vcs, name: vcs, values: [1, 2] }, { key: traffic.0.load, name: load, values: [0.05, 0.9] } ]
metrics: { latency: 'tables.services[service=a].latency_mean' }
plots: { waiting: { x: load, y: latency, series: vcs } }
refine: saturation
)");
  const ProgramResult local = sweep({"search.yaml", "--out", "local"});
  ASSERT_EQ(local.status, 0) << local.err;
  EXPECT_EQ(launch("search.yaml", 2).status, 0);
  expect_same("local", "l");
  EXPECT_EQ(slurp(folder_.path("local/saturation.csv")), slurp(folder_.path("l/saturation.csv")));
  EXPECT_THAT(slurp(folder_.path("l/saturation.csv")),
              AllOf(HasSubstr("\n1,0."), HasSubstr("\n2,0."), HasSubstr("found")));
}

TEST_F(SweepLauncher, RanksOfMpirunAreWorkersToo) {
  ASSERT_EQ(sweep({"sweep.yaml"}).status, 0);
  const ProgramResult r =
      sweep({"sweep.yaml", "--out", "l", "--launcher", "mpi", "--workers", "3", "--launcher-args", "--oversubscribe"});
  ASSERT_EQ(r.status, 0) << r.err;
  expect_same("out/sweep", "l");
  EXPECT_THAT(calls("mpirun"), ElementsAre(HasSubstr("-n 3 --oversubscribe sh ")));
}

// mpirun dies with the command, but cannot stop its ranks then: they end themselves, long before their runs would.
TEST_F(SweepLauncher, RanksOfAnMpirunThatWasKilledEnd) {
  write_endless();
  RunningWeft running({"sweep", "endless.yaml", "--out", "l", "--launcher", "mpi", "--workers", "2"}, folder_.path());
  const auto file = [&](int part, const char* kind) {
    return folder_.path(fmt::format("l/workers/part_{}.{}", part, kind));
  };
  running.wait_until([&] { return fs::exists(file(1, "log")) && fs::exists(file(2, "log")); });
  ASSERT_TRUE(running.kill()) << "it had ended already";
  for (const int part : {1, 2}) {
    std::string status;
    for (int i = 0; i < 200 && status.empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      if (fs::exists(file(part, "status"))) status = slurp(file(part, "status"));
    }
    EXPECT_THAT(status, AnyOf("130\n", "143\n")) << part;
  }
}

TEST_F(SweepLauncher, RanksThatDoNotStartAreCounted) {
  folder_.write("fake/mpirun", "#!/bin/sh\necho no slots >&2\nexit 1\n");
  const ProgramResult r = sweep({"sweep.yaml", "--out", "l", "--launcher", "mpi", "--workers", "3"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, AllOf(HasSubstr("3 workers did not start\n"), HasSubstr("no slots"),
                           Not(HasSubstr("messages of the workers")), Not(HasSubstr("before the end"))));
}

TEST_F(SweepLauncher, WrongOptionsAreSaid) {
  EXPECT_THAT(sweep({"sweep.yaml", "--launcher", "slurm"}).err, HasSubstr("--launcher requires --workers"));
  EXPECT_THAT(sweep({"sweep.yaml", "--workers", "2"}).err, HasSubstr("--workers requires --launcher"));
  EXPECT_EQ(sweep({"sweep.yaml", "--launcher", "pbs", "--workers", "2"}).status, 2);
  EXPECT_EQ(launch("sweep.yaml", 2, {"--shard", "1/2"}).status, 2);
  EXPECT_EQ(launch("sweep.yaml", 2, {"--export-only"}).status, 2);
  EXPECT_EQ(launch("sweep.yaml", 0).status, 2);
  EXPECT_THAT(launch("sweep.yaml", 2, {"--launcher-args", "--comment 'a"}).err,
              HasSubstr("--launcher-args --comment 'a: error: the quote ' has no end"));
  EXPECT_THAT(calls("sbatch"), IsEmpty());
}

TEST(LauncherWords, AreThoseOfAShell) {
  EXPECT_THAT(shell_words("  a  'b c'd \"e'f\" '' "), ElementsAre("a", "b cd", "e'f", ""));
  EXPECT_THAT(shell_words(""), IsEmpty());
  EXPECT_EQ(ranges_text({1, 2, 3, 5, 7, 8}), "1-3,5,7-8");
  EXPECT_EQ(ranges_text({4}), "4");
}

}  // namespace
}  // namespace weft::test
