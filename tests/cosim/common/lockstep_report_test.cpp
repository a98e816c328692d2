// Section `lockstep` of reports: how many pairs of model and RTL there were, and how much of them was compared.

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "cosim/packet/dtable_rtl.h"
#include "support/child.h"
#include "support/optweb_runs.h"
#include "support/packet_runs.h"
#include "support/scratch.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

std::uint64_t figure(const nlohmann::json& report, const std::string& key) {
  return report["figures"]["lockstep"][key]["value"].get<std::uint64_t>();
}

const std::string kTdm = R"(
fabric: tdm
topology: { kind: mesh, dims: [3, 2] }
switch: { slots: 6, serdes: 4cycles }
circuits:
  - { flow: many, source: 0, destinations: [2, 5, 3] }
  - { flow: fat, source: 4, destination: 0, slots: 2 }
sources: { message: 2KiB, messages: 5 }
observe: { slot_trace: true }
)";

TEST(LockstepReport, HasNoSectionWithoutPairs) {
  for (const std::string which : {"model", "rtl"}) {
    const Outcome run = run_yaml(kTdm, {"switch.data_path.implementation=" + which});
    ASSERT_EQ(run.error + run.failure, "");
    EXPECT_FALSE(run.json()["figures"].contains("lockstep"));
    EXPECT_FALSE(run.json()["tables"].contains("lockstep"));
  }
}

// A data path is compared in every cycle in which a register holds a word, so at least in those in which it sends one;
// slot LUTs in every request, of which observers are told.
TEST(LockstepReport, CountsWhatSwitchesCompared) {
  for (const std::string setup : {"preset", "central", "in_network"}) {
    const Outcome run = run_yaml(kTdm, {"setup.mode=" + setup, "switch.data_path.implementation=lockstep",
                                        "switch.slot_lut.implementation=lockstep"});
    ASSERT_EQ(run.error + run.failure, "") << setup;
    std::set<std::pair<SwitchId, Cycle>> sending;
    for (const TraceLine& line : parse_slot_trace(run.slot_trace)) sending.insert({line.sw, line.cycle});
    const nlohmann::json report = run.json();
    EXPECT_EQ(figure(report, "pairs"), 12U) << setup;
    EXPECT_GE(figure(report, "cycles_compared"), sending.size()) << setup;
    EXPECT_LE(figure(report, "cycles_compared"), 6U * static_cast<std::uint64_t>(run.cycles + 1)) << setup;
    const nlohmann::json rows = run.table("lockstep");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["block"], "data_path");
    EXPECT_EQ(rows[1]["block"], "slot_lut");
    EXPECT_EQ(rows[0]["pairs"].get<int>() + rows[1]["pairs"].get<int>(), 12);
    EXPECT_EQ(rows[0]["cycles_compared"], figure(report, "cycles_compared"));
    EXPECT_EQ(rows[1]["requests_compared"], figure(report, "requests_compared"));
  }
}

// By the central unit: two queries (injection and ejection of each hop are rows of the slot LUTs) for every link of a
// route, then a reservation, and a release at the end of the phase; observers are told of each.
TEST(LockstepReport, RequestsAreThoseThatObserversSee) {
  struct Requests final : TdmObserver {
    std::uint64_t seen = 0;
    void on_setup(const SetupEvent&) override { ++seen; }
  };
  const ScratchFolder folder;
  const std::string path = folder.path("requests");
  const Outcome run = run_yaml(kTdm, {"switch.slot_lut.implementation=lockstep"}, [&](TdmRunOptions& o) {
    static Requests requests;
    o.observers.push_back(&requests);
    o.progress = [path](double) {};
    o.interrupted = [path] {
      std::ofstream(path) << requests.seen;
      return false;
    };
  });
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(figure(run.json(), "requests_compared"), std::stoull(slurp(path)));
  EXPECT_EQ(figure(run.json(), "cycles_compared"), 0U);
}

struct SchedulerPins {
  std::string name, contents;
  int pin_bits;  ///< of all ten
};

class SchedulerLockstepReport : public ::testing::TestWithParam<SchedulerPins> {};

TEST_P(SchedulerLockstepReport, CountsDecisions) {
  const std::string yaml = R"(
fabric: packet
topology: { kind: mesh, dims: [2], nodes_per_switch: 2 }
qos:
  levels: { NC: { message: 192B, quantum: 2 }, BE: { message: 1024B, quantum: 7 } }
  scheduler: )" + GetParam().name +
                           "\n  " + GetParam().name + ": { implementation: lockstep" + GetParam().contents + R"( }
traffic: [ { level: NC, load: 0.3, source: bursts }, { level: BE, load: 0.5, source: bursts } ]
run: { warm_up: 0ns, measure: 10us, drain: 20us }
observe: { message_log: true }
)";
  const PacketOutcome run = run_packet_yaml(yaml);
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(figure(run.report, "pairs"), 10U);  // 4 NICs; 2 switches with 2 NICs and a link each
  // Every message has a decision of its NIC and of a switch or two; some decisions find nothing that has credits.
  const auto messages = static_cast<std::uint64_t>(std::count(run.messages.begin(), run.messages.end(), '\n')) - 1;
  EXPECT_GT(messages, 100U);
  EXPECT_GE(figure(run.report, "requests_compared"), 2 * messages);
  EXPECT_EQ(figure(run.report, "cycles_compared"), 0U);
  ASSERT_EQ(run.report["tables"]["lockstep"]["rows"].size(), 1U);
  const nlohmann::json row = run.report["tables"]["lockstep"]["rows"][0];
  EXPECT_EQ(row["block"], GetParam().name);
  EXPECT_EQ(row["pin_bits"], GetParam().pin_bits);
  EXPECT_GT(row["pins_toggled"], 0.0);
  EXPECT_LT(row["pins_toggled"], 20.0);  // two of 16 SLs are in use
}

// 16 SLs, 64 entries, weights (but 8 bits of the arbiter) and sizes of 16 bits: what the block is written with; decide,
// active, sizes; grant, its SL, saturated.
INSTANTIATE_TEST_SUITE_P(
    Schedulers, SchedulerLockstepReport,
    ::testing::Values(SchedulerPins{"dtable", ", table: [ { sl: NC, weight: 2 }, { sl: BE, weight: 7 } ]",
                                    10 * (1 + 6 + 4 + 16 + 1 + 16 + 16 * 16 + 1 + 4 + 1)},
                      SchedulerPins{"drr", "", 10 * (1 + 4 + 16 + 1 + 16 + 16 * 16 + 1 + 4 + 1)},
                      SchedulerPins{"ib_arbiter",
                                    ", high: [ { sl: NC, weight: 2 } ], low: [ { sl: BE, weight: 7 } ], "
                                    "limit_of_high_priority: 3",
                                    10 * (1 + 1 + 6 + 4 + 8 + 8 + 1 + 16 + 16 * 16 + 1 + 4)}),
    [](const auto& chosen) { return chosen.param.name; });

TEST(LockstepReport, PinsThatHaveBeenBoth) {
  const ChildResult child = in_child([] {
    const auto context = make_rtl_context();
    const auto table = make_dtable_rtl(*context, {{0, 8}, {1, 8}}, 0, "table");
    const bool none = table->toggles().bits == 0;
    table->watch_pins();
    EgressView view;
    view.active = 1;
    view.head[0] = 3;
    table->decide(view);
    table->end_cycle();
    view.active = 2;
    view.head[1] = 5;
    table->decide(view);  // grants SL 1 after SL 0
    table->end_cycle();
    return fmt::format("{} {}", none, table->toggles().toggled);
  });
  EXPECT_EQ(child.text, "true 5");  // two SLs active, two bits of a size, one of the SL that is granted
}

TEST(LockstepReport, CountsBlocksOfOptwebNodes) {
  const OptwebOutcome run =
      run_optweb_yaml("fabric: optweb\nnodes: 3\nprogram:\n  - { op: barrier }\n  - { op: alltoall, size: 4KiB }\n",
                      {"sequencer.implementation=lockstep", "dmac.stripe_address=lockstep",
                       "link.implementation=lockstep", "switch.implementation=lockstep"});
  ASSERT_EQ(run.error + run.failure, "");
  const nlohmann::json rows = run.report["tables"]["lockstep"]["rows"];
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0]["block"], "command_sequencer");
  EXPECT_EQ(rows[0]["pairs"], 3);
  EXPECT_GT(rows[0]["cycles_compared"], 3 * 2);  // two instructions of each node
  EXPECT_EQ(rows[1]["block"], "link_sync");
  EXPECT_GT(rows[1]["cycles_compared"], 0);
  EXPECT_EQ(rows[2]["block"], "stripe_address");
  EXPECT_GE(rows[2]["requests_compared"], 3 * 2 * 2);  // reads and writes of every node, for each of two others
  EXPECT_EQ(rows[3]["block"], "switch_control");
  EXPECT_EQ(rows[3]["pairs"], 3);
  // Of both instructions write, set, two notifications; of the second one words of three outputs and three inputs.
  EXPECT_GE(rows[3]["cycles_compared"], 3 * (2 * 3 + 2));
}

}  // namespace
}  // namespace weft::test
