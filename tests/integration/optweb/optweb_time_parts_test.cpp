// Parts of an OPTWEB transfer's time: the timeline of docs/optweb.md added up, and what each part moves.

#include "integration/optweb/optweb_timing.h"

namespace weft::test {
namespace {

// The timeline of docs/optweb.md, added up by hand from parts that all differ.
struct Parts {
  std::int64_t dispatch = 7, read = 41, setup = 6, notification = 2, distributor = 3, select = 4, gate = 5, receive = 8,
               counter = 9, notified = 10, report = 11, transmit = 12, ip = 13, receive_link = 14, propagation = 3;
  Overrides set() const {
    return {"dmac.dispatch=" + text(dispatch),
            "memory.read=" + text(read),
            "switch.setup=" + text(setup),
            "switch.notification=" + text(notification),
            "switch.distributor=" + text(distributor),
            "switch.select=" + text(select),
            "switch.gate=" + text(gate),
            "switch.receive=" + text(receive),
            "switch.counter=" + text(counter),
            "switch.notified=" + text(notified),
            "switch.report=" + text(report),
            "link.transmit=" + text(transmit),
            "link.ip=" + text(ip),
            "link.receive=" + text(receive_link),
            "wiring.length=" + std::to_string(propagation)};  // a metre is 5 ns, a cycle
  }
  std::int64_t link() const { return transmit + ip + propagation + receive_link; }
  std::int64_t barrier() const { return 2 + setup + notification + link() + notified + report; }
  // n words, and the one that the receiver drops, at 256 bits / 45 Gb/s / 5 ns = 256/225 cycles each
  static std::int64_t words(std::int64_t n) { return ((n + 1) * 256 + 224) / 225; }
  std::int64_t sent(std::int64_t n) const { return 2 + dispatch + read + distributor + select + words(n); }
  std::int64_t received(std::int64_t n) const { return sent(n) + link() + receive + counter + report; }
  std::int64_t confirmed(std::int64_t n) const {
    return received(n) + setup + notification + link() + notified + report;
  }
  std::int64_t rendezvous(std::int64_t n) const {
    const std::int64_t ready = 2 + setup + notification + link() + notified + gate;
    const std::int64_t data = 2 + dispatch + read + distributor + select;
    return received(n) + std::max(ready, data) - data;
  }

 private:
  static std::string text(std::int64_t cycles) { return std::to_string(cycles) + "cycles"; }
};

void expect_parts(const Parts& p) {
  const OptwebOutcome barrier = good_timing(aligned("{ op: barrier }"), p.set());
  EXPECT_EQ(barrier.cycles(kTimedLine, "configuration"), 2 + p.setup + p.notification);
  EXPECT_EQ(barrier.cycles(kTimedLine, "latency"), p.barrier());
  for (const std::int64_t n : {1, 2, 3, 7, 100, 512}) {
    const std::string size = std::to_string(32 * n) + "B";
    const OptwebOutcome r = good_timing(aligned("{ op: alltoall, size: " + size + " }"), p.set());
    EXPECT_EQ(r.cycles(kTimedLine, "configuration"), p.sent(n)) << n;
    EXPECT_EQ(r.cycles(kTimedLine, "latency"), p.received(n)) << n;
    EXPECT_EQ(r.cycles(kTimedLine, "completed"), p.confirmed(n)) << n;
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
