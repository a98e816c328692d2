// Statistics of transfers, fed by hand: what the window counts, how latency splits, percentiles, order.

#include <algorithm>
#include <array>
#include <map>

#include "base/diagnostics.h"
#include "base/random.h"
#include "observe/transfer_stats.h"
#include "unit/schema/config_support.h"

namespace weft {
namespace {

TEST(LatencyHistogram, PercentilesAreThoseOfTheSortedSamples) {
  RandomStream random(1, "histogram");
  for (int round = 0; round < 60; ++round) {
    LatencyHistogram h;
    std::vector<Cycle> all;
    const std::uint64_t range = round % 3 == 0   ? 5
                                : round % 3 == 1 ? 5'000
                                                 : 200'000;  // beyond what is counted directly
    for (std::uint64_t n = 1 + random.below(300); n > 0; --n) {
      const auto latency = static_cast<Cycle>(random.below(range));
      h.add(latency);
      all.push_back(latency);
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(h.count(), all.size());
    EXPECT_EQ(h.min(), all.front());
    EXPECT_EQ(h.max(), all.back());
    double sum = 0;
    for (const Cycle c : all) sum += static_cast<double>(c);
    EXPECT_DOUBLE_EQ(*h.mean(), sum / static_cast<double>(all.size()));
    for (const std::uint32_t permille : {1U, 250U, 500U, 950U, 990U, 999U, 1000U}) {
      const std::size_t rank = (all.size() * permille + 999) / 1000;  // nearest rank, from 1
      EXPECT_EQ(h.percentile(permille), all[rank - 1]) << permille << " of " << all.size();
    }
    std::map<Cycle, std::uint64_t> counts;
    for (const Cycle c : all) ++counts[c];
    const auto values = h.values();
    EXPECT_TRUE(std::equal(values.begin(), values.end(), counts.begin(), counts.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
  }
}

TEST(LatencyHistogram, EmptyOneHasNoValues) {
  const LatencyHistogram h;
  EXPECT_EQ(h.count(), 0U);
  EXPECT_FALSE(h.mean() || h.min() || h.max() || h.percentile(500));
}

// Two nodes, two services of 3 and 5 flits, ticks of 1 ns, window 100 .. 199.
class TransferStatsTest : public testing::Test {
 protected:
  static TransferStatsOptions options(bool in_order) {
    TransferStatsOptions out;
    out.services = {{"a", "a", 3}, {"b, c", "b, c", 5}};
    out.tick = {1000};
    out.flit_bits = 512;
    out.nodes = 2;
    out.confidence = 0.95;
    out.in_order = in_order;
    return out;
  }
  static TransferStats stats_of(Window window, bool in_order) { return {options(in_order), window}; }
  TransferRecord message(ServiceId service, Cycle generated, Cycle sent = -1) {
    const std::uint64_t flits = service == 0 ? 3 : 5;
    return {.id = ++id_,
            .from = 0,
            .to = 1,
            .service = service,
            .bytes = flits * 64,
            .units = flits,
            .generated = generated,
            .entered = sent < 0 ? generated + 2 : sent,
            .pipeline = 2,
            .serialization = static_cast<Cycle>(flits) - 1};
  }
  static Value cell(const Table& t, std::size_t row, const std::string& name) {
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
      if (t.columns[c].key == name) return t.rows.at(row).at(c);
    }
    ADD_FAILURE() << "no column " << name;
    return {};
  }
  static double number(const Table& t, std::size_t row, const std::string& name) {
    const Value v = cell(t, row, name);
    if (const auto* whole = std::get_if<std::int64_t>(&v)) return static_cast<double>(*whole);
    return std::get<double>(v);
  }

  std::uint64_t id_ = 0;
};

TEST_F(TransferStatsTest, WindowCountsGenerationForLatencyAndArrivalForThroughput) {
  TransferStats stats = stats_of({100, 200}, true);
  struct Case {
    Cycle generated, delivered;
  };
  // Before, at the first and the last cycle, beyond.
  for (const auto& [generated, delivered] :
       {Case{99, 100}, Case{90, 99}, Case{100, 199}, Case{199, 200}, Case{150, 300}, Case{200, 201}}) {
    const TransferRecord m = message(0, generated);
    stats.on_generate(m);
    stats.on_arrive(m, delivered);
  }
  const TransferRecord lost = message(0, 120);
  stats.on_generate(lost);
  EXPECT_EQ(stats.missing(), 1U);
  stats.close(301);
  const Table t = stats.services();
  EXPECT_EQ(number(t, 0, "messages"), 3);
  EXPECT_EQ(number(t, 0, "missing"), 1);
  EXPECT_DOUBLE_EQ(number(t, 0, "offered"), 4 * 3 / 200.0);   // 4 messages, 100 cycles, 2 NICs
  EXPECT_DOUBLE_EQ(number(t, 0, "accepted"), 2 * 3 / 200.0);  // in cycles 100 and 199
  EXPECT_DOUBLE_EQ(stats.all().offered->per_node, 4 * 3 / 200.0);
  EXPECT_DOUBLE_EQ(stats.all().accepted->per_node, 2 * 3 / 200.0);
  EXPECT_EQ(number(t, 0, "latency_min"), 1);
  EXPECT_EQ(number(t, 0, "latency_p50"), 99);
  EXPECT_EQ(number(t, 0, "latency_max"), 150);
  for (const char* column : {"latency_mean", "latency_min", "latency_p999", "queueing_max", "network"}) {
    EXPECT_TRUE(std::holds_alternative<std::monostate>(cell(t, 1, column))) << "no message, no " << column;
  }
}

// Messages that have left their NIC and are lost later are no sign of saturation, those that cannot leave are.
TEST_F(TransferStatsTest, LossesAreNoSaturation) {
  TransferStats stats = stats_of({100, 200}, true);
  TransferStats kept = stats_of({100, 200}, true);
  for (Cycle c = 0; c < 300; ++c) {
    for (TransferStats* s : {&stats, &kept}) s->on_generate(message(0, c));
    stats.on_enter(message(0, c));
    if (c >= 50) stats.on_lose(message(0, c - 50), c);
  }
  for (TransferStats* s : {&stats, &kept}) s->close(300);
  const Table t = stats.services();
  EXPECT_FALSE(stats.state(0).saturated);
  EXPECT_EQ(stats.queue_growth(stats.state(0), 0), 0);
  EXPECT_EQ(number(t, 0, "lost"), 100);  // generated in the window, lost at some time
  EXPECT_EQ(number(t, 0, "missing"), 0);
  EXPECT_EQ(number(t, 1, "lost"), 0);
  EXPECT_TRUE(kept.state(0).saturated);
  EXPECT_EQ(kept.saturated_services(), std::vector<std::string>{"a"});
  EXPECT_DOUBLE_EQ(number(kept.services(), 0, "queue_growth"), 3000);  // 3 flits in every ns
}

// What was measured before is forgotten, and what was generated before does not count.
TEST_F(TransferStatsTest, AWindowCanBeginAnewAndEndLater) {
  TransferStats stats = stats_of({0, Window::kOpen}, true);
  MessageLog log("heading\n");
  stats.log_transfers(log);
  const auto pass = [&](Cycle from, Cycle to) {
    for (Cycle c = from; c < to; ++c) {
      const TransferRecord m = message(0, c);
      stats.on_generate(m);
      stats.on_enter(m);
      stats.on_arrive(m, c + 10);
    }
  };
  pass(0, 50);
  stats.measure_from(100);
  pass(50, 400);
  stats.measure_until(500);
  pass(400, 600);
  stats.close(700);
  EXPECT_EQ(stats.window().first, 100);
  EXPECT_EQ(stats.window().last, 500);
  const Table t = stats.services();
  EXPECT_EQ(number(t, 0, "messages"), 400);
  EXPECT_EQ(number(t, 0, "missing"), 0);
  EXPECT_DOUBLE_EQ(number(t, 0, "accepted"), 1.5);
  EXPECT_EQ(number(t, 0, "latency_mean"), 10);
  EXPECT_EQ(number(t, 0, "half_width"), 0);
  const std::string text = log.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 401);
  EXPECT_TRUE(text.starts_with("heading\n100,"));
}

TEST_F(TransferStatsTest, AWindowThatIsCutShortEndsThere) {
  TransferStats stats = stats_of({100, 200}, true);
  for (Cycle c = 0; c < 150; c += 2) {
    stats.on_generate(message(0, c));
    stats.on_arrive(message(0, c), c + 1);
  }
  stats.close(149);
  EXPECT_EQ(stats.window().last, 150);
  EXPECT_DOUBLE_EQ(stats.all().offered->per_node, 3 * 0.5 / 2);  // half a message of 3 flits per cycle, 2 NICs
  EXPECT_DOUBLE_EQ(stats.all().accepted->per_node, 3 * 0.5 / 2);
  TransferStats early = stats_of({100, 200}, true);
  early.on_generate(message(0, 5));
  early.close(7);
  EXPECT_EQ(early.all().offered->per_node, 0);
  EXPECT_FALSE(early.state(0).saturated);
}

TEST_F(TransferStatsTest, LatencyIsQueueingNetworkAndSerialization) {
  TransferStats stats = stats_of({100, 200}, true);
  MessageLog log("");
  stats.log_transfers(log);
  for (const auto& [generated, sent, delivered] : {std::array<Cycle, 3>{110, 112, 130}, {120, 142, 160}}) {
    const TransferRecord m = message(1, generated, sent);
    stats.on_generate(m);
    stats.on_arrive(m, delivered);
  }
  stats.close(199);
  const Table t = stats.services();
  EXPECT_DOUBLE_EQ(number(t, 1, "queueing"), 10);  // 0 and 20
  EXPECT_DOUBLE_EQ(number(t, 1, "queueing_max"), 20);
  EXPECT_DOUBLE_EQ(number(t, 1, "serialization"), 4);
  EXPECT_DOUBLE_EQ(number(t, 1, "network"), 16);  // 20 - 0 - 4 and 40 - 20 - 4
  EXPECT_DOUBLE_EQ(number(t, 1, "latency_mean"), 30);
  EXPECT_EQ(log.text(), "110,112,130,0,1,\"b, c\",5\n120,142,160,0,1,\"b, c\",5\n");
}

// Whatever order they are delivered in.
TEST_F(TransferStatsTest, LogOfACycleIsInOrderOfDestinations) {
  TransferStats stats = stats_of({100, 200}, false);
  MessageLog log("");
  stats.log_transfers(log);
  for (const NodeId destination : {1, 0}) {
    TransferRecord m = message(0, 110);
    m.from = 1 - destination;
    m.to = destination;
    stats.on_generate(m);
    stats.on_arrive(m, 130);
  }
  stats.close(199);
  EXPECT_EQ(log.text(), "110,112,130,1,0,a,3\n110,112,130,0,1,a,3\n");
}

TEST_F(TransferStatsTest, HistogramHoldsEveryMessageInABinOfItsOwnSize) {
  TransferStats stats = stats_of({0, 1'000'000}, false);
  RandomStream random(2, "bins");
  std::vector<Cycle> latencies[2];
  for (int i = 0; i < 4000; ++i) {
    const TransferRecord m = message(static_cast<ServiceId>(i % 2), 10);
    const auto latency = static_cast<Cycle>(random.below(std::uint64_t{1} << random.below(18)));
    stats.on_generate(m);
    stats.on_arrive(m, 10 + latency);
    latencies[i % 2].push_back(latency);
  }
  const Table t = stats.histogram();
  std::map<std::string, double> held;
  std::map<std::string, double> end;
  for (std::size_t r = 0; r < t.rows.size(); ++r) {
    const std::string level = std::get<std::string>(cell(t, r, "service"));
    const double from = number(t, r, "from");
    const double below = number(t, r, "below");
    EXPECT_GE(from, end[level]) << "bins overlap";
    end[level] = below;
    EXPECT_LE(below - from, std::max(1.0, from / 16));
    double expected = 0;
    for (const Cycle c : latencies[level == "a" ? 0 : 1]) {
      expected += static_cast<double>(c) >= from && static_cast<double>(c) < below ? 1 : 0;
    }
    EXPECT_EQ(number(t, r, "messages"), expected);
    EXPECT_DOUBLE_EQ(number(t, r, "density"), expected / (below - from));
    held[level] += expected;
  }
  EXPECT_EQ(held["a"], 2000);
  EXPECT_EQ(held["b, c"], 2000);
}

TEST_F(TransferStatsTest, OrderIsCheckedWhereItIsPromised) {
  const TransferRecord first = message(0, 100);
  const TransferRecord second = message(0, 100);
  const TransferRecord other = message(1, 100);
  const auto wrong = [&](bool promised, std::initializer_list<TransferRecord> arrivals) {
    TransferStats stats = stats_of({0, 200}, promised);
    for (const TransferRecord& t : arrivals) stats.on_arrive(t, 110);
    try {
      stats.check_last_arrivals();
    } catch (const RunError&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(wrong(true, {other, second, first}));
  EXPECT_TRUE(wrong(true, {other, second, second})) << "twice";
  EXPECT_FALSE(wrong(true, {other, first, second}));
  EXPECT_FALSE(wrong(false, {other, second, first}));
}

TEST_F(TransferStatsTest, WrongOrderIsFoundSomeArrivalsLater) {
  TransferStats stats = stats_of({0, 200}, true);
  const TransferRecord late = message(0, 100);
  std::vector<TransferRecord> on_time;
  for (int i = 0; i < 100; ++i) on_time.push_back(message(0, 100));
  for (const TransferRecord& t : on_time) stats.on_arrive(t, 110);
  EXPECT_NO_THROW(stats.check_last_arrivals());
  int arrivals = 0;
  EXPECT_THROW(for (stats.on_arrive(late, 111); arrivals < 20; ++arrivals) stats.on_arrive(message(1, 100), 112),
               RunError);
  EXPECT_LT(arrivals, 10);
}

// A server that is busy for ten cycles a message: at a load of 0.95 its queue wanders, at 1.05 it grows by 0.005
// messages a cycle.
TEST_F(TransferStatsTest, SaturationNeedsMoreThanChance) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const double load : {0.95, 1.05}) {
      constexpr Cycle kEnd = 1'000'000;
      TransferStats stats = stats_of({20'000, kEnd}, false);
      RandomStream random(seed, "arrivals");
      Cycle free = 0;
      for (Cycle c = 0; c < kEnd; ++c) {
        if (random.uniform() >= load / 10) continue;
        const Cycle sent = std::max(free, c);
        free = sent + 10;
        stats.on_generate(message(0, c));
        if (sent < kEnd) stats.on_enter(message(0, c, sent));
      }
      stats.close(kEnd);
      EXPECT_EQ(stats.saturated_services().size(), load > 1 ? 1U : 0U) << load << " " << seed;
      if (load > 1) {
        EXPECT_NEAR(*stats.queue_growth(stats.state(0), 0), 3 * 0.005 * 1000, 3) << seed;
      }
    }
  }
}

// Latencies of pairs are told in small networks, of one part or of several together; not in larger ones.
TEST_F(TransferStatsTest, PairsHaveTheirOwnLatencies) {
  auto with_pairs = options(false);
  with_pairs.pairs = true;
  with_pairs.nodes = kMostPairNodes;
  const auto arrive = [&](TransferStats& stats, NodeId from, NodeId to, Cycle generated, Cycle latency) {
    TransferRecord m = message(0, generated);
    m.from = from;
    m.to = to;
    stats.on_generate(m);
    stats.on_arrive(m, generated + latency);
  };
  TransferStats one(with_pairs, {100, 200});
  TransferStats other(with_pairs, {100, 200});
  arrive(one, 0, 1, 99, 50);  // before the window
  arrive(one, 0, 1, 100, 10);
  arrive(one, 0, 1, 110, 30);
  arrive(one, 1, 0, 120, 7);
  arrive(other, 31, 31, 130, 9);
  arrive(other, 0, 1, 140, 80);
  TransferStats both(with_pairs, {100, 200});
  both.collect({one.numbers(false), other.numbers(false)});
  both.close(300);
  const Table t = both.pairs();
  ASSERT_EQ(t.rows.size(), 3U);
  const double expected[][5] = {{0, 1, 3, 40, 80}, {1, 0, 1, 7, 7}, {31, 31, 1, 9, 9}};
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(number(t, r, "source"), expected[r][0]);
    EXPECT_EQ(number(t, r, "destination"), expected[r][1]);
    EXPECT_EQ(number(t, r, "messages"), expected[r][2]);
    EXPECT_DOUBLE_EQ(number(t, r, "latency_mean"), expected[r][3]);
    EXPECT_DOUBLE_EQ(number(t, r, "latency_max"), expected[r][4]);
  }
  ++with_pairs.nodes;
  TransferStats large(with_pairs, {100, 200});
  arrive(large, 0, 1, 100, 10);
  large.close(300);
  EXPECT_TRUE(large.pairs().rows.empty());
}

}  // namespace
}  // namespace weft
