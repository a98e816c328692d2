// The reduction unit, element by element and stream by stream, against sums written out.

#include "algorithms/optweb/reduction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace weft::optweb {
namespace {

std::uint32_t bits(float f) {
  std::uint32_t out = 0;
  std::memcpy(&out, &f, 4);
  return out;
}
constexpr auto kSum = ProgramCombine::sum;
constexpr auto kMin = ProgramCombine::min;
constexpr auto kMax = ProgramCombine::max;
constexpr auto kFloat = ProgramElement::float32;
constexpr auto kInt = ProgramElement::int32;

TEST(OptwebReduction, Integers) {
  EXPECT_EQ(combine({kSum, kInt}, 0x7fffffff, 1), 0x80000000U);  // modulo 2^32
  EXPECT_EQ(combine({kMin, kInt}, 0xffffffff, 1), 0xffffffffU);  // -1 is less than 1
  EXPECT_EQ(combine({kMax, kInt}, 0xffffffff, 1), 1U);
}

TEST(OptwebReduction, FloatsAreThoseOfIeee754) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(combine({kSum, kFloat}, bits(1.5F), bits(-0.25F)), bits(1.25F));
  EXPECT_EQ(combine({kSum, kFloat}, bits(inf), bits(-inf)), 0x7fc00000U);
  EXPECT_EQ(combine({kSum, kFloat}, 0x7f800001, bits(1)), 0x7fc00000U);  // a signalling NaN
  for (const ProgramCombine how : {kMin, kMax}) {
    EXPECT_EQ(combine({how, kFloat}, bits(1), 0xffc12345), 0x7fc00000U);
    const bool least = how == kMin;
    EXPECT_EQ(combine({how, kFloat}, bits(0.0F), bits(-0.0F)), bits(least ? -0.0F : 0.0F));
    EXPECT_EQ(combine({how, kFloat}, bits(-0.0F), bits(0.0F)), bits(least ? -0.0F : 0.0F));
    EXPECT_EQ(combine({how, kFloat}, bits(-3), bits(2)), bits(least ? -3.0F : 2.0F));
    EXPECT_EQ(combine({how, kFloat}, bits(-inf), bits(2)), bits(least ? -inf : 2.0F));
  }
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(combine({kSum, kFloat}, bits(tiny), bits(tiny)), 2U);  // subnormal numbers stay
}

float sum_of(const std::vector<float>& in) {
  constexpr std::uint64_t kAt = 100 * SparseMemory::kPage - 4;  // across a page
  std::vector<SparseMemory> memories;
  std::vector<StoredStream> streams;
  memories.reserve(in.size());
  for (const float f : in) {
    memories.emplace_back(1 << 22, 1, 0);
    const float two[] = {f, -f};
    memories.back().write(kAt, std::as_bytes(std::span(two)));
    streams.push_back({&memories.back(), kAt});
  }
  SparseMemory to(1 << 22, 2, 0);
  reduce({kSum, kFloat}, streams, to, 12, 8);
  float out[2];
  to.read(12, std::as_writable_bytes(std::span(out)));
  EXPECT_EQ(out[1], -out[0]);
  return out[0];
}

// 2^24 + 1 is no float: it is rounded to 2^24. The sums say in which order they were taken.
TEST(OptwebReduction, TheOrderIsThatOfATree) {
  const float big = 16777216;
  EXPECT_EQ(sum_of({big, 1, 1}), big);                  // (big + 1) + 1
  EXPECT_EQ(sum_of({1, 1, big}), big + 2);              // (1 + 1) + big
  EXPECT_EQ(sum_of({big, 1, 1, 1}), big + 2);           // (big + 1) + (1 + 1)
  EXPECT_EQ(sum_of({1, big, -big, 1}), 0 + 1 - 0);      // (1 + big) + (-big + 1) = big - (big - 1)
  EXPECT_EQ(sum_of({1, 1, 1, 1, big}), big + 4);        // ((1 + 1) + (1 + 1)) + big
  EXPECT_EQ(sum_of({big, 1, 1, 1, 1}), big + 4);        // ((big + 1) + 2) + 1: big + 3 goes to the even one
  EXPECT_EQ(sum_of({big, 1, 1, 1, 1, 1, 1}), big + 4);  // ((big + 1) + 2) + ((1 + 1) + 1): big + 5 likewise
  EXPECT_EQ(sum_of({5}), 5);
}

TEST(OptwebReduction, LevelsOfTheTree) {
  for (const auto& [streams, levels] : {std::pair{1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {64, 6}, {65, 7}}) {
    EXPECT_EQ(tree_levels(static_cast<std::size_t>(streams)), static_cast<std::uint32_t>(levels));
  }
}

}  // namespace
}  // namespace weft::optweb
