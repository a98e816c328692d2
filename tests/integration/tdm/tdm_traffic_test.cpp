// Streams and traces between the nodes of a FiC network, over circuits that their messages need. Latencies are held
// against sums of the slot table's times, throughput against the share of the slots.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "support/scratch.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr int kFrame = 16;
constexpr int kPipeline = 1;
// Words of 128 bits and cycles of 10 ns.
constexpr const char* kRing =
    "fabric: tdm\ntopology: { kind: mesh, dims: [3] }\nsetup: { mode: preset }\n"
    "switch: { slots: 16, lanes: 1, lane_payload: 128b, serdes: 4cycles, pipeline: 1cycle }\n"
    "qos: { levels: { a: { message: 16B }, b: { message: 160B } } }\n";

struct Message {
  double generated, delivered;
  std::string ends, level;
};

std::vector<Message> messages(const Outcome& run) {
  EXPECT_EQ(run.error + run.failure, "");
  std::istringstream log(run.messages);
  std::string line;
  std::vector<Message> out;
  for (std::getline(log, line); std::getline(log, line);) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    out.push_back({std::stod(cells.at(0)), std::stod(cells.at(2)), cells.at(3) + ">" + cells.at(4), cells.at(5)});
  }
  return out;
}

Outcome run_trace(const std::string& lines, const Overrides& set = {}) {
  const ScratchFolder folder;
  return run_yaml(std::string(kRing) + "trace: " + folder.write("t.csv", "time_ns,source,destination,level\n" + lines) +
                      "\nrun: { warm_up: 0ns, measure: 1ms, drain: 1ms }\nobserve: { message_log: true }\n",
                  set);
}

// Generated in every cycle of the frame, each alone: one word leaves in the slot of its circuit, ten words take nine
// frames more; on the way a frame per switch, since the link is shorter than one (docs/fic.md).
TEST(TdmTraffic, LatencyIsTheWaitForTheSlotAndTheRoute) {
  std::string lines;
  for (int i = 0; i < kFrame; ++i) {
    lines += fmt::format("{},0,2,a\n", 10'000 * i + 10 * i);
    lines += fmt::format("{},0,1,b\n", 10'000 * i + 10 * i + 5'000);
  }
  const auto all = messages(run_trace(lines));
  ASSERT_EQ(all.size(), 2U * kFrame);
  std::set<double> one;
  std::set<double> ten;
  for (const Message& m : all) (m.level == "a" ? one : ten).insert((m.delivered - m.generated) / 10);
  // All waits from none to a frame less one.
  ASSERT_EQ(one.size(), std::size_t{kFrame});
  ASSERT_EQ(ten.size(), std::size_t{kFrame});
  EXPECT_EQ(*one.rbegin() - *one.begin(), kFrame - 1);
  EXPECT_EQ(*one.begin(), 3 * kFrame + kPipeline) << "three switches";
  EXPECT_EQ(*ten.begin(), 2 * kFrame + kPipeline + 9 * kFrame) << "two switches, nine words behind the first";
}

// A circuit for each pair that is sent on, no more.
TEST(TdmTraffic, CircuitsAreThoseOfTheMessages) {
  const Outcome run = run_trace("0,0,2,a\n0,2,1,a\n100,0,2,b\n");
  ASSERT_EQ(run.error + run.failure, "");
  std::set<std::pair<int, int>> pairs;
  for (const auto& row : run.table("circuits")) pairs.emplace(row["source"].get<int>(), row["destination"].get<int>());
  EXPECT_EQ(pairs, (std::set<std::pair<int, int>>{{0, 2}, {2, 1}}));
  const nlohmann::json row = run.table("circuits")[0];
  EXPECT_EQ(row["message_words"], 10);
  EXPECT_EQ(run.figure("run", "words"), 12);
}

const std::string kStreams = std::string(kRing) +
                             "traffic: [ { level: a, load: 0.01 }, { level: b, load: 0.04, source: bursts } ]\n"
                             "run: { warm_up: 10us, measure: 500us, drain: 1ms }\nobserve: { message_log: true }\n";

TEST(TdmTraffic, StreamsArriveWhole) {
  const Outcome run = run_yaml(kStreams);
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(run.figure("run", "conserved"), "yes");
  EXPECT_EQ(run.figure("run", "missing"), 0);
  EXPECT_GT(run.figure("run", "delivered"), 100);
  EXPECT_EQ(run.table("circuits").size(), 6U);
  double measured = 0;
  for (const auto& row : run.table("circuits")) measured += row["messages"].get<double>();
  EXPECT_EQ(measured, messages(run).size()) << "circuits are measured in the same window";
}

// What arrives while the network settles belongs to no measurement.
TEST(TdmTraffic, SettlingIsNotMeasured) {
  const Overrides busy = {"run.drain=0ns", "traffic.1.load=0.3"};
  Overrides unsettled = busy;
  unsettled.push_back("run.settle=false");
  const Outcome settled = run_yaml(kStreams, busy);
  const Outcome open = run_yaml(kStreams, unsettled);
  ASSERT_EQ(settled.error + settled.failure + open.error + open.failure, "");
  EXPECT_GT(settled.figure("run", "missing"), 0);
  EXPECT_EQ(settled.table("circuits").size(), open.table("circuits").size());
  for (std::size_t i = 0; i < open.table("circuits").size(); ++i) {
    for (const char* column : {"messages", "latency_max", "transit_max"}) {
      EXPECT_EQ(settled.table("circuits")[i][column], open.table("circuits")[i][column]) << i << column;
    }
  }
}

// Order of modules, RTL, waves: nothing else counts.
TEST(TdmTraffic, ResultsDependOnNothingElse) {
  const Outcome plain = run_yaml(kStreams);
  ASSERT_EQ(plain.error + plain.failure, "");
  const Outcome shuffled = run_yaml(kStreams, {}, [](TdmRunOptions& o) { o.shuffle_seed = 3; });
  EXPECT_EQ(shuffled.report, plain.report);
  EXPECT_EQ(shuffled.messages, plain.messages);
  for (const std::string which : {"rtl", "lockstep"}) {
    const ScratchFolder folder;
    const Outcome run = run_yaml(kStreams, {"switch.data_path.implementation=" + which},
                                 [&](TdmRunOptions& o) { o.waves = folder.path("w.fst"); });
    ASSERT_EQ(run.error + run.failure, "") << which;
    EXPECT_EQ(run.messages, plain.messages) << which;
  }
}

// A saturated node of two streams carries what the slots of its circuits are worth: one of 16 slots each.
TEST(TdmTraffic, ASaturatedCircuitCarriesItsShare) {
  const Outcome run = run_yaml(std::string(kRing) +
                               "traffic: [ { level: b, load: 0.5, destinations: permutation } ]\n"
                               "run: { warm_up: 100us, measure: 1ms, drain: 0ns }\n");
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_NEAR(run.figure("run", "accepted").get<double>(), 1.0 / kFrame, 0.002);
  EXPECT_EQ(run.figure("run", "saturated_levels"), "b");
}

TEST(TdmTraffic, MessagesWaitUntilCircuitsAreSetUp) {
  const Outcome run = run_yaml(kStreams, {"setup.mode=central", "setup.processing=500cycles", "run.warm_up=0us"});
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_THAT(run.json()["notes"].dump(), ContainsRegex("circuits are in place from [0-9.]+ ns on; messages wait"));
  EXPECT_EQ(run.figure("run", "conserved"), "yes");
}

TEST(TdmTraffic, WhatCannotBeIsAnError) {
  const auto error = [](const Overrides& set) { return run_yaml(kStreams, set).error; };
  EXPECT_THAT(
      error({"switch.slots=2", "topology.dims=[4]"}),
      HasSubstr("traffic: every node sends to 3 others and needs a circuit to each; at most 2 begin at a node"));
  EXPECT_THAT(error({"pattern=uniform"}), HasSubstr("pattern: cannot be combined with traffic and trace"));
  EXPECT_THAT(error({"sources.message=16B"}), HasSubstr("sources: cannot be combined with traffic and trace"));
  EXPECT_THAT(error({"switch.slots=2", "topology.dims=[9]", "traffic.0.load=0", "traffic.1.source=constant_rate",
                     "traffic.1.connections=8"}),
              ContainsRegex("traffic: node [0-9]+ sends to more than 2 others"));
  const std::string head = "fabric: tdm\ntopology: { kind: mesh, dims: [3] }\n";
  EXPECT_THAT(run_yaml(head + "trace: t.csv\n").error,
              HasSubstr("test.yaml:3:1: error: traffic and trace need the key 'qos'"));
  EXPECT_THAT(run_trace("0,0,3,a\n").error, ContainsRegex("t.csv:2:.*3"));
}

}  // namespace
}  // namespace weft::test
