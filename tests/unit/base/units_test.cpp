#include "base/units.h"
#include "base/quantity.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Units, TheUnitTellsTheKindOfAQuantity) {
  using Kind = Quantity::Kind;
  const auto expect = [](const char* text, Kind kind, std::int64_t amount) {
    const auto q = parse_quantity(text);
    ASSERT_TRUE(q) << text;
    EXPECT_EQ(q->kind, kind) << text;
    EXPECT_EQ(q->amount, amount) << text;
  };
  expect("100MHz", Kind::frequency, 100'000'000);
  expect("12.5ns", Kind::duration, 12'500);
  expect("64B", Kind::data_size, 512);
  expect("100Gbps", Kind::rate, 100'000'000'000);
  expect("2cycles", Kind::cycles, 2);
  for (const char* text : {"", "12", "mesh", "3 apples", "12.5GB/"}) EXPECT_FALSE(parse_quantity(text)) << text;
}

TEST(Units, ParsesExactDecimals) {
  EXPECT_EQ(parse_rate("12.5GB/s").value, Rate{100'000'000'000});
  EXPECT_EQ(parse_rate("34Gb/s").value, Rate{34'000'000'000});
  EXPECT_EQ(parse_rate("34Gbps").value, Rate{34'000'000'000});
  EXPECT_EQ(parse_rate("2.5Mbps").value, Rate{2'500'000});
  EXPECT_EQ(parse_frequency("100MHz").value, Frequency{100'000'000});
  EXPECT_EQ(parse_duration("5.12ns").value, Duration{5'120});
  EXPECT_EQ(parse_data_size("114688B").value, DataSize{917'504});
  EXPECT_EQ(parse_data_size("16KiB").value, DataSize{131'072});
  EXPECT_EQ(parse_data_size("340b").value, DataSize{340});
  EXPECT_EQ(parse_duration("0.1 us").value, Duration{100'000});
}

TEST(Units, BitsAndBytesDiffer) {
  EXPECT_EQ(parse_data_size("8b").value->bits, 8);
  EXPECT_EQ(parse_data_size("8B").value->bits, 64);
}

TEST(Units, RejectsWithReason) {
  EXPECT_NE(parse_duration("10").error.find("the unit is missing"), std::string::npos);
  EXPECT_NE(parse_duration("10nss").error.find("unknown unit 'nss'"), std::string::npos);
  EXPECT_NE(parse_duration("0.5ps").error.find("not a whole number of ps"), std::string::npos);
  EXPECT_NE(parse_duration("-3ns").error.find("negative"), std::string::npos);
  EXPECT_NE(parse_duration("fast").error.find("begin with a number"), std::string::npos);
  EXPECT_NE(parse_duration("").error.find("begin with a number"), std::string::npos);
  EXPECT_NE(parse_duration("99999999999999999999s").error.find("too many digits"), std::string::npos);
  EXPECT_NE(parse_duration("9999999999s").error.find("too large"), std::string::npos);
  EXPECT_NE(parse_rate("34Gb").error.find("unknown unit"), std::string::npos);
  EXPECT_NE(parse_duration("1.2.3ns").error.find("unknown unit '.3ns'"), std::string::npos);
}

TEST(Units, CycleSpansRoundUp) {
  const Duration period{10'000};
  EXPECT_EQ(parse_cycle_span("2cycles").value->cycles(period), 2);
  EXPECT_EQ(parse_cycle_span("1 cycle").value->cycles(period), 1);
  EXPECT_EQ(parse_cycle_span("20ns").value->cycles(period), 2);
  EXPECT_EQ(parse_cycle_span("21ns").value->cycles(period), 3);
  EXPECT_EQ(parse_cycle_span("0ns").value->cycles(period), 0);
  EXPECT_FALSE(parse_cycle_span("2").value.has_value());
}

TEST(Units, PeriodsAreWholePicoseconds) {
  EXPECT_EQ(period_of(Frequency{100'000'000}).value, Duration{10'000});
  EXPECT_EQ(period_of(Frequency{195'312'500}).value, Duration{5'120});
  const auto odd = period_of(Frequency{150'000'000});
  EXPECT_FALSE(odd.value.has_value());
  EXPECT_NE(odd.error.find("whole number of picoseconds"), std::string::npos);
  EXPECT_FALSE(period_of(Frequency{0}).value.has_value());
}

TEST(Units, TextRoundTrips) {
  EXPECT_EQ(to_string(Frequency{100'000'000}), "100MHz");
  EXPECT_EQ(to_string(Duration{12'500}), "12.5ns");
  EXPECT_EQ(to_string(Duration{0}), "0ps");
  EXPECT_EQ(to_string(DataSize{340}), "340b");
  EXPECT_EQ(to_string(DataSize{8 * 2048}), "2KiB");
  EXPECT_EQ(to_string(Rate{34'000'000'000}), "34Gb/s");
  for (const std::int64_t ps : {1LL, 999LL, 1'001LL, 123'456'789LL, 5'120'000'000LL}) {
    EXPECT_EQ(parse_duration(to_string(Duration{ps})).value, Duration{ps});
  }
}

}  // namespace
}  // namespace weft
