// Egress port in RTL: the same results as the model in networks with every scheduler, short buffers and bursts; faults
// of the RTL stop a run; what the compiled ports cannot do is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "Vegress_port_lost_space.h"
#include "Vegress_port_stingy.h"
#include "cosim/packet/verilated_egress_port.h"
#include "support/neutral_report.h"
#include "support/packet_runs.h"
#include "support/places.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string egress_config() { return slurp(source_dir() + "/configs/packet/egress_rtl.yaml"); }

Overrides all_ports(const std::string& implementation, const std::string& scheduler) {
  Overrides set = {"switch.egress.instances=null", "switch.egress.implementation=" + implementation,
                   "qos.scheduler=" + scheduler};
  if (scheduler != "dtable") set.emplace_back("qos.dtable=null");
  if (scheduler == "drr") {
    for (const std::string level : {"control.quantum=4", "video.quantum=12", "bulk.quantum=16"}) {
      set.push_back("qos.levels." + level);
    }
  }
  if (scheduler == "ib_arbiter") {
    set.emplace_back("qos.ib_arbiter.high=[{sl: control, weight: 12}]");
    set.emplace_back("qos.ib_arbiter.low=[{sl: bulk, weight: 64}, {sl: video, weight: 32}, {sl: control, weight: 3}]");
    set.emplace_back("qos.ib_arbiter.limit_of_high_priority=1");
  }
  return set;
}

class EgressPortRtlTest : public ::testing::TestWithParam<const char*> {};

TEST_P(EgressPortRtlTest, GivesTheResultsOfTheModel) {
  const PacketOutcome model = run_packet_yaml(egress_config(), all_ports("model", GetParam()));
  ASSERT_EQ(model.error + model.failure, "");
  for (const std::string which : {"rtl", "lockstep"}) {
    const PacketOutcome other = run_packet_yaml(egress_config(), all_ports(which, GetParam()));
    ASSERT_EQ(other.error + other.failure, "") << which;
    EXPECT_NE(other.text, model.text) << "the report does not say what ran";
    EXPECT_EQ(neutral_report(other.text), neutral_report(model.text)) << which;
    EXPECT_EQ(other.messages, model.messages) << which;
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, EgressPortRtlTest, ::testing::Values("dtable", "drr", "ib_arbiter"));

// One VL and one flit per message; long messages; deep stages; NICs behind all ports.
TEST(EgressPortRtl, GivesTheResultsOfTheModelInOtherNetworks) {
  const std::string head = "fabric: packet\ntopology: { kind: mesh, dims: [2, 2], nodes_per_switch: 2 }\n";
  const std::string tail = "run: { warm_up: 500ns, measure: 5us, drain: 5us }\n";
  const std::string flit = head + tail +
                           "switch: { output_buffer: 256B, input_buffer: 256B, egress: { implementation: model } }\n"
                           "qos: { levels: { a: { message: 64B, quantum: 1 } }, scheduler: drr }\n"
                           "traffic: [ { level: a, load: 0.9 } ]\n";
  const std::string deep =
      head + tail +
      "link: { delay: 7cycles, credit_delay: 5cycles }\n"
      "switch: { stages: { input: 0cycles, routing: 0cycles, allocation: 3cycles, crossbar: 0cycles },\n"
      "          output_buffer: 8KiB, input_buffer: 16KiB, egress: { implementation: model } }\n"
      "qos:\n  levels: { a: { message: 4KiB, lanes: [0] }, b: { message: 64B, lanes: [0] } }\n"
      "  scheduler: dtable\n  dtable: { table: [ { sl: a, weight: 3 }, { sl: b, weight: 1 } ] }\n"
      "traffic: [ { level: a, load: 0.5 }, { level: b, load: 0.3 } ]\n";
  for (const std::string& yaml : {flit, deep}) {
    const PacketOutcome model = run_packet_yaml(yaml);
    const PacketOutcome both = run_packet_yaml(yaml, {"switch.egress.implementation=lockstep"});
    ASSERT_EQ(model.error + model.failure + both.error + both.failure, "");
    EXPECT_EQ(neutral_report(both.text), neutral_report(model.text));
    EXPECT_GT(both.report["figures"]["lockstep"]["cycles_compared"]["value"].get<int>(), 1000);
  }
}

PacketOutcome run_with(decltype(EgressPortBlock::make) make, const std::string& implementation) {
  PacketRtlBlocks blocks;
  blocks.egress_port.builtin.make = std::move(make);
  return run_packet_yaml(egress_config(), all_ports(implementation, "dtable"), {}, {}, blocks);
}

// A message waits for a credit more than it has flits.
TEST(EgressPortRtl, ADecisionThatIsMissingStopsTheRun) {
  const auto stingy = [](VerilatedContext& context, const EgressPortNeed& need, const std::string& name) {
    return std::make_unique<VerilatedEgressPort<Vegress_port_stingy, egress_port_size(0)>>(context, need, name);
  };
  EXPECT_THAT(run_with(stingy, "lockstep").failure,
              AllOf(HasSubstr("lockstep difference in packet.sw["), HasSubstr("model shows grant to SL "),
                    HasSubstr("rtl shows no grant")));
}

// The place of a message's last flit is lost.
TEST(EgressPortRtl, LostSpaceStopsTheRun) {
  const auto wrong = [](VerilatedContext& context, const EgressPortNeed& need, const std::string& name) {
    return std::make_unique<VerilatedEgressPort<Vegress_port_lost_space, egress_port_size(0)>>(context, need, name);
  };
  EXPECT_THAT(run_with(wrong, "lockstep").failure, AllOf(HasSubstr("lockstep difference in"), HasSubstr("; room ")));
  EXPECT_THAT(run_with(wrong, "rtl").failure, HasSubstr("the network needs "));
}

TEST(EgressPortRtl, LimitsAreNamed) {
  const auto errors = [](const Overrides& set) {
    std::string all;
    for (const std::string& e : packet_platform_errors(egress_config(), set)) all += e + "\n";
    return all;
  };
  EXPECT_EQ(errors({}), "");
  EXPECT_THAT(errors({"switch.output_buffer=16KiB"}),
              HasSubstr("switch.output_buffer: 256 flits; the egress port in RTL has 128; weft_add_block(egress PLACE "
                        "egress_port PARAMETERS Scheduler=0 NumSl=3 NumVl=6 NumEntries=4 WeightW=5 SizeW=5 "
                        "CountW=6 Depth=256 NextDepth=3584 Rate=2 Output=1 Width=32) "
                        "makes a block of this size"));
  EXPECT_THAT(errors({"switch.output_buffer=17KiB"}),
              AllOf(HasSubstr("272 flits; the egress port in RTL has 128\n"), Not(HasSubstr("weft_add_block"))));
  EXPECT_THAT(errors({"switch.crossbar_rate=3"}),
              HasSubstr("switch.crossbar_rate: 3 flits per cycle; the egress port in RTL has 2"));
  EXPECT_THAT(errors({"switch.allocation.iterations=2"}),
              HasSubstr("switch.allocation.iterations: the egress port in RTL takes one message in a cycle"));
  EXPECT_THAT(errors({"switch.stages.output=2cycles"}),
              HasSubstr("switch.stages.output: 2 cycles; the egress port in RTL takes 1"));
  EXPECT_THAT(errors({"switch.input_buffer=512KiB"}),
              AllOf(HasSubstr("switch.input_buffer: 8192 flits behind the link"), Not(HasSubstr("nic.input_buffer"))));
  EXPECT_THAT(errors({"nic.input_buffer=512KiB"}),
              AllOf(HasSubstr("nic.input_buffer: 8192 flits behind the link"), Not(HasSubstr("switch.input_buffer"))));
  EXPECT_THAT(errors({"qos.scheduler=round_robin"}), HasSubstr("no egress port in RTL has 'round_robin' inside"));
  EXPECT_THAT(errors({"switch.architecture=opa"}), HasSubstr("egress ports in RTL take messages from one crossbar"));
  EXPECT_THAT(errors({"routing.ring=bubble", "qos.lane_space=[]"}), HasSubstr("expected routing.ring: dateline"));
  EXPECT_THAT(errors({"qos.dtable.implementation=lockstep"}),
              HasSubstr("leave 'qos.dtable.implementation' to the model"));
  EXPECT_THAT(errors({"qos.dtable.table.0.weight=70000"}), HasSubstr("the compiled RTL"));
  EXPECT_THAT(errors({"faults=[{ at: 'sw[0]-sw[1]', down: 1us }]"}), HasSubstr("do not know of links that fail"));
  EXPECT_THAT(errors({"switch.egress.rtl=mine"}), HasSubstr("mine"));
}

}  // namespace
}  // namespace weft::test
