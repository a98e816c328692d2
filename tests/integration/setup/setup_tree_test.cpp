// Circuits that come and go to several destinations at once: times that follow by hand, branches that are refused,
// races, failures of a branch at every moment of a circuit's life, and random networks.

#include "fabrics/tdm/setup/branch_answers.h"
#include "network/topology/topologies.h"
#include "support/setup_runs.h"

namespace weft::test {
namespace {

using nlohmann::json;

json run_tree(const SetupCase& setup, std::optional<std::uint64_t> shuffle = {}) {
  return setup_in_child(setup, shuffle);
}

SetupCase mesh(std::uint32_t x, std::uint32_t y, std::uint32_t slots) {
  SetupCase c = line(2, slots);
  c.topology = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{x, y}}});
  return c;
}

Fault link_fault(SwitchId a, SwitchId b, Cycle at, Cycle recover = -1) {
  Fault f;
  f.a = a;
  f.b = b;
  f.at = at;
  f.recover = recover;
  return f;
}

/// How often switch `sw` is asked in cycle `cycle` which slots of row `row` are free.
std::size_t queries(const json& o, Cycle cycle, SwitchId sw, std::uint32_t row) {
  const std::string line = fmt::format("{:8} sw[{}] row {} kind {} ", cycle, sw, row, int{0});
  std::size_t n = 0;
  const std::string trace = o["trace"];
  for (std::size_t at = trace.find(line); at != std::string::npos; at = trace.find(line, at + 1)) ++n;
  return n;
}

// From node 1 of a line to both sides: the route to node 0 has two switches, that to node k + 1 has k + 1. Nobody forks
// but the first switch. The acceptance is that of the longer route, and every word leaves once and arrives twice.
TEST(SetupTree, TimesOnAnIdleLine) {
  for (const std::uint32_t k : {1U, 3U}) {
    for (const Cycle t_proc : {1, 6}) {
      for (const Cycle serdes : {0, 3}) {
        for (const Cycle pipeline : {0, 2}) {
          constexpr Cycle kSlots = 8;
          SetupCase c = line(k + 2, kSlots);
          c.setup.processing = t_proc;
          c.tdm_switch.serdes = serdes;
          c.tdm_switch.pipeline = pipeline;
          c.flows = {multicast(1, {0, k + 1}, 3, 5)};
          const json o = run_tree(c);
          ASSERT_EQ(o["failure"], "");
          const json f = o["flows"][0];
          const Cycle host = std::max<Cycle>(1, pipeline);
          const Cycle link = std::max<Cycle>(1, pipeline + serdes);
          const Cycle first_done = 5 + host + t_proc;
          const Cycle longest = k + 1;  // switches
          EXPECT_EQ(f["requests"], 1);
          EXPECT_EQ(f["circuits"][0]["ack"], first_done + host);
          EXPECT_EQ(f["circuits"][0]["accepted"], 5 + 4 * host + longest * t_proc + 2 * (longest - 1) * link);
          const Cycle hop = kSlots * ((pipeline + serdes) / kSlots + 1);
          Cycle start = first_done + host + 1;
          for (Cycle i = 0; i < longest; ++i) {
            const Cycle written = first_done + i * (link + t_proc) + 1;
            start = std::max(start, (written + kSlots - 1) / kSlots * kSlots - kSlots - i * hop);
          }
          const Cycle first_word = (start + kSlots - 1) / kSlots * kSlots;
          EXPECT_EQ(f["circuits"][0]["first"], first_word);
          const std::vector<Cycle> switches{2, longest};
          for (std::size_t d = 0; d < 2; ++d) {
            const Cycle arrives = first_word + kSlots + (switches[d] - 1) * hop + pipeline;
            EXPECT_EQ(f["ends"][d]["first_word"], arrives);
            EXPECT_EQ(f["ends"][d]["delivered_at"], arrives + 2 * kSlots);
            EXPECT_EQ(f["ends"][d]["received"], 3);
            EXPECT_EQ(f["ends"][d]["dropped"], 0);
          }
          EXPECT_EQ(f["sent"], 3);
        }
      }
    }
  }
}

// 0 - 1 - 2 and 4 below 1: the circuit forks at switch 1. Node 5 holds both slots of the host of 4, so that switch 4
// refuses. Asked in 100; switch 0 has done in 102, 1 in 104, 2 and 4 in 106. The teardown is at switch 1 in 107 and
// served in 108; the withdrawal at switch 2 in 109, served in 110, answered at switch 1 in 111, served in 112; at
// switch 0 in 113, served in 114; the source knows in 115, waits for one cycle, and asks again in 116.
TEST(SetupTree, OneBranchIsRefused) {
  SetupCase c = mesh(3, 2, 2);
  c.setup.backoff = 1;
  c.setup.routes = 1;
  c.flows = {multicast(5, {4}, 400, 0, 2), multicast(0, {2, 4}, 10, 100)};
  const json o = run_tree(c);
  ASSERT_EQ(o["failure"], "");
  const json f = o["flows"][1];
  EXPECT_GE(f["no_slots"], 1);
  EXPECT_EQ(queries(o, 102, 0, 1), 1);  // output 1, +x
  EXPECT_EQ(queries(o, 104, 1, 1), 1);
  EXPECT_EQ(queries(o, 104, 1, 3), 1);
  EXPECT_EQ(queries(o, 106, 2, 0), 1);
  EXPECT_EQ(queries(o, 106, 4, 0), 1);
  EXPECT_EQ(queries(o, 118, 0, 1), 1);
  // The first word left in 104 and is at node 2 in 110, while the entry of switch 2 is still in force; at switch 4 it
  // has no route. Sent again, it is dropped by node 2.
  EXPECT_EQ(f["ends"][0]["first_word"], 110);
  EXPECT_GT(f["refused_words"], 0);
  EXPECT_GT(f["ends"][0]["dropped"], 0);
  EXPECT_EQ(f["ends"][1]["dropped"], 0);
  for (const json& e : f["ends"]) EXPECT_EQ(e["received"], 10);
  EXPECT_EQ(f["sent"].get<int>(), 10 + f["refused_words"].get<int>());
}

// Node 1 is near, node 11 is far and its host is taken at first: node 1 gets many words before the refusal is back at
// the source, more than are sent until the acceptance of the next circuit. It must not confirm the release of that one
// because it has the words, but when they have come again: messages are faster than words, and what is still under way
// would find no entry.
TEST(SetupTree, AReleaseWaitsForWordsThatComeAgain) {
  std::uint64_t dropped = 0;
  for (std::uint32_t words = 4; words < 130; words += 3) {
    SetupCase c = line(12, 8);
    c.setup.processing = 3;
    c.setup.backoff = 2;
    c.setup.routes = 1;
    c.flows = {multicast(10, {11}, 300, 0, 8), multicast(4, {1, 11}, words, 100, 4)};
    const json o = run_tree(c);
    ASSERT_EQ(o["failure"], "") << words;
    for (const json& e : o["flows"][1]["ends"]) EXPECT_EQ(e["received"], words);
    dropped += o["flows"][1]["ends"][0]["dropped"].get<std::uint64_t>();
  }
  EXPECT_GT(dropped, 100U);
}

// Two trees want both slots of the links they share, in every order: one after the other has them.
TEST(SetupTree, TwoTreesForTheLastSlot) {
  for (Cycle second = 0; second < 24; ++second) {
    SetupCase c = mesh(3, 3, 2);
    c.setup.processing = 1 + second % 3;
    c.flows = {multicast(0, {2, 8, 6}, 20, 8, 2), multicast(4, {8, 2, 0}, 20, second, 2)};
    const json o = run_tree(c);
    ASSERT_EQ(o["failure"], "") << second;
    for (const json& f : o["flows"]) {
      for (const json& e : f["ends"]) EXPECT_EQ(e["received"], 20) << second;
    }
    const json a = o["flows"][0]["circuits"][0];
    const json b = o["flows"][1]["circuits"][0];
    EXPECT_TRUE(a["ended"] < b["accepted"] || b["ended"] < a["accepted"]) << second;
  }
}

// y before x goes round the full link 0 - 1.
TEST(SetupTree, AnotherTreeOfTheSameLength) {
  SetupCase c = mesh(3, 3, 2);
  c.flows = {multicast(0, {1}, 300, 0, 2), multicast(0, {4, 8}, 10, 40)};
  c.flows[0].source = 0;
  const json full = run_tree(c);
  ASSERT_EQ(full["failure"], "");
  EXPECT_GT(full["flows"][1]["no_slots"], 0) << "the host's own input is full: no tree helps";
  c.flows[0] = multicast(1, {2}, 300, 0, 2);
  c.flows[1] = multicast(0, {2, 5, 8}, 10, 40);  // x first: by 1 - 2; y first: 2 still by 1 - 2
  const json half = run_tree(c);
  ASSERT_EQ(half["failure"], "");
  EXPECT_GT(half["flows"][1]["no_slots"], 1) << "there is one route to 2";
  c.flows[1] = multicast(0, {4, 5, 8}, 10, 40);  // x first: 1 - 4, 1 - 2 - 5; y first: 3 - 4 - 5
  const json o = run_tree(c);
  ASSERT_EQ(o["failure"], "");
  EXPECT_EQ(o["flows"][1]["no_slots"], 1);
  EXPECT_EQ(o["flows"][1]["circuits"][0]["via"], 3);
  EXPECT_EQ(o["flows"][1]["circuits"][0]["tries"], 2);
}

TEST(SetupTree, SlotsAreAddedAndGivenBack) {
  SetupCase c = mesh(3, 2, 8);
  c.flows = {multicast(0, {2, 4, 1}, 400, 0, 1)};
  c.flows[0].changes = {{100, 4}, {400, 2}};
  const json o = run_tree(c);
  ASSERT_EQ(o["failure"], "");
  const json f = o["flows"][0];
  EXPECT_EQ(f["sent"], 400);
  ASSERT_EQ(f["circuits"].size(), 2);
  EXPECT_EQ(f["circuits"][1]["slots"], "00001110");
  for (const json& e : f["ends"]) {
    EXPECT_EQ(e["received"], 400);
    EXPECT_EQ(e["dropped"], 0);
  }
}

// A branch of the tree dies in every cycle of its life: while it is set up, while it is there, while it is given back;
// for good, with another route to go, or for a moment. Both destinations get every word once.
TEST(SetupTree, ABranchDies) {
  for (const Cycle repaired_after : {-1, 1, 40}) {
    for (Cycle at = 1; at < 190; at += repaired_after == 1 ? 2 : 5) {
      SetupCase c = mesh(3, 2, 4);
      c.setup.processing = 3;
      c.tdm_switch.serdes = 2;
      c.setup.backoff = 9;
      c.flows = {multicast(0, {2, 5}, 20, 0), multicast(3, {1, 5, 2}, 8, 30, 2)};
      c.faults = {link_fault(2, 5, at, repaired_after < 0 ? -1 : at + repaired_after)};
      const json o = run_tree(c);
      ASSERT_EQ(o["failure"], "") << "failure in cycle " << at;
      for (const json& f : o["flows"]) {
        for (const json& e : f["ends"]) EXPECT_EQ(e["received"], f == o["flows"][0] ? 20 : 8) << at;
      }
    }
  }
}

// A withdrawn request has no record left while its entries are still in force and its source still sends: a failure of
// a few cycles then takes words, and those behind the gap are dropped.
TEST(SetupTree, AShortFailureHitsWordsBehindAWithdrawnRequest) {
  for (Cycle at = 60; at < 90; ++at) {
    for (const Cycle length : {1, 2, 3}) {
      SetupCase c = mesh(4, 1, 2);
      c.tdm_switch.serdes = 2;
      c.tdm_switch.reconfiguration = 8;
      c.flows = {one_message(3, 2, 200, 0, 2), multicast(0, {1, 2}, 120, 60)};
      c.faults = {link_fault(1, kNoId, at, at + length)};
      c.faults[0].port = 0;  // that of the node
      const json o = run_tree(c);
      ASSERT_EQ(o["failure"], "") << "failure in cycle " << at << " for " << length;
      for (const json& e : o["flows"][1]["ends"]) EXPECT_EQ(e["received"], 120) << at;
    }
  }
}

SetupMessage refusal(TeardownCause cause, unsigned long common, Cycle late_by = 0, Cycle cleared = 0) {
  SetupMessage m;
  m.kind = SetupMessage::Kind::teardown;
  m.cause = cause;
  m.common = SlotSet(8, common);
  m.late_by = late_by;
  m.cleared = cleared;
  return m;
}

TEST(BranchAnswers, AcceptsWhenAllHaveAndNamesTheFewestWords) {
  BranchAnswers a(3);
  SetupMessage m;
  m.kind = SetupMessage::Kind::accept;
  m.words = 7;
  EXPECT_FALSE(a.accepted(2, m));
  m.words = 4;
  EXPECT_FALSE(a.accepted(0, m));
  m.words = 9;
  const auto all = a.accepted(1, m);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->words, 4u);
}

TEST(BranchAnswers, ARefusalComesWhenAllHaveEnded) {
  BranchAnswers a(3);
  SetupMessage accept;
  accept.kind = SetupMessage::Kind::accept;
  EXPECT_FALSE(a.accepted(0, accept));
  EXPECT_FALSE(a.withdrawing());
  EXPECT_FALSE(a.ended(1, refusal(TeardownCause::late, 0b1111, 5, 40)));
  EXPECT_TRUE(a.withdrawing());
  EXPECT_FALSE(a.accepted(2, accept)) << "on its way when the branch was withdrawn";
  SetupMessage withdrawn;
  withdrawn.kind = SetupMessage::Kind::teardown;
  withdrawn.withdrawn = true;
  withdrawn.cleared = 70;
  EXPECT_FALSE(a.ended(0, withdrawn));
  const auto all = a.ended(2, refusal(TeardownCause::no_slots, 0b0110, 0, 60));
  ASSERT_TRUE(all);
  EXPECT_EQ(all->cause, TeardownCause::no_slots) << "what is taken counts before what is late";
  EXPECT_EQ(all->common, SlotSet(8, 0b0110));
  EXPECT_EQ(all->late_by, 5);
  EXPECT_EQ(all->cleared, 70);
  EXPECT_FALSE(all->withdrawn);
}

TEST(BranchAnswers, ReleasesOfDifferentSlotsAreKeptApart) {
  BranchAnswers a(2);
  SetupMessage few;
  few.kind = SetupMessage::Kind::released;
  few.slots = SlotSet(8, 0b100);
  few.cleared = 10;
  SetupMessage rest = few;
  rest.slots = SlotSet(8, 0b011);
  EXPECT_FALSE(a.released(0, few));
  EXPECT_FALSE(a.released(0, rest));
  few.cleared = 12;
  const auto first = a.released(1, few);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->slots, few.slots);
  EXPECT_EQ(first->cleared, 12);
  const auto second = a.released(1, rest);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->slots, rest.slots);
}

// Whatever comes together, as in SetupProtocol.RandomNetworks, with trees among the circuits.
TEST(SetupTree, RandomNetworks) {
  const SetupSoak sums = soak_setup(Random::multicasts);
  if (!sums.all) return;
  EXPECT_GT(sums.flows, 100U);
  EXPECT_GT(sums.refused + sums.late, 60U);
  EXPECT_GT(sums.lost, 20U);
  EXPECT_GT(sums.dropped, 20U);
  EXPECT_GT(sums.taken_of_refused, 0U);
  EXPECT_GT(sums.further, 20U);
}

}  // namespace
}  // namespace weft::test
