#include "algorithms/alltoall/search/orbit_coloring.h"

#include <algorithm>

namespace weft::alltoall {
namespace {

/// Slots of one kind: symmetries that make up the stabiliser, and the number of blocks.
struct Kind {
  std::vector<Symmetry> stabiliser;
  std::uint32_t blocks;
};

SymmetryPlan plan_of(const Grid& grid, const std::vector<Symmetry>& generators, const std::vector<Kind>& kinds) {
  SymmetryPlan plan;
  plan.group = std::make_shared<SymmetryGroup>(grid, generators);
  for (const Kind& kind : kinds) {
    if (kind.blocks > 0) plan.kinds.push_back({plan.group->subgroup(kind.stabiliser), kind.blocks});
  }
  return plan;
}

/// Symmetries a and b of order two whose product moves every connection to one that it never meets: ab leaves every
/// slot as it is, a and b swap slots in pairs; of an odd number one slot stays.
SymmetryPlan paired(const Grid& grid, const Symmetry& a, const Symmetry& b, std::uint32_t slots) {
  return plan_of(grid, {a, b}, {{{product(a, b)}, slots / 2}, {{a, b}, slots % 2}});
}

void plans_of_torus(const Grid& grid, std::uint32_t slots, std::vector<SymmetryPlan>& plans) {
  const Symmetry half_x = shift(grid, grid.width / 2, 0), half_y = shift(grid, 0, grid.height / 2);
  if (grid.width % 2 == 0 && grid.height % 2 == 0) {
    plans.push_back(paired(grid, half_x, half_y, slots));
  } else if (grid.width % 2 == 0 || grid.height % 2 == 0) {
    const Symmetry& half = grid.width % 2 == 0 ? half_x : half_y;
    plans.push_back(plan_of(grid, {half}, {{{half}, slots}}));
  }
}

void plans_of_even_square(const Grid& grid, std::uint32_t slots, std::vector<SymmetryPlan>& plans) {
  const Symmetry mirror = mirror_x(grid), across = transpose(grid), turn = product(mirror_x(grid), mirror_y(grid));
  // A connection from (a, b) to (b, a) is its own image when the grid is transposed, so its slot is, too. No two from
  // the same row can share one, so n - 1 such slots are needed. They come in pairs that a mirror swaps; the fewer they
  // are, the sooner the search succeeds (docs/alltoall_search.md). All others come in fours.
  const std::uint32_t n = grid.width, fours = (std::max(slots, n) - n) / 4, twos = (slots - 4 * fours) / 2;
  plans.push_back(
      plan_of(grid, {mirror, across}, {{{turn}, fours}, {{turn, across}, twos}, {{mirror, across}, slots % 2}}));
  plans.push_back(
      plan_of(grid, {product(across, mirror)}, {{{turn}, slots / 2}, {{product(across, mirror)}, slots % 2}}));
}

void plans_of_odd_square(const Grid& grid, std::uint32_t slots, std::vector<SymmetryPlan>& plans) {
  // The mirrors map vertical connections of the middle column onto themselves, and no slot that is its own mirror image
  // can use all links of that column; a quarter turn with connections turned round has no such connection. What starts
  // or ends in the middle meets its image, so the slots come in fours.
  const Symmetry quarter = product(transpose(grid), mirror_x(grid)), half = product(quarter, quarter);
  plans.push_back(plan_of(grid, {quarter}, {{{}, slots / 4}, {{half}, slots % 4 / 2}, {{quarter}, slots % 2}}));
}

}  // namespace

std::vector<SymmetryPlan> symmetry_plans(const Grid& grid, std::uint32_t slots) {
  std::vector<SymmetryPlan> plans;
  const bool square = grid.width == grid.height, odd_width = grid.width % 2 == 1, odd_height = grid.height % 2 == 1;
  if (grid.torus && !(odd_width && odd_height)) {
    plans_of_torus(grid, slots, plans);
  } else {
    if (square) (odd_width ? plans_of_odd_square : plans_of_even_square)(grid, slots, plans);
    const Symmetry half_turn = product(mirror_x(grid), mirror_y(grid));
    if (!odd_width && !odd_height) {
      plans.push_back(paired(grid, mirror_x(grid), mirror_y(grid), slots));
    } else if (odd_width && odd_height) {
      plans.push_back(plan_of(grid, {half_turn}, {{{}, slots / 2}, {{half_turn}, slots % 2}}));
    } else {
      plans.push_back(plan_of(grid, {half_turn}, {{{half_turn}, slots}}));
    }
  }
  plans.push_back(plan_of(grid, {}, {{{}, slots}}));
  return plans;
}

}  // namespace weft::alltoall
