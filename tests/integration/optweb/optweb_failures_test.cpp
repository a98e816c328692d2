// OPTWEB networks whose links fail, flap, and make bit errors: what that costs against closed forms, that nothing is
// lost silently, and who is named when a program cannot go on. The timeline itself: tests/unit/optweb.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "support/optweb_runs.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kFailingHead = "fabric: optweb\nnodes: 4\n";
const std::string kTransferOverALink =
    kFailingHead + "mode: timing\nprogram: [ { op: transfer, source: 0, destination: 1, size: 64B } ]\n";

OptwebOutcome run_failing(const std::string& yaml, const Overrides& set = {}) {
  OptwebOutcome r = run_optweb_yaml(yaml, set);
  EXPECT_EQ(r.error + r.failure, "");
  return r;
}

std::string failure_at(const std::string& place, int down, int up) {
  return fmt::format("faults=[{{ at: '{}', down: {}cycles, up: {}cycles }}]", place, down, up);
}

// An eager transfer is on the lane from cycle 61 to 65 (it is fetched in cycle 1) and takes 16 cycles to the wire and
// 31 over it; 138 cycles in all (docs/optweb.md). With frames of a word, what has not left the wire when the link fails
// is 31 cycles behind `up` at the other end.
TEST(OptwebFailures, AnEagerTransferIsSentAgain) {
  const auto latency = [&](const Overrides& set) {
    return run_failing(kTransferOverALink, set).report["tables"]["services"]["rows"][0]["latency_mean"].get<double>() /
           5;
  };
  const auto expected = [](int down, int up) {
    const int words = std::max(0, down - 47) * 225 / 256;  // have left the wire
    const int place = (words * 256 + 224) / 225;
    return place >= 65 ? 138 : 138 + up + 31 - (place + 47);
  };
  for (const int down : {70, 100, 108, 110, 111, 112, 113, 120}) {
    for (const int up : {125, 200, 5000}) {
      SCOPED_TRACE(testing::Message() << down << " " << up);
      EXPECT_EQ(latency({failure_at("sw[0]-sw[1]", down, up), "link.frame=32B"}), expected(down, up));
      EXPECT_EQ(latency({failure_at("sw[1]", down, up), "link.frame=32B"}), expected(down, up));
      EXPECT_EQ(latency({failure_at("sw[2]-sw[1]", down, up), "link.frame=32B"}), 138) << "another link";
    }
  }
  // The frame of 64 words around it began in cycle 0.
  EXPECT_EQ(latency({failure_at("sw[0]-sw[1]", 100, 200)}), 138 + 200 + 31 - 47);
  // Nothing begins while the link is down, and while it sends again what it had in the first 30 cycles.
  EXPECT_EQ(latency({failure_at("sw[0]-sw[1]", 30, 300), "link.frame=32B"}), 138 + 30 + (300 + 31 - 47) - 61);
}

TEST(OptwebFailures, ABarrierWaitsForTheLinkThatIsDown) {
  const std::string barrier = kFailingHead + "program: [ { op: barrier } ]\n";
  // It is fetched in cycle 1, and the notifications leave in cycle 9 of 81.
  const double without = run_failing(barrier).figure("run", "time") / 5;
  const OptwebOutcome r = run_failing(barrier, {failure_at("sw[0]-sw[3]", 2, 1000), "link.frame=32B"});
  EXPECT_EQ(without, 81);
  // The lane stands still from cycle 2 on: until `up`, and as long as what it had on the wire takes.
  EXPECT_EQ(r.figure("run", "time") / 5, 81 - 8 + 2 + (1000 + 31 - 47));
}

// All operations, with failures that come again and bit errors, in all kinds of links: every byte arrives, in order,
// and the lane of every link brings what its timing says (fabrics/optweb/link/lane_ends.h), or the run fails.
TEST(OptwebFailures, EveryByteArrives) {
  const std::string all =
      kFailingHead +
      "verify: data\nprogram:\n  - { op: barrier }\n  - { op: alltoall, size: 40KiB }\n"
      "  - { op: allreduce, size: 4KiB }\n  - { op: broadcast, root: 2, size: 100KiB }\n  - { op: gather, size: 64KiB "
      "}\n"
      "  - { op: sendrecv, shift: 1, size: 48KiB }\n  - { op: allgather, size: 3KiB }\n  - { op: fence }\n"
      "  - { op: transfer, source: 0, destination: 3, size: 64KiB, path: multipath }\n  - { op: barrier }\n";
  const std::string flaps =
      "faults=[{ at: 'sw[0]-sw[1]', down: 3us, up: 4us, every: 7us, times: 40 }, { at: 'sw[2]', down: 5us, up: 5050ns, "
      "every: 11us, times: 20 }, { at: 'sw[3]', down: 31us, up: 44us }]";
  const std::string errors = "link.errors={ rate: 2e-6 }";
  const double without = run_failing(all).figure("run", "time");
  for (const Overrides& kind : std::vector<Overrides>{{},
                                                      {"adapters=[{ at: 'sw[0]', delay: 41cycles }]"},
                                                      {"clocks.phase=random", "clocks.tolerance_ppm=50"},
                                                      {"link.serial={ phase: random }"},
                                                      {"link.gap=2", "link.implementation=lockstep"}}) {
    for (const Overrides& how : std::vector<Overrides>{{flaps}, {errors}, {flaps, errors, "link.frame=512B"}}) {
      Overrides set = kind;
      set.insert(set.end(), how.begin(), how.end());
      SCOPED_TRACE(testing::PrintToString(set));
      const OptwebOutcome r = run_failing(all, set);
      EXPECT_GT(r.figure("run", "time"), without);
      EXPECT_GT(r.figure("run", "verified_bytes"), 0);
      EXPECT_EQ(r.figure("faults", "offered_words"), r.figure("faults", "delivered_words"));
      EXPECT_EQ(r.figure("faults", "undelivered_words"), 0);
      EXPECT_EQ(r.text, run_optweb_yaml(all, set, [](OptwebRunOptions& o) { o.shuffle_seed = 5; }).text)
          << "whatever the order within a cycle";
    }
  }
}

// Notifications that come while a run stands still, at the RTL of both ends.
TEST(OptwebFailures, NotificationsCutRunsThatStandStill) {
  const std::string yaml = kFailingHead +
                           "verify: data\nlink: { implementation: lockstep, errors: { rate: 1e-5 } }\nprogram:\n"
                           "  - { op: compute, time: 3us, at: [1] }\n  - { op: alltoall, size: 48KiB }\n"
                           "  - { op: sendrecv, shift: 1, size: 3KiB }\n  - { op: alltoall, size: 24KiB }\n";
  for (int seed = 1; seed <= 6; ++seed) run_failing(yaml, {fmt::format("seed={}", seed)});
}

// A stream over many frames: the part of the rate that is left is that of the closed form, and so is the time.
TEST(OptwebFailures, GoodputIsThatOfGoBackN) {
  for (const auto& [rate, frame, turnaround] : std::vector<std::tuple<const char*, const char*, int>>{
           {"1e-6", "2KiB", 10}, {"1e-5", "512B", 10}, {"2e-6", "4KiB", 200}}) {
    const std::string yaml =
        kFailingHead + "mode: timing\nprogram: [ { op: transfer, source: 0, destination: 1, size: 64MiB } ]\n";
    const OptwebOutcome r =
        run_failing(yaml, {fmt::format("link.errors={{ rate: {} }}", rate), fmt::format("link.frame={}", frame),
                           fmt::format("link.turnaround={}cycles", turnaround)});
    const double share = r.figure("faults", "expected_goodput_share");
    EXPECT_LT(share, 0.97);
    EXPECT_NEAR(r.figure("faults", "goodput_share"), share, 0.08 * (1 - share)) << rate;
    const double words = 64.0 * 1024 * 1024 / 32;
    EXPECT_NEAR(r.figure("run", "time") / 5, words * 256 / 225 / share, 0.08 * (1 - share) * words * 256 / 225);
    const auto& row = r.report["tables"]["link_repeats"]["rows"][0];
    EXPECT_EQ(row["link"], "node[0] -> node[1]");
    EXPECT_EQ(row["offered_words"], words);
    // Every bad frame in the run repeats the frame, and what follows in twice the wire and the turnaround.
    EXPECT_GT(row["error_words"].get<double>(), row["bad_frames"].get<double>() * 50);
  }
}

// Chunks by way of the nodes whose links are up when the transfer begins; every byte where the routes that are left put
// it.
TEST(OptwebFailures, TransfersByAllPathsGoRound) {
  const std::string yaml =
      kFailingHead +
      "verify: data\nprogram:\n  - { op: compute, time: 10us }\n"
      "  - { op: transfer, source: 0, destination: 3, size: 4MiB, path: multipath }\n  - { op: fence }\n"
      "  - { op: transfer, source: 0, destination: 3, size: 64KiB, path: automatic }\n";
  const auto bandwidth = [](const OptwebOutcome& r) { return r.cell(1, "bandwidth").get<double>(); };
  const OptwebOutcome all = run_failing(yaml);
  EXPECT_NEAR(bandwidth(all), 90, 2);
  // One of four routes less, whichever link it is; with the direct link two less, and those that are left have two
  // hops.
  for (const auto& [place, routes] : std::vector<std::pair<const char*, int>>{
           {"sw[0]-sw[1]", 3}, {"sw[2]-sw[3]", 3}, {"sw[1]", 3}, {"sw[0]-sw[3]", 2}, {"sw[1]-sw[2]", 4}}) {
    SCOPED_TRACE(place);
    const OptwebOutcome r = run_failing(yaml, {fmt::format("faults=[{{ at: '{}', down: 5us }}]", place)});
    EXPECT_NEAR(bandwidth(r), routes * 22.5, 2);
    EXPECT_EQ(r.figure("faults", "rerouted"), routes < 4 ? 2 : 0);
    EXPECT_GT(r.figure("run", "verified_bytes"), 4 << 20);
    // Up again before the first of them begins.
    EXPECT_EQ(run_failing(yaml, {fmt::format("faults=[{{ at: '{}', down: 5us, up: 8us }}]", place)})
                  .figure("faults", "rerouted"),
              0);
  }
  // Down after it has begun: it waits.
  const OptwebOutcome waits = run_failing(yaml, {"faults=[{ at: 'sw[0]-sw[1]', down: 20us, up: 900us }]"});
  EXPECT_EQ(waits.figure("faults", "rerouted"), 0);
  EXPECT_GT(waits.figure("run", "time"), 900'000);
  EXPECT_THAT(run_optweb_yaml(yaml, {"faults=[{ at: 'sw[0]', down: 5us }]"}).failure, HasSubstr("the link to node"));
}

// Who cannot go on, over which link, and why.
TEST(OptwebFailures, AProgramThatCannotGoOnNamesWhoIsMissing) {
  const std::string all =
      kFailingHead + "verify: data\nprogram:\n  - { op: barrier }\n  - { op: alltoall, size: 256KiB }\n";
  const OptwebOutcome r = run_optweb_yaml(all, {"faults=[{ at: 'sw[2]', down: 20us }]"});
  EXPECT_THAT(r.failure, AllOf(HasSubstr("no further progress is possible"), HasSubstr("node 0, alltoall"),
                               HasSubstr("data from node 2"),
                               HasSubstr("; the link to node 2 is down since 20us by faults.0 (sw[2]")));
  EXPECT_EQ(r.report["complete"], false);
  // Nothing is lost silently: each word has been counted, or belongs to a transfer that is not over.
  EXPECT_GT(r.figure("faults", "lost_words"), 0);
  EXPECT_GT(r.figure("faults", "undelivered_words"), r.figure("faults", "lost_words"));
  EXPECT_EQ(r.figure("faults", "offered_words"),
            r.figure("faults", "delivered_words") + r.figure("faults", "undelivered_words"));
  const OptwebOutcome b = run_optweb_yaml(kFailingHead + "program: [ { op: barrier } ]\n",
                                          {"faults=[{ at: 'sw[0]-sw[3]', down: 0cycles }]"});
  EXPECT_THAT(b.failure, AllOf(HasSubstr("node 0, barrier"), HasSubstr("the link to node 3 is down"),
                               HasSubstr("node 3, barrier"), HasSubstr("the link to node 0 is down")));
}

// A reader that feeds two links stands still with the first one for good; the second one goes on making bit errors,
// of which there is no end. What the first one had on the wire is lost: 31 cycles of it, 45 of 51.2 Gb/s.
TEST(OptwebFailures, TheOtherLinksOfAStreamThatStandsStillForGoodMakeErrorsUntilTheEnd) {
  const std::string yaml =
      "fabric: optweb\nnodes: 3\nlink: { frame: 32B }\nfaults: [ { at: 'sw[0]-sw[1]', down: 1000cycles } ]\n";
  const std::string broadcast = yaml + "program: [ { op: broadcast, size: 40000B } ]\n";
  for (const char* rate : {"0", "1e-9", "1e-6"}) {
    for (const std::string& program : {broadcast, yaml + "program: [ { op: allreduce, size: 40000B } ]\n",
                                       yaml + "program: [ { op: allgather, size: 40000B } ]\n"}) {
      SCOPED_TRACE(program + rate);
      const OptwebOutcome r = run_optweb_yaml(
          program, rate == std::string("0") ? Overrides{} : Overrides{std::string("link.errors.rate=") + rate});
      EXPECT_THAT(r.failure, AllOf(HasSubstr("no further progress is possible"), HasSubstr("since 5us by faults.0")));
      if (program == broadcast && rate == std::string("0")) {
        EXPECT_EQ(r.figure("faults", "lost_words"), 31 * 225 / 256);
      }
    }
  }
}

// What others do meanwhile, and for how long, does not change what its links have sent again.
TEST(OptwebFailures, ErrorsOfAStreamThatStandsStillForGoodDoNotGrowWithTheRun) {
  const std::string yaml =
      "fabric: optweb\nnodes: 5\nlink: { frame: 32B, errors: { rate: 1e-5 } }\n"
      "faults: [ { at: 'sw[0]-sw[1]', down: 3000cycles } ]\n"
      "program: [ { op: broadcast, size: 800000B, group: [0..2] }";
  const auto words = [](const OptwebOutcome& r) {
    for (const auto& row : r.report["tables"]["link_repeats"]["rows"]) {
      if (row["link"] == "node[0] -> node[2]") return row["error_words"].get<std::uint64_t>();
    }
    return std::uint64_t{0};
  };
  const OptwebOutcome alone = run_optweb_yaml(yaml + " ]\n", {});
  const OptwebOutcome others = run_optweb_yaml(yaml + ", { op: alltoall, size: 800000B, group: [3, 4] } ]\n", {});
  EXPECT_GT(others.figure("run", "time"), alone.figure("run", "time"));
  EXPECT_GT(words(alone), 50U);
  EXPECT_EQ(words(alone), words(others));
}

// Words and notifications that stay on a link that does not come back are no events of a time without end.
TEST(OptwebFailures, LanesInStepsEndWithTheNetwork) {
  const std::string yaml =
      "fabric: optweb\nnodes: 4\nlink: { errors: { rate: 1e-7 } }\n"
      "faults: [ { at: 'sw[3]-sw[2]', down: 1338cycles }, { at: 'sw[0]-sw[3]', down: 234cycles } ]\n"
      "program: [ { op: allreduce, size: 1KiB } ]\n";
  for (const char* lane : {"model", "rtl", "lockstep"}) {
    const OptwebOutcome r = run_optweb_yaml(yaml, {std::string("link.implementation=") + lane});
    EXPECT_THAT(r.failure, HasSubstr("no further progress is possible after")) << lane;
    EXPECT_LT(r.figure("run", "time"), 100'000) << lane;
  }
}

// Two words that would be counted in cycle 146; nothing happens in between but the failure. In cycle 80 the second one
// has not left yet.
TEST(OptwebFailures, WordsThatAreOnTheirWayWhenTheLinkFailsAreLost) {
  const std::string one =
      "fabric: optweb\nnodes: 2\nprogram: [ { op: transfer, source: 0, destination: 1, size: 64B } ]\n";
  for (const int down : {80, 100}) {
    const OptwebOutcome r =
        run_optweb_yaml(one, {fmt::format("faults=[{{ at: 'sw[0]-sw[1]', down: {}cycles }}]", down)});
    EXPECT_THAT(r.failure, AllOf(HasSubstr(fmt::format("after {}ns (cycle {})", 5 * (down + 1), down + 1)),
                                 HasSubstr(fmt::format("confirmation of receipt by node 1; the link to node 1 is down "
                                                       "since {}ns by faults.0",
                                                       5 * down)),
                                 HasSubstr("data from node 0; the link to node 0 is down")));
    EXPECT_EQ(r.figure("faults", "failures"), 1);
    EXPECT_EQ(r.figure("faults", "lost_words"), down == 80 ? 1 : 2);
    EXPECT_EQ(r.figure("faults", "undelivered_words"), 2);
  }
  // The words have come, and their receipt cannot be confirmed.
  EXPECT_THAT(run_optweb_yaml(one, {"faults=[{ at: 'sw[0]-sw[1]', down: 120cycles }]"}).failure,
              HasSubstr("node 1, transfer (t.yaml:3:12): waits for the link to node 0; the link to node 0 is down"));
}

// Ten thousands of failures of a link are counted in one pass over them.
TEST(OptwebFailures, ALinkMayFailVeryOften) {
  const OptwebOutcome r = run_failing(kFailingHead + "program: [ { op: alltoall, size: 4KiB } ]\n",
                                      {"faults=[{ at: 'sw[0]-sw[1]', down: 10cycles, up: 12cycles, every: 3cycles, "
                                       "times: 100000 }]"});
  // The link is up in one cycle of three, so no transfer passes before the last failure.
  EXPECT_GT(r.figure("run", "time"), 5 * 3 * 100'000);
  EXPECT_EQ(r.figure("faults", "failures"), 100'000);
}

TEST(OptwebFailures, InstructionsGiveUpAfterTheTimeout) {
  const std::string all = kFailingHead + "program:\n  - { op: barrier }\n  - { op: alltoall, size: 256KiB }\n";
  const Overrides fails = {"faults=[{ at: 'sw[1]-sw[2]', down: 20us, up: 90us }]"};
  const auto run_with = [&](const std::string& timeout) {
    Overrides set = fails;
    set.push_back("link.timeout=" + timeout);
    return run_optweb_yaml(all, set);
  };
  EXPECT_EQ(run_with("70us").failure, "");
  const std::string failure = run_with("30us").failure;
  EXPECT_THAT(failure, AllOf(HasSubstr("alltoall"), HasSubstr("gives up: it misses node "), HasSubstr("faults.0"),
                             HasSubstr("link.timeout")));
  // Down long before somebody needs it.
  EXPECT_THAT(run_optweb_yaml(kFailingHead + "program: [ { op: compute, time: 50us }, { op: barrier } ]\n",
                              {"faults=[{ at: 'sw[1]-sw[2]', down: 1us, up: 200us }]", "link.timeout=10us"})
                  .failure,
              HasSubstr("barrier"));
}

// Words of the other nodes go on coming while one link is down, and nothing holds them back.
TEST(OptwebFailures, AReductionOverflowsBehindALinkThatIsDown) {
  const std::string reduction = kFailingHead + "program: [ { op: barrier }, { op: allreduce, size: 256KiB } ]\n";
  EXPECT_THAT(
      run_optweb_yaml(reduction, {"faults=[{ at: 'sw[1]-sw[2]', down: 20us, up: 60us }]"}).failure,
      AllOf(HasSubstr("overflows"), HasSubstr("whose links fail or repeat frames"), HasSubstr("switch.eager_buffer")));
  run_failing(reduction, {"faults=[{ at: 'sw[1]-sw[2]', down: 20us, up: 60us }]", "switch.eager_buffer=512KiB"});
}

// Messages wait for links that come back; those of links that do not stay behind, and are counted.
TEST(OptwebFailures, EveryMessageIsAccountedFor) {
  const std::string traffic =
      kFailingHead +
      "verify: data\nqos: { levels: { a: { message: 64B }, b: { message: 20KiB } } }\ntraffic:\n"
      "  - { level: a, load: 0.001 }\n  - { level: b, load: 0.02 }\n"
      "run: { warm_up: 10us, measure: 300us, drain: 500us }\n";
  const auto conserved = [](const OptwebOutcome& r) {
    const auto run = [&](const char* name) { return r.figure("run", name); };
    EXPECT_EQ(run("generated"), run("delivered") + run("lost") + run("withdrawn") + run("stalled") + run("in_flight"));
  };
  const OptwebOutcome back =
      run_failing(traffic, {"faults=[{ at: 'sw[0]-sw[1]', down: 40us, up: 80us, every: 90us, times: 3 }]"});
  conserved(back);
  EXPECT_EQ(back.figure("run", "stalled"), 0);
  const OptwebOutcome errors = run_failing(traffic, {"link.errors={ rate: 1e-6 }"});
  conserved(errors);
  EXPECT_GT(errors.figure("faults", "bad_frames"), 0);
  const OptwebOutcome gone = run_optweb_yaml(traffic, {"faults=[{ at: 'sw[0]-sw[1]', down: 40us }]"});
  EXPECT_EQ(gone.error + gone.failure, "");
  conserved(gone);
  EXPECT_GT(gone.figure("run", "stalled"), 0);
  // The source of the last one hears of it when its link is up again.
  conserved(run_failing(traffic, {"faults=[{ at: 'sw[0..3]', down: 40us, up: 43us, every: 5us, times: 150 }]"}));
}

// The state of the link, and the lane that carries nothing new meanwhile.
TEST(OptwebFailures, WavesShowLinksThatAreDown) {
  const ScratchFolder folder;
  const std::string waves = folder.path("w.fst");
  const OptwebOutcome r = run_optweb_yaml(kTransferOverALink, {failure_at("sw[0]-sw[1]", 100, 200), "link.frame=32B"},
                                          [&](OptwebRunOptions& o) { o.waves = waves; });
  EXPECT_EQ(r.error + r.failure, "");
  const Vcd vcd = read_fst(waves);
  const VcdSignal& state = vcd.signal("optweb.node[0].link[1].state");
  const auto at = [&](std::uint64_t cycle) { return state.at(cycle * 5000 + 1); };
  EXPECT_EQ(at(99), "");
  EXPECT_EQ(at(100), "down");
  EXPECT_EQ(at(199), "down");
  EXPECT_EQ(at(200), "repeats");
  EXPECT_EQ(at(230), "repeats");
  EXPECT_EQ(at(231), "");
  EXPECT_FALSE(vcd.has("optweb.node[0].link[2].state"));
}

TEST(OptwebFailures, FailuresThatComeAgain) {
  const OptwebOutcome r =
      run_failing(kTransferOverALink, {"faults=[{ at: 'sw[0]-sw[1]', down: 10us, up: 11us, every: 5us, times: 3 }]"});
  EXPECT_EQ(r.report["tables"]["faults"]["rows"].size(), 3U);
  EXPECT_EQ(r.report["tables"]["faults"]["rows"][2]["down"], 20000);
  EXPECT_EQ(r.report["tables"]["faults"]["rows"][2]["up"], 21000);
  // The run does not wait for those to come when everything has arrived.
  const OptwebOutcome traffic = run_failing(
      "fabric: optweb\nnodes: 2\nqos: { levels: { a: { message: 4KiB } } }\ntraffic: [ { level: a, load: 0.02 } ]\n"
      "run: { warm_up: 10us, measure: 100us }\n"
      "faults: [ { at: 'sw[0]-sw[1]', down: 90us, up: 95us, every: 20us, times: 100 } ]\n");
  EXPECT_EQ(traffic.figure("run", "stalled"), 0);
  EXPECT_GE(traffic.figure("run", "cycles"), 22'000);
  EXPECT_LT(traffic.figure("run", "cycles"), 28'000);
  EXPECT_EQ(traffic.figure("faults", "failures"), 2);
  const auto error = [](const std::string& fault) {
    return run_optweb_yaml(kTransferOverALink, {"faults=[{ at: 'sw[0]-sw[1]', down: 10us, " + fault + " }]"}).error;
  };
  EXPECT_THAT(error("up: 12us, every: 2us, times: 3"), HasSubstr("must be more than from down to up (400 cycles)"));
  EXPECT_THAT(error("up: 12us, every: 4us"), HasSubstr("needs both 'every' and 'times'"));
  EXPECT_THAT(error("every: 4us, times: 3"), HasSubstr("needs 'up'"));
}

TEST(OptwebFailures, BadKeysAreRefused) {
  const auto error = [](const std::string& set) { return run_optweb_yaml(kTransferOverALink, {set}).error; };
  EXPECT_THAT(error("link.errors={ rate: 1 }"),
              HasSubstr("link.errors.rate: expected a bit error rate from 1e-18 to 0.01"));
  EXPECT_THAT(error("link.errors={ rate: 1e-3 }"), HasSubstr("a shorter link.frame"));
  EXPECT_THAT(error("faults=[{ at: 'nic[1]', down: 1us }]"), HasSubstr("have no NICs"));
  EXPECT_THAT(error("faults=[{ at: 'sw[1]-sw[7]', down: 1us }]"), HasSubstr("there is no sw[7]"));
  EXPECT_THAT(run_optweb_yaml(kTransferOverALink, {"link.errors={ rate: 1e-9 }", "link.frame=100B"}).error,
              HasSubstr("link.frame: expected whole words of 32 bytes"));
  EXPECT_THAT(run_optweb_yaml(kTransferOverALink, {"link.timeout=1us"}).warnings,
              HasSubstr("link.timeout has no effect"));
}

// Failures that the run does not live to see are no failures of it, and are told.
TEST(OptwebFailures, BehindTheEndOfTheRun) {
  const OptwebOutcome r = run_optweb_yaml(
      "fabric: optweb\nnodes: 2\nprogram: [ { op: transfer, source: 0, destination: 1, size: 64KiB } ]\n"
      "faults: [ { at: 'sw[0]-sw[1]', down: 1us, up: 2us }, { at: 'sw[0]-sw[1]', down: 1ms, up: 1001us } ]\n");
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.figure("faults", "failures"), 1);
  EXPECT_NE(r.report["notes"].dump().find("faults.1 (sw[0]-sw[1], line 4) has no effect: it begins in cycle 200000"),
            std::string::npos)
      << r.report["notes"].dump();
}

}  // namespace
}  // namespace weft::test
