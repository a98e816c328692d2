// Circuits that come and go: times that follow by hand, races, failures, and random networks.

#include "network/topology/topologies.h"
#include "support/setup_runs.h"

namespace weft::test {
namespace {

using nlohmann::json;

json run(const SetupCase& setup, std::optional<std::uint64_t> shuffle = {}) { return setup_in_child(setup, shuffle); }

// On an idle line of k switches every moment follows: the request reaches the first switch after the host link, each
// switch works on it for t_proc, the acceptance comes back without work.
TEST(SetupProtocol, TimesOnAnIdleLine) {
  for (const std::uint32_t k : {1U, 2U, 5U}) {
    for (const Cycle t_proc : {1, 7}) {
      for (const Cycle serdes : {0, 3}) {
        for (const Cycle pipeline : {0, 2}) {
          constexpr Cycle kSlots = 8;
          SetupCase c = line(std::max(k, 2U), kSlots);
          c.setup.processing = t_proc;
          c.tdm_switch.serdes = serdes;
          c.tdm_switch.pipeline = pipeline;
          c.flows = {one_message(0, k - 1, 3, 5)};
          if (k == 1) continue;  // one node per switch on a line
          const json o = run(c);
          ASSERT_EQ(o["failure"], "");
          const json f = o["flows"][0]["circuits"][0];
          const Cycle host = std::max<Cycle>(1, pipeline);
          const Cycle link = std::max<Cycle>(1, pipeline + serdes);
          const Cycle first_done = 5 + host + t_proc;
          EXPECT_EQ(f["requested"], 5);
          EXPECT_EQ(f["ack"], first_done + host);
          EXPECT_EQ(f["accepted"], 5 + 4 * host + k * t_proc + 2 * (k - 1) * link);
          // The first slot-0 cycle after the ACK that finds every table in force: switch i has done at
          // first_done + i * (link + t_proc), its table is written one cycle later and in force at the next frame
          // boundary; a word leaves it i hops and a frame after it left the host.
          const Cycle hop = kSlots * ((pipeline + serdes) / kSlots + 1);
          Cycle start = first_done + host + 1;
          for (Cycle i = 0; i < k; ++i) {
            const Cycle written = first_done + i * (link + t_proc) + 1;
            const Cycle in_force = (written + kSlots - 1) / kSlots * kSlots;
            start = std::max(start, in_force - kSlots - i * hop);
          }
          const Cycle first_word = (start + kSlots - 1) / kSlots * kSlots;
          EXPECT_EQ(f["first"], first_word);
          EXPECT_EQ(o["flows"][0]["delivered_at"], first_word + 2 * kSlots + kSlots + (k - 1) * hop + pipeline);
          EXPECT_EQ(o["flows"][0]["sent"], 3);
        }
      }
    }
  }
}

// Two sources ask for the last slot of one link in the same cycle: one gets it, the other gets it after the release.
TEST(SetupProtocol, TwoRequestsForTheLastSlot) {
  SetupCase c = line(3, 2);
  c.flows = {one_message(0, 2, 40, 0, 2), one_message(1, 2, 40, 2, 2)};
  for (Cycle second = 0; second < 12; ++second) {
    c.flows[1].start = second;
    const json o = run(c);
    ASSERT_EQ(o["failure"], "") << second;
    const json a = o["flows"][0];
    const json b = o["flows"][1];
    EXPECT_EQ(a["received"], 40);
    EXPECT_EQ(b["received"], 40);
    const auto refused = a["no_slots"].get<int>() + b["no_slots"].get<int>();
    EXPECT_GE(refused, 1) << second;
    // What was sent behind a refused request, and nothing else, was sent again.
    EXPECT_EQ(a["refused_words"], a["resent"]);
    EXPECT_EQ(b["refused_words"], b["resent"]);
    const json first = a["circuits"][0];
    const json other = b["circuits"][0];
    EXPECT_TRUE(first["ended"] < other["first"] || other["ended"] < first["first"]) << second;
  }
}

// The far link is taken: the first switch's ACK lets words go that are discarded and sent again.
TEST(SetupProtocol, WordsBehindARefusedRequestAreSentAgain) {
  SetupCase c = line(6, 4);
  c.setup.processing = 4;
  c.flows = {one_message(4, 5, 400, 0, 4), one_message(0, 5, 10, 100)};
  const json o = run(c);
  ASSERT_EQ(o["failure"], "");
  const json f = o["flows"][1];
  EXPECT_GT(f["no_slots"], 0);
  EXPECT_GT(f["refused_words"], 0);
  EXPECT_EQ(f["resent"], f["refused_words"]);
  EXPECT_EQ(f["sent"].get<int>(), 10 + f["refused_words"].get<int>());
  EXPECT_EQ(f["received"], 10);
}

// The first switch's register still holds the last word that the host sent behind a refused request; the next circuit
// of that host, in the same slot, must not send it.
TEST(SetupProtocol, TheLastWordBehindARefusalGoesNowhere) {
  for (const Cycle refused : {10, 11}) {
    for (Cycle start = 18; start < 26; ++start) {
      SetupCase c = line(4, 2);
      c.setup.backoff = 2;
      c.setup.tries = 40;
      c.flows = {one_message(2, 3, 150, 0, 2), one_message(0, 3, 90, refused), one_message(0, 1, 150, 13),
                 one_message(0, 1, 5, start)};
      const json o = run(c);
      ASSERT_EQ(o["failure"], "") << "refused " << refused << " start " << start;
    }
  }
}

// Switch 1 is slow to take out the entry of a circuit from 0 to 1, since it is busy with the table of another one. The
// next circuit of that slot of link 0-1 goes on to switch 3; what its source sends at once must not follow the old
// entry to the host of 1 (which would stop the run).
TEST(SetupProtocol, ASlotIsNotGivenAwayBeforeTheEntriesBehindItAreGone) {
  std::uint64_t refused = 0;
  for (Cycle busy = 40; busy <= 60; busy += 4) {
    for (Cycle next = 89; next < 120; next += 6) {
      SetupCase c = line(4, 5);
      c.tdm_switch.reconfiguration = 12;
      c.setup.processing = 4;
      c.setup.backoff = 5;
      c.flows = {one_message(0, 1, 8), one_message(1, 2, 30, busy, 4), one_message(0, 3, 20, next)};
      const json o = run(c);
      ASSERT_EQ(o["failure"], "") << "busy from " << busy << ", next from " << next;
      refused += o["flows"][2]["refused_words"].get<std::uint64_t>();
      for (const json& f : o["flows"]) EXPECT_EQ(f["dropped"], 0);
    }
  }
  EXPECT_GT(refused, 20U);
}

// The link fails and is repaired at once. The host of 1 goes on sending until its switch, slow at its messages, tells
// it; until then nobody else may have these slots of the host's link.
TEST(SetupProtocol, AHostThatHasNotHeardOfAFailureKeepsItsSlots) {
  for (Cycle other = 70; other < 100; other += 2) {  // two requests that its switch serves before that message
    SetupCase c = line(2, 4);
    c.tdm_switch.pipeline = 2;
    c.setup.processing = 15;
    c.setup.backoff = 4;
    c.flows = {one_message(1, 0, 60), one_message(1, 0, 10, other), one_message(1, 0, 10, other)};
    Fault f;
    f.a = 1;
    f.b = 0;
    f.at = 100;
    f.recover = 102;
    c.faults = {f};
    const json o = run(c);
    ASSERT_EQ(o["failure"], "") << other;
    EXPECT_EQ(o["flows"][0]["received"], 60);
    EXPECT_GE(o["flows"][0]["lost"], 1);
  }
}

// A route of the other order of dimensions is taken when the first is full.
TEST(SetupProtocol, AnotherRouteOfTheSameLength) {
  SetupCase c = line(2, 2);
  c.topology = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{3, 2}}});
  c.flows = {one_message(1, 2, 200, 0, 2), one_message(0, 5, 10, 40)};
  const json o = run(c);
  ASSERT_EQ(o["failure"], "");
  const json f = o["flows"][1];
  EXPECT_EQ(f["no_slots"], 1);
  EXPECT_EQ(f["circuits"][0]["via"], 3);  // the first route, x before y, goes by switch 1
  EXPECT_EQ(f["circuits"][0]["tries"], 2);
}

// With one slot allowed the source has that one or none. Flow b finds slot 2 taken although others are free.
TEST(SetupProtocol, AskingForCertainSlots) {
  SetupCase c = line(3, 8);
  c.flows = {one_message(0, 2, 20, 0, 2), one_message(1, 2, 5, 30)};
  c.flows[0].allowed = SlotSet(8, 0b00010100);  // 2 and 4
  c.flows[1].allowed = SlotSet(8, 0b00000100);
  const json o = run(c);
  ASSERT_EQ(o["failure"], "");
  EXPECT_EQ(o["flows"][0]["circuits"][0]["slots"], "00010100");
  EXPECT_EQ(o["flows"][1]["circuits"][0]["slots"], "00000100");
  EXPECT_GE(o["flows"][1]["no_slots"], 1);
  EXPECT_GT(o["flows"][1]["circuits"][0]["first"], o["flows"][0]["circuits"][0]["ended"]);
}

// A flow with an end sends in every cycle of its slot before it, whatever is left of its message.
TEST(SetupProtocol, AFlowEnds) {
  for (Cycle end = 30; end < 50; ++end) {
    SetupCase c = line(3, 8);
    c.flows = {one_message(0, 2, 1000, 5)};
    c.flows[0].end = end;
    const json o = run(c);
    ASSERT_EQ(o["failure"], "");
    const json f = o["flows"][0];
    // Asked in 5, ACK in 5 + 2 * 1 + 1 = 8; slot 0, so the first word leaves in 16 (TimesOnAnIdleLine).
    ASSERT_EQ(f["circuits"][0]["first"], 16);
    EXPECT_EQ(f["received"].get<Cycle>(), (end - 16 + 7) / 8) << end;
    EXPECT_EQ(f["circuits"][0]["ended"], end - 1);
  }
}

// Data would run ahead of a slow request: the source waits so long that it does not, and nothing is lost.
TEST(SetupProtocol, WordsDoNotOvertakeTheirRequest) {
  SetupCase c = line(8, 2);
  c.setup.processing = 50;
  c.flows = {one_message(0, 7, 20)};
  const json o = run(c);
  ASSERT_EQ(o["failure"], "");
  const json f = o["flows"][0];
  EXPECT_EQ(f["requests"], 1);
  EXPECT_EQ(f["sent"], 20);
  EXPECT_GT(f["circuits"][0]["first"], f["circuits"][0]["ack"].get<Cycle>() + 7 * 40);
}

TEST(SetupProtocol, SlotsAreAddedAndGivenBack) {
  SetupCase c = line(3, 8);
  c.flows = {one_message(0, 2, 400, 0, 1)};
  c.flows[0].changes = {{100, 4}, {400, 2}};
  const json o = run(c);
  ASSERT_EQ(o["failure"], "");
  const json f = o["flows"][0];
  EXPECT_EQ(f["received"], 400);
  EXPECT_EQ(f["sent"], 400);
  ASSERT_EQ(f["circuits"].size(), 2);
  EXPECT_EQ(f["circuits"][0]["slots"], "00000001");
  EXPECT_EQ(f["circuits"][1]["slots"], "00001110");
  EXPECT_TRUE(f["circuits"][1]["further"]);
  // 1 word per frame to about 100, 4 to 400, 2 after that: 12 + 4 * 37 + 2 * x = 400.
  EXPECT_NEAR(f["delivered_at"].get<double>(), 400 + (400 - 12 - 150) / 2 * 8, 80);
}

TEST(SetupProtocol, AFailedLinkIsGoneRoundAndEverythingArrivesOnce) {
  SetupCase c = line(2, 4);
  c.topology = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{2, 2}}});
  c.flows = {one_message(0, 3, 200, 0, 2)};
  Fault f;
  f.a = 0;
  f.b = 1;
  f.at = 150;
  c.faults = {f};
  const json o = run(c);
  ASSERT_EQ(o["failure"], "");
  const json l = o["flows"][0];
  EXPECT_EQ(l["lost"], 1);
  EXPECT_EQ(l["received"], 200);
  ASSERT_EQ(l["circuits"].size(), 2);
  EXPECT_EQ(l["circuits"][0]["via"], 1);
  EXPECT_EQ(l["circuits"][1]["via"], 2);
  EXPECT_TRUE(l["circuits"][0]["lost"]);
  EXPECT_EQ(l["dark"], l["circuits"][1]["first"].get<Cycle>() - 150);
  EXPECT_EQ(l["circuits"][1]["first"].get<Cycle>() / 4 * 4 >= l["circuits"][1]["accepted"].get<Cycle>() / 4 * 4, true);
}

// Long wires: whatever message is on its way in the cycle of a short failure is lost, and nothing is held because of
// it.
TEST(SetupProtocol, MessagesOnTheWayAreLostWithTheirLink) {
  for (const bool whole_switch : {false, true}) {
    for (Cycle at = 1; at < 150; at += 3) {
      SetupCase c = line(3, 2);
      c.tdm_switch.pipeline = 7;
      c.tdm_switch.serdes = 8;
      c.flows = {one_message(0, 2, 12), one_message(2, 0, 12, 4)};
      Fault f;
      f.a = 1;
      if (!whole_switch) f.b = 2;
      f.at = at;
      f.recover = at + 1;
      c.faults = {f};
      const json o = run(c);
      ASSERT_EQ(o["failure"], "") << "failure in cycle " << at;
      for (const json& l : o["flows"]) EXPECT_EQ(l["received"], 12) << "failure in cycle " << at;
    }
  }
}

TEST(SetupProtocol, AFlowWaitsForTheRepairOfItsOnlyWay) {
  SetupCase c = line(3, 4);
  c.flows = {one_message(0, 2, 100), one_message(2, 0, 100)};
  Fault f;
  f.a = 1;
  f.at = 100;
  f.recover = 3000;
  c.faults = {f};
  const json o = run(c);
  ASSERT_EQ(o["failure"], "");
  for (const json& l : o["flows"]) {
    EXPECT_EQ(l["received"], 100);
    EXPECT_GT(l["down"], 0);
    EXPECT_GT(l["dark"], 2900);
  }
}

TEST(SetupProtocol, AFlowIsGivenUpAfterItsTries) {
  SetupCase c = line(3, 4);
  c.setup.tries = 5;
  c.flows = {one_message(0, 2, 100)};
  Fault f;
  f.a = 1;
  f.b = 2;
  f.at = 100;
  c.faults = {f};
  const json o = run(c);
  ASSERT_EQ(o["failure"], "");
  EXPECT_TRUE(o["flows"][0]["given_up"]);
  EXPECT_EQ(o["flows"][0]["down"], 5);
  EXPECT_LT(o["flows"][0]["received"], 100);
}

// Whatever comes together: no slot with two owners, slot LUTs that agree with the circuits in every cycle, every word
// of a flow that is not cut off or given up exactly once, and the same run whatever the order of modules in a cycle.
TEST(SetupProtocol, RandomNetworks) { expect_all_kinds(soak_setup(Random::plain)); }

}  // namespace
}  // namespace weft::test
