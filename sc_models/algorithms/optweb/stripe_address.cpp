#include "algorithms/optweb/stripe_address.h"

#include <stdexcept>

namespace weft::optweb {

StripeAddress::StripeAddress(const StripeGeometry& geometry) : geometry_(geometry) {
  if (geometry.capacity == 0 || geometry.capacity > kMaxCapacity) {
    throw std::invalid_argument("capacity of a memory interface outside 1..2^31 bytes");
  }
  if (geometry.stripes == 0 || geometry.stripes > kMaxStripes) {
    throw std::invalid_argument("number of stripes outside 1..64");
  }
}

StripeResponse StripeAddress::translate(const StripeRequest& request) {
  const std::uint64_t stripe = 2 * geometry_.capacity;
  StripeResponse response;
  if (request.index >= geometry_.stripes || request.base >= stripe) {
    response.error = StripeError::kRange;
  } else if (request.size > stripe - request.base) {
    response.error = StripeError::kOverlap;
  } else {
    response.address = request.base + stripe * request.index;
    if (request.size > 0) {
      const bool lower = request.base < geometry_.capacity;
      const bool upper = request.base + request.size > geometry_.capacity;
      response.interfaces = static_cast<std::uint8_t>((lower ? 1 : 0) | (upper ? 2 : 0));
    }
  }
  return response;
}

}  // namespace weft::optweb
