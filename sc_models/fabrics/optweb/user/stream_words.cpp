// Streams of a StreamLogic through M_DMAC: all go on together, at the pace of the logic or of the slowest interface.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/diagnostics.h"
#include "fabrics/optweb/user/user_port.h"

namespace weft {
namespace {

constexpr std::uint32_t kMostWords = 16;   // of a step
constexpr std::int64_t kMostPace = 1'000;  // cycles, or steps

}  // namespace

void UserPort::check_flow() const {
  const auto fails = [&](const std::string& text) {
    throw RunError(fmt::format("{}: the user logic {}", name(), text));
  };
  if (streams_.empty()) fails("names no words (StreamLogic::flow)");
  if (flow_.pace.cycles < 1 || flow_.pace.cycles > kMostPace || flow_.pace.words < 1 || flow_.pace.words > kMostPace) {
    fails(fmt::format("is to take {} steps in {} cycles; each is 1 to {}", flow_.pace.words, flow_.pace.cycles,
                      kMostPace));
  }
  if (flow_.latency < 0) fails(fmt::format("cannot make a word {} cycles before it gets one", -flow_.latency));
  const auto steps = [](const Stream& s) { return (s.words() + s.step - 1) / s.step; };
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& s = streams_[i];
    if (steps(s) != steps(streams_.front())) {
      fails(fmt::format("takes {} steps for {} words of one stream, and {} for {} of another one",
                        steps(streams_.front()), streams_.front().words(), steps(s), s.words()));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (streams_[j].write != s.write || streams_[j].stripe() != s.stripe()) continue;
      fails(fmt::format("is to {} stripe {} twice at a time", s.write ? "write" : "read", s.stripe()));
    }
  }
}

void UserPort::begin_flow(Cycle now) {
  streams_.clear();
  std::int64_t all = 1;  // a step of each is a whole number of units at any pace
  const auto add = [&](const std::vector<UserStream>& list, bool write) {
    for (const UserStream& u : list) {
      Stream& s = streams_.emplace_back(stream_of(u, write));
      s.step = u.step;
      if (u.step < 1 || u.step > kMostWords) {
        throw RunError(fmt::format("{}: the user logic takes {} words in a step; 1 to {} are possible", name(), u.step,
                                   kMostWords));
      }
      all = std::lcm(all, std::int64_t{u.step});
    }
  };
  add(flow_.reads, false);
  add(flow_.writes, true);
  check_flow();
  whole_ = parameters_.units.word * all * flow_.pace.cycles;
  for (Stream& s : streams_) {
    s.left = static_cast<optweb::WideInteger>((s.words() + s.step - 1) / s.step) * whole_;
    const bool shared = std::any_of(streams_.begin(), streams_.end(), [&](const Stream& o) {
      return o.write != s.write && o.stripe() == s.stripe() && (o.interfaces() & s.interfaces()) != 0;
    });
    (s.write ? s.writer.shared : s.reader.shared) = shared;
    s.begun = s.write ? now + flow_.latency : now;
    if (s.write && carries()) s.made = std::make_shared<optweb::SparseMemory>(s.bytes(), 0, 0);
  }
  open_ = streams_.size();
  since_ = now;
  rate_ = 0;
  due_ = -1;
  read_until_ = -1;
  for (Stream& s : streams_) {
    if (!s.write) open(s, now);
  }
  if (flow_.reads.empty()) carry();
  if (!flow_.writes.empty() && flow_.latency > 0) {
    clock_.schedule(now + flow_.latency, Phase::transfer, *this, kWrites);
  }
  step(now);
}

// The memory sees words at the pace of the logic.
void UserPort::open(Stream& s, Cycle now) {
  optweb::WordRate path{flow_.pace.cycles, flow_.pace.words * s.step};
  const std::int64_t common = std::gcd(path.cycles, path.words);
  path = {path.cycles / common, path.words / common};
  if (!path.slower_than(parameters_.bus)) path = parameters_.bus;
  s.end = now;  // under way
  if (s.write) {
    dmac_.writers().opens(s.writer, now, path);
  } else {
    dmac_.user_read_begins(s.reader, now, path);
  }
}

optweb::WideInteger UserPort::step_rate() const {
  optweb::WideInteger out = whole_ / flow_.pace.cycles * flow_.pace.words;
  for (const Stream& s : streams_) {
    if (s.end < 0) continue;
    const optweb::WordRate pace = pace_of(s);
    out = std::min(out, whole_ / (pace.cycles * std::int64_t{s.step}) * pace.words);
  }
  // Words inside the logic leave it as far apart as they have come: the last one `latency` behind the last one read.
  const Cycle left = read_until_ < 0 ? 0 : read_until_ + flow_.latency - since_;
  for (const Stream& s : streams_) {
    if (left > 0 && s.write && s.end >= 0) out = std::min(out, (s.left + left - 1) / left);
  }
  return out;
}

void UserPort::move(Cycle now) {
  for (Stream& s : streams_) {
    if (s.end >= 0) s.left = std::max<optweb::WideInteger>(0, s.left - (now - since_) * rate_);
  }
  since_ = now;
}

// Streams that are over end, those that are due begin, and the others go on. Reads first: what is written is made of
// their words.
void UserPort::step(Cycle now) {
  move(now);
  const bool begun = std::any_of(streams_.begin(), streams_.end(), [](const Stream& s) { return s.left > 0; });
  if (begun) {
    for (Stream& s : streams_) {
      if (s.write && s.end < 0 && s.left > 0 && s.begun <= now) open(s, now);
    }
  }
  for (Stream& s : streams_) {
    if (s.end >= 0 && s.left == 0) close(s, now);
  }
  if (open_ == 0) {
    due_ = -1;
    if (!flow_.writes.empty() || flow_.latency == 0) {
      done->done(optweb::kUserUnit, now);
    } else {
      clock_.schedule(now + flow_.latency, Phase::transfer, *this, kComputed);
    }
    return;
  }
  rate_ = step_rate();
  Cycle next = -1;
  for (const Stream& s : streams_) {
    if (s.end < 0 || rate_ == 0) continue;
    const Cycle end = now + static_cast<Cycle>((s.left + rate_ - 1) / rate_);
    next = next < 0 ? end : std::min(next, end);
  }
  if (next < 0 || next == due_) return;
  due_ = next;
  clock_.schedule(next, Phase::transfer, *this, kStep);
}

void UserPort::close(Stream& s, Cycle now) {
  s.end = -1;
  --open_;
  if (boxes_.wanted()) {
    boxes_.tell(s.write ? OptwebBox::writers : OptwebBox::readers, s.stripe(), OptwebBoxState::words, s.begun, now,
                {kNoId, s.words(), 0});
  }
  if (!s.write) {
    dmac_.read_done(s.reader);
    const bool last =
        std::none_of(streams_.begin(), streams_.end(), [](const Stream& o) { return !o.write && o.end >= 0; });
    if (last) {
      read_until_ = now;
      carry();
    }
    return;
  }
  OptwebTrain train;
  if (carries()) {
    if (s.bytes_made != s.bytes()) {
      throw RunError(fmt::format("{}: the user logic has made {} of the {} bytes that it is to write at {:#x}", name(),
                                 s.bytes_made, s.bytes(), s.address()));
    }
    train.memory = s.made.get();
  }
  dmac_.writers().closes(s.writer, now);
  dmac_.write_done(s.writer, train, number_, now);
}

// A part of each stream after the other, of as many steps.
void UserPort::carry() {
  if (!carries()) return;
  constexpr std::uint64_t kPart = optweb::SparseMemory::kPage;
  const std::uint64_t word = parameters_.config->word_bytes;
  const std::uint64_t steps = std::max<std::uint64_t>(1, kPart / (word * kMostWords));
  std::vector<std::byte> part;
  bool more = !flow_.reads.empty();
  for (std::uint64_t from = 0; more && !(parameters_.stop && parameters_.stop()); from += steps) {
    more = false;
    for (std::size_t i = 0; i < flow_.reads.size(); ++i) {
      const Stream& s = streams_[i];
      const std::uint64_t begin = std::min(s.bytes(), from * s.step * word);
      const std::uint64_t end = std::min(s.bytes(), (from + steps) * s.step * word);
      if (begin == end) continue;
      part.resize(static_cast<std::size_t>(end - begin));
      memory_.read(s.address() + begin, part);
      words_->in->put(i, part);
      more = more || end < s.bytes();
    }
  }
  words_->ends();
}

void UserPort::put(std::size_t stream, std::span<const std::byte> bytes) {
  const std::size_t place = flow_.reads.size() + stream;
  if (words_ == nullptr || open_ == 0 || place >= streams_.size()) {
    throw RunError(fmt::format("{}: the user logic makes words of stream {}, which it does not write", name(), stream));
  }
  Stream& s = streams_[place];
  if (!carries()) return;
  if (bytes.size() > s.bytes() - s.bytes_made) {
    throw RunError(fmt::format("{}: the user logic makes more than the {} bytes that it is to write at {:#x}", name(),
                               s.bytes(), s.address()));
  }
  s.made->write(s.bytes_made, bytes);
  s.bytes_made += bytes.size();
}

std::uint64_t UserPort::words_passed(bool write) const {
  if (words_ == nullptr) return 0;
  std::uint64_t out = 0;
  const Cycle now = std::max(since_, clock_.now());
  for (const Stream& s : streams_) {
    if (s.write != write) continue;
    const optweb::WideInteger left =
        s.end < 0 ? s.left : std::max<optweb::WideInteger>(0, s.left - (now - since_) * rate_);
    const auto to_come = static_cast<std::uint64_t>((left * s.step + whole_ - 1) / whole_);
    out += s.words() > to_come ? s.words() - to_come : 0;
  }
  return out;
}

}  // namespace weft
