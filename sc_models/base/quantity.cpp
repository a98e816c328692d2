#include "base/quantity.h"

#include "base/units.h"

namespace weft {

std::optional<Quantity> parse_quantity(std::string_view text) {
  using Kind = Quantity::Kind;
  if (const auto v = parse_frequency(text).value) return Quantity{Kind::frequency, v->hz};
  if (const auto v = parse_duration(text).value) return Quantity{Kind::duration, v->ps};
  if (const auto v = parse_data_size(text).value) return Quantity{Kind::data_size, v->bits};
  if (const auto v = parse_rate(text).value) return Quantity{Kind::rate, v->bits_per_s};
  if (const auto v = parse_cycle_span(text).value) return Quantity{Kind::cycles, v->value};
  return std::nullopt;
}

}  // namespace weft
