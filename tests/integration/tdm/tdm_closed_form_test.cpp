// Latency, throughput and queueing of circuits against closed forms written out here.

#include <cmath>
#include <set>

#include "support/tdm_runs.h"

namespace weft::test {
namespace {

struct Line {  // a circuit over a line of switches
  int hops;    // links between switches
  int slots;   // S
  int pipeline;
  int serdes;
  int words;  // per message
};

void PrintTo(const Line& l, std::ostream* out) {
  *out << l.hops << " hops, S = " << l.slots << ", pipeline " << l.pipeline << ", SerDes " << l.serdes << ", "
       << l.words << " words";
}

std::string text(const Line& l) {
  return fmt::format(
      "fabric: tdm\ntopology: {{ kind: mesh, dims: [{}] }}\n"
      "switch: {{ slots: {}, pipeline: {}cycles, serdes: {}cycles }}\n",
      std::max(2, l.hops + 1), l.slots, l.pipeline, l.serdes);
}

// From the host's slot to the host: S cycles in the first switch, since the slot number is kept and the host's word is
// in the register at once; then each link and switch takes the first whole number of frames that is longer than the
// latency between them; then the output stage towards the host.
Cycle transit(const Line& l) {
  const Cycle hop = l.slots * ((l.pipeline + l.serdes) / l.slots + 1);
  return l.slots + l.hops * hop + l.pipeline;
}

nlohmann::json circuit(const Outcome& o, std::size_t row = 0) { return o.table("circuits")[row]; }
double ns(Cycle cycles) { return static_cast<double>(10 * cycles); }

class OneCircuit : public ::testing::TestWithParam<Line> {};

// Messages come in all alignments to the circuit's slot: the best meets its slot at once, the worst has just missed it.
TEST_P(OneCircuit, LatencyIsExactAndBothBoundsAreHit) {
  const Line& l = GetParam();
  const Cycle interval = (Cycle{l.words} + 2) * l.slots + 1;  // moves on by one cycle of the frame every time
  const Outcome o = run_yaml(text(l) + fmt::format("circuits: [ {{ source: 0, destination: {} }} ]\n"
                                                   "sources: {{ arrivals: periodic, interval: {}ns, message: {}b, "
                                                   "messages: {} }}\n",
                                                   l.hops, 10 * interval, 340 * l.words, 2 * l.slots));
  ASSERT_EQ(o.error + o.failure, "");
  const Cycle best = transit(l) + (l.words - 1) * l.slots;
  const auto row = circuit(o);
  EXPECT_EQ(row["hops"], l.hops);
  EXPECT_EQ(row["messages"], 2 * l.slots);
  EXPECT_EQ(row["transit_min"], ns(best));
  EXPECT_EQ(row["transit_max"], ns(best + l.slots - 1));
  EXPECT_EQ(row["predicted_transit_min"], ns(best));
  EXPECT_EQ(row["predicted_transit_max"], ns(best + l.slots - 1));
  EXPECT_DOUBLE_EQ(row["transit_mean"], 10.0 * (static_cast<double>(best) + (l.slots - 1) / 2.0));
  EXPECT_EQ(row["queueing_max"], 0.0);
}

// slot_update: alone in the network, a word leaves each switch in the cycle after it came in.
TEST_P(OneCircuit, SlotUpdateTakesOneCyclePerSwitch) {
  const Line& l = GetParam();
  const Outcome o = run_yaml(text(l) + fmt::format("slots: {{ slot_update: true }}\n"
                                                   "circuits: [ {{ source: 0, destination: {} }} ]\n"
                                                   "sources: {{ message: {}b, messages: 3 }}\n",
                                                   l.hops, 340 * l.words));
  ASSERT_EQ(o.error + o.failure, "");
  const Cycle word = 1 + l.hops * (l.pipeline + l.serdes + 1) + l.pipeline;
  EXPECT_EQ(circuit(o)["transit_min"], ns(word + (l.words - 1) * l.slots));
}

// Saturated: the first word at the first slot, then one every frame without a gap, to the last.
TEST_P(OneCircuit, SaturatedThroughputIsItsShareOfTheLink) {
  const Line& l = GetParam();
  const int messages = 400;
  const Outcome o = run_yaml(text(l) + fmt::format("circuits: [ {{ source: 0, destination: {} }} ]\n"
                                                   "sources: {{ message: {}b, messages: {} }}\n",
                                                   l.hops, 340 * l.words, messages));
  ASSERT_EQ(o.error + o.failure, "");
  const auto row = circuit(o);
  const auto phase = o.table("phases")[0];
  EXPECT_DOUBLE_EQ(phase["data_end"].get<double>() - phase["data_start"].get<double>(),
                   ns(transit(l) + (Cycle{messages} * l.words - 1) * l.slots));
  EXPECT_DOUBLE_EQ(row["throughput"], 34.0 / l.slots);
  EXPECT_DOUBLE_EQ(row["guaranteed_bandwidth"], 34.0 / l.slots);
  EXPECT_EQ(row["transit_max"], ns(transit(l) + l.words * l.slots - 1));  // each but the first has just missed its slot
}

INSTANTIATE_TEST_SUITE_P(Lines, OneCircuit,
                         ::testing::Values(Line{1, 8, 0, 0, 1}, Line{3, 8, 0, 4, 5}, Line{5, 4, 2, 9, 3},
                                           Line{2, 16, 3, 13, 2}, Line{4, 2, 7, 11, 4}, Line{1, 5, 0, 5, 1},
                                           Line{7, 3, 1, 1, 10}));

// m = S: the whole link, a word in every cycle.
TEST(ClosedForm, WholeLink) {
  const Line l{3, 8, 1, 4, 100};
  const Outcome o = run_yaml(text(l) +
                             "circuits: [ { source: 0, destination: 3, slots: 8 } ]\n"
                             "sources: { message: 34000b, messages: 50 }\n");
  ASSERT_EQ(o.error + o.failure, "");
  EXPECT_EQ(circuit(o)["transit_min"], ns(transit(l) + 99));
  EXPECT_EQ(circuit(o)["transit_max"], ns(transit(l) + 99));
  EXPECT_DOUBLE_EQ(circuit(o)["throughput"], 34.0);
}

// m of S slots, whatever m: words of m/S of a link.
TEST(ClosedForm, SeveralSlotsGiveTheirShare) {
  for (int m = 1; m <= 6; ++m) {
    const Outcome o =
        run_yaml(fmt::format("fabric: tdm\ntopology: {{ kind: mesh, dims: [3] }}\nswitch: {{ slots: 6 }}\n"
                             "circuits: [ {{ source: 0, destination: 2, slots: {} }} ]\n"
                             "sources: {{ message: 2040b, messages: 1000 }}\n",
                             m));
    ASSERT_EQ(o.error + o.failure, "");
    EXPECT_NEAR(circuit(o)["throughput"].get<double>(), 34.0 * m / 6, 34.0 * m / 6 * 0.005);
    EXPECT_DOUBLE_EQ(circuit(o)["guaranteed_bandwidth"], 34.0 * m / 6);
  }
}

// Messages of n words come every T < n S cycles: message k waits k (n S - T) - (S - 1) for those before it, the slot
// wait counting as transit. Its latency is k (n S - T) longer than that of the first one, which meets its slot at once.
TEST(ClosedForm, QueueingOfPeriodicMessages) {
  const int words = 4;
  const int slots = 8;
  const int interval = 30;
  const int messages = 50;
  const Outcome o =
      run_yaml(fmt::format("fabric: tdm\ntopology: {{ kind: mesh, dims: [2] }}\nswitch: {{ slots: {} }}\n"
                           "circuits: [ {{ source: 0, destination: 1 }} ]\n"
                           "sources: {{ arrivals: periodic, interval: {}ns, message: {}b, messages: {} }}\n",
                           slots, 10 * interval, 340 * words, messages));
  ASSERT_EQ(o.error + o.failure, "");
  Cycle sum = 0;
  Cycle last = 0;
  for (int k = 1; k < messages; ++k) {
    last = std::max(0, k * (words * slots - interval) - (slots - 1));
    sum += last;
  }
  EXPECT_EQ(circuit(o)["queueing_max"], ns(last));
  EXPECT_DOUBLE_EQ(circuit(o)["queueing"], ns(sum) / messages);
  const double first = circuit(o)["predicted_transit_min"];
  const Cycle later = words * slots - interval;  // each message than the one before
  EXPECT_EQ(circuit(o)["latency_min"], first);
  EXPECT_EQ(circuit(o)["latency_max"], first + ns((messages - 1) * later));
  EXPECT_DOUBLE_EQ(circuit(o)["latency_mean"], first + ns(later) * (messages - 1) / 2);
  EXPECT_EQ(circuit(o)["serialization"], ns((words - 1) * slots));
  EXPECT_DOUBLE_EQ(circuit(o)["network"].get<double>() + circuit(o)["serialization"].get<double>(),
                   circuit(o)["transit_mean"]);
  const auto service = o.table("services")[0];
  EXPECT_EQ(service["messages"], messages);
  EXPECT_EQ(service["latency_p50"], first + ns((messages / 2 - 1) * later));  // the 25th of 50
  EXPECT_EQ(service["latency_p99"], first + ns((messages - 1) * later));
  EXPECT_EQ(service["latency_max"], circuit(o)["latency_max"]);
  EXPECT_EQ(o.figure("run", "latency_mean"), service["latency_mean"]);
  EXPECT_EQ(o.figure("run", "queueing"), service["queueing"]);
  const auto phase = o.table("phases")[0];
  const double cycles = (phase["data_end"].get<double>() - phase["data_start"].get<double>()) / 10 + 1;
  EXPECT_DOUBLE_EQ(service["accepted"], messages * words / (2 * cycles));  // of two nodes
  EXPECT_DOUBLE_EQ(service["accepted_rate"], messages * words * 34 / cycles);
  EXPECT_DOUBLE_EQ(service["offered"], service["accepted"]);  // counted: all of it arrives in the measurement
  EXPECT_THAT(o.report, ::testing::HasSubstr("their latency, grows as long as messages come"));
}

// A tree: every destination as far as it is, every link of the tree carries each word once.
TEST(ClosedForm, Multicast) {
  const Line l{3, 6, 2, 3, 7};
  const int messages = 20;
  const Outcome o = run_yaml(text(l) + fmt::format("circuits: [ {{ source: 1, destinations: [0, 2, 3] }} ]\n"
                                                   "sources: {{ message: {}b, messages: {} }}\n",
                                                   340 * l.words, messages));
  ASSERT_EQ(o.error + o.failure, "");
  const int hops[] = {1, 1, 2};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto row = circuit(o, d);
    Line to = l;
    to.hops = hops[d];
    EXPECT_EQ(row["hops"], hops[d]);
    EXPECT_EQ(row["transit_min"], ns(transit(to) + (l.words - 1) * l.slots));
    EXPECT_EQ(row["messages"], messages);
  }
  const auto links = o.table("links");
  EXPECT_EQ(links.size(), 7U);  // injection, 1->0, 1->2, 2->3, three ejections
  for (const auto& link : links) EXPECT_EQ(link["words"], messages * l.words) << link["link"];
  EXPECT_EQ(o.figure("run", "messages_delivered"), 3 * messages);
  EXPECT_EQ(o.figure("run", "word_hops"), 6 * messages * l.words);
}

// One host with three circuits: each has its own bandwidth, whatever the others do.
TEST(ClosedForm, StreamsOfOneHostDoNotDisturbEachOther) {
  const auto run = [](const std::string& others) {
    return run_yaml(
        "fabric: tdm\ntopology: { kind: mesh, dims: [3, 3] }\nswitch: { slots: 8, serdes: 3cycles }\n"
        "sources: { message: 3400b, messages: 200 }\n"
        "circuits:\n  - { flow: it, source: 4, destination: 8, slots: 2 }\n" +
        others);
  };
  const Outcome alone = run("");
  const Outcome crowd =
      run("  - { source: 4, destination: 0, slots: 3 }\n  - { source: 4, destination: 5 }\n"
          "  - { source: 3, destination: 8, slots: 2 }\n");
  ASSERT_EQ(alone.error + alone.failure + crowd.error + crowd.failure, "");
  EXPECT_EQ(circuit(alone), circuit(crowd));
  EXPECT_NEAR(circuit(crowd, 1)["throughput"].get<double>(), 34.0 * 3 / 8, 0.1);
  EXPECT_NEAR(circuit(crowd, 2)["throughput"].get<double>(), 34.0 / 8, 0.05);
}

// Poisson arrivals: so many in the window, within four standard deviations, for each of a few circuits.
TEST(ClosedForm, PoissonArrivalsHaveTheirMean) {
  const Outcome o = run_yaml(
      "fabric: tdm\ntopology: { kind: mesh, dims: [3, 3] }\nswitch: { slots: 4 }\npattern: tornado\n"
      "sources: { arrivals: poisson, interval: 1us, message: 340b }\nrun: { warm_up: 100us, measure: 2ms }\n");
  ASSERT_EQ(o.error + o.failure, "");
  std::set<int> counts;
  for (const auto& row : o.table("circuits")) {
    EXPECT_NEAR(row["messages"].get<double>(), 2000, 4 * std::sqrt(2000.0));
    counts.insert(row["messages"].get<int>());
  }
  EXPECT_GT(counts.size(), 4U) << "the circuits draw from one stream";
}

TEST(ClosedForm, ArrivalsNoneSendNothing) {
  const Outcome o =
      run_yaml("fabric: tdm\ntopology: { kind: mesh, dims: [3] }\npattern: tornado\nsources: { arrivals: none }\n");
  ASSERT_EQ(o.error + o.failure, "");
  EXPECT_TRUE(o.complete);
  EXPECT_EQ(o.figure("run", "messages_sent"), 0);
  EXPECT_EQ(o.figure("run", "word_hops"), 0);
}

}  // namespace
}  // namespace weft::test
