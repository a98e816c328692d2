// Changeover of phases: when it happens and how long it takes.

#include "support/tdm_runs.h"

namespace weft::test {
namespace {

Cycle cycles(const nlohmann::json& ns) { return static_cast<Cycle>(ns.get<double>()) / 10; }

// One circuit per phase, one message each: every moment of the run follows by hand.
TEST(Phases, EveryMomentFollows) {
  constexpr Cycle kSlots = 6;
  constexpr Cycle kProcessing = 5;
  for (const Cycle column : {1, 4, 40}) {
    const Outcome o = run_yaml(fmt::format(R"(
fabric: tdm
topology: {{ kind: mesh, dims: [4] }}
switch: {{ slots: {}, serdes: 2cycles, reconfiguration: {}cycles }}
setup: {{ mode: central, processing: {}cycles }}
sources: {{ messages: 1, message: 3400b }}
phases:
  - {{ name: one, circuits: [ {{ source: 0, destination: 2 }} ] }}
  - {{ name: two, circuits: [ {{ source: 3, destination: 2 }} ] }}
  - {{ name: three, circuits: [ {{ source: 0, destination: 3 }} ] }}
)",
                                           kSlots, column, kProcessing));
    ASSERT_EQ(o.error + o.failure, "");
    const auto rows = o.table("phases");
    const Cycle hops[] = {2, 1, 3};
    Cycle start = 0;     // of the setup
    Cycle released = 0;  // requests to release what the phase before held
    Cycle loading = 0;   // begin of the loading of the shadow tables
    for (std::size_t p = 0; p < 3; ++p) {
      const Cycle links = hops[p] + 2;              // with injection and ejection
      const Cycle requests = released + 2 * links;  // a query and a reservation each
      const Cycle setup_end = start + requests * kProcessing;
      const Cycle ready = loading + kSlots * column;
      const Cycle earliest = std::max(setup_end, ready) + 1;
      const Cycle data = (earliest + kSlots - 1) / kSlots * kSlots;  // the next frame boundary
      const Cycle end = data + 9 * kSlots + kSlots * (1 + hops[p]);  // ten words in slot 0
      EXPECT_EQ(rows[p]["lut_requests"], requests) << p;
      EXPECT_EQ(cycles(rows[p]["setup_time"]), requests * kProcessing) << p;
      EXPECT_EQ(cycles(rows[p]["tables_ready"]), ready) << p;
      EXPECT_EQ(cycles(rows[p]["data_start"]), data) << p;
      EXPECT_EQ(cycles(rows[p]["data_end"]), end) << p;
      released = links;
      loading = data;
      start = end + 1;
    }
    EXPECT_EQ(cycles(o.figure("run", "time")), start - 1);
  }
}

// preset: circuits of the first phase are there in cycle 0; later ones only wait for their tables.
TEST(Phases, PresetTakesNoTimeForRequests) {
  const Outcome o = run_yaml(R"(
fabric: tdm
topology: { kind: mesh, dims: [3] }
switch: { slots: 5, reconfiguration: 3cycles }
setup: { mode: preset }
sources: { messages: 1, message: 340b }
phases:
  - { name: one, circuits: [ { source: 0, destination: 2 } ] }
  - { name: two, circuits: [ { source: 2, destination: 0 } ] }
)");
  ASSERT_EQ(o.error + o.failure, "");
  const auto rows = o.table("phases");
  EXPECT_EQ(cycles(rows[0]["data_start"]), 0);
  EXPECT_EQ(cycles(rows[0]["data_end"]), 15);
  EXPECT_EQ(cycles(rows[1]["tables_ready"]), 15);
  EXPECT_EQ(cycles(rows[1]["setup_time"]), 0);
  EXPECT_EQ(cycles(rows[1]["data_start"]), 20);
  EXPECT_EQ(cycles(rows[1]["data_end"]), 35);
}

// The same slots serve other circuits in the next phase, and no word of one phase shows up in the other.
TEST(Phases, SlotsAreUsedAgain) {
  const Outcome o = run_yaml(R"(
fabric: tdm
topology: { kind: mesh, dims: [4] }
switch: { slots: 2 }
observe: { slot_trace: true }
sources: { messages: 5 }
phases:
  - { name: one, circuits: [ { source: 0, destination: 3, slots: 2 } ] }
  - { name: two, circuits: [ { source: 1, destination: 3, slots: 2 } ] }
  - { name: three, circuits: [ { source: 2, destination: 3 }, { source: 1, destination: 3 } ] }
)");
  ASSERT_EQ(o.error + o.failure, "");
  const auto rows = o.table("phases");
  for (const TraceLine& line : parse_slot_trace(o.slot_trace)) {
    const std::size_t phase = line.circuit == 0 ? 0 : line.circuit == 1 ? 1 : 2;
    EXPECT_GE(line.cycle, cycles(rows[phase]["data_start"]));
    EXPECT_LE(line.cycle, cycles(rows[phase]["data_end"]));
  }
}

}  // namespace
}  // namespace weft::test
