// Parts of an OPTWEB transfer's time: the timeline of docs/optweb.md added up, and what each part moves.

#include "integration/optweb/optweb_timing.h"

namespace weft::test {
namespace {

void expect_parts(const Parts& p) {
  const OptwebOutcome barrier = good_timing(aligned("{ op: barrier }"), p.set());
  EXPECT_EQ(barrier.cycles(kTimedLine, "configuration"), 2 + p.setup + p.notification);
  EXPECT_EQ(barrier.cycles(kTimedLine, "latency"), p.barrier());
  for (const std::int64_t n : {1, 2, 3, 7, 100, 512}) {
    const std::string size = std::to_string(32 * n) + "B";
    const OptwebOutcome r = good_timing(aligned("{ op: alltoall, size: " + size + " }"), p.set());
    EXPECT_EQ(r.cycles(kTimedLine, "configuration"), p.sent(n)) << n;
    EXPECT_EQ(r.cycles(kTimedLine, "latency"), p.received(n)) << n;
    EXPECT_EQ(r.cycles(kTimedLine, "completed") - r.cycles(kTimedLine, "start"), p.confirmed(n)) << n;
  }
  const OptwebOutcome r = good_timing(aligned("{ op: allgather, size: 32KiB }"), p.set());
  EXPECT_EQ(r.cycles(kTimedLine, "latency"), p.rendezvous(1024));
}

TEST(OptwebTimeParts, IsTheSumOfItsParts) { expect_parts({}); }

// Each part, one after the other, changes the totals it is in, and only these: expect_parts has them.
TEST(OptwebTimeParts, EveryPartMovesTheTotalsItIsIn) {
  std::int64_t Parts::*const all[] = {&Parts::dispatch, &Parts::read,        &Parts::setup,       &Parts::notification,
                                      &Parts::select,   &Parts::gate,        &Parts::receive,     &Parts::counter,
                                      &Parts::report,   &Parts::distributor, &Parts::ip,          &Parts::notified,
                                      &Parts::transmit, &Parts::propagation, &Parts::receive_link};
  const Parts before;
  for (const auto part : all) {
    Parts after;
    after.*part += 20;
    const std::string yaml = aligned("{ op: alltoall, size: 96B }");
    EXPECT_EQ(good_timing(yaml, after.set()).cycles(kTimedLine, "latency") -
                  good_timing(yaml, before.set()).cycles(kTimedLine, "latency"),
              after.received(3) - before.received(3));
  }
}

// The latency of an alltoall, and a level of the reduction unit for every doubling of the streams.
TEST(OptwebTimeParts, ReductionsTakeTheLevelsOfTheirTree) {
  const Parts p;
  for (const auto& [nodes, levels] : {std::pair{2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}}) {
    for (const char* op : {"reduce", "allreduce", "reduce_scatter"}) {
      Overrides set = p.set();
      set.push_back("nodes=" + std::to_string(nodes));
      set.emplace_back("switch.reduce=17cycles");
      const OptwebOutcome r = good_timing(aligned(std::string("{ op: ") + op + ", size: 3200B }"), set);
      EXPECT_EQ(r.cycles(kTimedLine, "latency"), p.received(100) + 17 * levels) << op << nodes;
      EXPECT_EQ(r.cell(kTimedLine, "protocol"), "eager");
    }
  }
  EXPECT_EQ(good_timing(aligned("{ op: reduce }")).cycles(kTimedLine, "latency"), 142 + 2 * 4);
}

// Large ones: a reduce gets a whole link from everybody and a barrier before; an allreduce in one step sends the whole
// over every link, one by all paths the N-th part twice.
TEST(OptwebTimeParts, ReductionsUseTheirLinks) {
  const OptwebOutcome r =
      good_timing(kTimingHead +
                  "measure: { operations: [reduce, allreduce, reduce_scatter, multipath_allreduce], "
                  "sizes: [64B, 128MiB] }\n");
  EXPECT_NEAR(r.figure("bandwidth", "reduce_link"), 45, 0.1);
  EXPECT_NEAR(r.figure("bandwidth", "reduce_node"), 135, 0.3);
  EXPECT_NEAR(r.figure("bandwidth", "reduce_scatter_link"), 45, 0.1);
  EXPECT_NEAR(r.figure("bandwidth", "reduce_scatter_node"), 270, 0.5);
  EXPECT_NEAR(r.figure("bandwidth", "allreduce_link"), 45, 0.1);
  EXPECT_NEAR(r.figure("bandwidth", "multipath_allreduce_paths"), 90, 0.2);
  EXPECT_NEAR(r.startup_us("reduce_latency"), 0.75, 0.001);
  EXPECT_NEAR(r.startup_us("allreduce_latency"), 0.75, 0.001);
  EXPECT_EQ(r.cell(5, "protocol"), "rendezvous");
}

}  // namespace
}  // namespace weft::test
