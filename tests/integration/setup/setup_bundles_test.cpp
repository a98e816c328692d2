// Requests over bundles: each switch chooses one of the parallel links. Cycle by cycle where it follows by hand, random
// networks with failures, and the setup unit in RTL.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/setup_runs.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(SetupBundles, RandomNetworks) { expect_all_kinds(soak_setup(Random::bundles)); }

// Five switches in a row, two links between neighbours; ports 1 and 2 lead to the next switch.
std::string two_links(const std::string& circuits, const std::string& rest = "") {
  return "fabric: tdm\ntopology: { kind: mesh, dims: [5], trunk: 2 }\nswitch: { slots: 4 }\n"
         "setup: { mode: in_network }\nslots: { bundles: together }\n"
         "sources: { message: 340B, messages: 50 }\n" +
         rest + "circuits:\n" + circuits;
}

// Both want all slots between switch 1 and 2, and each finds a link that has them.
const char* const kSharedBundle =
    "  - { flow: a, source: 0, destination: 2, slots: 4, start: 1us }\n  - { flow: b, source: 1, destination: 4, "
    "slots: 4 }\n";

TEST(SetupBundles, TheFirstLinkWithTheSlotsFreeIsTaken) {
  const Outcome r = run_yaml(two_links(kSharedBundle));
  ASSERT_EQ(r.error + r.failure, "");
  for (const auto& f : r.table("flows")) {
    EXPECT_EQ(f["requests"], 1);
    EXPECT_EQ(f["words_delivered"], 400);
  }
  int words = 0;
  for (const auto& l : r.table("links")) {
    if (l["link"] == "sw[1].port1 -> sw[2]" || l["link"] == "sw[1].port2 -> sw[2]") {
      EXPECT_EQ(l["words"], 400);
      ++words;
    }
    EXPECT_NE(l["link"], "sw[0].port2 -> sw[1]") << "the first one is free there";
  }
  EXPECT_EQ(words, 2);
  // Each link a route of its own: the second to come is refused and asks again, on the next route.
  const Outcome apart = run_yaml(two_links(kSharedBundle), {"slots.bundles=apart"});
  ASSERT_EQ(apart.error + apart.failure, "");
  int refused = 0;
  for (const auto& f : apart.table("flows")) refused += f["refused_no_slots"].get<int>();
  EXPECT_GT(refused, 0);
}

// Slots 0 and 1 of the first link and 2 and 3 of the second are taken between switch 1 and 2, so that no link has three
// free. The refusal brings back what any link has, without the lowest of the slots asked for.
TEST(SetupBundles, SlotsOfSeveralLinksAreNoLink) {
  const Outcome r =
      run_yaml(two_links("  - { flow: a, source: 1, destination: 2, slots: 2, duration: 4us }\n"
                         "  - { flow: b, source: 2, destination: 3, slots: 2, duration: 4us }\n"
                         "  - { flow: c, source: 0, destination: 4, slots: 3, start: 500ns, messages: 1 }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  for (const auto& f : r.table("flows")) EXPECT_EQ(f["state"], "finished");
}

// One link of the two fails: what is on it is lost and sent again on the other one, which is found at the first
// request.
TEST(SetupBundles, TheOtherLinkTakesOverWhenOneFails) {
  const Outcome r = run_yaml(two_links("  - { flow: a, source: 0, destination: 4, slots: 2 }\n",
                                       "faults:\n  - { at: 'sw[2].port1', down: 1us, up: 90us }\n"));
  ASSERT_EQ(r.error + r.failure, "");
  const auto f = r.table("flows")[0];
  EXPECT_EQ(f["words_delivered"], 400);
  EXPECT_EQ(f["requests"], 2);
  EXPECT_EQ(f["refused_down"], 0);
  bool other = false;
  for (const auto& l : r.table("links")) other = other || l["link"] == "sw[2].port2 -> sw[3]";
  EXPECT_TRUE(other);
}

// The choice stands before the unit: a ring of switches with seven ports, multicasts, changes and a failure.
TEST(SetupBundles, TheUnitInRtlDoesTheSame) {
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: torus, dims: [4], trunk: 3 }\nswitch: { slots: 4 }\n"
      "setup: { mode: in_network, processing: 2cycles, backoff: 20cycles }\nslots: { bundles: together }\n"
      "sources: { message: 340B, messages: 20 }\nfaults:\n  - { at: 'sw[1].port1', down: 600ns, up: 900ns }\n"
      "circuits:\n  - { flow: a, source: 0, destination: 2, slots: 3, changes: [{ at: 1us, slots: 4 }] }\n"
      "  - { flow: b, source: 1, destinations: [2, 3], slots: 3 }\n  - { flow: c, source: 3, destination: 2, slots: 2 "
      "}\n"
      "  - { flow: d, source: 2, destinations: [3, 0], slots: 2 }\n";
  const Outcome model = run_yaml(yaml);
  ASSERT_EQ(model.error + model.failure, "");
  EXPECT_GT(model.figure("setup", "refused").get<int>(), 0);
  for (const std::string which : {"rtl", "lockstep"}) {
    const Outcome other =
        run_yaml(yaml, {"switch.setup_unit.implementation=" + which, "switch.slot_lut.implementation=" + which});
    ASSERT_EQ(other.error + other.failure, "") << which;
    EXPECT_TRUE(other.neutral_report() == model.neutral_report()) << which;
  }
}

TEST(SetupBundles, WrongInputIsExplained) {
  EXPECT_THAT(run_yaml(two_links(kSharedBundle, "adapters:\n  - { at: 'sw[1].port2', delay: 3cycles }\n")).error,
              AllOf(HasSubstr("link sw[1].port2 -> sw[2] is longer than sw[1].port1 -> sw[2], of the same bundle"),
                    HasSubstr("use slots.bundles 'apart'")));
}

}  // namespace
}  // namespace weft::test
