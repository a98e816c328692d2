// Several links between a node and its switch, and all-to-all schedules over wavelengths and planes, which are parallel
// links: exchanges take the frames that slots and routes say, words keep to their plane, model and RTL agree.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/places.h"
#include "support/scratch.h"
#include "support/slot_trace.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string exchange(const std::string& kind, int width, int height, int channels, int slots, const std::string& rest) {
  return fmt::format(
      "fabric: tdm\ntopology: {{ kind: {}, dims: [{}, {}], trunk: {}, node_links: {} }}\nswitch: {{ slots: {} }}\n"
      "setup: {{ mode: preset }}\nalltoall: groups\nsources: {{ message: 340b, messages: 1 }}\n{}",
      kind, width, height, channels, channels, slots, rest);
}

// T slots on C channels: a frame of ceil(T / C) slots, and as many frames as with one channel, a word per switch of the
// longest route and one in which they are sent.
TEST(TdmPlanes, AnExchangeTakesThePredictedFrames) {
  struct Case {
    const char* kind;
    int width, height, schedule, frames;
  };
  for (const Case& c : {Case{"mesh", 4, 4, 16, 8},
                        {"mesh", 5, 3, 18, 8},
                        {"mesh", 8, 1, 16, 9},
                        {"torus", 4, 4, 16, 6},
                        {"torus", 5, 5, 25, 6}}) {
    for (const auto& [wavelengths, planes] : {std::pair{1, 2}, {2, 2}, {3, 1}, {5, 1}}) {
      const int channels = wavelengths * planes;
      const int slots = (c.schedule + channels - 1) / channels;
      const Outcome r = run_yaml(exchange(c.kind, c.width, c.height, channels, slots,
                                          fmt::format("wavelengths: {}\nplanes: {}\n", wavelengths, planes)));
      const std::string what = fmt::format("{} {}x{} on {} x {}", c.kind, c.width, c.height, wavelengths, planes);
      ASSERT_EQ(r.error + r.failure, "") << what;
      EXPECT_EQ(r.figure("alltoall", "wavelengths"), wavelengths) << what;
      EXPECT_EQ(r.figure("alltoall", "planes"), planes) << what;
      EXPECT_EQ(r.figure("alltoall", "frames_predicted"), c.frames) << what;
      EXPECT_EQ(r.figure("alltoall", "frames_used"), c.frames) << what;
      EXPECT_EQ(r.figure("alltoall", "cycles_used"), r.figure("alltoall", "cycles_predicted")) << what;
      const int nodes = c.width * c.height;
      EXPECT_EQ(r.figure("run", "messages_delivered"), nodes * (nodes - 1)) << what;
    }
    // One slot fewer does not hold them.
    const int fewer = (c.schedule + 1) / 2 - 1;
    EXPECT_THAT(
        run_yaml(exchange(c.kind, c.width, c.height, 2, fewer, "")).error,
        HasSubstr(fmt::format("the all-to-all schedule has {} slots, a frame (switch.slots) {}", fewer + 1, fewer)));
  }
}

// Each channel is a network of its own, from host to host.
TEST(TdmPlanes, WordsKeepToTheirPlane) {
  const Outcome r = run_yaml(exchange("mesh", 4, 4, 4, 4, "observe: { slot_trace: true }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.figure("alltoall", "planes"), 4) << "without a word about them, all links are used";
  std::map<int, int> channel_of;  // circuit -> plane
  int circuit = 0;
  for (const auto& c : r.table("circuits")) channel_of[circuit++] = c["plane"].get<int>();
  ASSERT_EQ(circuit, 240);
  int connections = 0;
  std::int64_t words = 0;
  for (const auto& c : r.table("channels")) {
    connections += c["connections"].get<int>();
    words += c["words"].get<std::int64_t>();
    EXPECT_EQ(c["words"], c["link_slots"]) << "a word in each slot that is held";
    EXPECT_LE(c["slots_used"], 4);
  }
  EXPECT_EQ(connections, 240);
  EXPECT_EQ(words, r.figure("run", "word_hops").get<std::int64_t>() + 240) << "and the words that hosts send";
  // Ports of a switch: the node's links, then four of each direction.
  const std::vector<TraceLine> hops = parse_slot_trace(r.slot_trace);
  for (const TraceLine& hop : hops) EXPECT_EQ(hop.port % 4, channel_of.at(static_cast<int>(hop.circuit)));
  EXPECT_EQ(static_cast<std::int64_t>(hops.size()), r.figure("run", "word_hops").get<std::int64_t>());
}

TEST(TdmPlanes, ModelAndRtlAgree) {
  const std::string yaml = slurp(source_dir() + "/configs/tdm/alltoall_wdm_4x4.yaml");
  const Outcome model = run_yaml(yaml);
  ASSERT_EQ(model.error + model.failure, "");
  EXPECT_EQ(model.figure("alltoall", "frames_used"), 8);
  EXPECT_EQ(model.figure("alltoall", "wavelengths"), 2);
  for (const std::string which : {"rtl", "lockstep"}) {
    const Outcome other =
        run_yaml(yaml, {"switch.data_path.implementation=" + which, "switch.slot_lut.implementation=" + which});
    ASSERT_EQ(other.error + other.failure, "") << which;
    EXPECT_TRUE(other.neutral_report() == model.neutral_report()) << which;
    if (which == "lockstep") {
      EXPECT_GE(other.figure("lockstep", "cycles_compared").get<int>(), 16 * 24);
    }
  }
}

// Two links of a node carry two circuits at their full rate, at the times of one link each.
TEST(TdmPlanes, ANodeSendsAndReceivesOnAllItsLinks) {
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2], node_links: 2 }\n"
      "switch: { slots: 4, pipeline: 1cycles, serdes: 2cycles }\nsources: { message: 340B, messages: 50 }\n"
      "circuits:\n  - { flow: a, source: 0, destination: 1, slots: 4 }\n"
      "  - { flow: b, source: 0, destination: 2, slots: 4 }\n"
      "  - { flow: c, source: 3, destination: 1, slots: 4 }\n";
  const Outcome r = run_yaml(yaml);
  ASSERT_EQ(r.error + r.failure, "");
  for (const auto& c : r.table("circuits")) {
    EXPECT_EQ(c["transit_max"], 10 * (7 + 2 * 4 + 1));
    EXPECT_DOUBLE_EQ(c["throughput"], 34.0);
  }
  int links = 0;
  for (const auto& l : r.table("links")) {
    const auto name = l["link"].get<std::string>();
    if (name == "node 0 -> sw[0].port0" || name == "node 0 -> sw[0].port1" || name == "sw[1].port0 -> node 1" ||
        name == "sw[1].port1 -> node 1") {
      EXPECT_EQ(l["words"], 400) << name;
      ++links;
    }
  }
  EXPECT_EQ(links, 4);
  // On one link of a node they do not fit.
  EXPECT_THAT(run_yaml(yaml, {"topology.node_links=1"}).error,
              HasSubstr("link node 0 -> sw[0] is full (4 of 4 slots in use)"));
  EXPECT_THAT(run_yaml(yaml, {"switch.slots=3"}).error, HasSubstr("expected a whole number from 1 to 3"));
}

// The second circuit has slots on both links of its node: every message comes whole, in order, within its bounds, or
// the run fails.
TEST(TdmPlanes, ACircuitMayHaveSlotsOnSeveralLinksOfANode) {
  for (const bool update : {false, true}) {
    const Outcome r = run_yaml(
        "fabric: tdm\ntopology: { kind: mesh, dims: [3], trunk: 2, node_links: 2 }\nswitch: { slots: 4 }\n"
        "sources: { message: 850B, messages: 40 }\ncircuits:\n"
        "  - { flow: a, source: 0, destination: 1, slots: 2 }\n  - { flow: b, source: 0, destination: 2, slots: 3 }\n"
        "  - { flow: c, source: 0, destinations: [1, 2], slots: 2 }\n",
        {fmt::format("slots.slot_update={}", update)});
    ASSERT_EQ(r.error + r.failure, "");
    EXPECT_EQ(r.figure("run", "messages_delivered"), 160);
    int reserved = 0;
    for (const auto& l : r.table("links")) {
      if (l["link"].get<std::string>().starts_with("node 0")) reserved += l["reserved_slots"].get<int>();
    }
    EXPECT_EQ(reserved, 7);
    EXPECT_EQ(r.table("phases")[0]["minimum_slots"], 4);
  }
}

TEST(TdmPlanes, WrongInputIsExplained) {
  const std::string mesh = exchange("mesh", 4, 4, 2, 8, "");
  EXPECT_THAT(run_yaml(mesh, {"wavelengths=3"}).error,
              HasSubstr("the all-to-all schedule has 3 wavelengths times 1 planes; they need 3 parallel links between "
                        "neighbours (topology.trunk, 2 here), between a node and its switch (topology.node_links, 2 "
                        "here), and slots.bundles 'together'"));
  EXPECT_THAT(run_yaml(mesh, {"slots.bundles=apart"}).error,
              HasSubstr("topology.node_links: planned circuits share the links of a node as a bundle, which needs "
                        "slots.bundles 'together'; 'apart' with several links of a node is for setup.mode in_network"));
  EXPECT_THAT(run_yaml(mesh + "wavelengths: 0\n").error,
              HasSubstr(":7:14: error: wavelengths: expected a whole number"));
  const std::string pattern =
      "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2], node_links: 2 }\npattern: uniform\n"
      "sources: { messages: 1 }\n";
  EXPECT_THAT(run_yaml(pattern + "planes: 2\n").error,
              HasSubstr(":5:1: error: planes: this key belongs to 'alltoall', whose slots it spreads"));
}

}  // namespace
}  // namespace weft::test
