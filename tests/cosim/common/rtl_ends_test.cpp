// $stop, $error, $fatal, $finish and failed assertions of the RTL are failures of the run: they name the instance, the
// time and what the RTL says, and leave a report and a waveform behind. The copies that end are made by
// tests/CMakeLists.txt; when they do is worked out from runs of the models.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "Vcommand_sequencer_asserts.h"
#include "Vdtable_asserts.h"
#include "Vlink_sync_asserts.h"
#include "Vslot_lut_asserts.h"
#include "Vstripe_address_asserts.h"
#include "Vtdm_switch_ends.h"
#include "base/diagnostics.h"
#include "base/implementation.h"
#include "cli/main.h"
#include "cosim/optweb/optweb_blocks.h"
#include "cosim/optweb/verilated_optweb.h"
#include "cosim/packet/dtable_rtl.h"
#include "cosim/packet/verilated_dtable.h"
#include "cosim/tdm/verilated_slot_lut.h"
#include "cosim/tdm/verilated_tdm_switch.h"
#include "run/registry.h"
#include "run/tdm/tdm_family.h"
#include "support/faulty_blocks.h"
#include "support/optweb_runs.h"
#include "support/packet_runs.h"
#include "support/switch_around.h"
#include "support/tdm_runs.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

constexpr Cycle kLatency = 5;  // of the network below

std::unique_ptr<TdmSwitchRtl> ending_switch(VerilatedContext& context, std::uint32_t, std::uint32_t,
                                            const std::string& name) {
  return std::make_unique<VerilatedTdmSwitch<Vtdm_switch_ends, 8, 64>>(context, name);
}

struct End {
  std::string name, flow;
  SwitchId from;  ///< the switch before the one that ends
  PortId port;    ///< of that switch
  std::string where, says;
};

// The centre of a 3x3 mesh is sw[4]: 5 -> 3 comes from +x, 3 -> 5 from -x, 7 -> 1 from +y, 1 -> 7 from -y.
const End kEnds[] = {
    {"stop", "source: 5, destination: 3", 5, 2, "sw[4]", "tdm_switch.sv:[0-9]+: [$]stop"},
    {"error", "source: 3, destination: 5", 3, 1, "sw[4]",
     "tdm_switch.sv:[0-9]+: Assertion failed in tdm.sw.4..data_path_rtl.tdm_switch: a word from -x in slot SLOT at "
     "TIME"},
    {"fatal", "source: 7, destination: 1", 7, 4, "sw[4]",
     "tdm_switch.sv:[0-9]+: Assertion failed in tdm.sw.4..data_path_rtl.tdm_switch: a word from .y"},
    {"finish", "source: 1, destination: 7", 1, 3, "sw[4]", "tdm_switch.sv:[0-9]+: [$]finish"},
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  if (const std::size_t at = text.find(what); at != std::string::npos) text.replace(at, what.size(), by);
  return text;
}

class RtlEnds : public ::testing::TestWithParam<End> {
 protected:
  std::string yaml() const {
    return "fabric: tdm\ntopology: { kind: mesh, dims: [3, 3] }\nswitch: { slots: 8, serdes: 4cycles, pipeline: 1cycle "
           "}"
           "\ncircuits: [ { " +
           GetParam().flow +
           " } ]\nsources: { message: 340b, messages: 3 }\n"
           "observe: { slot_trace: true }\n";
  }
  // The first word that leaves the switch before.
  Cycle first() const {
    const Outcome model = run_yaml(yaml());
    EXPECT_EQ(model.error + model.failure, "");
    for (const TraceLine& line : parse_slot_trace(model.slot_trace)) {
      if (line.sw == GetParam().from && line.port == GetParam().port) return line.cycle;
    }
    throw std::runtime_error("no word passes");
  }
};

TEST_P(RtlEnds, IsAFailureOfTheRun) {
  const Cycle cycle = first() + kLatency;
  const std::string says =
      replaced(replaced(GetParam().says, "SLOT", std::to_string(cycle % 8)), "TIME", std::to_string(cycle * 10'000));
  for (const std::string which : {"rtl", "lockstep"}) {
    for (const bool with_waves : {false, true}) {
      const ScratchFolder folder;
      const std::string waves = with_waves ? folder.path("w.fst") : "";
      const Outcome run = run_yaml(
          yaml(), {"switch.data_path.implementation=" + which}, [&](TdmRunOptions& o) { o.waves = waves; },
          with_switch(ending_switch));
      ASSERT_EQ(run.error, "") << which;
      EXPECT_THAT(run.failure,
                  HasSubstr(fmt::format("the RTL of tdm.sw[4].data_path has stopped at {} (cycle {}, slot {})\n  ",
                                        to_string(Duration{cycle * 10'000}), cycle, cycle % 8)));
      EXPECT_THAT(run.failure, ::testing::ContainsRegex(says));
      EXPECT_EQ(run.cycles, cycle);
      EXPECT_FALSE(run.complete);
      EXPECT_THAT(std::string(run.json()["incomplete_because"]), HasSubstr("the RTL of tdm.sw[4].data_path"));
      if (!with_waves) continue;
      const Vcd vcd = read_fst(waves);
      const auto time = static_cast<std::uint64_t>(cycle) * 10'000;
      const std::string bits = "0000" + vcd.signal("tdm.sw[4].data_path_rtl.tdm_switch.in_valid_i").at(time);
      EXPECT_THAT(bits.substr(bits.size() - 5), Not(HasSubstr("00000"))) << "the word that ends it is there";
      EXPECT_EQ(vcd.last_time(), time + 10'000);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, RtlEnds, ::testing::ValuesIn(kEnds),
                         [](const auto& chosen) { return chosen.param.name; });

// `weft run` ends with status 1, says where and when, and leaves a report and a waveform.
TEST_P(RtlEnds, IsStatusOneOfTheProgram) {
  const ScratchFolder folder;
  const std::string file = folder.write("ends.yaml", yaml());
  const std::string out = folder.path("out"), waves = folder.path("w.fst");
  Registry registry;
  registry.add(tdm_family());
  registry.blocks().tdm = with_switch(ending_switch);
  std::vector<std::string> words = {"weft",  "run", file,      "--set", "switch.data_path.implementation=rtl",
                                    "--out", out,   "--waves", waves};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int status = cli::main(static_cast<int>(argv.size()), argv.data(), registry);
  const std::string said = ::testing::internal::GetCapturedStderr();
  ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(status, 1) << said;
  EXPECT_THAT(said, HasSubstr("the RTL of tdm.sw[4].data_path has stopped at "));
  std::ifstream report(out + "/report.json");
  EXPECT_EQ(nlohmann::json::parse(report)["complete"], false);
  EXPECT_GT(read_fst(waves).last_time(), 0u);
}

// All switches have that RTL; on a way from east to west the second one ends first.
TEST(RtlEnd, FirstOfAllInstancesIsNamed) {
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: mesh, dims: [5] }\nswitch: { slots: 8, data_path: { implementation: rtl } }\n"
      "circuits: [ { source: 4, destination: 0 } ]\nsources: { message: 340b, messages: 3 }\n";
  const Outcome run = run_yaml(yaml, {}, {}, with_switch(ending_switch));
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, HasSubstr("the RTL of tdm.sw[3].data_path has stopped at "));
}

// While the tables of circuits that are there from the beginning are written.
TEST(RtlEnd, BeforeTimeBegins) {
  class EndsAtOnce final : public SwitchAround {
   public:
    using SwitchAround::SwitchAround;
    void write_column(const SlotTable&, Slot) override { throw RunError("the RTL has stopped before time begins"); }
  };
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: mesh, dims: [3] }\nsetup: { mode: preset }\nswitch: { slots: 8 }\n"
      "circuits: [ { source: 2, destination: 0 } ]\nsources: { message: 340b, messages: 3 }\n";
  for (const std::string which : {"rtl", "lockstep"}) {
    const auto ends_at_once = [](VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                 const std::string& name) {
      return std::make_unique<EndsAtOnce>(make_tdm_switch_rtl(context, ports, slots, name));
    };
    const Outcome run = run_yaml(yaml, {"switch.data_path.implementation=" + which}, {}, with_switch(ends_at_once));
    ASSERT_EQ(run.error, "") << which;
    EXPECT_EQ(run.failure, "the RTL has stopped before time begins");
    EXPECT_FALSE(run.complete);
    EXPECT_EQ(run.json()["incomplete_because"], "the run failed: the RTL has stopped before time begins");
  }
}

TEST(RtlEnd, OfASlotLut) {
  constexpr const char* kPair = R"(
fabric: tdm
topology: { kind: mesh, dims: [2] }
switch: { slots: 8, slot_lut: { implementation: rtl } }
setup: { mode: central, processing: 7cycles }
phases:
  - { name: one, circuits: [ { source: 0, destination: 1 } ], sources: { messages: 3 } }
  - { name: two, circuits: [ { source: 0, destination: 1 } ], sources: { messages: 3 } }
)";
  const Outcome good = run_yaml(kPair);
  ASSERT_EQ(good.error + good.failure, "");
  const double data_end_ns = good.table("phases")[0]["data_end"];
  const Cycle release = static_cast<Cycle>(data_end_ns) / 10 + 1;  // of the first phase
  const Outcome run =
      run_yaml(kPair, {}, {},
               with_slot_lut([](VerilatedContext& context, std::uint32_t, std::uint32_t, const std::string& name) {
                 return std::make_unique<VerilatedSlotLut<Vslot_lut_asserts, 16, 64>>(context, name);
               }));
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, ::testing::ContainsRegex("the RTL of tdm.sw.[01]..slot_lut has stopped at "));
  EXPECT_THAT(run.failure, HasSubstr(fmt::format("(cycle {}, slot {})", release, release % 8)));
  EXPECT_THAT(run.failure, HasSubstr("_rtl.slot_lut.no_release: 'assert' failed."));
}

TEST(RtlEnd, OfADeficitTable) {
  const std::string yaml = tables_in_lockstep(R"(
traffic: [ { level: BE, load: 0.5, source: bursts } ]
run: { warm_up: 0ns, measure: 10us, drain: 20us }
observe: { message_log: true }
)");
  const PacketOutcome good = run_packet_yaml(yaml);
  ASSERT_EQ(good.error + good.failure, "");
  // The message that is sent first is granted in the cycle before its first flit.
  std::istringstream log(good.messages);
  std::string line, nic;
  double first = 1e9;
  for (std::getline(log, line); std::getline(log, line);) {
    std::vector<std::string> f;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) f.push_back(cell);
    if (std::stod(f.at(1)) < first) first = std::stod(f[1]), nic = f.at(3);
  }
  const auto cycle = static_cast<Cycle>(std::llround(first * 1000 / 5120)) - 1;
  const auto asserting = [](VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
    return std::make_unique<VerilatedDtable<Vdtable_asserts, kSmallDtable>>(context, s.table, name);
  };
  const PacketOutcome run = run_packet_yaml(yaml, {}, {}, {}, with_scheduler(&PacketRtlBlocks::dtable, asserting));
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, HasSubstr("the RTL of packet.nic[" + nic + "] has stopped at "));
  EXPECT_THAT(run.failure, HasSubstr(fmt::format("(cycle {})", cycle)));
  EXPECT_THAT(run.failure, HasSubstr("_rtl.dtable: SL 1 is granted"));
  EXPECT_EQ(run.report["complete"], false);
}

// A network whose nodes have copies that end as one of their blocks.
OptwebOutcome optweb_with(BlockChoice OptwebImplementations::*block, Implementation implementation) {
  OptwebImplementations which;
  (which.*block).implementation = implementation;
  static OptwebRtlBlocks blocks;  // of the child
  blocks.stripe_address.builtin.make = [](VerilatedContext& context, const optweb::StripeGeometry&,
                                          const std::string& name) {
    return std::make_unique<optweb::VerilatedStripeAddress<Vstripe_address_asserts>>(context, name);
  };
  blocks.command_sequencer.builtin.make = [](VerilatedContext& context, std::uint32_t, const std::string& name) {
    return std::make_unique<optweb::VerilatedCommandSequencer<Vcommand_sequencer_asserts>>(context, name);
  };
  blocks.link_sync.builtin.make = [](VerilatedContext& context, std::uint32_t gap, const std::string& name) {
    return std::make_unique<optweb::VerilatedLinkSync<Vlink_sync_asserts>>(context, gap, name);
  };
  return run_optweb_yaml(
      "fabric: optweb\nnodes: 2\nprogram:\n  - { op: barrier }\n  - { op: alltoall, size: 64B }\n", {},
      [&](OptwebRunOptions& o) { o.blocks = new OptwebBlocks([which](std::uint32_t) { return which; }, blocks); });
}

// Boundaries of docs/optweb.md: the barrier is complete at 81, the alltoall is issued in cycle 84.
TEST(RtlEnd, OfOptwebBlocks) {
  const OptwebOutcome sequencer = optweb_with(&OptwebImplementations::command_sequencer, Implementation::rtl);
  ASSERT_EQ(sequencer.error, "");
  EXPECT_THAT(sequencer.failure,
              ContainsRegex("the RTL of optweb.node.[01]..sequencer has stopped at 400ns .cycle 80."));
  EXPECT_THAT(sequencer.failure, HasSubstr("complete after 80 cycles"));
  EXPECT_EQ(sequencer.report["complete"], false);
  const OptwebOutcome stripes = optweb_with(&OptwebImplementations::stripe_address, Implementation::lockstep);
  ASSERT_EQ(stripes.error, "");
  EXPECT_THAT(stripes.failure,
              ContainsRegex("the RTL of optweb.node.[01]..m_dmac.stripe_address has stopped at 415ns .cycle 83."));
  EXPECT_THAT(stripes.failure, ContainsRegex("stripe_address_rtl.stripe_address: stripe [01]"));
}

// The notification of the barrier waits at the transmitter of the lane in cycle 7 or 8.
TEST(RtlEnd, OfALink) {
  const OptwebOutcome out = optweb_with(&OptwebImplementations::link_sync, Implementation::rtl);
  ASSERT_EQ(out.error, "");
  EXPECT_THAT(out.failure, ContainsRegex("the RTL of optweb.node.[01]..switch.link.[01]..(transmitter|receiver) has "
                                         "stopped at [0-9]+ns .cycle [0-9]."));
  EXPECT_THAT(out.failure, HasSubstr("_rtl.link_sync: a notification"));
}

}  // namespace
}  // namespace weft::test
