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

void MDmac::write_done(const WriterStream& writer, const OptwebTrain& train, Cycle at) {
  memory_.count_write(writer.receive.writer, writer.words, at);
  if (train.memory != nullptr) {
    memory_.bytes().copy(*train.memory, train.address, writer.receive.address, writer.receive.bytes);
  }
}

// A marker follows the writes: it is accepted in the cycle after the issue, and its acknowledgement comes after theirs.
Cycle MDmac::fence(Cycle now) const { return std::max(now + 1 + parameters_.latency().write, memory_.acknowledged()); }

}  // namespace weft
