#pragma once
// Access to bit ranges of Verilated ports, whatever C++ type Verilator has chosen for their width.

#include <verilated.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace weft {

/// Bits [low, low+width) of a port, width 1..64.
template <class Port>
std::uint64_t get_bits(const Port& port, std::size_t low, std::size_t width) {
  const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  if constexpr (std::is_integral_v<Port>) {
    return (static_cast<std::uint64_t>(port) >> low) & mask;
  } else {
    std::uint64_t value = 0;
    for (std::size_t done = 0; done < width;) {
      const std::size_t bit = low + done;
      const std::size_t take = 32 - bit % 32;
      value |= (static_cast<std::uint64_t>(port[bit / 32]) >> (bit % 32)) << done;
      done += take;
    }
    return value & mask;
  }
}

/// Sets a port of at most 64 bits, in the type that Verilator has chosen for its width.
template <class Port, class Value>
void set_pin(Port& port, Value value) {
  static_assert(std::is_integral_v<Port>, "wider than 64 bits");
  port = static_cast<Port>(value);
}

/// Sets bits [low, low+width) of a port, width 1..64; bits of `value` above `width` must be 0.
template <class Port>
void set_bits(Port& port, std::size_t low, std::size_t width, std::uint64_t value) {
  const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>((static_cast<std::uint64_t>(port) & ~(mask << low)) | (value << low));
  } else {
    for (std::size_t done = 0; done < width;) {
      const std::size_t bit = low + done;
      const std::size_t shift = bit % 32;
      const std::size_t take = width - done < 32 - shift ? width - done : 32 - shift;
      const std::uint64_t part_mask = ((std::uint64_t{1} << take) - 1) << shift;
      const std::uint64_t part = (value >> done) << shift;
      port[bit / 32] = static_cast<EData>((port[bit / 32] & ~part_mask) | (part & part_mask));
      done += take;
    }
  }
}

}  // namespace weft
