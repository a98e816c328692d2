// Collectives of OPTWEB whose nodes go round links that are down: every byte, times added up by hand, and who is
// missing where nobody can go round.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "integration/optweb/optweb_timing.h"
#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string down(const std::string& places) {
  std::string out;
  for (std::size_t at = 0; at < places.size();) {
    const std::size_t end = std::min(places.find(' ', at), places.size());
    out += fmt::format("{}{{ at: '{}', down: 0cycles }}", out.empty() ? "" : ", ", places.substr(at, end - at));
    at = end + 1;
  }
  return "faults=[" + out + "]";
}

const std::string kDetourHead = "fabric: optweb\nnodes: 5\nlink: { detour: relay }\nprogram:\n";

// Each operation, by itself and after others, of sizes for both protocols.
std::string every_collective(const std::string& size) {
  std::string out;
  int place = 0;
  for (const char* op : {"barrier", "scatter, root: 1", "gather, root: 3", "broadcast, root: 2",
                         "broadcast, root: 1, path: multipath", "alltoall", "allgather", "reduce, root: 3",
                         "reduce, root: 0, type: float32", "allreduce", "allreduce, path: multipath, type: float32",
                         "reduce_scatter, combine: max", "barrier, group: [0, 1, 3]", "alltoall, group: [0, 1, 3]"}) {
    const bool data = !std::string(op).starts_with("barrier");
    out += fmt::format("  - {{ op: {}{} }}\n", op,
                       data ? fmt::format(", size: {}, receive: {}MiB", size, 130 + place) : "");
    if (data) ++place;
  }
  return out;
}

TEST(OptwebDetours, EveryByteArrives) {
  for (const char* places : {"sw[1]-sw[3]", "sw[0]-sw[1]", "sw[3]-sw[4]", "sw[0]-sw[1] sw[2]-sw[3]",
                             "sw[1]-sw[3] sw[1]-sw[2]", "sw[0]-sw[4] sw[1]-sw[3] sw[3]-sw[4]"}) {
    for (const char* size : {"0B", "4B", "100B", "40KiB"}) {
      SCOPED_TRACE(testing::Message() << places << " " << size);
      const OptwebOutcome r = run_optweb_yaml(kDetourHead + every_collective(size),
                                              {down(places), "verify=data", "switch.eager_buffer=64KiB"});
      ASSERT_THAT(r.error + r.failure, IsEmpty());
      EXPECT_EQ(r.figure("run", "verified_bytes") > 0, std::string(size) != "0B");
      EXPECT_GT(r.figure("faults", "detoured"), 5);
      EXPECT_EQ(r.figure("faults", "undelivered_words"), 0);
      EXPECT_EQ(r.figure("run", "unfenced_reads"), 0);
    }
  }
}

// By rendezvous, with the default addresses, clocks of their own, and RTL of the sequencers and lanes.
TEST(OptwebDetours, LargeDataAndOwnClocks) {
  for (const Overrides& kind : std::vector<Overrides>{
           {}, {"clocks.phase=random"}, {"memory.write=300cycles"}, {"sequencer.implementation=lockstep"}}) {
    for (const char* op :
         {"alltoall", "allgather", "reduce, root: 3", "allreduce", "reduce_scatter", "broadcast, root: 1",
          "broadcast, root: 2, path: multipath", "scatter, root: 3", "gather, root: 1"}) {
      Overrides set = kind;
      set.insert(set.end(), {down("sw[1]-sw[3]"), "verify=data"});
      SCOPED_TRACE(testing::PrintToString(set) + op);
      const OptwebOutcome r =
          run_optweb_yaml(kDetourHead + "  - { op: barrier }\n  - { op: " + op + ", size: 200KiB }\n", set);
      EXPECT_THAT(r.error + r.failure, IsEmpty());
      EXPECT_EQ(r.figure("faults", "detoured"), 2);
    }
  }
}

// A collective by itself, with the link between nodes 1 and 3 down or not, in cycles from its fetch until all is
// received.
std::int64_t detour_latency(const std::string& instruction, bool fails) {
  Overrides set = Parts().set();
  set.insert(set.end(), {"mode=timing", "memory.write=8cycles", "switch.reduce=4cycles",
                         fails ? down("sw[1]-sw[3]") : "faults=[{ at: 'sw[1]-sw[3]', down: 900ms }]"});
  const OptwebOutcome r = run_optweb_yaml(kDetourHead + "  - { op: " + instruction + " }\n", set);
  EXPECT_THAT(r.error + r.failure, IsEmpty()) << instruction;
  EXPECT_EQ(r.figure("faults", "detoured"), fails ? 1 : 0);
  return fails ? r.cycles(0, "latency") : r.cycles(0, "completed") - r.cycles(0, "start");
}

// The instruction, the way of what two nodes have for each other to the relay, a fence, and the way from there. While
// no link is down the three have nothing to do.
TEST(OptwebDetours, TakeTheTimesOfTheirSteps) {
  const Parts parts;
  constexpr std::int64_t kFence = 12;
  const std::int64_t idle = 2 + parts.setup + 1;
  const std::int64_t go_on = parts.setup + parts.notification;
  EXPECT_EQ(detour_latency("barrier", false), parts.barrier() + 2 * idle + kFence);
  EXPECT_EQ(detour_latency("barrier", true), parts.barrier() + idle + kFence + parts.barrier());
  for (const std::int64_t words : {1, 2, 50}) {
    const std::string size = fmt::format(", size: {}B", 32 * words);
    const std::int64_t whole = parts.confirmed(words);
    const std::int64_t detour = parts.received(words) + go_on + kFence + parts.received(words);
    for (const char* op : {"alltoall", "allgather", "scatter, root: 1", "broadcast, root: 3"}) {
      EXPECT_EQ(detour_latency(op + size, true), whole + detour) << op << size;
      EXPECT_EQ(detour_latency(op + size, false), whole + 2 * idle + kFence) << op << size;
    }
    // Of five streams three levels, of what rests and what comes late one. What rests is read when the relay has
    // confirmed the first way, and passes from a node to itself at a word per cycle.
    const std::int64_t own = 2 + parts.dispatch + parts.read + parts.distributor + parts.select + words + 1 +
                             parts.receive + parts.counter + parts.report;
    for (const char* op : {"allreduce", "reduce_scatter"}) {
      EXPECT_EQ(detour_latency(op + size, true),
                whole + 3 * 4 + std::max(detour, parts.confirmed(words) + kFence + own) + 4)
          << op << size;
    }
  }
  // By rendezvous, the relay waits until the two have heard of the first way.
  constexpr std::int64_t kWords = 1 << 15;
  const std::int64_t later = parts.rendezvous(kWords) - parts.received(kWords);
  EXPECT_EQ(detour_latency("alltoall, size: 1MiB", true),
            2 * parts.confirmed(kWords) + kFence + parts.received(kWords) + 3 * later);
}

// What cannot go round, waits, or says who is missing.
TEST(OptwebDetours, WhereNobodyCanGoRoundSomebodyIsMissing) {
  const std::string all = kDetourHead + "  - { op: alltoall, size: 1KiB }\n";
  const std::string failure = run_optweb_yaml(all, {down("sw[2]")}).failure;
  EXPECT_THAT(failure,
              AllOf(HasSubstr("node 0, alltoall"), HasSubstr("the link to node 2 is down since 0ps by faults.0")));
  // Every node that could stand between 1 and 3 has lost a link to one of them.
  EXPECT_THAT(run_optweb_yaml(all, {down("sw[1]-sw[3] sw[0]-sw[1] sw[1]-sw[2] sw[3]-sw[4]")}).failure,
              HasSubstr("the link to node 3 is down"));
  // A group of two has no third node; a transfer has no detour but all paths.
  EXPECT_THAT(run_optweb_yaml(kDetourHead + "  - { op: barrier, group: [1, 3] }\n", {down("sw[1]-sw[3]")}).failure,
              HasSubstr("node 1, barrier"));
  EXPECT_THAT(
      run_optweb_yaml(kDetourHead + "  - { op: transfer, source: 1, destination: 3 }\n", {down("sw[1]-sw[3]")}).failure,
      HasSubstr("node 1, transfer"));
  // By default nobody goes round.
  EXPECT_THAT(run_optweb_yaml(all, {down("sw[1]-sw[3]"), "link.detour=none"}).failure,
              HasSubstr("the link to node 3 is down"));
  // A link that fails later: the collective waits for it, and the next one goes round.
  const OptwebOutcome later = run_optweb_yaml(
      kDetourHead +
          "  - { op: alltoall, size: 256KiB }\n  - { op: compute, time: 300us }\n  - { op: alltoall, size: 256KiB }\n",
      {"faults=[{ at: 'sw[1]-sw[3]', down: 20us, up: 100us }, { at: 'sw[1]-sw[3]', down: 300us }]", "verify=data"});
  EXPECT_THAT(later.error + later.failure, IsEmpty());
  EXPECT_EQ(later.figure("faults", "detoured"), 1);
}

TEST(OptwebDetours, KeysThatDoNotFit) {
  EXPECT_THAT(run_optweb_yaml(kDetourHead + "  - { op: barrier }\n").warnings,
              HasSubstr("link.detour has no effect without faults, or with traffic"));
  EXPECT_THAT(run_optweb_yaml(kDetourHead + "  - { op: alltoall, size: 200MiB }\n", {down("sw[1]-sw[3]")}).error,
              AllOf(HasSubstr("alltoall"), HasSubstr("'scratch' at 3K/2"), HasSubstr("can be given")));
}

}  // namespace
}  // namespace weft::test
