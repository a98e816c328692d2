#pragma once
// Data path of a FiC switch behind one interface: the plain model, the Verilated RTL, or both in lockstep.
//
// Modelled: SPEC of the FiC-SW (FiC paper, section II.B). Every input port has one register per slot. In the cycle of
// slot s, output o sends the word of the register its table entry (o, s) names, or idles. The word that arrives on
// input i with slot label l is written to register (i, l); a read in the same cycle still sees the old word. A register
// holds its word for one frame, until the next word or idle of the same slot overwrites it.
//
// Slots are labelled by the sending side: a word sent in slot s keeps label s on the link, and arrives C cycles later,
// C being the constant latency of output pipeline and SerDes. All slot counters are equal, so a word that arrives in
// cycle w leaves in the first cycle after w that belongs to its output slot: a hop from slot s_in to slot s_out takes
// C + ((s_out - s_in - C - 1) mod S) + 1 cycles.

#include <cstdint>

#include "algorithms/slots/slot_table.h"
#include "fabrics/tdm/train.h"
#include "kernel/clock_domain.h"

namespace weft {

/// The switch as its data path sees it.
class DataPathClient {
 public:
  virtual ~DataPathClient() = default;
  /// The first word of `train` leaves output `out` in cycle train.start, which is the current cycle.
  virtual void depart(PortId out, const Train& train) = 0;
  virtual void depart_cut(PortId out, const TrainCut& cut) = 0;
  /// Calls DataPath::due(at, token) in that cycle and phase.
  virtual void wake(Cycle at, Phase phase, std::uint32_t token) = 0;
};

class DataPath {
 public:
  virtual ~DataPath() = default;
  /// Table in force from the beginning of the run. Call before the first cycle.
  virtual void preset(const SlotTable& table) = 0;
  /// Writes the shadow table from cycle `now` on, one slot's column every `cycles_per_slot` cycles.
  virtual void load(Cycle now, const SlotTable& table, Cycle cycles_per_slot) = 0;
  /// Writes one slot's column of the shadow table at the end of cycle `now`.
  virtual void write_column(Cycle now, const SlotTable& table, Slot slot) = 0;
  /// Makes the shadow table the active one at `boundary`, the first cycle of a frame, later than `now` and than the
  /// load.
  virtual void swap(Cycle now, Cycle boundary) = 0;
  /// Announces a train whose first word is written in cycle train.start >= now.
  virtual void arrive(Cycle now, PortId in, const Train& train) = 0;
  virtual void arrive_cut(Cycle now, PortId in, const TrainCut& cut) = 0;
  virtual void due(Cycle now, std::uint32_t token) = 0;
};

/// First cycle later than `after` that belongs to slot `slot` of frames of `slots` cycles.
inline Cycle next_slot_cycle(Cycle after, Slot slot, std::uint32_t slots) {
  const Cycle s = static_cast<Cycle>(slots);
  const Cycle phase = (static_cast<Cycle>(slot) - after - 1) % s;
  return after + 1 + (phase < 0 ? phase + s : phase);
}

}  // namespace weft
