#include "fabric/optweb/m_dmac.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {

MDmac::MDmac(sc_core::sc_module_name name, const OptwebParameters& parameters, const optweb::NodeView& view,
             Hbm& memory, std::unique_ptr<optweb::StripeAddressIf> addresses)
    : sc_module(name), parameters_(parameters), view_(view), memory_(memory), addresses_(std::move(addresses)) {}

DmacPlan MDmac::dispatch(const optweb::Instruction& instruction, Cycle now) {
  optweb::Step step = optweb::expand(instruction, view_, *addresses_);
  if (!step.error.empty()) {
    throw RunError(fmt::format("{}: {}: {}", name(), optweb::opcode_name(instruction.opcode), step.error));
  }
  DmacPlan plan;
  plan.barrier = std::move(step.barrier);
  plan.reduction = step.reduction;
  plan.partners = std::move(step.partners);
  plan.rendezvous = step.rendezvous;
  plan.first_word = now + parameters_.latency().dispatch + memory_.read_latency();
  // Interfaces of stripe i that R#i reads and W#i writes in this instruction.
  std::vector<std::uint8_t> read(parameters_.config->stripes);
  std::vector<std::uint8_t> written(parameters_.config->stripes);
  for (const optweb::Stream& s : step.streams) read[s.reader] |= s.interfaces;
  for (const optweb::Receive& r : step.receives) written[r.writer] |= r.interfaces;
  for (optweb::Stream& s : step.streams) {
    ReaderStream reader;
    reader.words = parameters_.words(s.bytes);
    find_unfenced(s, plan);
    reader.pace = memory_.pace((s.interfaces & written[s.reader]) != 0);
    reader.stream = std::move(s);
    plan.readers.push_back(std::move(reader));
  }
  for (const optweb::Receive& r : step.receives) {
    plan.writers.push_back({r, memory_.pace((r.interfaces & read[r.writer]) != 0), parameters_.words(r.bytes)});
  }
  return plan;
}

void MDmac::read_done(const ReaderStream& reader) { memory_.count_read(reader.stream.reader, reader.words); }

// A place that is written again and again is one entry.
void MDmac::written(const WriterStream& w, std::uint32_t number, Cycle at) {
  memory_.count_write(w.receive.writer, w.words, at);
  const std::uint64_t begin = w.receive.address;
  const std::uint64_t end = begin + w.receive.bytes;
  const Write write{begin, end, number, at + parameters_.latency().write};
  const auto same =
      std::find_if(writes_.begin(), writes_.end(), [&](const Write& o) { return o.begin == begin && o.end == end; });
  if (same == writes_.end()) {
    writes_.push_back(write);
  } else {
    *same = write;
  }
}

void MDmac::find_unfenced(const optweb::Stream& stream, DmacPlan& plan) const {
  for (const Write& w : writes_) {
    if (w.begin >= stream.address + stream.bytes || stream.address >= w.end) continue;
    plan.unfenced.push_back({w.number, w.acknowledged, plan.first_word - memory_.read_latency()});
  }
}

void MDmac::write_done(const WriterStream& writer, const OptwebTrain& train, std::uint32_t number, Cycle at) {
  written(writer, number, at);
  if (train.memory != nullptr) {
    memory_.bytes().copy(*train.memory, train.address, writer.receive.address, writer.receive.bytes);
  }
}

void MDmac::reduction_done(const WriterStream& writer, const optweb::Reduction& reduction,
                           const std::vector<optweb::StoredStream>& streams, std::uint32_t number, Cycle at) {
  written(writer, number, at);
  if (streams.front().memory == nullptr) return;
  optweb::reduce(reduction, streams, memory_.bytes(), writer.receive.address, writer.receive.bytes);
}

// A marker follows the writes: it is accepted in the cycle after the issue, and its acknowledgement comes after theirs.
Cycle MDmac::fence(Cycle now) {
  writes_.clear();
  return std::max(now + 1 + parameters_.latency().write, memory_.acknowledged());
}

}  // namespace weft
