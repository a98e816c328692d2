#pragma once
// A vector of bits of any length, and its way to and from the pins of a Verilated SystemC module, which are bool,
// uint32_t, uint64_t or sc_bv<N>, as their width wants.

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/slots/slot_set.h"
#include "base/random.h"

namespace weft::pins {

class Bits {
 public:
  explicit Bits(std::size_t size = 0) : size_(size), blocks_((size + 63) / 64) {}
  static Bits random(RandomStream& random, std::size_t size);
  static Bits ones(std::size_t size);
  static Bits of(const SlotSet& set);

  std::size_t size() const { return size_; }
  bool any() const;
  /// Bits [low, low+width), width 0..64.
  std::uint64_t get(std::size_t low, std::size_t width) const;
  /// Sets bits [low, low+width), width 0..64, to the lowest bits of `value`.
  void set(std::size_t low, std::size_t width, std::uint64_t value);
  Bits slice(std::size_t low, std::size_t width) const;
  void insert(std::size_t low, const Bits& part);
  SlotSet slot_set() const;
  std::string hex() const;
  bool operator==(const Bits&) const = default;

 private:
  std::size_t size_;
  std::vector<std::uint64_t> blocks_;  // bits above size_ are 0
};

/// Type of the values of a port `sc_in<T>&` or `sc_out<T>&`.
template <class Port>
using PinValue = typename std::remove_reference_t<Port>::data_type;

template <class Value>
Value to_pins(const Bits& bits) {
  if constexpr (std::is_integral_v<Value>) {
    return static_cast<Value>(bits.get(0, bits.size()));
  } else {
    Value value;
    for (std::size_t low = 0; low < bits.size(); low += 32) {
      const std::size_t width = bits.size() - low < 32 ? bits.size() - low : 32;
      value.set_word(static_cast<int>(low / 32), static_cast<std::uint32_t>(bits.get(low, width)));
    }
    return value;
  }
}

template <class Value>
Bits from_pins(const Value& value, std::size_t size) {
  Bits bits(size);
  if constexpr (std::is_integral_v<Value>) {
    bits.set(0, size, static_cast<std::uint64_t>(value));
  } else {
    for (std::size_t low = 0; low < size; low += 32) {
      const std::size_t width = size - low < 32 ? size - low : 32;
      bits.set(low, width, value.get_word(static_cast<int>(low / 32)));
    }
  }
  return bits;
}

}  // namespace weft::pins
