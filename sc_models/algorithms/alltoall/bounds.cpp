#include "algorithms/alltoall/bounds.h"

#include <algorithm>

namespace weft::alltoall {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// Largest load of a link along a dimension of `size`, with `across` lines beside each other.
std::uint64_t line_load(std::uint64_t size, std::uint64_t across, bool torus) {
  const std::uint64_t half = size / 2;
  return torus ? half * (half + 1) / 2 * across : half * (size - half) * across;
}

std::uint64_t line_bisection(std::uint64_t size, std::uint64_t across, bool torus) {
  const std::uint64_t half = size / 2;
  const std::uint64_t crossing = half * (size - half) * across;  // per line
  return torus ? ceil_div(crossing, 2) : crossing;
}

// Links of all routes of one line, from every position to every other.
std::uint64_t line_hops(std::uint64_t size, bool torus) {
  std::uint64_t hops = 0;
  for (std::uint64_t a = 1; a < size; ++a) hops += torus ? size * std::min(a, size - a) : 2 * a * (size - a);
  return hops;
}

}  // namespace

std::uint64_t Bounds::slots() const { return std::max({bisection, link_load, sender}); }

const char* Bounds::binding() const {
  if (link_load == slots()) return "link load";
  return bisection == slots() ? "bisection" : "sender";
}

Bounds lower_bounds(const Grid& grid) {
  Bounds out;
  out.link_load =
      std::max(line_load(grid.width, grid.height, grid.torus), line_load(grid.height, grid.width, grid.torus));
  out.bisection = std::max(line_bisection(grid.width, grid.height, grid.torus),
                           line_bisection(grid.height, grid.width, grid.torus));
  out.sender = grid.nodes() - 1;
  return out;
}

std::vector<std::uint64_t> count_link_loads(const Grid& grid) {
  const Resources resources(grid);
  std::vector<std::uint64_t> uses(resources.count());
  for (std::uint32_t s = 0; s < grid.nodes(); ++s) {
    for (std::uint32_t d = 0; d < grid.nodes(); ++d) {
      if (s != d) resources.visit(s, d, [&](std::uint32_t r) { ++uses[r]; });
    }
  }
  uses.resize(std::size_t{4} * grid.nodes());
  return uses;
}

std::uint64_t link_count(const Grid& grid) {
  const auto of_line = [&](std::uint64_t size) { return grid.torus && size > 1 ? 2 * size : 2 * (size - 1); };
  return of_line(grid.width) * grid.height + of_line(grid.height) * grid.width;
}

std::uint64_t total_hops(const Grid& grid) {
  const std::uint64_t w = grid.width, h = grid.height;
  return line_hops(w, grid.torus) * h * h + line_hops(h, grid.torus) * w * w;
}

}  // namespace weft::alltoall
