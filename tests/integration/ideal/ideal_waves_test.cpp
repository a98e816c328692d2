// Multicasts in the waveform of an ideal network, and a network that is driven from outside: what is shown of transfers
// whose times are known by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "base/diagnostics.h"
#include "run/ideal/ideal_family.h"
#include "run/ideal/ideal_plan.h"
#include "support/child.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

// A cycle is 1 ns. `send` gives the network its transfers before time begins, so they are generated in cycle 0.
Vcd waves_of_ideal(const std::string& network, const std::function<void(Fabric&)>& send) {
  const ScratchFolder folder;
  const std::string file = folder.path("w.fst");
  const ChildResult child = in_child([&]() -> std::string {
    Diagnostics diagnostics;
    const IdealConfig config =
        parse_ideal_config("fabric: ideal\nideal: { " + network + " }\nlink: { rate: 64GB/s, flit: 64B }\n" +
                               "qos: { levels: { one: { message: 64B }, five: { message: 320B } } }\ntraffic: []\n",
                           "t.yaml", ".", {}, diagnostics);
    const IdealPlan plan(config);
    ClockDomain domain("clock", plan.workload().traffic.period);
    const auto built = plan.build(domain, Part{});
    Client client;
    const ClientId id = built->fabric().attach(client);
    if (id != 0) return "not the first client";
    built->open_waves(file);
    send(built->fabric());
    sc_core::sc_start();
    return built->close_waves(domain.now()).size() == 2 ? "" : "not a waveform and its view";
  });
  EXPECT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, "");
  return read_fst(file);
}

Transfer five_flits(NodeId to) {
  Transfer t;
  t.to = to;
  t.bytes = 320;
  t.service = 1;
  return t;
}

// Value of a signal in cycles 0, 1, 2 ...
std::vector<std::string> texts_of(const Vcd& vcd, const std::string& name, std::uint64_t cycles) {
  std::vector<std::string> out;
  for (std::uint64_t c = 0; c < cycles; ++c) out.push_back(vcd.signal(name).at(c * 1000));
  return out;
}

std::vector<std::uint64_t> numbers_of(const Vcd& vcd, const std::string& name, std::uint64_t cycles) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t c = 0; c < cycles; ++c) out.push_back(vcd.signal(name).number_at(c * 1000));
  return out;
}

using ::testing::ElementsAre;

// It leaves once, behind nobody, and is there twice: at node 1 after three cycles, at node 2 after four.
TEST(IdealNetworkWaves, AMulticastLeavesOnceAndArrivesAtEachDestination) {
  const Vcd vcd =
      waves_of_ideal("nodes: 3, latency: 3cycles, pairs: [ { from: 0, to: 2, latency: 4cycles } ]", [](Fabric& fabric) {
        static constexpr std::array<NodeId, 2> kGroup{1, 2};
        Transfer t = five_flits(kNoId);
        t.group = kGroup;
        fabric.send(0, t);
        fabric.send(0, five_flits(1));
      });
  const std::string send = "ideal.node[0].send.";
  EXPECT_THAT(texts_of(vcd, send + "message", 11),
              ElementsAre("0>1+", "0>1+", "0>1+", "0>1+", "0>1+", "0>1", "0>1", "0>1", "0>1", "0>1", ""));
  EXPECT_THAT(numbers_of(vcd, send + "number", 11), ElementsAre(1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2));
  EXPECT_THAT(numbers_of(vcd, send + "waiting", 11), ElementsAre(1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(numbers_of(vcd, send + "queued", 11), ElementsAre(9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0));
  const std::string there = "0>1";
  EXPECT_THAT(texts_of(vcd, "ideal.node[1].receive.message", 13),
              ElementsAre("", "", "", there, there, there, there, there, there, there, there, there, there));
  EXPECT_THAT(numbers_of(vcd, "ideal.node[1].receive.flit", 13), ElementsAre(0, 0, 0, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4));
  EXPECT_THAT(texts_of(vcd, "ideal.node[2].receive.message", 10),
              ElementsAre("", "", "", "", "0>2", "0>2", "0>2", "0>2", "0>2", ""));
  EXPECT_THAT(texts_of(vcd, "ideal.node[2].receive.level", 5), ElementsAre("", "", "", "", "five"));
}

// Both first flits come in cycle 3; the lower source is taken first, or both side by side.
TEST(IdealNetworkWaves, TwoMessagesMeetAtTheirDestination) {
  const auto send = [](Fabric& fabric) {
    fabric.send(1, five_flits(2));
    fabric.send(0, five_flits(2));
  };
  const std::string node = "ideal.node[2].receive.";
  const Vcd serial = waves_of_ideal("nodes: 3, latency: 3cycles", send);
  EXPECT_THAT(texts_of(serial, node + "message", 13),
              ElementsAre("", "", "", "0>2", "0>2", "0>2", "0>2", "0>2", "1>2", "1>2", "1>2", "1>2", "1>2"));
  EXPECT_THAT(numbers_of(serial, node + "waiting", 9), ElementsAre(0, 0, 0, 1, 1, 1, 1, 1, 0));
  const Vcd parallel = waves_of_ideal("nodes: 3, latency: 3cycles, receivers: parallel", send);
  EXPECT_THAT(texts_of(parallel, node + "message", 8), ElementsAre("", "", "", "0>2", "0>2", "0>2", "0>2", "0>2"));
  EXPECT_THAT(numbers_of(parallel, node + "arriving", 8), ElementsAre(0, 0, 0, 2, 2, 2, 2, 2));
}

// What is taken back waits no longer.
TEST(IdealNetworkWaves, WithdrawnMessagesWaitNoLonger) {
  const Vcd vcd = waves_of_ideal("nodes: 2, latency: 3cycles", [](Fabric& fabric) {
    for (int i = 0; i < 3; ++i) fabric.send(0, five_flits(1));
    sc_core::sc_start(2500, sc_core::SC_PS);
    fabric.withdraw();
  });
  EXPECT_THAT(numbers_of(vcd, "ideal.node[0].send.waiting", 6), ElementsAre(2, 2, 2, 0, 0, 0));
  EXPECT_THAT(numbers_of(vcd, "ideal.node[0].send.queued", 6), ElementsAre(14, 13, 12, 1, 0, 0));
  EXPECT_EQ(vcd.signal("ideal.node[0].send.number").number_at(vcd.last_time()), 1U);
}

}  // namespace
}  // namespace weft::test
