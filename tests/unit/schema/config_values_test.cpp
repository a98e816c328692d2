// Values: every key is read, every default is filled in.

#include "algorithms/slots/allocation.h"
#include "base/implementation.h"
#include "cli/families.h"
#include "fabrics/tdm/keys/tdm_schema.h"
#include "network/routing/routing_config.h"
#include "network/routing/shortest_path.h"
#include "network/topology/topologies.h"
#include "run/tdm/tdm_family.h"
#include "schema/document.h"
#include "schema/resolved.h"
#include "schema/schema_types.h"
#include "schema/yaml_tree.h"
#include "support/scratch.h"
#include "unit/schema/config_support.h"

namespace weft {
namespace {

using test::errors_of;
using test::kBare;
using test::kData;
using test::kHead;
using test::parse;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

TdmConfig load(const std::string& name, const Overrides& overrides = {}) {
  Diagnostics diagnostics;
  return load_tdm_config(kData + "/config/" + name, overrides, diagnostics);
}

TEST(Config, ReadsEveryKey) {
  const TdmConfig c = load("full.yaml");
  EXPECT_EQ(c.file, kData + "/config/full.yaml");
  EXPECT_EQ(c.title, "all keys: full");
  EXPECT_EQ(c.seed, 18446744073709551615ULL);
  EXPECT_EQ(c.topology.kind->name, "torus");
  EXPECT_THAT(c.topology.numbers("dims"), ElementsAre(4, 2, 3));
  EXPECT_EQ(c.routing.algorithm, &kDimensionOrder);
  EXPECT_THAT(c.routing.order, ElementsAre(2, 0, 1));

  const TdmSwitchConfig& s = c.tdm_switch;
  EXPECT_EQ(s.clock.hz, 250'000'000);
  EXPECT_EQ(s.period.ps, 4000);
  EXPECT_EQ(s.slots, 16U);
  EXPECT_EQ(s.lanes, 2U);
  EXPECT_EQ(s.lane_payload_bits, 64);
  EXPECT_EQ(s.word_bits(), 128);
  EXPECT_EQ(s.pipeline, 3);
  EXPECT_EQ(s.serdes, 11);  // 41ns at 4ns, rounded up
  EXPECT_EQ(s.reconfiguration, 2);
  const auto implementations = [&](SwitchId sw) {
    const SwitchImplementations of = s.implementations(sw);
    return std::pair(of.slot_lut.implementation, of.data_path.implementation);
  };
  EXPECT_EQ(implementations(9), std::pair(Implementation::rtl, Implementation::lockstep));
  EXPECT_EQ(implementations(5), std::pair(Implementation::lockstep, Implementation::lockstep));
  EXPECT_EQ(implementations(0), std::pair(Implementation::rtl, Implementation::rtl));
  EXPECT_EQ(implementations(3), std::pair(Implementation::model, Implementation::model));
  ASSERT_EQ(s.instances.size(), 3U);
  EXPECT_EQ(s.instances[1].range.where.line, 20);
  EXPECT_EQ(s.instances[1].range.first, 0U);
  EXPECT_EQ(s.instances[1].range.last, 3U);

  EXPECT_EQ(c.slots.allocator, &slot_allocators().at("search"));
  EXPECT_TRUE(c.slots.slot_update);
  EXPECT_EQ(c.slots.search_iterations, 77U);
  EXPECT_EQ(c.setup.mode, SetupMode::preset);
  EXPECT_EQ(c.setup.processing, 5);
  EXPECT_EQ(c.run.warm_up.ps, 1'000'000);
  EXPECT_EQ(c.run.measure.ps, 200'000'000);
  EXPECT_TRUE(c.observe.slot_trace);
  ASSERT_EQ(c.observe.waves.switches.size(), 2U);
  EXPECT_EQ(c.observe.waves.switches[1].first, 4U);
  EXPECT_EQ(c.observe.waves.switches[1].last, 7U);
  EXPECT_EQ(c.observe.waves.times.from.ps, 1'000'000);
  EXPECT_EQ(c.observe.waves.times.until->ps, 10'000'000);
}

TEST(Config, ReadsCircuitsThatComeAndGo) {
  const TdmConfig c = test::parse(R"(
fabric: tdm
topology: { kind: mesh, dims: [4] }
setup: { mode: in_network, processing: 30ns, backoff: 7cycles, routes: 2, tries: 9 }
circuits:
  - { source: 0, destination: 3, start: 5us, messages: 3, changes: [{ at: 6us, slots: 2 }, { at: 700cycles, slots: 1 }] }
  - { source: 3, destination: 0, duration: 4us }
faults: [{ at: 'sw[1]-sw[2]', down: 5us, up: 9us }, { at: 'sw[3]', down: 4cycles }, { at: 'nic[0..2]', down: 1us }]
)");
  EXPECT_EQ(c.setup.mode, SetupMode::in_network);
  EXPECT_EQ(c.setup.processing, 3);
  EXPECT_EQ(c.setup.backoff, 7);
  EXPECT_EQ(c.setup.routes, 2U);
  EXPECT_EQ(c.setup.tries, 9U);
  const FlowConfig& timed = c.phases[0].circuits[0];
  EXPECT_EQ(timed.start.ps, 5'000'000);
  EXPECT_EQ(timed.messages, 3U);
  ASSERT_EQ(timed.changes.size(), 2U);
  EXPECT_EQ(timed.changes[1].at.ps, 7'000'000);
  EXPECT_EQ(timed.changes[0].slots, 2U);
  EXPECT_EQ(c.phases[0].circuits[1].duration->ps, 4'000'000);
  ASSERT_EQ(c.faults.size(), 3U);
  EXPECT_EQ(c.faults[0].place.first, 1U);
  EXPECT_EQ(c.faults[0].place.peer, 2U);
  EXPECT_EQ(c.faults[0].down, 500);  // cycles of 10 ns
  EXPECT_EQ(c.faults[0].up, 900);
  EXPECT_EQ(c.faults[1].place.first, 3U);
  EXPECT_FALSE(c.faults[1].place.peer || c.faults[1].place.port || c.faults[1].place.nic);
  EXPECT_EQ(c.faults[1].down, 4);
  EXPECT_FALSE(c.faults[1].up.has_value());
  EXPECT_TRUE(c.faults[2].place.nic);
  EXPECT_EQ(c.faults[2].place.last, 2U);
}

TEST(Config, ReadsPhases) {
  const TdmConfig c = load("full.yaml");
  ASSERT_EQ(c.phases.size(), 3U);
  const PhaseConfig& listed = c.phases[0];
  EXPECT_EQ(listed.name, "listed");
  ASSERT_EQ(listed.circuits.size(), 3U);
  EXPECT_EQ(listed.circuits[0].name, "a");
  EXPECT_EQ(listed.circuits[0].job, "j");
  EXPECT_EQ(listed.circuits[0].slots, 3U);
  EXPECT_EQ(listed.circuits[0].message->bits, 2 * 8192);
  EXPECT_THAT(listed.circuits[0].pairs, ElementsAre(Pair(0, 5)));
  EXPECT_EQ(listed.circuits[0].where.text(), kData + "/config/full.yaml:29:9");
  EXPECT_THAT(listed.circuits[1].pairs, ElementsAre(Pair(5, 0), Pair(5, 1), Pair(5, 2)));
  EXPECT_EQ(listed.circuits[1].slots, 2U);
  EXPECT_EQ(listed.circuits[1].job, "");
  EXPECT_FALSE(listed.circuits[1].message);
  EXPECT_EQ(listed.circuits[2].name, "2");
  EXPECT_THAT(listed.circuits[2].pairs, ElementsAre(Pair(0, 1), Pair(6, 7)));
  EXPECT_EQ(listed.sources.arrivals, &kPeriodicArrivals);
  EXPECT_EQ(listed.sources.interval.ps, 10'000'000);
  EXPECT_EQ(listed.sources.message.bits, 1360);
  EXPECT_EQ(listed.sources.messages, 100U);

  const PhaseConfig& from_file = c.phases[1];
  EXPECT_EQ(from_file.slots_per_flow, 4U);
  EXPECT_EQ(from_file.sources.arrivals, &kPoissonArrivals);
  EXPECT_EQ(from_file.sources.message.bits, 8192);
  EXPECT_EQ(from_file.sources.messages, 10U);
  ASSERT_EQ(from_file.circuits.size(), 3U);
  EXPECT_EQ(from_file.circuits[0].name, "a");
  EXPECT_EQ(from_file.circuits[0].slots, 4U);
  EXPECT_THAT(from_file.circuits[0].pairs, ElementsAre(Pair(0, 5), Pair(0, 6), Pair(5, 6)));
  EXPECT_EQ(from_file.circuits[0].where.text(), kData + "/config/traffic.txt:2:1");
  EXPECT_EQ(from_file.circuits[1].job, "jobA");
  EXPECT_EQ(from_file.circuits[2].job, "jobB");
  EXPECT_EQ(from_file.circuits[2].name, "7");

  const PhaseConfig& named = c.phases[2];
  EXPECT_EQ(named.pattern, "perfect_shuffle");
  EXPECT_EQ(named.pattern_where.line, 37);
  EXPECT_EQ(named.pattern_where.column, 29);
  EXPECT_EQ(named.slots_per_flow, 2U);
  EXPECT_EQ(named.sources.arrivals, &kSaturatedArrivals);
}

TEST(Config, FillsInDefaults) {
  const TdmConfig c = parse(kHead);
  EXPECT_EQ(c.file, "t.yaml");
  EXPECT_EQ(c.title, "");
  EXPECT_EQ(c.seed, 1U);
  EXPECT_EQ(c.topology.where.text(), "t.yaml:2:11");
  EXPECT_EQ(c.routing.algorithm, &kDimensionOrder);
  EXPECT_THAT(c.routing.order, ElementsAre(0, 1));
  EXPECT_EQ(c.tdm_switch.clock.hz, 100'000'000);
  EXPECT_EQ(c.tdm_switch.period.ps, 10'000);
  EXPECT_EQ(c.tdm_switch.slots, 8U);
  EXPECT_EQ(c.tdm_switch.lanes, 4U);
  EXPECT_EQ(c.tdm_switch.word_bits(), 340);
  EXPECT_EQ(c.tdm_switch.pipeline, 0);
  EXPECT_EQ(c.tdm_switch.serdes, 0);
  EXPECT_EQ(c.tdm_switch.reconfiguration, 1);
  EXPECT_TRUE(c.tdm_switch.implementations(3).slot_lut.is_model());
  EXPECT_TRUE(c.tdm_switch.implementations(3).data_path.is_model());
  EXPECT_EQ(c.slots.allocator, &slot_allocators().at("first_fit"));
  EXPECT_FALSE(c.slots.slot_update);
  EXPECT_EQ(c.slots.search_iterations, 200'000U);
  EXPECT_EQ(c.setup.mode, SetupMode::central);
  EXPECT_EQ(c.setup.processing, 1);
  ASSERT_EQ(c.phases.size(), 1U);
  EXPECT_EQ(c.phases[0].name, "main");
  EXPECT_EQ(c.phases[0].pattern, "tornado");
  EXPECT_EQ(c.phases[0].pattern_where.text(), "t.yaml:3:10");
  EXPECT_EQ(c.phases[0].slots_per_flow, 1U);
  EXPECT_THAT(c.phases[0].circuits, IsEmpty());
  EXPECT_EQ(c.phases[0].sources.arrivals, &kSaturatedArrivals);
  EXPECT_EQ(c.phases[0].sources.message.bits, 100 * 340);
  EXPECT_FALSE(c.phases[0].sources.messages);
  EXPECT_EQ(c.run.warm_up.ps, 0);
  EXPECT_EQ(c.run.measure.ps, 100'000'000);
  EXPECT_FALSE(c.observe.slot_trace);
  EXPECT_THAT(c.observe.waves.switches, IsEmpty());
  EXPECT_EQ(c.observe.waves.times.from.ps, 0);
  EXPECT_FALSE(c.observe.waves.times.until);
}

TEST(Config, ReadsEveryTopologyKind) {
  const auto topology = [](const std::string& keys) {
    return parse("fabric: tdm\npattern: tornado\ntopology: { " + keys + " }\n");
  };
  const TdmConfig tree = topology("kind: tree, arity: 4, levels: 3");
  EXPECT_EQ(tree.topology.kind->name, "tree");
  EXPECT_EQ(tree.topology.number("arity"), 4U);
  EXPECT_EQ(tree.topology.number("levels"), 3U);
  EXPECT_EQ(tree.routing.algorithm, &kShortestPath);
  EXPECT_THAT(tree.routing.order, IsEmpty());
  EXPECT_EQ(topology("kind: full_mesh, switches: 7").topology.number("switches"), 7U);
  const TopologyConfig dragonfly =
      topology("kind: dragonfly, groups: 9, routers_per_group: 4, nodes_per_router: 3, global_links: 2").topology;
  EXPECT_EQ(dragonfly.number("groups"), 9U);
  EXPECT_EQ(dragonfly.number("routers_per_group"), 4U);
  EXPECT_EQ(dragonfly.number("nodes_per_router"), 3U);
  EXPECT_EQ(dragonfly.number("global_links"), 2U);
  EXPECT_EQ(topology("kind: file, file: network.txt").topology.file("file"), kData + "/config/network.txt");
  EXPECT_THAT(topology("kind: mesh, dims: [1, 2, 3, 2, 2]").topology.numbers("dims"), ElementsAre(1, 2, 3, 2, 2));
}

TEST(Config, NamesDimensionsBeyondTheFourth) {
  const TdmConfig c = parse(
      "fabric: tdm\npattern: tornado\ntopology: { kind: mesh, dims: [2, 2, 2, 2, 2, 2] }\n"
      "routing: { order: [d5, w, d4, z, y, x] }\n");
  EXPECT_THAT(c.routing.order, ElementsAre(5, 3, 4, 2, 1, 0));
}

TEST(Config, SectionsMayBeEmpty) {
  const TdmConfig c = parse(kHead + "switch:\nrun:\nsources: {}\nobserve:\n  waves:\n");
  EXPECT_EQ(c.tdm_switch.slots, 8U);
  EXPECT_EQ(c.phases[0].sources.where.text(), "t.yaml:6:10");
}

TEST(Config, AnchorsAndOtherYamlFormsAreRead) {
  const TdmConfig c = parse(
      "\xef\xbb\xbf{ fabric: \"tdm\", topology: { kind: mesh, dims: &d [3, 3] },\r\n"
      "  circuits: [ { source: 0, destinations: *d } ] }\r\n");
  EXPECT_THAT(c.phases[0].circuits[0].pairs, ElementsAre(Pair(0, 3), Pair(0, 3)));
}

TEST(Config, SmallNumbersMayHaveAnExponent) {
  const auto read = [](const std::string& text) {
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.text = text;
    Diagnostics diagnostics;
    return decimal_type(6, 0, 20'000'000).read(node, "load", diagnostics);
  };
  EXPECT_EQ(read("1.0e-06"), 1U);
  EXPECT_EQ(read("2.50e-03"), 2500U);
  EXPECT_EQ(read("5E-1"), 500'000U);
  EXPECT_EQ(read("1.5e+1"), 15'000'000U);
  EXPECT_EQ(read("0e5"), 0U);
  for (const char* wrong :
       {"1e-07", "1e2", "e-1", ".e1", "1e", "1e+", "1e+-1", "1e1.0", "1e99999999999", "-1e0", "1_0e0"}) {
    EXPECT_EQ(read(wrong), std::nullopt) << wrong;
  }
}

TEST(Config, FlowNamesAreUniquePerJob) {
  const TdmConfig c = parse(kBare +
                            "circuits:\n"
                            "  - { source: 0, destination: 1, flow: a }\n"
                            "  - { source: 0, destination: 1, flow: a, job: other }\n");
  EXPECT_EQ(c.phases[0].circuits.size(), 2U);
}

TEST(Config, WarnsAboutKeysWithoutEffect) {
  Diagnostics diagnostics;
  parse_tdm_config(kHead + "slots: { search_iterations: 5 }\n", "t.yaml", "", {}, diagnostics);
  EXPECT_TRUE(diagnostics.ok());
  EXPECT_THAT(test::texts(diagnostics.list()),
              ElementsAre("t.yaml:4:10: warning: slots.search_iterations has no effect with allocator 'first_fit'"));
}

TEST(Config, BundlesNeedParallelLinks) {
  Diagnostics diagnostics;
  parse_tdm_config(kHead + "slots: { bundles: apart }\n", "t.yaml", "", {}, diagnostics);
  ASSERT_EQ(diagnostics.list().size(), 1U);
  EXPECT_THAT(diagnostics.list().front().text(),
              StartsWith("t.yaml:4:10: warning: slots.bundles has no effect: mesh "));
  Diagnostics none;
  parse_tdm_config(kHead + "slots: { bundles: apart }\n", "t.yaml", "", {"topology.trunk=2"}, none);
  EXPECT_TRUE(none.list().empty());
}

// Reports show the defaults of a configuration; this one depends on another key, and is shown when it is given only.
TEST(Config, BundlesGoByTheModeOfSetup) {
  for (const auto& [text, bundles] :
       {std::pair{"setup: { mode: central }\n", BundleSlots::together},
        std::pair{"setup: { mode: in_network }\n", BundleSlots::apart},
        std::pair{"slots: { bundles: apart }\n", BundleSlots::apart},
        std::pair{"slots: { bundles: together }\nsetup: { mode: in_network }\n", BundleSlots::together}}) {
    const std::string file = kHead + text;
    EXPECT_EQ(parse(file, {"topology.trunk=2"}).slots.bundles, bundles) << file;
    const YamlNode shown = with_defaults(parse_yaml(file, "t.yaml"), *tdm_section({}).info());
    const YamlEntry* slots = shown.find("slots");
    ASSERT_NE(slots, nullptr);
    EXPECT_NE(slots->value.find("slot_update"), nullptr);
    const YamlEntry* given = slots->value.find("bundles");
    EXPECT_EQ(given == nullptr ? "" : given->value.text,
              file.find("bundles") == std::string::npos ? "" : word_of(bundles));
  }
}

TEST(Config, PresetCircuitsHaveNoTimesOfTheCentralUnit) {
  const std::string preset = "setup: { mode: preset, processing: 9cycles }\nswitch: { reconfiguration: 9cycles }\n";
  Diagnostics diagnostics;
  parse_tdm_config(kHead + preset, "t.yaml", "", {}, diagnostics);
  EXPECT_THAT(test::texts(diagnostics.list()),
              ElementsAre("t.yaml:4:24: warning: setup.processing has no effect with setup.mode 'preset'",
                          "t.yaml:5:11: warning: switch.reconfiguration has no effect with setup.mode 'preset' and "
                          "circuits that stay"));
  Diagnostics phases;  // tables change between them
  parse_tdm_config(kBare +
                       "setup: { mode: preset }\nswitch: { reconfiguration: 9cycles }\nphases:\n"
                       "  - { name: a, circuits: [{ source: 0, destination: 1 }] }\n"
                       "  - { name: b, circuits: [{ source: 1, destination: 0 }] }\n",
                   "t.yaml", "", {}, phases);
  EXPECT_THAT(test::texts(phases.list()), ElementsAre());
}

TEST(Config, EarlierErrorsOfTheCallerDoNotMatter) {
  Diagnostics diagnostics;
  diagnostics.error({"elsewhere", 1, 1}, "earlier");
  EXPECT_NO_THROW(parse_tdm_config(kHead, "t.yaml", "", {}, diagnostics));
  EXPECT_EQ(diagnostics.list().size(), 1U);
}

// The words of earlier versions.
TEST(Families, FormerNamesOfFabricsAreAccepted) {
  const test::ScratchFolder folder;
  const std::string rest = "topology: { kind: mesh, dims: [2] }\n";
  folder.write("fic.yaml", "fabric: fic\ntitle: circuits\n" + rest + "circuits: [ { source: 0, destination: 1 } ]\n");
  folder.write("qos.yaml", "fabric: qos\ntitle: packets\n" + rest +
                               "qos: { levels: { a: { message: 64B } } }\n"
                               "traffic: [ { level: a, load: 0.1 } ]\nrun: { warm_up: 0ns, measure: 1us }\n");
  const Registry registry = cli::builtin_families();
  const auto title = [&](const std::string& name, const Overrides& set) {
    const std::string file = folder.path(name);
    Diagnostics diagnostics;
    const auto design = cli::read_design(registry, load_document(file), file, set, diagnostics);
    EXPECT_EQ(diagnostics.list().size(), set == Overrides{"fabric=fic"} ? 2U : 1U);
    EXPECT_THAT(diagnostics.list().front().message, ::testing::HasSubstr("is now called"));
    return design->plan()->title();
  };
  for (const Overrides& set : {Overrides{}, Overrides{"seed=3"}}) {
    EXPECT_EQ(title("fic.yaml", set), "circuits");
    EXPECT_EQ(title("qos.yaml", set), "packets");
  }
  EXPECT_EQ(title("fic.yaml", {"fabric=fic"}), "circuits");
}

TEST(Families, ARegistryHoldsEachNameOnce) {
  Registry registry = cli::builtin_families();
  EXPECT_THROW(registry.add(tdm_family()), std::invalid_argument);
  EXPECT_THROW(registry.add({}), std::invalid_argument);
  EXPECT_NE(registry.find("packet"), nullptr);
  EXPECT_EQ(registry.find("token_ring"), nullptr);
}

TEST(Config, PercentagesMayHaveASpace) {
  const auto read = [](const std::string& text) {
    Diagnostics diagnostics;
    const YamlNode node{YamlNode::Kind::scalar, {}, text, {}};
    return percentage_type(1, 1, 500).read(node, "share", diagnostics);
  };
  EXPECT_EQ(read("2%"), 20U);
  EXPECT_EQ(read("2.5 %"), 25U);
  for (const char* wrong : {"2", "2%%", "%", " %", "51%", "2 5%"}) EXPECT_EQ(read(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace weft
