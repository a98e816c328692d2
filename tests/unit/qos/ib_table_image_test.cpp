#include "algorithms/qos/ib_table_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "base/random.h"
#include "support/egress_port.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;
using Entry = IbTableImage::Entry;

// Figure 4 of the paper: SL 0 has sent 2 of 3 credits and waits with a deficit of 1, SL 2 is selected with 4 of 6 left.
TEST(IbTableImage, FollowsThePaper) {
  DeficitTable table({{0, 3}, {2, 6}}, 8);
  EgressPort port;
  for (int i = 0; i < 3; ++i) port.push(0, 2);
  for (int i = 0; i < 4; ++i) port.push(2, 2);
  port.run(table, 2);
  const IbTableImage image(table);
  EXPECT_EQ(image.high()[0], (Entry{0, 3}));
  EXPECT_EQ(image.high()[1], (Entry{2, 6}));
  for (std::size_t i = 2; i < 64; ++i) EXPECT_EQ(image.high()[i], Entry{});
  EXPECT_EQ(image.low()[0], (Entry{0, 1}));
  EXPECT_EQ(image.low()[63], (Entry{0, 4}));
  for (std::size_t i = 1; i < 63; ++i) EXPECT_EQ(image.low()[i], Entry{}) << i;
  EXPECT_EQ(image.deficit(0), 1U);
  EXPECT_EQ(image.accumulated_weight(), 4U);
  EXPECT_EQ(image.unused(), 47U);  // "47 table entries are wasted"
}

// Wide counters: each byte has an entry of its own, and the counters read back are those of the scheduler.
TEST(IbTableImage, WideCountersTakeMoreEntries) {
  for (const unsigned bits : {1U, 8U, 9U, 16U, 17U, 24U}) {
    RandomStream random(bits, "image");
    ArbitrationTable entries(64);
    for (TableEntry& e : entries) {
      e = {static_cast<ServiceLevel>(random.below(16)), static_cast<std::uint32_t>(random.below(256))};
    }
    DeficitTable table(entries, bits);
    EgressPort port;
    std::set<std::size_t> used;
    const std::uint64_t largest = (1U << bits) - 1;
    for (int step = 0; step < 20000; ++step) {
      const auto sl = static_cast<ServiceLevel>(random.below(16));
      if (port.queued(sl) < 3) port.push(sl, static_cast<std::uint32_t>(1 + random.below(largest)));
      port.step(table);
      if (step % 100 != 0) continue;
      const IbTableImage image(table);
      EXPECT_EQ(image.accumulated_weight(), table.accumulated_weight());
      for (ServiceLevel s = 0; s < 16; ++s) EXPECT_EQ(image.deficit(s), table.deficit(s));
      for (std::size_t i = 0; i < 64; ++i) {
        if (image.low()[i].weight != 0) used.insert(i);
        EXPECT_EQ(image.low()[i].vl, 0);
      }
      EXPECT_LE(used.size(), 64 - image.unused());
    }
    EXPECT_EQ(IbTableImage(table).unused(), 64U - (bits + 7) / 8 * 17) << bits;
  }
}

// 8 bits: what a turn earns above 255 is lost, and the loss is counted to the credit.
TEST(IbTableImage, LostCreditsAreCounted) {
  DeficitTable narrow({{3, 200}}, 8);
  DeficitTable wide({{3, 200}}, 16);
  EgressPort a;
  EgressPort b;
  std::uint64_t sent_narrow = 0;
  std::uint64_t turns = 0;
  for (int step = 0; step < 1000; ++step) {
    for (EgressPort* port : {&a, &b}) {
      while (port->queued(3) < 2) port->push(3, 250);
    }
    ++turns;  // one message is more than one turn and less than two: a turn in every step
    if (const auto s = a.step(narrow)) sent_narrow += s->size;
    b.step(wide);
  }
  EXPECT_GT(narrow.saturations(), 0U);
  EXPECT_EQ(turns * 200, sent_narrow + narrow.accumulated_weight() + narrow.credits_lost());
  EXPECT_EQ(wide.saturations(), 0U);
  EXPECT_EQ(wide.credits_lost(), 0U);
}

// Figure 4 of the paper for 8 bits; section 4.1's adjacent entries for 16.
TEST(IbTableImage, SaysWhatEachEntryHolds) {
  const IbTableImage narrow(DeficitTable({{0, 3}, {2, 6}}, 8));
  EXPECT_EQ(narrow.high_holds(1), "entry 1 of the Deficit Table");
  EXPECT_EQ(narrow.high_holds(2), "unused");
  EXPECT_EQ(narrow.low_holds(15), "deficit of SL 15");
  EXPECT_EQ(narrow.low_holds(16), "unused");
  EXPECT_EQ(narrow.low_holds(62), "unused");
  EXPECT_EQ(narrow.low_holds(63), "accumulated weight");
  for (const unsigned bits : {8U, 16U, 24U}) {
    const IbTableImage image(DeficitTable({{0, 3}}, bits));
    std::size_t unused = 0;
    for (std::size_t i = 0; i < 64; ++i) unused += image.low_holds(i) == "unused" ? 1 : 0;
    EXPECT_EQ(unused, image.unused()) << bits;
  }
  const IbTableImage wide(DeficitTable({{0, 3}}, 16));
  EXPECT_EQ(wide.low_holds(18), "deficit of SL 2, byte 1");
  EXPECT_EQ(wide.low_holds(62), "accumulated weight, byte 1");
  EXPECT_EQ(wide.low_holds(63), "accumulated weight, byte 0");
}

TEST(IbTableImage, SaysWhatDoesNotFit) {
  EXPECT_EQ(IbTableImage::limit(ArbitrationTable(64, TableEntry{15, 255}), 24), std::nullopt);
  EXPECT_THAT(IbTableImage::limit({}, 0), Optional(HasSubstr("any number of bits")));
  EXPECT_THAT(IbTableImage::limit({}, 25), Optional(HasSubstr("25 bits; the InfiniBand tables hold 1 to 24")));
  EXPECT_THAT(IbTableImage::limit(ArbitrationTable(65), 8), Optional(HasSubstr("a table of 65 entries")));
  EXPECT_THAT(IbTableImage::limit({{16, 1}}, 8), Optional(HasSubstr("names SL 16")));
  EXPECT_THAT(IbTableImage::limit({{0, 256}}, 8), Optional(HasSubstr("has weight 256")));
  EXPECT_THROW(IbTableImage(DeficitTable({{0, 1}})), std::invalid_argument);
}

}  // namespace
}  // namespace weft::test
