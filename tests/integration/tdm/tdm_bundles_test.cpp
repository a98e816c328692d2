// Bundles of links: circuits of a run take slots on all of them, at the times of a single link; slot LUT requests
// counted one by one; what does not go together with bundles.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Five switches in a row, two links between neighbours. Circuits 0 -> 2 and 1 -> 4 share the bundle from 1 to 2 only,
// and want all four slots. Ports: 0 node, 1 2 to the next switch, 3 4 to the one before.
std::string line(const std::string& slots, const std::string& rest = "") {
  return "fabric: tdm\ntopology: { kind: mesh, dims: [5], trunk: 2 }\n"
         "switch: { slots: 4, pipeline: 1cycles, serdes: 2cycles }\n" +
         slots + rest +
         "sources: { message: 340B, messages: 50 }\n"
         "circuits:\n"
         "  - { flow: a, source: 0, destination: 2, slots: 4 }\n"
         "  - { flow: b, source: 1, destination: 4, slots: 4 }\n";
}

TEST(TdmBundle, TwoCircuitsHaveAWholeLinkEach) {
  const Outcome r = run_yaml(line(""));
  ASSERT_EQ(r.error + r.failure, "");
  // Eight words of 340 bits without a gap; over h links (h + 1) frames and the output stage, as on single links.
  const auto circuits = r.table("circuits");
  EXPECT_EQ(circuits[0]["transit_min"], 10 * (7 + 3 * 4 + 1));
  EXPECT_EQ(circuits[0]["transit_max"], 10 * (7 + 3 * 4 + 1));
  EXPECT_EQ(circuits[1]["transit_max"], 10 * (7 + 4 * 4 + 1));
  for (const auto& c : circuits) EXPECT_DOUBLE_EQ(c["throughput"], 34.0);
  EXPECT_EQ(r.table("phases")[0]["minimum_slots"], 4);
  int words = 0;
  for (const auto& l : r.table("links")) {
    if (l["link"] == "sw[1].port1 -> sw[2]" || l["link"] == "sw[1].port2 -> sw[2]") {
      EXPECT_EQ(l["words"], 400);
      ++words;
    }
    EXPECT_NE(l["link"], "sw[0].port2 -> sw[1]") << "one link is enough there";
  }
  EXPECT_EQ(words, 2);
}

// Both destinations are even, so both circuits would be on the first link.
TEST(TdmBundle, ApartOneOfThemIsRefused) {
  const Outcome r = run_yaml(line("slots: { bundles: apart }\n"));
  EXPECT_THAT(r.error,
              HasSubstr("link sw[1].port1 -> sw[2] is full (4 of 4 slots in use); 8 slots per frame would do"));
}

TEST(TdmBundle, AFullBundleIsNamed) {
  const Outcome r = run_yaml(line("") + "  - { flow: c, source: 3, destination: 4 }\n", {"switch.slots=3"});
  EXPECT_THAT(r.error, HasSubstr("expected a whole number from 1 to 3"));
  const Outcome full = run_yaml(
      "fabric: tdm\ntopology: { kind: mesh, dims: [7], trunk: 2 }\nswitch: { slots: 2 }\n"
      "circuits:\n  - { source: 0, destination: 4, slots: 2 }\n  - { source: 1, destination: 5, slots: 2 }\n"
      "  - { source: 2, destination: 6 }\n");
  EXPECT_THAT(full.error, HasSubstr("bundle of 2 links sw[2].port1 -> sw[3] is full (2 of 2 slots in use); 3 slots per "
                                    "frame would do"));
}

// A query asks each link of a bundle: 1 + 2 + 2 + 1 for a, 1 + 2 + 2 + 2 + 1 for b. All slots of a circuit lie on one
// link of each bundle, so there is a reservation per hop and host link: 4 and 5.
TEST(TdmBundle, RequestsOfTheControllerCount) {
  const Outcome r = run_yaml(line("", "setup: { mode: central, processing: 3cycles }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.table("phases")[0]["lut_requests"], 6 + 4 + 8 + 5);
  EXPECT_EQ(r.table("phases")[0]["setup_time"], 10 * 3 * 23);
}

TEST(TdmBundle, LinksOfABundleAreEquallyLong) {
  const Outcome r = run_yaml(line("", "adapters:\n  - { at: 'sw[1].port2', delay: 3cycles }\n"));
  EXPECT_THAT(r.error,
              AllOf(HasSubstr(":5:11: error: adapters.0.at: link sw[1].port2 -> sw[2] is longer than sw[1].port1 -> "
                              "sw[2], of the same bundle"),
                    HasSubstr("use slots.bundles 'apart'")));
  const Outcome both = run_yaml(line("", "adapters:\n  - { at: 'sw[1]-sw[2]', delay: 3cycles }\n"));
  ASSERT_EQ(both.error + both.failure, "");
  // 1 + 2 + 3 cycles no longer hide in a frame of four.
  EXPECT_EQ(both.table("circuits")[0]["transit_max"], 10 * (7 + 4 + 4 + 8 + 1));
}

// Unless slots.bundles says 'together' (setup/setup_bundles_test.cpp).
TEST(TdmBundle, RequestsInTheNetworkTryEachLinkAsARoute) {
  const std::string text = line("", "setup: { mode: in_network, routes: 4 }\n");
  const Outcome r = run_yaml(text);
  ASSERT_EQ(r.error + r.failure, "");
  int refusals = 0;
  for (const auto& f : r.table("flows")) refusals += f["refused_no_slots"].get<int>();
  EXPECT_GT(refusals, 0) << "both begin with the first link";
  for (const auto& f : r.table("flows")) EXPECT_EQ(f["words_delivered"], 400);
}

// Halving and doubling with the node two places further puts two circuits on each link of a ring: with two links each
// has all slots, and the frame does not matter.
TEST(TdmBundle, CollectivesShareTheLinksOfABundle) {
  const auto run = [](int trunk) {
    return run_yaml("fabric: tdm\ntopology: { kind: torus, dims: [4], trunk: " + std::to_string(trunk) +
                    " }\nswitch: { slots: 8 }\nsetup: { mode: preset, routes: 1 }\n"
                    "endpoints: { collectives: circuits }\nprogram:\n  - { op: allreduce, size: 1MiB }\n");
  };
  const Outcome single = run(1);
  const Outcome wide = run(2);
  ASSERT_EQ(single.error + single.failure + wide.error + wide.failure, "");
  EXPECT_EQ(single.table("phases")[1]["minimum_slots"], 8);
  for (const auto& c : single.table("circuits")) EXPECT_EQ(c["slots"], c["phase"] == "2_allreduce" ? 4 : 8);
  for (const auto& c : wide.table("circuits")) EXPECT_EQ(c["slots"], 8);
  // A quarter of the data, there and back: half of the words in half of the slots, or in all.
  const double words = 1048576.0 * 8 / 340;
  EXPECT_NEAR(single.figure("run", "time").get<double>() - wide.figure("run", "time").get<double>(), 5 * words, 500);
}

}  // namespace
}  // namespace weft::test
