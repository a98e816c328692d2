#pragma once
// Reduction unit: the largest of int16 numbers, two of which lie in four bytes, in C++ and in SystemVerilog.

#include <Vmax_int16.h>  // before SystemC: its headers take SystemC's time where they find SystemC

#include <weft.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "algorithms/optweb/reduction.h"
#include "fabrics/optweb/module_factory.h"

namespace own_reduction {

inline constexpr weft::Cycle kStages = 1;  // of a level: a comparator and a register

/// Words in C++.
inline std::uint32_t larger(std::uint32_t a, std::uint32_t b) {
  using Lanes = std::array<std::int16_t, 2>;
  Lanes x{}, y{};
  std::memcpy(x.data(), &a, sizeof a);
  std::memcpy(y.data(), &b, sizeof b);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::max(x[i], y[i]);
  std::memcpy(&a, x.data(), sizeof a);
  return a;
}

/// Words through the pins of max_int16.sv, a clock edge for each.
class Pins {
 public:
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) {
    rtl_.a_i = a;
    rtl_.b_i = b;
    for (const bool clock : {false, true}) {
      rtl_.clk_i = clock;
      rtl_.eval();
    }
    return rtl_.y_o;
  }

 private:
  VerilatedContext context_;
  Vmax_int16 rtl_{&context_, "max_int16"};
};

inline weft::optweb::CombineElements largest(bool rtl) {
  if (!rtl) return larger;
  return [pins = std::make_shared<Pins>()](std::uint32_t a, std::uint32_t b) { return (*pins)(a, b); };
}

/// The tree is Weft's, its levels and the operation are not. `seen`: called with the bytes of all streams.
class LargestOf : public sc_core::sc_module, public weft::ReductionUnitIf {
 public:
  LargestOf(sc_core::sc_module_name name, weft::optweb::CombineElements combine,
            std::function<void(std::uint64_t)> seen = {})
      : sc_module(name), combine_(std::move(combine)), seen_(std::move(seen)) {}
  weft::Cycle passed(weft::Cycle at, std::size_t streams) const override {
    return at + static_cast<weft::Cycle>(weft::optweb::tree_levels(streams)) * kStages;
  }
  void combine(const weft::ReducedWords& w) override {
    if (seen_) seen_(w.bytes * w.streams.size());
    weft::optweb::reduce(combine_, w.streams, w.memory, w.address, w.bytes, w.stop);
  }

 private:
  weft::optweb::CombineElements combine_;
  std::function<void(std::uint64_t)> seen_;
};

}  // namespace own_reduction
