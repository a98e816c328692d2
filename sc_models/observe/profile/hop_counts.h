#pragma once
// Length of the routes of a network, where all routes from one node to another are equally long: links between
// switches.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace weft {

class HopCounts {
 public:
  /// `place_of[node]`: its row and its column of a square table of hops, kUnknown where there is no route.
  HopCounts(std::vector<std::uint32_t> place_of, std::vector<std::uint8_t> hops, std::uint32_t places)
      : place_of_(std::move(place_of)), hops_(std::move(hops)), places_(places) {}
  static constexpr std::uint8_t kUnknown = 255;
  static constexpr std::uint8_t kMost = 254;
  std::uint8_t of(NodeId from, NodeId to) const {
    return hops_[std::size_t{place_of_[from]} * places_ + place_of_[to]];
  }

 private:
  std::vector<std::uint32_t> place_of_;
  std::vector<std::uint8_t> hops_;
  std::uint32_t places_;
};

}  // namespace weft
