// Names of failing places in a configuration of a circuit-switched network: the same place in different words is the
// same run.

#include <gtest/gtest.h>

#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// A row of three switches; port 1 of a switch leads to the next one (the first ports: to the nodes).
Outcome row(const std::string& faults) {
  return run_yaml(
      "fabric: tdm\ntopology: { kind: mesh, dims: [3] }\nswitch: { slots: 4 }\nsetup: { mode: in_network }\n"
      "sources: { message: 4KiB, messages: 4 }\ncircuits:\n  - { flow: all, source: 0, destination: 2 }\n"
      "  - { flow: part, source: 1, destination: 0 }\nfaults: " +
      faults + "\n");
}

nlohmann::json flows(const std::string& at) {
  const Outcome r = row("[ { at: '" + at + "', down: 3us, up: 6us } ]");
  EXPECT_EQ(r.error + r.failure, "") << at;
  return r.table("flows");
}

TEST(SetupFaultPlaces, TheSameLinkInOtherWordsIsTheSameRun) {
  const nlohmann::json link = flows("sw[1]-sw[2]");
  EXPECT_EQ(flows("sw[2]-sw[1]"), link);
  EXPECT_EQ(flows("sw[1].port1"), link);
  EXPECT_GT(link[0]["words_resent"].get<int>() + link[0]["dark_time"].get<double>(), 0);
  EXPECT_NE(flows("sw[0]-sw[1]"), link);  // flow `part` is hit, too
  // Switch 2 has this link, and that of its node, which no other flow uses.
  EXPECT_GT(flows("sw[2]")[0]["dark_time"].get<double>(), 0);
  EXPECT_EQ(flows("sw[2]")[1], link[1]);
}

TEST(SetupFaultPlaces, ANodeIsCutOffByItsLink) {
  const nlohmann::json none = row("[]").table("flows");
  const nlohmann::json own = flows("nic[0]");
  EXPECT_NE(own[0], none[0]);
  EXPECT_NE(own[1], none[1]);
  EXPECT_EQ(flows("nic[1..2]")[0], flows("nic[2]")[0]);
  EXPECT_NE(flows("nic[1..2]")[1], none[1]);
}

TEST(SetupFaultPlaces, CyclesAreCyclesOfTheClock) {
  EXPECT_EQ(row("[ { at: 'sw[1]', down: 300cycles, up: 600cycles } ]").table("flows"), flows("sw[1]"));  // 10 ns
}

TEST(SetupFaultPlaces, WhatHasNoEffectIsTold) {
  const auto notes = [](const std::string& faults) {
    return row(faults).json()["notes"].get<std::vector<std::string>>();
  };
  EXPECT_THAT(notes("[ { at: 'sw[1]', down: 2us, up: 9us }, { at: 'sw[0]-sw[1]', down: 3us, up: 6us } ]"),
              Contains(HasSubstr("faults.1 (sw[0]-sw[1], line 9) has no effect")));
  EXPECT_THAT(notes("[ { at: 'sw[1]', down: 2us, up: 3us } ]"), Not(Contains(HasSubstr("faults."))));
}

}  // namespace
}  // namespace weft::test
