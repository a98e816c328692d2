// Groups whose data go by way of nodes outside of them: times added up by hand, every byte, links that are shared, and
// what cannot be.

#include <fmt/format.h>

#include <string>

#include "integration/optweb/optweb_timing.h"
#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kEightHead = "fabric: optweb\nnodes: 8\n";

OptwebOutcome run_relayed(const std::string& program, const Overrides& set = {}) {
  OptwebOutcome r = run_optweb_yaml(kEightHead + "program:\n  - { op: barrier }\n  - { op: barrier }\n" + program, set);
  EXPECT_THAT(r.error + r.failure, IsEmpty()) << program;
  return r;
}

std::string line_of(const std::string& instruction) { return "  - { " + instruction + " }\n"; }

// Two rows and four columns of a grid of nodes; each row has its root.
std::string rows(const std::string& size) {
  return line_of("op: broadcast, root: 1, group: [0, 1, 2, 3], path: multipath, size: " + size) +
         line_of("op: broadcast, root: 4, group: [4, 5, 6, 7], path: multipath, size: " + size);
}

// A chunk of n words of each broadcast passes each link to a relay, a fence follows, and a chunk passes each link to a
// member. The roots hear of the first step last, and send last.
TEST(OptwebRelays, BroadcastsOfDisjointGroupsTakeTwoSteps) {
  const Parts parts;
  Overrides set = parts.set();
  set.insert(set.end(), {"mode=timing", "multipath_relays=all", "memory.write=8cycles"});
  constexpr std::int64_t kFence = 12;
  for (const std::int64_t words : {1, 2, 100, 512}) {
    const OptwebOutcome r = run_relayed(rows(fmt::format("{}B", words * 32 * 8)), set);
    const std::int64_t time = parts.confirmed(words) + kFence + parts.received(words);
    EXPECT_EQ(r.cycles(2, "latency"), time) << words;
    EXPECT_EQ(r.cycles(3, "latency"), time) << words;
    EXPECT_EQ(r.cell(2, "hops"), 2);
    if (words == 512) continue;  // by the links of the groups alone, chunks are twice as long, and go by rendezvous
    Overrides own = set;
    own[own.size() - 2] = "multipath_relays=none";
    EXPECT_EQ(run_relayed(rows(fmt::format("{}B", words * 32 * 8)), own).cycles(2, "latency"),
              parts.confirmed(2 * words) + kFence + parts.received(2 * words))
        << words;
  }
  // By rendezvous: before the first step all relays have to be ready; when the roots come to the second one, all are.
  const OptwebOutcome r = run_relayed(rows("1MiB"), set);
  constexpr std::int64_t kWords = 1 << 12;
  EXPECT_EQ(r.cycles(2, "latency"), parts.confirmed(kWords) + (parts.rendezvous(kWords) - parts.received(kWords)) +
                                        kFence + parts.received(kWords));
}

// A chunk of each member passes its link to a relay, where they are combined, and the result goes back.
TEST(OptwebRelays, AnAllreduceTakesTwoSteps) {
  const Parts parts;
  Overrides set = parts.set();
  set.insert(set.end(), {"mode=timing", "memory.write=8cycles", "switch.reduce=4cycles"});
  constexpr std::int64_t kFence = 12;
  constexpr std::int64_t kLevels = 2 * 4;
  const auto latency = [&](const char* relays, std::int64_t bytes) {
    Overrides all = set;
    all.push_back(fmt::format("multipath_relays={}", relays));
    const std::string in = fmt::format("op: allreduce, group: [0, 1, 2, 3], path: multipath, size: {}B", bytes);
    return run_relayed(line_of(in), all).cycles(2, "latency");
  };
  for (const std::int64_t words : {1, 3, 100}) {
    const std::int64_t step = parts.confirmed(words) + kLevels + kFence;
    EXPECT_EQ(latency("all", words * 32 * 8), step + parts.received(words)) << words;
    EXPECT_EQ(latency("none", words * 32 * 4), step + parts.received(words)) << words;
  }
}

// Gb/s: with n nodes by way of which data go, each carries an n-th, twice.
TEST(OptwebRelays, UseTheLinksOfTheRelays) {
  const auto rate = [](const std::string& instruction, const char* nodes, const char* relays = "all") {
    const OptwebOutcome r = run_optweb_yaml(
        kEightHead +
        fmt::format("mode: timing\nmultipath_relays: {}\nprograms:\n  'node[0..{}]':\n    - {{ op: barrier, "
                    "group: [0, 1, 2, 3] }}\n    - {{ {} }}\n",
                    relays, nodes, instruction));
    EXPECT_THAT(r.error + r.failure, IsEmpty()) << instruction;
    return r.cell(1, "bandwidth").get<double>();
  };
  const std::string four = "op: broadcast, group: [0, 1, 2, 3], size: 16MiB, path: multipath";
  EXPECT_NEAR(rate(four, "7", "none"), 4 * 22.5, 1);
  EXPECT_NEAR(rate(four, "3"), 4 * 22.5, 1) << "who does not run the program is no relay";
  EXPECT_NEAR(rate(four, "5"), 6 * 22.5, 1);
  EXPECT_NEAR(rate(four, "7"), 8 * 22.5, 1);
  EXPECT_NEAR(rate("op: broadcast, group: [0, 3], size: 16MiB, path: automatic", "4"), 5 * 22.5, 1);
  EXPECT_NEAR(rate("op: allreduce, group: [0, 1, 2, 3], size: 16MiB, path: multipath", "7"), 8 * 22.5, 1);
  EXPECT_NEAR(rate("op: transfer, source: 0, destination: 2, group: [0, 2], size: 16MiB, path: multipath", "4"),
              5 * 22.5, 1);
}

// Every byte where the routes put it, of any sizes, with several groups at once, a relay that does something else
// first, clocks of their own, and fences where they are needed.
TEST(OptwebRelays, RelayedBytesArrive) {
  for (const char* size : {"0B", "4B", "100B", "3000B", "40KiB", "300KiB"}) {
    const std::string any = fmt::format(", size: {}, path: multipath", size);
    std::string program = rows(size);
    program += line_of("op: broadcast, root: 5, group: [1, 5], receive: 140MiB" + any);
    program += line_of("op: compute, time: 7us, at: [6]");
    program += line_of("op: allreduce, group: [0, 2, 3, 7], type: float32, receive: 150MiB, scratch: 410MiB" + any);
    program +=
        line_of("op: transfer, source: 4, destination: 2, group: [2, 4], receive: 160MiB, scratch: 420MiB" + any);
    program += line_of("op: broadcast, root: 2, group: [2, 3, 6], receive: 170MiB" + any);
    for (const Overrides& kind : std::vector<Overrides>{
             {}, {"clocks.phase=random"}, {"memory.write=400cycles", "sequencer.implementation=lockstep"}}) {
      Overrides set = kind;
      set.insert(set.end(), {"verify=data", "multipath_relays=all"});
      SCOPED_TRACE(testing::PrintToString(set) + size);
      const OptwebOutcome r = run_relayed(program, set);
      EXPECT_EQ(r.figure("run", "verified_bytes") > 0, std::string(size) != "0B");
      EXPECT_EQ(r.figure("run", "unfenced_reads"), 0);
    }
  }
}

// A relay executes one instruction after the other: what it does before delays the whole step, and no link carries more
// than one chunk at a time.
TEST(OptwebRelays, RelaysTakeTheirTurn) {
  const Overrides set{"mode=timing", "multipath_relays=all"};
  const std::string late = line_of("op: compute, time: 10us, at: [6]");
  const auto end = [&](const std::string& program) { return run_relayed(program, set).figure("run", "time"); };
  const std::string row = line_of("op: broadcast, root: 1, group: [0, 1, 2, 3], path: multipath, size: 256KiB");
  EXPECT_EQ(end(late + row), end(row) + 10'015 - 0) << "the compute and its fetch";
  // Two broadcasts with different sizes are two steps.
  const std::string other = line_of("op: broadcast, root: 4, group: [4, 5, 6, 7], path: multipath, size: 255KiB");
  EXPECT_GT(end(row + other), 1.9 * (end(row) - end("")));
}

// Where all nodes that could be relays are members, everything is as without relays, places of data included.
TEST(OptwebRelays, AGroupOfAllNodesNeedsNone) {
  const std::string all = line_of("op: allreduce, path: multipath, size: 1MiB") +
                          line_of("op: allreduce, path: automatic, size: 1MiB") +
                          line_of("op: broadcast, path: multipath, size: 1MiB");
  const auto end = [&](const std::string& relays) {
    return run_relayed(all, {"mode=timing", "multipath_relays=" + relays}).figure("run", "time");
  };
  EXPECT_EQ(end("all"), end("none"));
}

TEST(OptwebRelays, WhatCannotGoByRelaysSaysWhy) {
  const std::string head = kEightHead + "multipath_relays: all\n";
  const std::string two = "op: broadcast, group: [0, 1], path: multipath";
  EXPECT_THAT(run_optweb_yaml(kEightHead + "program:\n" + line_of(two)).error,
              HasSubstr("there is only one route between 0 and 1 in this group; use path: direct"));
  EXPECT_THAT(run_optweb_yaml(head + "programs: { 'node[0..1]': [ { " + two + " } ] }\n").error,
              HasSubstr("there is only one route between 0 and 1 in this group; use path: direct"));
  EXPECT_THAT(run_optweb_yaml(head + "buffers: { scratch: 0B }\nprogram:\n" + line_of(two + ", size: 8KiB")).error,
              AllOf(HasSubstr("what rests at scratch"), HasSubstr("overlap")));
  EXPECT_THAT(run_optweb_yaml(head + "measure: {}\n").warnings,
              HasSubstr("multipath_relays has no effect with 'measure'"));
  EXPECT_THAT(run_optweb_yaml(kEightHead + "multipath_relays: some\nprogram:\n" + line_of(two)).error,
              HasSubstr("multipath_relays"));
}

// In a dragonfly, within groups; whoever has no link to all of a group is no relay of it.
TEST(OptwebRelays, OnesWithLinksInADragonfly) {
  const std::string head = "fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nmultipath_relays: all\n";
  const OptwebOutcome r = run_optweb_yaml(
      head + "verify: data\nprogram:\n" + line_of("op: broadcast, group: [5, 7], path: multipath, size: 100KiB") +
      line_of("op: broadcast, group: [0, 1, 4, 5], path: multipath, size: 100KiB, receive: 100MiB") +
      line_of("op: transfer, source: 0, destination: 5, group: [0, 5], path: multipath, receive: 110MiB"));
  EXPECT_THAT(r.error + r.failure, IsEmpty());
  EXPECT_EQ(r.cell(0, "hops"), 2);
  EXPECT_EQ(r.cell(1, "hops"), 3) << "as without relays";
  EXPECT_EQ(r.cell(2, "hops"), 2);
}

}  // namespace
}  // namespace weft::test
