#pragma once
// A whole TDM network, slot by slot and cycle by cycle, as the FiC paper describes it (section II.B): registers,
// tables, delay lines, nothing else. Slow and obvious on purpose: the models and the RTL must do the same, word for
// word. Shares no code with them; network and slot tables are data to it.

#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "algorithms/slots/slot_table.h"
#include "network/graph.h"

namespace weft::oracle {

/// One word of one message.
struct Word {
  std::uint32_t circuit = 0;
  std::uint64_t message = 0;  ///< counts the messages of the circuit
  std::uint32_t index = 0;    ///< in its message
  auto operator<=>(const Word&) const = default;
};
using Cell = std::optional<Word>;  ///< a slot with a word in it, or an idle one

/// The registers and the slot table of one switch.
class RegisterFile {
 public:
  RegisterFile(PortId ports, std::uint32_t slots);
  void set_table(const SlotTable& table) { table_ = table; }
  /// What an output sends in a slot, from the registers as they are now.
  Cell read(PortId out, Slot slot) const;
  /// What arrives on an input with a label, idle included.
  void write(PortId in, Slot label, Cell cell);

 private:
  std::vector<std::vector<Cell>> in_;  // [input][slot]
  SlotTable table_;
};

/// A wire of so many cycles; 0: straight through.
class DelayLine {
 public:
  explicit DelayLine(Cycle cycles) : cells_(static_cast<std::size_t>(cycles)) {}
  Cell shift(Cell in) {
    cells_.push_back(in);
    const Cell out = cells_.front();
    cells_.pop_front();
    return out;
  }

 private:
  std::deque<Cell> cells_;
};

/// Label of what arrives in `now` after `latency` cycles on the way: the slot in which it was sent.
Slot label_of(Cycle now, Cycle latency, std::uint32_t slots);

struct QueuedMessage {
  Cycle generated = 0;
  std::uint32_t words = 1;
};

/// What a host sends on one circuit.
struct Stream {
  std::uint32_t circuit = 0;
  NodeId source = 0;
  std::vector<Slot> slots;  ///< on the injection link
  Cycle open_from = 0;      ///< first cycle in which it may send
  std::vector<QueuedMessage> messages;
  std::vector<std::uint32_t> links = {};  ///< of the node, per slot; empty: it has one
};

/// Tables of all switches, in force from the first cycle of a frame on.
struct TableSet {
  Cycle from = 0;
  std::vector<SlotTable> tables;
};

struct Network {
  const Graph* graph = nullptr;
  std::uint32_t slots = 2;
  Cycle pipeline = 0;
  Cycle serdes = 0;
  std::vector<TableSet> tables;  ///< in the order of time
};

/// A word leaves a switch output.
struct Sent {
  Cycle cycle = 0;
  SwitchId sw = 0;
  PortId port = 0;
  Word word;
  auto operator<=>(const Sent&) const = default;
};

/// A word reaches a host.
struct Received {
  Cycle cycle = 0;
  NodeId node = 0;
  Word word;
  auto operator<=>(const Received&) const = default;
};

struct Result {
  std::vector<Sent> sent;          ///< in the order of cycle, switch, port
  std::vector<Received> received;  ///< in the order of cycle, node
};

/// Everything that happens in cycles 0 .. until - 1.
Result simulate(const Network& network, const std::vector<Stream>& streams, Cycle until);

}  // namespace weft::oracle
