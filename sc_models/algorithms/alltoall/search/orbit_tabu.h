#pragma once
// Tabu search on the conflicts of an OrbitColoring: all orbits have a slot, and the search moves one orbit that is in
// conflict at a time to the slot where that leaves the fewest conflicts; for a while it may not come back.
//
// A table holds the conflicts that every orbit would have in every slot. A move changes a few rows of it, one per slot
// involved, by rows of 0 and 1, which compilers turn into vector instructions. For the few orbits in conflict a copy of
// their line of the table is kept, with the smallest entry and how often it occurs, so that the best move is found
// without looking at the table. Source: Hertz and de Werra, "Using tabu search techniques for graph coloring" (1987);
// the tenure, conflicts + random(100), is longer than usual for colouring.

#include "algorithms/alltoall/search/orbit_coloring.h"
#include "algorithms/alltoall/search/search_budget.h"
#include "base/random.h"

namespace weft::alltoall {

using OrbitSlots = std::vector<std::uint32_t>;  ///< slot of every orbit

class OrbitTabu {
 public:
  OrbitTabu(const OrbitColoring& problem, RandomStream& random);

  /// Fewest conflicts found from `slots` within `moves` moves; `slots` becomes the colouring that has them.
  std::uint64_t run(OrbitSlots& slots, std::uint64_t moves, SearchBudget& budget);

 private:
  using Count = std::uint16_t;
  // Marks in the upper bits of a count, so that marked entries are never the smallest ones.
  static constexpr Count kForbiddenNow = 0x8000, kOwn = 0x4000, kImpossible = 0x2000;
  static constexpr Count kNotForbidden = 0x7fff;
  static constexpr std::uint32_t kWheel = 8192;  // longest time for which a move can be forbidden
  static constexpr std::uint32_t kLane = OrbitColoring::kLane;

  struct Line {  // of the table, for an orbit in conflict
    Count smallest = 0;
    std::uint32_t times = 0;
  };

  Count& entry(std::uint32_t v, std::uint32_t slot) {
    return table_[(std::size_t{v / kLane} * table_slots_ + slot) * kLane + v % kLane];
  }
  std::uint32_t conflicts(std::uint32_t v) { return entry(v, slot_[v]) & kNotForbidden; }
  const std::uint8_t* row(std::uint32_t move, std::uint32_t v) const {
    return &problem_.conflicts[(std::size_t{move} * problem_.orbits + v) * problem_.padded];
  }
  Count* line(std::uint32_t v) { return &lines_[std::size_t{v} * line_size_]; }
  std::uint32_t draw(std::uint32_t n) { return static_cast<std::uint32_t>((random_() >> 32) * n >> 32); }

  void start(const OrbitSlots& slots);
  void add(std::uint32_t slot, const std::uint8_t* row);
  void subtract(std::uint32_t slot, const std::uint8_t* row);
  void rescan(std::uint32_t v);
  void enter(std::uint32_t v);
  void leave(std::uint32_t v);
  void set(std::uint32_t v, std::uint32_t slot, Count value);
  void free_moves();
  void choose(std::uint32_t& v, std::uint32_t& slot);
  void move(std::uint32_t v, std::uint32_t to);
  void check_members(std::uint32_t slot, std::uint32_t except);

  const OrbitColoring& problem_;
  RandomStream& random_;
  std::uint32_t table_slots_;  // odd: otherwise a power of two of slots puts a row's pieces into one set of the cache
  std::uint32_t line_size_;
  std::vector<Count> table_;  // [v / kLane][slot][v % kLane]
  std::vector<Count> lines_;
  std::vector<Line> line_state_;
  OrbitSlots slot_;
  std::vector<std::vector<std::uint32_t>> members_;  // by slot
  std::vector<std::uint32_t> member_place_;
  std::vector<std::uint32_t> list_, list_place_;   // orbits in conflict
  std::vector<std::uint32_t> free_from_;           // [v * slots + slot]: time from which the move is free again
  std::vector<std::vector<std::uint64_t>> wheel_;  // by time: v * slots + slot to free
  std::uint32_t now_ = 0;
  std::uint64_t total_ = 0;  // conflicts
};

// A child of two colourings: blocks of slots are taken over whole, in turn from either parent, always the one that
// settles the most connections not yet settled; what is left goes to slots at random. Source: Galinier and Hao, "Hybrid
// evolutionary algorithms for graph coloring" (1999), with blocks of slots in the place of colours.

/// `first` gives the first block.
OrbitSlots crossover(const OrbitColoring& problem, const OrbitSlots& first, const OrbitSlots& second,
                     RandomStream& random);

/// Orbits whose slot differs, slots being matched so that few do (the largest overlaps first).
std::uint32_t distance(const OrbitColoring& problem, const OrbitSlots& first, const OrbitSlots& second);

/// A slot for every orbit, those with many conflicts first, each where it has the fewest so far.
OrbitSlots greedy_slots(const OrbitColoring& problem, RandomStream& random);

}  // namespace weft::alltoall
