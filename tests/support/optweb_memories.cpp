#include "support/optweb_memories.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace weft::test {
namespace {

std::uint32_t of_two(std::uint32_t a, std::uint32_t b, const std::string& how, bool floats) {
  if (!floats) {
    const std::int64_t x = static_cast<std::int32_t>(a);
    const std::int64_t y = static_cast<std::int32_t>(b);
    return static_cast<std::uint32_t>(how == "sum" ? x + y : how == "min" ? std::min(x, y) : std::max(x, y));
  }
  float x = 0;
  float y = 0;
  std::memcpy(&x, &a, 4);
  std::memcpy(&y, &b, 4);
  if (std::isnan(x) || std::isnan(y)) return 0x7fc00000;
  float z = x + y;
  if (how == "min") z = x == y ? (std::signbit(x) ? x : y) : std::min(x, y);
  if (how == "max") z = x == y ? (std::signbit(x) ? y : x) : std::max(x, y);
  std::uint32_t out = 0;
  std::memcpy(&out, &z, 4);
  return std::isnan(z) ? 0x7fc00000 : out;
}

}  // namespace

Bytes whole(const optweb::SparseMemory& memory) {
  Bytes out(memory.size());
  memory.read(0, out);
  return out;
}

Elements elements_at(const Bytes& memory, std::uint64_t offset, std::uint64_t bytes) {
  Elements out(bytes / 4);
  if (bytes > 0) std::memcpy(out.data(), memory.data() + offset, bytes);
  return out;
}

void store_elements(const Elements& elements, Bytes& memory, std::uint64_t offset) {
  if (!elements.empty()) std::memcpy(memory.data() + offset, elements.data(), elements.size() * 4);
}

Elements combined_in_pairs(std::vector<Elements> level, const std::string& how, bool floats) {
  while (level.size() > 1) {
    std::vector<Elements> next;
    for (std::size_t i = 0; i < level.size(); i += 2) {
      Elements e = level[i];
      for (std::size_t k = 0; i + 1 < level.size() && k < e.size(); ++k) {
        e[k] = of_two(e[k], level[i + 1][k], how, floats);
      }
      next.push_back(std::move(e));
    }
    level = std::move(next);
  }
  return level.front();
}

}  // namespace weft::test
