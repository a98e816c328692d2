// The sparse memory against an array, with pages shared and unshared in every way.

#include "algorithms/optweb/semantics/sparse_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "base/random.h"
#include "support/optweb_memories.h"

namespace weft {
namespace {

using optweb::SparseMemory;
using test::Bytes;
using test::whole;
constexpr std::uint64_t kSize = 20 * SparseMemory::kPage + 100;

TEST(OptwebMemory, BehavesLikeAnArray) {
  RandomStream random(3, "sparse");
  std::vector<SparseMemory> memory{{kSize, 1, 0}, {kSize, 1, 1}};
  std::vector<Bytes> array{whole(memory[0]), whole(memory[1])};
  ASSERT_NE(array[0], array[1]);
  std::vector<SparseMemory> copies(memory);  // shares all pages, and must not change
  const std::vector<Bytes> before = array;
  const std::uint64_t page = SparseMemory::kPage;
  for (int i = 0; i < 3000; ++i) {
    const std::size_t from = random.below(2);
    const std::size_t to = random.below(2);
    const bool aligned = random.below(2) == 0;
    std::uint64_t bytes = aligned ? page * random.below(5) : random.below(3 * page);
    std::uint64_t a = random.below(kSize - bytes + 1);
    std::uint64_t b = random.below(kSize - bytes + 1);
    if (aligned) {
      a -= a % page;
      b -= b % page;
    }
    if (i % 7 == 0) {
      Bytes data(random.below(2 * page));
      for (std::byte& x : data) x = static_cast<std::byte>(random.below(256));
      b = random.below(kSize - data.size() + 1);
      memory[to].write(b, data);
      std::copy(data.begin(), data.end(), array[to].begin() + static_cast<std::ptrdiff_t>(b));
    } else if (i % 101 == 0) {  // in place, as a host does by DMI
      const std::uint64_t at = random.below(kSize);
      memory[to].pin(at)[at % page] = std::byte{0x5a};
      array[to][at] = std::byte{0x5a};
    } else if (from != to || a + bytes <= b || b + bytes <= a) {
      memory[to].copy(memory[from], a, b, bytes);
      std::copy_n(array[from].begin() + static_cast<std::ptrdiff_t>(a), bytes,
                  array[to].begin() + static_cast<std::ptrdiff_t>(b));
    }
    if (i % 100 == 0) {
      ASSERT_EQ(whole(memory[0]), array[0]) << i;
      ASSERT_EQ(whole(memory[1]), array[1]) << i;
    }
  }
  EXPECT_EQ(whole(memory[0]), array[0]);
  EXPECT_EQ(whole(memory[1]), array[1]);
  EXPECT_EQ(whole(copies[0]), before[0]);
  EXPECT_EQ(whole(copies[1]), before[1]);
}

TEST(OptwebMemory, WhatIsPinnedStaysInItsPlace) {
  SparseMemory a(kSize, 1, 0);
  SparseMemory b(kSize, 1, 1);
  const auto page = b.pin(0);
  b.copy(a, 0, 0, SparseMemory::kPage);
  EXPECT_TRUE(std::equal(page.begin(), page.end(), whole(a).begin()));
  const SparseMemory before = b;
  page[5] ^= std::byte{1};
  EXPECT_EQ(SparseMemory::first_difference(a, b), 5U);
}

TEST(OptwebMemory, TakesOnlyWhatIsTouched) {
  SparseMemory m(std::uint64_t{8} << 30, 1, 0);
  std::byte x{};
  m.read((std::uint64_t{8} << 30) - 1, {&x, 1});
  EXPECT_EQ(m.touched(), SparseMemory::kPage);
  EXPECT_THROW(m.read(std::uint64_t{8} << 30, {&x, 1}), std::out_of_range);
  EXPECT_THROW(m.copy(m, 0, (std::uint64_t{8} << 30) - 5, 6), std::out_of_range);
}

// Whose pattern a page holds says as much as its bytes, for as long as pages are copied as a whole.
TEST(OptwebMemory, StoresNoBytesThatNobodyLooksAt) {
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 30;
  constexpr std::uint64_t kPage = SparseMemory::kPage;
  SparseMemory a(2 * kLarge, 1, 0);
  SparseMemory b(2 * kLarge, 1, 1);
  b.copy(a, 0, kLarge, kLarge);
  SparseMemory expected(2 * kLarge, 1, 1);
  expected.copy(SparseMemory(2 * kLarge, 1, 0), 0, kLarge, kLarge);
  EXPECT_EQ(SparseMemory::first_difference(b, expected), std::nullopt);
  EXPECT_EQ(SparseMemory::first_difference(a, 0, b, kLarge, kLarge), std::nullopt);
  EXPECT_EQ(a.stored() + b.stored() + expected.stored(), 0U);

  // A page of another place differs, though it is of the same memory.
  expected.copy(SparseMemory(2 * kLarge, 1, 0), kPage, kLarge + 7 * kPage, kPage);
  EXPECT_EQ(SparseMemory::first_difference(b, expected), kLarge + 7 * kPage);
  EXPECT_EQ(SparseMemory::first_difference(a, 0, expected, kLarge, kLarge), 7 * kPage);
  const std::byte other{0x11};
  a.write(3 * kPage + 5, {&other, 1});
  EXPECT_EQ(a.stored(), 2 * kPage) << "the page that was looked at and the one that was written";
  EXPECT_EQ(SparseMemory::first_difference(a, 0, b, kLarge, kLarge), 3 * kPage + 5);
}

// Parts of a memory, some of it written and some copied from elsewhere, as another process gets them.
TEST(OptwebMemory, IsSavedAndLoaded) {
  constexpr std::uint64_t kPage = SparseMemory::kPage;
  RandomStream random(5, "saved");
  SparseMemory m(kSize, 1, 0);
  m.copy(SparseMemory(kSize, 1, 7), 3 * kPage, 8 * kPage, 4 * kPage);
  for (int i = 0; i < 6; ++i) {
    const Bytes data(random.below(kPage), std::byte{0x3c});
    m.write(random.below(kSize - data.size()), data);
  }
  const Bytes all = whole(m);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t bytes = random.below(5 * kPage);
    const std::uint64_t at = random.below(kSize - bytes + 1);
    std::vector<std::byte> saved(3);  // behind something else
    m.save(at, bytes, saved);
    saved.resize(saved.size() + 5);
    SparseMemory copy(kSize, 1, 1);
    ASSERT_EQ(copy.load(std::span(saved).subspan(3)), saved.size() - 8);
    Bytes part(bytes);
    copy.read(at, part);
    ASSERT_TRUE(std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(at))) << at;
  }
  std::vector<std::byte> pattern;
  SparseMemory(kSize, 1, 0).save(0, kSize, pattern);
  EXPECT_LT(pattern.size(), 21 * 64U) << "no bytes of pages that nobody has written";
  EXPECT_THROW(m.load(std::span(pattern).first(pattern.size() - 1)), std::out_of_range);
  EXPECT_THROW(m.save(kSize - 5, 6, pattern), std::out_of_range);
}

TEST(OptwebMemory, FindsTheFirstDifference) {
  SparseMemory a(kSize, 1, 0);
  SparseMemory b(kSize, 1, 0);
  EXPECT_EQ(SparseMemory::first_difference(a, b), std::nullopt);
  for (const std::uint64_t at : {kSize - 1, 3 * SparseMemory::kPage, std::uint64_t{17}}) {
    std::byte x{};
    b.read(at, {&x, 1});
    x ^= std::byte{0x80};
    b.write(at, {&x, 1});
    EXPECT_EQ(SparseMemory::first_difference(a, b), at);
    EXPECT_EQ(SparseMemory::first_difference(b, a), at);
  }
}

}  // namespace
}  // namespace weft
