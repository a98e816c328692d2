// Messages of nodes over circuits that come and go: streams, traces and programs with setup.mode in_network. Held
// against the times of docs/fic_setup.md, against flows whose sources are their own and send the same messages, and
// against the conservation of messages when links fail and flows are given up.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "support/scratch.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kWhole = "run: { warm_up: 0ns, measure: 2ms, drain: 1ms }\nobserve: { message_log: true }\n";

Outcome run_trace(const std::string& network, const std::string& lines, const Overrides& set = {}) {
  const ScratchFolder folder;
  return run_yaml(
      network + "trace: " + folder.write("t.csv", "time_ns,source,destination,level\n" + lines) + "\n" + kWhole, set);
}

std::vector<double> latencies(const Outcome& run) {
  EXPECT_EQ(run.error + run.failure, "");
  std::istringstream log(run.messages);
  std::string line;
  std::vector<double> out;
  for (std::getline(log, line); std::getline(log, line);) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    out.push_back(std::stod(cells.at(2)) - std::stod(cells.at(0)));
  }
  return out;
}

// A line of three switches. A message that comes in cycle a and is alone: the ACK comes in a + 2H + t_proc, its word
// leaves with slot 0 behind that, unless the last switch's entry would come too late, and each word behind it a frame
// later.
TEST(SetupEndpoints, AMessageTakesTheTimeOfItsSetupAndItsRoute) {
  constexpr int kSlots = 16, kPipeline = 1, kSerdes = 4, kProcessing = 6, kColumn = 1, kSwitches = 3;
  const std::string network = fmt::format(
      "fabric: tdm\ntopology: {{ kind: mesh, dims: [3] }}\nsetup: {{ mode: in_network, processing: {}cycles }}\n"
      "switch: {{ slots: {}, lanes: 1, lane_payload: 128b, serdes: {}cycles, pipeline: {}cycle }}\n"
      "qos: {{ levels: {{ a: {{ message: 16B }}, b: {{ message: 160B }} }} }}\n",
      kProcessing, kSlots, kSerdes, kPipeline);
  std::string lines;
  std::vector<double> expected;
  for (int i = 0; i < 2 * kSlots; ++i) {
    const int a = i * 1000 + i;
    const bool ten = i >= kSlots;
    lines += fmt::format("{},0,2,{}\n", a * 10, ten ? "b" : "a");
    const auto boundary = [](int cycle) { return (cycle + kSlots - 1) / kSlots * kSlots; };
    int leaves = boundary(a + 2 * kPipeline + kProcessing + 1);
    for (int s = 0; s < kSwitches; ++s) {
      const int served = a + kPipeline + kProcessing + s * (kPipeline + kSerdes + kProcessing);
      const int in_force = boundary(served + kColumn);
      const int on_the_way = kSlots + s * kSlots * ((kPipeline + kSerdes) / kSlots + 1);
      while (leaves + on_the_way < in_force) leaves += kSlots;
    }
    const int transit = kSlots * kSwitches + kPipeline;
    expected.push_back(10.0 * (leaves + transit + (ten ? 9 * kSlots : 0) - a));
  }
  EXPECT_EQ(latencies(run_trace(network, lines)), expected);
}

// The same messages at the same times, once from the sources of the flows and once through endpoints: every request,
// refusal and word is the same, on a network that is too narrow for all.
TEST(SetupEndpoints, AreTheSameAsSourcesThatSendTheSame) {
  const std::string network =
      "fabric: tdm\ntopology: { kind: mesh, dims: [4, 4] }\nswitch: { slots: 3, serdes: 3cycles }\n"
      "setup: { mode: in_network, processing: 3cycles, backoff: 20cycles, routes: 2 }\n";
  const std::vector<std::pair<int, int>> pairs{{0, 15}, {1, 15}, {2, 15}, {3, 12}, {4, 11}, {5, 15}, {12, 3}, {13, 3}};
  constexpr int kMessages = 20;
  constexpr int kInterval = 2500;  // ns
  std::string circuits =
      network + "sources: { arrivals: periodic, interval: 2500ns, message: 1KiB, messages: 20 }\n" + "circuits:\n";
  for (const auto& [from, to] : pairs) {
    circuits += fmt::format("  - {{ flow: {}-{}, source: {}, destination: {} }}\n", from, to, from, to);
  }
  std::string lines;
  for (int k = 0; k < kMessages; ++k) {
    for (const auto& [from, to] : pairs) lines += fmt::format("{},{},{},a\n", k * kInterval, from, to);
  }
  const Outcome own = run_yaml(circuits);
  const Outcome through = run_trace(network + "qos: { levels: { a: { message: 1KiB } } }\n", lines);
  ASSERT_EQ(own.error + own.failure + through.error + through.failure, "");
  const auto without = [](json rows) {
    for (json& r : rows) {
      for (const char* name : {"latency_p99", "latency_max", "latency_mean"}) r.erase(name);
      r.erase("finished");
    }
    return rows;
  };
  EXPECT_GT(own.figure("setup", "refused").get<int>(), 50);
  EXPECT_EQ(without(own.table("flows")).dump(1), without(through.table("flows")).dump(1));
  EXPECT_EQ(own.table("circuits").dump(1), through.table("circuits").dump(1));
  EXPECT_EQ(own.figure("run", "latency_mean"), through.figure("run", "latency_mean"));
  EXPECT_EQ(own.figure("run", "latency_max"), through.figure("run", "latency_max"));
  EXPECT_EQ(own.table("hops").dump(1), through.table("hops").dump(1));
  std::map<int, int> messages;
  for (const auto& [from, to] : pairs) messages[std::abs(from % 4 - to % 4) + std::abs(from / 4 - to / 4)] += kMessages;
  std::map<int, int> told;
  for (const json& row : own.table("hops")) told[row["hops"]] = row["messages"];
  EXPECT_EQ(told, messages);
}

void expect_conserved(const Outcome& run) {
  const auto of = [&](const char* key) { return run.figure("run", key).get<std::int64_t>(); };
  EXPECT_EQ(of("generated"), of("delivered") + of("lost") + of("withdrawn") + of("stalled") + of("in_flight"));
  for (const json& f : run.table("flows")) {
    EXPECT_EQ(f["words_sent"].get<int>(), f["words_delivered"].get<int>() + f["words_dropped"].get<int>() +
                                              f["words_refused"].get<int>() + f["words_lost"].get<int>());
  }
}

constexpr const char* kUniform =
    "fabric: tdm\ntopology: { kind: torus, dims: [4, 4] }\nswitch: { slots: 8, lane_payload: 128b }\n"
    "qos: { levels: { a: { message: 64B }, b: { message: 1000B } } }\n"
    "traffic: [ { level: a, load: 0.004 }, { level: b, load: 0.04, destinations: permutation } ]\n"
    "run: { warm_up: 20us, measure: 200us, drain: 500us, settle: true }\n";

TEST(SetupEndpoints, FailuresAreRepairedOrMessagesAreLost) {
  const std::string setup = "setup: { mode: in_network, backoff: 16cycles }\n";
  const Outcome repaired = run_yaml(kUniform + setup +
                                    "faults: [ { at: 'sw[0]-sw[1]', down: 50us, up: 70us }, { at: 'sw[6]', down: 60us, "
                                    "up: 90us }, { at: 'sw[9]-sw[10]', down: 100us, up: 101us } ]\n");
  ASSERT_EQ(repaired.error + repaired.failure, "");
  expect_conserved(repaired);
  EXPECT_EQ(repaired.figure("run", "lost"), 0);
  EXPECT_EQ(repaired.figure("run", "conserved"), "yes");
  EXPECT_GT(repaired.figure("setup", "circuits_lost").get<int>(), 0);

  // A node without a switch cannot send, and keeps its messages; what others have for it is given up.
  const Outcome dead = run_yaml(kUniform + std::string("setup: { mode: in_network, backoff: 2cycles, tries: 40 }\n") +
                                "faults: [ { at: 'sw[6]', down: 60us } ]\n");
  ASSERT_EQ(dead.error + dead.failure, "");
  expect_conserved(dead);
  EXPECT_GT(dead.figure("run", "lost").get<int>(), 20);
  EXPECT_GT(dead.figure("run", "withdrawn").get<int>(), 20);
  EXPECT_THAT(dead.report, HasSubstr("given up after setup.tries refusals in a row"));
}

TEST(SetupEndpoints, ResultsDependOnNothingElse) {
  const std::string yaml = kUniform + std::string("setup: { mode: in_network, tries: 3, backoff: 4cycles }\n");
  const Outcome first = run_yaml(yaml);
  ASSERT_EQ(first.error + first.failure, "");
  expect_conserved(first);
  EXPECT_GT(first.figure("run", "lost").get<int>(), 0);
  EXPECT_EQ(run_yaml(yaml).report, first.report);
  const Outcome lockstep = run_yaml(yaml, {"switch.slot_lut.implementation=lockstep"});
  ASSERT_EQ(lockstep.error + lockstep.failure, "");
  EXPECT_EQ(lockstep.table("flows"), first.table("flows"));
  EXPECT_EQ(lockstep.table("circuits"), first.table("circuits"));
}

// More nodes than a frame has slots: circuits that stay could not lead to all of them.
TEST(SetupEndpoints, NodesMaySendToMoreOthersThanAFrameHasSlots) {
  const Outcome run = run_yaml(kUniform, {"setup.mode=in_network", "switch.slots=4"});
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(run.table("flows").size(), 240U);
  expect_conserved(run);
  EXPECT_THAT(run_yaml(kUniform, {"setup.mode=preset", "switch.slots=4"}).error,
              HasSubstr("every node sends to 15 others and needs a circuit to each; at most 4 begin at a node"));
}

TEST(SetupEndpoints, ProgramsEndOrSayWhatTheyHaveLost) {
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: torus, dims: [4, 4] }\nswitch: { slots: 8, lane_payload: 128b }\n"
      "setup: { mode: in_network, backoff: 4cycles }\n"
      "program: [ { op: alltoall, size: 4KiB }, { op: allreduce, size: 64KiB } ]\n";
  const Outcome run = run_yaml(yaml);
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(run.figure("run", "bytes"), 240 * 4096 + 16 * 2 * 15 * 4096);
  const Outcome lost = run_yaml(yaml, {"setup.tries=2"});
  EXPECT_THAT(lost.error, IsEmpty());
  EXPECT_THAT(lost.failure, AllOf(HasSubstr("is lost, so node"), HasSubstr("setup.tries")));
  EXPECT_FALSE(lost.complete);
}

}  // namespace
}  // namespace weft::test
