#pragma once
// Cases of the benches of input-queued RTL.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tdm/pin_test.h"

namespace weft::pins {

/// Size: the bench of a block as `Bench`, its shape as `shape()`, cycles of a seed as `kCycles`.
template <class Size>
class LinkPinCase : public PinTest {
 public:
  void random() {
    build(seed_count());
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) { bench_->run(Size::kCycles, seed); });
    EXPECT_GT(bench_->flits(), Size::kCycles / 5 * seed_count());
  }

  /// The block by itself: no model runs beside it after the first run, which is repeated once for each seed.
  void replay() {
    build(1);
    bench_->record(Size::kCycles, 1);
    for (std::uint64_t times = 0; times < seed_count() && bench_->errors().count() == 0; ++times) bench_->replay();
    EXPECT_EQ(bench_->errors().count(), 0U);
    EXPECT_GT(bench_->flits(), Size::kCycles / 5);
  }

  // The block is a faulty copy.
  void fault_shows() {
    build(seed_count());
    for (std::uint64_t seed = 1; seed <= seed_count() && bench_->errors().count() == 0; ++seed) {
      bench_->run(Size::kCycles, seed);
    }
    EXPECT_GT(bench_->errors().count(), 0U) << "the bench does not see the fault";
  }

 private:
  /// A bench for so many runs with a model.
  void build(std::uint64_t runs) {
    bench_ = std::make_unique<typename Size::Bench>("bench", Size::shape(), runs);
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  std::unique_ptr<typename Size::Bench> bench_;
};

template <class Size>
void register_random(const std::string& block, const std::string& size) {
  register_cases<LinkPinCase<Size>>(block, size, {{"Random", &LinkPinCase<Size>::random}});
}

template <class Size>
void register_fault(const std::string& block, const std::string& fault) {
  register_cases<LinkPinCase<Size>>(block, fault, {{"FaultShows", &LinkPinCase<Size>::fault_shows}});
}

}  // namespace weft::pins
