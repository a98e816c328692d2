// Errors in a configuration of packet switches that show only in its network: everything that does not fit is an input
// error at its place, before any module is made.

#include <gtest/gtest.h>

#include <map>

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

TEST(PacketPlatform, InputQueuedRoutersSayWhatTheyCannotBe) {
  const auto errors = [](const std::string& iq, const std::string& routing, const std::string& topology) {
    return packet_platform_errors("fabric: packet\ntopology: " + topology + "\nrouting: " + routing +
                                  "\nswitch: { architecture: iq, iq: " + iq +
                                  " }\nqos: { levels: { a: { message: 64B } } }\n"
                                  "traffic: [ { level: a, load: 0.1 } ]\n");
  };
  const std::string torus = "{ kind: torus, dims: [5, 5] }";
  EXPECT_THAT(errors("{ vcs: 4 }", "{ ring: dateline }", torus), ElementsAre());
  EXPECT_THAT(errors("{ vcs: 4 }", "{ ring: bubble }", torus),
              ElementsAre(AllOf(HasSubstr("3:18: error: routing.ring: "), HasSubstr("need lane classes (dateline)"))));
  EXPECT_THAT(errors("{ vcs: 3 }", "{ ring: dateline }", torus), ElementsAre(HasSubstr("must divide the 3 VCs")));
  EXPECT_THAT(errors("{ iterations: 2 }", "{}", "{ kind: mesh, dims: [3] }"),
              ElementsAre(HasSubstr("4:47: error: switch.iq.iterations: iterations are for islip only")));
  EXPECT_THAT(errors("{ buffer: 63B }", "{}", "{ kind: mesh, dims: [3] }"),
              ElementsAre(HasSubstr("4:43: error: switch.iq.buffer: 0 flits per VC")));
  // Every error, each at its own key.
  EXPECT_THAT(errors("{ vcs: 3, buffer: 1B, stages: { crossbar: 1001cycles } }", "{ ring: dateline }", torus),
              ElementsAre(HasSubstr("4:40: error: switch.iq.vcs: the routing has 2 lane classes"),
                          HasSubstr("4:51: error: switch.iq.buffer: 0 flits"),
                          HasSubstr("4:75: error: switch.iq.stages.crossbar: 1001 cycles; 0 to 1000 are possible")));
  EXPECT_THAT(errors("{ vcs: 4 }", "{ ring: bubble }", torus), ElementsAre(HasSubstr("3:18: error: routing.ring: ")));
}

TEST(PacketPlatform, BuffersMustHoldTheirLargestMessage) {
  // VL 0 needs 10 flits; its minimum and that of VL 1 are 20 and 2.
  for (const char* buffer : {"input_buffer", "output_buffer"}) {
    const std::string text = kTreeText + kPacketText + kSendText + "switch: { " + buffer + ": 1344B }\n";
    EXPECT_THAT(
        packet_platform_errors(text),
        ElementsAre(fmt::format("test.yaml:5:{}: error: switch.{} of 21 flits cannot hold the minima of its VLs, "
                                "together 22 flits; make it larger or give smaller minima (qos.lane_space)",
                                13 + std::string(buffer).size(), buffer)));
    EXPECT_THAT(packet_platform_errors(text, {std::string("switch.") + buffer + "=1408B"}), IsEmpty());
    EXPECT_THAT(
        packet_platform_errors(text, {std::string("switch.") + buffer + "=640B",
                                      "qos.lane_space=[{ lane: 0, minimum: 0B }, { lane: 1, minimum: 64B }]"}),
        ElementsAre(fmt::format("--set switch.{}=640B: error: switch.{} of 10 flits: VL 0 can have 9 flits, but needs "
                                "10 for its largest message",
                                buffer, buffer)));
    EXPECT_THAT(packet_platform_errors(text, {std::string("switch.") + buffer + "=704B",
                                              "qos.lane_space=[{ lane: 0, minimum: 0B }, { lane: 1, minimum: 64B }]"}),
                IsEmpty());
  }
  for (const char* buffer : {"buffer", "input_buffer"}) {
    EXPECT_THAT(packet_platform_errors(kTreeText + kPacketText + kSendText + "nic: { " + buffer + ": 1344B }\n"),
                ElementsAre(StartsWith(fmt::format("test.yaml:5:{}: error: nic.{} of 21 flits cannot hold",
                                                   10 + std::string(buffer).size(), buffer))));
  }
  const std::string central =
      kTreeText + kPacketText + kSendText + "switch: { architecture: opa, mport: { central_buffer: 64B } }\n";
  EXPECT_THAT(packet_platform_errors(central),
              ElementsAre(StartsWith("test.yaml:5:55: error: switch.mport.central_buffer of 1 flits cannot hold")));
  // The option that sets it, not another one of its section.
  EXPECT_THAT(packet_platform_errors(kTreeText + kPacketText + kSendText,
                                     {"switch.architecture=opa", "switch.mport.central_buffer=64B"}),
              ElementsAre(StartsWith("--set switch.mport.central_buffer=64B: error: switch.mport.central_buffer of ")));
}

// What the space of a VL causes is told there, once for all buffers.
TEST(PacketPlatform, SpaceOfALaneIsToldWhereItStands) {
  const auto errors = [](const std::string& space, const Overrides& set = {}) {
    return packet_platform_errors(kTorusText + kSendText +
                                      "qos:\n  levels: { a: { message: 640B }, b: { message: 64B } }\n"
                                      "  lane_space:\n    - { " +
                                      space + " }\n",
                                  set);
  };
  EXPECT_THAT(errors("lane: 1, minimum: 1MiB"),
              ElementsAre("test.yaml:7:27: error: qos.lane_space.0.minimum: VL 1 keeps 16384 flits, the other VLs keep "
                          "20, but switch.input_buffer has 1792; expected at most 1772 flits (110.75KiB)"));
  EXPECT_THAT(errors("lane: 1, minimum: 1MiB", {"nic.buffer=64000B"}),
              ElementsAre(AllOf(StartsWith("test.yaml:7:27: error: "), HasSubstr("but nic.buffer has 1000; "))))
      << "the smallest";
  EXPECT_THAT(errors("lane: 1, minimum: 113408B"), IsEmpty());
  EXPECT_THAT(errors("lane: 0, maximum: 640B"),
              ElementsAre("test.yaml:7:27: error: qos.lane_space.0.maximum: VL 0 can have 10 flits, but needs 20 flits "
                          "(1.25KiB) for two of its largest messages (bubble flow control)"));
  EXPECT_THAT(errors("lane: 0, minimum: 64B"),
              ElementsAre(AllOf(StartsWith("test.yaml:7:27: error: qos.lane_space.0.minimum: VL 0 keeps 1 flits for"),
                                HasSubstr("expected at least 10 flits (640B)"))));
  // The minima fit, but the other VL is left too little.
  EXPECT_THAT(
      errors("lane: 0, minimum: 0B",
             {"topology.kind=mesh", "qos.lane_space=[{ lane: 0, minimum: 0B }, { lane: 1, minimum: 114240B }]"}),
      ElementsAre(AllOf(HasSubstr(": error: qos.lane_space.1.minimum: VL 1 keeps 1785 flits, which leaves 7 of "
                                  "the 1792 of switch.input_buffer for VL 0, but that needs 10"))));
}

// Routes to the nodes of a switch differ, and together they close a cycle.
TEST(PacketPlatform, ShortestPathsToSeveralNodesOfASwitch) {
  const std::string mesh =
      "fabric: packet\ntopology: { kind: mesh, dims: [2, 2], nodes_per_switch: 2 }\n"
      "routing: { algorithm: shortest_path }\n" +
      kSendText + "qos: { levels: { a: { message: 1024B } } }\n";
  EXPECT_THAT(packet_platform_errors(mesh), ElementsAre(HasSubstr("wait for each other in a cycle")));
  EXPECT_THAT(packet_platform_errors(mesh, {"routing.algorithm=dimension_order"}), IsEmpty());
}

TEST(PacketPlatform, MaximumOfALaneMustHoldItsLargestMessage) {
  EXPECT_THAT(
      packet_platform_errors(kTreeText + kPacketText + kSendText, {"qos.lane_space=[{ lane: 0, maximum: 639B }]"}),
      ElementsAre(HasSubstr("qos.lane_space.0.maximum: VL 0 can have 9 flits, but needs 10 flits (640B)")));
  EXPECT_THAT(
      packet_platform_errors(kTreeText + kPacketText + kSendText, {"qos.lane_space=[{ lane: 0, maximum: 640B }]"}),
      IsEmpty());
}

// A maximum below the default minimum lowers that minimum, and the other VL may have what this leaves.
TEST(PacketPlatform, MaximumLimitsTheDefaultMinimum) {
  Diagnostics diagnostics;
  const PacketConfig config =
      parse_packet_config(kTreeText + kPacketText + kSendText + "switch: { input_buffer: 768B }\n", "test.yaml", ".",
                          {"qos.lane_space=[{ lane: 0, maximum: 640B }]"}, diagnostics);
  const PacketPlatform platform(config);
  EXPECT_THAT(platform.parameters().input.minimum, ElementsAre(10, 2));
  EXPECT_THAT(platform.parameters().input.maximum, ElementsAre(10, 2));
  EXPECT_THAT(platform.parameters().output.minimum, ElementsAre(10, 2));
  EXPECT_THAT(platform.parameters().output.maximum, ElementsAre(10, 1782));
}

TEST(PacketPlatform, EveryLevelMustBeServed) {
  const std::string levels =
      "qos:\n  levels:\n    a: { message: 640B, quantum: 4, share: 3 }\n    b: { message: 64B, quantum: "
      "4, share: 1 }\n";
  const std::string never = "no entry of positive weight serves this level, its messages would wait forever";
  EXPECT_THAT(packet_platform_errors(kTreeText + kSendText + levels +
                                     "  scheduler: dtable\n  dtable: { table: [ { sl: b, weight: 5 }, { "
                                     "sl: a, weight: 0 } ] }\n"),
              ElementsAre("test.yaml:6:5: error: qos.levels.a: " + never));
  EXPECT_THAT(packet_platform_errors(kTreeText + kSendText + levels +
                                     "  scheduler: ib_arbiter\n  ib_arbiter: { high: [ { sl: a, weight: 5 } ] }\n"),
              ElementsAre("test.yaml:7:5: error: qos.levels.b: " + never));
  EXPECT_THAT(packet_platform_errors(kTreeText + kSendText + levels +
                                     "  scheduler: ib_arbiter\n  ib_arbiter: { high: [ { sl: a, weight: "
                                     "5 } ], low: [ { sl: 1, weight: 255 } ] }\n"),
              IsEmpty());
  EXPECT_THAT(
      packet_platform_errors(
          kTreeText + kSendText + levels +
          "  scheduler: ib_arbiter\n  ib_arbiter: { high: [ { sl: a, weight: 256 }, { sl: b, weight: 1 } ] }\n"),
      testing::Contains(
          "test.yaml:9:42: error: qos.ib_arbiter.high.0.weight: expected a whole number from 0 to 255, got '256'"));
  for (const char* other : {"round_robin", "strict_priority", "drr", "scfq"}) {
    EXPECT_THAT(packet_platform_errors(kTreeText + kSendText + levels + "  scheduler: " + other + "\n"), IsEmpty());
  }
}

TEST(PacketPlatform, MessagesMustFitNarrowCounters) {
  const std::string text = kTreeText + kSendText + kPacketText;
  const Overrides set{"qos.scheduler=dtable", "qos.dtable.table=[{ sl: a, weight: 5 }, { sl: b, weight: 5 }]"};
  Overrides narrow = set;
  narrow.emplace_back("qos.dtable.counter_bits=3");
  EXPECT_THAT(
      packet_platform_errors(text, narrow),
      ElementsAre("test.yaml:4:18: error: qos.levels.a: a message of 10 flits never fits in counters of 3 bits"));
  narrow.back() = "qos.dtable.counter_bits=4";
  EXPECT_THAT(packet_platform_errors(text, narrow), IsEmpty());
}

// The same for all implementations: what an entry gives beyond the counters is lost in every round.
TEST(PacketPlatform, WeightsMustFitNarrowCounters) {
  const std::string levels = "qos:\n  levels:\n    a: { message: 640B }\n    b: { message: 64B }\n";
  const auto errors = [&](int weight, int bits, const std::string& implementation) {
    return packet_platform_errors(
        kTreeText + kSendText + levels + "  scheduler: dtable\n" +
        fmt::format("  dtable: {{ table: [ {{ sl: b, weight: 5 }}, {{ sl: a, weight: {} }} ], counter_bits: {}, "
                    "implementation: {} }}\n",
                    weight, bits, implementation));
  };
  for (const char* implementation : {"model", "rtl", "lockstep"}) {
    EXPECT_THAT(errors(255, 8, implementation), IsEmpty());
    EXPECT_THAT(
        errors(256, 8, implementation),
        ElementsAre("test.yaml:9:61: error: qos.dtable.table.1.weight: weight 256 does not fit in counters of 8 bits "
                    "(qos.dtable.counter_bits), at most 255; give the level several entries"));
    EXPECT_THAT(errors(256, 0, implementation), IsEmpty()) << "counters as wide as it takes";
  }
  EXPECT_THAT(errors(31, 5, "model"), IsEmpty());
  EXPECT_THAT(errors(32, 5, "model"), ElementsAre(HasSubstr("weight 32 does not fit in counters of 5 bits")));
}

// At what the compiled RTL does not take.
TEST(PacketPlatform, LimitsOfTheRtlAreToldWhereTheyAreExceeded) {
  const std::string text = kTreeText + kSendText + kPacketText;
  const auto errors = [&](const std::string& set,
                          const std::string& table = "{ sl: a, weight: 5 }, { sl: b, weight: 5 }") {
    return packet_platform_errors(
        text, {"qos.scheduler=dtable", "qos.dtable.table=[" + table + "]", "qos.dtable.implementation=lockstep", set});
  };
  EXPECT_THAT(errors("qos.dtable.table.1.weight=70000"),
              ElementsAre("--set qos.dtable.table.1.weight=70000: error: qos.dtable.table.1.weight: weight 70000; the "
                          "compiled RTL takes at most 65535; weft_add_block(scheduler PLACE dtable PARAMETERS NumSl=2 "
                          "NumEntries=2 WeightW=17 SizeW=4 CountW=18) makes a block of this size"));
  EXPECT_THAT(errors("qos.dtable.counter_bits=7"),
              ElementsAre(AllOf(
                  StartsWith("--set qos.dtable.counter_bits=7: error: qos.dtable.counter_bits: counters of 7 bits"),
                  HasSubstr("PARAMETERS NumSl=2 NumEntries=2 WeightW=3 SizeW=4 CountW=7)"))));
  std::string many = "{ sl: a, weight: 5 }";
  for (int i = 0; i < 128; ++i) many += ", { sl: b, weight: 5 }";
  EXPECT_THAT(errors("seed=1", many),
              ElementsAre(AllOf(HasSubstr(": error: qos.dtable.table: a table of 129 entries; "),
                                Not(HasSubstr("weft_add_block")))));
  EXPECT_THAT(errors("qos.dtable.counter_bits=8", many.substr(0, 20 + 64 * 22)),
              ElementsAre(HasSubstr(": error: qos.dtable.table: a table of 65 entries; ")));
}

TEST(PacketPlatform, LimitsOfTheRtlOfOtherSchedulers) {
  const std::string yaml =
      "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos:\n  levels:\n"
      "    a: { message: 64B, quantum: 65536 }\n    b: { message: 64B, quantum: 1 }\n"
      "  scheduler: drr\n  drr: { instances: { 'nic[1]': { implementation: rtl }, 'nic[2]': { implementation: model } "
      "} }\n"
      "traffic: [ { level: a, load: 0.1 } ]\n";
  EXPECT_THAT(
      packet_platform_errors(yaml),
      ElementsAre(
          "test.yaml:5:33: error: qos.levels.a.quantum: quantum 65536; the compiled RTL takes at most 65535; "
          "weft_add_block(scheduler PLACE drr PARAMETERS NumSl=2 WeightW=17 SizeW=1 CountW=18) makes a block of "
          "this size",
          "test.yaml:8:58: error: qos.drr.instances: there is no nic[2], the last is nic[1]"));
  EXPECT_THAT(packet_platform_errors(yaml, {"qos.levels.a.quantum=65535", "qos.drr.instances.nic[2]=null"}), IsEmpty());
  // Largest message: beyond what the pins of sizes take, in buffers that hold two of them.
  EXPECT_THAT(
      packet_platform_errors("fabric: packet\ntopology: { kind: mesh, dims: [2] }\nlink: { rate: 1GB/s, flit: 8b }\n"
                             "switch: { input_buffer: 1MiB, output_buffer: 1MiB }\nnic: { buffer: 1MiB, input_buffer: "
                             "1MiB }\nqos:\n  levels:\n    a: { message: 65536B }\n  scheduler: ib_arbiter\n"
                             "  ib_arbiter: { low: [ { sl: a, weight: 1 } ], implementation: lockstep }\n"
                             "traffic: [ { level: a, load: 0.1 } ]\n"),
      ElementsAre(
          "test.yaml:8:5: error: qos.levels.a: messages of 65536 credits; the compiled RTL takes at most 65535; "
          "weft_add_block(scheduler PLACE ib_arbiter PARAMETERS NumSl=2 NumEntries=1 SizeW=17) makes a block of this "
          "size"));
}

// What one check finds hides nothing of what the others find.
TEST(PacketPlatform, ErrorsOfAllKindsComeAtOnce) {
  const std::string yaml =
      "fabric: packet\ntopology: { kind: torus, dims: [4, 4] }\nrouting: { ring: none }\n"
      "switch: { input_buffer: 1KiB, output_buffer: 512B }\n"
      "qos: { levels: { a: { message: 2048B }, b: { message: 64B } }, scheduler: dtable,\n"
      "       dtable: { table: [ { sl: a, weight: 1 } ], instances: { 'sw[50]': { implementation: rtl } } } }\n"
      "traffic:\n  - { level: a, load: 0.2, destinations: pattern, pattern: foo }\n"
      "  - { level: b, load: 0.1, destinations: pattern, pattern: bar }\ntrace: none.csv\n"
      "faults: [ { at: 'sw[77]', down: 15us } ]\nobserve: { waves: { switches: ['sw[99]', 'sw[0..98]'] } }\n";
  EXPECT_THAT(packet_platform_errors(yaml),
              ElementsAre(HasSubstr(":3:10: error: routing: messages can wait for each other in a cycle: "),
                          HasSubstr(":4:25: error: switch.input_buffer of 16 flits cannot hold the minima"),
                          HasSubstr(":4:46: error: switch.output_buffer of 8 flits cannot hold the minima"),
                          HasSubstr(": error: qos.levels.b: no entry of positive weight serves this level"),
                          HasSubstr(": error: qos.dtable.instances: there is no sw[50]"),
                          HasSubstr(":8:60: error: traffic.0.pattern: unknown pattern 'foo'"),
                          HasSubstr(":9:60: error: traffic.1.pattern: unknown pattern 'bar'"),
                          HasSubstr(":10:8: error: trace: "), HasSubstr(": error: faults.0.at: there is no sw[77]"),
                          HasSubstr(": error: observe.waves.switches.0: there is no sw[99]"),
                          HasSubstr(": error: observe.waves.switches.1: there is no sw[98]")));
}

// The architecture has no shares of lanes: what it is told is told once, and nothing of it is an error.
TEST(PacketPlatform, LanesOfInputQueuedRoutersAreToldOnce) {
  Diagnostics diagnostics;
  parse_packet_config(kTreeText + kPacketText + kSendText, "t.yaml", ".",
                      {"switch={ architecture: iq }", "qos.lane_space=[{ lane: 9, minimum: 64B }]",
                       "qos.lane_maps=[{ at: 'sw[0]', lanes: { a: [0] } }]"},
                      diagnostics);
  std::map<std::string, int> told;
  for (const auto& d : diagnostics.list()) ++told[d.message];
  EXPECT_EQ(told["qos.lane_space has no effect with architecture 'iq'"], 1);
  EXPECT_EQ(told["qos.lane_maps has no effect with architecture 'iq'"], 1);
}

TEST(PacketPlatform, LevelsAreNotNamedByTheNumberOfAnother) {
  const std::string head = "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos: { levels: { ";
  const std::string send = " } }\ntraffic: [ { level: 1, load: 0.1 } ]\n";
  for (const char* names : {"1: { message: 64B }, 0: { message: 64B }", "a: { message: 64B }, 0: { message: 64B }",
                            "a: { message: 64B }, 01: { message: 64B }"}) {
    EXPECT_THAT(packet_platform_errors(head + names + send),
                ::testing::Contains(HasSubstr(": expected a name, or the number of the level, which is ")))
        << names;
  }
  EXPECT_THAT(packet_platform_errors(head + "0: { message: 64B }, 1: { message: 64B }" + send), IsEmpty());
  EXPECT_THAT(packet_platform_errors(head + "a: { message: 64B }, 1b: { message: 64B }" + send), IsEmpty());
}

TEST(PacketPlatform, SwitchesHaveAtMost256Ports) {
  const std::string text =
      "fabric: packet\ntopology: { kind: mesh, dims: [2], nodes_per_switch: 254 }\n" + kPacketText + kSendText;
  EXPECT_THAT(packet_platform_errors(text), IsEmpty());  // and two in the only dimension
  EXPECT_THAT(packet_platform_errors(text, {"topology.nodes_per_switch=255"}),
              ElementsAre("test.yaml:2:11: error: switch 0 has 257 ports, packet switches have at most 256"));
}

TEST(PacketPlatform, PatternsAndTracesAreCheckedBeforeTheRun) {
  EXPECT_THAT(
      packet_platform_errors(kTreeText + kPacketText +
                             "traffic:\n  - { level: a, load: 0.1, destinations: pattern, pattern: tornadoo }\n"),
      ElementsAre(AllOf(StartsWith("test.yaml:5:60: error: traffic.0.pattern: unknown"),
                        HasSubstr("did you mean 'tornado'?"))));
  EXPECT_THAT(
      packet_platform_errors("fabric: packet\ntopology: { kind: mesh, dims: [3] }\n" + kPacketText +
                             "traffic:\n  - { level: a, load: 0, destinations: pattern, pattern: bit_reversal }\n"),
      ElementsAre(StartsWith("test.yaml:5:58: error: traffic.0.pattern: ")));
  const ScratchFolder folder;
  EXPECT_THAT(packet_platform_errors(kTreeText + kPacketText + "trace: " + folder.path("none.csv") + "\n"),
              ElementsAre("test.yaml:4:8: error: trace: " + folder.path("none.csv") +
                          ": cannot be read: No such file or directory"));
}

}  // namespace
}  // namespace weft::test
