// Packet networks in which messages could wait for each other in a cycle, and rings and lanes without the room that
// keeps them free of it: input errors at their place, with what to do instead.

#include <gtest/gtest.h>

#include "integration/packet/platform_texts.h"
#include "run/packet/packet_family.h"
#include "schema/document.h"
#include "support/packet_runs.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Two of many that came to a standstill with 0 to 1 message of space per VL.
TEST(PacketDeadlockErrors, LanesThatKeepANetworkFreeOfDeadlockKeepRoomForAMessage) {
  const std::string two = kTorusText + kSendText +
                          "qos: { levels: { a: { message: 64B, lanes: [0] }, b: { message: 2KiB, lanes: "
                          "[1] } }, lane_space: [ { lane: 1, minimum: 0B } ] }\n";
  EXPECT_THAT(packet_platform_errors(two), ElementsAre(HasSubstr("VL 1 keeps 0 flits for itself")));
  EXPECT_THAT(packet_platform_errors(two, {"topology.kind=mesh"}), IsEmpty()) << "no cycle of links, whatever the VLs";
}

TEST(PacketDeadlockErrors, BubblesNeedRoomForTwoAndOneSize) {
  const std::string small = kTorusText + "qos: { levels: { a: { message: 640B } } }\n" + kSendText +
                            "switch: { output_buffer: 1216B }\n";  // 19 flits
  const std::string minima = "qos.lane_space=[{ lane: 0, minimum: 0B }]";
  EXPECT_THAT(
      packet_platform_errors(small, {minima}),
      ElementsAre("test.yaml:5:26: error: switch.output_buffer of 19 flits: VL 0 can have 19 flits, but needs 20 for "
                  "two of its largest messages (bubble flow control)"));
  EXPECT_THAT(packet_platform_errors(small, {"routing.ring=dateline",
                                             "qos.lane_space=[{ lane: 0, minimum: 576B }, "
                                             "{ lane: 1, minimum: 640B }]"}),
              ElementsAre(HasSubstr("VL 0 keeps 9 flits for itself, but its largest message has 10")));
  EXPECT_THAT(
      packet_platform_errors(small, {"routing.ring=dateline", "switch.output_buffer=1280B",
                                     "qos.lane_space=[{ lane: 0, minimum: 640B }, { lane: 1, minimum: 640B }]"}),
      IsEmpty());
  const std::string mixed =
      kTorusText + kSendText +
      "qos:\n  levels:\n    a: { message: 640B, lanes: [0] }\n    b: { message: 576B, lanes: [0] }\n";
  EXPECT_THAT(packet_platform_errors(mixed), IsEmpty());  // the smaller ones take the places of the larger ones
}

TEST(PacketDeadlockErrors, RoutingsThatCanDeadlockAreRefusedWithTheirLinks) {
  const std::string text = kTorusText + "routing: { ring: none }\n" + kPacketText + kSendText;
  EXPECT_THAT(packet_platform_errors(text), ElementsAre(HasSubstr("messages can wait for each other in a cycle: ")));
  EXPECT_THAT(
      packet_platform_errors(text, {"topology.dims=[4]"}),
      ElementsAre(AllOf(StartsWith("test.yaml:3:10: error: routing: messages can wait for each other in a cycle: sw[0]."
                                   "port1 -> sw[1], sw[1].port1 -> sw[2], sw[2].port1 -> sw[3], sw[3].port1 -> sw[0];"),
                        HasSubstr("ring: bubble or dateline"))));
  EXPECT_THAT(packet_platform_errors(text, {"topology.dims=[3, 3]"}), IsEmpty());
  EXPECT_THAT(packet_platform_errors(kTorusText + "routing: { algorithm: shortest_path }\n" + kPacketText + kSendText),
              ElementsAre(StartsWith("test.yaml:3:10: error: routing: messages can wait for each other in a cycle: ")));
  EXPECT_THAT(packet_platform_errors("fabric: packet\ntopology: { kind: dragonfly, groups: 5, routers_per_group: 4, "
                                     "nodes_per_router: 1, global_links: 1 }\nrouting: { algorithm: shortest_path }\n" +
                                     kPacketText + kSendText),
              ElementsAre(HasSubstr("messages can wait for each other in a cycle: ")));
  EXPECT_THAT(
      packet_platform_errors("fabric: packet\ntopology: { kind: full_mesh, switches: 6 }\n" + kPacketText + kSendText),
      IsEmpty());
}

TEST(PacketDeadlockErrors, AdviceAgainstDeadlockFitsTheNetwork) {
  const std::string torus = kTorusText + "routing: { ring: none }\n" + kPacketText + kSendText;
  EXPECT_THAT(packet_platform_errors(torus),
              ElementsAre(HasSubstr("; use algorithm: dimension_order with ring: bubble")));
  EXPECT_THAT(packet_platform_errors(torus, {"switch={ architecture: iq }"}),
              ElementsAre(HasSubstr("; use algorithm: dimension_order with ring: dateline")));
  const std::string dragonfly =
      "fabric: packet\ntopology: { kind: dragonfly, groups: 5, routers_per_group: 4, nodes_per_router: 1, "
      "global_links: 1 }\n" +
      kPacketText + kSendText;
  for (const char* architecture : {"ib", "iq"}) {
    const std::string set = std::string("switch.architecture=") + architecture;
    EXPECT_THAT(packet_platform_errors(dragonfly, {set, "routing.algorithm=shortest_path"}),
                ElementsAre(HasSubstr("; use algorithm: minimal_vl_per_hop or up_down")))
        << architecture;
    for (const char* algorithm : {"minimal_vl_per_hop", "up_down"}) {
      EXPECT_THAT(packet_platform_errors(dragonfly, {set, std::string("routing.algorithm=") + algorithm}), IsEmpty());
    }
    EXPECT_THAT(packet_platform_errors(dragonfly, {set}), IsEmpty()) << "the default";
  }
}

// Whatever deadlock_check says: the same words, with the way out.
TEST(PacketDeadlockErrors, InputQueuedRoutersThatCanDeadlockAreRefused) {
  for (const char* check : {"true", "false"}) {
    EXPECT_THAT(packet_platform_errors(
                    "fabric: packet\ntopology: { kind: torus, dims: [5] }\n" + kPacketText + kSendText,
                    {"switch.architecture=iq", "routing.ring=none", std::string("routing.deadlock_check=") + check}),
                ElementsAre(AllOf(HasSubstr("routing: messages can wait for each other in a cycle: "),
                                  HasSubstr("; use algorithm: dimension_order with ring: dateline"))))
        << check;
  }
}

TEST(PacketDeadlockErrors, RingFromAFileNeedsARoutingForIt) {
  const ScratchFolder folder;
  std::string file = "switches 5 ports 3\n";
  for (int i = 0; i < 5; ++i) file += fmt::format("node {} {}:0\n", i, i);
  for (int i = 0; i < 4; ++i) file += fmt::format("link {}:1 {}:2\n", i, i + 1);
  const std::string line = folder.write("line.topo", file);
  const std::string ring = folder.write("ring.topo", file + "link 4:1 0:2\n");
  const std::string text = "fabric: packet\ntopology: { kind: file, file: ";
  const std::string shortest = " }\nrouting: { algorithm: shortest_path }\n" + kPacketText + kSendText;
  EXPECT_THAT(packet_platform_errors(text + line + shortest), IsEmpty());
  EXPECT_THAT(packet_platform_errors(text + ring + shortest),
              ElementsAre(AllOf(HasSubstr("messages can wait for each other in a cycle: "),
                                HasSubstr("; use algorithm: up_down"))));
  EXPECT_THAT(packet_platform_errors(text + ring + " }\n" + kPacketText + kSendText), IsEmpty())
      << "up_down by default";
}

// As many VLs for each level as the routing has lane classes, or an error that says how many.
TEST(PacketDeadlockErrors, LanesOfAnyRoutingAreTakenOrAskedFor) {
  const ScratchFolder folder;
  std::string file = "switches 5 ports 3\n";
  for (int i = 0; i < 5; ++i) file += fmt::format("node {} {}:0\nlink {}:1 {}:2\n", i, i, i, (i + 1) % 5);
  const std::string head =
      "fabric: packet\ntopology: { kind: file, file: " + folder.write("ring.topo", file) + " }\nrouting: { algorithm: ";
  const auto errors = [&](const std::string& algorithm, const std::string& levels, std::vector<std::string> set = {}) {
    return packet_platform_errors(
        head + algorithm + " }\nqos: { levels: { " + levels + " } }\ntraffic: [ { level: 0, load: 0.1 } ]\n", set);
  };
  for (const char* architecture : {"ib", "opa"}) {
    EXPECT_THAT(errors("up_down", "a: { message: 64B }", {std::string("switch.architecture=") + architecture}),
                IsEmpty());
  }
  EXPECT_THAT(errors("up_down", "a: { message: 64B, lanes: [3] }"), IsEmpty()) << "one root";
  EXPECT_THAT(errors("up_down", "a: { message: 64B, lanes: [3, 1, 2] }"), IsEmpty()) << "three roots";
  EXPECT_THAT(errors("up_down", "a: { message: 64B, lanes: [3] }", {"routing.roots=2"}),
              ElementsAre(HasSubstr("qos.levels.a.lanes: expected 2 VLs (one per root), got 1")));
  EXPECT_THAT(errors("up_down", "a: { message: 64B, lanes: [0, 1] }, b: { message: 64B, lanes: [1, 2] }"),
              ElementsAre(HasSubstr("VL 1 is number 0 of b and number 1 of a, which allows a deadlock")));
  EXPECT_THAT(errors("minimal_vl_per_hop", "a: { message: 64B, lanes: [4] }"),
              ElementsAre(HasSubstr("qos.levels.a.lanes: expected 2 VLs (one per hop), got 1")));
  EXPECT_THAT(errors("minimal_vl_per_hop", "a: { message: 64B }", {"switch.architecture=iq", "switch.iq.vcs=3"}),
              ElementsAre(HasSubstr("switch.iq.vcs: the routing has 2 lane classes, which must divide the 3 VCs")));
  std::string many = "a0: { message: 64B }";
  for (int i = 1; i < 16; ++i) many += fmt::format(", a{}: {{ message: 64B }}", i);
  EXPECT_THAT(errors("up_down", many), IsEmpty()) << "one root";
  EXPECT_THAT(errors("minimal_vl_per_hop", many),
              ElementsAre(HasSubstr("qos.levels: 16 levels with 2 VLs (one per hop) each need 32 VLs; a port has 31")));
  Diagnostics diagnostics;
  parse_packet_config(kTreeText + kPacketText + kSendText, "t.yaml", ".", {"routing.roots=2"}, diagnostics);
  ASSERT_EQ(diagnostics.list().size(), 1U);
  EXPECT_EQ(diagnostics.list()[0].message, "routing.roots has no effect with algorithm 'valiant'");
}

TEST(PacketDeadlockErrors, AChoiceOfPortsThatNoRouteHasIsSaid) {
  const auto told = [](const std::string& topology, const std::vector<std::string>& settings) {
    Diagnostics diagnostics;
    parse_packet_config(topology + kPacketText + kSendText, "t.yaml", ".", settings, diagnostics);
    std::vector<std::string> out;
    for (const Diagnostic& d : diagnostics.list()) out.push_back(d.message);
    return out;
  };
  const std::string mesh = "fabric: packet\ntopology: { kind: mesh, dims: [4, 4], trunk: 2 }\n";
  const auto warning =
      ElementsAre("routing.trunk has no effect: only dimension_order with topology.trunk leaves a choice of ports");
  EXPECT_THAT(told(mesh, {"routing.trunk=at_routing"}), IsEmpty());
  EXPECT_THAT(told(kTreeText, {"routing.trunk=at_routing"}), IsEmpty());
  EXPECT_THAT(told(mesh, {"routing.trunk=at_routing", "topology.trunk=1"}), warning);
  EXPECT_THAT(told(mesh, {"routing.trunk=at_routing", "routing.algorithm=up_down"}), warning);
}

}  // namespace
}  // namespace weft::test
