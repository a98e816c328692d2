// Interface of hosts in RTL: the same results as the model in networks of all kinds of traffic; faults of the RTL stop
// a run, alone and in lockstep; what the compiled block cannot hold is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "Vhost_interface_late.h"
#include "Vhost_interface_one_count.h"
#include "cosim/tdm/verilated_host_interface.h"
#include "support/places.h"
#include "support/scratch.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

std::string host_config(const std::string& name) { return slurp(source_dir() + "/configs/tdm/" + name + ".yaml"); }

template <class V>
TdmRtlBlocks with_host() {
  TdmRtlBlocks blocks;
  blocks.host_interface.builtin.make = [](VerilatedContext& context, const std::string& name) {
    return std::make_unique<VerilatedHostInterface<V, 2, 8, 16>>(context, name);
  };
  return blocks;
}

struct HostRun {
  std::string config;
  Overrides set;
};

TEST(HostInterfaceRtl, GivesTheResultsOfTheModel) {
  const HostRun runs[] = {
      {"host_interface_lockstep", {"host_interface.instances={}"}},
      {"host_interface_lockstep", {"host_interface.instances={}", "setup.mode=preset", "switch.pipeline=0cycles"}},
      {"host_interface_lockstep", {"host_interface.instances={}", "switch.pipeline=7cycles", "slots.slot_update=true"}},
      {"host_interface_lockstep",
       {"host_interface.instances={}", "switch.data_path.implementation=rtl", "switch.pipeline=19cycles"}},
      {"traffic_4x4",
       {"topology={kind: torus, dims: [3, 3]}", "switch.slots=24", "run.measure=20us", "run.warm_up=2us"}},
      {"mesh_4x4",
       {"run.measure=50us", "board=fic", "fic_board.source=memory", "fic_board.memories=1",
        "fic_board.memory_rate=1GB/s"}},
      {"programs_circuits", {"program=[{op: broadcast, size: 4KiB}, {op: alltoall, size: 512B}, {op: barrier}]"}},
  };
  for (const HostRun& r : runs) {
    const std::string yaml = host_config(r.config);
    const auto run = [&](const std::string& which) {
      Overrides set = r.set;
      set.push_back("host_interface.implementation=" + which);
      return run_yaml(yaml, set);
    };
    const Outcome model = run("model");
    ASSERT_EQ(model.error + model.failure, "") << r.config;
    for (const std::string which : {"rtl", "lockstep"}) {
      const Outcome other = run(which);
      ASSERT_EQ(other.error + other.failure, "") << r.config << " " << which;
      EXPECT_NE(other.report, model.report) << "the report does not say what ran";
      EXPECT_TRUE(other.neutral_report() == model.neutral_report()) << r.config << " " << which;
    }
  }
}

TEST(HostInterfaceRtl, TheConfigurationComparesEveryHostButOne) {
  const Outcome run = run_yaml(host_config("host_interface_lockstep"));
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(run.figure("lockstep", "pairs").get<int>(), 8);
  EXPECT_GT(run.figure("lockstep", "cycles_compared").get<int>(), 10000);
  EXPECT_THAT(run.report, HasSubstr("host_interface lockstep; node[4]: host_interface rtl"));
}

// A message that meets an empty queue begins a cycle later: the first one whose slot comes at once shows it.
TEST(HostInterfaceRtl, AWordTooLateStopsTheRun) {
  const Outcome run = run_yaml(host_config("host_interface_lockstep"), {"sources.interval=300ns"}, {},
                               with_host<Vhost_interface_late>());
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, HasSubstr("lockstep difference in tdm.host["));
  EXPECT_THAT(run.failure, HasSubstr("].interface at "));
  EXPECT_THAT(run.failure, HasSubstr("]: model: word 0 of circuit "));
  EXPECT_THAT(run.failure, HasSubstr("]: rtl: idle"));
}

// Words of all circuits are counted by the first one: alone as well, since what it hands out is no message.
TEST(HostInterfaceRtl, AWrongCountOfWordsStopsTheRun) {
  const std::string yaml = host_config("host_interface_lockstep");
  const TdmRtlBlocks blocks = with_host<Vhost_interface_one_count>();
  const Outcome pair = run_yaml(yaml, {}, {}, blocks);
  EXPECT_THAT(pair.failure, HasSubstr("in tdm.host["));
  EXPECT_THAT(pair.failure, HasSubstr("  rx["));
  const Outcome alone = run_yaml(yaml, {"host_interface.implementation=rtl"}, {}, blocks);
  EXPECT_THAT(alone.failure, HasSubstr("another word than the one that arrives, in tdm.host["));
}

TEST(HostInterfaceRtl, LimitsAreNamed) {
  const std::string pair =
      "fabric: tdm\ntopology: { kind: mesh, dims: [2] }\nswitch: { slots: 33 }\n"
      "host_interface: { implementation: rtl }\n"
      "circuits: [ { source: 0, destination: 1 } ]\nsources: { messages: 3 }\n";
  EXPECT_THAT(run_yaml(pair).error, HasSubstr("nodes have 1 links and 33 slots, the compiled RTL of the host interface "
                                              "at most 2 links, 32 slots and 64 slots of all links; use "
                                              "implementation: model, or a block of this size: weft_add_block(host "
                                              "PLACE host_interface PARAMETERS Links=1 Slots=33 Circuits=33)"));
  EXPECT_THAT(run_yaml(pair, {"switch.slots=300"}).error, testing::EndsWith("use implementation: model"));
  EXPECT_THAT(run_yaml(pair, {"host_interface.rtl=mine"}).error, HasSubstr("mine"));
  EXPECT_THAT(run_yaml(pair, {"switch.slots=8", "setup.mode=in_network"}).error,
              HasSubstr("hosts that ask for circuits have no other interface than the model"));
  EXPECT_THAT(run_yaml(pair, {"switch.slots=8", "host_interface.instances={'node[2]': {implementation: model}}"}).error,
              HasSubstr("there is no node[2]"));
}

}  // namespace
}  // namespace weft::test
