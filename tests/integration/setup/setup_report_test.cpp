// Report on circuits that come and go: failures one by one, slots asked for and given back, and that
// every word is accounted for.

#include <algorithm>
#include <map>

#include "base/diagnostics.h"
#include "fabrics/tdm/setup/word_ledger.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// A line of three, so that there is one route only, and a flow in another direction that no failure concerns.
const char* const kLine = R"(
fabric: tdm
topology: { kind: mesh, dims: [4] }
switch: { slots: 4 }
setup: { mode: in_network, backoff: 10cycles }
sources: { message: 340B, messages: 10 }
)";

const json& only(const json& rows, const std::string& column, const json& value) {
  const json* found = nullptr;
  for (const json& row : rows) {
    if (row[column] == value) found = &row;
  }
  if (found == nullptr) throw RunError("no line with " + column + " " + value.dump());
  return *found;
}

void expect_balance(const Outcome& o) {
  std::int64_t lost = 0;
  for (const json& f : o.table("flows")) {
    EXPECT_EQ(f["words_sent"].get<int>(), f["words_delivered"].get<int>() + f["words_dropped"].get<int>() +
                                              f["words_refused"].get<int>() + f["words_lost"].get<int>());
    EXPECT_EQ(f["words_discarded"].get<int>(), f["words_refused"].get<int>() + f["words_lost"].get<int>());
    lost += f["words_lost"].get<int>();
  }
  std::int64_t by_failure = 0;
  std::int64_t by_flow = 0;
  for (const json& f : o.table("faults")) by_failure += f["words_lost"].get<int>();
  for (const json& f : o.table("fault_flows")) {
    by_flow += f["words_lost_on_links"].get<int>() + f["words_lost_in_switches"].get<int>() +
               f["words_misdelivered"].get<int>();
  }
  EXPECT_EQ(by_failure, lost);
  EXPECT_EQ(by_flow, lost);
}

// A multicast counts at each of its destinations, by the length of the way there.
TEST(SetupReport, LatencyByHops) {
  const Outcome o = run_yaml(std::string(kLine) + R"(
circuits: [ { flow: both, source: 1, destinations: [0, 3] }, { flow: near, source: 3, destination: 2, start: 50us } ]
)");
  ASSERT_EQ(o.error + o.failure, "");
  const json hops = o.table("hops");
  ASSERT_EQ(hops.size(), 2);
  EXPECT_EQ(hops[0]["hops"], 1);
  EXPECT_EQ(hops[0]["messages"], 20);
  EXPECT_EQ(hops[1]["hops"], 2);
  EXPECT_EQ(hops[1]["messages"], 10);
  const double sum = hops[0]["latency_mean"].get<double>() * 20 + hops[1]["latency_mean"].get<double>() * 10;
  EXPECT_NEAR(sum / 30, o.figure("run", "latency_mean").get<double>(), 1e-6);
}

TEST(SetupReport, EachFailureHasItsLine) {
  const Outcome o = run_yaml(std::string(kLine) + R"(
circuits: [ { flow: across, source: 0, destination: 3 }, { flow: near, source: 0, destination: 1 } ]
faults:
  - { at: 'sw[2]-sw[3]', down: 1us, up: 1500ns }
  - { at: 'sw[1]-sw[2]', down: 2us, up: 2500ns }
  - { at: 'sw[3]', down: 3ms }
)");
  ASSERT_EQ(o.error + o.failure, "");
  expect_balance(o);
  const json faults = o.table("faults");
  ASSERT_EQ(faults.size(), 3u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(faults[i]["effect"], "circuits");
    EXPECT_EQ(faults[i]["flows"], 1);
    EXPECT_EQ(faults[i]["circuits_torn_down"], 1);
    EXPECT_GT(faults[i]["words_lost"].get<int>(), 0);
    EXPECT_GE(faults[i]["max_dark_time"].get<double>(), 500.0) << "the only route is down for so long";
    EXPECT_EQ(only(o.table("fault_flows"), "failure", i)["flow"], "across");
    EXPECT_EQ(only(o.table("circuits"), "failure", i)["flow"], "across");
  }
  EXPECT_EQ(faults[2]["effect"], "too late");
  EXPECT_EQ(faults[2]["circuits_torn_down"], 0);
  EXPECT_NE(o.report.find("1 of 3 failures came after everything had arrived"), std::string::npos);
  // What was lost is what had to be sent again, and nothing of the flow that no failure concerns.
  const json across = only(o.table("flows"), "flow", "across");
  EXPECT_EQ(
      across["words_resent"].get<int>(),
      faults[0]["words_resent"].get<int>() + faults[1]["words_resent"].get<int>() + across["words_refused"].get<int>());
  const json near = only(o.table("flows"), "flow", "near");
  EXPECT_EQ(near["words_lost"], 0);
  EXPECT_EQ(near["words_resent"], near["words_refused"]);
}

// Cycles in which the words of a flow's messages leave the last switch, and the first one, by message.
struct MessageCycles {
  std::vector<Cycle> first_at_destination, last_at_destination, last_at_source;
};

MessageCycles cycles_of(const Outcome& o, SwitchId source, SwitchId destination) {
  std::map<std::uint64_t, std::vector<Cycle>> in, out;
  for (const TraceLine& line : parse_slot_trace(o.slot_trace)) {
    if (line.sw == source && line.port != 0) in[line.message].push_back(line.cycle);
    if (line.sw == destination && line.port == 0) out[line.message].push_back(line.cycle);
  }
  MessageCycles all;
  for (const auto& [message, cycles] : out) {
    const auto [first, last] = std::minmax_element(cycles.begin(), cycles.end());
    all.first_at_destination.push_back(*first);
    all.last_at_destination.push_back(*last);
    all.last_at_source.push_back(*std::max_element(in[message].begin(), in[message].end()));
  }
  return all;
}

// From the trace of all words: a message is generated by the clock of its source, and delivered as its last word is.
TEST(SetupReport, LatencyRunsFromGenerationToTheLastWord) {
  const int interval = 50;  // cycles; some messages find the circuit of the one before, some ask for their own
  const Outcome o = run_yaml(std::string(kLine) + R"(
circuits: [ { flow: a, source: 0, destination: 3, messages: 9, start: 1us } ]
observe: { slot_trace: true }
)",
                             {"sources.arrivals=periodic", "sources.interval=500ns"});
  ASSERT_EQ(o.error + o.failure, "");
  const MessageCycles m = cycles_of(o, 0, 3);
  ASSERT_EQ(m.last_at_destination.size(), 9U);
  const json flow = o.table("flows")[0];
  const Cycle ejection = static_cast<Cycle>(flow["last_delivery"].get<double>() / 10) - m.last_at_destination.back();
  std::vector<double> latencies;
  double sum = 0;
  double serialization = 0;
  for (int k = 0; k < 9; ++k) {
    latencies.push_back(10.0 * static_cast<double>(m.last_at_destination[k] + ejection - (100 + k * interval)));
    sum += latencies.back();
    serialization += 10.0 * static_cast<double>(m.last_at_destination[k] - m.first_at_destination[k]);
  }
  std::sort(latencies.begin(), latencies.end());
  EXPECT_LT(latencies.front(), latencies.back()) << "messages that find a circuit, and others";
  for (const json& row : {flow, o.table("services")[0]}) {
    EXPECT_EQ(row["messages"], 9);
    EXPECT_DOUBLE_EQ(row["latency_mean"], sum / 9);
    EXPECT_EQ(row["latency_min"], latencies.front());
    EXPECT_EQ(row["latency_max"], latencies.back());
    EXPECT_DOUBLE_EQ(row["serialization"], serialization / 9);
    EXPECT_NEAR(row["queueing"].get<double>() + row["network"].get<double>() + row["serialization"].get<double>(),
                row["latency_mean"].get<double>(), 1e-9);
    // On its way a word waits for its slot at the host, less than a frame, then at each of four switches a frame.
    EXPECT_GE(row["network"].get<double>(), 4 * 40.0);
    EXPECT_LE(row["network"].get<double>(), 5 * 40.0 + 10.0 * static_cast<double>(ejection));
  }
  EXPECT_EQ(o.table("services")[0]["latency_p50"], latencies[4]);
  EXPECT_EQ(o.figure("run", "latency_p50"), latencies[4]);
}

// All messages of a saturated source are there at its start; each is generated when the one before has left.
TEST(SetupReport, SaturatedSourcesTurnToTheirMessages) {
  const Outcome o = run_yaml(std::string(kLine) + R"(
circuits: [ { flow: a, source: 0, destination: 3, messages: 5, start: 1us } ]
observe: { slot_trace: true }
)");
  ASSERT_EQ(o.error + o.failure, "");
  const MessageCycles m = cycles_of(o, 0, 3);
  ASSERT_EQ(m.last_at_destination.size(), 5U);
  const json flow = o.table("flows")[0];
  const Cycle ejection = static_cast<Cycle>(flow["last_delivery"].get<double>() / 10) - m.last_at_destination.back();
  double sum = 0;
  for (int k = 0; k < 5; ++k) {
    const Cycle turned_to = k == 0 ? 100 : m.last_at_source[k - 1] - 4 + 1;  // a frame before, the word left the host
    sum += 10.0 * static_cast<double>(m.last_at_destination[k] + ejection - turned_to);
  }
  EXPECT_DOUBLE_EQ(flow["latency_mean"], sum / 5);
  const json circuit = o.table("circuits")[0];
  EXPECT_GE(flow["queueing_max"], circuit["to_ack"]) << "the first one waits for its circuit";
  EXPECT_EQ(flow["queueing"].get<double>() * 5, flow["queueing_max"]) << "the others do not";
}

// Messages come every 100 ns, the first at 0 ns, until 1.5 us: ten of them from 0.5 us on, in every mode of setup.
TEST(SetupReport, MeasuresFromTheWarmUpOn) {
  constexpr const char* kPeriodic = R"(
fabric: tdm
topology: { kind: mesh, dims: [2] }
switch: { slots: 2 }
setup: { mode: in_network }
sources: { arrivals: periodic, interval: 100ns, message: 85B }
circuits: [ { flow: a, source: 0, destination: 1 } ]
run: { warm_up: 500ns, measure: 1us }
)";
  for (const char* const mode : {"in_network", "central", "preset"}) {
    const Outcome o = run_yaml(kPeriodic, {std::string("setup.mode=") + mode});
    ASSERT_EQ(o.error + o.failure, "") << mode;
    EXPECT_EQ(o.table("services")[0]["messages"], 10) << mode;
  }
  const Outcome o = run_yaml(kPeriodic);
  EXPECT_EQ(o.table("flows")[0]["messages"], 10);
  EXPECT_EQ(o.table("hops")[0]["messages"], 10);
  EXPECT_EQ(o.table("flows")[0]["words_delivered"], 15 * 2);
}

// Messages of nodes: those of the warm-up and of the drain move words, and count in no latency.
TEST(SetupReport, FlowsHaveTheMessagesOfTheWindow) {
  const Outcome o = run_yaml(R"(
fabric: tdm
topology: { kind: mesh, dims: [3] }
switch: { slots: 4 }
setup: { mode: in_network }
qos: { levels: { a: { message: 85B } } }
traffic: [ { level: a, load: 0.05 } ]
run: { warm_up: 5us, measure: 20us }
)");
  ASSERT_EQ(o.error + o.failure, "");
  int messages = 0;
  int words = 0;
  for (const json& flow : o.table("flows")) {
    messages += flow["messages"].get<int>();
    words += flow["words_delivered"].get<int>();
  }
  const json service = o.table("services")[0];
  EXPECT_GT(messages, 20);
  EXPECT_EQ(messages, service["messages"]);
  EXPECT_GT(words, 2 * messages);
}

TEST(SetupReport, SlotsAskedForAndGivenBack) {
  const Outcome o = run_yaml(std::string(kLine) + R"(
circuits:
  - { flow: a, source: 0, destination: 3, messages: 40, changes: [ { at: 1us, slots: 3 }, { at: 3us, slots: 2 } ] }
  - { flow: b, source: 1, destination: 3, start: 2us, messages: 40, changes: [ { at: 2500ns, slots: 4 } ] }
)");
  ASSERT_EQ(o.error + o.failure, "");
  std::vector<std::string> a;
  bool refused = false;
  for (const json& c : o.table("slot_changes")) {
    refused = refused || (c["flow"] == "b" && c["outcome"] == "refused (no_slots)" && c["slots_after"] == 1);
    if (c["flow"] != "a") continue;
    a.push_back(fmt::format("{} -> {} ({}): {}", c["slots_before"].get<int>(), c["slots_after"].get<int>(),
                            c["slots_wanted"].get<int>(), c["outcome"].get<std::string>()));
    EXPECT_GE(c["requested"].get<double>(), a.size() == 1 ? 1000 : 3000);
  }
  EXPECT_THAT(a, testing::ElementsAre("1 -> 3 (3): added", "3 -> 2 (2): given back"));
  EXPECT_TRUE(refused) << "b cannot have all four slots of link 2-3 while a has two of them";
}

// The account of a circuit of request 1 over the last switch of a line, and what is wrong with it when a word is
// missing.
TEST(WordLedger, NoticesALeak) {
  TopologyConfig topology = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{2}}});
  const Graph graph = build_topology(topology);
  const PortRef host = graph.attachment(1);
  CircuitRoute line;
  line.source = 0;
  line.destinations = {1};
  const auto route = std::make_shared<const CircuitRoute>(line);
  const auto ledger = [&](std::uint64_t sent, std::uint32_t left, std::uint64_t arrived, WordAccount::Outcome outcome) {
    WordLedger l(graph);
    const std::uint32_t a = l.open(0, 1, route);
    l.begin_run(0, a);
    l.at(a).sent = sent;
    Train t;
    t.words = left;
    l.on_hop(host.sw, host.port, t);
    l.at(a).ends[0].arrived = l.at(a).ends[0].taken = arrived;
    l.at(a).outcome = outcome;
    return l;
  };
  const auto check = [](const WordLedger& l, bool failures) {
    return l.check(failures, [](std::uint32_t flow) { return fmt::format("flow {}", flow); });
  };
  using Outcome = WordAccount::Outcome;
  EXPECT_EQ(check(ledger(9, 9, 9, Outcome::up), false), "");
  EXPECT_THAT(check(ledger(9, 8, 8, Outcome::up), true), HasSubstr("a circuit that stayed up are lost"));
  EXPECT_EQ(check(ledger(9, 8, 8, Outcome::refused), false), "");
  EXPECT_THAT(check(ledger(9, 9, 8, Outcome::lost), true), HasSubstr("not as many come"));
  EXPECT_THAT(check(ledger(9, 10, 10, Outcome::lost), true), HasSubstr("more words leave the switches than were sent"));
  WordLedger l = ledger(9, 9, 8, Outcome::lost);
  l.lost_on_link(host.sw, host.port, 0, 3, 1);
  EXPECT_EQ(check(l, true), "");
  EXPECT_EQ(l.at(0).lost(0), 1u);
  l.at(0).ends[0].taken = 7;
  EXPECT_THAT(check(l, false), HasSubstr("arrive twice"));

  // Behind a refused request: 10 words, of which failure 3 finds one on the wire, and failure 4 stops one before it,
  // as it turns out when two had been announced; one is discarded elsewhere.
  WordLedger r = ledger(10, 8, 7, Outcome::refused);
  r.lost_on_link(host.sw, host.port, 0, 3, 1);
  r.stopped(host.sw, host.port, 0, 4, 2);
  r.stopped(host.sw, host.port, 0, 4, -1);
  EXPECT_EQ(check(r, true), "");
  EXPECT_EQ(r.at(0).lost(0), 2u);
  EXPECT_EQ(r.at(0).refused(0), 1u);
  EXPECT_EQ(r.at(0).fault_loss(3).on_links, 1u);
  EXPECT_EQ(r.at(0).fault_loss(4).stopped, 1u);
  r.stopped(host.sw, host.port, 0, 4, 2);
  EXPECT_THAT(check(r, true), HasSubstr("more words leave the switches than were sent"));
}

}  // namespace
}  // namespace weft::test
