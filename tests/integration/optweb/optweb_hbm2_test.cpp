// HBM2 behind the memory interfaces of an OPTWEB network: what passes as with the plain rate, and what does not.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "support/optweb_runs.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kMemoryHead =
    "fabric: optweb\nnodes: 2\nmode: timing\nprogram:\n  - { op: barrier }\n  - { op: barrier }\n";
const std::string kMemoryTransfer = "  - { op: transfer, source: 0, destination: 1, size: 1MiB }\n";
const Overrides kHbm2 = {"memory.model=hbm2"};

OptwebOutcome memory_run(const std::string& yaml, Overrides set = {}, bool hbm2 = true) {
  if (hbm2) set.push_back(kHbm2.front());
  OptwebOutcome r = run_optweb_yaml(yaml, set);
  EXPECT_THAT(r.error + r.failure, IsEmpty());
  return r;
}

const nlohmann::json& interface_row(const OptwebOutcome& r, std::size_t node, std::size_t interface) {
  for (const auto& row : r.report["tables"]["memory"]["rows"]) {
    if (row["node"] == node && row["interface"] == interface) return row;
  }
  throw std::runtime_error("no such row");
}

// The FIFO of 128 words bridges every refresh: the transfer takes the cycles it takes with the plain rate.
TEST(OptwebHbm2, AStreamByItselfDoesNotSeeTheMemory) {
  const OptwebOutcome plain = memory_run(kMemoryHead + kMemoryTransfer, {}, false);
  const OptwebOutcome r = memory_run(kMemoryHead + kMemoryTransfer);
  EXPECT_EQ(r.cycles(2, "latency"), plain.cycles(2, "latency"));
  const auto& sender = interface_row(r, 0, 2);
  EXPECT_EQ(sender["reads"], 32768);
  EXPECT_EQ(sender["writes"], 0);
  EXPECT_EQ(sender["reader_waited"], 0.0);
  EXPECT_EQ(sender["page_hits"].get<int>() + sender["page_misses"].get<int>() + sender["page_conflicts"].get<int>(),
            32768);
  EXPECT_GE(sender["page_misses"].get<int>() + sender["page_conflicts"].get<int>(), 1024);  // pages of 32 words
  EXPECT_EQ(interface_row(r, 1, 1)["writes"], 32768);
  EXPECT_FALSE(plain.report["tables"].contains("memory"));
}

// A FIFO of f words lets f words pass in the time of a read, whatever the link would take.
TEST(OptwebHbm2, AShortFifoLimitsTheLink) {
  const OptwebOutcome r =
      memory_run(kMemoryHead + kMemoryTransfer, {"memory.hbm2.fifo=16", "memory.hbm2.refresh=none"});
  const double hit = 50 - 2.5;  // cycles: tRCD sooner than a closed bank
  const double words = static_cast<double>(r.cycles(2, "latency") - 158) / (32768 * hit / 16);
  EXPECT_NEAR(words, 1.02, 0.04);
  EXPECT_GT(interface_row(r, 0, 2)["reader_waited"].get<double>(), 0);
}

// Refreshes of 260 ns every 3.9 us, seen with a FIFO that is just enough for the latency.
TEST(OptwebHbm2, RefreshesStopAStreamWithoutReserve) {
  const std::int64_t plain = memory_run(kMemoryHead + kMemoryTransfer, {}, false).cycles(2, "latency");
  const OptwebOutcome all = memory_run(kMemoryHead + kMemoryTransfer, {"memory.hbm2.fifo=48"});
  const OptwebOutcome none =
      memory_run(kMemoryHead + kMemoryTransfer, {"memory.hbm2.fifo=48", "memory.hbm2.refresh=none"});
  EXPECT_NEAR(static_cast<double>(none.cycles(2, "latency")), static_cast<double>(plain), 2);
  const double refreshes = static_cast<double>(plain) / 780;
  const double lost = static_cast<double>(all.cycles(2, "latency") - plain) / refreshes;
  EXPECT_GT(lost, 30);  // cycles of each; 52 + tRP + tRCD, less the words in the FIFO
  EXPECT_LT(lost, 58);
}

// A message that comes while its memory refreshes waits for the rest of tRP + tRFC, less the two words of a run that
// pass before its first: (D - d)^2 / 2 tREFI on average.
TEST(OptwebHbm2, MessagesAtRandomMeetRefreshes) {
  const std::string traffic =
      "fabric: optweb\nnodes: 8\nmode: timing\nqos: { levels: { control: { message: 64B } } }\n"
      "traffic: [ { level: control, load: 0.0002 } ]\nrun: { warm_up: 200us, measure: 100ms }\n";
  const double plain = memory_run(traffic, {}, false).figure("run", "latency_mean");
  const double late = 260 - 2 * 5 * 256.0 / 225;  // messages are rarer than refreshes: no row is open
  const double r = memory_run(traffic).figure("run", "latency_mean");
  EXPECT_NEAR(r - plain, late * late / 2 / 3900, 0.6);
  EXPECT_NEAR(memory_run(traffic, {"memory.hbm2.refresh=none"}).figure("run", "latency_mean"), plain, 0.2);
}

// Both directions in one interface, each at half its rate. With pages in banks far apart the data bus turns with every
// batch, for which the memory has time; where a writer follows the reader from bank to bank, 128 words of its FIFO
// behind it, each turn closes the row of the other one.
TEST(OptwebHbm2, StreamsInOneInterfaceMeet) {
  const auto program = [](std::uint64_t pages) {
    return "fabric: optweb\nnodes: 4\nmode: timing\nswitch: { eager_buffer: 256KiB }\nprogram:\n  - { op: barrier }\n"
           "  - { op: barrier }\n  - { op: alltoall, size: 256KiB, send: 0B, receive: " +
           std::to_string((128 << 20) + pages * 1024) + "B }\n";
  };
  const auto cycles = [](const OptwebOutcome& r) { return static_cast<double>(r.cycles(2, "latency")); };
  const auto sum = [](const OptwebOutcome& r, const char* column) {
    double out = 0;
    for (const auto& row : r.report["tables"]["memory"]["rows"]) out += row[column].get<double>();
    return out;
  };
  const double plain = cycles(memory_run(program(8), {}, false));
  const OptwebOutcome apart = memory_run(program(8));
  const OptwebOutcome together = memory_run(program(5));
  for (const OptwebOutcome* r : {&apart, &together}) {
    const auto& row = interface_row(*r, 0, 2);
    EXPECT_EQ(row["reads"], 8192);
    EXPECT_EQ(row["writes"], 8192);
    EXPECT_GT(row["turns"].get<int>(), 8192 / 16);
  }
  EXPECT_NEAR(cycles(apart), plain, 0.02 * plain);
  EXPECT_GT(cycles(together), 1.1 * plain);
  EXPECT_GT(sum(together, "page_conflicts"), 2 * sum(apart, "page_conflicts"));
  EXPECT_GT(sum(together, "reader_waited"), 10 * sum(apart, "reader_waited"));
}

// Bytes arrive whatever the memory does, and the same in every order of events within a cycle.
TEST(OptwebHbm2, DataArrive) {
  const std::string program =
      "fabric: optweb\nnodes: 3\nverify: data\nclocks: { phase: random, tolerance_ppm: 50 }\n"
      "memory: { model: hbm2, hbm2: { fifo: 48, mapping: bank_row_column } }\nprogram:\n"
      "  - { op: alltoall, size: 100KiB }\n  - { op: allreduce, size: 64KiB }\n"
      "  - { op: broadcast, root: 1, size: 200KiB, path: multipath }\n"
      "host:\n  - { node: 0, op: read, stripe: 1, size: 64KiB, at: 15us }\n"
      "  - { node: 1, op: write, stripe: 2, address: 200MiB, size: 8KiB, at: 22us }\n";
  const OptwebOutcome r = memory_run(program, {}, false);
  EXPECT_GT(r.figure("run", "verified_bytes"), 0);
  for (const std::uint64_t seed : {3U, 4U}) {
    EXPECT_EQ(run_optweb_yaml(program, {}, [&](OptwebRunOptions& o) { o.shuffle_seed = seed; }).text, r.text) << seed;
  }
}

// Waveforms end with the counts of the table and change nothing; interfaces that nobody uses have no signals.
TEST(OptwebHbm2, WavesAgreeWithTheTable) {
  const std::string yaml =
      "fabric: optweb\nnodes: 4\nmode: timing\nmemory: { model: hbm2 }\nprogram:\n  - { op: barrier }\n"
      "  - { op: alltoall, size: 16KiB }\n  - { op: alltoall, size: 16KiB, send: 0B, receive: 64KiB }\n"
      "host:\n  - { node: 0, op: read, stripe: 1, address: 64MiB, size: 4KiB, at: 5us }\n";
  const ScratchFolder folder;
  const OptwebOutcome r = run_optweb_yaml(yaml, {}, [&](OptwebRunOptions& o) { o.waves = folder.path("w.fst"); });
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(run_optweb_yaml(yaml).text, r.text);
  const Vcd vcd = read_fst(folder.path("w.fst"));
  std::uint64_t bursts = 0;
  std::size_t shown = 0;
  for (std::size_t node = 0; node < 4; ++node) {
    for (std::size_t i = 0; i < 32; ++i) {
      const std::string scope = fmt::format("optweb.node[{}].hbm.interface[{}].", node, i);
      if (!vcd.has(scope + "state")) continue;
      ++shown;
      const auto& row = interface_row(r, node, i);
      for (const char* const column : {"page_hits", "page_misses", "page_conflicts", "turns"}) {
        EXPECT_EQ(vcd.signal(scope + column).number_at(vcd.last_time()), row[column].get<std::uint64_t>())
            << scope << column;
      }
      bursts += row["reads"].get<std::uint64_t>() + row["writes"].get<std::uint64_t>();
      std::size_t reads = 0;
      for (const VcdChange& c : vcd.signal(scope + "state").changes) reads += c.value == "read" ? 1 : 0;
      EXPECT_EQ(reads > 0, row["reads"].get<int>() > 0) << scope;
    }
  }
  EXPECT_EQ(shown, r.report["tables"]["memory"]["rows"].size());
  EXPECT_EQ(bursts, 2 * 2 * 4 * 4 * 512U + 128U);
}

TEST(OptwebHbm2, RefusesWhatDoesNotFit) {
  const auto refused = [](const std::string& set) {
    return run_optweb_yaml(kMemoryHead, {"memory.model=hbm2", set}).error;
  };
  EXPECT_THAT(refused("word=64B"), HasSubstr("memory.model: hbm2 moves a word in a burst of 32 bytes"));
  EXPECT_THAT(refused("memory.read=3cycles"), HasSubstr("memory.read: expected at least"));
  EXPECT_THAT(refused("memory.hbm2.tccd_l=2"), IsEmpty());
  EXPECT_THAT(refused("memory.hbm2.tccd_s=5"), HasSubstr("tccd_l: expected at least tccd_s (5), got '3'"));
  EXPECT_THAT(refused("memory.hbm2.trefi=300ns"), HasSubstr("memory.hbm2.trefi: expected at least"));
  EXPECT_THAT(refused("memory.hbm2.page=80B"), HasSubstr("memory.hbm2.page: expected whole bursts of 32 bytes"));
  EXPECT_THAT(refused("memory.hbm2.banks=3"), HasSubstr("is not whole rows of 12 banks"));
  EXPECT_THAT(run_optweb_yaml(kMemoryHead, {"memory.hbm2.fifo=64"}).error,
              HasSubstr("memory.hbm2: has no effect with model: rate"));
}

}  // namespace
}  // namespace weft::test
