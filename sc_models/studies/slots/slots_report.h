#pragma once
// Report of `weft slots`: one pattern on one network, or the FiC paper's Table 1.

#include <string>
#include <vector>

#include "algorithms/slots/flow.h"
#include "observe/plot.h"
#include "observe/report.h"
#include "studies/slots/pattern_slots.h"
#include "studies/slots/table1.h"

namespace weft {

/// A pattern on a network, with everything that was found out about it.
struct PatternSlots {
  const Graph& graph;
  std::string pattern;
  std::uint64_t seed = 1;
  std::vector<Flow> flows;  ///< of the first seed, as is all that follows
  MinimumSlots minimum;
  std::vector<std::uint32_t> loads;      ///< circuits per directed link
  std::vector<AllocatorResult> results;  ///< at least one
  std::vector<std::uint32_t> by_seed;    ///< N of each seed, when there are several

  /// The result with the fewest slots, the first of several.
  const AllocatorResult& best() const;
};

PatternSlots study_pattern(const Graph& graph, const CircuitRouting& routing, const std::string& pattern,
                           const Location& pattern_where, std::uint64_t seed, std::uint32_t seeds,
                           const std::vector<const Allocator*>& allocators, std::uint64_t search_iterations);

/// Sections and tables: allocators, links, N by seed and its histogram.
ReportData slots_report(const PatternSlots& study);
/// Slot tables of the best result, as CSV and text.
std::vector<Artifact> slots_artifacts(const PatternSlots& study);

/// Sections and tables: the cells, and the histograms of the random ones.
ReportData table1_report(const Table1Options& options, const std::vector<Table1Cell>& cells);
/// Table 1 for the terminal: per network a line with the published values and one with the computed ones.
std::string table1_text(const std::vector<Table1Cell>& cells);

// The pictures of `weft slots`: the load of every link as heat maps, and how N spreads over seeds.

struct SlotsPicture {
  std::string name;  ///< of the file, without ending
  std::string meaning;
  Chart chart;
};

/// Meshes and tori: one map per direction, a cell per switch where it stands, all with one scale of colours; with more
/// than two dimensions the x-y planes side by side. Other networks: one map of switches and ports. Empty when a map
/// would have too many cells to be read.
std::vector<SlotsPicture> load_pictures(const PatternSlots& study);

/// Histogram of N over seeds; empty without seeds.
std::vector<SlotsPicture> seed_pictures(const PatternSlots& study);

/// N of all cells, and for each random pattern its spread with the published values.
std::vector<SlotsPicture> table1_pictures(const std::vector<Table1Cell>& cells);

}  // namespace weft
