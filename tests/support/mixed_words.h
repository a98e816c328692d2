#pragma once
// A switch in RTL whose words have random bits: each goes in mixed and comes out unmixed, so that all wires of the data
// path toggle and not only those of the few words a run sends.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "support/switch_around.h"

namespace weft::test {

/// Bits that were 0 and those that were 1 in any word that went in.
struct SeenBits {
  std::uint64_t zeros = 0;
  std::uint64_t ones = 0;
};

namespace mixed_words {
inline constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;  // odd: it has an inverse modulo 2^64
constexpr std::uint64_t inverse() {
  std::uint64_t x = kFactor;  // right in 3 bits; every step of Newton's method doubles them
  for (int i = 0; i < 5; ++i) x *= 2 - kFactor * x;
  return x;
}
static_assert(kFactor * inverse() == 1);
}  // namespace mixed_words

class MixedWords final : public SwitchAround {
 public:
  /// `seed`: makes other words of the same ones. `seen` may be null.
  MixedWords(std::unique_ptr<TdmSwitchRtl> core, std::uint64_t seed, SeenBits* seen = nullptr)
      : SwitchAround(std::move(core)), seed_(seed), seen_(seen) {}

  std::uint64_t out_word(PortId out) const override { return unmix(core().out_word(out)); }
  void set_input(PortId in, const TdmInput& input) override { core().set_input(in, mixed(input)); }
  void show_inputs(Slot slot, const std::vector<TdmInput>& inputs) override {
    std::vector<TdmInput> out;
    for (const TdmInput& input : inputs) out.push_back(mixed(input));
    core().show_inputs(slot, out);
  }

 private:
  std::uint64_t mix(std::uint64_t word) const {
    const std::uint64_t product = (word ^ seed_) * mixed_words::kFactor;
    return product ^ (product >> 32);
  }
  std::uint64_t unmix(std::uint64_t word) const { return ((word ^ (word >> 32)) * mixed_words::inverse()) ^ seed_; }
  TdmInput mixed(TdmInput input) const {
    input.word = mix(input.word);
    if (seen_ != nullptr && input.valid) {
      seen_->zeros |= ~input.word;
      seen_->ones |= input.word;
    }
    return input;
  }

  std::uint64_t seed_;
  SeenBits* seen_;
};

}  // namespace weft::test
