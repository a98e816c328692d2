// Waveforms around an event: the message that the log of messages says is the one, all signals of its time as in a
// waveform of the whole run, and the end of a run that fails.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>

#include "support/message_log.h"
#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kTriggerPeriod = 5120;  // ps

const char* const kTriggered = R"(
fabric: packet
topology: { kind: torus, dims: [3, 3] }
qos: { levels: { short: { message: 64B }, long: { message: 640B } } }
traffic:
  - { level: short, load: 0.1 }
  - { level: long, load: 0.3 }
run: { warm_up: 0ns, measure: 10us, drain: 40us, settle: false }
observe: { message_log: true }
)";

const char* const kTriggeredCircuits = R"(
fabric: tdm
topology: { kind: mesh, dims: [2, 2] }
switch: { slots: 4, clock: 100MHz }
qos: { levels: { short: { message: 64B }, long: { message: 640B } } }
traffic:
  - { level: short, load: 0.02 }
  - { level: long, load: 0.03 }
run: { warm_up: 0ns, measure: 60us, drain: 100us, settle: false }
observe: { message_log: true }
)";

const char* const kTriggeredOptweb = R"(
fabric: optweb
nodes: 4
qos: { levels: { short: { message: 64B }, long: { message: 640B } } }
traffic:
  - { level: short, load: 0.1 }
  - { level: long, load: 0.2 }
run: { warm_up: 0ns, measure: 30us, drain: 100us, settle: false }
observe: { message_log: true }
)";

class WaveTriggerTest : public ::testing::Test {
 protected:
  void write(const std::string& yaml) { folder_.write("in.yaml", yaml); }
  Vcd run(const std::vector<std::string>& set) {
    std::vector<std::string> arguments{"run", "in.yaml", "--out", "out", "--waves", "w.fst"};
    for (const std::string& s : set) arguments.insert(arguments.end(), {"--set", s});
    result_ = weft(arguments, {folder_.path()});
    return read_fst(folder_.path("w.fst"));
  }
  // The only message that fits, as the log has it; and the waveform of its time is that of the whole run.
  void expect_around(const LoggedMessage& m, std::int64_t period, std::int64_t before, std::int64_t after,
                     const Vcd& part, const Vcd& whole) {
    EXPECT_THAT(result_.out, HasSubstr(" from node " + std::to_string(m.from) + " to node " + std::to_string(m.to)));
    const std::int64_t first = std::max<std::int64_t>(0, m.generated - before) / period * period;
    const std::int64_t end = m.delivered + period + after;  // the last cycle begins before it
    EXPECT_EQ(part.first_time(), static_cast<std::uint64_t>(first));
    EXPECT_GE(part.last_time() + static_cast<std::uint64_t>(period), static_cast<std::uint64_t>(end));
    EXPECT_LT(part.last_time(), static_cast<std::uint64_t>(end + period));
    std::size_t changes = 0;
    for (std::string name : part.names()) {
      const std::size_t bus = name.rfind('[');
      if (bus != std::string::npos && name.find(':', bus) != std::string::npos) name.resize(bus);
      ASSERT_TRUE(part.has(name)) << name;
      for (std::int64_t t = first; t + period <= end; t += period) {
        ASSERT_EQ(part.signal(name).at(static_cast<std::uint64_t>(t)),
                  whole.signal(name).at(static_cast<std::uint64_t>(t)))
            << name << " at " << t;
      }
      changes += part.signal(name).changes.size();
    }
    EXPECT_GT(changes, 50U);
  }
  ScratchFolder folder_;
  ProgramResult result_;
};

TEST_F(WaveTriggerTest, ShowsTheMessageThatTheLogSays) {
  for (const auto& [yaml, period] : {std::pair{kTriggered, kTriggerPeriod}, std::pair{kTriggeredCircuits, 10'000L},
                                     std::pair{kTriggeredOptweb, 5'000L}}) {
    write(yaml);
    const Vcd whole = run({});
    ASSERT_EQ(result_.status, 0) << result_.err;
    const std::string report = slurp(folder_.path("out/report.json"));
    const std::vector<LoggedMessage> log = logged_messages(folder_.path("out/messages.csv"));
    ASSERT_GT(log.size(), 100U);
    // The slowest of the short messages but two: no message of another level counts.
    std::vector<std::int64_t> latencies;
    for (const LoggedMessage& m : log) {
      if (m.level == "short") latencies.push_back(m.delivered - m.generated);
    }
    std::sort(latencies.begin(), latencies.end());
    const std::int64_t limit = latencies[latencies.size() - 4];
    const auto slow = std::find_if(log.begin(), log.end(), [&](const LoggedMessage& m) {
      return m.level == "short" && m.delivered - m.generated > limit;
    });
    const Vcd part = run({"observe.waves.trigger={level: short, latency: " + std::to_string(limit) + "ps}"});
    ASSERT_EQ(result_.status, 0) << result_.err;
    expect_around(*slow, period, 100'000, 100'000, part, whole);
    // But for the keys that ask for it, nothing of the report changes.
    const std::string triggered = slurp(folder_.path("out/report.json"));
    EXPECT_EQ(report.substr(report.find("\"tables\"")), triggered.substr(triggered.find("\"tables\"")));

    // The third from one node to another after some time.
    std::vector<LoggedMessage> pair;
    for (const LoggedMessage& m : log) {
      if (m.from == log[7].from && m.to == log[7].to && m.generated >= 1'000'000) pair.push_back(m);
    }
    ASSERT_GT(pair.size(), 3U);
    std::sort(pair.begin(), pair.end(), [](const LoggedMessage& a, const LoggedMessage& b) {
      return std::tuple(a.delivered, a.generated) < std::tuple(b.delivered, b.generated);
    });
    const Vcd third = run({"observe.waves.trigger={source: " + std::to_string(pair[2].from) + ", destination: " +
                           std::to_string(pair[2].to) + ", not_before: 1us, number: 3, before: 0ns, after: 1us}"});
    expect_around(pair[2], period, 0, 1'000'000, third, whole);
  }
}

TEST_F(WaveTriggerTest, ShowsTheEndOfARunThatFails) {
  const std::string ring = source_dir() + "/configs/packet/ring_deadlock.yaml";
  const ProgramResult r = weft(
      {"run", ring, "--out", "out", "--waves", "w.fst", "--set", "observe.waves.trigger={event: failure, before: 2us}"},
      {folder_.path()});
  EXPECT_EQ(r.status, 1);
  const Vcd end = read_fst(folder_.path("w.fst"));
  EXPECT_GT(end.last_time(), end.first_time());
  EXPECT_LE(end.last_time() - end.first_time(), 2'000'000U + 2 * kTriggerPeriod);
  EXPECT_GE(end.last_time() - end.first_time(), 2'000'000U - 2 * kTriggerPeriod);
}

TEST_F(WaveTriggerTest, NothingThatFitsIsTold) {
  write(kTriggered);
  const auto told = [&](const std::string& trigger, const char* text) {
    const ProgramResult r =
        weft({"run", "in.yaml", "--out", "out", "--waves", "w.fst", "--set", "observe.waves.trigger=" + trigger},
             {folder_.path()});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr(text));
  };
  told("{latency: 1ms}", "the waveform is empty: no message fits observe.waves.trigger");
  told("{event: failure}", "the waveform is empty: the run does not fail");
  const ProgramResult none =
      weft({"run", "in.yaml", "--out", "out", "--set", "observe.waves.trigger={}"}, {folder_.path()});
  EXPECT_EQ(none.status, 0);
  EXPECT_THAT(none.err, HasSubstr("warning: observe.waves.trigger has no effect without --waves FILE"));
}

// The signal goes to the program alone, not to the copy that searches.
TEST_F(WaveTriggerTest, TheSearchCanBeInterrupted) {
  write(kTriggered);
  const ProgramResult r =
      weft({"run", "in.yaml", "--out", "out", "--waves", "w.fst", "--set", "run.measure=1s", "--set",
            "observe.message_log=false", "--set", "observe.waves.trigger={latency: 900ms}"},
           {folder_.path(), 500});
  EXPECT_EQ(r.status, 130) << r.err;
  EXPECT_THAT(r.out, HasSubstr("the waveform is empty: the search for its time was interrupted"));
}

TEST_F(WaveTriggerTest, WrongTriggersAreErrors) {
  const auto refused = [&](const std::string& file, const std::vector<std::string>& set, const char* text) {
    std::vector<std::string> arguments{"check", file};
    for (const std::string& s : set) arguments.insert(arguments.end(), {"--set", s});
    const ProgramResult r = weft(arguments, {folder_.path()});
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr(text));
  };
  write(kTriggered);
  const std::string at = "observe.waves.trigger";
  refused("in.yaml", {at + "={level: shirt}"},
          "observe.waves.trigger.level: there is no 'shirt'; did you mean 'short'?");
  refused("in.yaml", {at + "={source: 9}"}, "observe.waves.trigger.source: expected a node from 0 to 8, got 9");
  refused("in.yaml", {at + "={number: 0}"}, "observe.waves.trigger.number");
  refused("in.yaml", {at + "={}", "observe.waves.from=1us"}, "observe.waves.from: has no place beside 'trigger'");
  refused("in.yaml", {at + "={event: failure, latency: 1us}"},
          "observe.waves.trigger.latency: belongs to event 'message'; this one is 'failure'");
  refused(source_dir() + "/configs/tdm/mesh_4x4.yaml", {at + "={level: man}"},
          "there is no 'man'; did you mean 'main'?");
  refused(source_dir() + "/configs/optweb/detours_5.yaml", {at + "={level: altoall}"},
          "there is no 'altoall'; did you mean 'alltoall'?");
}

}  // namespace
}  // namespace weft::test
