#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "base/child_process.h"
#include "support/patience.h"

namespace weft {
namespace {

using testing::HasSubstr;

TEST(ChildProcess, OutputErrorsAndStatusAreKept) {
  const ChildResult r = run_child({{"sh", "-c", "cat; echo no >&2; exit 3"}, {}, "yes"});
  EXPECT_EQ(r.status, 3);
  EXPECT_EQ(r.out, "yes");
  EXPECT_EQ(r.err, "no\n");
}

TEST(ChildProcess, MuchGoesThroughBothWays) {
  const std::string much(3'000'000, 'x');
  EXPECT_EQ(run_child({{"cat"}, {}, much}).out, much);
  EXPECT_EQ(run_child({{"true"}, {}, much}).status, 0) << "a child that does not read its input";
}

TEST(ChildProcess, RunsInItsFolder) { EXPECT_EQ(run_child({{"pwd"}, "/usr", {}}).out, "/usr\n"); }

TEST(ChildProcess, IsInTheGroupOfItsParentUnlessItIsApart) {
  ChildCommand command{{"sh", "-c", "cut -d' ' -f5 /proc/$$/stat; echo $$"}, {}, {}};
  const auto group_and_number = [&] {
    const std::string out = run_child(command).out;
    const std::size_t end = out.find('\n');
    return std::pair(out.substr(0, end), out.substr(end + 1, out.size() - end - 2));
  };
  EXPECT_EQ(group_and_number().first, std::to_string(getpgrp()));
  command.apart = true;
  const auto [group, number] = group_and_number();
  EXPECT_EQ(group, number);
}

TEST(ChildProcess, SaysWhyItCannotStart) {
  const ChildResult r = run_child({{"no-such-program-here"}, {}, {}});
  EXPECT_EQ(r.status, 127);
  EXPECT_THAT(r.err, HasSubstr("no-such-program-here: cannot be started: No such file"));
  EXPECT_THAT(run_child({{"true"}, "/no/such/folder", {}}).err, HasSubstr("/no/such/folder: cannot be started"));
}

TEST(ChildProcess, ASignalIsAStatusToo) { EXPECT_EQ(run_child({{"sh", "-c", "kill -9 $$"}, {}, {}}).status, 137); }

TEST(ChildProcess, HasItsLimits) {
  const ChildResult r = run_child({{"sh", "-c", "ulimit -d; nice"}, {}, {}, std::uint64_t{300} << 20, 2});
  const int nice = std::min(19, getpriority(PRIO_PROCESS, 0) + 2);
  EXPECT_EQ(r.out, std::to_string(300 * 1024) + "\n" + std::to_string(nice) + "\n");
  EXPECT_GT(r.peak_memory, 100'000U);
  EXPECT_TRUE(!test::kUsageCounts || r.peak_memory < 100'000'000U) << r.peak_memory;
  const ChildResult large =
      run_child({{"sh", "-c", "head -c 99000000 /dev/zero | sort >/dev/null"}, {}, {}, 30'000'000});
  EXPECT_NE(large.err, "") << "sort keeps its only line in memory";
}

TEST(ChildPool, TheFirstToEndComesFirst) {
  ChildPool pool;
  pool.start(1, {{"sleep", "20"}, {}, {}});
  pool.start(2, {{"true"}, {}, {}});
  const auto finished = pool.wait(std::chrono::seconds(10));
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->id, 2U);
  EXPECT_EQ(pool.running(), 1U);
  EXPECT_FALSE(pool.wait(std::chrono::milliseconds(20)));
  const auto begin = std::chrono::steady_clock::now();
  pool.end_all();
  EXPECT_EQ(pool.running(), 0U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(ChildPool, AllThatEndTogetherAreTaken) {
  ChildPool pool;
  for (std::size_t i = 0; i < 20; ++i) pool.start(i, {{"true"}, {}, {}});
  run_child({{"sleep", "0.3"}, {}, {}});  // by now all have ended
  for (std::size_t i = 0; i < 20; ++i) ASSERT_TRUE(pool.wait(std::chrono::seconds(5))) << i;
  EXPECT_EQ(pool.running(), 0U);
}

}  // namespace
}  // namespace weft
