// Several links between a node and its switch where circuits come and go: random networks with failures, circuits side
// by side at the times of one link each, and links of a node that fail.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/setup_runs.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

TEST(SetupNodeLinks, RandomNetworks) { expect_all_kinds(soak_setup(Random::node_links)); }

// Two switches. Ports 0 and 1 lead to the node, the others to the other switch.
std::string pair_of_nodes(const std::string& circuits, const std::string& rest = "") {
  return "fabric: tdm\ntopology: { kind: mesh, dims: [2], trunk: 2, node_links: 2 }\n"
         "switch: { slots: 4, pipeline: 1cycles, serdes: 2cycles }\nsetup: { mode: in_network }\n"
         "sources: { message: 340B, messages: 50 }\n" +
         rest + "circuits:\n" + circuits;
}

std::map<std::string, int> words_by_link(const Outcome& r) {
  std::map<std::string, int> words;
  for (const auto& l : r.table("links")) words[l["link"]] = l["words"];
  return words;
}

// Node 1 sends to both sides with all slots, each circuit over a link of its own: eight words of a message without a
// gap. The second has the times of the first two frames later, as its switch writes, exchanges and copies the tables of
// one after the other. Nodes 0 and 2 send to node 1 in the same way.
TEST(SetupNodeLinks, TwoCircuitsHaveALinkOfTheNodeEach) {
  const auto line = [](const std::string& circuits) {
    return "fabric: tdm\ntopology: { kind: mesh, dims: [3], node_links: 2 }\n"
           "switch: { slots: 4, pipeline: 1cycles, serdes: 2cycles }\nsetup: { mode: in_network }\n"
           "sources: { message: 340B, messages: 50 }\ncircuits:\n" +
           circuits;
  };
  const std::string first = "  - { flow: a, source: 1, destination: 0, slots: 4 }\n";
  const std::string both = first + "  - { flow: b, source: 1, destination: 2, slots: 4 }\n";
  const Outcome one = run_yaml(line(first), {"topology.node_links=1"});
  ASSERT_EQ(one.error + one.failure, "");
  const double alone = one.table("flows")[0]["last_delivery"];
  for (const std::string bundles : {"apart", "together"}) {
    const Outcome r = run_yaml(line(both), {"slots.bundles=" + bundles});
    ASSERT_EQ(r.error + r.failure, "") << bundles;
    EXPECT_EQ(r.table("flows")[0]["last_delivery"], alone) << bundles;
    EXPECT_EQ(r.table("flows")[1]["last_delivery"], alone + 10 * 2 * 4) << bundles;
    for (const auto& f : r.table("flows")) {
      EXPECT_EQ(f["words_delivered"], 400) << bundles;
      EXPECT_EQ(f["words_sent"], 400) << bundles;
      EXPECT_EQ(f["requests"], 1) << bundles;
    }
    auto words = words_by_link(r);
    EXPECT_EQ(words.at("node 1 -> sw[1].port0"), 400) << bundles;
    EXPECT_EQ(words.at("node 1 -> sw[1].port1"), 400) << bundles;
    const Outcome back = run_yaml(line("  - { flow: a, source: 0, destination: 1, slots: 4 }\n"
                                       "  - { flow: b, source: 2, destination: 1, slots: 4 }\n"),
                                  {"slots.bundles=" + bundles});
    ASSERT_EQ(back.error + back.failure, "") << bundles;
    words = words_by_link(back);
    EXPECT_GE(words.at("sw[1].port0 -> node 1"), 400) << bundles;
    EXPECT_GE(words.at("sw[1].port1 -> node 1"), 400) << bundles;
    for (const auto& f : back.table("flows")) EXPECT_LT(f["last_delivery"], alone + 1000) << bundles;
  }
  // With one link the second waits for the first, whose requests it meets.
  const Outcome shared = run_yaml(line(both), {"topology.node_links=1"});
  ASSERT_EQ(shared.error + shared.failure, "");
  EXPECT_GT(shared.table("flows")[1]["refused_no_slots"], 0);
  EXPECT_GT(shared.table("flows")[1]["last_delivery"], alone + 4000);
}

// One of the two fails: what it carries is lost and sent again on the other one, at once. When both are down, the
// source waits for one of them.
TEST(SetupNodeLinks, TheOtherLinkOfTheNodeTakesOver) {
  const std::string flow = "  - { flow: a, source: 0, destination: 1, slots: 2 }\n";
  for (const std::string bundles : {"apart", "together"}) {
    const Outcome one =
        run_yaml(pair_of_nodes(flow, "faults:\n  - { at: 'sw[0].port0', down: 1us }\n"), {"slots.bundles=" + bundles});
    ASSERT_EQ(one.error + one.failure, "") << bundles;
    EXPECT_EQ(one.table("flows")[0]["words_delivered"], 400) << bundles;
    EXPECT_EQ(one.table("flows")[0]["requests"], 2) << bundles;
    const auto words = words_by_link(one);
    EXPECT_GT(words.at("node 0 -> sw[0].port0"), 0) << bundles;
    EXPECT_GT(words.at("node 0 -> sw[0].port1"), 300) << bundles;
    // A link that fails under a request, or under a train of 10,000 words.
    for (const std::string down : {"30ns", "1us"}) {
      const Outcome early = run_yaml(pair_of_nodes(flow, "faults:\n  - { at: 'sw[0].port0', down: " + down + " }\n"),
                                     {"slots.bundles=" + bundles, "sources.message=425000B", "sources.messages=1"});
      ASSERT_EQ(early.error + early.failure, "") << bundles << " " << down;
      EXPECT_EQ(early.table("flows")[0]["words_delivered"], 10'000) << bundles << " " << down;
      EXPECT_LT(early.table("flows")[0]["dark_time"], 500) << bundles << " " << down;
    }
    // Only the first link of one node and the second of the other work, and one route is asked for.
    const Outcome crossed = run_yaml(
        pair_of_nodes(flow, "faults:\n  - { at: 'sw[0].port1', down: 0us }\n  - { at: 'sw[1].port0', down: 0us }\n"),
        {"slots.bundles=" + bundles, "setup.routes=1"});
    ASSERT_EQ(crossed.error + crossed.failure, "") << bundles;
    EXPECT_EQ(crossed.table("flows")[0]["words_delivered"], 400) << bundles;
    const Outcome all = run_yaml(pair_of_nodes(flow, "faults:\n  - { at: 'nic[0]', down: 1us, up: 20us }\n"),
                                 {"slots.bundles=" + bundles});
    ASSERT_EQ(all.error + all.failure, "") << bundles;
    EXPECT_EQ(all.table("flows")[0]["words_delivered"], 400) << bundles;
    EXPECT_GT(all.table("flows")[0]["dark_time"], 19000) << bundles;
  }
}

// A multicast to nodes that have several links, programs, and traffic at random: conservation is checked by every run.
TEST(SetupNodeLinks, MulticastsProgramsAndTraffic) {
  const Outcome multicast = run_yaml(
      "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2], node_links: 2 }\nswitch: { slots: 4 }\n"
      "setup: { mode: in_network }\nsources: { message: 340B, messages: 20 }\ncircuits:\n"
      "  - { flow: a, source: 0, destinations: [1, 2, 3], slots: 4 }\n"
      "  - { flow: b, source: 0, destinations: [3, 1], slots: 2 }\n");
  ASSERT_EQ(multicast.error + multicast.failure, "");
  for (const auto& d : multicast.table("destinations")) EXPECT_EQ(d["words_delivered"], 160);
  const std::string programs =
      "fabric: tdm\ntopology: { kind: torus, dims: [4, 2], node_links: 2 }\nswitch: { slots: 8 }\n"
      "setup: { mode: in_network }\nslots_per_flow: 8\nprogram: [ { op: alltoall, size: 4KiB } ]\n";
  const Outcome two = run_yaml(programs);
  const Outcome one = run_yaml(programs, {"topology.node_links=1"});
  ASSERT_EQ(two.error + two.failure + one.error + one.failure, "");
  EXPECT_EQ(two.figure("run", "bytes"), one.figure("run", "bytes"));
  EXPECT_LT(two.figure("run", "time").get<double>(), 0.8 * one.figure("run", "time").get<double>());
}

}  // namespace
}  // namespace weft::test
