// An alltoall of programs over circuits on networks with parallel links: the slot schedule spread over them as planes,
// at the times that slots and routes say, and those of the exchange without programs.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/tdm_runs.h"

namespace weft::test {
namespace {

constexpr int kPlaneSlot = 10;  // ns

// Messages of `words` words of 340 bits, which stand ready in cycle 0.
std::string alltoall_of(const std::string& kind, int width, int height, int links, int slots, int words) {
  return fmt::format(
      "fabric: tdm\ntopology: {{ kind: {}, dims: [{}, {}], trunk: {}, node_links: {} }}\nswitch: {{ slots: {} }}\n"
      "setup: {{ mode: preset }}\n"
      "endpoints: {{ collectives: circuits, send_overhead: 0cycles, receive_overhead: 0cycles }}\n"
      "program: [ {{ op: alltoall, size: {}B }} ]\n",
      kind, width, height, links, links, slots, words * 340 / 8);
}

// Of the last arrival; nodes take messages in the next cycle, in which the step ends.
int last_arrival(const Outcome& r) { return r.table("steps")[0]["data_end"].get<int>() / kPlaneSlot - 1; }

// T slots of the schedule on C links: a frame of ceil(T / C) slots; n words take n - 1 frames more than one, whatever
// the number of links.
TEST(ProgramPlanes, AnAlltoallTakesThePredictedFrames) {
  struct Case {
    int width, height, schedule, frames;
  };
  for (const Case& c : {Case{4, 4, 16, 8}, {8, 1, 16, 9}}) {
    for (const int links : {1, 2, 4}) {
      for (const int words : {2, 6, 40}) {
        const int slots = c.schedule / links;
        const Outcome r = run_yaml(alltoall_of("mesh", c.width, c.height, links, slots, words));
        const std::string what = fmt::format("{}x{}, {} links, {} words", c.width, c.height, links, words);
        ASSERT_EQ(r.error + r.failure, "") << what;
        const auto carried = r.table("collectives")[0];
        EXPECT_EQ(carried["algorithm"], "slot_schedule") << what;
        EXPECT_EQ(carried["planes"], links) << what;
        EXPECT_EQ(carried["slots"], 1) << what;
        EXPECT_EQ(carried["phases"], 1) << what;
        EXPECT_EQ(carried["frames"], c.frames + words - 1) << what;
        EXPECT_EQ(last_arrival(r), carried["cycles"]) << what;
        EXPECT_EQ(last_arrival(r) / slots + 1, c.frames + words - 1) << what;
      }
    }
  }
}

// The same exchange as a phase of its own (tdm_planes_test.cpp), which spreads the slots over the planes in another
// order: in as many frames, and on one link in the same cycle.
TEST(ProgramPlanes, AsTheExchangeWithoutPrograms) {
  for (const int links : {1, 2, 4}) {
    const Outcome program = run_yaml(alltoall_of("mesh", 4, 4, links, 16 / links, 2));
    const Outcome phase =
        run_yaml(fmt::format("fabric: tdm\ntopology: {{ kind: mesh, dims: [4, 4], trunk: {}, node_links: {} }}\n"
                             "switch: {{ slots: {} }}\nsetup: {{ mode: preset }}\nalltoall: groups\n"
                             "sources: {{ message: 680b, messages: 1 }}\n",
                             links, links, 16 / links));
    ASSERT_EQ(program.error + program.failure + phase.error + phase.failure, "");
    const int cycles = phase.figure("alltoall", "cycles_used");
    const int frame = 16 / links;
    EXPECT_EQ(last_arrival(program) / frame, cycles / frame) << links;
    if (links == 1) {
      EXPECT_EQ(last_arrival(program), cycles);
    }
  }
}

// Frames that hold the schedule twice give each circuit two slots; frames that hold half of it, two phases.
TEST(ProgramPlanes, SeveralSlotsAndSeveralPhases) {
  const Outcome twice = run_yaml(alltoall_of("mesh", 4, 4, 4, 8, 10));
  ASSERT_EQ(twice.error + twice.failure, "");
  EXPECT_EQ(twice.table("collectives")[0]["slots"], 2);
  EXPECT_EQ(twice.table("collectives")[0]["frames"], 8 + 10 / 2 - 1);
  EXPECT_EQ(last_arrival(twice) / 8 + 1, 8 + 10 / 2 - 1);
  const Outcome half = run_yaml(alltoall_of("mesh", 4, 4, 4, 2, 10));
  ASSERT_EQ(half.error + half.failure, "");
  EXPECT_EQ(half.table("collectives")[0]["phases"], 2);
  EXPECT_EQ(half.table("collectives")[0]["planes"], 4);
  for (const auto& node : half.table("nodes")) EXPECT_EQ(node["bytes_received"], 15 * 425);
}

// Every circuit keeps to its plane, and all planes carry words; the RTL of every switch agrees.
TEST(ProgramPlanes, PlanesCarryTheExchange) {
  const Outcome r = run_yaml(alltoall_of("mesh", 4, 4, 4, 4, 2));
  ASSERT_EQ(r.error + r.failure, "");
  const auto planes = r.table("channels");
  ASSERT_EQ(planes.size(), 4U);
  int connections = 0;
  for (const auto& p : planes) {
    connections += p["connections"].get<int>();
    EXPECT_EQ(p["words"].get<int>(), 2 * p["link_slots"].get<int>()) << "two words in each slot that is held";
    EXPECT_LE(p["slots_used"], 4);
  }
  EXPECT_EQ(connections, 240);
  const Outcome lockstep = run_yaml(alltoall_of("mesh", 4, 4, 4, 4, 2), {"switch.data_path.implementation=lockstep"});
  ASSERT_EQ(lockstep.error + lockstep.failure, "");
  EXPECT_EQ(last_arrival(lockstep), last_arrival(r));
}

// A schedule needs the links everywhere; where the node has one, the exchange is as long as with single links.
TEST(ProgramPlanes, ANodeWithOneLinkHasNoPlanes) {
  const Outcome r = run_yaml(alltoall_of("mesh", 4, 4, 2, 16, 2), {"topology.node_links=1"});
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_TRUE(r.table("collectives")[0]["planes"].is_null());
  EXPECT_EQ(r.table("collectives")[0]["frames"], 8 + 1);
}

}  // namespace
}  // namespace weft::test
