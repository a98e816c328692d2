#include "algorithms/alltoall/search/symmetry.h"

#include <algorithm>
#include <stdexcept>

namespace weft::alltoall {
namespace {

template <class Move>
Symmetry moved(const Grid& grid, Move&& to) {
  Symmetry symmetry;
  for (std::uint32_t y = 0; y < grid.height; ++y) {
    for (std::uint32_t x = 0; x < grid.width; ++x) symmetry.node.push_back(to(x, y));
  }
  return symmetry;
}

/// All products of the generators, the identity first.
std::vector<Symmetry> closure(const Symmetry& one, const std::vector<Symmetry>& generators) {
  std::vector<Symmetry> elements = {one};
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (const Symmetry& generator : generators) {
      Symmetry next = product(generator, elements[i]);
      if (std::find(elements.begin(), elements.end(), next) == elements.end()) elements.push_back(std::move(next));
    }
  }
  return elements;
}

}  // namespace

Symmetry identity(const Grid& grid) { return shift(grid, 0, 0); }

Symmetry product(const Symmetry& first, const Symmetry& second) {
  Symmetry result;
  result.reverse = first.reverse != second.reverse;
  for (const std::uint32_t node : second.node) result.node.push_back(first.node[node]);
  return result;
}

Symmetry mirror_x(const Grid& grid) {
  return moved(grid, [&](std::uint32_t x, std::uint32_t y) { return grid.node(grid.width - 1 - x, y); });
}

Symmetry mirror_y(const Grid& grid) {
  return moved(grid, [&](std::uint32_t x, std::uint32_t y) { return grid.node(x, grid.height - 1 - y); });
}

Symmetry shift(const Grid& grid, std::uint32_t dx, std::uint32_t dy) {
  return moved(
      grid, [&](std::uint32_t x, std::uint32_t y) { return grid.node((x + dx) % grid.width, (y + dy) % grid.height); });
}

Symmetry transpose(const Grid& grid) {
  Symmetry symmetry = moved(grid, [&](std::uint32_t x, std::uint32_t y) { return grid.node(y, x); });
  symmetry.reverse = true;
  return symmetry;
}

bool holds(const Grid& grid, const Symmetry& symmetry) {
  // Where every resource goes is read off the routes in order: the i-th resource of a connection becomes the i-th of
  // its image, or the i-th from the end where connections are turned round. It must be the same for all connections.
  const Resources resources(grid);
  constexpr std::uint32_t kUnknown = kNoSlot;
  std::vector<std::uint32_t> to(resources.count(), kUnknown), from(resources.count(), kUnknown);
  std::vector<std::uint32_t> own, other;
  for (std::uint32_t source = 0; source < grid.nodes(); ++source) {
    for (std::uint32_t destination = 0; destination < grid.nodes(); ++destination) {
      if (source == destination) continue;
      own.clear(), other.clear();
      resources.visit(source, destination, [&](std::uint32_t r) { own.push_back(r); });
      const auto [s, d] = symmetry.image({source, destination});
      resources.visit(s, d, [&](std::uint32_t r) { other.push_back(r); });
      if (own.size() != other.size()) return false;
      if (symmetry.reverse) std::reverse(other.begin(), other.end());
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (to[own[i]] == kUnknown && from[other[i]] == kUnknown) to[own[i]] = other[i], from[other[i]] = own[i];
        if (to[own[i]] != other[i] || from[other[i]] != own[i]) return false;
      }
    }
  }
  return true;
}

SymmetryGroup::SymmetryGroup(const Grid& grid, const std::vector<Symmetry>& generators)
    : elements_(closure(identity(grid), generators)) {
  if (size() > 32) throw std::logic_error("a group of more than 32 symmetries");
  for (const Symmetry& first : elements_) {
    for (const Symmetry& second : elements_) {
      const auto found = std::find(elements_.begin(), elements_.end(), alltoall::product(first, second));
      products_.push_back(static_cast<std::uint32_t>(found - elements_.begin()));
    }
  }
}

ElementSet SymmetryGroup::subgroup(const std::vector<Symmetry>& generators) const {
  ElementSet set = 0;
  for (const Symmetry& element : closure(elements_.front(), generators)) {
    const auto found = std::find(elements_.begin(), elements_.end(), element);
    if (found == elements_.end()) throw std::logic_error("not a subgroup");
    set |= ElementSet{1} << (found - elements_.begin());
  }
  return set;
}

}  // namespace weft::alltoall
