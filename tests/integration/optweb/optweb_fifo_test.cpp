// Dual-clock FIFOs of the serial-link IPs (link.serial.fifo) in network time: what they change, and what they must not.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "integration/optweb/optweb_timing.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

constexpr long double kFifoNode = 5e-9L;
constexpr long double kFifoSerial = 355e6L;
constexpr long double kFifoWord = 2 / kFifoSerial;
constexpr long double kFifoCrossing = 3 * kFifoNode + 2 / kFifoSerial;  // of pointers, two registers each

std::string fifo(std::uint64_t depth) { return fmt::format("link.serial.fifo={}", depth); }

/// Cycles from a boundary to that at which the last of n words has entered: a word per cycle while there is room, then
/// as the writer knows of words that have left the lane behind the dropped one.
std::int64_t entered(std::int64_t from, std::int64_t n, std::int64_t depth) {
  const long double begun = static_cast<long double>(from) * kFifoNode;
  const long double edge = std::ceil(begun * kFifoSerial - 1e-9L) / kFifoSerial;
  const long double known = edge + static_cast<long double>(n - depth + 1) * kFifoWord + kFifoCrossing;
  const auto cycles = static_cast<std::int64_t>(std::ceil(known / kFifoNode - 1e-6L)) - from;
  return n <= depth ? n : std::max(n, cycles);
}

// The lane is the same as without a FIFO; readers are over earlier.
TEST(OptwebFifo, ReadersRunAheadOfTheLink) {
  for (const std::int64_t depth : {5, 8, 16, 64, 1000}) {
    for (const std::int64_t n : {1, 3, 16, 40, 200, 512}) {
      const std::string yaml =
          aligned("{ op: transfer, source: 0, destination: 1, size: " + std::to_string(32 * n) + "B }");
      const OptwebOutcome plain = good_timing(yaml, {"link.serial.clock=355MHz"});
      const OptwebOutcome r = good_timing(yaml, {fifo(static_cast<std::uint64_t>(depth))});
      const std::int64_t start = r.cycles(kTimedLine, "start");
      EXPECT_EQ(r.cycles(kTimedLine, "latency"), plain.cycles(kTimedLine, "latency")) << depth << " " << n;
      EXPECT_EQ(r.cycles(kTimedLine, "configuration"), 60 + entered(start + 60, n, depth)) << depth << " " << n;
      const auto& link = r.report["tables"]["links"]["rows"][0];
      EXPECT_EQ(link["receive_fifo"], std::min<std::int64_t>(n, 5));
      EXPECT_LE(link["transmit_fifo"], std::min(n, depth));
      if (n == 512 && depth < 64) {
        EXPECT_EQ(link["transmit_fifo"], depth);
      }
    }
  }
}

// Fewer words than its pointers need to go round.
TEST(OptwebFifo, AShallowOneSlowsTheLinkDown) {
  const std::string yaml = aligned("{ op: transfer, source: 0, destination: 1, size: 12800B }");
  for (const std::uint64_t depth : {1U, 2U, 3U, 4U}) {
    const OptwebOutcome r = good_timing(yaml, {fifo(depth)});
    const long double rate = static_cast<long double>(depth) * 256 / (kFifoCrossing + kFifoWord);
    EXPECT_NEAR(r.figure("network", "link_rate"), static_cast<double>(rate / 1e9L), 1e-6);
    EXPECT_THAT(r.warnings, HasSubstr("it takes 5 for all of it"));
    const long double begun = static_cast<long double>(r.cycles(kTimedLine, "start") + 60) * kFifoNode;
    const long double edge = std::ceil(begun * kFifoSerial - 1e-9L) / kFifoSerial;
    const long double sent = (edge - begun + 401 * 256 / rate) / kFifoNode;
    EXPECT_EQ(r.cycles(kTimedLine, "latency"), 60 + std::llround(std::ceil(sent)) + 78) << depth;
    const auto& link = r.report["tables"]["links"]["rows"][0];
    EXPECT_EQ(link["transmit_fifo"], depth);
    EXPECT_EQ(link["receive_fifo"], depth);
  }
  EXPECT_EQ(good_timing(yaml, {fifo(1), "link.serial.synchronizer=1"}).report["tables"]["links"]["rows"][0]["words"],
            400);
}

// The round trip of a place is a whole number of cycles, here 6, so the last of n words and of the dropped one has left
// after exactly 6 (n + 1).
TEST(OptwebFifo, OneThatIsInStepTakesWholeCycles) {
  for (const int n : {1, 2, 3, 5, 8, 100, 3000}) {
    const OptwebOutcome r =
        run_optweb_yaml(fmt::format("fabric: optweb\nnodes: 2\nmode: timing\nswitch: {{ eager_buffer: 64MiB }}\n"
                                    "link: {{ serial: {{ clock: 200MHz, bits: 256, fifo: 1, synchronizer: 2 }} }}\n"
                                    "program: [ {{ op: transfer, source: 0, destination: 1, size: {}B }} ]\n",
                                    32 * n));
    ASSERT_EQ(r.error + r.failure, "");
    EXPECT_EQ(r.cycles(0, "latency"), 60 + 6 * (n + 1) + 78) << n;
  }
}

// A word per cycle comes in. The lane begins with the word that the receiver drops, and then takes one per word of its
// own as the writer learns of it; the last ones leave as fast.
TEST(OptwebFifo, FillsInTheWaveform) {
  constexpr int kDepth = 16;
  constexpr double kLaneWord = static_cast<double>(kFifoWord / kFifoNode);  // in cycles
  const ScratchFolder folder;
  const OptwebOutcome r = run_optweb_yaml(aligned("{ op: transfer, source: 0, destination: 1, size: 12800B }"),
                                          {fifo(kDepth)}, [&](OptwebRunOptions& o) { o.waves = folder.path("w.fst"); });
  ASSERT_EQ(r.error + r.failure, "");
  const Vcd vcd = read_fst(folder.path("w.fst"));
  const VcdSignal& signal = vcd.signal("optweb.node[0].switch.link[1].fifo");
  std::vector<int> words;
  for (std::uint64_t t = vcd.first_time(); t <= vcd.last_time(); t += 5000) {
    words.push_back(static_cast<int>(signal.number_at(t)));
  }
  const auto begins = std::find_if(words.begin(), words.end(), [](int w) { return w > 0; });
  const auto full = std::find(words.begin(), words.end(), kDepth);
  const auto last = std::find(words.rbegin(), words.rend(), kDepth).base();
  ASSERT_NE(full, words.end());
  EXPECT_EQ(*std::max_element(words.begin(), words.end()), kDepth);
  for (auto w = begins; w != full; ++w) {
    const auto cycles = static_cast<double>(w - begins + 1);
    const double learnt = cycles - static_cast<double>(kFifoCrossing / kFifoNode) - kLaneWord;
    EXPECT_NEAR(*w, cycles - std::max(0.0, learnt) / kLaneWord, 1.5) << w - begins;
  }
  for (auto w = last; w != words.end() && *w > 0; ++w) {
    EXPECT_NEAR(*w, kDepth - static_cast<double>(w - last) / kLaneWord, 1.5) << w - last;
  }
  // Between the first word in and the last one out the lane has carried all of them.
  const auto empty = std::find(last, words.end(), 0);
  EXPECT_NEAR(static_cast<double>(empty - begins), 401 * kLaneWord, 8);
}

// Notifications cut runs, and RTL at both ends of each link carries them: the same cycles as with models.
TEST(OptwebFifo, LanesCarryTheSameInRtl) {
  const std::string yaml =
      "fabric: optweb\nnodes: 3\nverify: data\nprogram:\n  - { op: alltoall, size: 40000B }\n"
      "  - { op: allgather, size: 3000B }\n  - { op: allreduce, size: 5000B }\n";
  for (const std::string depth : {"2", "16"}) {
    const Overrides set{"link.serial.fifo=" + depth};
    Overrides lockstep = set;
    lockstep.push_back("link.implementation=lockstep");
    const OptwebOutcome model = run_optweb_yaml(yaml, set);
    const OptwebOutcome rtl = run_optweb_yaml(yaml, lockstep);
    EXPECT_EQ(model.error + model.failure + rtl.error + rtl.failure, "");
    for (const char* table : {"instructions", "links", "nodes"}) {
      EXPECT_EQ(model.report["tables"][table], rtl.report["tables"][table]) << table << " " << depth;
    }
    for (const auto& link : model.report["tables"]["links"]["rows"]) EXPECT_EQ(link["transmit_fifo"], std::stoi(depth));
  }
}

// Links that fail, and a host beside the reader: every byte arrives, and a FIFO never holds more than its depth.
TEST(OptwebFifo, HoldsWordsWhileTheLinkIsDown) {
  const std::string yaml =
      "fabric: optweb\nnodes: 3\nverify: data\nprogram:\n  - { op: transfer, source: 0, destination: 1, size: 40000B "
      "}\n"
      "  - { op: broadcast, root: 0, size: 9000B }\n"
      "faults: [{ at: 'sw[0]-sw[1]', down: 3us, up: 6us }]\n";
  const OptwebOutcome plain = run_optweb_yaml(yaml, {"link.serial.clock=355MHz"});
  for (const std::int64_t depth : {5, 64}) {
    const OptwebOutcome r = run_optweb_yaml(yaml, {"link.serial.fifo=" + std::to_string(depth)});
    EXPECT_EQ(r.error + r.failure, "");
    EXPECT_EQ(r.cycles(0, "latency"), plain.cycles(0, "latency"));
    EXPECT_EQ(r.report["tables"]["links"]["rows"][0]["transmit_fifo"], depth);
  }
}

// A word per cycle of a sender whose clock is faster: what the receiver does not take stays in its FIFO.
TEST(OptwebFifo, NothingHoldsAFasterSenderBack) {
  const std::string yaml =
      "fabric: optweb\nnodes: 2\nmode: timing\nclocks: { offsets_ppm: [100, -100] }\n"
      "link: { serial: { clock: 200MHz, bits: 256, fifo: 10 } }\n"
      "program: [ { op: transfer, source: 0, destination: 1, size: 3200000B } ]\n";
  const OptwebOutcome r = run_optweb_yaml(yaml);
  EXPECT_THAT(r.failure, HasSubstr("the receive FIFO of 10 words (link.serial.fifo) overflows"));
}

TEST(OptwebFifo, WrongKeysAreErrors) {
  const std::string head = "fabric: optweb\nnodes: 2\nprogram: [ { op: barrier } ]\n";
  EXPECT_THAT(bad_input(head + "link: { serial: { fifo: 0 } }\n"), HasSubstr("t.yaml:4:25: error: link.serial.fifo"));
  EXPECT_THAT(bad_input(head + "link: { serial: { fifo: 8 } }\nmemory: { model: hbm2 }\n"),
              HasSubstr("t.yaml:4:25: error: link.serial.fifo: not with memory.model: hbm2"));
  EXPECT_THAT(run_optweb_yaml(head + "link: { serial: { synchronizer: 3 } }\n").warnings,
              HasSubstr("link.serial.synchronizer has no effect without 'fifo'"));
}

}  // namespace
}  // namespace weft::test
