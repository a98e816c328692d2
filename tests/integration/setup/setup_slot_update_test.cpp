// Circuits that come and go with slots of each switch's own: times that follow by hand, what the same slot everywhere
// refuses, random networks with failures, and RTL.

#include <gtest/gtest.h>

#include <string>

#include "support/setup_runs.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using nlohmann::json;

// As SetupProtocol.TimesOnAnIdleLine; every slot is free, so a word leaves each switch in the cycle after it came in.
TEST(SetupSlotUpdate, TimesOnAnIdleLine) {
  for (const std::uint32_t k : {2U, 5U}) {
    for (const Cycle t_proc : {1, 7}) {
      for (const Cycle serdes : {0, 3, 9}) {
        for (const Cycle pipeline : {0, 2}) {
          constexpr Cycle kSlots = 8;
          SetupCase c = line(k, kSlots);
          c.slot_update = true;
          c.setup.processing = t_proc;
          c.tdm_switch.serdes = serdes;
          c.tdm_switch.pipeline = pipeline;
          c.flows = {one_message(0, k - 1, 3, 5)};
          const json o = setup_in_child(c);
          ASSERT_EQ(o["failure"], "");
          const json f = o["flows"][0]["circuits"][0];
          const Cycle host = std::max<Cycle>(1, pipeline);
          const Cycle link = std::max<Cycle>(1, pipeline + serdes);
          const Cycle first_done = 5 + host + t_proc;
          EXPECT_EQ(f["ack"], first_done + host);
          EXPECT_EQ(f["accepted"], 5 + 4 * host + k * t_proc + 2 * (k - 1) * link);
          const Cycle hop = pipeline + serdes + 1;
          Cycle start = first_done + host + 1;
          for (Cycle i = 0; i < k; ++i) {
            const Cycle written = first_done + i * (link + t_proc) + 1;
            const Cycle in_force = (written + kSlots - 1) / kSlots * kSlots;
            start = std::max(start, in_force - 1 - i * hop);
          }
          const Cycle first_word = (start + kSlots - 1) / kSlots * kSlots;
          EXPECT_EQ(f["first"], first_word);
          EXPECT_EQ(o["flows"][0]["delivered_at"], first_word + 2 * kSlots + 1 + (k - 1) * hop + pipeline);
        }
      }
    }
  }
}

// Node 0 has slot 1 left, link 1-2 slot 0.
const char* const kOtherSlots =
    "fabric: tdm\ntopology: { kind: mesh, dims: [3] }\nswitch: { slots: 2 }\n"
    "setup: { mode: in_network, tries: 20 }\nsources: { message: 340B }\ncircuits:\n"
    "  - { flow: a, source: 0, destination: 1, duration: 60us }\n"
    "  - { flow: d, source: 1, destination: 0, duration: 60us }\n"
    "  - { flow: b, source: 1, destination: 2, start: 1us, duration: 50us }\n"
    "  - { flow: c, source: 0, destination: 2, start: 5us, messages: 10 }\n";

TEST(SetupSlotUpdate, AnotherSlotIsTakenWhereTheSameIsNotFree) {
  const Outcome same = run_yaml(kOtherSlots);
  ASSERT_EQ(same.error + same.failure, "");
  EXPECT_GT(same.table("flows")[3]["refused_no_slots"], 0);
  const Outcome own = run_yaml(kOtherSlots, {"slots.slot_update=true"});
  ASSERT_EQ(own.error + own.failure, "");
  for (const auto& f : own.table("flows")) {
    EXPECT_EQ(f["requests"], 1) << f["flow"];
    EXPECT_EQ(f["state"], "finished");
  }
  EXPECT_EQ(own.table("flows")[3]["words_delivered"], 80);
}

// A link without enough free slots refuses, and the next route is tried at once.
TEST(SetupSlotUpdate, AFullLinkIsGoneRound) {
  const Outcome r = run_yaml(
      "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2] }\nswitch: { slots: 4 }\n"
      "setup: { mode: in_network, routes: 2, backoff: 1000cycles }\nslots: { slot_update: true }\n"
      "sources: { message: 340B }\ncircuits:\n"
      "  - { flow: a, source: 1, destination: 3, slots: 3, duration: 40us }\n"
      "  - { flow: b, source: 0, destination: 3, slots: 1, start: 5us, duration: 20us }\n"
      "  - { flow: c, source: 2, destination: 1, slots: 2, start: 5us, messages: 40 }\n"
      "  - { flow: d, source: 0, destination: 1, slots: 2, start: 20us, messages: 40 }\n");
  ASSERT_EQ(r.error + r.failure, "");
  for (const auto& f : r.table("flows")) EXPECT_EQ(f["state"], "finished") << f["flow"];
  EXPECT_EQ(r.table("flows")[3]["requests"], 1);
}

// Whatever comes together, as in SetupProtocol.RandomNetworks.
TEST(SetupSlotUpdate, RandomNetworks) {
  const SetupSoak sums = soak_setup(Random::slot_update);
  if (!sums.all) return;
  EXPECT_GT(sums.refused, 60U);
  EXPECT_GT(sums.late, 60U);
  EXPECT_GT(sums.lost, 20U);
}

// Node 6's release of a circuit over a long route comes behind that of the next circuit, over a short one.
TEST(SetupSlotUpdate, AReleaseMayComeBehindThatOfALaterCircuit) {
  EXPECT_EQ(setup_in_child(random_setup(302, Random::slot_update))["failure"], "");
}

const char* const kTraffic =
    "fabric: tdm\ntopology: { kind: mesh, dims: [3, 2] }\nsetup: { mode: in_network, routes: 2 }\n"
    "switch: { slots: 8, pipeline: 1cycle }\nslots: { slot_update: true }\nslots_per_flow: 2\n"
    "qos: { levels: { a: { message: 640B } } }\n"
    "traffic: [ { level: a, load: 0.1 } ]\nrun: { warm_up: 5us, measure: 60us }\n"
    "faults: [ { at: 'nic[0]', down: 20us, up: 22us }, { at: 'sw[1]-sw[4]', down: 30us, up: 31us } ]\n";

TEST(SetupSlotUpdate, RtlAgrees) {
  const Outcome model = run_yaml(kTraffic);
  const Outcome rtl =
      run_yaml(kTraffic, {"switch.data_path.implementation=lockstep", "switch.slot_lut.implementation=lockstep",
                          "switch.setup_unit.implementation=lockstep"});
  ASSERT_EQ(model.error + model.failure + rtl.error + rtl.failure, "");
  for (const char* table : {"circuits", "flows", "services", "faults"}) {
    EXPECT_EQ(rtl.table(table), model.table(table)) << table;
  }
}

}  // namespace
}  // namespace weft::test
