#include "fabrics/tdm/setup/table_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/diagnostics.h"

namespace weft {

TableWriter::TableWriter(PortId ports, std::uint32_t slots, Cycle column_cycles)
    : slots_(slots), column_cycles_(column_cycles), target_(ports, slots), image_(ports, slots) {}

bool TableWriter::joins(Cycle now, std::size_t columns) const {
  if (batches_.empty() || batches_.back().exchanged) return false;
  const Batch& b = batches_.back();
  return std::max(now, b.written) + column_cycles_ * static_cast<Cycle>(columns) <= b.boundary;
}

Cycle TableWriter::begin_of_next(Cycle now) const {
  return batches_.empty() ? now : std::max(now, copied_at(batches_.back(), batches_.back().columns.size()));
}

Cycle TableWriter::in_force(Cycle now, std::size_t columns) const {
  if (joins(now, columns)) return batches_.back().boundary;
  return align(begin_of_next(now) + column_cycles_ * static_cast<Cycle>(columns));
}

Cycle TableWriter::change(Cycle now, const std::vector<Change>& changes) {
  std::map<Slot, std::vector<Change>> columns;
  for (const Change& c : changes) {
    SlotTableEntry& entry = target_.at(c.out, c.slot);
    if (entry.idle() == c.entry.idle()) {
      throw RunError(fmt::format("slot table: output {} slot {} would {}", c.out, c.slot,
                                 entry.idle() ? "be cleared although it is idle" : "get a second owner"));
    }
    entry = c.entry;
    columns[c.slot].push_back(c);
  }
  if (!joins(now, columns.size())) {
    Batch next;
    next.written = begin_of_next(now);
    next.boundary = align(next.written + column_cycles_ * static_cast<Cycle>(columns.size()));
    batches_.push_back(std::move(next));
  }
  Batch& batch = batches_.back();
  batch.written = std::max(now, batch.written);
  for (auto& [slot, list] : columns) {
    batch.written += column_cycles_;
    batch.writes.push_back({batch.written - 1, slot, std::move(list)});
    if (std::find(batch.columns.begin(), batch.columns.end(), slot) == batch.columns.end()) {
      batch.columns.push_back(slot);
    }
  }
  return batch.boundary;
}

Cycle TableWriter::next_step() const {
  if (batches_.empty()) return -1;
  const Batch& b = batches_.front();
  if (!b.writes.empty()) return b.writes.front().at;
  return b.exchanged ? copied_at(b, b.copied + 1) - 1 : b.boundary - 1;
}

TableWriter::Step TableWriter::take_step() {
  Step step{next_step(), false, 0};
  Batch& b = batches_.front();
  if (!b.writes.empty()) {
    step.slot = b.writes.front().slot;
    for (const Change& c : b.writes.front().changes) image_.at(c.out, c.slot) = c.entry;
    b.writes.pop_front();
  } else if (!b.exchanged) {
    step.exchange = b.exchanged = true;
  } else {
    step.slot = b.columns[b.copied++];
    if (b.copied == b.columns.size()) batches_.pop_front();
  }
  return step;
}

}  // namespace weft
