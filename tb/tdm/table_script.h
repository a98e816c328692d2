#pragma once
// Directed stimulus of the slot table, built step by step along the slot counter.

#include <cstdint>
#include <deque>

#include "tdm/table_reference.h"

namespace weft::pins {

class TableScript {
 public:
  TableScript(const TableShape& shape, std::uint32_t frame) : shape_(shape), frame_(frame) {}

  /// The coming cycle, to be changed before it is added.
  TableInputs plain() const { return {.slot = slot_, .column = Bits::ones(shape_.column_bits())}; }
  void add(TableInputs in) {
    in.slot = slot_;
    slot_ = (slot_ + 1) % frame_;
    cycles_.push_back(std::move(in));
  }
  void idle(std::uint32_t cycles) {
    for (std::uint32_t i = 0; i < cycles; ++i) add(plain());
  }
  void until(std::uint32_t slot) {
    while (slot_ != slot) add(plain());
  }
  void write(std::uint32_t slot, const Bits& column, bool swap = false) {
    TableInputs in = plain();
    in.write = true;
    in.write_slot = slot;
    in.column = column;
    in.swap = swap;
    add(in);
  }
  void swap() {
    TableInputs in = plain();
    in.swap = true;
    add(in);
  }
  /// Reset, with a write and a swap that must be ignored.
  void reset(std::uint32_t cycles) {
    for (std::uint32_t i = 0; i < cycles; ++i) {
      TableInputs in = plain();
      in.reset_n = false;
      in.write = true;
      in.write_slot = slot_;
      in.swap = true;
      add(in);
    }
  }

  std::uint32_t frame() const { return frame_; }
  std::deque<TableInputs>& cycles() { return cycles_; }

 private:
  TableShape shape_;
  std::uint32_t frame_;
  std::uint32_t slot_ = 0;
  std::deque<TableInputs> cycles_;
};

}  // namespace weft::pins
