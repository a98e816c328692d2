// The flit-by-flit reference of packet switches against closed forms and cycles computed by hand from
// docs/packet_switches.md. Central buffers: packet_oracle_opa_test.cpp.

#include "reference/packet_oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "support/packet_bench.h"
#include "support/random_packet_case.h"

namespace weft::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<StageLatencies> kLatencies = {
    {},
    {.input = 0, .routing = 0, .allocation = 1, .crossbar = 0, .output = 1, .link = 1, .credit = 1},
    {.input = 2, .routing = 3, .allocation = 4, .crossbar = 5, .output = 6, .link = 7, .credit = 8},
    {.input = 0, .routing = 1, .allocation = 3, .crossbar = 0, .output = 2, .link = 40, .credit = 25},
};

Cycle zero_load(const StageLatencies& s, Cycle switches, Cycle flits, Cycle crossings) {
  return s.output + s.link + switches * (s.input + s.routing + s.allocation + s.crossbar + s.output + s.link) + flits -
         1 + crossings * (s.allocation + s.crossbar);
}

TEST(PacketOracle, ZeroLoadOfAChain) {
  for (const StageLatencies& stages : kLatencies) {
    for (const std::uint32_t flits : {1U, 2U, 3U, 16U, 100U}) {
      for (const std::uint32_t rate : {1U, 3U}) {
        for (NodeId to = 1; to < 4; ++to) {
          PacketBench bench = chain(4);
          bench.parameters.stages = stages;
          bench.parameters.crossbar_rate = rate;
          const std::vector<OracleMessage> one = {{.generated = 5, .source = 0, .destination = to, .flits = flits}};
          EXPECT_THAT(bench.run(one).delivered, ElementsAre(5 + zero_load(stages, to + 1, flits, 0)));
          bench.opa().central_rate = rate;
          bench.opa().mport_ports = 3;  // all ports in one MPort
          EXPECT_THAT(bench.run(one).delivered, ElementsAre(5 + zero_load(stages, to + 1, flits, 0)));
          bench.opa().mport_ports = 2;  // ports 0 and 1, and port 2: first and middle switch from 2 to 1
          EXPECT_THAT(bench.run(one).delivered, ElementsAre(5 + zero_load(stages, to + 1, flits, to)));
          bench.opa().mport_ports = 1;  // every switch is crossed between two MPorts
          EXPECT_THAT(bench.run(one).delivered, ElementsAre(5 + zero_load(stages, to + 1, flits, to + 1)));
        }
      }
    }
  }
}

// Messages in a row, to two nodes in turn, follow one another without a gap.
TEST(PacketOracle, MessagesInARowDoNotDisturbEachOther) {
  for (const StageLatencies& stages : kLatencies) {
    for (const bool opa : {false, true}) {
      PacketBench bench = one_switch(3);
      bench.parameters.stages = stages;
      if (opa) bench.opa().mport_ports = 1;
      std::vector<OracleMessage> messages;
      for (NodeId i = 0; i < 6; ++i) messages.push_back({.source = 0, .destination = 1 + i % 2, .flits = 3});
      const std::vector<Cycle> delivered = bench.run(messages).delivered;
      const Cycle crossings = opa ? 1 : 0;
      for (Cycle i = 0; i < 6; ++i) {
        EXPECT_EQ(delivered[static_cast<std::size_t>(i)], 3 * i + zero_load(stages, 1, 3, crossings));
      }
    }
  }
}

TEST(PacketOracle, ZeroLoadOfThePublishedTreeAndMesh) {
  TopologyConfig config = topology_config("tree", {{"arity", 24U}, {"levels", 2U}});
  PacketBench tree(build_topology(config));
  tree.route = [](SwitchId at, PortId, const OracleMessage& m) {
    if (at >= 24) return PacketHop{.first = static_cast<PortId>(m.destination / 24)};
    if (m.destination / 24 == at) return PacketHop{.first = static_cast<PortId>(m.destination % 24)};
    return PacketHop{.first = 24};
  };
  const std::vector<OracleMessage> far = {{.source = 0, .destination = 24 * 20 + 7, .flits = 3}};
  EXPECT_THAT(tree.run(far).delivered, ElementsAre(22));
  tree.opa();
  EXPECT_THAT(tree.run(far).delivered, ElementsAre(28));

  config = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{3, 3}}});
  PacketBench mesh(build_topology(config));
  mesh.route = [](SwitchId at, PortId, const OracleMessage& m) {  // upwards only: x, then y
    return PacketHop{.first = static_cast<PortId>(at % 3 != m.destination % 3 ? 1 : (at != m.destination ? 3 : 0))};
  };
  EXPECT_THAT(mesh.run({{.source = 0, .destination = 8, .flits = 3}}).delivered, ElementsAre(zero_load({}, 5, 3, 0)));
}

// Heads arrive in 2, requests in 4; input 0 is granted and moves in 5, 6, 7; input 1 is granted in 7 (7 < 7 + va) and
// moves in 8, 9, 10. OB decides in 6 and, the link being free again, in 9.
TEST(PacketOracle, TwoInputsToOneOutput) {
  PacketBench bench = one_switch(3);
  const std::vector<OracleMessage> both = {{.source = 0, .destination = 2, .flits = 3},
                                           {.source = 1, .destination = 2, .flits = 3}};
  const OracleResult result = bench.run(both);
  EXPECT_THAT(result.delivered, ElementsAre(10, 13));
  EXPECT_EQ(result.decisions[1], (std::vector<packet_oracle::OracleDecision>{{4, 0}, {2, 9}}));

  // After a grant to input 0 the pointer is at input 1, which wins the next time.
  std::vector<OracleMessage> later = both;
  for (OracleMessage& m : later) m.generated = 100;
  later.insert(later.begin(), both[0]);
  EXPECT_THAT(bench.run(later).delivered, ElementsAre(10, 113, 110));

  // A longer allocation overlaps the transfer: granted in 4 and 7 (9 < 7 + va), moves in 7, 8, 9 and 10, 11, 12.
  bench.parameters.stages.allocation = 3;
  EXPECT_THAT(bench.run(both).delivered, ElementsAre(12, 15));
}

// As above, but a message that enters a ring leaves room for a bubble of 3: the second needs 6 free places. OB puts the
// flits of the first on the link in 7, 8, 9.
TEST(PacketOracle, BubbleAtTheEntryOfARing) {
  const auto second = [](std::uint32_t capacity, bool enters) {
    PacketBench bench = one_switch(3);
    bench.parameters.output = shared_by_all(capacity, 1);
    bench.parameters.bubble = {3};
    bench.route = [enters](SwitchId, PortId, const OracleMessage&) {
      return PacketHop{.first = 2, .enters_ring = enters};
    };
    return bench.run({{.source = 0, .destination = 2, .flits = 3}, {.source = 1, .destination = 2, .flits = 3}})
        .delivered[1];
  };
  EXPECT_EQ(second(6, false), 13);
  EXPECT_EQ(second(8, true), 13);  // granted in 7, with two of three places taken
  EXPECT_EQ(second(7, true), 14);  // in 8
  EXPECT_EQ(second(6, true), 15);  // in 9, the buffer being empty
}

// The input buffer holds one message: the next decision waits for the last credit.
TEST(PacketOracle, ThroughputOfACreditLimitedLink) {
  for (const StageLatencies& s : kLatencies) {
    for (const Cycle rate : {1, 2, 4}) {
      constexpr Cycle kFlits = 10;
      PacketBench bench = one_switch(2);
      bench.parameters.stages = s;
      bench.parameters.crossbar_rate = static_cast<std::uint32_t>(rate);
      bench.parameters.input = shared_by_all(kFlits, 1);
      std::vector<OracleMessage> messages(20, {.source = 0, .destination = 1, .flits = kFlits});
      const OracleResult result = bench.run(messages);
      const Cycle head_moves = s.output + s.link + s.input + s.routing + s.allocation;
      const Cycle last_arrives = s.output + s.link + s.input + kFlits - 1;
      const Cycle last_moves = std::max(head_moves + (kFlits + rate - 1) / rate - 1, last_arrives);
      for (std::size_t i = 0; i < messages.size(); ++i) {
        EXPECT_EQ(result.decisions[i][0].cycle, static_cast<Cycle>(i) * (last_moves + s.credit));
      }
    }
  }
}

// The receiving NIC holds one message: its flits are consumed as they arrive, the last credit comes `credit` later.
TEST(PacketOracle, ThroughputOfACreditLimitedNic) {
  for (const StageLatencies& s : kLatencies) {
    PacketBench bench = one_switch(2);
    bench.parameters.stages = s;
    bench.parameters.nic_input = shared_by_all(10, 1);
    const std::vector<OracleMessage> messages(8, {.source = 0, .destination = 1, .flits = 10});
    const std::vector<Cycle> delivered = bench.run(messages).delivered;
    for (std::size_t i = 1; i < messages.size(); ++i) {
      EXPECT_EQ(delivered[i] - delivered[i - 1], s.output + s.link + 10 - 1 + s.credit);
    }
  }
}

// Output 1 is silent, so messages of SL 0 stand in its output buffer (one of them) and then in the input buffer.
TEST(PacketOracle, GuaranteedMinimumOfASharedBuffer) {
  const auto run = [](std::uint32_t minimum) {
    PacketBench bench = one_switch(3, 2);
    bench.parameters.output = shared_by_all(4, 2);
    bench.parameters.input = {.capacity = 10, .minimum = {0, minimum}, .maximum = {10, 10}};
    bench.scheduler = [](LinkId link) -> std::unique_ptr<EgressScheduler> {
      if (link == 1) return std::make_unique<Silent>();
      return std::make_unique<FixedPriority>();
    };
    std::vector<OracleMessage> messages(8, {.source = 0, .destination = 1, .level = 0, .flits = 3});
    messages.push_back({.generated = 100, .source = 0, .destination = 2, .level = 1, .flits = 4});
    return bench.run(messages, 1000);
  };
  const auto injected = [](const OracleResult& result) {
    return std::count_if(result.decisions.begin(), result.decisions.end() - 1,
                         [](const auto& decisions) { return !decisions.empty(); });
  };
  const OracleResult guaranteed = run(4);
  EXPECT_EQ(injected(guaranteed), 1 + 2);
  EXPECT_EQ(guaranteed.delivered.back(), 100 + zero_load({}, 1, 4, 0));
  const OracleResult greedy = run(0);
  EXPECT_EQ(injected(greedy), 1 + 3);
  EXPECT_EQ(greedy.delivered.back(), -1);
}

// Message 0 keeps the route to node 4 busy: through the crossbar until 24 (IB), or through the central crossbar until
// 26 (OPA). The three from node 0 are granted in that cycle and the next two; the pointer moves from VL 0 to VL 1 and
// back.
TEST(PacketOracle, LanesOfAnInputTakeTurns) {
  PacketBench bench = one_switch(6, 2);
  const std::vector<OracleMessage> messages = {{.source = 2, .destination = 4, .level = 0, .flits = 20},
                                               {.generated = 2, .source = 0, .destination = 4, .level = 0},
                                               {.generated = 2, .source = 0, .destination = 4, .level = 0},
                                               {.generated = 2, .source = 0, .destination = 4, .level = 1}};
  EXPECT_THAT(bench.run(messages).delivered, ElementsAre(27, 28, 30, 29));
  bench.opa().mport_ports = 2;
  bench.opa().central_links = 1;
  bench.opa().central_rate = 1;
  EXPECT_THAT(bench.run(messages).delivered, ElementsAre(29, 30, 32, 31));
}

TEST(PacketOracle, TrunkPointerRotates) {
  PacketBench bench = chain(2, 3);
  std::vector<OracleMessage> messages;
  for (Cycle i = 0; i < 5; ++i) messages.push_back({.generated = 50 * i, .source = 0, .destination = 1});
  const auto ports = [&] {
    std::vector<LinkId> used;
    for (const auto& decisions : bench.run(messages).decisions) used.push_back(decisions[1].link);
    return used;
  };
  EXPECT_THAT(ports(), ElementsAre(1, 2, 3, 1, 2));
  // A hop of one port leaves the pointer alone.
  bench.route = [trunk = bench.route](SwitchId at, PortId in, const OracleMessage& m) {
    return m.choice == 1 && at == 0 ? PacketHop{.first = 3} : trunk(at, in, m);
  };
  messages[2].choice = 1;
  EXPECT_THAT(ports(), ElementsAre(1, 2, 3, 3, 1));
  // Ports whose scheduler is silent and whose buffers hold one message each are passed over once they are full.
  messages.assign(5, {.source = 0, .destination = 1, .flits = 4});
  bench.parameters.output = shared_by_all(4, 1);
  bench.scheduler = [](LinkId link) -> std::unique_ptr<EgressScheduler> {
    if (link == 1 || link == 2) return std::make_unique<Silent>();
    return std::make_unique<FixedPriority>();
  };
  const OracleResult result = bench.run(messages, 1000);
  EXPECT_EQ(result.delivered[0], -1);
  EXPECT_EQ(result.delivered[1], -1);
  EXPECT_EQ(std::count(result.delivered.begin(), result.delivered.end(), -1), 2);
}

// The NIC buffer has room for one message. It is refilled for SL 0 first, so SL 1 goes last although the egress
// scheduler prefers it; places come back flit by flit (cycles 1 to 4), decisions follow in 4 and 8.
TEST(PacketOracle, NicBufferIsRefilledInTheOrderOfLevels) {
  PacketBench bench = one_switch(2, 2);
  bench.scheduler = [](LinkId) { return std::make_unique<FixedPriority>(true); };
  bench.parameters.nic = shared_by_all(6, 2);
  const std::vector<OracleMessage> messages = {{.source = 0, .destination = 1, .level = 1, .flits = 4},
                                               {.source = 0, .destination = 1, .level = 0, .flits = 4},
                                               {.source = 0, .destination = 1, .level = 0, .flits = 4}};
  const auto decided = [&] {
    std::vector<Cycle> cycles;
    for (const auto& decisions : bench.run(messages).decisions) cycles.push_back(decisions[0].cycle);
    return cycles;
  };
  EXPECT_THAT(decided(), ElementsAre(8, 0, 4));
  bench.parameters.nic = shared_by_all(12, 2);
  EXPECT_THAT(decided(), ElementsAre(0, 4, 8));
  // The last flit is put on the link ob + 3 cycles after the decision, and the next message joins in that cycle.
  bench.parameters.nic = shared_by_all(4, 2);
  bench.parameters.stages.output = 3;
  EXPECT_THAT(decided(), ElementsAre(12, 0, 6));
}

// Message 1 would fit into the NIC buffer from cycle 2 on, but it is looked at when the link is free, in 4, and then SL
// 0 comes first; or when a message is generated, in 2, and then message 2 comes too late.
TEST(PacketOracle, NicBufferIsRefilledWhenTheLinkIsFreeOrAMessageComes) {
  PacketBench bench = one_switch(2, 2);
  bench.scheduler = [](LinkId) { return std::make_unique<FixedPriority>(true); };
  bench.parameters.nic = shared_by_all(6, 2);
  std::vector<OracleMessage> messages = {{.generated = 0, .source = 0, .destination = 1, .level = 0, .flits = 4},
                                         {.generated = 0, .source = 0, .destination = 1, .level = 1, .flits = 4},
                                         {.generated = 4, .source = 0, .destination = 1, .level = 0, .flits = 4}};
  const auto decided = [&] {
    std::vector<Cycle> cycles;
    for (const auto& decisions : bench.run(messages).decisions) cycles.push_back(decisions[0].cycle);
    return cycles;
  };
  // FixedPriority would take SL 1 first of what is in the buffer; in cycle 0 that is message 0 alone.
  EXPECT_THAT(decided(), ElementsAre(0, 8, 4));
  messages.insert(messages.begin() + 2, {.generated = 2, .source = 0, .destination = 1, .level = 1, .flits = 1});
  EXPECT_THAT(decided(), ElementsAre(0, 4, 8, 9));
}

// Weight 5: the message of 3 flits leaves 2. If the SL stays active they count for the message of 7 (5 + 2); if not,
// they are lost, and a second table step is needed.
TEST(PacketOracle, DeficitIsLostWhenALevelBecomesInactive) {
  PacketBench bench = one_switch(2);
  bench.scheduler = [](LinkId) { return std::make_unique<DeficitTable>(ArbitrationTable{{.sl = 0, .weight = 5}}); };
  std::vector<OracleMessage> messages = {{.source = 0, .destination = 1, .flits = 3},
                                         {.source = 0, .destination = 1, .flits = 7}};
  EXPECT_EQ(bench.run(messages).decisions[1][0].cycle, 3);
  messages[1].generated = 100;
  EXPECT_EQ(bench.run(messages).decisions[1][0].cycle, 101);
}

// Message 0 moves as it arrives, until 22, and keeps the link until 26. The others are granted in 22, 23 and 24, so all
// are in the output buffer in 26. It is the turn of VL 1 then, although message 3 was granted last; then that of VL 0.
TEST(PacketOracle, LanesOfOneLevelTakeTurns) {
  PacketBench bench = one_switch(5, 2);
  bench.parameters.crossbar_rate = 4;
  bench.route = [](SwitchId, PortId, const OracleMessage& m) {
    return PacketHop{.first = static_cast<PortId>(m.destination), .lane = static_cast<VirtualLane>(m.choice)};
  };
  EXPECT_THAT(bench
                  .run({{.source = 0, .destination = 4, .flits = 20, .choice = 0},
                        {.source = 1, .destination = 4, .flits = 4, .choice = 0},
                        {.source = 2, .destination = 4, .flits = 1, .choice = 0},
                        {.source = 3, .destination = 4, .flits = 1, .choice = 1}})
                  .delivered,
              ElementsAre(27, 32, 33, 28));
}

// A ring of three switches whose messages all go two hops around: without the bubble it fills up and stops.
TEST(PacketOracle, RingStallsWithoutABubbleOnly) {
  for (const bool bubble : {true, false}) {
    PacketBench bench = chain(3, 1, true);
    bench.stall_after = 500;
    bench.parameters.bubble = {2};
    bench.parameters.input = shared_by_all(2, 1);
    bench.parameters.output = shared_by_all(4, 1);
    bench.route = [bubble](SwitchId at, PortId in, const OracleMessage& m) {
      if (m.destination == at) return PacketHop{};
      return PacketHop{.first = 1, .enters_ring = bubble && in == 0};
    };
    std::vector<OracleMessage> messages;
    for (std::uint32_t i = 0; i < 60; ++i) {
      messages.push_back({.source = i % 3, .destination = (i + 2) % 3, .flits = 2});
    }
    if (bubble) {
      const OracleResult result = bench.run(messages);
      EXPECT_EQ(std::count(result.delivered.begin(), result.delivered.end(), -1), 0);
    } else {
      EXPECT_THROW(bench.run(messages), packet_oracle::OracleStall);
    }
  }
}

// Two messages of one flit to one output, on a VL whose messages take three places: the output buffer has room for one
// at a time, and its places come back with the flit, which leaves in cycle 7; the other one is granted in that cycle
// instead of in the one after the first grant.
TEST(PacketOracle, PlacesBeyondTheFlitsComeBackWithTheLastOne) {
  PacketBench bench = one_switch(3);
  bench.route = [](SwitchId, PortId, const OracleMessage& m) {
    return PacketHop{.first = static_cast<PortId>(m.destination)};
  };
  const std::vector<OracleMessage> two = {{.source = 0, .destination = 2, .flits = 1},
                                          {.source = 1, .destination = 2, .flits = 1}};
  EXPECT_THAT(bench.run(two).delivered, ElementsAre(8, 9));
  bench.parameters.least_places = {3};
  bench.parameters.output = shared_by_all(5, 1);
  EXPECT_THAT(bench.run(two).delivered, ElementsAre(8, 11));
  bench.parameters.output = shared_by_all(6, 1);
  EXPECT_THAT(bench.run(two).delivered, ElementsAre(8, 9));
}

TEST(PacketOracle, SaysWhereItStallsAndWhatIsBroken) {
  PacketBench bench = one_switch(2);
  bench.stall_after = 50;
  bench.scheduler = [](LinkId) { return std::make_unique<Silent>(); };
  const std::vector<OracleMessage> one = {{.source = 0, .destination = 1, .flits = 3}};
  try {
    bench.run(one);
    FAIL() << "does not stall";
  } catch (const packet_oracle::OracleStall& stall) {
    EXPECT_THAT(stall.what(), HasSubstr("node 0 -> sw[0]: VL 0: message 0 of SL 0 with 3 flits: the scheduler"));
  }
  struct Wrong : Silent {
    std::optional<ServiceLevel> pick(const EgressView&) override { return ServiceLevel{1}; }
  };
  bench.scheduler = [](LinkId) { return std::make_unique<Wrong>(); };
  EXPECT_THROW(bench.run(one), std::logic_error);
  bench = one_switch(3);
  bench.route = [](SwitchId, PortId, const OracleMessage&) { return PacketHop{.first = 2}; };
  EXPECT_THROW(bench.run(one), std::logic_error);
  EXPECT_THROW(bench.run({{.source = 0, .destination = 0}}), std::invalid_argument);
}

// Everything is delivered, never faster than at zero load, and no link carries two messages at once. The reference
// itself checks credits, buffers and crossbars in every cycle.
TEST(PacketOracle, RandomNetworksDeliverEverything) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const RandomPacketCase c = random_packet_case(seed);
    SCOPED_TRACE(c.describe());
    const OracleResult result = run_packet_oracle(c.oracle_setup(), c.messages, 2'000'000);
    std::vector<std::vector<std::pair<Cycle, std::uint32_t>>> on_link(c.graph.link_count());
    for (std::size_t i = 0; i < c.messages.size(); ++i) {
      const OracleMessage& m = c.messages[i];
      const auto switches = static_cast<Cycle>(result.decisions[i].size()) - 1;
      ASSERT_GE(switches, 1);
      const auto adapter = [&](LinkId link) { return c.parameters.adapters.empty() ? 0 : c.parameters.adapters[link]; };
      Cycle adapters = 0;
      for (const auto& decision : result.decisions[i]) adapters += adapter(decision.link);
      ASSERT_GE(result.delivered[i], m.generated + zero_load(c.parameters.stages, switches, m.flits, 0) + adapters);
      const StageLatencies& s = c.parameters.stages;
      const auto& last = result.decisions[i].back();
      EXPECT_EQ(result.delivered[i], last.cycle + s.output + s.link + adapter(last.link) + m.flits - 1);
      for (const auto& decision : result.decisions[i]) on_link[decision.link].emplace_back(decision.cycle, m.flits);
    }
    for (auto& decisions : on_link) {
      std::sort(decisions.begin(), decisions.end());
      for (std::size_t i = 1; i < decisions.size(); ++i) {
        EXPECT_GE(decisions[i].first, decisions[i - 1].first + decisions[i - 1].second);
      }
    }
  }
}

}  // namespace
}  // namespace weft::test
