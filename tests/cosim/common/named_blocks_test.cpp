// RTL blocks under names of a user: the catalog, and where configurations put them. Blocks that are compiled outside
// the project: tests/project/check_own_rtl.py.

#include "cosim/common/named_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "cosim/block_catalog.h"
#include "support/optweb_runs.h"
#include "support/packet_runs.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(NamedBlocks, NamesAreWordsAndTakenOnce) {
  BlockCatalog catalog;
  RtlBlocks<SchedulerBlock>& tables = catalog.packet.dtable;
  EXPECT_EQ(tables.find(""), &tables.builtin);
  EXPECT_EQ(tables.find("mine"), nullptr);
  tables.add("mine", {});
  tables.add("_other2", {});
  EXPECT_NE(tables.find("mine"), nullptr);
  EXPECT_THAT(tables.names(), ElementsAre("_other2", "mine"));
  EXPECT_THROW(tables.add("mine", {}), std::invalid_argument);
  for (const char* name : {"", "2nd", "my-table", "my table", "täble"}) {
    EXPECT_THROW(tables.add(name, {}), std::invalid_argument) << name;
  }
  catalog.tdm.slot_lut.add("mine", {});  // another kind of place
}

TEST(NamedBlocks, OneOfAnotherPlaceIsNamedWithIt) {
  BlockCatalog catalog;
  catalog.packet.drr.add("quantum_block", {});
  BlockChoice choice;
  choice.rtl = "quantum_block";
  try {
    catalog.packet.dtable.of(choice);
    FAIL() << "it is none for the Deficit Table";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("RTL block 'quantum_block' is not registered for the Deficit Table, but for "
                                    "deficit round robin"));
  }
}

constexpr const char* kPacket = R"(
fabric: packet
topology: { kind: mesh, dims: [2] }
qos:
  levels: { a: { message: 64B } }
  scheduler: dtable
  dtable: { table: [ { sl: a, weight: 7 } ], implementation: lockstep, instances: { "sw[1]": { rtl: mine } } }
traffic: [ { level: a, load: 0.3 } ]
run: { measure: 5us }
)";

PacketRtlBlocks counting(std::vector<std::string>& made) {
  PacketRtlBlocks blocks;
  SchedulerBlock mine = dtable_block();
  mine.make = [&made, own = mine.make](VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
    made.push_back(name);
    return own(context, s, name);
  };
  blocks.dtable.add("mine", mine);
  return blocks;
}

TEST(NamedBlocks, StandWhereTheyAreNamed) {
  std::vector<std::string> made;
  const PacketRtlBlocks blocks = counting(made);
  const PacketOutcome run = run_packet_yaml(
      kPacket, {}, {}, [&] { return fmt::format("{}", fmt::join(made, " ")); }, blocks);
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(run.noted, "packet.sw[1].out[0].dtable_rtl packet.sw[1].out[2].dtable_rtl");
  EXPECT_EQ(run.report["implementation"], "scheduler dtable: lockstep; sw[1]: lockstep (mine)");
  const nlohmann::json rows = run.report["tables"]["lockstep"]["rows"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["block"], "dtable");
  EXPECT_EQ(rows[0]["pairs"], 4);  // two NICs, two outputs of the other switch
  EXPECT_EQ(rows[1]["block"], "dtable (mine)");
  EXPECT_EQ(rows[1]["pairs"], 2);
}

TEST(NamedBlocks, AnUnknownNameIsAnErrorAtItsPlace) {
  EXPECT_THAT(packet_platform_errors(kPacket),
              ElementsAre("test.yaml:7:101: error: no RTL block 'mine' is registered for the Deficit Table (none is; "
                          "--plugin FILE loads one)"));
  EXPECT_THAT(
      run_yaml("fabric: tdm\ntopology: { kind: mesh, dims: [2] }\nswitch: { slots: 8, slot_lut: { implementation: "
               "rtl, rtl: nothere } }\ncircuits: [ { source: 0, destination: 1 } ]\nsources: { messages: 1 }\n")
          .error,
      HasSubstr("no RTL block 'nothere' is registered for the slot LUT"));
}

// Blocks of the user for the other schedulers, smaller than the network.
TEST(NamedBlocks, OfOtherSchedulersHaveLimitsOfTheirOwn) {
  PacketRtlBlocks blocks;
  SchedulerBlock small_drr = drr_block();
  small_drr.limit = [](const SchedulerConfig& s, std::uint32_t largest) {
    return drr_rtl_limit({2, 0, 8, 8, 9}, s.quanta, largest);
  };
  blocks.drr.add("small", small_drr);
  SchedulerBlock small_ib = ib_arbiter_block();
  small_ib.limit = [](const SchedulerConfig& s, std::uint32_t largest) {
    return ib_arbiter_rtl_limit({2, 2, 8, 8, 0}, s.high, s.low, largest);
  };
  blocks.ib_arbiter.add("small", small_ib);
  const std::string head =
      "fabric: packet\ntopology: { kind: mesh, dims: [2] }\ntraffic: [ { level: a, load: 0.3 } ]\nrun: { measure: 5us "
      "}\n"
      "qos:\n  levels:\n    a: { message: 64B, quantum: 7 }\n    b: { message: 64B, quantum: 7 }\n";
  const std::string third = "    c: { message: 64B, quantum: 7 }\n";
  const std::string drr = "  scheduler: drr\n  drr: { implementation: lockstep, rtl: small }\n";
  const std::string ib =
      "  scheduler: ib_arbiter\n  ib_arbiter: { implementation: lockstep, rtl: small, high: [ { sl: a, weight: 7 } ],\n"
      "                low: [ { sl: b, weight: 7 } ] }\n";
  const auto run = [&](const std::string& yaml, const Overrides& set = {}) {
    return run_packet_yaml(yaml, set, {}, {}, blocks);
  };
  EXPECT_EQ(run(head + drr).report["tables"]["lockstep"]["rows"][0]["block"], "drr (small)");
  EXPECT_THAT(run(head + third + drr).error,
              HasSubstr("test.yaml:9:5: error: qos.levels.c: SL 2; the compiled RTL has SLs 0 to 1"));
  EXPECT_EQ(run(head + ib).report["implementation"], "scheduler ib_arbiter: lockstep (small)");
  EXPECT_THAT(run(head + third + ib, {"qos.ib_arbiter.low=[ { sl: c, weight: 7 } ]",
                                      "qos.ib_arbiter.high=[ { sl: a, weight: 7 }, { sl: b, weight: 1 } ]"})
                  .error,
              HasSubstr("error: qos.ib_arbiter.low.0: SL 2; the compiled RTL has SLs 0 to 1"));
  EXPECT_THAT(
      run(head + ib, {"qos.ib_arbiter.high=[ { sl: a, weight: 7 }, { sl: a, weight: 1 }, { sl: a, weight: 1 } ]"})
          .error,
      HasSubstr("error: qos.ib_arbiter.high: a table of 3 entries; the compiled RTL has 2"));
  EXPECT_THAT(run(head + drr, {"qos.drr.rtl=smal"}).error,
              HasSubstr("no RTL block 'smal' is registered for deficit round robin; did you mean 'small'?"));
}

constexpr const char* kOptweb =
    "fabric: optweb\nnodes: 4\nprogram:\n  - { op: alltoall, size: 4KiB }\ninstances:\n  'node[1..2]': { sequencer: { "
    "implementation: lockstep } }\n  'node[2]': { stripe_address: { implementation: lockstep } }\n";

TEST(NamedBlocks, NodesOfOptwebHaveImplementationsOfTheirOwn) {
  const OptwebOutcome model = run_optweb_yaml(kOptweb, {"instances=null"});
  const OptwebOutcome run = run_optweb_yaml(kOptweb);
  ASSERT_EQ(run.error + run.failure + model.error + model.failure, "");
  EXPECT_EQ(run.report["tables"]["instructions"], model.report["tables"]["instructions"]);
  const nlohmann::json rows = run.report["tables"]["lockstep"]["rows"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["block"], "command_sequencer");
  EXPECT_EQ(rows[0]["pairs"], 2);
  EXPECT_EQ(rows[1]["block"], "stripe_address");
  EXPECT_GT(rows[1]["pairs"], 0);
  EXPECT_THAT(std::string(run.report["implementation"]),
              HasSubstr("; node[1..2]: command sequencer: lockstep; node[2]: address translation: lockstep"));
}

TEST(NamedBlocks, NodesThatAreNotThereAreErrors) {
  EXPECT_THAT(bad_input(std::string(kOptweb) + "  'node[3..5]': {}\n"),
              HasSubstr("8:3: error: instances: there is no node 4, the network has nodes 0 to 3"));
  EXPECT_THAT(bad_input(std::string(kOptweb) + "  'sw[3]': {}\n"),
              HasSubstr("8:3: error: instances: expected nodes written as node[5] or node[0..3], got 'sw[3]'"));
  EXPECT_THAT(bad_input(std::string(kOptweb) + "  'node[3..1]': {}\n"),
              HasSubstr("the first node of a range must not be above the last"));
}

TEST(NamedBlocks, ANameWithoutEffectIsAWarning) {
  const OptwebOutcome run = run_optweb_yaml(kOptweb, {"link.rtl=mine", "instances.node[2].stripe_address.rtl=mine",
                                                      "instances.node[2].stripe_address.implementation=model"});
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_THAT(run.warnings, HasSubstr("link.rtl has no effect with implementation 'model'"));
  EXPECT_THAT(run.warnings, HasSubstr("instances.node[2].stripe_address.rtl has no effect"));
}

}  // namespace
}  // namespace weft::test
