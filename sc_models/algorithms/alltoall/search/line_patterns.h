#pragma once
// Pattern of connections within one row or one column of a grid: pattern a sends from every position x of a line of
// `size` positions to (x + a) mod size, over the links of the line, and needs degree(a) colours so that connections of
// one colour share no link. The grid patterns of groups.h are products of a row's and a column's pattern.
//
// Mesh: x + a < size goes a links up, the others size - a links down. With m = min(a, size - a) the colour x mod m is
// good: of the two kinds, the shorter has at most m sources in a row, and the longer one starts every m positions.
// Torus: every route has s = min(a, size - a) links, all in one direction (+ for 2a <= size), so floor(size / s) of
// them fit on the ring at a time; the ring is cut into that many blocks of nearly equal length, each at least s, and
// the colour is the position in the block: ceil(size / floor(size / s)) colours. A pattern downwards has the colour of
// the route that it retraces.
// Source: Carpenter and Melhem (2013), theorem on 1-D connection patterns; the torus is an addition.

#include <cstdint>
#include <vector>

namespace weft::alltoall {

class LinePatterns {
 public:
  /// `size` is 1 or more.
  LinePatterns(std::uint32_t size, bool torus);

  std::uint32_t size() const { return size_; }
  /// Colours of pattern a, 0 < a < size.
  std::uint32_t degree(std::uint32_t a) const { return degree_[a]; }
  /// Colour of the connection of pattern a that starts at x, below degree(a).
  std::uint32_t colour(std::uint32_t a, std::uint32_t x) const { return colour_[a * size_ + x]; }

 private:
  std::uint32_t size_;
  std::vector<std::uint32_t> degree_;
  std::vector<std::uint32_t> colour_;
};

}  // namespace weft::alltoall
