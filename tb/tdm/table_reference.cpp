#include "tdm/table_reference.h"

#include <fmt/format.h>

#include <bit>

namespace weft::pins {
namespace {

std::uint32_t index_bits(std::uint32_t count) {
  return count > 1 ? static_cast<std::uint32_t>(std::bit_width(count - 1)) : 1;
}

}  // namespace

TableShape::TableShape(std::uint32_t port_count, std::uint32_t slot_count)
    : ports(port_count), slots(slot_count), port_bits(index_bits(port_count)), slot_bits(index_bits(slot_count)) {}

std::uint64_t TableShape::entry(const SlotTableEntry& entry) const {
  if (entry.idle()) return 0;
  return (std::uint64_t{1} << (port_bits + slot_bits)) | (std::uint64_t{entry.in_port} << slot_bits) | entry.in_slot;
}

std::vector<SlotTableEntry> TableShape::decode(const Bits& column) const {
  std::vector<SlotTableEntry> entries(ports);
  for (std::uint32_t out = 0; out < ports; ++out) {
    const std::size_t low = std::size_t{out} * entry_bits();
    if (column.get(low + port_bits + slot_bits, 1) == 0) continue;
    entries[out].in_slot = static_cast<Slot>(column.get(low, slot_bits));
    entries[out].in_port = static_cast<PortId>(column.get(low + slot_bits, port_bits));
  }
  return entries;
}

std::string TableOutputs::text() const {
  std::string text = fmt::format("pending {} swapped {} column", pending ? 1 : 0, swapped ? 1 : 0);
  for (const SlotTableEntry& entry : column) {
    text += entry.idle() ? " idle" : fmt::format(" {}/{}", entry.in_port, entry.in_slot);
  }
  return text;
}

TableReference::TableReference(const TableShape& shape)
    : shape_(shape),
      active_(static_cast<PortId>(shape.ports), shape.labels()),
      shadow_(static_cast<PortId>(shape.ports), shape.labels()) {}

TableOutputs TableReference::step(const TableInputs& in) {
  TableOutputs out;
  out.pending = pending_;
  out.swapped = pending_ && in.slot == 0;
  if (out.swapped) {
    std::swap(active_, shadow_);
    pending_ = false;
    ++swaps_;
  }
  for (PortId port = 0; port < active_.ports(); ++port) {
    out.column.push_back(active_.at(port, static_cast<Slot>(in.slot)));
  }
  if (!in.reset_n) {
    active_ = shadow_ = SlotTable(static_cast<PortId>(shape_.ports), shape_.labels());
    pending_ = false;
    return out;
  }
  if (in.write) {
    const auto entries = shape_.decode(in.column);
    for (PortId port = 0; port < active_.ports(); ++port) {
      shadow_.at(port, static_cast<Slot>(in.write_slot)) = entries[port];
    }
  }
  if (in.swap && pending_) ++merged_;
  pending_ = pending_ || in.swap;
  return out;
}

SwitchReference::SwitchReference(const TableShape& shape, std::uint32_t width)
    : table_(shape), width_(width), registers_(shape.ports, std::vector<std::optional<Word>>(shape.labels())) {}

SwitchOutputs SwitchReference::step(const SwitchInputs& in) {
  const TableOutputs table = table_.step(in.table);
  SwitchOutputs out;
  out.pending = table.pending;
  out.swapped = table.swapped;
  for (const SlotTableEntry& entry : table.column) {
    const bool silent = entry.idle() || entry.in_port >= shape().ports;
    out.words.push_back(silent ? std::nullopt : registers_[entry.in_port][entry.in_slot]);
  }
  for (std::uint32_t port = 0; port < shape().ports; ++port) {
    const auto label = in.labels.get(std::size_t{port} * shape().slot_bits, shape().slot_bits);
    auto& reg = registers_[port][label];
    reg.reset();
    if (in.valid.get(port, 1) != 0) reg = Word{in.words.slice(std::size_t{port} * width_, width_)};
  }
  if (!in.table.reset_n) {
    for (auto& port : registers_) port.assign(shape().labels(), std::nullopt);
  }
  return out;
}

}  // namespace weft::pins
