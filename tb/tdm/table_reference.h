#pragma once
// References of the slot_table and tdm_switch benches: two plain SlotTables that change places, and one register per
// input and slot label. Obvious, not fast.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/slots/slot_table.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

/// Sizes of a block and the layout of a table entry on its pins: {valid, in_port, in_slot}.
struct TableShape {
  TableShape(std::uint32_t port_count, std::uint32_t slot_count);
  std::uint32_t ports;
  std::uint32_t slots;
  std::uint32_t port_bits;
  std::uint32_t slot_bits;
  std::uint32_t entry_bits() const { return 1 + port_bits + slot_bits; }
  std::uint32_t column_bits() const { return ports * entry_bits(); }
  std::uint32_t labels() const { return 1U << slot_bits; }        ///< slot numbers that the pins can say
  std::uint32_t port_numbers() const { return 1U << port_bits; }  ///< port numbers that the pins can say
  std::uint64_t entry(const SlotTableEntry& entry) const;         ///< bits of an entry
  std::vector<SlotTableEntry> decode(const Bits& column) const;
};

struct TableInputs {
  bool reset_n = true;
  std::uint32_t slot = 0;
  bool write = false;
  std::uint32_t write_slot = 0;
  Bits column;
  bool swap = false;
};

struct TableOutputs {
  std::vector<SlotTableEntry> column;
  bool pending = false;
  bool swapped = false;
  bool operator==(const TableOutputs&) const = default;
  std::string text() const;
};

class TableReference {
 public:
  explicit TableReference(const TableShape& shape);
  /// Outputs of the block in the cycle of these inputs; then the end of that cycle.
  TableOutputs step(const TableInputs& in);
  const TableShape& shape() const { return shape_; }
  /// Swaps done, and requests that were merged with one that was pending already.
  std::uint64_t swaps() const { return swaps_; }
  std::uint64_t merged() const { return merged_; }

 private:
  TableShape shape_;
  SlotTable active_;
  SlotTable shadow_;
  bool pending_ = false;
  std::uint64_t swaps_ = 0;
  std::uint64_t merged_ = 0;
};

struct SwitchInputs {
  TableInputs table;
  Bits valid;   ///< one bit per input
  Bits words;   ///< `width` bits per input
  Bits labels;  ///< `slot_bits` bits per input
};

struct Word {
  Bits bits;
  bool operator==(const Word&) const = default;
  std::string text() const { return "word " + bits.hex(); }
};

struct SwitchOutputs {
  std::vector<std::optional<Word>> words;  ///< of every output
  bool pending = false;
  bool swapped = false;
};

class SwitchReference {
 public:
  SwitchReference(const TableShape& shape, std::uint32_t width);
  SwitchOutputs step(const SwitchInputs& in);
  const TableShape& shape() const { return table_.shape(); }
  std::uint32_t width() const { return width_; }
  const TableReference& table() const { return table_; }

 private:
  TableReference table_;
  std::uint32_t width_;
  std::vector<std::vector<std::optional<Word>>> registers_;  // [input][label]
};

}  // namespace weft::pins
