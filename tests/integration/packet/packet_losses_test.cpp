// The books of runs in which links fail: which fault, level and flow a loss belongs to, what was rerouted, and which
// faults are told to have no effect.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/fault_runs.h"

namespace weft::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The message of one_message(): on the wire between the switches from cycle 16 on; before, it has no route.
TEST(PacketFaults, LossesBelongToTheFaultThatCausedThem) {
  const auto cells = [](const PacketOutcome& r, std::size_t line) {
    std::vector<int> out;
    for (const char* c : {"cut_messages", "cut_flits", "no_way_messages", "no_way_flits"}) {
      out.push_back(r.cell("faults", line, c).get<int>());
    }
    return out;
  };
  const std::string other = "{ at: 'nic[0]', down: 100cycles }";
  for (const char* place : {"sw[0].port1", "sw[1].port2", "sw[1]", "sw[0]-sw[1]", "sw[1]-sw[0]"}) {
    for (const int down : {5, 20}) {
      const PacketOutcome r = one_message(fmt::format("[ {}, {{ at: '{}', down: {}cycles }} ]", other, place, down));
      ASSERT_EQ(r.error + r.failure, "") << place;
      EXPECT_THAT(cells(r, 0), ElementsAre(0, 0, 0, 0));
      const bool cut = down == 20;
      EXPECT_THAT(cells(r, 1), cut ? ElementsAre(1, 10, 0, 0) : ElementsAre(0, 0, 1, 10)) << place << " " << down;
      EXPECT_EQ(r.cell("fates", 0, cut ? "lost_cut" : "lost_no_way"), 1);
      EXPECT_EQ(r.cell("services", 0, "lost"), 1);
      EXPECT_EQ(r.cell("services", 0, "missing"), 0);
      expect_conserved(r);
    }
  }
  // Two hold the link down: the first is the cause.
  const PacketOutcome both = one_message("[ { at: 'sw[1]', down: 9cycles }, { at: 'sw[0].port1', down: 3cycles } ]");
  EXPECT_THAT(cells(both, 1), ElementsAre(0, 0, 1, 10));
  expect_conserved(both);
  // Both come in one cycle: the one that lasts longer, not the one of which a note says that it has no effect.
  const PacketOutcome at_once =
      one_message("[ { at: 'sw[0].port1', down: 5cycles, up: 100cycles }, { at: 'sw[0].port1', down: 5cycles } ]");
  EXPECT_THAT(at_once.report["notes"].dump(), HasSubstr("faults.0 (sw[0].port1, line 7) has no effect"));
  EXPECT_THAT(cells(at_once, 0), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(cells(at_once, 1), ElementsAre(0, 0, 1, 10));
  const PacketOutcome wider = one_message("[ { at: 'sw[0].port1', down: 5cycles }, { at: 'sw[1]', down: 5cycles } ]");
  EXPECT_THAT(cells(wider, 0), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(cells(wider, 1), ElementsAre(0, 0, 1, 10));
}

// Credits that have come since the port decided last are there: all of them, when nothing is behind the link.
TEST(PacketFaults, WhatStandsStillHasTheCreditsOfThatMoment) {
  const ScratchFolder folder;
  std::string lines = "time_ns,source,destination,level\n";
  for (int i = 0; i < 13; ++i) lines += fmt::format("{:.2f},0,1,a\n", 8 * i * 5.12);
  const std::string trace = folder.write("t.csv", lines);
  int told = 0;
  for (const char* architecture : {"ib", "opa"}) {
    for (int down = 20; down < 40; ++down) {
      const PacketOutcome r = run_packet_yaml(
          fmt::format("fabric: packet\ntopology: {{ kind: mesh, dims: [2] }}\nrouting: {{ no_way: wait }}\n"
                      "switch: {{ architecture: {} }}\nqos: {{ levels: {{ a: {{ message: 64B }} }} }}\ntrace: {}\n"
                      "run: {{ warm_up: 0ns, measure: 5us }}\nfaults: [ {{ at: 'sw[0].port1', down: {}cycles }} ]\n",
                      architecture, trace, down),
          {});
      ASSERT_EQ(r.error + r.failure, "");
      const std::string notes = r.report["notes"].dump();
      if (notes.find("credits for ") == std::string::npos) continue;  // it stands at the input
      EXPECT_THAT(notes, HasSubstr("credits for 1792 flits")) << architecture << " " << down;
      ++told;
    }
  }
  EXPECT_GT(told, 5);
}

// Its head is lost at switch 1, whose next link is down, while its flits still come in over a cable that fails then:
// one message, one loss, which belongs to what came first. Switch 0 decides for it in cycle 15, switch 1 routes it in
// cycle 28; in between it is cut before it is lost.
TEST(PacketFaults, WhatIsLostForWantOfARouteIsNotCutAsWell) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n0,0,2,a\n");
  const auto run = [&](const char* architecture, int behind, int before) {
    return run_packet_yaml(
        fmt::format("fabric: packet\ntopology: {{ kind: mesh, dims: [3] }}\nlink: {{ delay: 10cycles }}\n"
                    "switch: {{ architecture: {} }}\nqos: {{ levels: {{ a: {{ message: 2KiB }} }} }}\n"
                    "run: {{ warm_up: 0ns, measure: 2us }}\ntrace: {}\nfaults: [ {{ at: 'sw[1]-sw[2]', down: {}cycles "
                    "}}, {{ at: 'sw[0]-sw[1]', down: {}cycles, up: 200cycles }} ]\n",
                    architecture, trace, behind, before),
        {});
  };
  for (const char* architecture : {"ib", "opa"}) {
    int no_way = 0;
    for (int before = 1; before < 60; ++before) {
      const PacketOutcome r = run(architecture, 0, before);
      ASSERT_EQ(r.error + r.failure, "") << before;
      EXPECT_EQ(r.figure("lost"), 1) << before;
      EXPECT_EQ(fault(r, "cut"), before > 15 && before <= 28 ? 1 : 0) << architecture << " " << before;
      no_way += r.cell("faults", 0, "no_way_messages").get<int>();
      expect_conserved(r);
    }
    EXPECT_GT(no_way, 20) << architecture;
    // The other way round it was cut first.
    const PacketOutcome cut = run(architecture, 32, 30);
    EXPECT_EQ(fault(cut, "cut"), 1) << architecture;
    EXPECT_EQ(cut.cell("faults", 1, "cut_messages"), 1) << architecture;
    expect_conserved(cut);
  }
}

// What is rerouted is what crosses the link when nothing fails: the same seed sends the same messages.
TEST(PacketFaults, ReroutedIsWhatWouldHaveCrossedTheLink) {
  const std::string yaml =
      "fabric: packet\ntopology: { kind: tree, arity: 3, levels: 2 }\nrouting: { algorithm: valiant }\n"
      "qos: { levels: { a: { message: 640B } } }\ntraffic: [ { level: a, load: 0.1 } ]\n"
      "run: { warm_up: 0us, measure: 20us, drain: 0us }\n";
  const auto crossing = [](const Follower& f) {
    const PortRef above = f.graph_.peer(0, 4);
    const LinkId up = f.graph_.out_link(0, 4);
    const LinkId down = f.graph_.out_link(above.sw, above.port);
    int n = 0;
    for (const auto& [sequence, life] : f.lives) {
      n += std::any_of(life.hops.begin(), life.hops.end(),
                       [&](const auto& h) { return h.first == up || h.first == down; });
    }
    return std::to_string(n);
  };
  const PacketOutcome whole = followed(yaml, {}, crossing);
  ASSERT_EQ(whole.error + whole.failure, "");
  const PacketOutcome broken =
      followed(yaml + "faults: [ { at: 'sw[0].port4', down: 0cycles }, { at: 'nic[1]', down: 1s } ]\n", {}, crossing);
  ASSERT_EQ(broken.error + broken.failure, "");
  EXPECT_EQ(broken.noted, "0");
  EXPECT_GT(std::stoi(whole.noted), 50);
  EXPECT_EQ(broken.cell("faults", 0, "rerouted"), std::stoi(whole.noted));
  EXPECT_EQ(broken.cell("faults", 1, "rerouted"), 0);
  EXPECT_EQ(broken.figure("lost"), 0);
}

// With the run cut off at the end of the window nothing has stalled: it was under way.
TEST(PacketFaults, WithoutSettlingWhatIsLeftIsUnderWay) {
  const PacketOutcome r = run_packet_yaml(kTree + "faults: [ { at: 'sw[0].port4', down: 4000cycles } ]\n",
                                          {"run.settle=false", "run.drain=0ns"});
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.figure("stalled"), 0);
  EXPECT_EQ(fault(r, "stalled"), 0);
  EXPECT_GT(r.figure("in_flight"), 0);
  expect_conserved(r);
}

TEST(PacketFaults, FaultsWithoutEffectAreTold) {
  const auto notes = [](const std::string& faults) {
    return one_message(faults).report["notes"].get<std::vector<std::string>>();
  };
  const auto told = [&](const std::string& faults, const std::string& what) {
    EXPECT_THAT(notes(faults), ::testing::Contains(HasSubstr(what))) << faults;
  };
  told("[ { at: 'sw[1]', down: 5cycles }, { at: 'sw[0].port1', down: 7cycles, up: 9cycles } ]",
       "faults.1 (sw[0].port1, line 7) has no effect: faults.0 (sw[1], line 7) holds its links down from cycle 5 on, "
       "for "
       "good");
  told("[ { at: 'sw[0]-sw[1]', down: 5cycles, up: 8cycles }, { at: 'sw[0]', down: 5cycles, up: 9cycles } ]",
       "faults.0 (sw[0]-sw[1], line 7) has no effect: faults.1 (sw[0], line 7) holds its links down from cycle 5 on, "
       "until cycle 9");
  told("[ { at: 'sw[1]', down: 5cycles, up: 9cycles }, { at: 'sw[0]', down: 7cycles, up: 20cycles } ]",
       "faults.0 (sw[1], line 7) is over in cycle 9, but links that it shares with faults.1 (sw[0], line 7) stay down "
       "until cycle 20");
  told("[ { at: 'sw[1]', down: 1s } ]", "faults.0 (sw[1], line 7) has no effect: it begins in cycle 195312500");
  // Other links, or one after the other: nothing to tell.
  for (const char* fine : {"[ { at: 'nic[0]', down: 5cycles }, { at: 'nic[1]', down: 5cycles } ]",
                           "[ { at: 'nic[0..1]', down: 5cycles, up: 6cycles }, { at: 'sw[0]', down: 6cycles } ]"}) {
    EXPECT_THAT(notes(fine), ::testing::Not(::testing::Contains(HasSubstr("faults.")))) << fine;
  }
}

// As many as may be, one after the other: nothing to tell, and it does not take the square of their number.
TEST(PacketFaults, FlappingLinksAreToldInTime) {
  const std::string flapping = "[ { at: 'sw[0]-sw[1]', down: 5cycles, up: 6cycles, every: 3cycles, times: 100000 } ]";
  const PacketOutcome r = one_message(flapping);
  ASSERT_FALSE(r.report["notes"].empty());
  for (const auto& note : r.report["notes"]) {
    EXPECT_THAT(note.get<std::string>(), ::testing::Not(HasSubstr("stay down")));
  }
}

// Only links that failed before the window ends can be why source queues grow.
TEST(PacketFaults, SaturationIsPutDownToFaultsThatHaveBegun) {
  const std::string chain =
      "fabric: packet\ntopology: { kind: mesh, dims: [3] }\nqos: { levels: { a: { message: 640B } } }\n"
      "traffic: [ { level: a, load: 1 } ]\nrun: { warm_up: 20us, measure: 180us, drain: 30us }\n";
  const auto notes = [&](const std::string& down, const std::string& up) {
    const PacketOutcome r =
        run_packet_yaml(chain + "faults: [ { at: 'sw[0]', down: " + down + ", up: " + up + " } ]\n");
    EXPECT_EQ(r.error + r.failure, "");
    return r.report["notes"].get<std::vector<std::string>>();
  };
  const auto some = [](const char* text) { return ::testing::Contains(::testing::StartsWith(text)); };
  EXPECT_THAT(notes("900ms", "950ms"), some("saturated: a ("));
  EXPECT_THAT(notes("201us", "202us"), some("saturated: a ("));
  EXPECT_THAT(notes("10us", "11us"), some("saturated, or held up by links that are down: a ("));
}

// The network is empty when the measurement ends, and a message of after it enters while measured ones are still lost.
TEST(PacketFaults, BuffersAreNotSampledBehindTheMeasurement) {
  const PacketOutcome r = run_packet_yaml(
      "fabric: packet\ntopology: { kind: torus, dims: [2], nodes_per_switch: 2 }\n"
      "link: { rate: 12.5GB/s, flit: 64B, delay: 2cycles }\nrouting: { ring: dateline }\n"
      "switch: { architecture: iq, iq: { buffer: 64B } }\nfaults: [ { at: 'sw[0].port0', down: 10559cycles } ]\n"
      "qos: { levels: { a: { message: 512B } } }\nseed: 628174\n"
      "traffic: [ { level: a, load: 0.005, source: constant_rate, connections: 1 } ]\n"
      "run: { warm_up: 20us, measure: 40us, drain: 5us }\n");
  ASSERT_EQ(r.error + r.failure, "");
  expect_conserved(r);
}

}  // namespace
}  // namespace weft::test
