// Profile of a network over time, fed by hand: against counting flit by flit and tick by tick, whatever the windows.

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "observe/profile/network_profile.h"
#include "observe/profile/throughput.h"

namespace weft {
namespace {

ProfileShape shape_of(Cycle window, std::size_t links, std::size_t switches, std::size_t nodes) {
  ProfileShape shape;
  shape.window = window;
  shape.tick = Duration{1000};
  shape.links = links;
  shape.switches = switches;
  shape.nodes = nodes;
  shape.link_name = [](std::size_t l) { return "link " + std::to_string(l); };
  return shape;
}

// Flits of each link per tick; what is in a buffer or waits in each tick.
struct Oracle {
  static constexpr Cycle kEnd = 4000;
  std::vector<std::int64_t> carried = std::vector<std::int64_t>(kEnd);
  std::vector<std::int64_t> inside = std::vector<std::int64_t>(kEnd);
  std::vector<std::int64_t> waiting = std::vector<std::int64_t>(kEnd);
  static std::int64_t sum(const std::vector<std::int64_t>& of, Window w) {
    return std::accumulate(of.begin() + w.first, of.begin() + w.last, std::int64_t{0});
  }
};

// Random messages: each waits at its node, comes into a buffer, and leaves it over a link.
void feed(RandomStream& random, NetworkProfile& profile, Oracle& oracle, Cycle from, Cycle until) {
  for (int n = 0; n < 150; ++n) {
    const Cycle generated = from + static_cast<Cycle>(random.below(static_cast<std::uint64_t>(until - from)));
    const auto flits = static_cast<std::uint32_t>(1 + random.below(12));
    const Cycle enters = generated + static_cast<Cycle>(random.below(60));
    const Cycle leaves = enters + 3 + static_cast<Cycle>(random.below(90));
    const Cycle stride = random.below(3) == 0 ? 4 : 1;
    TransferRecord t;
    t.from = 0;
    t.units = flits;
    t.generated = generated;
    profile.on_generate(t);
    t.entered = enters;
    profile.on_enter(t);
    profile.enter(0, enters, flits);
    profile.leave(0, leaves, flits);
    profile.carry(0, leaves, flits, stride);
    for (Cycle c = generated; c < enters; ++c) oracle.waiting[c] += flits;
    for (std::uint32_t f = 0; f < flits; ++f) {
      for (Cycle c = enters + f; c < leaves + f; ++c) ++oracle.inside[c];
      ++oracle.carried[leaves + f * stride];
    }
  }
}

void compare(const NetworkProfile& profile, const Oracle& oracle) {
  const std::vector<std::int64_t> buffered = profile.buffered(0);
  const std::vector<std::int64_t> waiting = profile.waiting(0);
  Cycle at = profile.window().first;
  for (std::size_t w = 0; w < profile.windows(); ++w) {
    const Window window = profile.window(w);
    ASSERT_EQ(window.first, at);  // they cover the measurement without gaps
    at = window.last;
    EXPECT_EQ(static_cast<std::int64_t>(profile.carried(w, 0)), Oracle::sum(oracle.carried, window)) << w;
    EXPECT_EQ(buffered[w], Oracle::sum(oracle.inside, window)) << w;
    EXPECT_EQ(waiting[w], Oracle::sum(oracle.waiting, window)) << w;
  }
  EXPECT_EQ(at, profile.window().last);
}

TEST(NetworkProfile, WindowsHoldWhatCountingGives) {
  RandomStream random(1, "profile");
  for (const Cycle width : {1, 7, 100, 333, 5000}) {
    NetworkProfile profile(shape_of(width, 1, 1, 1), {500, 3000});
    profile.measure_from(500);
    profile.measure_until(3000);
    Oracle oracle;
    feed(random, profile, oracle, 0, 3300);
    profile.close(3500);
    ASSERT_EQ(profile.window().last, 3000);
    compare(profile, oracle);
  }
}

TEST(NetworkProfile, AMeasurementBeginsWithWhatIsThere) {
  RandomStream random(2, "profile");
  NetworkProfile profile(shape_of(50, 1, 1, 1), {0, Window::kOpen});
  profile.measure_from(0);
  Oracle oracle;
  feed(random, profile, oracle, 0, 700);
  profile.measure_from(1000);
  feed(random, profile, oracle, 1000, 2500);
  profile.measure_until(3000);
  profile.close(3300);
  compare(profile, oracle);
}

TEST(NetworkProfile, WindowsJoinWhenThereAreTooMany) {
  RandomStream random(3, "profile");
  // 100,000 links leave room for 16 windows.
  NetworkProfile profile(shape_of(10, 100'000, 1, 1), {0, Window::kOpen});
  profile.measure_from(0);
  Oracle oracle;
  feed(random, profile, oracle, 0, 3000);
  profile.measure_until(3500);
  profile.close(3600);
  EXPECT_LE(profile.windows(), 16U);
  EXPECT_EQ(profile.width() % 10, 0);
  EXPECT_GE(profile.width() * 16, 3500);
  compare(profile, oracle);
}

TEST(NetworkProfile, WordsThatDoNotComeAreTakenBack) {
  NetworkProfile profile(shape_of(10, 2, 0, 0), {0, 100});
  profile.carry(1, 3, 20, 4);  // 3, 7, ..., 79
  profile.take_back(1, 3 + 5 * 4, 15, 4);
  profile.close(99);
  std::vector<std::uint64_t> words;
  for (std::size_t w = 0; w < profile.windows(); ++w) words.push_back(profile.carried(w, 1));
  EXPECT_EQ(words, (std::vector<std::uint64_t>{2, 3, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(NetworkProfile, ARunSpreadEvenlyIsWhole) {
  NetworkProfile profile(shape_of(10, 1, 0, 0), {0, 100});
  profile.carry_evenly(0, 5, 45, 101);
  profile.close(99);
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < profile.windows(); ++w) {
    sum += profile.carried(w, 0);
    const double wanted = w == 0 || w == 4 ? 101.0 / 8 : w < 4 ? 101.0 / 4 : 0;
    EXPECT_NEAR(static_cast<double>(profile.carried(w, 0)), wanted, 1) << w;
  }
  EXPECT_EQ(sum, 101U);
}

TEST(NetworkProfile, OfARunBehindTheEndOnlyWhatComesBeforeCounts) {
  NetworkProfile profile(shape_of(4, 1, 0, 0), {0, 10});
  profile.carry_evenly(0, 0, 20, 20);
  profile.close(9);
  ASSERT_EQ(profile.windows(), 3U);
  EXPECT_EQ(profile.carried(0, 0), 4U);
  EXPECT_EQ(profile.carried(1, 0), 4U);
  EXPECT_EQ(profile.carried(2, 0), 2U);
}

TEST(NetworkProfile, LooksGiveMeans) {
  NetworkProfile profile(shape_of(10, 0, 2, 0), {0, 20});
  for (Cycle c = 0; c < 20; c += 5) {
    profile.sample(c);
    profile.hold(1, c, static_cast<std::uint64_t>(c));
  }
  profile.close(19);
  EXPECT_EQ(profile.occupancy(0), (std::vector<double>{0, 0}));
  EXPECT_EQ(profile.occupancy(1), (std::vector<double>{2.5, 12.5}));
}

TEST(ThroughputSeries, BytesOfAllPeriodsAreThoseDelivered) {
  ThroughputSeries series(Duration{1000});
  RandomStream random(4, "throughput");
  std::uint64_t all = 0;
  Cycle at = 100;
  series.measure_from(100);
  for (int n = 0; n < 5000; ++n) {
    at += static_cast<Cycle>(random.below(40));
    const std::uint64_t bytes = random.below(10'000);
    series.deliver(at, bytes);
    all += bytes;
  }
  series.close(at);
  ReportData report;
  series.add_to(report);
  ASSERT_EQ(report.tables.size(), 1U);
  const Table& t = report.tables.front();
  EXPECT_LE(t.rows.size(), 512U);
  std::int64_t sum = 0;
  double rate = 0;
  for (const auto& row : t.rows) {
    sum += std::get<std::int64_t>(row[2]);
    rate += std::get<double>(row[3]) * (std::get<double>(row[1]) - std::get<double>(row[0]));
  }
  EXPECT_EQ(sum, static_cast<std::int64_t>(all));
  EXPECT_NEAR(rate / 8, static_cast<double>(all), 1e-6 * static_cast<double>(all));
  EXPECT_EQ(std::get<double>(t.rows.front()[0]), 0);
  EXPECT_EQ(std::get<double>(t.rows.back()[1]), static_cast<double>(at + 1 - 100));
}

// Two profiles that share what one is told, each with the ticks of its own part: together they are that one.
TEST(NetworkProfile, PartsAddUp) {
  const ProfileShape shape = shape_of(1, 1, 1, 1);
  NetworkProfile whole(shape, {100, Window::kOpen});
  NetworkProfile one(shape, {100, Window::kOpen});
  NetworkProfile other(shape, {100, Window::kOpen});
  RandomStream random(1, "parts");
  const auto tell = [&](NetworkProfile& profile, Cycle at, std::uint64_t flits) {
    TransferRecord t;
    t.from = 0;
    t.units = flits;
    t.generated = at;
    profile.on_generate(t);
    t.entered = at + 5;
    profile.on_enter(t);
    profile.enter(0, at + 7, flits);
    profile.leave(0, at + 30, flits);
    profile.carry(0, at + 30, flits);
    profile.on_arrive(t, at + 60);
  };
  for (Cycle at = 50; at < 900; at += 1 + static_cast<Cycle>(random.below(9))) {
    const std::uint64_t flits = 1 + random.below(9);
    tell(whole, at, flits);
    tell(random.below(2) == 0 ? one : other, at, flits);
  }
  tell(whole, 3000, 4);  // one part has seen much less than the other
  tell(other, 3000, 4);
  for (NetworkProfile* p : {&whole, &one, &other}) p->measure_until(4000);
  one.collect({one.numbers(), other.numbers()});
  for (NetworkProfile* p : {&whole, &one}) p->close(5000);
  ASSERT_EQ(one.windows(), whole.windows());
  ASSERT_EQ(one.width(), whole.width());
  EXPECT_GT(one.width(), 1);
  for (std::size_t w = 0; w < whole.windows(); ++w) {
    EXPECT_EQ(one.offered(w), whole.offered(w));
    EXPECT_EQ(one.accepted(w), whole.accepted(w));
    EXPECT_EQ(one.carried(w, 0), whole.carried(w, 0));
  }
  EXPECT_EQ(one.buffered(0), whole.buffered(0));
  EXPECT_EQ(one.waiting(0), whole.waiting(0));
  EXPECT_EQ(one.width_at(whole.window().last - 1), one.width());
}

}  // namespace
}  // namespace weft
