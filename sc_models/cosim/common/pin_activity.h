#pragma once
// Bits of Verilated pins that have been both 0 and 1. Included only where a Verilated class is at hand.

#include <verilated.h>

#include <bit>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include "cosim/common/rtl_block.h"

namespace weft {

class PinActivity {
 public:
  /// `pins`: the same tuple each time.
  template <class Pins>
  void look(const Pins& pins) {
    std::size_t at = 0;
    std::apply([&](const auto&... pin) { (look_at(pin, at), ...); }, pins);
  }
  /// `widths`: of the pins, in their order.
  template <class Pins, class Widths>
  PinToggles toggles(const Pins& pins, const Widths& widths) const {
    PinToggles out;
    std::size_t at = 0;
    std::size_t number = 0;
    const auto count = [&](const auto& pin) {
      const std::size_t next = at + words(pin);
      const std::uint32_t width = widths[number++];
      out.bits += width;
      for (std::uint32_t left = width; at < next; ++at, left -= left < 32 ? left : 32) {
        if (at >= words_.size()) continue;  // it has not been looked at
        const std::uint32_t mask = left >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << left) - 1;
        out.toggled += static_cast<unsigned>(std::popcount(words_[at].ones & words_[at].zeros & mask));
      }
    };
    std::apply([&](const auto&... pin) { (count(pin), ...); }, pins);
    return out;
  }

 private:
  struct Word {
    std::uint32_t ones = 0;
    std::uint32_t zeros = 0;
  };
  template <class Pin>
  static constexpr std::size_t words(const Pin& pin) {
    if constexpr (std::is_integral_v<Pin>) {
      return sizeof(Pin) > 4 ? 2 : 1;
    } else {
      return sizeof(pin) / sizeof(EData);
    }
  }
  template <class Pin>
  void look_at(const Pin& pin, std::size_t& at) {
    const std::size_t n = words(pin);
    if (words_.size() < at + n) words_.resize(at + n);
    for (std::size_t i = 0; i < n; ++i, ++at) {
      std::uint32_t value;
      if constexpr (std::is_integral_v<Pin>) {
        value = static_cast<std::uint32_t>(static_cast<std::uint64_t>(pin) >> (32 * i));
      } else {
        value = pin[i];
      }
      words_[at].ones |= value;
      words_[at].zeros |= ~value;
    }
  }

  std::vector<Word> words_;
};

}  // namespace weft
