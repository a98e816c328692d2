#include "algorithms/alltoall/groups.h"

#include <algorithm>
#include <optional>

#include "algorithms/alltoall/search/line_patterns.h"
#include "algorithms/alltoall/straight.h"

namespace weft::alltoall {
namespace {

// Degrees stay below kLargestSide: a set of colours is a word.
using Colours = std::uint64_t;

// (colour(a, x) - colour(a, x - a)) mod degree for all x: how far apart a node's own colour and that of what it
// receives lie.
Colours differences(const LinePatterns& line, std::uint32_t a, std::uint32_t degree) {
  Colours set = 0;
  const std::uint32_t size = line.size();
  for (std::uint32_t x = 0; x < size; ++x) {
    const std::uint32_t before = line.colour(a, (x + size - a) % size);
    set |= Colours{1} << (line.colour(a, x) + degree - before) % degree;
  }
  return set;
}

// The shift of pattern (width - a, height - b) against (a, b) in `degree` slots. A pattern upwards and the one that
// retraces it have the same colours, so a node sends twice in a slot when the shift is minus the sum of the
// differences, and receives twice when it is the sum.
std::optional<std::uint32_t> overlay_shift(const LinePatterns& rows, const LinePatterns& columns, std::uint32_t a,
                                           std::uint32_t b, std::uint32_t degree) {
  const Colours in_row = differences(rows, a, degree), in_column = differences(columns, b, degree);
  Colours bad = 0;
  for (std::uint32_t i = 0; i < degree; ++i) {
    for (std::uint32_t j = 0; j < degree; ++j) {
      if ((in_row >> i & 1) == 0 || (in_column >> j & 1) == 0) continue;
      const std::uint32_t sum = (i + j) % degree;
      bad |= Colours{1} << sum | Colours{1} << (degree - sum) % degree;
    }
  }
  for (std::uint32_t shift = 1; shift < degree; ++shift) {
    if ((bad >> shift & 1) == 0) return shift;
  }
  return std::nullopt;
}

// Both patterns in one group, if that takes fewer slots than one after the other; a larger degree may make a shift
// possible. At half the length of a ring both would want links of the same direction.
std::optional<SlotGroup> overlaid(const LinePatterns& rows, const LinePatterns& columns, std::uint32_t a,
                                  std::uint32_t b) {
  if (2 * a == rows.size() || 2 * b == columns.size()) return std::nullopt;
  const std::uint32_t alone = std::max(rows.degree(a), columns.degree(b));
  for (std::uint32_t degree = alone; degree < 2 * alone; ++degree) {
    if (const auto shift = overlay_shift(rows, columns, a, b, degree)) {
      return SlotGroup{0, degree, {{a, b, 0}, {rows.size() - a, columns.size() - b, *shift}}};
    }
  }
  return std::nullopt;
}

std::vector<SlotGroup> make_group_list(const Grid& grid, const LinePatterns& rows, const LinePatterns& columns) {
  std::vector<SlotGroup> groups;
  std::uint32_t next = 0;
  std::vector<bool> done(std::size_t{grid.width} * grid.height);
  for (std::uint32_t a = 1; a < grid.width; ++a) {
    for (std::uint32_t b = 1; b < grid.height; ++b) {
      if (done[a * grid.height + b]) continue;
      SlotGroup group{next, std::max(rows.degree(a), columns.degree(b)), {{a, b, 0}}};
      if (auto both = grid.torus ? overlaid(rows, columns, a, b) : std::nullopt) {
        group = std::move(*both);
        group.first = next;
        done[(grid.width - a) * grid.height + grid.height - b] = true;
      }
      next += group.degree;
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

// The formula of a pattern, looked up by (a, b).
struct Formula {
  std::uint32_t first = 0;
  std::uint32_t degree = 1;
  std::uint32_t shift = 0;
};

void fill_slots(const LinePatterns& rows, const LinePatterns& columns, GroupsSchedule& out) {
  const Grid& grid = out.schedule.grid;
  std::vector<Formula> formulas(std::size_t{grid.width} * grid.height);
  for (const SlotGroup& g : out.groups) {
    for (const GroupPattern& p : g.patterns) formulas[p.a + p.b * grid.width] = {g.first, g.degree, p.shift};
  }
  const std::size_t nodes = grid.nodes();
  out.schedule.slot_of.assign(nodes * nodes, kNoSlot);
  for (std::uint32_t y = 0; y < grid.height; ++y) {
    for (std::uint32_t x = 0; x < grid.width; ++x) {
      std::uint32_t* const slots = &out.schedule.slot_of[grid.node(x, y) * nodes];
      for (std::uint32_t b = 1; b < grid.height; ++b) {
        std::uint32_t* const row = slots + std::size_t{(y + b) % grid.height} * grid.width;
        const std::uint32_t column_colour = columns.colour(b, y);
        for (std::uint32_t a = 1; a < grid.width; ++a) {
          const Formula& f = formulas[a + b * grid.width];
          row[(x + a) % grid.width] = f.first + (rows.colour(a, x) + column_colour + f.shift) % f.degree;
        }
      }
    }
  }
}

}  // namespace

std::uint32_t GroupsSchedule::group_of(std::uint32_t slot) const {
  if (slot >= group_slots) return static_cast<std::uint32_t>(groups.size());
  const auto after = std::upper_bound(groups.begin(), groups.end(), slot,
                                      [](std::uint32_t s, const SlotGroup& g) { return s < g.first; });
  return static_cast<std::uint32_t>(after - groups.begin()) - 1;
}

namespace {

GroupsSchedule make_colours(const Grid& grid) {
  const LinePatterns rows(grid.width, grid.torus), columns(grid.height, grid.torus);
  GroupsSchedule out;
  out.schedule.grid = grid;
  out.groups = make_group_list(grid, rows, columns);
  if (!out.groups.empty()) out.group_slots = out.groups.back().first + out.groups.back().degree;
  out.schedule.slots = out.group_slots;
  fill_slots(rows, columns, out);
  insert_straight(rows, columns, out);
  return out;
}

}  // namespace

GroupsSchedule make_groups(const Grid& grid) {
  GroupsSchedule colours = make_colours(grid);
  if (!grid.torus || grid.is_line()) return colours;
  GroupsSchedule diagonals = make_diagonals(grid);
  return diagonals.schedule.slots < colours.schedule.slots ? std::move(diagonals) : std::move(colours);
}

std::uint64_t mesh_group_slots(std::uint32_t width, std::uint32_t height) {
  // max(r, c) = number of k >= 0 with r > k or c > k; of the 1 ... size - 1, size - 1 - 2k have min(a, size - a) > k.
  std::uint64_t sum = 0;
  const auto above = [](std::uint64_t size, std::uint64_t k) { return size > 1 + 2 * k ? size - 1 - 2 * k : 0; };
  const std::uint64_t all = std::uint64_t{width - 1} * (height - 1);
  for (std::uint64_t k = 0; above(width, k) + above(height, k) > 0; ++k) {
    sum += all - (width - 1 - above(width, k)) * (height - 1 - above(height, k));
  }
  return sum;
}

}  // namespace weft::alltoall
