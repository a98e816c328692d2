#pragma once
// Changes single entries of a switch's double-buffered slot table while data flows.
//
// The table of the FiC-SW can only be exchanged as a whole, at a frame boundary. A change therefore takes three steps:
// its columns are written to the shadow table, t_c cycles each; the tables are exchanged at the first frame boundary
// after that, which is when the change takes force; the same columns are written to the other table, which is now the
// shadow, so that both agree again. Changes that can still be written before the exchange of the present batch join
// it; others form the next batch, which begins when the present one is done. So the cycle in which a change will take
// force is known, and fixed, in the cycle it is asked for, and changes take force in the order they were asked for.
// Source of the double buffer and of t_c: FiC paper, section II.B, and rtl/tdm/slot_table.sv.

#include <deque>
#include <vector>

#include "algorithms/slots/slot_table.h"
#include "base/units.h"

namespace weft {

class TableWriter {
 public:
  struct Change {
    PortId out;
    Slot slot;
    SlotTableEntry entry;
  };
  /// Work of cycle `at`: write a column of the shadow table, or ask for the exchange at the boundary that
  /// begins with the next cycle.
  struct Step {
    Cycle at = 0;
    bool exchange = false;
    Slot slot = 0;
  };

  TableWriter(PortId ports, std::uint32_t slots, Cycle column_cycles);

  /// Cycle in which a change of so many columns would take force if asked for in cycle `now`.
  Cycle in_force(Cycle now, std::size_t columns) const;
  /// Plans the change and returns the cycle in which it takes force: a frame boundary, later than `now`. Throws
  /// RunError when a used entry would get a second owner, or an idle one would be cleared.
  Cycle change(Cycle now, const std::vector<Change>& changes);

  /// Cycle of the next step, -1: nothing to do.
  Cycle next_step() const;
  /// Takes the next step. A column to be written has the content it has in image() until the next call.
  Step take_step();
  const SlotTable& image() const { return image_; }
  /// The table once everything asked for is in force.
  const SlotTable& target() const { return target_; }

 private:
  struct Write {
    Cycle at = 0;  // written at the end of this cycle
    Slot slot = 0;
    std::vector<Change> changes;
  };
  struct Batch {
    std::deque<Write> writes;
    Cycle written = 0;   // cycle after the last write
    Cycle boundary = 0;  // the exchange
    bool exchanged = false;
    std::vector<Slot> columns;  // each once: what is copied after the exchange
    std::size_t copied = 0;
  };
  bool joins(Cycle now, std::size_t columns) const;
  Cycle begin_of_next(Cycle now) const;
  Cycle copied_at(const Batch& batch, std::size_t columns) const {
    return batch.boundary + column_cycles_ * static_cast<Cycle>(columns);
  }
  Cycle align(Cycle cycle) const { return (cycle + slots_ - 1) / slots_ * slots_; }

  Cycle slots_;
  Cycle column_cycles_;
  SlotTable target_;
  SlotTable image_;
  std::deque<Batch> batches_;  // only the last one may still grow
};

}  // namespace weft
