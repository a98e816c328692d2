// RTL that fails within a cycle: loops that do not settle, and what waves show of the cycle in which a pair differs.
// And what RTL says without failing. The copies are made by tests/CMakeLists.txt.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "Vdtable_loops.h"
#include "Vdtable_stays.h"
#include "Vdtable_talks.h"
#include "cli/main.h"
#include "cosim/packet/dtable_rtl.h"
#include "cosim/packet/packet_rtl.h"
#include "cosim/packet/verilated_dtable.h"
#include "run/packet/packet_family.h"
#include "run/registry.h"
#include "support/faulty_blocks.h"
#include "support/packet_runs.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTable = tables_in_lockstep(R"(
traffic: [ { level: NC, load: 0.2 }, { level: BE, load: 0.3, source: bursts } ]
run: { warm_up: 0ns, measure: 10us, drain: 20us }
)");

template <class V>
PacketRtlBlocks tables_of() {
  return with_scheduler(&PacketRtlBlocks::dtable,
                        [](VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
                          return std::make_unique<VerilatedDtable<V, kSmallDtable>>(context, s.table, name);
                        });
}

TEST(RtlFailure, ALoopThatDoesNotSettleEndsTheRun) {
  for (const std::string which : {"rtl", "lockstep"}) {
    for (const bool with_waves : {false, true}) {
      const ScratchFolder folder;
      const PacketOutcome run = run_packet_yaml(
          kTable, {"qos.dtable.implementation=" + which},
          [&](PacketRunOptions& o) {
            if (with_waves) o.waves = folder.path("w.fst");
          },
          {}, tables_of<Vdtable_loops>());
      ASSERT_EQ(run.error, "") << which;
      EXPECT_THAT(run.failure, ContainsRegex("the RTL of packet[.].* has stopped at .* .cycle [0-9]+.\n  .*dtable.sv:"
                                             "[0-9]+: .*did not converge"));
      EXPECT_EQ(run.report["complete"], false);
    }
  }
}

// Cycle of a failure, by its message.
std::uint64_t cycle_of(const std::string& failure) {
  std::smatch found;
  if (!std::regex_search(failure, found, std::regex("cycle ([0-9]+)")))
    throw std::runtime_error("no cycle: " + failure);
  return std::stoull(found[1]);
}

TEST(RtlFailure, WavesHaveTheInputsOfTheCycleInWhichATableDiffers) {
  const ScratchFolder folder;
  const PacketOutcome run = run_packet_yaml(
      kTable, {}, [&](PacketRunOptions& o) { o.waves = folder.path("w.fst"); }, {}, tables_of<Vdtable_stays>());
  ASSERT_EQ(run.error, "");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(run.failure, found, std::regex("lockstep difference in ([^ ]+) at"))) << run.failure;
  ASSERT_TRUE(std::regex_search(run.failure, std::regex("active SLs.*: SL 0: .*SL 1: "))) << run.failure;
  const Vcd vcd = read_fst(folder.path("w.fst"));
  const std::uint64_t time = cycle_of(run.failure) * 5120;
  const std::string pins = std::string(found[1]) + ".dtable_rtl.dtable.";
  EXPECT_EQ(vcd.signal(pins + "decide_i").number_at(time), 1U);
  EXPECT_EQ(vcd.signal(pins + "active_i").number_at(time), 3U);
  EXPECT_EQ(vcd.last_time(), time + 5120);
}

// Standard output is for the report; text names the instance with points.
TEST(RtlFailure, WhatRtlSaysGoesToStandardError) {
  const ScratchFolder folder;
  const std::string file = folder.write("talks.yaml", kTable);
  Registry registry;
  registry.add(packet_family());
  registry.blocks().packet = tables_of<Vdtable_talks>();
  std::vector<std::string> words = {"weft", "run", file, "--json", "--no-files"};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int status = cli::main(static_cast<int>(argv.size()), argv.data(), registry);
  const std::string said = ::testing::internal::GetCapturedStderr();
  const std::string report = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(status, 0) << said;
  EXPECT_TRUE(nlohmann::json::accept(report)) << report.substr(0, 500);
  EXPECT_THAT(said, ContainsRegex("SL 1 is granted in packet[.][a-z]+.[0-9]+.[^ ]*dtable_rtl[.]dtable"));
  EXPECT_THAT(said, ContainsRegex("%Warning: dtable.sv:[0-9]+: .* packet[.][a-z]+.[0-9]+."));
  EXPECT_THAT(said, Not(HasSubstr("packet sw[")));
  EXPECT_THAT(said, Not(HasSubstr("packet nic[")));
}

}  // namespace
}  // namespace weft::test
