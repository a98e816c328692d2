// Collectives of OPTWEB dragonflies whose nodes go round links that are down: every byte, times added up by hand, and
// what waits all the same.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "integration/optweb/optweb_timing.h"
#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Node (A, i) is 4 A + i.
const std::string kTwoHopDetours =
    "fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nlink: { detour: relay }\nprogram:\n";

std::string links_down(const std::vector<std::string>& places, const std::string& at = "0cycles") {
  std::string out;
  for (const std::string& p : places) out += fmt::format("{}{{ at: '{}', down: {} }}", out.empty() ? "" : ", ", p, at);
  return "faults=[" + out + "]";
}

// Links within groups, and between them, next to what the root has.
TEST(OptwebTwoHopDetours, EveryByteArrives) {
  std::string program = "  - { op: barrier }\n";
  int place = 0;
  for (const char* op :
       {"scatter, root: 5", "gather, root: 1", "broadcast, root: 9", "broadcast, root: 1, path: multipath", "alltoall",
        "allgather", "reduce, root: 3", "reduce, root: 1, type: float32", "allreduce",
        "allreduce, path: multipath, type: float32", "reduce_scatter, combine: max",
        "alltoall, group: [0, 1, 3, 4, 5, 7, 8, 9, 11]", "allgather, group: [1, 5, 9, 13]"}) {
    program += fmt::format("  - {{ op: {}, receive: {}MiB }}\n", op, 130 + place++);
  }
  for (const std::vector<std::string>& places : std::vector<std::vector<std::string>>{
           {"sw[1]-sw[3]"}, {"sw[1]-sw[9]"}, {"sw[1]-sw[3]", "sw[1]-sw[9]", "sw[5]-sw[13]", "sw[6]-sw[7]"}}) {
    for (const char* size : {"4B", "100B", "20KiB"}) {
      SCOPED_TRACE(testing::Message() << testing::PrintToString(places) << " " << size);
      const OptwebOutcome r = run_optweb_yaml(
          kTwoHopDetours + program,
          {links_down(places), "verify=data", std::string("buffers.size=") + size, "switch.eager_buffer=256KiB"});
      ASSERT_THAT(r.error + r.failure, IsEmpty());
      EXPECT_GT(r.figure("run", "verified_bytes"), 0);
      EXPECT_GT(r.figure("faults", "detoured"), 7);
      EXPECT_EQ(r.figure("faults", "undelivered_words"), 0);
      EXPECT_EQ(r.figure("run", "unfenced_reads"), 0);
    }
  }
}

// By rendezvous, with the addresses that hold where the file says nothing.
TEST(OptwebTwoHopDetours, LargeDataWithDefaultAddresses) {
  for (const char* op : {"alltoall", "allgather", "broadcast, root: 2", "scatter, root: 1", "gather, root: 3",
                         "broadcast, root: 1, path: multipath"}) {
    SCOPED_TRACE(op);
    const OptwebOutcome r =
        run_optweb_yaml(kTwoHopDetours + "  - { op: barrier }\n  - { op: " + op + ", size: 64KiB }\n",
                        {links_down({"sw[1]-sw[2]", "sw[1]-sw[9]", "sw[2]-sw[14]"}), "verify=data"});
    EXPECT_THAT(r.error + r.failure, IsEmpty());
    EXPECT_EQ(r.figure("faults", "detoured"), 2);
  }
}

std::int64_t two_hop_detour(const std::string& instruction, const std::vector<std::string>& places) {
  Overrides set = Parts().set();
  set.insert(set.end(), {"mode=timing", "memory.write=8cycles", "switch.reduce=4cycles",
                         places.empty() ? links_down({"sw[1]-sw[3]"}, "900ms") : links_down(places)});
  const OptwebOutcome r = run_optweb_yaml(kTwoHopDetours + "  - { op: " + instruction + " }\n", set);
  EXPECT_THAT(r.error + r.failure, IsEmpty()) << instruction;
  EXPECT_EQ(r.figure("faults", "detoured"), places.empty() ? 0 : 1);
  return places.empty() ? r.cycles(0, "completed") - r.cycles(0, "start") : r.cycles(0, "latency");
}

// Each of the two steps is followed by a detour of its own: a way, a fence and a way, idle where all links are up.
TEST(OptwebTwoHopDetours, TakeTheTimesOfTheirSteps) {
  const Parts parts;
  constexpr std::int64_t kFence = 12;
  const std::int64_t idle = 2 + parts.setup + 1;
  const std::int64_t go_on = parts.setup + parts.notification;
  const std::int64_t unused = idle + kFence + idle;
  EXPECT_EQ(two_hop_detour("barrier", {}), 2 * (parts.barrier() + unused));
  const std::int64_t round = parts.barrier() + idle + kFence + parts.barrier();
  // Within a group: its three nodes are late for the second step.
  EXPECT_EQ(two_hop_detour("barrier", {"sw[1]-sw[3]"}), round + parts.barrier() + unused);
  // Between groups: behind a first step whose detour is not used.
  EXPECT_EQ(two_hop_detour("barrier", {"sw[1]-sw[9]"}), parts.barrier() + unused + round);
  EXPECT_EQ(two_hop_detour("barrier", {"sw[1]-sw[3]", "sw[2]-sw[10]"}), parts.barrier() + unused + round);
  EXPECT_EQ(two_hop_detour("barrier", {"sw[1]-sw[3]", "sw[1]-sw[9]"}), 2 * round);
  for (const std::int64_t words : {1, 2, 50}) {
    const std::string size = fmt::format(", size: {}B", 32 * words);
    // From the root to the other groups, to its relay in group 1, from there to group 2; the relay hears that it is
    // there, and is the last one to send on in its group.
    EXPECT_EQ(two_hop_detour("broadcast, root: 1" + size, {"sw[1]-sw[9]"}),
              parts.confirmed(words) + parts.received(words) + go_on + kFence + parts.confirmed(words) + kFence +
                  parts.received(words))
        << size;
  }
}

TEST(OptwebTwoHopDetours, WhatWaitsAllTheSame) {
  // Two groups: between nodes in the same place of both there is nobody.
  EXPECT_THAT(run_optweb_yaml("fabric: optweb\nnodes: 8\ntopology: dragonfly\ngroups: 2\nlink: { detour: relay }\n"
                              "program: [ { op: barrier } ]\n",
                              {links_down({"sw[1]-sw[5]"})})
                  .failure,
              AllOf(HasSubstr("node 1, barrier"), HasSubstr("the link to node 5 is down")));
  // Over three hops, data rest in both areas.
  const OptwebOutcome three = run_optweb_yaml(
      "fabric: optweb\nnodes: 27\ntopology: hierarchy\nlevels: [3, 3, 3]\nlink: { detour: relay }\n"
      "program: [ { repeat: 2, program: [ { op: alltoall, size: 64B } ] } ]\n",
      {links_down({"sw[0]-sw[1]"})});
  EXPECT_THAT(three.failure, AllOf(HasSubstr("node 0, alltoall"), HasSubstr("the link to node 1 is down")));
  EXPECT_EQ(three.warnings,
            "t.yaml:6:36: warning: link.detour has no effect on this alltoall: collectives of more than two hops wait "
            "for links that are down\n");
  // A group of it that takes two hops goes round.
  const OptwebOutcome two = run_optweb_yaml(
      "fabric: optweb\nnodes: 27\ntopology: hierarchy\nlevels: [3, 3, 3]\nlink: { detour: relay }\nverify: data\n"
      "program: [ { op: alltoall, size: 64B, group: [0, 1, 2, 9, 10, 11, 18, 19, 20] } ]\n",
      {links_down({"sw[0]-sw[1]", "sw[10]-sw[19]"})});
  EXPECT_THAT(two.error + two.failure + two.warnings, IsEmpty());
  EXPECT_EQ(two.figure("faults", "detoured"), 1);
}

}  // namespace
}  // namespace weft::test
