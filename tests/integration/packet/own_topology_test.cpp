// A kind of network that a program adds to the built-in ones: its keys are read, checked and described like theirs, and
// networks of all families are built of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/keys/network_schema.h"
#include "network/topology/topologies.h"
#include "run/tdm/tdm_family.h"
#include "support/child.h"
#include "support/packet_runs.h"

namespace weft::test {
namespace {

/// Ring of switches with one node each, and links across it.
Topology chordal_ring() {
  return {.name = "chordal_ring",
          .meaning = "ring with links across it",
          .keys = {{.name = "switches", .meaning = "switches of the ring", .least = 5, .most = 1000},
                   {.name = "chord", .meaning = "switches that a link across skips", .least = 2, .most = 100}},
          .size =
              [](const TopologyConfig& c) {
                return TopologySize{c.number("switches"), 5, c.number("switches")};
              },
          .build =
              [](const TopologyConfig& c) {
                const std::uint32_t n = c.number("switches");
                Graph graph("chordal ring of " + std::to_string(n));
                for (SwitchId s = 0; s < n; ++s) graph.attach_node({graph.add_switch(5), 0});
                for (SwitchId s = 0; s < n; ++s) {
                  graph.connect({s, 1}, {(s + 1) % n, 2});
                  graph.connect({s, 3}, {(s + c.number("chord")) % n, 4});
                }
                return graph;
              }};
}

std::string errors_with(const std::string& topology) {
  Diagnostics diagnostics;
  try {
    parse_tdm_config("fabric: tdm\npattern: tornado\ntopology: { " + topology + " }\n", "t.yaml", ".", {}, diagnostics);
  } catch (const InputError& e) {
    std::string out;
    for (const Diagnostic& d : e.list()) out += d.text() + "\n";
    return out;
  }
  return "";
}

// Records are added for the whole process, so each test is a process of its own.
TEST(OwnTopology, KeysAreCheckedAndDescribed) {
  const ChildResult child = in_child([] {
    topologies().add(chordal_ring());
    std::string out;
    const auto section = topology_section(SwitchingKind::circuits);
    for (const KeyInfo& key : section.info()->keys) {
      if (key.name == "switches" || key.name == "chord") out += key.meaning + " (" + key.otherwise + ")\n";
    }
    out += errors_with("kind: chordal_ring, switches: 20, chord: 3");
    out += errors_with("kind: chordal_ring, switches: 4, chord: 3");
    out += errors_with("kind: chordal_ring, switches: 20");
    out += errors_with("kind: mesh, dims: [4], chord: 3");
    out += errors_with("kind: cordal_ring, switches: 20, chord: 3");
    out += errors_with("kind: chordal_ring, switches: 20, cord: 3");
    return out;
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text,
            "full_mesh: number of switches, each linked to all others; chordal_ring: switches of the ring. (needed for "
            "full_mesh and chordal_ring)\n"
            "chordal_ring: switches that a link across skips. (needed for chordal_ring)\n"
            "t.yaml:3:43: error: topology.switches: kind 'chordal_ring' takes whole numbers from 5 to 1000, got '4'\n"
            "t.yaml:3:11: error: topology: kind 'chordal_ring' needs the key 'chord'\n"
            "t.yaml:3:36: error: topology.chord: this key does not belong to kind 'mesh' (only to: chordal_ring)\n"
            "t.yaml:3:19: error: topology.kind: unknown value 'cordal_ring' (expected one of: mesh, torus, tree, "
            "full_mesh, dragonfly, file, chordal_ring); did you mean 'chordal_ring'?\n"
            "t.yaml:3:11: error: topology: kind 'chordal_ring' needs the key 'chord'\n"
            "t.yaml:3:47: error: unknown key 'cord' in section 'topology'; did you mean 'chord'?\n");
}

TEST(OwnTopology, PacketsRunOnIt) {
  for (const char* architecture : {"ib", "opa", "iq"}) {
    const ChildResult child = in_child([&]() -> std::string {
      topologies().add(chordal_ring());
      const PacketOutcome r = run_packet_yaml(
          fmt::format("fabric: packet\ntopology: {{ kind: chordal_ring, switches: 16, chord: 5 }}\n"
                      "switch: {{ architecture: {} }}\nqos: {{ levels: {{ a: {{ message: 256B }} }} }}\n"
                      "traffic: [ {{ level: a, load: 0.3 }} ]\nrun: {{ warm_up: 1us, measure: 20us, drain: 1ms }}\n",
                      architecture));
      if (!(r.error + r.failure).empty()) return r.error + r.failure;
      return r.figure("missing") == 0 && r.figure("delivered") > 1000 ? "" : r.text;
    });
    EXPECT_TRUE(child.ok);
    EXPECT_EQ(child.text, "") << architecture;
  }
}

// A name is given once, and a key means one thing.
TEST(OwnTopology, ClashesAreRefused) {
  const ChildResult child = in_child([]() -> std::string {
    Topology ring = chordal_ring();
    ring.name = "torus";
    try {
      topologies().add(ring);
      return "a second torus";
    } catch (const std::invalid_argument&) {
    }
    ring = chordal_ring();
    ring.keys.push_back({.name = "dims", .meaning = "a number"});
    topologies().add(ring);
    try {
      topology_keys();
      return "two meanings of dims";
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, "the kinds 'mesh' and 'chordal_ring' of networks mean different things by the key 'dims'");
}

}  // namespace
}  // namespace weft::test
