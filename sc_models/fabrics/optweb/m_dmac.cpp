#include "fabrics/optweb/m_dmac.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {

optweb::Step Dispatcher::take_apart(const optweb::MachineInstruction& instruction) {
  optweb::Step step = optweb::expand(instruction, view_, *addresses_);
  if (!step.error.empty()) {
    throw RunError(
        fmt::format("{}: {}: {}", get_parent_object()->name(), optweb::opcode_name(instruction.opcode), step.error));
  }
  ++dispatched_;
  return step;
}

void Readers::begin(const ReaderStream& r, Cycle now, const optweb::WordRate& path) {
  if (busy_[r.stream.reader]) {
    throw RunError(fmt::format("internal: {}: R#{} has a stream and is to begin another one", name(), r.stream.reader));
  }
  busy_[r.stream.reader] = true;
  memory->reader_opens(r.stream.reader, r.stream.interfaces, {r.stream.address, r.words, now, r.shared, path});
}

optweb::WordRate Readers::pace(const ReaderStream& r) const {
  const optweb::WordRate turns = memory->pace(r.shared, host_has(r));
  const auto limit = memory->limit(r.stream.reader, dram::Port::reader);
  return limit && limit->slower_than(turns) ? *limit : turns;
}

optweb::WordRate Writers::pace(const WriterStream& w) const {
  const optweb::WordRate turns = pace(w, memory->host_has(w.receive.writer, w.receive.interfaces));
  const auto limit = memory->limit(w.receive.writer, dram::Port::writer);
  return limit && limit->slower_than(turns) ? *limit : turns;
}

void Readers::end(const ReaderStream& r) {
  busy_[r.stream.reader] = false;
  memory->reader_closes(r.stream.reader);
  memory->read(r.stream.address, r.words);
}

// A place that is written again and again is one entry.
void Writers::end(const WriterStream& w, std::uint32_t number, Cycle at) {
  memory->written(w.receive.address, w.words);
  const std::uint64_t begin = w.receive.address;
  const std::uint64_t end = begin + w.receive.bytes;
  const Write write{begin, end, number, at + memory->write_latency()};
  acknowledged_ = std::max(acknowledged_, write.acknowledged);
  Writes& writes = writes_[w.receive.writer];
  const auto is_same = [&](const Write& o) { return o.begin == begin && o.end == end; };
  const auto first = writes.meet(begin, end) ? writes.all.begin() : writes.all.end();
  const auto same = std::find_if(first, writes.all.end(), is_same);
  if (same == writes.all.end()) {
    writes.all.push_back(write);
  } else {
    *same = write;
  }
  writes.begin = std::min(writes.begin, begin);
  writes.end = std::max(writes.end, end);
}

void Writers::find_unfenced(const optweb::Stream& stream, Cycle read, std::vector<DmacPlan::Unfenced>& found) const {
  const Writes& writes = writes_[stream.reader];  // W#i writes to the stripe that R#i reads
  if (!writes.meet(stream.address, stream.address + stream.bytes)) return;
  for (const Write& w : writes.all) {
    if (w.begin >= stream.address + stream.bytes || stream.address >= w.end) continue;
    found.push_back({w.number, w.acknowledged, read});
  }
}

// A marker follows the writes: it is accepted in the cycle after the issue, and its acknowledgement comes after theirs.
Cycle Writers::fence(Cycle now) {
  std::fill(writes_.begin(), writes_.end(), Writes{});
  return std::max(now + 1 + memory->write_latency(), acknowledged_);
}

MDmac::MDmac(sc_core::sc_module_name name, const OptwebParameters& parameters, const optweb::NodeView& view,
             Hbm& memory, std::unique_ptr<optweb::StripeAddressIf> addresses)
    : sc_module(name),
      to_sequencer("to_sequencer"),
      parameters_(parameters),
      memory_(memory),
      dispatcher_("dispatcher", parameters, view, std::move(addresses)),
      readers_("readers", view.neighbours.dmacs()),
      writers_("writers", parameters.config->stripes) {
  readers_.memory.bind(memory.crossbars());
  writers_.memory.bind(memory.crossbars());
}

DmacPlan MDmac::dispatch(const optweb::MachineInstruction& instruction, Cycle now) {
  optweb::Step step = dispatcher_.take_apart(instruction);
  moving_ = optweb::units_of(instruction.opcode) & optweb::kDmacUnit;
  DmacPlan plan;
  plan.barrier = std::move(step.barrier);
  plan.reduction = step.reduction;
  plan.partners = std::move(step.partners);
  plan.rendezvous = step.rendezvous;
  const Cycle requests = dispatcher_.requests(now);
  plan.first_word = requests + readers_.memory->read_latency();
  // Interfaces of stripe i that R#i reads and W#i writes in this instruction.
  std::vector<std::uint8_t> read(parameters_.config->stripes);
  std::vector<std::uint8_t> written(parameters_.config->stripes);
  for (const optweb::Stream& s : step.streams) read[s.reader] |= s.interfaces;
  for (const optweb::Receive& r : step.receives) written[r.writer] |= r.interfaces;
  plan.readers.reserve(step.streams.size());
  plan.writers.reserve(step.receives.size());
  for (optweb::Stream& s : step.streams) {
    ReaderStream reader;
    reader.words = parameters_.words(s.bytes);
    writers_.find_unfenced(s, requests, plan.unfenced);
    reader.shared = (s.interfaces & written[s.reader]) != 0;
    reader.stream = std::move(s);
    readers_.ask(reader, requests);
    plan.readers.push_back(std::move(reader));
  }
  for (const optweb::Receive& r : step.receives) {
    plan.writers.push_back({r, (r.interfaces & read[r.writer]) != 0, parameters_.words(r.bytes)});
  }
  return plan;
}

void MDmac::write_done(const WriterStream& writer, const OptwebTrain& train, std::uint32_t number, Cycle at) {
  writers_.end(writer, number, at);
  if (train.memory != nullptr) {
    memory_.bytes().copy(*train.memory, train.address, writer.receive.address, writer.receive.bytes, parameters_.stop);
  }
}

void MDmac::reduction_done(const WriterStream& writer, ReductionUnitIf& unit, const optweb::Reduction& reduction,
                           const std::vector<optweb::StoredStream>& streams, std::uint32_t number, Cycle at) {
  writers_.end(writer, number, at);
  if (streams.front().memory == nullptr) return;
  unit.combine({reduction, streams, memory_.bytes(), writer.receive.address, writer.receive.bytes, parameters_.stop});
}

}  // namespace weft
