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
  RtlBlocks<DtableBlock>& tables = catalog.packet.dtable;
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
  DtableBlock mine;
  mine.make = [&made](VerilatedContext& context, const ArbitrationTable& table, unsigned bits,
                      const std::string& name) {
    made.push_back(name);
    return make_dtable_rtl(context, table, bits, name);
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
