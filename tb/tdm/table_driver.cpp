#include "tdm/table_driver.h"

namespace weft::pins {

TableDriver::TableDriver(const TableShape& shape, Mode mode, bool jumps, std::uint64_t seed)
    : shape_(shape), random_(seed, "table driver"), write_pace_(mode, random_), frame_(shape.slots), jumps_(jumps) {
  switch (random_.below(4)) {
    case 0:  // the whole frame
      break;
    case 1:
      frame_ = 1 + static_cast<std::uint32_t>(random_.below(2));
      break;
    default:
      frame_ = 1 + static_cast<std::uint32_t>(random_.below(shape.slots));
      break;
  }
  swap_one_in_ = 1 + random_.below(3 * frame_ + 3);
}

std::uint32_t TableDriver::random_slot() {
  return static_cast<std::uint32_t>(random_.below(random_.below(16) == 0 ? shape_.labels() : frame_));
}

SlotTableEntry TableDriver::random_entry() {
  const std::uint32_t ports = random_.below(16) == 0 ? shape_.port_numbers() : shape_.ports;
  return {.in_port = static_cast<PortId>(random_.below(ports)), .in_slot = static_cast<Slot>(random_slot())};
}

Bits TableDriver::random_column() {
  Bits column(shape_.column_bits());
  const bool multicast = random_.below(4) == 0;
  const SlotTableEntry shared = random_entry();
  const std::uint64_t idle_one_in = 1 + random_.below(8);
  for (std::uint32_t out = 0; out < shape_.ports; ++out) {
    std::uint64_t bits = shape_.entry(multicast ? shared : random_entry());
    if (random_.below(idle_one_in + 1) == 0) {  // idle, with or without something in the other fields
      bits = random_.below(2) == 0 ? 0 : bits & ((std::uint64_t{1} << (shape_.entry_bits() - 1)) - 1);
    }
    column.set(std::size_t{out} * shape_.entry_bits(), shape_.entry_bits(), bits);
  }
  return column;
}

bool TableDriver::random_swap(std::uint32_t slot) {
  if (swapped_before_ && random_.below(3) == 0) return true;  // twice in a row
  if (slot == 0 && random_.below(4) == 0) return true;        // at the boundary, also in the cycle of a swap
  return random_.below(swap_one_in_) == 0;
}

TableInputs TableDriver::next() {
  TableInputs in;
  if (jumps_ && random_.below(32) == 0) slot_ = static_cast<std::uint32_t>(random_.below(shape_.labels()));
  in.slot = slot_;
  slot_ = slot_ + 1 >= frame_ ? 0 : slot_ + 1;

  in.write = write_pace_.next(random_);
  in.write_slot = write_slot_;
  if (random_.below(8) == 0) in.write_slot = static_cast<std::uint32_t>(random_.below(shape_.labels()));
  if (random_.below(16) == 0) in.write_slot = in.slot;
  if (in.write) write_slot_ = write_slot_ + 1 >= frame_ ? 0 : write_slot_ + 1;
  in.column = random_column();  // also when nothing is written
  in.swap = random_swap(in.slot);
  swapped_before_ = in.swap;
  return in;
}

}  // namespace weft::pins
