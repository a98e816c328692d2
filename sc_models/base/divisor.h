#pragma once
// Division by a number that is fixed before a run, as a multiplication. Source: Lemire, Kaser, Kurz, "Faster remainder
// by direct computation", Software: Practice and Experience 49(6), 2019: exact for every 32-bit dividend and divisor.

#include <cstdint>

namespace weft {

class Divisor {
 public:
  /// Precondition: value >= 1.
  explicit Divisor(std::uint32_t value) : value_(value), inverse_(value == 1 ? 0 : ~std::uint64_t{0} / value + 1) {}

  std::uint32_t value() const { return value_; }
  std::uint32_t quotient(std::uint32_t n) const {
    __extension__ using Wide = unsigned __int128;
    return inverse_ == 0 ? n : static_cast<std::uint32_t>((Wide{inverse_} * n) >> 64);
  }
  std::uint32_t remainder(std::uint32_t n) const { return n - quotient(n) * value_; }

 private:
  std::uint32_t value_;
  std::uint64_t inverse_;  ///< ceil(2^64 / value); 0 stands for 2^64
};

}  // namespace weft
