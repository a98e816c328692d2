// Links that fail: when a message is cut, waits or goes round, by hand and against an observer that follows every
// message.

#include <gtest/gtest.h>

#include <set>

#include "base/diagnostics.h"
#include "base/random.h"
#include "fabrics/packet/packet_network.h"
#include "schema/document.h"
#include "support/fault_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PacketFaults, AMessageIsLostFromTheDecisionUntilItsLastFlitHasArrived) {
  for (int down = 1; down <= 52; ++down) {
    for (const char* place : {"sw[0].port1", "sw[1].port2", "sw[1]"}) {
      const PacketOutcome r =
          one_message(fmt::format("[ {{ at: '{}', down: {}cycles }} ]", place, down), {"routing.no_way=wait"});
      ASSERT_EQ(r.error + r.failure, "") << place << " " << down;
      // Switch 1 decides in cycle 30, and its flits reach the NIC until cycle 31 + 9 + 10 = 50. When all of it fails
      // before, the message that was cut on the wire gets no further; afterwards it is cut on the last link.
      const bool whole_switch = std::string(place) == "sw[1]";
      const bool cut = down >= 16 && down <= (whole_switch ? 50 : 35);
      const bool stalled = down <= (whole_switch ? 30 : 15);
      EXPECT_EQ(fault(r, "cut"), cut ? 1 : 0) << place << " " << down;
      EXPECT_EQ(fault(r, "stalled"), stalled ? 1 : 0) << place << " " << down;
      EXPECT_EQ(fault(r, "lost"), cut && !stalled ? 1 : 0) << place << " " << down;
      EXPECT_EQ(r.figure("delivered"), !cut && !stalled ? 1 : 0) << place << " " << down;
      // Without waiting what stalled is lost, too.
      const PacketOutcome d = one_message(fmt::format("[ {{ at: '{}', down: {}cycles }} ]", place, down));
      EXPECT_EQ(fault(d, "lost"), cut || stalled ? 1 : 0) << place << " " << down;
      EXPECT_EQ(fault(d, "stalled"), 0);
    }
  }
}

// The message reaches switch 0 in cycle 11 and is routed in cycle 13, after an input stage and one of routing. A link
// that is back by then has cost it nothing, and the detour it would have taken is none.
TEST(PacketFaults, AMessageIsLostWhenItIsRoutedAndNotBefore) {
  for (const char* architecture : {"ib", "opa"}) {
    for (int up = 2; up <= 20; ++up) {
      const PacketOutcome r = one_message(fmt::format("[ {{ at: 'sw[0].port1', down: 1cycles, up: {}cycles }} ]", up),
                                          {std::string("switch.architecture=") + architecture});
      ASSERT_EQ(r.error + r.failure, "") << up;
      EXPECT_EQ(fault(r, "lost"), up > 13 ? 1 : 0) << architecture << " " << up;
      EXPECT_EQ(r.figure("delivered"), up > 13 ? 0 : 1) << architecture << " " << up;
      expect_conserved(r);
    }
  }
}

// Two ways through a tree: the message goes round a link that is down when it is routed, not one that is back.
TEST(PacketFaults, AMessageGoesRoundWhenItIsRouted) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n0,0,2,a\n");
  const auto rerouted = [&](const char* port, int up) {
    const PacketOutcome r = run_packet_yaml(
        fmt::format(
            "fabric: packet\ntopology: {{ kind: tree, arity: 2, levels: 2 }}\nlink: {{ delay: 10cycles }}\n"
            "qos: {{ levels: {{ a: {{ message: 640B }} }} }}\nrun: {{ warm_up: 0ns, measure: 2us }}\ntrace: {}\n"
            "faults: [ {{ at: 'sw[0].{}', down: 1cycles, up: {}cycles }} ]\n",
            trace, port, up),
        {});
    EXPECT_EQ(r.error + r.failure, "");
    EXPECT_EQ(r.figure("delivered"), 1);
    return r.cell("faults", 0, "rerouted").get<int>();
  };
  const char* port = rerouted("port2", 1000) == 1 ? "port2" : "port3";
  for (int up = 2; up <= 20; ++up) EXPECT_EQ(rerouted(port, up), up > 13 ? 1 : 0) << up;
}

TEST(PacketFaults, WhatWaitsGoesOnWhenTheLinkIsBack) {
  for (const int up : {16, 50, 300}) {
    const PacketOutcome r = one_message(fmt::format("[ {{ at: 'sw[0].port1', down: 5cycles, up: {}cycles }} ]", up),
                                        {"routing.no_way=wait"});
    ASSERT_EQ(r.error + r.failure, "");
    EXPECT_EQ(r.report["figures"]["run"]["conserved"]["value"], "yes");
    // Granted when the link is back, decided for two cycles later instead of in cycle 15; a message that meets nobody
    // is delivered after 11 + 2 * 15 + 9 cycles.
    EXPECT_NEAR(r.cell("services", 0, "latency_max").get<double>(), (11 + 2 * 15 + 9 + up + 2 - 15) * 5.12, 1e-6);
  }
}

// What waits for a link is overtaken by messages that take the one beside it, and arrives all the same.
TEST(PacketFaults, WhatWaitsBesideAnotherLinkIsOvertaken) {
  const ScratchFolder folder;
  folder.write("two.topo", "switches 2 ports 4\nnode 0 0:0\nnode 1 1:0\nnode 2 0:3\nlink 0:1 1:1\nlink 0:2 1:2\n");
  for (const char* routing : {"shortest_path", "minimal_vl_per_hop"}) {
    for (int seed = 1; seed <= 8; ++seed) {
      const PacketOutcome r = run_packet_yaml(
          fmt::format("fabric: packet\nseed: {}\ntopology: {{ kind: file, file: {} }}\n"
                      "routing: {{ algorithm: {}, no_way: wait }}\nqos: {{ levels: {{ d: {{ message: 300B }} }} }}\n"
                      "traffic: [ {{ level: d, load: 0.9 }} ]\nrun: {{ warm_up: 0us, measure: 20us }}\n"
                      "faults: [ {{ at: 'sw[1].port2', down: 5us, up: 6us }} ]\n",
                      seed, folder.path("two.topo"), routing),
          {});
      ASSERT_EQ(r.error + r.failure, "") << routing << " " << seed;
      expect_conserved(r);
    }
  }
}

TEST(PacketFaults, ANicWithoutItsLinkKeepsItsMessages) {
  const PacketOutcome r = one_message("[ { at: 'nic[0]', down: 0cycles, up: 100cycles } ]");
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.figure("delivered"), 1);
  EXPECT_NEAR(r.cell("services", 0, "latency_max").get<double>(), (100 + 11 + 2 * 15 + 9) * 5.12, 1e-6);
  const PacketOutcome never = one_message("[ { at: 'nic[0]', down: 0cycles } ]");
  EXPECT_EQ(fault(never, "stalled"), 1);
  EXPECT_EQ(never.failure, "");
}

// A switch and one of its links fail at different times: the link is back when both are.
TEST(PacketFaults, ALinkIsBackWhenEveryFailureOfItIsOver) {
  const PacketOutcome r = one_message(
      "[ { at: 'sw[1]', down: 5cycles, up: 200cycles }, { at: 'sw[0].port1', down: 100cycles, up: 400cycles } ]",
      {"routing.no_way=wait"});
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(r.cell("services", 0, "latency_max").get<double>(), (11 + 2 * 15 + 9 + 400 + 2 - 15) * 5.12, 1e-6);
}

// The decision falls in the cycle before the first flit.
TEST(PacketFaults, TreesLoseWhatIsInTheDeadPortAndNothingMore) {
  for (const char* architecture : {"ib", "opa"}) {
    SCOPED_TRACE(architecture);
    expect_detours({std::string("switch.architecture=") + architecture}, 1);
  }
}

TEST(PacketFaults, ALeafSwitchTakesOnlyItsOwnNicsAlong) {
  // Switch 2 has the NICs 6 to 8.
  const PacketOutcome r =
      followed(kTree + "faults: [ { at: 'sw[2]', down: 4000cycles } ]\n", {}, [](const Follower& f) -> std::string {
        int lost = 0;
        for (const auto& [sequence, life] : f.lives) {
          if (life.lost < 0 || life.generated < kDown) continue;
          ++lost;
          if (life.destination < 6 || life.destination > 8) return "lost on its way elsewhere";
        }
        return lost < 100 ? "little was lost" : "";
      });
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.noted, "");
  double lost = 0, stalled = 0;
  for (std::size_t i = 0; i < r.lines("fault_flows"); ++i) {
    lost += r.cell("fault_flows", i, "lost_cut").get<double>() + r.cell("fault_flows", i, "lost_no_way").get<double>();
    stalled += r.cell("fault_flows", i, "stalled").get<double>();
  }
  EXPECT_EQ(lost, fault(r, "lost"));
  EXPECT_EQ(stalled, fault(r, "stalled"));
  EXPECT_GT(stalled, 0);  // what the NICs of the switch keep in their buffers
}

// The route of dimension order on the torus of 5 x 3 (odd: no ties), by the links of +x out of column 1 in row 0.
bool crosses(NodeId from, NodeId to) {
  const int row = static_cast<int>(from) / 5;
  if (row != 0) return false;  // x is corrected first, so the ring of the row of the source counts
  const int ahead = (static_cast<int>(to) % 5 - static_cast<int>(from) % 5 + 5) % 5;
  if (ahead == 0 || ahead > 2) return false;
  for (int i = 0; i < ahead; ++i) {
    if ((static_cast<int>(from) % 5 + i) % 5 == 1) return true;
  }
  return false;
}

TEST(PacketFaults, ToriLoseExactlyTheTrafficOfTheLink) {
  for (const char* architecture : {"ib", "opa"}) {
    // Port 1 leads to +x; only this direction is looked at here, the other one takes its own traffic along.
    const PacketOutcome r = followed(
        kTorus + "faults: [ { at: 'sw[1].port1', down: 4000cycles } ]\n",
        {std::string("switch.architecture=") + architecture}, [](const Follower& f) -> std::string {
          for (const auto& [sequence, life] : f.lives) {
            if (life.ends != 1) return fmt::format("message {} ended {} times", sequence, life.ends);
            // The other direction: -x out of column 2, by symmetry x -> 3 - x.
            const auto mirror = [](NodeId n) { return n / 5 * 5 + (8 - n % 5) % 5; };
            const bool over =
                crosses(life.source, life.destination) || crosses(mirror(life.source), mirror(life.destination));
            if (life.generated >= kDown && (life.lost >= 0) != over && life.hops.size() + (life.lost >= 0) > 0) {
              return fmt::format("{} -> {} of cycle {}: lost in {}", life.source, life.destination, life.generated,
                                 life.lost);
            }
            if (life.generated < kDown && life.lost >= 0 && !over) return "lost although it never meets the link";
          }
          return "";
        });
    ASSERT_EQ(r.error + r.failure, "");
    EXPECT_EQ(r.noted, "");
    EXPECT_GT(fault(r, "lost"), 500);
    EXPECT_EQ(fault(r, "stalled"), 0);
    EXPECT_EQ(r.report["figures"]["run"]["saturated_levels"]["value"], "none");
    const PacketOutcome wait =
        run_packet_yaml(kTorus + "faults: [ { at: 'sw[1].port1', down: 4000cycles } ]\n",
                        {std::string("switch.architecture=") + architecture, "routing.no_way=wait"});
    ASSERT_EQ(wait.error + wait.failure, "");
    EXPECT_EQ(fault(wait, "lost"), fault(wait, "cut"));
    EXPECT_GT(fault(wait, "stalled"), 0);
    EXPECT_THAT(
        wait.report["notes"].dump(),
        AllOf(HasSubstr(fmt::format("{} messages stand still because links are down; ", fault(wait, "stalled"))),
              HasSubstr("SL 0"), HasSubstr("; oldest: message of SL ")));
    EXPECT_EQ(wait.figure("generated"),
              wait.figure("delivered") + wait.figure("withdrawn") + fault(wait, "lost") + fault(wait, "stalled"));
    EXPECT_EQ(wait.report["figures"]["run"]["conserved"]["value"], "not checked");
  }
}

// Many failures at random: the accounting and the audits of the run hold, and neither the order of modules nor fetching
// ahead matters.
TEST(PacketFaults, AccountingHoldsWhateverFails) {
  for (int seed = 0; seed < 8; ++seed) {
    RandomStream random(static_cast<std::uint64_t>(seed), "faults");
    std::string yaml = seed % 2 == 0 ? kTree : kTorus;
    yaml.replace(yaml.find("measure: 60us, drain: 30us"), 26, "measure: 20us, drain: 10us");
    const Graph g = graph_of(yaml);
    yaml += "faults:\n";
    for (int i = 0; i < 12; ++i) {
      const auto sw = static_cast<SwitchId>(random.below(g.switches()));
      const auto port = static_cast<PortId>(random.below(g.ports(sw)));
      if (g.is_free({sw, port})) continue;
      const auto down = random.below(5000);
      const std::string place =
          random.below(4) == 0 ? fmt::format("sw[{}]", sw) : fmt::format("sw[{}].port{}", sw, port);
      yaml += fmt::format("  - {{ at: '{}', down: {}cycles{} }}\n", place, down,
                          random.below(3) == 0 ? "" : fmt::format(", up: {}cycles", down + 1 + random.below(1500)));
    }
    for (const char* architecture : {"ib", "opa", "iq"}) {
      for (const char* no_way : {"discard", "wait"}) {
        Overrides set{std::string("switch.architecture=") + architecture, std::string("routing.no_way=") + no_way,
                      "switch.crossbar_rate=2", fmt::format("link.delay={}cycles", 1 + 2 * seed)};
        // Wormholes need datelines on rings.
        if (set[0].ends_with("iq") && seed % 2 != 0)
          set.insert(set.end(), {"routing.ring=dateline", "qos.levels.a.lanes=[0, 2]", "qos.levels.b.lanes=[1, 3]"});
        const auto verdict = [](const Follower& f) -> std::string {
          for (const auto& [sequence, life] : f.lives) {
            if (life.ends > 1) return "a message ended twice";
          }
          return "";
        };
        const PacketOutcome r = followed(yaml, set, verdict);
        ASSERT_EQ(r.error + r.failure + r.noted, "") << yaml << architecture << no_way;
        expect_conserved(r);
        const PacketOutcome shuffled = run_packet_yaml(yaml, set, [](PacketRunOptions& o) {
          o.shuffle_seed = 3;
          o.prepare = [](sc_core::sc_module& module) {
            if (auto* network = dynamic_cast<PacketNetwork*>(&module)) network->fetch_ahead(true);
          };
        });
        const auto differ = std::mismatch(r.text.begin(), r.text.end(), shuffled.text.begin(), shuffled.text.end());
        const auto at = static_cast<std::size_t>(differ.first - r.text.begin());
        EXPECT_TRUE(shuffled.text == r.text) << yaml << architecture << no_way << "\n"
                                             << r.text.substr(at < 300 ? 0 : at - 300, 500) << "\nshuffled:\n"
                                             << shuffled.text.substr(at < 300 ? 0 : at - 300, 500);
      }
    }
  }
}

TEST(PacketFaults, WrongPlacesAndTimesAreRefused) {
  const std::string faults = kTorus + "faults:\n";
  EXPECT_THAT(packet_platform_errors(faults + "  - { at: 'sw[15]', down: 1us }\n"),
              ElementsAre("test.yaml:9:11: error: faults.0.at: there is no sw[15], the last is sw[14]"));
  EXPECT_THAT(packet_platform_errors(faults + "  - { at: 'sw[1].port9', down: 1us }\n"),
              ElementsAre("test.yaml:9:11: error: faults.0.at: sw[1] has nothing connected at port 9"));
  EXPECT_THAT(
      packet_platform_errors(faults + "  - { at: 'sw[1]-sw[3]', down: 1us }\n"),
      ElementsAre("test.yaml:9:11: error: faults.0.at: there is no link between sw[1] and sw[3]; sw[1] has links "
                  "to sw[2], sw[0], sw[6], sw[11]"));
  EXPECT_THAT(packet_platform_errors(faults + "  - { at: 'nic[3..15]', down: 1us }\n"),
              ElementsAre(HasSubstr("faults.0.at: there is no nic[15], the last is nic[14]")));
  EXPECT_THAT(packet_platform_errors(faults + "  - { at: link1, down: 1us }\n"),
              ElementsAre(HasSubstr("faults.0.at: expected a place such as")));
  EXPECT_THAT(packet_platform_errors(faults + "  - { at: 'sw[1]', down: 2us, up: 2us }\n"),
              ElementsAre(HasSubstr("faults.0.up: must be after down")));
}

}  // namespace
}  // namespace weft::test
