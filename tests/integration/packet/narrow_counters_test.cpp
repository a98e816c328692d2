// Counters of limited width in the Deficit Tables of whole networks: what reports say about them. Shares and losses are
// worked out by hand.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "schema/document.h"
#include "support/packet_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Eight NICs at two switches; all that is sent crosses the link between them, which is four times overloaded.
const std::string kCross =
    "fabric: packet\ntopology: { kind: mesh, dims: [2], nodes_per_switch: 4 }\nswitch: { crossbar_rate: 4 }\n"
    "qos:\n  levels: { bulk: { message: 12800B }, word: { message: 64B } }\n"
    "  lane_space: [ { lane: 0, maximum: 51200B }, { lane: 1, maximum: 51200B } ]\n  scheduler: dtable\n"
    "  dtable: { counter_bits: 8, table: [ { sl: bulk, weight: 150 }, { sl: word, weight: 150 } ] }\n"
    "traffic:\n  - { level: bulk, load: 0.9, destinations: pattern, pattern: bit_complement }\n"
    "  - { level: word, load: 0.9, destinations: pattern, pattern: bit_complement }\n"
    "run: { warm_up: 20us, measure: 80us, drain: 0ns, settle: false }\n";

std::string value(const PacketOutcome& r, const std::string& section, const std::string& figure) {
  const auto& v = r.report["figures"][section][figure]["value"];
  return v.is_string() ? v.get<std::string>() : v.dump();
}

// A share of the link between the switches, which four NICs use.
double share(const PacketOutcome& r, std::size_t level) {
  return 4 * r.cell("services", level, "accepted").get<double>();
}

// Bulk: a turn gives 150 on top of what is left. With 8 bits 5, 155, then 255 instead of 305, which sends 200 and
// leaves 55, 205, which sends 200 and leaves 5: 400 credits in three rounds, while the words send 450. So 8/17 of the
// link, and 50 credits lost in three rounds (45 from 150, which is where it begins). With 9 bits both have half.
TEST(NarrowCounters, SaturationIsReportedWithWhatItDoes) {
  const PacketOutcome narrow = run_packet_yaml(kCross);
  ASSERT_EQ(narrow.error + narrow.failure, "");
  EXPECT_NEAR(share(narrow, 0), 8.0 / 17, 0.015);
  EXPECT_NEAR(share(narrow, 1), 9.0 / 17, 0.015);
  const double saturations = narrow.figure("saturations");
  const double lost = narrow.figure("credits_lost");
  EXPECT_GE(lost, 45 * saturations);
  EXPECT_LE(lost, 50 * saturations);
  double sum = 0;
  double sum_lost = 0;
  std::set<std::string> ports;
  for (std::size_t i = 0; i < narrow.lines("saturations"); ++i) {
    const double n = narrow.cell("saturations", i, "saturations");
    EXPECT_GT(n, 0);
    sum += n;
    sum_lost += narrow.cell("saturations", i, "credits_lost").get<double>();
    ports.insert(narrow.cell("saturations", i, "port"));
    // A saturation in three rounds of 850 credits at most on the link, from 0 to 100 us; 19532 cycles.
    if (narrow.cell("saturations", i, "port") == "sw[0].port4") {
      EXPECT_NEAR(n, 19532.0 / 850, 4);
    }
  }
  EXPECT_EQ(sum, saturations);
  EXPECT_EQ(sum_lost, lost);
  EXPECT_THAT(ports, AllOf(Contains("sw[0].port4"), Contains("nic[0]"))) << "names that qos.dtable.instances takes";
  const std::string notes = narrow.report["notes"].dump();
  // Eight NICs, and in a line of two switches each has its four NICs and the other one.
  EXPECT_THAT(notes, AllOf(HasSubstr(fmt::format("counters of 8 bits saturated {} times, at {} of 18 outputs and NICs, "
                                                 "most often (",
                                                 saturations, narrow.lines("saturations"))),
                           HasSubstr("distort the shares"), HasSubstr("counter_bits: 9 never saturates")));
  EXPECT_EQ(value(narrow, "counters", "fits_ib_tables"), "yes");
  EXPECT_EQ(value(narrow, "counters", "can_saturate"), "bulk");
  EXPECT_EQ(value(narrow, "counters", "never_saturate"), "9");

  const PacketOutcome wide = run_packet_yaml(kCross, {"qos.dtable.counter_bits=9"});
  ASSERT_EQ(wide.error + wide.failure, "");
  EXPECT_NEAR(share(wide, 0), 0.5, 0.015);
  EXPECT_NEAR(share(wide, 1), 0.5, 0.015);
  EXPECT_EQ(wide.figure("saturations"), 0);
  EXPECT_EQ(wide.figure("credits_lost"), 0);
  EXPECT_EQ(wide.lines("saturations"), 0U);
  EXPECT_THAT(wide.report["notes"].dump(), Not(HasSubstr("counter_bits")));
  EXPECT_EQ(value(wide, "counters", "can_saturate"), "none");
}

// The RTL flags a saturation and says nothing of what is lost.
TEST(NarrowCounters, RtlReportsTheSameSaturations) {
  const Overrides brief{"run.warm_up=0ns", "run.measure=20us"};
  const auto with = [&](const std::string& change) {
    Overrides set = brief;
    set.push_back(change);
    const PacketOutcome r = run_packet_yaml(kCross, set);
    EXPECT_EQ(r.error + r.failure, "");
    return r;
  };
  const PacketOutcome model = run_packet_yaml(kCross, brief);
  const PacketOutcome lockstep = with("qos.dtable.implementation=lockstep");
  auto held = lockstep.report["tables"];
  EXPECT_EQ(held.erase("lockstep"), 1U);
  EXPECT_EQ(held, model.report["tables"]);
  EXPECT_THAT(lockstep.report["notes"].dump(), HasSubstr("counter_bits: 0 never saturates"))
      << "the RTL is not compiled with 9 bits";
  const PacketOutcome mixed = with("qos.dtable.instances={ 'sw[0].port4': { implementation: rtl } }");
  ASSERT_GT(model.lines("saturations"), 0U);
  ASSERT_EQ(mixed.lines("saturations"), model.lines("saturations"));
  bool seen = false;
  for (std::size_t i = 0; i < model.lines("saturations"); ++i) {
    EXPECT_EQ(mixed.cell("saturations", i, "saturations"), model.cell("saturations", i, "saturations"));
    const bool rtl = mixed.cell("saturations", i, "port") == "sw[0].port4";
    EXPECT_EQ(mixed.cell("saturations", i, "credits_lost").is_null(), rtl);
    seen = seen || rtl;
  }
  EXPECT_TRUE(seen);
  EXPECT_EQ(value(mixed, "run", "saturations"), value(model, "run", "saturations"));
  EXPECT_EQ(value(mixed, "run", "credits_lost"), "null");
}

// Programs have a report of their own, and packets of any size up to the largest.
TEST(NarrowCounters, ProgramsReportThemToo) {
  const std::string yaml =
      "fabric: packet\ntopology: { kind: mesh, dims: [2] }\n"
      "qos: { levels: { a: { message: 3840B } }, scheduler: dtable,\n"
      "       dtable: { counter_bits: 6, table: [ { sl: a, weight: 48 } ] } }\n"
      "program: [ { op: transfer, source: 0, destination: 1, size: 30KiB } ]\n";
  const PacketOutcome r = run_packet_yaml(yaml);
  ASSERT_EQ(r.error + r.failure, "");
  // Nine packets, of 60 flits but the last one: 48 do not cover it, 96 do and are cut to 63.
  EXPECT_GT(r.figure("saturations"), 0);
  EXPECT_GT(r.lines("saturations"), 0U);
  EXPECT_EQ(value(r, "counters", "never_saturate"), "7");  // 48 + 59 = 107
  EXPECT_THAT(r.report["notes"].dump(), HasSubstr("counter_bits: 7 never saturates"));
}

TEST(NarrowCounters, UnlimitedOnesSayNothing) {
  const PacketOutcome r = run_packet_yaml(kCross, {"qos.dtable.counter_bits=0", "run.measure=5us"});
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_FALSE(r.report["figures"].contains("counters"));
  EXPECT_FALSE(r.report["figures"]["run"].contains("saturations"));
  EXPECT_FALSE(r.report["tables"].contains("saturations"));
}

}  // namespace
}  // namespace weft::test
