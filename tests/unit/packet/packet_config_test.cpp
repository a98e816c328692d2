// Configuration of a packet network from its file: defaults, numbers of levels and VLs, warnings. Errors
// with their places: tests/data/bad/qos.

#include <fmt/format.h>

#include <filesystem>

#include "algorithms/qos/schedulers.h"
#include "base/random.h"
#include "fabrics/packet/opa/opa_parameters.h"
#include "network/routing/routing_config.h"
#include "network/routing/shortest_path.h"
#include "network/routing/tree_packet_routing.h"
#include "run/packet/packet_family.h"
#include "schema/document.h"
#include "support/places.h"
#include "support/scratch.h"
#include "unit/packet/packet_config_support.h"
#include "unit/schema/yaml_mutation.h"

namespace weft {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(PacketConfig, DefaultsAreThoseOfThePaper) {
  const PacketConfig c = good_packet(kTree + kPacket + kSend);
  EXPECT_EQ(c.link.period.ps, 5120);  // 64 B at 12.5 GB/s
  EXPECT_EQ(c.link.delay, 1);
  EXPECT_EQ(c.link.credit_delay, 1);
  EXPECT_EQ(c.packet_switch.architecture, &kIbArchitecture);
  for (const Cycle stage : {c.packet_switch.input, c.packet_switch.routing, c.packet_switch.allocation,
                            c.packet_switch.crossbar, c.packet_switch.output}) {
    EXPECT_EQ(stage, 1);
  }
  EXPECT_EQ(c.packet_switch.input_buffer, 1792U);  // 114,688 B
  EXPECT_EQ(c.packet_switch.output_buffer, 1792U);
  EXPECT_EQ(c.nic.buffer, 3584U);
  EXPECT_EQ(c.nic.input_buffer, 3584U);
  const PacketConfig opa = good_packet(kTree + kPacket + kSend + "switch: { architecture: opa }\n");
  const auto& own = std::any_cast<const OpaParameters&>(opa.packet_switch.own.parameters);
  EXPECT_EQ(own.central.capacity, 3584U);  // 229,376 B
  EXPECT_EQ(own.mport_ports, 4U);
  EXPECT_EQ(own.central_links, 2U);
  EXPECT_EQ(own.central_rate, 3U);
  EXPECT_EQ(own.central_messages, 1U);
  EXPECT_EQ(c.routing.algorithm, &kValiant);
  EXPECT_EQ(c.scheduler, &kRoundRobinScheduler);
  EXPECT_EQ(c.limit_of_high_priority, 255U);
  EXPECT_EQ(c.seed, 1U);
  EXPECT_EQ(c.run.warm_up.ps, 20'000'000);
  EXPECT_EQ(c.run.measure.ps, 100'000'000);
  EXPECT_EQ(c.run.until, RunUntil::window);
  EXPECT_EQ(c.run.confidence, 0.95);
  EXPECT_EQ(c.run.drain.ps, 200'000'000);
  EXPECT_FALSE(c.message_log);
  EXPECT_EQ(good_packet(kTorus + kPacket + kSend).routing.algorithm, &kDimensionOrder);
  EXPECT_EQ(
      good_packet("fabric: packet\ntopology: { kind: full_mesh, switches: 4 }\n" + kPacket + kSend).routing.algorithm,
      &kShortestPath);
}

TEST(PacketConfig, MessagesRoundUpAndBuffersDownToFlits) {
  const PacketConfig c =
      good_packet(kTree + "switch: { input_buffer: 1087B }\nnic: { buffer: 1088B }\n" + kPacket + kSend,
                  {"qos.lane_space=[{ lane: 1, minimum: 129B, maximum: 255B }]"});
  EXPECT_EQ(c.levels[0].message, 1U);
  EXPECT_EQ(c.levels[1].message, 2U);
  EXPECT_EQ(c.packet_switch.input_buffer, 16U);
  EXPECT_EQ(c.nic.buffer, 17U);
  EXPECT_FALSE(c.lane_space[0].minimum.has_value());
  EXPECT_EQ(c.lane_space[1].minimum, 3U);
  EXPECT_EQ(c.lane_space[1].maximum, 3U);
}

TEST(PacketConfig, LatenciesInTimeRoundUpToCycles) {
  const PacketConfig c = good_packet(
      kTree + "link: { delay: 50ns }\nswitch: { stages: { crossbar: 5121ps, input: 0ns } }\n" + kPacket + kSend);
  EXPECT_EQ(c.link.delay, 10);
  EXPECT_EQ(c.packet_switch.crossbar, 2);
  EXPECT_EQ(c.packet_switch.input, 0);
}

TEST(PacketConfig, LevelsGoByNameAndByNumber) {
  const std::string levels = "qos: { levels: { a: { message: 64B }, b: { message: 64B }, 2: { message: 64B } } }\n";
  const PacketConfig c = good_packet(
      kTree + levels + "traffic: [ { level: b, load: 0 }, { level: 1, load: 0 }, { level: 2, load: 0 } ]\n");
  ASSERT_EQ(c.streams.size(), 3U);
  EXPECT_EQ(c.streams[0].sl, 1U);
  EXPECT_EQ(c.streams[1].sl, 1U);
  EXPECT_EQ(c.streams[2].sl, 2U);
}

std::vector<std::vector<std::uint32_t>> lanes_of(const PacketConfig& c) {
  std::vector<std::vector<std::uint32_t>> out;
  for (const LevelConfig& l : c.levels) out.push_back(l.lanes);
  return out;
}

TEST(PacketConfig, DefaultLanesLeaveOutThatOfManagement) {
  std::string levels = "qos:\n  levels:\n";
  for (int i = 0; i < 17; ++i) levels += fmt::format("    l{}: {{ message: 64B }}\n", i);
  const PacketConfig c = good_packet(kTree + levels + "traffic: [ { level: 0, load: 0 } ]\n");
  EXPECT_THAT(c.levels[14].lanes, ElementsAre(14));
  EXPECT_THAT(c.levels[15].lanes, ElementsAre(16));
  EXPECT_THAT(c.levels[16].lanes, ElementsAre(17));
  EXPECT_EQ(c.lanes, 18U);
}

TEST(PacketConfig, DatelinesGiveEveryLevelASecondLane) {
  const std::string send = "routing: { ring: dateline }\n" + kSend;
  EXPECT_THAT(lanes_of(good_packet(kTorus + kPacket + send)), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
  EXPECT_EQ(good_packet(kTorus + kPacket + send).lanes, 4U);
  EXPECT_THAT(lanes_of(good_packet(kTorus + send +
                                   "qos: { levels: { a: { message: 64B, lanes: [5, 2] }, b: { message: 64B, lanes: "
                                   "[5, 2] } } }\n")),
              ElementsAre(ElementsAre(5, 2), ElementsAre(5, 2)));
  // Only the rings of dimension order have datelines.
  const ParsedPacket other =
      parse_packet(kTorus + kPacket + "routing: { ring: dateline, algorithm: shortest_path }\n" + kSend);
  EXPECT_THAT(other.said,
              ElementsAre("t.yaml:4:12: warning: routing.ring has no effect, it belongs to dimension_order"));
  EXPECT_THAT(lanes_of(other.config), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(PacketConfig, ChannelsOfOpaLeadToLanes) {
  const std::string opa = kTorus + "switch: { architecture: opa }\n" + kSend;
  EXPECT_THAT(lanes_of(good_packet(opa + kPacket)), ElementsAre(ElementsAre(0), ElementsAre(1)));
  const PacketConfig c =
      good_packet(opa +
                  "qos:\n  levels: { a: { message: 64B, channels: [2] }, b: { message: 64B, channels: [0] } }\n"
                  "  channel_lanes: [4, 9, 3]\n");
  EXPECT_THAT(lanes_of(c), ElementsAre(ElementsAre(3), ElementsAre(4)));
  EXPECT_THAT(c.levels[0].channels, ElementsAre(2));
  const PacketConfig d =
      good_packet(opa +
                  "routing: { ring: dateline }\nqos:\n  levels: { a: { message: 64B }, b: { message: 64B } }\n"
                  "  channel_lanes: [0, 0, 1, 1]\n");
  EXPECT_THAT(lanes_of(d), ElementsAre(ElementsAre(0, 1), ElementsAre(0, 1)));
}

TEST(PacketConfig, StreamsHaveTheirDefaults) {
  const PacketConfig c =
      good_packet(kTree + kPacket +
                  "traffic:\n  - { level: a, load: 0.25 }\n  - { level: a, load: 0.5, source: constant_rate }\n"
                  "  - { level: a, load: 0.000001, source: bursts }\n"
                  "  - { level: a, load: 0.1, source: on_off, on: 100cycles, off: 1024ns }\n");
  ASSERT_EQ(c.streams.size(), 4U);
  EXPECT_EQ(c.streams[0].source->name, "bernoulli");
  EXPECT_EQ(c.streams[0].load, 250'000U);
  EXPECT_EQ(c.streams[0].burst, 1U);
  EXPECT_EQ(c.streams[0].destinations, DestinationKind::uniform);
  EXPECT_EQ(c.streams[1].destinations, DestinationKind::permutation);
  EXPECT_EQ(c.streams[1].load, 500'000U);
  EXPECT_EQ(c.streams[2].burst, 4U);
  EXPECT_EQ(c.streams[2].load, 1U);
  EXPECT_EQ(c.streams[3].on, 100U);
  EXPECT_EQ(c.streams[3].off, 200U);
}

TEST(PacketConfig, OnOffMayUseTheWholeLinkWhileOn) {
  const std::string stream = "traffic: [ { level: a, source: on_off, on: 10cycles, off: 30cycles, load: ";
  EXPECT_THAT(parse_packet(kTree + kPacket + stream + "0.25 } ]\n").said, IsEmpty());
  EXPECT_THAT(
      parse_packet(kTree + kPacket + stream + "0.250001 } ]\n").said,
      ElementsAre("t.yaml:4:75: error: traffic.0.load: on only 10 of 40 cycles, a load of at most 0.25 is possible"));
}

// Incast and the answers of its target: no node sends both.
TEST(PacketConfig, LoadsCountWhereTheyAreSent) {
  const auto said = [](const std::string& second) {
    return parse_packet(kTree + kPacket +
                        "traffic:\n  - { level: a, load: 0.9, to: [0] }\n  - { level: a, load: 0.9, " + second + " }\n")
        .said;
  };
  EXPECT_THAT(said("from: [0]"), IsEmpty());
  EXPECT_THAT(said("from: [1]"), ElementsAre(HasSubstr("the loads that a NIC sends add up to 1.8 flits per cycle")));
  EXPECT_THAT(said("to: [1, 2]"), ElementsAre(HasSubstr("the loads that every NIC sends add up to 1.8 flits")));
}

TEST(PacketConfig, BaseAndOverridesComeTogether) {
  const test::ScratchFolder folder;
  folder.write("base.yaml", kTree + kPacket + kSend + "seed: 4\n");
  const std::string file =
      folder.write("child.yaml", "base: base.yaml\nqos: { levels: { b: { message: 1KiB } } }\nseed: 5\n");
  Diagnostics diagnostics;
  const PacketConfig c = load_packet_config(file, {"traffic.0.load=0.5", "seed=6"}, diagnostics);
  EXPECT_EQ(c.levels[1].message, 16U);
  EXPECT_EQ(c.levels[0].message, 1U);
  EXPECT_EQ(c.streams[0].load, 500'000U);
  EXPECT_EQ(c.seed, 6U);
  EXPECT_EQ(c.file, file);
  try {
    load_packet_config(file, {"traffic.0.level=d"}, diagnostics);
    FAIL() << "an unknown level is accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(test::texts(e.list()),
                ElementsAre("--set traffic.0.level=d: error: traffic.0.level: expected a level (a name, "
                            "or a number below 2), got 'd'"));
  }
}

TEST(PacketConfig, TraceIsTakenFromTheFolderOfItsFile) {
  EXPECT_EQ(good_packet(kTree + kPacket + "trace: t.csv\n").trace, test::kData + "/config/t.csv");
}

TEST(PacketConfig, KeysWithoutEffectGetWarnings) {
  EXPECT_THAT(
      parse_packet(kTree + "routing: { ring: none, ties: plus }\nswitch: { mport: { ports: 2 } }\n" + kPacket +
                   "traffic:\n  - { level: a, load: 0.1, burst: 2 }\n"
                   "  - { level: a, load: 0.1, destinations: permutation, self_traffic: true }\n")
          .said,
      ElementsAre("t.yaml:3:12: warning: routing.ring has no effect, the topology has no rings",
                  "t.yaml:3:24: warning: routing.ties has no effect, the topology has no rings",
                  "t.yaml:4:11: warning: switch.mport has no effect with architecture 'ib'",
                  "t.yaml:7:28: warning: traffic.0.burst has no effect with source 'bernoulli'",
                  "t.yaml:8:55: warning: traffic.1.self_traffic has no effect with destinations 'permutation'"));
}

TEST(PacketConfig, EntriesWithoutEffectGetWarnings) {
  EXPECT_THAT(parse_packet(kTree + kPacket + "traffic: [ { level: a, load: 0.1, on: 3cycles, off: 4cycles } ]\n").said,
              ElementsAre("t.yaml:4:35: warning: traffic.0.on has no effect with source 'bernoulli'",
                          "t.yaml:4:48: warning: traffic.0.off has no effect with source 'bernoulli'"));
  EXPECT_THAT(
      parse_packet(kTree + kPacket + kSend, {"qos.lane_space=[{ lane: 0 }, { lane: 1, minimum: 64B }]"}).said,
      ElementsAre(HasSubstr(": warning: qos.lane_space.0 has no effect without the key 'minimum' or 'maximum'")));
  const std::string maps = "qos.lane_maps=[{ at: 'sw[0]' }, { at: 'sw[0]', lanes: {} }]";
  const ParsedPacket ib = parse_packet(kTree + kPacket + kSend, {maps});
  EXPECT_THAT(ib.said, ElementsAre(HasSubstr(": warning: qos.lane_maps.0 has no effect, it names no lanes"),
                                   HasSubstr(": warning: qos.lane_maps.1 has no effect, it names no lanes")));
  EXPECT_THAT(ib.config.lane_maps, IsEmpty());
  EXPECT_THAT(
      parse_packet(kTree + kPacket + kSend, {"switch.architecture=opa", "qos.lane_maps=[{ at: 'sw[0]' }]"}).said,
      ElementsAre(HasSubstr(": warning: qos.lane_maps.0 has no effect, it names no channels or channel_lanes")));
}

// Sources that every NIC has; connections share the load, and patterns can leave NICs out.
TEST(PacketConfig, LoadsBeyondTheLinkGetAWarning) {
  const auto said = [](const std::string& other) {
    return parse_packet(kTree + kPacket + "traffic: [ { level: a, load: 0.9 }, { level: b, " + other + " } ]\n").said;
  };
  EXPECT_THAT(said("load: 0.1"), IsEmpty());
  EXPECT_THAT(
      said("load: 0.99"),
      ElementsAre("t.yaml:4:10: warning: traffic: the loads that every NIC sends add up to 1.89 flits per cycle, "
                  "its link carries 1; queues grow as long as the sources go on"));
  EXPECT_THAT(said("load: 0.1, source: constant_rate, connections: 4"), IsEmpty());
  EXPECT_THAT(said("load: 0.100001, source: constant_rate, connections: 4"), ElementsAre(HasSubstr("1.000001 flits")));
  EXPECT_THAT(said("load: 0.99, destinations: pattern, pattern: tornado"), IsEmpty());
}

// At the key that was given, whichever of the two levels has it.
TEST(PacketConfig, ChannelsOfTwoLevelsAreToldWhereTheyAreGiven) {
  const auto said = [](const std::string& a, const std::string& b) {
    return parse_packet(kTree + "switch: { architecture: opa }\nqos:\n  levels:\n    a: { message: 64B" + a +
                        " }\n    b: { message: 64B" + b + " }\n" + kSend)
        .said;
  };
  EXPECT_THAT(
      said(", channels: [1]", ""),
      ElementsAre("t.yaml:6:34: error: qos.levels.a.channels: service channel 1 is that of the levels a and b; a "
                  "channel must tell the level (SC2SL); level b has it by default: give it channels, too"));
  EXPECT_THAT(
      said("", ", channels: [0]"),
      ElementsAre("t.yaml:7:34: error: qos.levels.b.channels: service channel 0 is that of the levels a and b; a "
                  "channel must tell the level (SC2SL)"));
  EXPECT_THAT(said(", channels: [1]", ", channels: [0]"), IsEmpty());
}

TEST(PacketConfig, ShippedConfigurationsAreValid) {
  for (const char* name : {"first", "paper_torus_8x8", "paper_torus_8x8x8", "paper_tree_24ary2", "paper_tree_4ary3"}) {
    Diagnostics diagnostics;
    const std::string file = test::source_dir() + "/configs/packet/" + name + ".yaml";
    EXPECT_NO_THROW(load_packet_config(file, {}, diagnostics)) << file;
    EXPECT_THAT(diagnostics.list(), IsEmpty()) << file;
  }
}

// Keys that belong to another scheduler are told, each once, with the scheduler that uses them.
TEST(PacketConfig, KeysOfOtherSchedulersAreTold) {
  const auto said = [](const std::string& switches, const std::string& qos) {
    return parse_packet(kTree + switches +
                        "qos:\n  levels:\n    a: { message: 64B, lanes: [3], quantum: 4, share: 2 }\n"
                        "    b: { message: 64B, lanes: [4], quantum: 4, share: 2, priority: 0 }\n" +
                        qos + kSend)
        .said;
  };
  const std::string tables =
      "  dtable: { table: [ { sl: a, weight: 1 }, { sl: b, weight: 1 } ] }\n"
      "  ib_arbiter: { low: [ { sl: a, weight: 1 }, { sl: b, weight: 1 } ] }\n  drr: {}\n";
  EXPECT_THAT(
      said("", "  scheduler: drr\n"),
      ElementsAre(HasSubstr("warning: qos.levels.a.share has no effect with scheduler 'drr'; it belongs to 'scfq' "
                            "(nor have those of 1 further level)"),
                  HasSubstr("warning: qos.levels.b.priority has no effect with scheduler 'drr'; it belongs to "
                            "'strict_priority'")));
  EXPECT_THAT(said("", "  scheduler: scfq\n" + tables),
              ElementsAre(HasSubstr("qos.levels.a.quantum has no effect with scheduler 'scfq'; it belongs to 'drr'"),
                          HasSubstr("qos.levels.b.priority has no effect"),
                          HasSubstr("qos.dtable has no effect with scheduler 'scfq'"),
                          HasSubstr("qos.ib_arbiter has no effect with scheduler 'scfq'"),
                          HasSubstr("qos.drr has no effect with scheduler 'scfq'")));
  EXPECT_THAT(
      said("switch: { architecture: iq }\n", ""),
      ElementsAre(HasSubstr("qos.levels.a.lanes has no effect with architecture 'iq' (nor have those of 1"),
                  HasSubstr("qos.levels.a.quantum has no effect with architecture 'iq'"),
                  HasSubstr("qos.levels.a.share has no effect"), HasSubstr("qos.levels.b.priority has no effect")));
}

// What an entry of InfiniBand's tables can hold, and how many entries they have, is told where it is written.
TEST(PacketConfig, TablesOfInfiniBandAreLimited) {
  const auto said = [](int entries, const char* weight) {
    std::string table = fmt::format("{{ sl: a, weight: {} }}", weight);
    for (int i = 1; i < entries; ++i) table += ", { sl: a, weight: 1 }";
    return parse_packet(kTree + "qos:\n  levels: { a: { message: 64B } }\n  scheduler: ib_arbiter\n" +
                        "  ib_arbiter:\n    low: [" + table + "]\n" + kSend)
        .said;
  };
  EXPECT_THAT(said(64, "255"), IsEmpty());
  EXPECT_THAT(said(1, "256"), ElementsAre("t.yaml:7:28: error: qos.ib_arbiter.low.0.weight: expected a whole number "
                                          "from 0 to 255, got '256'"));
  EXPECT_THAT(said(65, "1"),
              ElementsAre(AllOf(HasSubstr("t.yaml:7:10: error: qos.ib_arbiter.low: "), HasSubstr("64 entries"))));
}

// Input-queued routers are refused where they can deadlock, so the key is told whatever it says, and why.
TEST(PacketConfig, InputQueuedRoutersAreAlwaysChecked) {
  const std::string text =
      "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos: { levels: { a: { message: 64B } } }\n"
      "traffic: [ { level: a, load: 0.1 } ]\nswitch: { architecture: iq }\n";
  for (const char* value : {"true", "false"}) {
    Diagnostics diagnostics;
    parse_packet_config(text, "t.yaml", ".", {std::string("routing.deadlock_check=") + value}, diagnostics);
    EXPECT_THAT(
        test::texts(diagnostics.list()),
        ElementsAre(HasSubstr("routing.deadlock_check has no effect with architecture 'iq', for which the check "
                              "is always made")));
  }
}

// Mutations of files that use every key: a configuration that is given can be used, everything else is an InputError.
TEST(PacketConfig, MutatedFilesNeverCrash) {
  const std::vector<std::string> documents{
      kTorus +
          "seed: 3\nrouting: { ring: dateline, ties: plus, order: [y, x] }\n"
          "link: { rate: 12.5GB/s, flit: 64B, delay: 2cycles, credit_delay: 9ns }\n"
          "switch: { architecture: opa, stages: { input: 0cycles, routing: 1cycle, allocation: 2cycles, crossbar: 1ns, "
          "output: "
          "3cycles }, crossbar_rate: 2, input_buffer: 8KiB, output_buffer: 16KiB, mport: { ports: 2, central_links: 1, "
          "central_rate: 1, central_buffer: 32KiB } }\nnic: { buffer: 16KiB, input_buffer: 16KiB }\n"
          "qos:\n  levels:\n    a: { message: 64B, traffic_class: x, channels: [0, 2], quantum: 3, share: 2, priority: "
          "1 }\n"
          "    b: { message: 300B, channels: [1, 3] }\n  channel_lanes: [0, 1, 2, 3]\n"
          "  lane_space: [ { lane: 0, minimum: 64B, maximum: 1KiB } ]\n  scheduler: dtable\n"
          "  dtable: { table: [ { sl: a, weight: 1 }, { sl: 1, weight: 9 } ], counter_bits: 8, implementation: model "
          "}\n"
          "  ib_arbiter: { high: [ { sl: a, weight: 1 } ], low: [ { sl: b, weight: 1 } ], limit_of_high_priority: 4 }\n"
          "traffic:\n  - { level: a, load: 0.1, source: bursts, burst: 3, self_traffic: true }\n"
          "  - { level: b, load: 0.1, source: on_off, on: 10cycles, off: 30ns, destinations: pattern, pattern: tornado "
          "}\n"
          "trace: t.csv\nrun: { until: steady, warm_up: 1us, measure: 2us, drain: 3us, half_width: 3%, confidence: "
          "90%, "
          "at_most: 9us, levels: [b] }\nobserve: { message_log: true }\n",
      kTree +
          "routing: { algorithm: valiant }\nqos:\n  scheduler: ib_arbiter\n  levels:\n    a: { message: 64B, lanes: "
          "[3] }\n"
          "  ib_arbiter: { high: [ { sl: a, weight: 1 } ] }\n" +
          kSend};
  EXPECT_THAT(
      parse_packet(documents[0]).said,
      ElementsAre(HasSubstr("qos.levels.a.quantum has no effect"), HasSubstr("qos.levels.a.share has no effect"),
                  HasSubstr("qos.levels.a.priority has no effect"), HasSubstr("qos.ib_arbiter has no effect")));
  EXPECT_THAT(parse_packet(documents[1]).said, IsEmpty());
  RandomStream random(1, "qos config fuzz");
  int valid = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = test::mutate(documents[random.below(documents.size())], documents, random);
    Diagnostics diagnostics;
    try {
      const PacketConfig c = parse_packet_config(text, "f.yaml", test::kData + "/config", {}, diagnostics);
      ++valid;
      EXPECT_GT(c.link.period.ps, 0);
      ASSERT_FALSE(c.levels.empty());
      EXPECT_LE(c.lanes, 32U);
      EXPECT_EQ(c.lane_space.size(), c.lanes);
      for (const LevelConfig& l : c.levels) {
        ASSERT_FALSE(l.lanes.empty()) << text;
        for (const std::uint32_t v : l.lanes) ASSERT_TRUE(v < c.lanes && v != 15) << text;
      }
      for (const StreamConfig& s : c.streams) ASSERT_LT(s.sl, c.levels.size());
      for (const auto* table : {&c.table, &c.high, &c.low}) {
        for (const TableEntryConfig& e : *table) ASSERT_LT(e.sl, c.levels.size());
      }
    } catch (const InputError& e) {
      EXPECT_FALSE(e.list().empty());
    } catch (const std::exception& e) {
      FAIL() << e.what() << " for:\n" << text;
    }
  }
  EXPECT_GT(valid, 20);  // almost every change of these dense files hits something
}

}  // namespace
}  // namespace weft
