// Runs that are killed and go on from their last checkpoint: everything they leave behind is, byte for byte, what the
// run leaves that nobody disturbed.

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

constexpr const char* kFile = "checkpoint.weft";

std::string config(const std::string& name) { return source_dir() + "/configs/" + name; }

/// A run that takes a second or two.
struct LongRun {
  std::string name;
  Arguments arguments;
  bool waves = false;
};
void PrintTo(const LongRun& run, std::ostream* out) { *out << run.name; }

Arguments searching(const std::string& trigger) {
  return {config("packet/iq_waves.yaml"), "--set", "run.measure=2ms", "--set",
          "observe.waves={trigger: " + trigger + "}"};
}

// Why there are none on this machine or in this build; empty: there are.
const std::string& why_none() {
  static const std::string why = [] {
    const ScratchFolder folder;
    const ProgramResult r =
        weft({"run", config("ideal/first.yaml"), "--checkpoint-every", "1h", "--out", folder.path("a")});
    return r.status == 2 && r.err.find("there are no checkpoints here") != std::string::npos ? r.err : std::string();
  }();
  return why;
}

class Checkpoint : public ::testing::TestWithParam<LongRun> {
 protected:
  void SetUp() override {
    if (!why_none().empty()) GTEST_SKIP() << why_none();
  }
  // All but what tells of this run alone.
  std::map<std::string, std::string> results(const std::string& folder) const {
    const std::set<std::string> own{"run.json", ".weft-manifest", kFile};
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::directory_iterator(path(folder))) {
      const std::string name = entry.path().filename().string();
      if (own.contains(name)) continue;
      out[name] = slurp(entry.path().string());
      constexpr std::size_t kFstHeader = 330;  // with the date
      if (name.ends_with(".fst")) out[name].erase(0, kFstHeader);
    }
    return out;
  }
  Arguments run(const std::string& folder) const {
    Arguments out = with({"run"}, GetParam().arguments);
    out = with(out, {"--out", path(folder), "--overwrite"});  // of what a killed one has left
    return GetParam().waves ? with(out, {"--waves", path(folder) + "/waves.fst"}) : out;
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  bool has(const std::string& name) const { return fs::exists(path(name)); }

  // Kills the process once it has written a checkpoint that was not there before.
  // False: the program was at its end before.
  bool kill_after_checkpoint(const Arguments& arguments) const {
    const fs::path file = path(std::string("b/") + kFile);
    std::error_code wrong;
    const auto before = fs::last_write_time(file, wrong);
    const bool was_there = !wrong;
    RunningWeft program(arguments, folder_.path());
    const bool written = program.wait_until([&] {
      std::error_code missing;
      const auto now = fs::last_write_time(file, missing);
      return !missing && (!was_there || now != before);
    });
    return program.kill() && written && !has("b/report.json");
  }
  // A run in folder b. On a machine that others use this process may be late, and tries again.
  bool killed_after_checkpoint() const {
    return !never([&] { return kill_after_checkpoint(with(run("b"), {"--checkpoint-every", "20ms"})); });
  }
  static bool never(const std::function<bool()>& try_once) {
    constexpr int kTries = 10;
    for (int i = 0; i < kTries; ++i) {
      if (try_once()) return false;
    }
    return true;
  }

  ScratchFolder folder_;
};

TEST_P(Checkpoint, EndsWithTheReportOfAnUndisturbedRun) {
  const ProgramResult whole = weft(run("a"), {folder_.path()});
  ASSERT_EQ(whole.status, 0) << whole.err;
  ASSERT_TRUE(killed_after_checkpoint());
  // A process that goes on writes some, too, unless the disk is so slow that it is at its end before.
  kill_after_checkpoint({"run", "--resume", "b"});
  if (has(std::string("b/") + kFile)) {
    const ProgramResult rest = weft({"run", "--resume", "b"}, {folder_.path()});
    ASSERT_EQ(rest.status, 0) << rest.err;
    EXPECT_THAT(rest.err, HasSubstr("note: going on with "));
  }
  EXPECT_EQ(results("b"), results("a"));
  EXPECT_FALSE(has(std::string("b/") + kFile));

  // All is in the manifest: nothing stands in the way of the next run.
  const ProgramResult again = weft(run("b"), {folder_.path()});
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.err, Not(HasSubstr("not written by Weft")));
  EXPECT_EQ(results("b"), results("a"));
}

INSTANTIATE_TEST_SUITE_P(
    Families, Checkpoint,
    ::testing::Values(LongRun{"iq", {config("packet/iq_mesh_8x8.yaml"), "--set", "run.measure=1ms"}},
                      LongRun{"ib", {config("packet/first.yaml"), "--set", "run.measure=8ms"}},
                      LongRun{"tdm", {config("tdm/traffic_on_demand.yaml"), "--set", "run.measure=2ms"}},
                      LongRun{"optweb", {config("optweb/traffic_8.yaml"), "--set", "run.measure=200ms"}},
                      LongRun{"ideal", {config("ideal/first.yaml"), "--set", "run.measure=3ms"}},
                      LongRun{"program", {config("packet/mm_torus_16.yaml")}},
                      LongRun{
                          "lockstep_with_waves", {config("tdm/lockstep_4x4.yaml"), "--set", "run.measure=60us"}, true},
                      LongRun{"around_a_message", searching("{level: long, number: 1000}"), true}),
    [](const auto& test) { return test.param.name; });

class CheckpointOfARun : public Checkpoint {};
INSTANTIATE_TEST_SUITE_P(Iq, CheckpointOfARun,
                         ::testing::Values(LongRun{"iq",
                                                   {config("packet/iq_mesh_8x8.yaml"), "--set", "run.measure=1ms"}}));

// An interrupted run in folder b.
class InterruptedRun : public Checkpoint {
 protected:
  void SetUp() override {
    Checkpoint::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(weft(run("a"), {folder_.path()}).status, 0);
    ProgramResult part;
    ASSERT_FALSE(never([&] {
      fs::remove_all(path("b"));
      part = weft(with(run("b"), {"--checkpoint-every", "1h"}),
                  {folder_.path(), 100, when_there(path("b/.weft-manifest"))});
      return part.status != 0;
    }));
    ASSERT_EQ(part.status, 130) << part.err;
    EXPECT_THAT(part.err, AllOf(HasSubstr("the report is partial"), HasSubstr("weft run --resume " + path("b"))));
    EXPECT_TRUE(has("b/report.json"));
    EXPECT_NE(results("b"), results("a"));
  }
  void goes_on_to_its_end() const {
    const ProgramResult rest = weft({"run", "--resume", path("b")});
    ASSERT_EQ(rest.status, 0) << rest.err;
    EXPECT_THAT(rest.err, Not(HasSubstr("partial")));
    EXPECT_EQ(results("b"), results("a"));
  }
};
// The second is interrupted while a copy of it looks for the message, which never comes.
INSTANTIATE_TEST_SUITE_P(Iq, InterruptedRun,
                         ::testing::Values(LongRun{"iq",
                                                   {config("packet/iq_mesh_8x8.yaml"), "--set", "run.measure=1ms"}},
                                           LongRun{"searching", searching("{level: long, number: 100000000}"), true}),
                         [](const auto& test) { return test.param.name; });

TEST_P(InterruptedRun, GoesOnToItsEnd) { goes_on_to_its_end(); }

// Once its partial report is removed, a signal waits until the memory of the run is back.
TEST_P(InterruptedRun, IsInterruptedWhileItBeginsToGoOn) {
  const ProgramResult again =
      weft({"run", "--resume", path("b")}, {folder_.path(), 1, [&] { return !has("b/report.json"); }});
  ASSERT_EQ(again.status, 130) << again.err;
  EXPECT_THAT(again.err, HasSubstr("the report is partial"));
  EXPECT_TRUE(has("b/report.json"));
  goes_on_to_its_end();
}

// A log and a lock of the shell that starts the run: what others write and hold meanwhile stays.
TEST_P(CheckpointOfARun, LeavesTheFilesOfItsShellAlone) {
  const std::string script = fmt::format(
      "exec 8> log; echo one >&8; exec 9> lock; flock 9\n"
      "'{0}' run '{1}' --set run.measure=2ms --out c --checkpoint-every 20ms & run=$!\n"
      "for i in $(seq 500); do [ -e c/checkpoint.weft ] && break; sleep 0.02; done\n"
      "kill -KILL $run; wait $run; exec 8>&-; echo two >> log\n"
      "exec 7> other; '{0}' run --resume c & run=$!\n"
      "sleep 0.5; echo three >&7; wait $run\n",
      weft_program(), config("packet/iq_mesh_8x8.yaml"));
  ASSERT_FALSE(never([&] {
    fs::remove_all(path("c"));
    const ProgramResult r = run_program({"bash", "-c", script}, {folder_.path()});
    return r.status == 0 && r.err.find("going on with") != std::string::npos;
  }));
  EXPECT_EQ(slurp(path("log")), "one\ntwo\n");
  EXPECT_EQ(slurp(path("other")), "three\n");
}

TEST_P(CheckpointOfARun, IsRefusedWhenItIsNotWhole) {
  ASSERT_TRUE(killed_after_checkpoint());
  const std::string file = path(std::string("b/") + kFile);
  const std::string good = slurp(file);
  const auto resume = [&](const std::string& content) {
    folder_.write(std::string("b/") + kFile, content);
    return weft({"run", "--resume", "b"}, {folder_.path()});
  };
  const auto expect_refusal = [](const ProgramResult& r, const std::string& why) {
    EXPECT_EQ(r.status, 2) << why;
    EXPECT_THAT(r.err, AllOf(HasSubstr("checkpoint.weft"), HasSubstr(why)));
  };
  expect_refusal(resume(""), "is not a checkpoint");
  expect_refusal(resume(std::string(5000, 'x')), "is not a checkpoint");
  expect_refusal(resume(good.substr(0, good.size() - 1)), "is not complete");
  std::string damaged = good;
  damaged[good.size() / 2] = static_cast<char>(damaged[good.size() / 2] ^ 1);
  expect_refusal(resume(damaged), "was damaged");
  ASSERT_EQ(chmod(file.c_str(), 0666), 0);
  expect_refusal(resume(good), "somebody else");
  ASSERT_EQ(chmod(file.c_str(), 0600), 0);
  fs::rename(path("b"), path("c"));
  expect_refusal(weft({"run", "--resume", "c"}, {folder_.path()}), "move it back");
  fs::rename(path("c"), path("b"));
  EXPECT_EQ(resume(good).status, 0);
}

TEST_P(CheckpointOfARun, GoesWithItsResultsOnlyWhenToldTo) {
  ASSERT_TRUE(killed_after_checkpoint());
  Arguments again = run("b");
  std::erase(again, "--overwrite");
  const ProgramResult refused = weft(again, {folder_.path()});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("has the checkpoint of a run that is not over"), HasSubstr("--resume")));
  folder_.write("sweep.yaml", "sweep: " + config("packet/first.yaml") +
                                  "\naxes: [ { key: run.measure, values: [1us] } ]\n"
                                  "metrics: { latency: sections.run.latency_mean }\n");
  for (const Arguments& other : {Arguments{"slots", "--dims", "2,2", "--pattern", "uniform", "--out", path("b")},
                                 Arguments{"sweep", path("sweep.yaml"), "--out", path("b")}}) {
    EXPECT_THAT(weft(other, {folder_.path()}).err, HasSubstr("has the checkpoint of a run")) << other[0];
  }
  EXPECT_TRUE(has(std::string("b/") + kFile));
  const ProgramResult fresh = weft(run("b"), {folder_.path()});
  EXPECT_EQ(fresh.status, 0);
  EXPECT_THAT(fresh.err, IsEmpty());
  EXPECT_FALSE(has(std::string("b/") + kFile));
  const ProgramResult none = weft({"run", "--resume", "b"}, {folder_.path()});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("has no checkpoint (checkpoint.weft)"));
}

// A waveform packs its changes in a thread that comes and goes, and a process with several threads cannot be saved.
TEST(CheckpointWaves, WaitForTheThreadThatPacksThem) {
  if (!why_none().empty()) GTEST_SKIP() << why_none();
  const ScratchFolder folder;
  const ProgramResult r = weft({"run", config("packet/iq_mesh_8x8.yaml"), "--set", "run.measure=25us", "--waves",
                                folder.path("w.fst"), "--checkpoint-every", "5ms", "--out", folder.path("a")});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.err, Not(HasSubstr("no checkpoint")));
  const ProgramResult part = weft({"run", config("packet/iq_mesh_8x8.yaml"), "--set", "run.measure=10ms", "--waves",
                                   folder.path("p.fst"), "--checkpoint-every", "20ms", "--out", folder.path("b")},
                                  {folder.path(), 100, [&] { return fs::exists(folder.path("b/checkpoint.weft")); }});
  EXPECT_EQ(part.status, 130) << "a checkpoint was there when it was interrupted";
}

TEST(CheckpointOptions, AreChecked) {
  const auto error = [](const Arguments& arguments) {
    const ProgramResult r = weft(with({"run"}, arguments));
    EXPECT_EQ(r.status, 2);
    return r.err;
  };
  const std::string first = config("packet/first.yaml");
  for (const char* time : {"10", "0s", "-1s", "1 week", "min", "1e30h", "nans"}) {
    EXPECT_THAT(error({first, std::string("--checkpoint-every=") + time, "--out", "nowhere"}),
                HasSubstr("expected a time on the clock above 0, such as 90s, 10min or 2h"))
        << time;
  }
  EXPECT_FALSE(fs::exists("nowhere"));
  EXPECT_THAT(error({"--resume", "nowhere"}), HasSubstr("is not a folder of results"));
  EXPECT_THAT(error({first, "--resume", "nowhere"}), HasSubstr("excludes"));
  EXPECT_THAT(error({}), HasSubstr("expected a configuration, or --resume FOLDER"));
  EXPECT_THAT(error({first, "--json", "--no-files", "--checkpoint-every", "1s"}), HasSubstr("excludes"));
}

}  // namespace
}  // namespace weft::test
