#include "fabrics/optweb/user/user_port.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {

UserPort::UserPort(sc_core::sc_module_name name, NodeClock& clock, const OptwebParameters& parameters, MDmac& dmac,
                   optweb::SparseMemory& memory, const BoxRecorder& boxes)
    : sc_module(name),
      done("done"),
      clock_(clock),
      parameters_(parameters),
      dmac_(dmac),
      memory_(memory),
      boxes_(boxes) {}

UserPort::Stream UserPort::stream_of(const UserStream& s, bool write) const {
  const OptwebConfig& c = *parameters_.config;
  const std::uint64_t stripe_bytes = 2 * c.interface_bytes;
  const std::uint64_t stripe = s.address / stripe_bytes;
  const std::uint64_t first = s.address % stripe_bytes;
  if (s.bytes == 0 || stripe >= c.stripes || s.bytes > stripe_bytes - first) {
    throw RunError(
        fmt::format("{}: the user logic is to {} {} bytes at {:#x}, which are not within one of the {} "
                    "stripes of {} bytes",
                    name(), write ? "write" : "read", s.bytes, s.address, c.stripes, stripe_bytes));
  }
  Stream out;
  out.write = write;
  const auto number = static_cast<std::uint32_t>(stripe);
  const auto interfaces =
      static_cast<std::uint8_t>((first < c.interface_bytes ? 1 : 0) | (first + s.bytes > c.interface_bytes ? 2 : 0));
  const std::uint64_t words = parameters_.words(first % c.word_bytes + s.bytes);
  if (write) {
    out.writer = {{0, number, s.address, s.bytes, interfaces}, false, words};
  } else {
    out.reader.stream = {number, s.address, s.bytes, interfaces, {}};
    out.reader.words = words;
  }
  out.left = words * parameters_.units.word;
  return out;
}

void UserPort::start(UserLogic& logic, const optweb::MachineInstruction& instruction, std::uint32_t number, Cycle now) {
  logic_ = &logic;
  instruction_ = instruction;
  number_ = number;
  words_ = dynamic_cast<StreamLogic*>(&logic);
  if (words_ != nullptr) {
    flow_ = words_->flow(instruction);
    const Cycle read = flow_.reads.empty() ? 0 : parameters_.latency().read;
    clock_.schedule(now + parameters_.latency().dispatch + read, Phase::transfer, *this, kReads);
    return;
  }
  wanted_ = logic.streams(instruction);
  if (wanted_.reads.empty()) {
    compute(now);
    return;
  }
  const Cycle first = now + parameters_.latency().dispatch + parameters_.latency().read;
  clock_.schedule(first, Phase::transfer, *this, kReads);
}

// All at once; D#i has one stream in each direction.
void UserPort::begin(const std::vector<UserStream>& streams, bool write, Cycle now) {
  streams_.clear();
  for (const UserStream& s : streams) {
    Stream next = stream_of(s, write);
    const auto same = [&](const Stream& o) { return o.stripe() == next.stripe(); };
    if (std::any_of(streams_.begin(), streams_.end(), same)) {
      throw RunError(fmt::format("{}: the user logic is to {} stripe {} twice at a time", name(),
                                 write ? "write" : "read", next.stripe()));
    }
    streams_.push_back(std::move(next));
  }
  open_ = streams_.size();
  for (std::uint32_t i = 0; i < streams_.size(); ++i) {
    Stream& s = streams_[i];
    s.begun = s.since = now;
    s.end = now;  // under way
    if (write) {
      dmac_.writers().opens(s.writer, now, parameters_.bus);
    } else {
      dmac_.user_read_begins(s.reader, now, parameters_.bus);
    }
    plan(i, now);
  }
}

optweb::WordRate UserPort::pace_of(const Stream& s) const {
  const optweb::WordRate memory = s.write ? dmac_.writers().pace(s.writer) : dmac_.readers().pace(s.reader);
  return memory.slower_than(parameters_.bus) ? memory : parameters_.bus;
}

void UserPort::plan(std::uint32_t place, Cycle now) {
  Stream& s = streams_[place];
  s.left = std::max<optweb::WideInteger>(0, s.left - (now - s.since) * parameters_.units.rate(s.pace));
  s.since = now;
  s.pace = pace_of(s);
  const Cycle end = now + parameters_.units.time(s.left, s.pace);
  if (end == s.end && end > now) return;
  s.end = end;
  clock_.schedule(end, Phase::transfer, *this, kStream + place);
}

void UserPort::memory_changed(std::uint32_t stripe) {
  if (open_ == 0) return;
  if (words_ != nullptr) {
    step(clock_.now());
    return;
  }
  for (std::uint32_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].end >= 0 && streams_[i].stripe() == stripe) plan(i, clock_.now());
  }
}

void UserPort::ends(std::uint32_t place, Cycle now) {
  if (place >= streams_.size() || streams_[place].end != now) return;  // at another time by now
  Stream& s = streams_[place];
  s.end = -1;
  --open_;
  if (boxes_.wanted()) {
    boxes_.tell(s.write ? OptwebBox::writers : OptwebBox::readers, s.stripe(), OptwebBoxState::words, s.begun, now,
                {kNoId, s.write ? s.writer.words : s.reader.words, 0});
  }
  if (s.write) {
    dmac_.writers().closes(s.writer, now);
    dmac_.write_done(s.writer, {}, number_, now);
  } else {
    dmac_.read_done(s.reader);
  }
  if (open_ > 0) return;
  if (s.write) {
    done->done(optweb::kUserUnit, now);
  } else {
    compute(now);
  }
}

void UserPort::compute(Cycle now) {
  const Cycle cycles = std::max<Cycle>(1, logic_->compute(instruction_, memory_));
  clock_.schedule(now + cycles, Phase::transfer, *this, kComputed);
}

void UserPort::due(Cycle, std::uint32_t token) {
  const Cycle now = clock_.now();
  if (words_ != nullptr) {
    if (token == kReads) {
      begin_flow(now);
    } else if (token == kComputed) {
      done->done(optweb::kUserUnit, now);
    } else if (token == kWrites || due_ == now) {
      step(now);
    }
  } else if (token == kReads) {
    begin(wanted_.reads, false, now);
  } else if (token >= kStream) {
    ends(token - kStream, now);
  } else if (wanted_.writes.empty()) {
    done->done(optweb::kUserUnit, now);
  } else {
    begin(wanted_.writes, true, now);
  }
}

}  // namespace weft
