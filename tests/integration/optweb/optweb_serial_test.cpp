// Serial-link IPs with a clock of their own (link.serial): pace, edges at which runs begin, latency of error
// correction, against the closed form of docs/optweb_link.md.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "integration/optweb/optweb_timing.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr long double kSerialNode = 5e-9L;  // a cycle of a node, seconds

struct SerialSettings {
  long double clock = 355e6L;
  int bits = 128;
  long double efficiency = 1;
  Overrides set() const {
    return {fmt::format("link.serial.clock={}MHz", std::llround(static_cast<double>(clock / 1e6L))),
            fmt::format("link.serial.bits={}", bits),
            fmt::format("link.serial.efficiency={:.4f}", static_cast<double>(efficiency))};
  }
  /// Cycles from a boundary to the one at which so many words have passed.
  std::int64_t passed(std::int64_t from, std::int64_t words) const {
    const long double begun = static_cast<long double>(from) * kSerialNode * clock;
    const long double edge = std::ceil(begun - 1e-9L);
    const long double each = 256 / (bits * efficiency);  // of the cycles of the IP
    const long double cycles = (edge + static_cast<long double>(words) * each) / clock / kSerialNode;
    return static_cast<std::int64_t>(std::ceil(cycles - 1e-9L)) - from;
  }
};

void expect_serial(const SerialSettings& s) {
  for (const std::int64_t n : {1, 2, 3, 10, 31, 32, 33, 100, 333, 512}) {
    const OptwebOutcome r = good_timing(aligned("{ op: alltoall, size: " + std::to_string(32 * n) + "B }"), s.set());
    const std::int64_t start = r.cycles(kTimedLine, "start");
    const std::int64_t sent = 60 + s.passed(start + 60, n + 1);
    EXPECT_EQ(r.cycles(kTimedLine, "configuration"), sent) << n;
    EXPECT_EQ(r.cycles(kTimedLine, "latency"), sent + 78) << n;
  }
}

TEST(OptwebSerial, RunsBeginAtEdgesOfTheirIpAndKeepItsPace) {
  expect_serial({});
  expect_serial({355e6L, 128, 0.9903L});
  expect_serial({211e6L, 200, 0.75L});
  expect_serial({97e6L, 256, 0.9L});
}

// Anywhere in a period of the IP, which is shorter than a cycle of the node: a cycle at most.
TEST(OptwebSerial, PhasesMoveTheEndByACycleAtMost) {
  std::set<std::int64_t> seen;
  for (int seed = 1; seed <= 12; ++seed) {
    const OptwebOutcome r = good_timing(aligned("{ op: transfer, source: 0, destination: 1, size: 1152B }"),
                                        {"link.serial.phase=random", "seed=" + std::to_string(seed)});
    seen.insert(r.cycles(kTimedLine, "latency"));
  }
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_EQ(*seen.rbegin() - *seen.begin(), 1);
}

// Figure 13: with clocks of nodes and IPs of their own the start-up latency scatters by less than two cycles, at all
// sizes alike: nothing begins at 1 KiB.
TEST(OptwebSerial, ClocksScatterAllSizesAlike) {
  const std::vector<std::string> sizes{"64B", "512B", "1KiB", "4KiB", "16KiB"};
  std::vector<double> least(sizes.size(), 1e9);
  std::vector<double> most(sizes.size(), 0);
  for (int seed = 1; seed <= 12; ++seed) {
    const OptwebOutcome r = good_timing(
        kTimingHead + "clocks: { phase: random, tolerance_ppm: 50 }\nlink: { serial: { phase: random } }\n" +
            "measure: { operations: [sendrecv], sizes: [64B, 512B, 1KiB, 4KiB, 16KiB] }\n",
        {"seed=" + std::to_string(seed)});
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const double overhead = r.report["tables"]["curves"]["rows"][i]["overhead"];
      least[i] = std::min(least[i], overhead);
      most[i] = std::max(most[i], overhead);
    }
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_GT(most[i] - least[i], 2) << sizes[i];
    EXPECT_LT(most[i] - least[i], 10) << sizes[i];
    EXPECT_NEAR(most[i], 705, 5) << sizes[i];
  }
}

TEST(OptwebSerial, ErrorCorrectionTakesItsTime) {
  const std::string yaml = aligned("{ op: barrier }");
  const OptwebOutcome plain = good_timing(yaml, {"link.serial.clock=355MHz"});
  EXPECT_EQ(plain.cycles(kTimedLine, "latency"), 80);
  EXPECT_EQ(good_timing(yaml, {"link.serial.ecc=6cycles"}).cycles(kTimedLine, "latency"), 80 + 6);
  EXPECT_NEAR(plain.figure("network", "link_rate"), 355e6 * 128 / 1e9, 1e-6);
}

// The clock of the node, a word in each of its cycles, is as good as none.
TEST(OptwebSerial, TheClockOfTheNodeChangesNothing) {
  const std::string yaml = kTimingHead + "measure: { operations: [alltoall, multipath], sizes: [64B, 5KiB, 1MiB] }\n";
  const OptwebOutcome serial =
      good_timing(yaml, {"link.serial.clock=200MHz", "link.serial.bits=256", "link.serial.efficiency=0.9"});
  const OptwebOutcome rate = good_timing(yaml, {"link.rate=46.08Gb/s"});
  for (const char* table : {"instructions", "curves"}) {
    EXPECT_EQ(serial.report["tables"][table], rate.report["tables"][table]) << table;
  }
}

TEST(OptwebSerial, WrongKeysAreErrors) {
  const std::string head = "fabric: optweb\nnodes: 2\nprogram: [ { op: barrier } ]\n";
  EXPECT_THAT(
      bad_input(head + "link: { rate: 45Gb/s, serial: {} }\n"),
      AllOf(HasSubstr("t.yaml:4:9: error: link.rate: follows from link.serial"), HasSubstr("only one of both")));
  EXPECT_THAT(
      bad_input(head + "link: { serial: { clock: 401MHz } }\n"),
      HasSubstr("t.yaml:4:9: error: link.serial: the payload of 401MHz * 128 bits * 1 is 51.328Gb/s, more than a word "
                "per cycle (51.2Gb/s)"));
  EXPECT_THAT(bad_input(head + "link: { serial: { clock: 5MHz } }\n"), HasSubstr("less than 1Gb/s"));
  EXPECT_THAT(bad_input(head + "link: { serial: { efficiency: 1.2 } }\n"),
              HasSubstr("link.serial.efficiency: expected a decimal number"));
  EXPECT_THAT(bad_input(head + "link: { serial: { clok: 5MHz } }\n"), HasSubstr("did you mean 'clock'"));
}

}  // namespace
}  // namespace weft::test
