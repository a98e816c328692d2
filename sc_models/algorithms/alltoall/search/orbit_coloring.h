#pragma once
// Scheduling with symmetries as a colouring problem: connections that a group of symmetries maps onto each other form
// an orbit, slots likewise form blocks, and one decision - the slot of an orbit's first connection - settles where the
// whole orbit goes: the image under g of a connection in slot s is in the image of s.

#include <memory>

#include "algorithms/alltoall/search/symmetry.h"

namespace weft::alltoall {

/// Blocks of slots of one kind: the slots of a block are the cosets of `stabiliser`. All elements of a stabiliser leave
/// the block's first slot as it is: what is in that slot is as symmetric as the stabiliser.
struct SlotKind {
  ElementSet stabiliser = 1;
  std::uint32_t blocks = 0;
};

/// Symmetry that a schedule is to have.
struct SymmetryPlan {
  std::shared_ptr<const SymmetryGroup> group;
  std::vector<SlotKind> kinds;
};

/// The colouring problem of a plan. Orbits are numbered by their first connection.
struct OrbitColoring {
  OrbitColoring(const Grid& grid, const SymmetryPlan& plan);

  struct Block {
    std::uint32_t kind = 0;
    std::uint32_t first = 0;  ///< its slots are numbered from here
    std::uint32_t size = 0;
  };

  Grid grid;
  std::uint32_t orbits = 0;
  std::uint32_t padded = 0;  ///< orbits, rounded up to kLane
  std::uint32_t slots = 0;
  std::uint32_t moves = 0;  ///< number of different ways in which the group's elements move the slots
  std::vector<Block> blocks;
  std::vector<std::uint32_t> block_of;   ///< by slot
  std::vector<std::uint32_t> moved_to;   ///< [move * slots + slot]
  std::vector<std::uint8_t> conflicts;   ///< [(move * orbits + v) * padded + u]: u in moved_to(s) would meet v in s
  std::vector<std::uint8_t> impossible;  ///< [v * slots + slot]: orbit v would meet itself, or be there twice
  std::vector<std::uint32_t> degree;     ///< by orbit: number of entries of `conflicts`
  std::vector<std::uint32_t> weight;     ///< by orbit: connections

  /// The schedule of all connections. Precondition: no orbit is where it is impossible.
  Schedule expand(const std::vector<std::uint32_t>& slot_of_orbit) const;

  static constexpr std::uint32_t kLane = 32;  ///< orbits that are updated together

 private:
  void make_blocks(const SymmetryPlan& plan, std::vector<std::vector<std::uint32_t>>& slot_images);
  void make_orbits(const SymmetryGroup& group);
  void find_conflicts(const SymmetryGroup& group, const std::vector<std::vector<std::uint32_t>>& slot_images);

  std::vector<NodePair> first_;                 // by orbit
  std::vector<std::uint32_t> orbit_of_;         // [source * nodes + destination]
  std::vector<std::uint32_t> move_of_;          // by connection: how its orbit's first connection gets here
  std::vector<std::uint32_t> move_of_element_;  // by element of the group
};

/// Memory that an OrbitColoring and the search on it take, in bytes, before it is made.
double orbit_coloring_bytes(const Grid& grid, const SymmetryPlan& plan, std::uint32_t slots);

// Which symmetries a search asks of its schedules, from the most promising plan to none at all.

/// Plans for a schedule of `slots` slots; the last one is without any symmetry.
std::vector<SymmetryPlan> symmetry_plans(const Grid& grid, std::uint32_t slots);

}  // namespace weft::alltoall
