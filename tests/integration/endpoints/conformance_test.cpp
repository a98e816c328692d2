// Contract of endpoints (kernel/endpoint.h), held against every fabric that the one simulation runs: each transfer
// arrives once, with all that was asked about it; order where it is promised; no effect of the order of modules.

#include <gtest/gtest.h>

#include "integration/endpoints/endpoint_bench.h"
#include "support/child.h"

namespace weft::test {
namespace {

using namespace endpoints;

class Endpoint : public testing::TestWithParam<FabricCase> {
 protected:
  const std::string& yaml() const { return GetParam().network; }
  std::uint32_t nodes() const { return GetParam().nodes; }
  /// Cycles in which the client of a transfer from node 0 to node 1, sent in cycle 5 and alone, is told what.
  std::map<char, Cycle> times_of_one(std::uint64_t bytes, ServiceId service) const {
    const ChildResult child = in_child([&] {
      Bench s(yaml());
      Sender sender(s.fabric(), {{5, 0, s.transfer(1, bytes, 7, 0, service), 0}});
      s.run();
      return s.text();
    });
    EXPECT_TRUE(child.ok) << child.text;
    std::istringstream in(child.text);
    std::map<char, Cycle> at;
    Told t{};
    while (in >> t.at >> t.tag >> t.node >> t.what) at[t.what] = t.at;
    return at;
  }
  std::vector<Planned> random_plan(Bench& s, std::uint64_t seed, std::size_t count) const {
    return endpoints::random_plan(s, seed, count, nodes());
  }
};

TEST_P(Endpoint, OneFlitTakesTheTimeOfTheClosedForm) {
  std::map<char, Cycle> at = times_of_one(64, 0);
  ASSERT_TRUE(at.contains('l') && at.contains('a'));
  EXPECT_EQ(at['a'], GetParam().start(5) + GetParam().one_flit + 1);  // clients may act in the cycle behind
  EXPECT_LE(at['l'], at['a']);
}

// Eight flits cannot have left before the eighth cycle, and told that the last one has left, a client cannot be told
// that it has arrived before that can be.
TEST_P(Endpoint, ATransferHasLeftWithItsLastFlit) {
  std::map<char, Cycle> at = times_of_one(512, 1);
  ASSERT_TRUE(at.contains('l') && at.contains('a'));
  EXPECT_GE(at['l'], 5 + 8);
  EXPECT_GE(at['a'] - at['l'], GetParam().last_flit);
}

TEST_P(Endpoint, EveryTransferArrivesOnceAndIsToldOnce) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    constexpr std::size_t kCount = 2000;
    const ChildResult child = in_child([&]() -> std::string {
      Bench s(yaml());
      const std::vector<Planned> plan = random_plan(s, seed, kCount);
      Sender sender(s.fabric(), plan);
      s.run();
      std::vector<int> left(kCount), arrived(kCount);
      for (std::size_t c = 0; c < 2; ++c) {
        for (const Told& t : s.recorders[c]->told) {
          const Planned& p = plan.at(t.tag);
          if (p.client != c) return "told to the other client";
          if (t.what == 'a' && t.node != p.transfer.to) return "arrived at the wrong node";
          if (t.what == 'a' && t.at <= p.at + 1) return "arrived in no time";
          ++(t.what == 'l' ? left : arrived)[t.tag];
        }
      }
      if (std::count(left.begin(), left.end(), 1) != kCount) return "not every transfer has left once";
      if (std::count(arrived.begin(), arrived.end(), 1) != kCount) return "not every transfer has arrived once";
      if (s.fabric().of(0).ordered && s.fabric().of(s.services - 1).ordered && s.counter.overtakes > 0) {
        return "out of order";
      }
      return s.counter.generated == kCount ? "" : "not as many records as transfers";
    });
    ASSERT_TRUE(child.ok) << child.text;
    EXPECT_EQ(child.text, "");
  }
}

// Every byte of a long run is accounted for: what the records say was generated has arrived, and nothing else.
TEST_P(Endpoint, AHundredThousandTransfersAreAccountedFor) {
  constexpr std::size_t kCount = 100'000;
  const ChildResult child = in_child([&] {
    Bench s(yaml());
    std::vector<Planned> plan = random_plan(s, 4, kCount);
    std::uint64_t bytes = 0;
    for (Planned& p : plan) {
      p.transfer.notify = Notify::none;
      bytes += p.transfer.bytes;
    }
    Sender sender(s.fabric(), plan);
    s.run();
    return fmt::format("{} {} {}", s.counter.arrived, s.counter.generated, s.counter.all_bytes == bytes);
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, fmt::format("{} {} true", kCount, kCount));
}

TEST_P(Endpoint, OrderOfModulesHasNoEffect) {
  const auto run = [&](std::optional<std::uint64_t> shuffle) {
    const ChildResult child = in_child([&] {
      Bench s(yaml(), shuffle);
      Sender sender(s.fabric(), random_plan(s, 9, 600));
      s.run();
      return s.text();
    });
    EXPECT_TRUE(child.ok) << child.text;
    return child.text;
  };
  const std::string straight = run({});
  EXPECT_GT(straight.size(), 600U);
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_EQ(run(seed), straight) << seed;
}

TEST_P(Endpoint, SendsFromOutsideTheAgendaCountForTheNextCycle) {
  const ChildResult child = in_child([&] {
    Bench s(yaml());
    s.fabric().send(0, s.transfer(1, 64, 1, 1));  // before time begins: cycle 0
    s.fabric().send(0, s.transfer(1, 64, 0, 0));
    s.run();
    return s.text();
  });
  ASSERT_TRUE(child.ok) << child.text;
  const Cycle first = GetParam().start(0) + GetParam().one_flit + 1;
  EXPECT_NE(child.text.find(std::to_string(first) + " 0 1 a"), std::string::npos) << child.text;
  const Cycle behind = GetParam().behind > 0 ? GetParam().behind : GetParam().frame;
  EXPECT_NE(child.text.find(std::to_string(first + behind) + " 1 1 a"), std::string::npos)
      << "the second client is behind the first, although it has sent before\n"
      << child.text;
}

TEST_P(Endpoint, WhatHasNotEnteredCanBeTakenBack) {
  const ChildResult child = in_child([&]() -> std::string {
    Bench s(yaml());
    std::vector<Planned> plan;
    for (std::uint64_t i = 0; i < 5000; ++i) plan.push_back({0, 0, s.transfer(1, 512, i, 0, 1), 0});
    Sender sender(s.fabric(), plan);
    sc_core::sc_start(s.domain->time_of(200));
    s.fabric().withdraw();
    s.run();
    if (s.counter.withdrawn == 0 || s.counter.arrived == 0) return "nothing was withdrawn, or nothing arrived";
    return s.counter.withdrawn + s.counter.arrived == 5000 ? "" : "transfers are missing";
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, "");
}

TEST_P(Endpoint, WrongTransfersAreErrors) {
  const ChildResult child = in_child([&]() -> std::string {
    Bench s(yaml());
    const auto refused = [&](NodeId from, Transfer t) {
      try {
        s.fabric().send(from, t);
      } catch (const RunError&) {
        return true;
      }
      return false;
    };
    if (!refused(nodes(), s.transfer(0, 64, 0))) return "unknown source";
    if (!refused(0, s.transfer(nodes(), 64, 0))) return "unknown destination";
    if (!refused(0, s.transfer(1, 64, 0, 0, 2))) return "unknown service";
    const std::vector<NodeId> group{1, 2};
    Transfer t = s.transfer(kNoId, 64, 0);
    t.group = group;
    if (refused(0, t) == GetParam().multicast) return "multicast";
    const std::vector<NodeId> twice{1, 1};
    t.group = twice;
    return refused(0, t) ? "" : "a node twice in a group";
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, "");
}

TEST_P(Endpoint, AMulticastArrivesOnceAtEachDestination) {
  if (!GetParam().multicast) return;  // refused, see above
  const ChildResult child = in_child([&] {
    Bench s(yaml());
    const std::vector<NodeId> group{1, 4, 8};
    Transfer t = s.transfer(kNoId, 512, 3);
    t.group = group;
    Sender sender(s.fabric(), {{0, 0, t, 0}});
    s.run();
    return s.text();
  });
  ASSERT_TRUE(child.ok) << child.text;
  for (const char* node : {" 3 1 a", " 3 4 a", " 3 8 a"}) EXPECT_NE(child.text.find(node), std::string::npos) << node;
}

// Its source may be in a group: alone, and among others where no circuit has to lead there.
TEST_P(Endpoint, AMulticastToItsSourceArrivesThere) {
  if (!GetParam().multicast) return;
  const bool circuits = GetParam().name.rfind("tdm", 0) == 0;
  const ChildResult child = in_child([&] {
    Bench s(yaml());
    const std::vector<NodeId> itself{0};
    const std::vector<NodeId> others{0, 1, 4};
    Transfer t = s.transfer(kNoId, 512, 3);
    t.group = itself;
    Transfer u = s.transfer(kNoId, 512, 4);
    u.group = others;
    std::string refused;
    try {
      s.fabric().send(0, u);
    } catch (const RunError& e) {
      refused = e.what();
    }
    Sender sender(s.fabric(), {{0, 0, t, 0}});
    s.run();
    return s.text() + refused;
  });
  ASSERT_TRUE(child.ok) << child.text;
  const auto count = [&](const std::string& what) {
    int found = 0;
    for (std::size_t at = 0; (at = child.text.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count(" 3 0 a"), 1);
  for (const char* node : {" 4 0 a", " 4 1 a", " 4 4 a"}) EXPECT_EQ(count(node), circuits ? 0 : 1) << node;
  EXPECT_EQ(count("there is no circuit from node 0 to nodes 0, 1, 4"), circuits ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(Fabrics, Endpoint, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<FabricCase>& p) { return p.param.name; });

}  // namespace
}  // namespace weft::test
