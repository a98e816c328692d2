// Report on circuits that come and go: failures one by one, slots asked for and given back, and that
// every word is accounted for.

#include "base/diagnostics.h"
#include "fabrics/tdm/setup/word_ledger.h"
#include "network/topology/build_topology.h"
#include "network/topology/topology_config.h"
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
traffic: { message: 340B, messages: 10 }
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
    by_flow +=
        f["words_lost_on_links"].get<int>() + f["words_lost_in_switches"].get<int>() + f["words_astray"].get<int>();
  }
  EXPECT_EQ(by_failure, lost);
  EXPECT_EQ(by_flow, lost);
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
    EXPECT_GE(c["asked"].get<double>(), a.size() == 1 ? 1000 : 3000);
  }
  EXPECT_THAT(a, testing::ElementsAre("1 -> 3 (3): added", "3 -> 2 (2): given back"));
  EXPECT_TRUE(refused) << "b cannot have all four slots of link 2-3 while a has two of them";
}

// The account of a circuit of request 1 over the last switch of a line, and what is wrong with it when a word is
// missing.
TEST(WordLedger, NoticesALeak) {
  TopologyConfig topology;
  topology.dims = {2};
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
