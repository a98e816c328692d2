// Packed memory, and what lies in it.

#include "base/hot_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/optional_array.h"
#include "base/random.h"

namespace weft::test {
namespace {

TEST(HotMemory, IsAlignedPackedAndNobodyElses) {
  RandomStream random(1, "hot");
  std::vector<std::pair<unsigned char*, std::size_t>> all;
  std::size_t wanted = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::size_t size = 1 + random.below(3000);
    const std::size_t alignment = std::size_t{1} << random.below(8);
    auto* const p = static_cast<unsigned char*>(allocate_hot(size, alignment));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(p) % alignment, 0U);
    std::fill_n(p, size, static_cast<unsigned char>(i));
    all.emplace_back(p, size);
    wanted += size + alignment - 1;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [p, size] = all[i];
    for (std::size_t k = 0; k < size; ++k) ASSERT_EQ(p[k], static_cast<unsigned char>(i)) << i;
    if (i == 0) continue;
    ASSERT_GE(p, all[i - 1].first + all[i - 1].second);
  }
  EXPECT_LE(static_cast<std::size_t>(all.back().first - all.front().first), wanted);
  for (const auto& [p, size] : all) free_hot(p);
}

TEST(HotMemory, IsUsedAgainWhenAllHasComeBack) {
  void* const first = allocate_hot(100, 64);
  void* const second = allocate_hot(100, 64);
  free_hot(first);
  void* const third = allocate_hot(100, 64);
  EXPECT_GT(third, second) << "not yet";
  free_hot(second);
  free_hot(third);
  free_hot(nullptr);
  void* const again = allocate_hot(100, 64);
  EXPECT_EQ(again, first);
  free_hot(again);
}

struct alignas(64) Line : HotObject {
  int value = 7;
};

TEST(HotNumber, FindsItsObject) {
  EXPECT_EQ(HotNumber<Line>().get(), nullptr);
  EXPECT_EQ(HotNumber<Line>(nullptr).get(), nullptr);
  const auto one = std::make_unique<Line>();
  const auto many = std::make_unique<Line[]>(1000);
  for (Line* const l : {one.get(), &many[0], &many[1], &many[999]}) {
    const HotNumber<Line> number(l);
    EXPECT_TRUE(number);
    EXPECT_EQ(number.get(), l);
    EXPECT_EQ(&*number, l);
    EXPECT_EQ(number->value, 7);
  }
}

struct Counted {
  explicit Counted(int& of, int is) : alive(of), value(is) { ++alive; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --alive; }
  int& alive;
  int value;
};

TEST(OptionalArray, HoldsWhatWasPutThere) {
  int alive = 0;
  {
    OptionalArray<Counted> array(5);
    EXPECT_EQ(array.find(0), nullptr);
    array.emplace(1, alive, 10);
    array.emplace(4, alive, 40);
    EXPECT_EQ(alive, 2);
    const std::array<bool, 5> present{false, true, false, false, true};
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(array.has(i), present[i]);
      EXPECT_EQ(array.find(i) != nullptr, present[i]);
    }
    EXPECT_EQ(array[1].value, 10);
    EXPECT_EQ(array.find(4)->value, 40);
    EXPECT_EQ(&array[4] - &array[1], 3);
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace weft::test
