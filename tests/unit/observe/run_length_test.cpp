// History of a level, its state, and runs that go on until a mean latency is known, on a queue with a closed form.

#include "observe/run_length.h"

#include <algorithm>
#include <cmath>

#include "unit/observe/steady_process.h"

namespace weft::test {
namespace {

TEST(LevelSeries, KeepsItsSumsInBoundedMemory) {
  RandomStream random(1, "series");
  LevelSeries series;
  series.start(1000);
  Cycle now = 1000;
  double latency = 0;
  int count = 0;
  for (; now < 50'000'000; now += 1 + static_cast<Cycle>(random.below(5000))) {
    series.on_generate(now);
    series.on_arrive(now, now % 97);
    latency += static_cast<double>(now % 97);
    ++count;
  }
  const std::vector<Batch> periods = series.latencies(now);
  EXPECT_LE(periods.size(), 512U);
  EXPECT_GT(periods.size(), 256U);
  Batch sum;
  for (const Batch& b : periods) {
    sum.count += b.count;
    sum.sum += b.sum;
  }
  EXPECT_EQ(sum.count, count);
  EXPECT_EQ(sum.sum, latency);
  EXPECT_EQ(series.generated(), static_cast<std::uint64_t>(count));
  series.start(now);
  EXPECT_EQ(series.generated(), 0U);
  EXPECT_TRUE(series.latencies(now + 10).empty());
}

// Every period holds what was generated in it, whatever the length of the periods was at the time.
TEST(LevelSeries, PeriodsAreStretchesOfTime) {
  LevelSeries series;
  series.start(100);
  for (Cycle c = 100; c < 100 + 4096; ++c) {
    series.on_generate(c);
    if (c % 2 == 0) series.on_send(c);
    series.on_arrive(c, c - 100);
  }
  EXPECT_EQ(series.period(), 8);
  const std::vector<Batch> periods = series.latencies(100 + 4096);
  ASSERT_EQ(periods.size(), 512U);
  for (std::size_t i = 0; i < periods.size(); ++i) {
    EXPECT_EQ(periods[i].count, 8);
    EXPECT_EQ(periods[i].sum, 8 * (8 * static_cast<double>(i) + 3.5));
  }
  const std::vector<Batch> growth = series.growth(100 + 4090);
  ASSERT_EQ(growth.size(), 511U) << "the last period is not over";
  for (const Batch& b : growth) {
    EXPECT_EQ(b.count, 8);
    EXPECT_EQ(b.sum, 4);
  }
  EXPECT_EQ(series.growth(100 + 8192).size(), 512U) << "time in which nothing happens";
}

TEST(LevelSeries, LatenciesEndWhereMessagesAreUnderWay) {
  LevelSeries series;
  series.start(0);
  for (Cycle c = 0; c < 100; ++c) {
    series.on_generate(c);
    if (c == 60) continue;  // has not arrived
    if (c == 40) {
      series.on_lose(c);
    } else {
      series.on_arrive(c, 5);
    }
  }
  EXPECT_EQ(series.latencies(100).size(), 60U);
  EXPECT_EQ(series.latencies(50).size(), 50U);
  EXPECT_EQ(series.all_latencies(100).size(), 100U);
}

LevelState state_of_server(std::uint64_t seed, double load, Cycle service, Cycle from, Cycle to) {
  Server server(seed, load, service);
  LevelSeries series;
  series.start(from);
  server.run(to, series);
  server.send(to, series);
  return state_of(series, to, 0.95, true);
}

// Near saturation a queue wanders far and for long; that is no growth.
TEST(LevelState, LongStableRunsAreNotSaturatedAndOverloadedOnesAre) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const double load : {0.5, 0.9, 0.98}) {
      EXPECT_FALSE(state_of_server(seed, load, 10, 100'000, 2'000'000).saturated) << load << " " << seed;
    }
    for (const double load : {1.05, 1.5}) {
      const LevelState state = state_of_server(seed, load, 10, 100'000, 2'000'000);
      ASSERT_TRUE(state.saturated) << load << " " << seed;
      EXPECT_NEAR(state.growth->mean, (load - 1) / 10, state.growth->half_width);
    }
  }
}

// A queue that fills up to where it stays, in a window that sees it do so.
TEST(LevelState, StartUpTransientsAreNoSaturation) {
  int saturated = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    saturated += state_of_server(seed, 0.97, 10, 0, 40'000).saturated ? 1 : 0;
  }
  EXPECT_LE(saturated, 2);
}

// A queue that grows at first and then less and less: neither saturated nor at rest.
TEST(LevelState, QueuesThatGrowAndMayComeToRestAreOpen) {
  const auto state = [](double exponent) {
    LevelSeries series;
    series.start(0);
    Cycle sent = 0;
    for (Cycle c = 0; c < 100'000; c += 10) {
      series.on_generate(c);
      series.on_arrive(c, 100);
      const double waiting = 10 * std::pow(static_cast<double>(c), exponent);
      for (; sent + static_cast<Cycle>(waiting) <= c; sent += 10) series.on_send(c);
    }
    return state_of(series, 100'000, 0.95, true);
  };
  EXPECT_TRUE(state(0.5).open);
  EXPECT_FALSE(state(0.5).saturated || state(0.5).even);
  EXPECT_TRUE(state(0.9).saturated);
  EXPECT_FALSE(state(0.9).open);
  EXPECT_FALSE(state(0.0).open || state(0.0).saturated);
  EXPECT_TRUE(state(0.0).even);
}

TEST(LevelState, RisingLatencyIsSeenAndSteadyOneIsNot) {
  int rising = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    rising += state_of_server(seed, 0.8, 10, 20'000, 500'000).rising() ? 1 : 0;
    EXPECT_TRUE(state_of_server(seed, 1.2, 10, 0, 100'000).rising()) << seed;
  }
  EXPECT_LE(rising, 6) << "one in a hundred by chance";
}

struct RunEnd {
  RunLength length;
  LevelState state;
  Cycle first;
  Cycle end;
};

RunEnd run_server(std::uint64_t seed, double load, const RunLength::Goal& goal) {
  Server server(seed, load, 10);
  LevelSeries series;
  series.start(0);
  RunLength length(goal);
  const LevelSeries* const levels[] = {&series};
  const auto run_to = [&](Cycle now) {
    server.run(now, series);
    server.send(now, series);
  };
  for (Cycle now = length.first_check();;) {
    run_to(now);
    const RunLength::Decision d = length.check(now, levels);
    if (d.step == RunLength::Step::end) {
      EXPECT_GT(d.at, now);
      run_to(d.at);
      return {length, state_of(series, d.at, goal.confidence, true), series.first(), d.at};
    }
    if (d.step == RunLength::Step::measure) {
      EXPECT_GT(d.at, now);
      run_to(d.at);
      series.start(d.at);
    }
    EXPECT_GT(d.next, now);
    now = std::max(d.next, d.at);
  }
}

const RunLength::Goal kGoal{0.05, 0.95, 1000, 5000, 20'000'000, 100};

// 200 runs, each as long as it takes: nearly as many as the confidence says hold the closed form of the queue. That the
// run ends as soon as the interval is narrow makes it a little less.
TEST(RunLength, EndsWithTheMeanKnown) {
  for (const double load : {0.5, 0.8}) {
    int held = 0;
    constexpr int kSeeds = 200;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const RunEnd run = run_server(seed, load, kGoal);
      EXPECT_TRUE(run.length.warmed_up());
      EXPECT_FALSE(run.length.out_of_time());
      ASSERT_TRUE(run.state.latency);
      EXPECT_LE(run.state.latency->half_width, 0.05 * run.state.latency->mean);
      EXPECT_GE(run.first, 1000);
      EXPECT_GE(run.end - run.first, 5000);
      held += std::abs(run.state.latency->mean - Server::mean_wait(load, 10)) <= run.state.latency->half_width ? 1 : 0;
    }
    EXPECT_GE(held, kSeeds * 88 / 100) << load;
  }
}

TEST(RunLength, HigherLoadsTakeLonger) { EXPECT_GT(run_server(1, 0.9, kGoal).end, 3 * run_server(1, 0.5, kGoal).end); }

TEST(RunLength, EndsWhenTheQueueGrows) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RunEnd run = run_server(seed, 1.1, kGoal);
    EXPECT_TRUE(run.state.saturated);
    EXPECT_FALSE(run.length.out_of_time());
    EXPECT_NEAR(run.state.growth->mean, 0.01, run.state.growth->half_width);
    EXPECT_LT(run.end, 5'000'000);
  }
}

// Also when the window takes all the time that is left behind the warm-up.
TEST(RunLength, BeginsFarEnoughAhead) {
  RunLength::Goal goal = kGoal;
  goal.warm_up = 20'000;
  goal.measure = 100'000;
  goal.at_most = 120'000;
  goal.ahead = 500;
  RunLength length(goal);
  const Cycle now = length.first_check();
  const RunLength::Decision d = length.check(now, {});
  EXPECT_EQ(d.step, RunLength::Step::measure);
  EXPECT_EQ(d.at, 20'000);
  EXPECT_EQ(now, 19'500);
}

TEST(RunLength, EndsWhenTimeIsOver) {
  RunLength::Goal goal = kGoal;
  goal.at_most = 30'000;
  goal.half_width = 0.001;
  const RunEnd run = run_server(1, 0.8, goal);
  EXPECT_TRUE(run.length.out_of_time());
  EXPECT_EQ(run.end, 30'000);
  // However little time there is, there is a window.
  for (const Cycle at_most : {2, 10, 150, 1000, 7000}) {
    goal.at_most = at_most;
    goal.warm_up = at_most / 2;
    goal.measure = at_most - at_most / 2;
    const RunEnd little = run_server(1, 0.8, goal);
    EXPECT_TRUE(little.length.out_of_time());
    EXPECT_GT(little.end, little.first);
    EXPECT_LE(little.end, std::max<Cycle>(at_most, little.first + 1));
  }
}

}  // namespace
}  // namespace weft::test
