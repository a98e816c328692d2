// Setup unit in RTL: the same results as the model in networks with refusals, multicasts and failures; faults of the
// RTL stop a lockstep run; what the compiled unit cannot hold is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "Vsetup_unit_greedy.h"
#include "Vsetup_unit_silent.h"
#include "cosim/tdm/verilated_setup_unit.h"
#include "support/faulty_blocks.h"
#include "support/places.h"
#include "support/scratch.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

std::string setup_config(const std::string& name) { return slurp(source_dir() + "/configs/tdm/" + name + ".yaml"); }

TEST(SetupUnitRtl, GivesTheResultsOfTheModel) {
  for (const std::string name :
       {"setup_unit_lockstep", "setup_4x4", "setup_faults", "setup_multicast", "setup_adapters", "setup_on_demand"}) {
    const std::string yaml = setup_config(name);
    const auto run = [&](const std::string& which) {
      return run_yaml(yaml, {"switch.setup_unit.implementation=" + which});
    };
    const Outcome model = run("model");
    ASSERT_EQ(model.error + model.failure, "") << name;
    for (const std::string which : {"rtl", "lockstep"}) {
      const Outcome other = run(which);
      ASSERT_EQ(other.error + other.failure, "") << name << " " << which;
      EXPECT_NE(other.report, model.report) << "the report does not say what ran";
      EXPECT_TRUE(other.neutral_report() == model.neutral_report()) << name << " " << which;
    }
  }
}

TEST(SetupUnitRtl, TheConfigurationShowsEverythingTheUnitDoes) {
  const Outcome run = run_yaml(setup_config("setup_unit_lockstep"));
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_GT(run.figure("setup", "refused").get<int>(), 0);
  EXPECT_GT(run.figure("lockstep", "requests_compared").get<int>(), 1000);
  EXPECT_EQ(run.figure("lockstep", "pairs").get<int>(), 9);
  bool lost = false;
  for (const auto& row : run.table("circuits")) lost = lost || row["lost"].get<bool>();
  EXPECT_TRUE(lost) << "no circuit was lost to a failure";
}

// Takes all free slots instead of the lowest: the first request shows it.
TEST(SetupUnitRtl, AnotherChoiceOfSlotsStopsTheRun) {
  TdmRtlBlocks blocks;
  blocks.setup_unit.builtin.make = [](VerilatedContext& context, const std::string& name) {
    return std::make_unique<VerilatedSetupUnit<Vsetup_unit_greedy, 5, 6, 30>>(context, name);
  };
  const Outcome run = run_yaml(setup_config("setup_unit_lockstep"), {}, {}, blocks);
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, HasSubstr("lockstep difference in tdm.sw["));
  EXPECT_THAT(run.failure, HasSubstr("].setup_unit at "));
  EXPECT_THAT(run.failure, HasSubstr("input: from port 0: request of flow "));
  EXPECT_THAT(run.failure, HasSubstr("model: slot LUT: reserve row "));
  EXPECT_THAT(run.failure, HasSubstr("rtl: slot LUT: reserve row "));
}

// Does not tell the source of a failed circuit: the failure of the link shows it, not earlier.
TEST(SetupUnitRtl, AMissingMessageStopsTheRun) {
  TdmRtlBlocks blocks;
  blocks.setup_unit.builtin.make = [](VerilatedContext& context, const std::string& name) {
    return std::make_unique<VerilatedSetupUnit<Vsetup_unit_silent, 5, 6, 30>>(context, name);
  };
  const Outcome run = run_yaml(setup_config("setup_unit_lockstep"), {}, {}, blocks);
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, HasSubstr("lockstep difference in tdm.sw["));
  EXPECT_THAT(run.failure, HasSubstr("failure "));
}

TEST(SetupUnitRtl, LimitsAndKeysWithoutEffectAreNamed) {
  const std::string pair =
      "fabric: tdm\ntopology: { kind: mesh, dims: [2] }\n"
      "switch: { slots: 17, setup_unit: { implementation: rtl } }\n"
      "circuits: [ { source: 0, destination: 1 } ]\nsources: { messages: 3 }\n";
  EXPECT_THAT(run_yaml(pair, {"setup.mode=in_network"}).error,
              HasSubstr("sw[0] has 3 ports and 17 slots, the compiled RTL at most 8 ports and 16 slots; use "
                        "implementation: model for it"));
  const Outcome central = run_yaml(pair, {"setup.mode=central"});
  EXPECT_EQ(central.error + central.failure, "");
  EXPECT_THAT(run_yaml(pair, {"setup.mode=in_network", "switch.setup_unit.rtl=mine"}).error, HasSubstr("mine"));
}

}  // namespace
}  // namespace weft::test
