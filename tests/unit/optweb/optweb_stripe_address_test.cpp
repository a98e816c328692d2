// Pa(i) = Ra + 2K*i, its bounds, and the pieces of different stripes, byte by byte.

#include "algorithms/optweb/stripe_address.h"

#include <map>
#include <stdexcept>

namespace weft::test {
namespace {

using optweb::StripeAddress;
using optweb::StripeError;
using optweb::StripeGeometry;
using optweb::StripeResponse;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

// The paper's card: 8 GiB over 32 interfaces, so K is 256 MiB and stripe i begins at 512 MiB * i.
TEST(StripeAddress, TheCardOfThePaper) {
  StripeAddress stripes;
  EXPECT_EQ(stripes.geometry().capacity, (std::uint64_t{8} << 30) / 32);
  EXPECT_EQ(stripes.translate({0, 64, 0}), (StripeResponse{0, 1, StripeError::kNone}));
  EXPECT_EQ(stripes.translate({4096, 64, 3}), (StripeResponse{1536 * kMiB + 4096, 1, StripeError::kNone}));
  EXPECT_EQ(stripes.translate({256 * kMiB, 1, 15}), (StripeResponse{7936 * kMiB, 2, StripeError::kNone}));
  EXPECT_EQ(stripes.translate({0, 512 * kMiB, 15}), (StripeResponse{7680 * kMiB, 3, StripeError::kNone}));
  EXPECT_EQ(stripes.translate({1, 512 * kMiB, 14}).error, StripeError::kOverlap);
  EXPECT_EQ(stripes.translate({0, 64, 16}).error, StripeError::kRange);
  EXPECT_EQ(stripes.translate({512 * kMiB, 0, 0}).error, StripeError::kRange);
  EXPECT_EQ(stripes.translate({0, ~std::uint64_t{0}, 0}).error, StripeError::kOverlap);
}

// Memory as a map from byte to owner: every request over small geometries.
TEST(StripeAddress, EveryByteHasOneOwner) {
  for (const StripeGeometry geometry : {StripeGeometry{1, 1}, StripeGeometry{3, 3}, StripeGeometry{4, 5}}) {
    StripeAddress stripes(geometry);
    std::map<std::uint64_t, std::pair<std::uint32_t, int>> owner;  // byte -> stripe, interface
    std::uint64_t byte = 0;
    for (std::uint32_t i = 0; i < geometry.stripes; ++i) {
      for (const int interface : {1, 2}) {
        for (std::uint64_t n = 0; n < geometry.capacity; ++n) owner[byte++] = {i, interface};
      }
    }
    for (std::uint32_t index = 0; index < geometry.stripes + 2; ++index) {
      std::uint64_t begin = 0;  // first byte of the stripe, by looking for it
      while (begin < byte && owner[begin].first != index) ++begin;
      for (std::uint64_t base = 0; base < 2 * geometry.capacity + 3; ++base) {
        for (std::uint64_t size = 0; size < 2 * geometry.capacity + 3; ++size) {
          const StripeResponse r = stripes.translate({base, size, index});
          const auto own = [&](std::uint64_t b) { return owner.contains(b) && owner[b].first == index; };
          if (!own(begin + base)) {
            EXPECT_EQ(r, (StripeResponse{0, 0, StripeError::kRange}));
            continue;
          }
          bool inside = true;
          int interfaces = 0;
          for (std::uint64_t b = begin + base; b < begin + base + size; ++b) {
            inside = inside && own(b);
            if (own(b)) interfaces |= owner[b].second;
          }
          if (inside) {
            EXPECT_EQ(r.address, begin + base);
            EXPECT_EQ(r.interfaces, interfaces);
            EXPECT_EQ(r.error, StripeError::kNone);
          } else {
            EXPECT_EQ(r, (StripeResponse{0, 0, StripeError::kOverlap}));
          }
        }
      }
    }
  }
}

TEST(StripeAddress, RefusesAGeometryOutsideItsRanges) {
  EXPECT_THROW(StripeAddress(StripeGeometry{0, 1}), std::invalid_argument);
  EXPECT_THROW(StripeAddress(StripeGeometry{(std::uint64_t{1} << 31) + 1, 1}), std::invalid_argument);
  EXPECT_THROW(StripeAddress(StripeGeometry{1, 0}), std::invalid_argument);
  EXPECT_THROW(StripeAddress(StripeGeometry{1, 129}), std::invalid_argument);
}

}  // namespace
}  // namespace weft::test
