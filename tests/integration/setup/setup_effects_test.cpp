// Circuits that come and go: what the report says of failures and changes whose effect is easily overlooked, and
// requests that find another route.

#include <fmt/format.h>

#include <map>

#include "support/slot_trace.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;

Outcome run_effects(const std::string& yaml) {
  std::string whole = "fabric: tdm\n" + yaml;
  if (yaml.find("setup:") == std::string::npos) whole += "setup: { mode: in_network }\n";
  if (yaml.find("switch:") == std::string::npos) whole += "switch: { slots: 8 }\n";
  Outcome o = run_yaml(whole);
  EXPECT_EQ(o.error + o.failure, "");
  return o;
}

std::vector<std::string> notes(const Outcome& o) { return o.json()["notes"].get<std::vector<std::string>>(); }

// Both orders of dimensions are down, the routes with more turns are not.
TEST(SetupRoutes, OtherShortestPathsFollowTheOrdersOfDimensions) {
  const Outcome o = run_effects(R"(topology: { kind: mesh, dims: [4, 4] }
setup: { mode: in_network, routes: 64, tries: 200 }
sources: { message: 4KiB, messages: 2 }
circuits: [ { flow: a, source: 0, destination: 10 } ]
faults: [ { at: 'sw[1]-sw[2]', down: 0us }, { at: 'sw[4]-sw[8]', down: 0us } ]
)");
  EXPECT_EQ(o.table("flows")[0]["state"], "finished");
  EXPECT_EQ(o.table("circuits")[0]["route"], "0 1 5 6 10");
  for (const json& fault : o.table("faults")) {
    EXPECT_EQ(fault["effect"], "refused");
    EXPECT_EQ(fault["requests_refused"], 1);
    EXPECT_EQ(fault["circuits_torn_down"], 0);
  }
}

// Slot 0 of the second link is taken, and the first switch, which does not know that, has it free.
TEST(SetupBandwidth, ARefusedRequestForMoreAvoidsTheSlotsThatFailed) {
  const Outcome o = run_effects(R"(topology: { kind: mesh, dims: [4] }
circuits:
  - { flow: other, source: 1, destination: 3, slots: 1, duration: 400us }
  - { flow: a, source: 0, destination: 2, slots: 1, start: 1us, duration: 300us, changes: [ { at: 10us, slots: 2 } ] }
)");
  const json changes = o.table("slot_changes");
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0]["outcome"], "refused (no_slots)");
  EXPECT_EQ(changes[1]["outcome"], "added");
}

// The only message has left and the circuit is being given back when the failure comes: its last word is on the wire.
TEST(SetupFailures, ACircuitThatIsBeingGivenBackIsLost) {
  const Outcome o = run_effects(R"(topology: { kind: mesh, dims: [4] }
switch: { slots: 8, serdes: 20cycles }
sources: { message: 340B, messages: 1 }
circuits: [ { flow: a, source: 0, destination: 3 } ]
faults: [ { at: 'sw[1]-sw[2]', down: 1200ns, up: 100us } ]
)");
  const json flow = o.table("flows")[0];
  const json circuits = o.table("circuits");
  ASSERT_EQ(circuits.size(), 2U);
  EXPECT_GT(flow["words_lost"].get<int>(), 0);
  EXPECT_EQ(flow["circuits_lost"], 1);
  EXPECT_TRUE(circuits[0]["lost"].get<bool>());
  EXPECT_EQ(circuits[0]["failure"], 0);
  const double back = circuits[1]["requested"].get<double>() + circuits[1]["to_first_word"].get<double>();
  EXPECT_DOUBLE_EQ(flow["dark_time"].get<double>(), back - 1200);
  EXPECT_EQ(o.table("faults")[0]["max_dark_time"], flow["dark_time"]);
}

// A multicast whose far branch is refused, since another flow holds both slots of that host: words come to the near
// destination meanwhile, as long as its switch, slow with its table, has the entry, though no switch has a record of
// the request any more. A link that fails for two cycles then takes words of a request that is refused anyway.
TEST(SetupFailures, WordsOfARefusedRequestCountForTheFailureThatTakesThem) {
  const auto flow = [](const Outcome& o) { return o.table("flows")[1]; };
  const auto network = [](int pipeline, const std::string& data_path) {
    return fmt::format(R"(topology: {{ kind: mesh, dims: [4] }}
switch: {{ slots: 2, serdes: 2cycles, pipeline: {}cycles, reconfiguration: 8cycles, data_path: {{ implementation: {} }} }}
setup: {{ mode: in_network, processing: 1cycles }}
sources: {{ message: 4250B, messages: 1 }}
circuits:
  - {{ flow: near, source: 3, destination: 2, slots: 2 }}
  - {{ flow: tree, source: 0, destinations: [1, 2], start: 60cycles }}
)",
                       pipeline, data_path);
  };
  int on_links = 0;
  int stopped = 0;
  for (const auto& [pipeline, first] : {std::pair(0, 72), std::pair(3, 84)}) {
    const json quiet = flow(run_effects(network(pipeline, "model")));
    ASSERT_EQ(quiet["words_lost"], 0);
    for (int down = first; down <= first + 20; down += 4) {
      const std::string at =
          fmt::format("faults: [ {{ at: 'nic[1]', down: {}cycles, up: {}cycles }} ]\n", down, down + 2);
      const Outcome o = run_effects(network(pipeline, down % 8 == 0 ? "rtl" : "model") + at);
      const json tree = flow(o);
      const json fault = o.table("faults")[0];
      const int lost = tree["words_lost"].get<int>();
      EXPECT_EQ(tree["words_refused"], quiet["words_refused"]) << down;
      EXPECT_EQ(lost + tree["words_dropped"].get<int>(), quiet["words_dropped"].get<int>()) << down;
      EXPECT_EQ(o.table("destinations")[0]["words_lost"], lost) << down;
      EXPECT_EQ(o.table("destinations")[1]["words_lost"], 0) << down;
      EXPECT_EQ(fault["words_lost"], lost) << down;
      EXPECT_EQ(fault["effect"], lost > 0 ? "words" : "none") << down;
      ASSERT_EQ(o.table("fault_flows").size(), lost > 0 ? 1U : 0U) << down;
      if (lost == 0) continue;
      on_links += o.table("fault_flows")[0]["words_lost_on_links"].get<int>();
      stopped += o.table("fault_flows")[0]["words_lost_in_switches"].get<int>();
    }
  }
  EXPECT_GT(on_links, 0);
  EXPECT_GT(stopped, 0);
}

// A circuit with two additions, all of which the failure takes: three in every table.
TEST(SetupFailures, EveryPartOfACircuitCounts) {
  const Outcome o = run_effects(R"(topology: { kind: mesh, dims: [4] }
circuits:
  - { flow: a, source: 0, destination: 3, duration: 40us, changes: [ { at: 10us, slots: 2 }, { at: 15us, slots: 4 } ] }
faults: [ { at: 'nic[3]', down: 20us, up: 30us } ]
)");
  const json fault = o.table("faults")[0];
  EXPECT_EQ(fault["at"], "nic[3]") << "as the configuration says it";
  EXPECT_EQ(fault["circuits_torn_down"], 3);
  EXPECT_EQ(o.table("flows")[0]["circuits_lost"], 3);
  EXPECT_EQ(o.figure("setup", "circuits_lost"), 3);
}

// A switch that is down before anybody asks: requests from elsewhere are refused, its own node cannot ask.
TEST(SetupFailures, DelayIsAnEffect) {
  const auto effect = [](int source, int destination) {
    const json faults = run_effects(fmt::format(R"(topology: {{ kind: mesh, dims: [4] }}
sources: {{ message: 340B, messages: 1 }}
circuits: [ {{ flow: a, source: {}, destination: {}, start: 2us }} ]
faults: [ {{ at: 'sw[2]', down: 1us, up: 5us }} ]
)",
                                                source, destination))
                            .table("faults");
    return fmt::format("{} {} {}", faults[0]["effect"].get<std::string>(), faults[0]["requests_refused"].get<int>() > 0,
                       faults[0]["held_back"].get<int>());
  };
  EXPECT_EQ(effect(0, 3), "refused true 0");
  EXPECT_EQ(effect(2, 3), "delayed false 1");
  EXPECT_EQ(effect(0, 1), "none false 0");
}

// Two failures of a link, of which the second comes while the first is in force: the first is charged until its repair,
// the second for what is left. So the charges are those of two failures that follow each other without a gap.
TEST(SetupFailures, WhatAFailureHidesIsItsOwn) {
  struct Charges {
    json first, second;
  };
  const auto charges = [](const std::string& first, const std::string& second, const std::string& flow) {
    const Outcome o = run_effects(fmt::format(R"(topology: {{ kind: mesh, dims: [4] }}
switch: {{ slots: 2 }}
setup: {{ mode: in_network, processing: 4cycles, backoff: 20cycles }}
sources: {{ message: 1KiB, messages: 40 }}
circuits: [ {{ flow: f, {} }} ]
faults: [ {{ at: {} }}, {{ at: {} }} ]
)",
                                              flow, first, second));
    json lines = o.table("faults");
    for (json& line : lines) {
      for (const char* key : {"at", "down", "up"}) line.erase(key);
    }
    return Charges{lines[0], lines[1]};
  };
  const std::string across = "source: 0, destination: 3";
  for (const std::string& flow : {across, across + ", start: 5us"}) {
    for (const auto& [outer, inner] :
         {std::pair("'sw[2]'", "'sw[1]-sw[2]'"), std::pair("'nic[0]'", "'nic[0]'"), std::pair("'sw[3]'", "'nic[3]'")}) {
      const auto at = [](const char* what, const char* times) { return fmt::format("{}, {}", what, times); };
      const Charges hidden = charges(at(outer, "down: 4us, up: 8us"), at(inner, "down: 5us, up: 7us"), flow);
      const Charges alone = charges(at(outer, "down: 4us, up: 8us"), at(inner, "down: 900us, up: 901us"), flow);
      EXPECT_EQ(hidden.first, alone.first) << outer << " " << flow;
      EXPECT_EQ(hidden.second["effect"], "none") << outer << " " << flow;
      EXPECT_NE(hidden.first["effect"], "none") << outer << " " << flow;
      // The order of the configuration breaks the tie of failures of one cycle.
      const Charges equal = charges(at(outer, "down: 4us, up: 8us"), at(inner, "down: 4us, up: 8us"), flow);
      EXPECT_EQ(equal.first, alone.first) << outer << " " << flow;
      EXPECT_EQ(equal.second["effect"], "none") << outer << " " << flow;

      const Charges longer = charges(at(inner, "down: 4us, up: 8us"), at(inner, "down: 5us, up: 12us"), flow);
      const Charges next = charges(at(inner, "down: 4us, up: 8us"), at(inner, "down: 8us, up: 12us"), flow);
      EXPECT_EQ(longer.first, next.first) << outer << " " << flow;
      EXPECT_EQ(longer.second, next.second) << outer << " " << flow;
      if (flow == across && std::string(inner) == "'sw[1]-sw[2]'") {
        EXPECT_EQ(longer.second["effect"], "refused");
        EXPECT_EQ(longer.first["effect"], "circuits");
      }
    }
  }
}

TEST(SetupChanges, WhatComesTooLateOrChangesNothingIsTold) {
  const Outcome late = run_effects(R"(topology: { kind: mesh, dims: [4] }
sources: { message: 340B, messages: 4 }
circuits: [ { flow: a, source: 0, destination: 3, changes: [ { at: 1us, slots: 1 }, { at: 20ms, slots: 2 } ] } ]
)");
  EXPECT_LT(late.figure("run", "time").get<double>(), 10'000) << "the run does not wait for the change";
  EXPECT_THAT(notes(late), Contains(HasSubstr("1 of 2 changes of slots came after everything of their flow")));
  EXPECT_THAT(notes(late), Contains(HasSubstr("1 of 2 changes of slots ask for as many as were wanted before")));
}

// Words of a message keep their numbers when it is interrupted: every one of each message leaves the last switch, in
// order; once, where nothing is lost.
void expect_all_words(const std::string& rest, std::size_t messages, std::uint32_t words, bool once) {
  const Outcome o =
      run_effects("topology: { kind: mesh, dims: [3] }\nswitch: { slots: 4 }\nobserve: { slot_trace: true }\n" + rest);
  std::map<std::uint64_t, std::vector<std::uint32_t>> came;
  for (const TraceLine& line : parse_slot_trace(o.slot_trace)) {
    if (line.sw == 2) came[line.message].push_back(line.word);
  }
  EXPECT_EQ(came.size(), messages);
  for (auto& [message, numbers] : came) {
    EXPECT_TRUE(!once || numbers.size() == words) << message;
    std::uint32_t next = 0;
    for (const std::uint32_t n : numbers) {
      EXPECT_LE(n, next) << message;
      next = std::max(next, n + 1);
    }
    EXPECT_EQ(next, words) << message;
  }
}

TEST(SetupWords, KeepTheirNumbersBehindInterruptions) {
  expect_all_words(R"(setup: { mode: in_network, backoff: 1cycle }
sources: { message: 1360b, messages: 4 }
circuits: [ { source: 0, destination: 2 } ]
faults: [ { at: 'sw[0]-sw[1]', down: 28cycles, up: 40cycles } ]
)",
                   4, 4, false);
  for (const int at : {18, 20, 25, 31}) {
    expect_all_words(fmt::format(R"(sources: {{ message: 680b, messages: 12 }}
circuits: [ {{ source: 0, destination: 2, slots: 1, changes: [ {{ at: {}cycles, slots: 3 }} ] }} ]
)",
                                 at),
                     12, 2, true);
    expect_all_words(fmt::format(R"(sources: {{ message: 3400b, messages: 2 }}
circuits: [ {{ source: 0, destination: 2, slots: 3, changes: [ {{ at: {}cycles, slots: 1 }} ] }} ]
)",
                                 at),
                     2, 10, true);
  }
}

// The RTL data path is clocked a little longer or shorter than the model; the report knows nothing of it.
TEST(SetupReport, TheEndOfTheRunDoesNotDependOnTheDataPath) {
  const auto tables = [](const std::string& implementation) {
    json report = run_effects(fmt::format(R"(topology: {{ kind: torus, dims: [4] }}
seed: 70
switch:
  {{ slots: 8, serdes: 0cycles, pipeline: 3cycles, reconfiguration: 4cycles,
     data_path: {{ implementation: {} }} }}
setup: {{ mode: in_network, processing: 4cycles, backoff: 1cycles, routes: 1, tries: 50 }}
sources: {{ message: 4096B, arrivals: poisson, interval: 3us }}
circuits:
  - {{ flow: f7, source: 2, destination: 0, slots: 3, start: 24230ns, messages: 1, changes: [ {{ at: 43210ns, slots: 1 }} ] }}
faults: [ {{ at: 'sw[0]', down: 1062cycles }} ]
)",
                                          implementation))
                      .json();
    return report["figures"]["setup"].dump() + report["tables"].dump();
  };
  EXPECT_EQ(tables("rtl"), tables("model"));
}

}  // namespace
}  // namespace weft::test
