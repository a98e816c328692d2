// Adapters on chosen links of FiC networks: what they add to the transit of words, against closed forms, networks whose
// links are all longer, the predictions of the plan, and the RTL.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/tdm_runs.h"

namespace weft::test {
namespace {

// One word from node 0 over switches 0, 1 and 3 to node 3. With the same slot on every hop a link of C cycles takes
// S (floor(C / S) + 1) cycles until the next switch sends; the last link takes its delay alone.
TEST(TdmAdapters, HideInTheWaitForTheSlotAsLongAsItLasts) {
  const std::string square =
      "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2] }\nsetup: { mode: preset }\n"
      "switch: { slots: 4, lanes: 1, lane_payload: 64b }\n"
      "program: [ { op: transfer, source: 0, destination: 3, size: 8B } ]\n";
  const auto transit = [&](const std::string& adapters) {
    const Outcome r = run_yaml(square, {"adapters=" + adapters});
    EXPECT_EQ(r.error + r.failure, "") << adapters;
    return r.error.empty() ? r.table("circuits")[0]["transit_max"].get<double>() / 10 : -1;
  };
  const auto hop = [](int delay) { return 4 * (delay / 4 + 1); };
  EXPECT_EQ(transit("[]"), 3 * hop(0));
  for (const int delay : {1, 3, 4, 7, 8, 100}) {
    EXPECT_EQ(transit(fmt::format("[{{ at: 'sw[1]-sw[0]', delay: {}cycles }}]", delay)), 2 * hop(0) + hop(delay));
    EXPECT_EQ(transit(fmt::format("[{{ at: 'nic[0]', delay: {}cycles }}]", delay)), 2 * hop(0) + hop(delay));
    EXPECT_EQ(transit(fmt::format("[{{ at: 'nic[3]', delay: {}cycles }}]", delay)), 3 * hop(0) + delay);
    EXPECT_EQ(transit(fmt::format("[{{ at: 'sw[0]', delay: {}cycles }}]", delay)), hop(0) + 2 * hop(delay));
    EXPECT_EQ(transit(fmt::format("[{{ at: 'sw[2]', delay: {}cycles }}]", delay)), 3 * hop(0));
  }
}

const std::string kMesh =
    "fabric: tdm\ntopology: { kind: mesh, dims: [3, 2] }\nswitch: { slots: 16, pipeline: 1cycle }\npattern: uniform\n"
    "sources: { arrivals: poisson, interval: 4us, message: 300B }\nrun: { warm_up: 5us, measure: 40us }\n";

// Longer links between switches, once by adapters and once by switch.serdes.
TEST(TdmAdapters, OnEveryLinkAreLongerLinks) {
  for (const char* update : {"slots.slot_update=false", "slots.slot_update=true"}) {
    for (const int delay : {2, 21}) {
      std::string all;
      for (const char* link : {"0]-sw[1", "1]-sw[2", "3]-sw[4", "4]-sw[5", "0]-sw[3", "1]-sw[4", "2]-sw[5"}) {
        all += fmt::format("{}{{ at: 'sw[{}]', delay: {}cycles }}", all.empty() ? "" : ", ", link, delay);
      }
      const Outcome adapters = run_yaml(kMesh, {update, "adapters=[" + all + "]"});
      const Outcome longer = run_yaml(kMesh, {update, fmt::format("switch.serdes={}cycles", delay)});
      ASSERT_EQ(adapters.error + adapters.failure + longer.error + longer.failure, "");
      for (const char* table : {"circuits", "links", "services"}) {
        EXPECT_EQ(adapters.table(table), longer.table(table)) << update << " " << delay << " " << table;
      }
      EXPECT_EQ(adapters.figure("network", "adapters"), 14);
    }
  }
}

// Some links are longer than others: what the plan says about each circuit is what happens, in the model and in the
// RTL, and words stay in order (a node refuses others).
TEST(TdmAdapters, ThePlanKnowsThem) {
  const std::string adapters =
      "adapters=[{ at: 'sw[0]-sw[1]', delay: 5cycles }, { at: 'sw[4]', delay: 2cycles }, "
      "{ at: 'sw[5].port0', delay: 170ns }]";
  for (const char* update : {"slots.slot_update=false", "slots.slot_update=true"}) {
    const Outcome model = run_yaml(kMesh, {update, adapters, "sources.arrivals=saturated", "sources.interval=null"});
    ASSERT_EQ(model.error + model.failure, "");
    EXPECT_NE(model.table("circuits"),
              run_yaml(kMesh, {update, "sources.arrivals=saturated", "sources.interval=null"}).table("circuits"));
    for (const auto& circuit : model.table("circuits")) {
      EXPECT_GE(circuit["transit_min"], circuit["predicted_transit_min"]);
      EXPECT_LE(circuit["transit_max"], circuit["predicted_transit_max"]);
      EXPECT_EQ(circuit["transit_max"], circuit["predicted_transit_max"]);  // saturated: each waits a whole turn
    }
    const Outcome rtl = run_yaml(kMesh, {update, adapters, "sources.arrivals=saturated", "sources.interval=null",
                                         "switch.data_path.implementation=lockstep"});
    ASSERT_EQ(rtl.error + rtl.failure, "");
    EXPECT_EQ(rtl.table("circuits"), model.table("circuits"));
  }
}

}  // namespace
}  // namespace weft::test
