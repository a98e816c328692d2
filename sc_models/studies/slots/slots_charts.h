#pragma once
// The pictures of `weft slots`: the load of every link as heat maps, and how N spreads over seeds.

#include <string>
#include <vector>

#include "observe/plot.h"
#include "studies/slots/slots_report.h"

namespace weft {

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
