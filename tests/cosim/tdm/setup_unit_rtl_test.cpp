// Setup unit in RTL: the same results as the model in networks with refusals, multicasts and failures; faults of the
// RTL stop a lockstep run; what the compiled unit cannot hold is refused.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "Vsetup_unit_endless.h"
#include "Vsetup_unit_greedy.h"
#include "Vsetup_unit_silent.h"
#include "base/random.h"
#include "cosim/tdm/verilated_setup_unit.h"
#include "support/faulty_blocks.h"
#include "support/places.h"
#include "support/scratch.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

std::string setup_config(const std::string& name) { return slurp(source_dir() + "/configs/tdm/" + name + ".yaml"); }

// With slots of each switch's own; flows may not change the number of theirs.
const std::vector<std::string> kOwnSlots = {"slots.slot_update=true", "circuits.2.changes=null"};

std::vector<std::string> with(std::vector<std::string> settings, const std::string& implementation) {
  settings.push_back("switch.setup_unit.implementation=" + implementation);
  return settings;
}

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

TEST(SetupUnitRtl, SlotsOfEachSwitchsOwnAreThoseOfTheModel) {
  const std::string yaml = setup_config("setup_unit_lockstep");
  const Outcome model = run_yaml(yaml, with(kOwnSlots, "model"));
  ASSERT_EQ(model.error + model.failure, "");
  EXPECT_GT(model.figure("setup", "refused").get<int>(), 0);
  EXPECT_FALSE(model.neutral_report() == run_yaml(yaml, {"switch.setup_unit.implementation=model"}).neutral_report());
  for (const std::string which : {"rtl", "lockstep"}) {
    const Outcome other = run_yaml(yaml, with(kOwnSlots, which));
    ASSERT_EQ(other.error + other.failure, "") << which;
    EXPECT_TRUE(other.neutral_report() == model.neutral_report()) << which;
  }
}

// Multicasts, adapters, bundles and failures as they come together.
std::string random_circuits(std::uint64_t seed) {
  RandomStream random(seed, "setup unit in a network");
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  constexpr const char* kTopologies[] = {"mesh, dims: [4]", "mesh, dims: [3, 2]", "torus, dims: [3, 2]"};
  const std::uint32_t topology = below(3);
  const std::uint32_t nodes = topology == 0 ? 4 : 6;
  const std::uint32_t slots = 3 + below(4);
  const bool update = seed % 2 == 0;
  const std::uint32_t trunk = topology == 0 ? 1 + below(2) : 1;  // more ports do not fit into the compiled unit
  std::string yaml = fmt::format(
      "fabric: tdm\ntopology: {{ kind: {}, trunk: {} }}\n"
      "switch: {{ slots: {}, serdes: {}cycles, pipeline: {}cycles, reconfiguration: {}cycles }}\n"
      "setup: {{ mode: in_network, processing: {}cycles, backoff: 20cycles, routes: 2 }}\n"
      "slots: {{ slot_update: {}, bundles: {} }}\n"
      "sources: {{ arrivals: poisson, interval: 1500ns, message: 680B, messages: 12 }}\n"
      "adapters: [{{ at: 'nic[1]', delay: {}cycles }}]\n"
      "faults: [{{ at: 'sw[{}]', down: 9us, up: 14us }}]\ncircuits:\n",
      kTopologies[topology], trunk, slots, below(9), below(3), 1 + below(3), 1 + below(15), update,
      trunk > 1 ? "together" : "apart", 1 + below(12), below(nodes));
  for (std::uint32_t f = 0; f < 5; ++f) {
    const std::uint32_t source = below(nodes);
    std::vector<std::uint32_t> destinations;
    for (std::uint32_t n = 1; n < nodes; ++n) {
      if (below(3) == 0 || (n == nodes - 1 && destinations.empty())) destinations.push_back((source + n) % nodes);
    }
    yaml += fmt::format("  - {{ flow: f{}, source: {}, destinations: [{}], slots: {} }}\n", f, source,
                        fmt::join(destinations, ", "), 1 + below(slots - 1));
  }
  return yaml;
}

TEST(SetupUnitRtl, RandomNetworks) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::string yaml = random_circuits(seed);
    const Outcome model = run_yaml(yaml);
    ASSERT_EQ(model.error + model.failure, "") << yaml;
    const std::string which = seed % 4 < 2 ? "lockstep" : "rtl";
    const Outcome other = run_yaml(yaml, with({}, which));
    ASSERT_EQ(other.error + other.failure, "") << yaml;
    EXPECT_TRUE(other.neutral_report() == model.neutral_report()) << yaml;
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

// Words that come in the first slot of a frame get the same slot, not the next one: reserving it shows that.
TEST(SetupUnitRtl, AnotherOrderOfSlotsStopsTheRun) {
  TdmRtlBlocks blocks;
  blocks.setup_unit.builtin.make = [](VerilatedContext& context, const std::string& name) {
    return std::make_unique<VerilatedSetupUnit<Vsetup_unit_endless, 5, 6, 30>>(context, name);
  };
  const Outcome run = run_yaml(setup_config("setup_unit_lockstep"), kOwnSlots, {}, blocks);
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, HasSubstr("lockstep difference in tdm.sw["));
  EXPECT_THAT(run.failure, HasSubstr("input: from port "));
  EXPECT_THAT(run.failure, HasSubstr("].setup_unit at "));
}

TEST(SetupUnitRtl, LimitsAndKeysWithoutEffectAreNamed) {
  const std::string pair =
      "fabric: tdm\ntopology: { kind: mesh, dims: [2] }\n"
      "switch: { slots: 17, setup_unit: { implementation: rtl } }\n"
      "circuits: [ { source: 0, destination: 1 } ]\nsources: { messages: 3 }\n";
  EXPECT_THAT(run_yaml(pair, {"setup.mode=in_network"}).error,
              HasSubstr("sw[0] has 3 ports and 17 slots, the compiled RTL at most 8 ports and 16 slots; use "
                        "implementation: model for it, or a block of this size: weft_add_block(setup PLACE setup_unit "
                        "PARAMETERS Ports=3 Slots=17 Circuits=51)"));
  // For the largest of the switches, with 5 ports.
  EXPECT_THAT(run_yaml(pair, {"setup.mode=in_network", "topology.dims=[3, 3]"}).error, HasSubstr("Ports=5 Slots=17"));
  EXPECT_THAT(run_yaml(pair, {"setup.mode=in_network", "switch.slots=300"}).error,
              testing::EndsWith("use implementation: model for it"));
  const Outcome central = run_yaml(pair, {"setup.mode=central"});
  EXPECT_EQ(central.error + central.failure, "");
  EXPECT_THAT(run_yaml(pair, {"setup.mode=in_network", "switch.setup_unit.rtl=mine"}).error, HasSubstr("mine"));
}

}  // namespace
}  // namespace weft::test
