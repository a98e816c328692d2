// Sources of traffic against what their names promise: rates, gaps, exact times, destinations. All drawn
// numbers come from fixed seeds; bounds are four to five standard deviations of what is measured.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "base/diagnostics.h"
#include "network/topology/build_topology.h"
#include "run/packet/packet_family.h"
#include "run/packet/packet_platform.h"
#include "schema/document.h"
#include "support/child.h"
#include "support/scratch.h"
#include "workload/stream_sources.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

struct Sent {
  Cycle cycle;
  NodeId source;
  NodeId destination;
  std::uint32_t level;
  std::uint32_t flits;
  std::uint32_t choice;
  bool operator==(const Sent&) const = default;
};

class Recorder final : public Endpoints {
 public:
  Recorder(const ClockDomain& clock, const TrafficConfig& traffic, std::uint32_t nodes)
      : clock_(clock), traffic_(traffic), nodes_(nodes) {}
  std::uint32_t nodes() const override { return nodes_; }
  Capabilities of(ServiceId) const override { return {}; }
  ClientId attach(Client&) override { return 0; }
  void send(NodeId from, const Transfer& t) override {
    const ServiceConfig& service = traffic_.services.at(t.service);
    EXPECT_EQ(static_cast<std::int64_t>(t.bytes) * 8, service.message_size.bits);
    out << clock_.now() << ' ' << from << ' ' << t.to << ' ' << t.service << ' ' << service.message << ' ' << t.choice
        << '\n';
  }
  std::ostringstream out;

 private:
  const ClockDomain& clock_;
  const TrafficConfig& traffic_;
  std::uint32_t nodes_;
};

// Everything sent in cycles 0 .. last, in order.
std::vector<Sent> sent_by(const std::string& yaml, Cycle last, const Overrides& set = {}) {
  const ChildResult child = in_child([&] {
    Diagnostics diagnostics;
    const PacketConfig config = parse_packet_config(yaml, "test.yaml", ".", set, diagnostics);
    const Graph graph = build_topology(config.topology);
    ClockDomain clock("clock", config.link.period);
    const TrafficConfig traffic = traffic_of(config);
    Recorder recorder(clock, traffic, graph.nodes());
    StreamSources sources(traffic, graph, recorder);
    sources.stop_after(last);
    sources.start(clock);
    sc_core::sc_start();
    return recorder.out.str();
  });
  EXPECT_TRUE(child.ok) << child.text;
  std::vector<Sent> out;
  std::istringstream in(child.text);
  for (Sent s{}; in >> s.cycle >> s.source >> s.destination >> s.level >> s.flits >> s.choice;) out.push_back(s);
  return out;
}

const std::string kNet =
    "fabric: packet\ntopology: { kind: full_mesh, switches: 4 }\n"
    "qos: { levels: { one: { message: 64B }, three: { message: 192B } } }\n";

std::string net(const std::string& streams) { return kNet + "traffic:\n" + streams; }

TEST(StreamSources, BernoulliHasGeometricGapsAndTheRightRate) {
  constexpr Cycle kLast = 199'999;
  const auto sent = sent_by(net("  - { level: three, load: 0.3 }\n"), kLast);
  const double p = 0.3 / 3;
  const double trials = 4.0 * (kLast + 1);
  EXPECT_NEAR(static_cast<double>(sent.size()), trials * p, 4 * std::sqrt(trials * p * (1 - p)));
  std::map<NodeId, Cycle> before;
  double sum = 0;
  double squares = 0;
  std::uint64_t ones = 0;
  std::uint64_t gaps = 0;
  for (const Sent& s : sent) {
    EXPECT_EQ(s.flits, 3U);
    if (before.contains(s.source)) {
      const auto gap = static_cast<double>(s.cycle - before[s.source]);
      ASSERT_GE(gap, 1) << "one message in a cycle at most";
      sum += gap;
      squares += gap * gap;
      ones += gap == 1 ? 1 : 0;
      ++gaps;
    }
    before[s.source] = s.cycle;
  }
  const auto n = static_cast<double>(gaps);
  const double variance = (1 - p) / (p * p);
  EXPECT_NEAR(sum / n, 1 / p, 4 * std::sqrt(variance / n));
  EXPECT_NEAR(static_cast<double>(ones) / n, p, 4 * std::sqrt(p * (1 - p) / n));
  // Fourth central moment of a geometric variable: variance^2 * (9 + p^2 / (1 - p)).
  const double spread = variance * std::sqrt((8 + p * p / (1 - p)) / n);
  EXPECT_NEAR(squares / n - (sum / n) * (sum / n), variance, 5 * spread);
}

TEST(StreamSources, FullLoadOfOneFlitMessagesFillsEveryCycle) {
  const auto sent = sent_by(net("  - { level: one, load: 1 }\n"), 99);
  EXPECT_EQ(sent.size(), 400U);
  EXPECT_TRUE(sent_by(net("  - { level: one, load: 0 }\n"), 9999).empty());
}

TEST(StreamSources, ConstantRateKeepsItsTimesExactly) {
  const auto sent = sent_by(net("  - { level: three, load: 0.7, source: constant_rate }\n"), 69'999);
  std::map<NodeId, std::vector<Cycle>> times;
  for (const Sent& s : sent) times[s.source].push_back(s.cycle);
  ASSERT_EQ(times.size(), 4U);
  std::set<Cycle> firsts;
  for (const auto& [source, cycles] : times) {
    // 3 flits at 0.7: 7 messages in 30 cycles, never two equal phases of the pattern apart.
    EXPECT_NEAR(static_cast<double>(cycles.size()), 70'000 * 0.7 / 3, 1);
    for (std::size_t k = 7; k < cycles.size(); ++k) ASSERT_EQ(cycles[k] - cycles[k - 7], 30);
    for (std::size_t k = 1; k < cycles.size(); ++k) {
      ASSERT_GE(cycles[k] - cycles[k - 1], 4);
      ASSERT_LE(cycles[k] - cycles[k - 1], 5);
    }
    EXPECT_LT(cycles[0], 5);
  }
}

// Three connections of every NIC, each with a tenth of a flit per cycle, so with a message in every 30 cycles.
TEST(StreamSources, ConnectionsShareTheLoadAndHaveDestinationsAndPhasesOfTheirOwn) {
  const auto sent = sent_by(net("  - { level: three, load: 0.3, source: constant_rate, connections: 3 }\n"), 59'999);
  EXPECT_EQ(sent.size(), 4U * 3U * 2000U);
  std::map<NodeId, std::vector<Cycle>> times;
  std::map<NodeId, int> received;
  std::set<std::pair<NodeId, NodeId>> pairs;
  for (const Sent& s : sent) {
    EXPECT_NE(s.source, s.destination);
    times[s.source].push_back(s.cycle);
    ++received[s.destination];
    pairs.emplace(s.source, s.destination);
  }
  for (const auto& [source, cycles] : times) {
    for (std::size_t k = 3; k < cycles.size(); ++k) ASSERT_EQ(cycles[k] - cycles[k - 3], 30);
  }
  for (const auto& [node, count] : received) EXPECT_EQ(count, 3 * 2000) << node;
  EXPECT_GT(pairs.size(), 4U);
}

TEST(StreamSources, PhasesOfConstantRateDiffer) {
  const auto sent = sent_by(net("  - { level: one, load: 0.000100, source: constant_rate }\n"), 9'999);
  std::set<Cycle> phases;
  ASSERT_EQ(sent.size(), 4U) << "one per NIC in each interval of 10,000 cycles";
  for (const Sent& s : sent) phases.insert(s.cycle);
  EXPECT_EQ(phases.size(), 4U);
}

TEST(StreamSources, BurstsComeTogetherToOneDestination) {
  constexpr Cycle kLast = 199'999;
  const auto sent = sent_by(net("  - { level: three, load: 0.6, source: bursts, burst: 5 }\n"), kLast);
  std::map<std::pair<Cycle, NodeId>, std::vector<NodeId>> bursts;
  for (const Sent& s : sent) bursts[{s.cycle, s.source}].push_back(s.destination);
  for (const auto& [when, to] : bursts) {
    ASSERT_EQ(to.size(), 5U);
    for (const NodeId n : to) ASSERT_EQ(n, to[0]);
  }
  const double p = 0.6 / 3 / 5;
  const double trials = 4.0 * (kLast + 1);
  EXPECT_NEAR(static_cast<double>(bursts.size()), trials * p, 4 * std::sqrt(trials * p * (1 - p)));
}

TEST(StreamSources, OnOffHasItsMeanLoadAndItsTimes) {
  constexpr Cycle kLast = 2'000'000 - 1;
  // While on, a message of one flit in every cycle: the message times show the times on and off themselves.
  const auto sent = sent_by(net("  - { level: one, load: 0.2, source: on_off, on: 20cycles, off: 80cycles }\n"), kLast,
                            {"topology.switches=2"});
  std::map<NodeId, std::vector<Cycle>> times;
  for (const Sent& s : sent) times[s.source].push_back(s.cycle);
  double on_periods = 0;
  double off_sum = 0;
  double off_squares = 0;
  for (const auto& [source, cycles] : times) {
    for (std::size_t k = 1; k < cycles.size(); ++k) {
      const Cycle gap = cycles[k] - cycles[k - 1];
      ASSERT_GE(gap, 1);
      if (gap == 1) continue;
      ++on_periods;
      off_sum += static_cast<double>(gap - 1);
      off_squares += static_cast<double>(gap - 1) * static_cast<double>(gap - 1);
    }
  }
  const double off = off_sum / on_periods;
  EXPECT_NEAR(off, 80, 4 * std::sqrt(80 * 79 / on_periods));
  EXPECT_NEAR(static_cast<double>(sent.size()) / on_periods, 20, 4 * std::sqrt(20 * 19 / on_periods) + 0.05);
  EXPECT_NEAR(off_squares / on_periods - off * off, 80 * 79, 5 * 80 * 79 * std::sqrt(8 / on_periods));
  // Load: cycles on are correlated over about a period, so a mean over n periods counts.
  EXPECT_NEAR(static_cast<double>(sent.size()) / (2.0 * (kLast + 1)), 0.2, 0.2 * 4 * std::sqrt(2 / on_periods));
}

// In cycle 0 as many are on as at any other time.
TEST(StreamSources, OnOffBeginsInTheMiddle) {
  const auto sent = sent_by(net("  - { level: one, load: 0.2, source: on_off, on: 20cycles, off: 80cycles }\n"), 0,
                            {"topology.switches=1000"});
  EXPECT_NEAR(static_cast<double>(sent.size()), 200, 4 * std::sqrt(1000 * 0.2 * 0.8));
}

TEST(StreamSources, OnOffThinsItsMessagesWhileOn) {
  constexpr Cycle kLast = 1'000'000 - 1;
  const auto sent =
      sent_by(net("  - { level: three, load: 0.15, source: on_off, on: 1000cycles, off: 1000cycles }\n"), kLast);
  // On and off in about 500 periods of each of four NICs.
  EXPECT_NEAR(static_cast<double>(sent.size()), 4e6 * 0.15 / 3, 4e6 * 0.15 / 3 * 4 / std::sqrt(2000.0));
}

TEST(StreamSources, PermutationsHaveNoFixedPoints) {
  for (int seed = 0; seed < 20; ++seed) {
    const auto sent = sent_by(net("  - { level: one, load: 0.5, destinations: permutation }\n"), 200,
                              {fmt::format("seed={}", seed), "topology.switches=7"});
    std::map<NodeId, std::set<NodeId>> to;
    std::set<NodeId> all;
    for (const Sent& s : sent) {
      EXPECT_NE(s.source, s.destination);
      to[s.source].insert(s.destination);
      all.insert(s.destination);
    }
    EXPECT_EQ(to.size(), 7U);
    for (const auto& [source, destinations] : to) EXPECT_EQ(destinations.size(), 1U);
    EXPECT_EQ(all.size(), 7U) << "every NIC receives from one";
  }
}

// Chi-squared over the destinations of each source.
void check_uniform(const std::vector<Sent>& sent, bool self, double bound) {
  std::map<std::pair<NodeId, NodeId>, double> count;
  std::map<NodeId, double> total;
  for (const Sent& s : sent) {
    ++count[{s.source, s.destination}];
    ++total[s.source];
    if (!self) {
      ASSERT_NE(s.source, s.destination);
    }
  }
  double chi2 = 0;
  for (NodeId a = 0; a < 4; ++a) {
    for (NodeId b = 0; b < 4; ++b) {
      if (a == b && !self) continue;
      const double expected = total[a] / (self ? 4 : 3);
      chi2 += (count[{a, b}] - expected) * (count[{a, b}] - expected) / expected;
    }
  }
  EXPECT_LT(chi2, bound);
  EXPECT_GT(sent.size(), 10'000U);
}

TEST(StreamSources, UniformLeavesOutItselfUnlessAllowed) {
  check_uniform(sent_by(net("  - { level: one, load: 0.3 }\n"), 10'000), false, 26.1);  // 8 degrees of freedom, 0.1 %
  check_uniform(sent_by(net("  - { level: one, load: 0.3, self_traffic: true }\n"), 10'000), true, 32.9);  // 12
}

TEST(StreamSources, PatternsGoWhereTheySay) {
  const auto sent = sent_by(net("  - { level: one, load: 0.5, destinations: pattern, pattern: bit_reversal }\n"), 100);
  std::set<std::pair<NodeId, NodeId>> pairs;
  for (const Sent& s : sent) pairs.insert({s.source, s.destination});
  EXPECT_EQ(pairs, (std::set<std::pair<NodeId, NodeId>>{{1, 2}, {2, 1}}));  // 0 and 3 are their own images
}

TEST(StreamSources, OneMoreStreamLeavesTheOthersAlone) {
  const std::string first =
      "  - { level: one, load: 0.1 }\n  - { level: one, load: 0.1, source: on_off, on: 9cycles, off: 20cycles }\n"
      "  - { level: one, load: 0.1, source: constant_rate }\n";
  const auto few = sent_by(net(first), 5000);
  auto more = sent_by(net(first + "  - { level: three, load: 0.4, source: bursts }\n"), 5000);
  EXPECT_GT(more.size(), few.size());
  std::erase_if(more, [](const Sent& s) { return s.level == 1; });
  // Messages of one cycle come in no particular order.
  const auto sorted = [](std::vector<Sent> v) {
    std::sort(v.begin(), v.end(), [](const Sent& a, const Sent& b) {
      return std::tie(a.cycle, a.source, a.destination, a.choice) <
             std::tie(b.cycle, b.source, b.destination, b.choice);
    });
    return v;
  };
  EXPECT_EQ(sorted(few), sorted(more));
}

TEST(StreamSources, SeedsAndOnlySeedsChangeMessages) {
  const std::string yaml = net("  - { level: one, load: 0.1 }\n");
  EXPECT_EQ(sent_by(yaml, 1000, {"seed=4"}), sent_by(yaml, 1000, {"seed=4"}));
  EXPECT_NE(sent_by(yaml, 1000, {"seed=4"}), sent_by(yaml, 1000, {"seed=5"}));
}

TEST(StreamSources, TraceMessagesComeInTheirCycle) {
  const ScratchFolder folder;
  const std::string file =
      folder.write("t.csv",
                   "time_ns,source,destination,level\r\n0,0,1,one\r\n5.12,1,2,three\r\n5.13,1,3,one\r\n"
                   "10.239,2,2,one\r\n10.24,3,0,three\r\n51200,0,1,one\r\n");
  const auto sent = sent_by(kNet + "trace: " + file + "\n", 9'999);
  std::vector<std::string> got;
  for (const Sent& s : sent)
    got.push_back(fmt::format("{} {}->{} {} {}", s.cycle, s.source, s.destination, s.level, s.flits));
  EXPECT_EQ(got, (std::vector<std::string>{"0 0->1 0 1", "1 1->2 1 3", "1 1->3 0 1", "1 2->2 0 1", "2 3->0 1 3"}))
      << "the last one would come in cycle 10,000";
}

TEST(StreamSources, RareMessagesDoNotRunPastTheEndOfTime) {
  // At 1 Mb/s a cycle of 64 KiB takes half a second: 2^64 ps are over before most of these messages are due.
  const auto sent = sent_by(net("  - { level: one, load: 0.000001 }\n"), 1000,
                            {"link.rate=1Mb/s", "link.flit=65536B", "run.measure=1s"});
  EXPECT_LT(sent.size(), 3U);
}

// Binomial: within 4.5 standard deviations.
void expect_share(std::size_t part, std::size_t all, double share) {
  const auto n = static_cast<double>(all);
  EXPECT_NEAR(static_cast<double>(part), n * share, 4.5 * std::sqrt(n * share * (1 - share)));
}

std::map<std::pair<NodeId, NodeId>, std::size_t> pairs(const std::vector<Sent>& sent) {
  std::map<std::pair<NodeId, NodeId>, std::size_t> out;
  for (const Sent& s : sent) ++out[{s.source, s.destination}];
  return out;
}

const Overrides kEight{"topology.switches=8"};

TEST(StreamSources, OnlySomeSendAndOnlyToSome) {
  const auto sent = sent_by(net("  - { level: one, load: 0.5, from: [0..2, 6], to: [7, 1..2] }\n"), 20'000, kEight);
  const auto counts = pairs(sent);
  // Nodes 1 and 2 may draw two others, 0 and 6 three.
  ASSERT_EQ(counts.size(), 10U);
  for (const auto& [pair, count] : counts) {
    const auto [from, to] = pair;
    EXPECT_TRUE(from <= 2 || from == 6) << from;
    EXPECT_TRUE((to == 1 || to == 2 || to == 7) && to != from) << from << " to " << to;
    expect_share(count, 20'001, 0.5 / (from == 1 || from == 2 ? 2 : 3));
  }
}

TEST(StreamSources, AHotSpotTakesItsShare) {
  const auto sent = sent_by(net("  - { level: one, load: 0.5, to: [5], to_share: 30% }\n"), 40'000, kEight);
  const auto counts = pairs(sent);
  ASSERT_EQ(counts.size(), 56U);
  for (const auto& [pair, count] : counts) {
    const double any = 1.0 / 7;  // what is not for the hot spot goes to it as to any other
    const double share = pair.first == 5 ? any : pair.second == 5 ? 0.3 + 0.7 * any : 0.7 * any;
    expect_share(count, 40'001, 0.5 * share);
  }
}

TEST(StreamSources, TheOnlyDestinationSendsNothing) {
  const auto sent = sent_by(net("  - { level: one, load: 0.5, to: [5] }\n"), 200, kEight);
  std::set<NodeId> from;
  for (const Sent& s : sent) {
    EXPECT_EQ(s.destination, 5U);
    from.insert(s.source);
  }
  EXPECT_EQ(from, (std::set<NodeId>{0, 1, 2, 3, 4, 6, 7}));
  const auto with_itself = sent_by(net("  - { level: one, load: 0.5, to: [5], self_traffic: true }\n"), 200, kEight);
  EXPECT_EQ(pairs(with_itself).size(), 8U);
}

TEST(StreamSources, ANodeThatSendsToItselfAloneIsRefused) {
  const auto said = [](const std::string& ends) -> std::string {
    Diagnostics diagnostics;
    const PacketConfig config =
        parse_packet_config(net("  - { level: one, load: 0.5, " + ends + " }\n"), "test.yaml", ".", {}, diagnostics);
    try {
      check_sources(traffic_of(config), build_topology(config.topology), "NIC");
    } catch (const InputError& e) {
      return e.what();
    }
    return {};
  };
  EXPECT_THAT(said("from: [2], to: [2]"), HasSubstr("traffic.0: NIC 2 sends to itself alone (self_traffic is false)"));
  EXPECT_EQ(said("from: [2], to: [2], self_traffic: true"), "");
  EXPECT_EQ(said("from: [2], to: [2], to_share: 50%"), "");
  EXPECT_EQ(said("from: [2, 3], to: [2]"), "");
  // Bit reversal leaves two corners of 2x2 nodes where they are.
  const std::string corners = "destinations: pattern, pattern: bit_reversal, from: [0, 3]";
  EXPECT_THAT(said(corners), HasSubstr("traffic.0.pattern: no NIC of 'from' sends to another one with this pattern"));
  EXPECT_EQ(said("destinations: pattern, pattern: bit_reversal, from: [0, 1]"), "");
}

// Who sends changes nothing of what each of them sends.
TEST(StreamSources, SomeSourcesSendWhatTheySendAmongAll) {
  for (const std::string stream : {"level: three, load: 0.3", "level: one, load: 0.2, source: constant_rate",
                                   "level: one, load: 0.2, destinations: pattern, pattern: bit_reversal",
                                   "level: one, load: 0.2, source: bursts, burst: 3"}) {
    auto all = sent_by(net("  - { " + stream + " }\n"), 2'000, kEight);
    const auto some = sent_by(net("  - { " + stream + ", from: [1, 4..6] }\n"), 2'000, kEight);
    std::erase_if(all, [](const Sent& s) { return s.source != 1 && (s.source < 4 || s.source > 6); });
    EXPECT_FALSE(some.empty());
    EXPECT_EQ(some, all) << stream;
  }
}

TEST(StreamSources, ConnectionsToSomeDrawThem) {
  const auto sent = sent_by(net("  - { level: one, load: 0.5, source: constant_rate, to: [2, 3] }\n"), 20'000, kEight);
  for (const auto& [pair, count] : pairs(sent)) {
    EXPECT_TRUE(pair.second == 2 || pair.second == 3);
    if (pair.first != 2 && pair.first != 3) expect_share(count, 10'000, 0.5);
  }
}

}  // namespace
}  // namespace weft::test
