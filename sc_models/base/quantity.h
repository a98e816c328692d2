#pragma once
// Quantity of any kind, read from text whose unit tells the kind: "100MHz", "12.5ns", "2cycles", "64B", "100Gb/s".

#include <cstdint>
#include <optional>
#include <string_view>

namespace weft {

struct Quantity {
  enum class Kind { frequency, duration, data_size, rate, cycles };
  Kind kind = Kind::cycles;
  std::int64_t amount = 0;  ///< Hz, ps, b, b/s, cycles
};

/// Nothing when the text is no quantity. A duration is one, also where cycles could stand.
std::optional<Quantity> parse_quantity(std::string_view text);

}  // namespace weft
