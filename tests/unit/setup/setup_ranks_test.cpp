// Parts of a network in which circuits come and go: state of a link between two ranks, messages as they cross it, times
// of messages that are generated elsewhere.

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/slots/slot_set.h"
#include "base/diagnostics.h"
#include "fabrics/tdm/setup/circuit_route.h"
#include "fabrics/tdm/setup/link_availability.h"
#include "fabrics/tdm/setup/message_times.h"
#include "fabrics/tdm/setup/ranks/setup_wire.h"
#include "fabrics/tdm/setup/word_ledger.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "parallel/cut_links.h"

namespace weft {
namespace {

TEST(SetupRanks, ALinkIsUsableOnceCircuitsHaveDrainedAtBothEnds) {
  const Graph graph = build_topology(topology_config("mesh", {{"dims", std::vector<std::uint32_t>{2}}}));
  LinkAvailability links(graph);
  const LinkId link = links.at(0, 0);
  std::vector<Cycle> restored;
  links.on_restored([&](LinkId, Cycle from) { restored.push_back(from); });
  links.fail(link, 10, 0);
  links.drain_begins(link);
  links.drains_elsewhere(link, 2, 11);
  EXPECT_FALSE(links.waits_for_drain(link));  // the failure keeps it
  links.repair(link, 20, 0);
  EXPECT_TRUE(links.waits_for_drain(link));
  links.drain_ends(link, 22);
  links.drains_elsewhere(link, 1, 23);
  EXPECT_TRUE(links.waits_for_drain(link));
  EXPECT_TRUE(restored.empty());
  links.drains_elsewhere(link, 0, 25);
  EXPECT_EQ(restored, std::vector<Cycle>{26});
  EXPECT_FALSE(links.usable(link, 25));
  EXPECT_TRUE(links.usable(link, 26));
}

TEST(SetupRanks, AMessageIsTheSameBehindACut) {
  const auto route = std::make_shared<CircuitRoute>();
  const FlowRoutes routes{{}, {std::make_shared<CircuitRoute>(), route}};
  SetupMessage m;
  m.kind = SetupMessage::Kind::teardown;
  m.key = {1, 17};
  m.route = route;
  m.hop = 3;
  m.wanted = 4;
  m.common = make_slot_set(70, {0, 63, 64, 69});
  m.slots = SlotSet();
  m.start = 1000;
  m.hold = 5;
  m.cause = TeardownCause::late;
  m.forward = true;
  m.failed_at = 99;
  m.fault = 7;
  m.late_by = 12;
  m.withdrawn = true;
  m.at = 8;
  m.cleared = 1234;
  m.words = std::uint64_t{1} << 40;
  m.circuit = 16;
  m.sent = 998;
  ByteBuffer bytes;
  ByteWriter out(bytes);
  write_setup_message(out, m, routes);
  ByteReader in{std::span<const std::byte>(bytes)};
  const SetupMessage r = read_setup_message(in, routes);
  EXPECT_TRUE(in.empty());
  EXPECT_EQ(r.kind, m.kind);
  EXPECT_EQ(r.key, m.key);
  EXPECT_EQ(r.route, m.route);
  EXPECT_EQ(r.common, m.common);
  EXPECT_EQ(r.slots, m.slots);
  EXPECT_EQ(std::vector<Cycle>({r.start, r.hold, r.failed_at, r.late_by, r.cleared, r.sent}),
            std::vector<Cycle>({m.start, m.hold, m.failed_at, m.late_by, m.cleared, m.sent}));
  EXPECT_EQ(std::vector<std::uint32_t>({r.hop, r.wanted, r.fault, r.at, r.circuit}),
            std::vector<std::uint32_t>({m.hop, m.wanted, m.fault, m.at, m.circuit}));
  EXPECT_EQ(r.cause, m.cause);
  EXPECT_TRUE(r.forward && r.withdrawn);
  EXPECT_EQ(r.words, m.words);
  const CircuitRoute other;
  EXPECT_THROW(place_of_route(routes, 1, &other), RunError);
}

TEST(SetupRanks, TimesOfMessagesFromElsewhereComeInAnyOrder) {
  TimedFlow flow;
  flow.destinations = {1, 2};
  MessageTimes times({flow});
  times.is_elsewhere(0, 1);
  times.learn(0, 1, 50);
  times.learn(0, 0, 40);
  times.arrive({0, 0, 0, times.generated(0, 0), 45, 60, 70});
  times.arrive({0, 0, 1, times.generated(0, 1), 50, 80, 90});
  times.learn(0, 0, 40);  // sent again for the sake of the other destination
  EXPECT_EQ(times.arrived(0, 0), 2U);
  EXPECT_EQ(times.generated(0, 1), -1);
  EXPECT_EQ(times.all().messages(), 2U);
  EXPECT_DOUBLE_EQ(*times.latency(0, 0).figures(Duration{1000}).mean, (30.0 + 40.0) / 2);
}

TEST(SetupRanks, AccountsOfACircuitAddUp) {
  const auto route = std::make_shared<CircuitRoute>();
  route->destinations = {3};
  const Graph graph = build_topology(topology_config("mesh", {{"dims", std::vector<std::uint32_t>{2}}}));
  WordLedger source(graph);
  WordLedger far(graph);
  WordAccount& sent = source.at(source.open(0, 1, route));
  sent.sent = 10;
  sent.outcome = WordAccount::Outcome::lost;
  sent.fault = 2;
  const std::uint32_t account = far.of_circuit(0, 1, route);
  EXPECT_EQ(far.of_circuit(0, 1, route), account);
  EXPECT_FALSE(far.known(6));
  far.begin_run(6, account);
  EXPECT_TRUE(far.known(6));
  EXPECT_FALSE(far.known(5));
  WordAccount::End& end = far.at(account).ends.front();
  end.left = end.arrived = end.taken = 7;
  end.lost_inside = 3;
  far.at(account).fault_loss(2).on_links = 3;
  WordAccount all = far.at(account);
  all.add(source.accounts().front());
  EXPECT_EQ(all.outcome, WordAccount::Outcome::lost);
  EXPECT_EQ(all.fault, 2U);
  EXPECT_EQ(all.sent, 10U);
  far.set_accounts({all});
  EXPECT_EQ(far.check(true, [](std::uint32_t) { return std::string("flow"); }), "");
}

}  // namespace
}  // namespace weft
