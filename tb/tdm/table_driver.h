#pragma once
// Random stimulus of the slot_table and tdm_switch benches: a slot counter, columns written while the other table is in
// use, swaps at any time.

#include <cstdint>

#include "tdm/pace.h"
#include "tdm/table_reference.h"

namespace weft::pins {

class TableDriver {
 public:
  /// jumps: the slot counter also leaps, as after a resynchronisation.
  TableDriver(const TableShape& shape, Mode mode, bool jumps, std::uint64_t seed);
  TableInputs next();
  /// Slots of a frame in this seed, 1..slots.
  std::uint32_t frame() const { return frame_; }

 private:
  std::uint32_t random_slot();
  SlotTableEntry random_entry();
  Bits random_column();
  bool random_swap(std::uint32_t slot);

  TableShape shape_;
  RandomStream random_;
  Pace write_pace_;
  std::uint32_t frame_;
  bool jumps_;
  std::uint64_t swap_one_in_;
  bool swapped_before_ = false;  // a swap was requested in the cycle before
  std::uint32_t slot_ = 0;
  std::uint32_t write_slot_ = 0;
};

}  // namespace weft::pins
