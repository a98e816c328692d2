// Runs of OPTWEB networks that the user interrupts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "fabrics/optweb/observer.h"
#include "run/optweb/optweb_family.h"
#include "support/child.h"
#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::IsEmpty;

std::string program(const std::string& op) {
  return "fabric: optweb\nnodes: 4\nverify: data\nprogram: [ { op: " + op + ", size: 1MiB } ]\n";
}

// Pages that all memories have in the end when `stop` says true from the `pages`-th time on.
std::string pages_after(const std::string& op, int pages) {
  Diagnostics diagnostics;
  const OptwebConfig config = parse_optweb_config(program(op), "t.yaml", ".", {}, diagnostics);
  const optweb::MachinePrograms programs = optweb::assemble(config);
  optweb::BlockFactory blocks;
  ClockDomain domain("clock", optweb::agenda_period(config));
  OptwebNetwork network("optweb", domain, config, programs, blocks);
  int asked = 0;
  network.set_stop([&] { return ++asked > pages; });
  network.load_programs();
  sc_core::sc_start();
  std::uint64_t touched = 0;
  for (NodeId n = 0; n < config.nodes; ++n) touched += network.node(n).memory().bytes().touched();
  return std::to_string(touched / optweb::SparseMemory::kPage);
}

// All transfers of an operation end in one cycle, so it is not enough to ask between cycles.
TEST(OptwebInterrupt, BytesStayWhereTheyAre) {
  for (const char* op : {"alltoall", "allreduce"}) {
    const int streams = std::string(op) == "alltoall" ? 1 : 4;  // that become one
    for (const int pages : {0, 1, 10}) {
      const ChildResult r = in_child([&] { return pages_after(op, pages); });
      EXPECT_TRUE(r.ok) << r.text;
      EXPECT_EQ(r.text, std::to_string(pages * (streams + 1))) << op;  // read and written
    }
  }
}

class FirstDelivery : public OptwebObserver {
 public:
  void on_deliver(const OptwebDelivery& /*delivery*/) override { seen = true; }
  bool seen = false;
};

// The report of a run that ends in the cycle of its deliveries: they are in it, and the time is the end of that
// cycle, which is four (`switch.report`) before the one in which all is received for the sequencers.
TEST(OptwebInterrupt, TheReportHasWhatHasBeenDelivered) {
  const OptwebOutcome whole = run_optweb_yaml(program("alltoall"));
  ASSERT_THAT(whole.error + whole.failure, IsEmpty());
  FirstDelivery first;
  const OptwebOutcome r = run_optweb_yaml(program("alltoall"), {}, [&](OptwebRunOptions& o) {
    o.observers.push_back(&first);
    o.interrupted = [&] { return first.seen; };
  });
  ASSERT_THAT(r.error + r.failure, IsEmpty());
  EXPECT_EQ(r.figure("run", "transfers"), 12);
  EXPECT_EQ(r.figure("run", "bytes"), 12.0 * (1 << 20));
  EXPECT_EQ(r.figure("run", "instructions"), 0);
  const double time = r.figure("run", "time");
  EXPECT_EQ(std::llround(time / 5), whole.cycles(0, "start") + whole.cycles(0, "latency") - 4 + 1);
  EXPECT_EQ(r.report["incomplete_because"], fmt::format("interrupted after {} ns", time));
}

// A transfer of 128 MiB has begun when one of 64 B is over: its link has carried what has passed until then.
TEST(OptwebInterrupt, WordsThatHaveNotPassedDoNotCount) {
  FirstDelivery first;
  const OptwebOutcome r = run_optweb_yaml(
      "fabric: optweb\nnodes: 4\nmode: timing\nprogram:\n  - { op: transfer, source: 0, destination: 1, size: 64B }\n"
      "  - { op: transfer, source: 2, destination: 3, size: 128MiB }\n",
      {}, [&](OptwebRunOptions& o) {
        o.observers.push_back(&first);
        o.interrupted = [&] { return first.seen; };
      });
  ASSERT_THAT(r.error + r.failure, IsEmpty());
  ASSERT_EQ(r.figure("run", "transfers"), 1);
  double words = 0;
  for (const auto& link : r.report["tables"]["links"]["rows"]) {
    EXPECT_LE(link["utilization"].get<double>(), 100);
    words += link["words"].get<double>();
  }
  EXPECT_GT(words, 2);     // both links
  EXPECT_LT(words, 1000);  // of 4 million
}

}  // namespace
}  // namespace weft::test
