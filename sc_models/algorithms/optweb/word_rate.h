#pragma once
// Pace of words on a path as an exact fraction: cycles per word. 256 bits at 45 Gb/s and 200 MHz are 256/225 cycles.

#include <cstdint>
#include <numeric>

#include "base/units.h"

namespace weft::optweb {

/// Products of words and rates exceed 64 bits.
__extension__ typedef __int128 WideInteger;  // NOLINT(modernize-use-using): the extension cannot stand in a using

struct WordRate {
  std::int64_t cycles = 1;  ///< for `words` words
  std::int64_t words = 1;

  /// Pace of a path of `rate`, shared by `sharers` streams.
  static WordRate of(std::int64_t word_bits, Frequency clock, Rate rate, std::int64_t sharers = 1) {
    std::int64_t a = word_bits * sharers;
    std::int64_t b = clock.hz;
    std::int64_t c = rate.bits_per_s;
    const std::int64_t x = std::gcd(a, c);
    a /= x;
    c /= x;
    const std::int64_t y = std::gcd(b, c);
    return {a * (b / y), c / y};
  }
  /// Whole cycles after which n words have passed.
  Cycle time(std::uint64_t n) const {
    const auto exact = static_cast<WideInteger>(n) * cycles;
    return static_cast<Cycle>((exact + words - 1) / words);
  }
  /// Words that have passed after t cycles.
  std::uint64_t passed(Cycle t) const {
    return t <= 0 ? 0 : static_cast<std::uint64_t>(static_cast<WideInteger>(t) * words / cycles);
  }
  bool slower_than(const WordRate& o) const {
    return static_cast<WideInteger>(cycles) * o.words > static_cast<WideInteger>(o.cycles) * words;
  }
  bool operator==(const WordRate&) const = default;
};

/// Parts of words that are whole numbers at every pace of a path, so that words of which some pass at one pace and some
/// at another are counted exactly.
struct WordUnits {
  WideInteger word = 1;  ///< units of a word

  /// For paces of paths that at most three streams share.
  static WordUnits of(std::int64_t word_bits, Frequency clock) {
    return {static_cast<WideInteger>(word_bits) * clock.hz * 6};
  }
  /// Units that pass in a cycle.
  WideInteger rate(const WordRate& pace) const { return word / pace.cycles * pace.words; }
  /// Whole cycles after which so many units have passed.
  Cycle time(WideInteger units, const WordRate& pace) const {
    const WideInteger r = rate(pace);
    return units <= 0 ? 0 : static_cast<Cycle>((units + r - 1) / r);
  }
};

}  // namespace weft::optweb
