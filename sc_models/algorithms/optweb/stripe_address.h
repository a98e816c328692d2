#pragma once
// Striped placement of data over the memory interfaces of an OPTWEB node: Pa(i) = Ra + 2K*i (equation 1 of the paper
// named in algorithms/optweb/link_sync.h). A memory I/O has two interfaces (pseudo channels) of K bytes each, so stripe
// i, used by the DMAC towards node i, is the 2K bytes from 2K*i on, and Ra is where a piece begins within its stripe.
// Twin of rtl/optweb/stripe_address.sv, bit exact.
//
// Timing: one translation per cycle, the answer one cycle later.

#include <cstdint>

namespace weft::optweb {

struct StripeGeometry {
  std::uint64_t capacity = std::uint64_t{256} << 20;  ///< K: bytes of one interface, 1 to 2^31
  std::uint32_t stripes = 16;                         ///< memory I/Os, 1 to 64
  bool operator==(const StripeGeometry&) const = default;
};

struct StripeRequest {
  std::uint64_t base = 0;   ///< Ra: relative address of the first byte
  std::uint64_t size = 0;   ///< bytes of the piece in this stripe; 0 is legal
  std::uint32_t index = 0;  ///< i
  bool operator==(const StripeRequest&) const = default;
};

enum class StripeError : std::uint8_t {
  kNone,
  kRange,    ///< there is no stripe i, or Ra is not within 2K
  kOverlap,  ///< the piece ends beyond its stripe: in the next one, or behind the memory
};

struct StripeResponse {
  std::uint64_t address = 0;  ///< Pa(i); 0 with an error
  /// Interfaces of the memory I/O that hold bytes of the piece: bit 0 the lower K bytes, bit 1 the upper; 0 with an
  /// error or without bytes.
  std::uint8_t interfaces = 0;
  StripeError error = StripeError::kNone;
  bool operator==(const StripeResponse&) const = default;
};

class StripeAddressIf {
 public:
  virtual ~StripeAddressIf() = default;
  /// Request in one cycle, response of the next.
  virtual StripeResponse translate(const StripeRequest& request) = 0;
};

class StripeAddress final : public StripeAddressIf {
 public:
  static constexpr std::uint64_t kMaxCapacity = std::uint64_t{1} << 31;
  static constexpr std::uint32_t kMaxStripes = 128;
  /// Throws std::invalid_argument for a geometry outside its ranges.
  explicit StripeAddress(const StripeGeometry& geometry = {});
  StripeResponse translate(const StripeRequest& request) override;
  const StripeGeometry& geometry() const { return geometry_; }

 private:
  StripeGeometry geometry_;
};

}  // namespace weft::optweb
