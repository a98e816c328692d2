// Divisor against the processor's own division, at the edges of every quotient.

#include "base/divisor.h"

#include <gtest/gtest.h>

#include <limits>

namespace weft {
namespace {

TEST(Divisor, AgreesWithDivision) {
  constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();
  for (const std::uint32_t d :
       {1U, 2U, 3U, 4U, 5U, 7U, 24U, 48U, 641U, 65535U, 65536U, 65537U, 6700417U, 1U << 31, kLargest - 1, kLargest}) {
    const Divisor divisor(d);
    const std::uint32_t step = kLargest / d / 1000 + 1;
    for (std::uint64_t q = 0; q * d <= kLargest; q += step) {
      for (const std::uint64_t n : {q * d, q * d + 1, q * d + d - 1, std::uint64_t{kLargest} - q}) {
        if (n > kLargest) continue;
        const auto dividend = static_cast<std::uint32_t>(n);
        ASSERT_EQ(divisor.quotient(dividend), dividend / d) << dividend << " / " << d;
        ASSERT_EQ(divisor.remainder(dividend), dividend % d) << dividend << " % " << d;
      }
    }
  }
}

}  // namespace
}  // namespace weft
