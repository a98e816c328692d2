#pragma once
// All-to-all schedule of a grid: every node sends one unit to every other node, once. The grid is width x height nodes
// numbered x + width*y, joined by unidirectional links to the four neighbours; a connection follows dimension order, X
// first by default, and holds every link of its route, its sender and its receiver for one slot. Per slot, a link, a
// sender and a receiver serve one connection at most. Source: Carpenter and Melhem, "Deterministic Multiplexing of NoC
// on Grid CMPs" (2013).

#include <cstdint>
#include <limits>
#include <vector>

namespace weft::alltoall {

enum class RouteOrder { kXFirst, kYFirst };

/// A grid of width x height nodes, both 1 or more, with at least two nodes.
struct Grid {
  std::uint32_t width = 2;
  std::uint32_t height = 2;
  bool torus =
      false;  ///< wrap-around links; the shorter way, + when both ways are as long (as routing/dimension_order)
  RouteOrder order = RouteOrder::kXFirst;

  std::uint32_t nodes() const { return width * height; }
  /// A single row or column.
  bool is_line() const { return width == 1 || height == 1; }
  std::uint32_t node(std::uint32_t x, std::uint32_t y) const { return x + width * y; }
  /// Number of ordered pairs of different nodes.
  std::uint64_t connections() const { return std::uint64_t{nodes()} * (nodes() - 1); }
  bool operator==(const Grid&) const = default;
};

/// Slot of a pair that has none: a node and itself.
inline constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();

/// slot_of[source * nodes + destination] is in [0, slots), kNoSlot on the diagonal.
struct Schedule {
  Grid grid;
  std::uint32_t slots = 0;
  std::vector<std::uint32_t> slot_of;
};

/// Bytes of a table with the connection that holds each link, sender and receiver in each slot.
inline double slot_table_bytes(const Grid& grid, std::uint32_t slots) { return 24.0 * slots * grid.nodes(); }

/// Resources that connections share, as dense numbers: link `4 * node + direction` is the one that leaves a node (0 +x,
/// 1 -x, 2 +y, 3 -y); then one number per sender and one per receiver.
class Resources {
 public:
  explicit Resources(const Grid& grid) : grid_(grid) {}

  std::uint32_t count() const { return 6 * grid_.nodes(); }
  std::uint32_t link(std::uint32_t node, std::uint32_t direction) const { return 4 * node + direction; }
  std::uint32_t sender(std::uint32_t node) const { return 4 * grid_.nodes() + node; }
  std::uint32_t receiver(std::uint32_t node) const { return 5 * grid_.nodes() + node; }

  /// Calls visit(resource) for everything that a connection holds: its sender, the links in order, its receiver.
  template <class Visit>
  void visit(std::uint32_t source, std::uint32_t destination, Visit&& visit_one) const {
    visit_one(sender(source));
    const std::uint32_t sx = source % grid_.width, sy = source / grid_.width;
    const std::uint32_t dx = destination % grid_.width, dy = destination / grid_.width;
    if (grid_.order == RouteOrder::kXFirst) {
      walk(sx, dx, grid_.width, [&](std::uint32_t x, bool plus) { visit_one(link(grid_.node(x, sy), plus ? 0 : 1)); });
      walk(sy, dy, grid_.height, [&](std::uint32_t y, bool plus) { visit_one(link(grid_.node(dx, y), plus ? 2 : 3)); });
    } else {
      walk(sy, dy, grid_.height, [&](std::uint32_t y, bool plus) { visit_one(link(grid_.node(sx, y), plus ? 2 : 3)); });
      walk(sx, dx, grid_.width, [&](std::uint32_t x, bool plus) { visit_one(link(grid_.node(x, dy), plus ? 0 : 1)); });
    }
    visit_one(receiver(destination));
  }

 private:
  /// Positions that a route along one dimension leaves, with the direction taken.
  template <class Step>
  void walk(std::uint32_t from, std::uint32_t to, std::uint32_t size, Step&& step) const {
    if (from == to) return;
    const std::uint32_t ahead = (to + size - from) % size;
    const bool plus = grid_.torus ? 2 * ahead <= size : to > from;
    for (std::uint32_t at = from; at != to; at = plus ? (at + 1) % size : (at + size - 1) % size) step(at, plus);
  }

  Grid grid_;
};

}  // namespace weft::alltoall
