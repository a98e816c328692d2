#include "algorithms/alltoall/search/line_patterns.h"

#include <algorithm>

namespace weft::alltoall {
namespace {

// Position of every place of the ring in its block, for `blocks` blocks that differ in length by one at most.
std::vector<std::uint32_t> block_positions(std::uint32_t size, std::uint32_t blocks) {
  std::vector<std::uint32_t> position(size);
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const std::uint32_t begin = b * size / blocks, end = (b + 1) * size / blocks;
    for (std::uint32_t x = begin; x < end; ++x) position[x] = x - begin;
  }
  return position;
}

}  // namespace

LinePatterns::LinePatterns(std::uint32_t size, bool torus)
    : size_(size), degree_(size), colour_(std::size_t{size} * size) {
  for (std::uint32_t a = 1; a < size; ++a) {
    const std::uint32_t shorter = std::min(a, size - a);
    if (!torus) {
      degree_[a] = shorter;
      for (std::uint32_t x = 0; x < size; ++x) colour_[a * size + x] = x % shorter;
      continue;
    }
    const std::uint32_t blocks = size / shorter;
    degree_[a] = (size + blocks - 1) / blocks;
    const std::vector<std::uint32_t> position = block_positions(size, blocks);
    const bool plus = 2 * a <= size;
    for (std::uint32_t x = 0; x < size; ++x) colour_[a * size + x] = position[plus ? x : (x + a) % size];
  }
}

}  // namespace weft::alltoall
