#include "algorithms/dram/memory_ports.h"

#include <algorithm>
#include <limits>

namespace weft::dram {
namespace {

constexpr Time kNever = std::numeric_limits<Time>::max();
constexpr Time kFar = kNever / 4;  // words behind it are before kNever
constexpr int kPart = 20;          // words that the network has let pass are counted in parts of 2^-20
constexpr std::int64_t kWord = std::int64_t{1} << kPart;

__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using)

// Parts of words that pass in so many cycles.
std::int64_t parts(Cycle cycles, const Pace& pace) {
  return cycles <= 0 ? 0 : static_cast<std::int64_t>(static_cast<Wide>(cycles) * pace.words * kWord / pace.cycles);
}

// Cycles after which so many have passed.
Cycle cycles_for(std::int64_t parts, const Pace& pace) {
  const Wide all = static_cast<Wide>(pace.words) * kWord;
  return parts <= 0 ? 0 : static_cast<Cycle>((static_cast<Wide>(parts) * pace.cycles + all - 1) / all);
}

}  // namespace

MemoryPorts::MemoryPorts(const Config& config, Duration period, std::uint64_t channel_bytes, Cycle latency,
                         const std::array<Tick, kChannels>& first_refresh)
    : config_(config),
      period_(period.ps),
      channel_bytes_(channel_bytes),
      latency_(latency * period.ps),
      pipeline_(latency * period.ps - config.closed_read() * config.clock_ps),
      chunk_(std::max<Cycle>(1, config.timing.refi * config.clock_ps / period.ps)) {
  for (const Tick first : first_refresh) begin_.channels.emplace_back(config_, first);
  end_ = begin_;
}

bool MemoryPorts::busy() const {
  return std::any_of(end_.streams.begin(), end_.streams.end(),
                     [](const Stream& s) { return !s.over() && !s.waits(); }) ||
         std::any_of(limits_.begin(), limits_.end(), [](const auto& l) { return l.has_value(); });
}

// When the next word of a stream asks the memory for its burst.
Time MemoryPorts::next_issue(const Stream& s) const {
  if (s.issued >= s.use.words) return kNever;
  const Time room = s.issued < config_.fifo ? s.requested : s.done[s.issued % config_.fifo];
  return s.use.write ? std::max({s.nominal.at(), s.taken.at(), room}) : std::max(s.requested, room);
}

void MemoryPorts::serve(State& state, std::size_t port) const {
  Stream& s = state.streams[port];
  const Time issue = next_issue(s);
  const PseudoChannel::Served served = state.channels[s.channel].access(config_.tick(issue), s.offset, s.use.write);
  const Time end = served.end * config_.clock_ps;
  const std::size_t slot = s.issued % config_.fifo;
  PortCounters& counters = s.counters[s.channel];
  ++counters.words;
  if (s.use.write) {
    counters.waited += issue - std::max(s.nominal.at(), s.taken.at());
    s.nominal.step();
    s.last = issue;
    s.taken.wait_until(issue);
    s.taken.step();
    s.done[slot] = end;
  } else {
    if (s.issued - s.passed == config_.fifo) ++s.passed;  // the word whose place this one takes
    s.ready[slot] = end + pipeline_;
    if (s.ready[slot] > s.nominal.at()) {
      counters.waited += s.ready[slot] - s.nominal.at();
      s.nominal.wait_until(s.ready[slot]);
    }
    s.last = s.done[slot] = s.nominal.at();
    s.nominal.step();
  }
  ++s.issued;
  s.offset += config_.burst_bytes;
  if (s.offset < channel_bytes_) return;
  s.offset = 0;
  s.channel = (s.channel + 1) % kChannels;
}

// The channel that a port asks has begun its last burst.
Time MemoryPorts::free(const State& state, std::size_t port) const {
  const PseudoChannel& channel = state.channels[state.streams[port].channel];
  return (channel.last_column() + config_.timing.ccd_s) * config_.clock_ps;
}

// Of the ports that ask the channel of `first` when it is free: the one that has its turn.
std::size_t MemoryPorts::choose(const State& state, std::size_t first, const std::array<Time, kPorts>& at) const {
  const std::size_t channel = state.streams[first].channel;
  const Time limit = std::max(at[first], free(state, first));
  const Turn& turn = state.turns[channel];
  const auto asks = [&](std::size_t p) { return at[p] <= limit && state.streams[p].channel == channel; };
  if (asks(turn.port) && turn.words < config_.batch) return turn.port;
  for (std::size_t i = 1; i <= kPorts; ++i) {
    const std::size_t p = (turn.port + i) % kPorts;
    if (asks(p)) return p;
  }
  return first;
}

// Serves what channels come to before a time.
void MemoryPorts::advance(State& state, Time to) const {
  for (;;) {
    std::array<Time, kPorts> at{};
    std::size_t first = kPorts;
    for (std::size_t p = 0; p < kPorts; ++p) {
      at[p] = next_issue(state.streams[p]);
      if (std::max(at[p], free(state, p)) >= to) {
        at[p] = kNever;
      } else if (first == kPorts || at[p] < at[first]) {
        first = p;
      }
    }
    if (first == kPorts) break;
    const std::size_t port = choose(state, first, at);
    Turn& turn = state.turns[state.streams[port].channel];
    turn = {port, turn.port == port && turn.words < config_.batch ? turn.words + 1 : 1};
    serve(state, port);
  }
  for (Stream& s : state.streams) count_passed(s, to);
}

// Written words have passed when they are in the FIFO.
void MemoryPorts::count_passed(Stream& s, Time to) const {
  if (!s.use.write) {
    while (s.passed < s.issued && s.done[s.passed % config_.fifo] <= to) ++s.passed;
    return;
  }
  WordClock nominal = s.nominal;
  WordClock taken = s.taken;
  s.passed = s.issued;
  const std::uint64_t most = std::min(s.use.words, s.issued + config_.fifo);
  for (; s.passed < most; ++s.passed) {
    const Time room = s.passed < config_.fifo ? s.requested : s.done[s.passed % config_.fifo];
    const Time at = std::max({nominal.at(), taken.at(), room});
    if (at > to) break;
    s.last = at;
    nominal.step();
    taken.wait_until(at);
    taken.step();
  }
}

// Words that are left get to the memory now.
void MemoryPorts::finish(State& state, std::size_t port, Cycle now) const {
  Stream& s = state.streams[port];
  const Pace at_once{0, 1};
  s.nominal.start(std::min(s.nominal.at(), time(now)), at_once, period_);
  s.taken.start(std::min(s.taken.at(), time(now)), at_once, period_);
  note_commands(state);
  while (s.issued < s.use.words) serve(state, port);
  for (PseudoChannel& c : state.channels) c.note(nullptr);
  s.passed = s.use.words;
}

void MemoryPorts::open(Port port, const Use& use, Cycle now) {
  change(now);
  Stream& s = begin_.streams[index(port)];
  if (s.issued > 0) finish(begin_, index(port), now);
  Stream fresh;
  fresh.use = use;
  fresh.counters = s.counters;
  fresh.told = std::int64_t{use.ahead} * kWord;
  const Time begins = use.start == Use::kLater ? kFar : time(use.start);
  const Time reads = use.asked ? time(*use.asked) : begins;
  fresh.requested = use.write ? begins : std::max<Time>(0, std::min(reads, begins - latency_));
  fresh.nominal.start(begins, use.pace, period_);
  fresh.nominal.steps(static_cast<int>(1 + use.dropped - use.ahead));
  fresh.taken.start(fresh.nominal.at(), use.fastest, period_);
  fresh.ready.assign(config_.fifo, 0);
  fresh.done.assign(config_.fifo, 0);
  fresh.channel = use.address / channel_bytes_ % kChannels;
  fresh.offset = use.address % channel_bytes_ / config_.burst_bytes * config_.burst_bytes;
  s = std::move(fresh);
  plan(now);
}

void MemoryPorts::set_pace(Port port, const Pace& pace, const Pace& fastest, Cycle now) {
  Stream& present = begin_.streams[index(port)];
  if (present.use.pace == pace && present.use.fastest == fastest) return;
  change(now);
  Stream& s = begin_.streams[index(port)];
  s.use.pace = pace;
  s.use.fastest = fastest;
  if (s.use.write) {
    s.nominal.start(s.nominal.at(), pace, period_);
    s.taken.start(s.taken.at(), fastest, period_);
  } else if (!s.over()) {
    // Words that are here, or on their way, pass at the new pace behind the one that passes next.
    const bool waiting = s.passed < s.issued;
    s.nominal.start(waiting ? s.done[s.passed % config_.fifo] : s.nominal.at(), pace, period_);
    pass_issued(s, false);
  }
  plan(now);
}

void MemoryPorts::start(Port port, Cycle start, const Pace& pace, Cycle now) {
  change(now);
  Stream& s = begin_.streams[index(port)];
  s.use.start = start;
  s.use.pace = s.use.fastest = pace;
  s.nominal.start(time(start), pace, period_);
  s.nominal.steps(static_cast<int>(1 + s.use.dropped - s.use.ahead));
  pass_issued(s, true);
  plan(now);
}

// When the words pass that the memory has been asked for. `count`: how much later than their paces would have it.
void MemoryPorts::pass_issued(Stream& s, bool count) const {
  for (std::uint64_t k = s.passed; k < s.issued; ++k) {
    const Time ready = s.ready[k % config_.fifo];
    const std::size_t channel = (s.use.address + k * config_.burst_bytes) / channel_bytes_ % kChannels;
    if (count) s.counters[channel].waited += std::max<Time>(0, ready - s.nominal.at());
    s.nominal.wait_until(ready);
    s.last = s.done[k % config_.fifo] = s.nominal.at();
    s.nominal.step();
  }
}

void MemoryPorts::close(Port port, Cycle now) {
  change(now);
  finish(begin_, index(port), now);
  plan(now);
}

void MemoryPorts::proceed(Cycle now) {
  if (now < chunk_end_) return;
  change(now);
  plan(now);
}

// Parts of words that the network has let pass by a cycle of this chunk.
std::int64_t MemoryPorts::told(std::size_t port, Cycle now) const {
  const Stream& s = begin_.streams[port];
  const Cycle from = std::max(chunk_begin_, s.use.start);
  if (now <= from) return s.told;
  std::int64_t out = s.told;
  Cycle since = from;
  if (const auto& limit = limits_[port]) {
    since = std::min(now, limit->until);
    out += parts(since - from, limit->pace);
  }
  return std::min(out + parts(now - since, s.use.pace), s.use.all() * kWord);
}

// The chunk ends here, whatever it was to be.
void MemoryPorts::change(Cycle now) {
  if (now == chunk_begin_) return;
  watch_until(now);
  std::array<std::int64_t, kPorts> told_now{};
  for (std::size_t p = 0; p < kPorts; ++p) told_now[p] = told(p, now);
  if (now >= chunk_end_) begin_ = end_;
  advance(begin_, time(now));
  for (std::size_t p = 0; p < kPorts; ++p) {
    Stream& s = begin_.streams[p];
    s.told = told_now[p];
    // A writer makes up for what has waited.
    if (s.use.write && !limits_[p] && s.issued > 0) s.told = static_cast<std::int64_t>(s.passed) * kWord;
  }
  chunk_begin_ = now;
}

void MemoryPorts::plan(Cycle now) {
  chunk_end_ = (now / chunk_ + 1) * chunk_;
  end_ = begin_;
  advance(end_, time(chunk_end_));
  while (starves()) {
    chunk_end_ += chunk_;
    advance(end_, time(chunk_end_));
  }
  for (std::size_t p = 0; p < kPorts; ++p) limits_[p] = limit_of(begin_.streams[p], end_.streams[p]);
  if (!watched_) return;
  watched_->state = begin_;
  note_commands(watched_->state);
}

// Some port is held up and none of its words passes in the chunk, which is a whole one: no pace says that. In a part of
// a chunk one word may pass too early, and is missing in the next one.
bool MemoryPorts::starves() const {
  for (std::size_t p = 0; p < kPorts; ++p) {
    const Stream& before = begin_.streams[p];
    const Stream& after = end_.streams[p];
    const Cycle from = std::max(chunk_begin_, before.use.start);
    if (after.over() || !limit_of(before, after)) continue;
    const std::int64_t passed = after.all_passed() * kWord - before.told;
    if (passed < (chunk_end_ - from < chunk_ ? 0 : kWord)) return true;
  }
  return false;
}

// Words that pass in the chunk against those of the pace.
std::optional<MemoryPorts::Limit> MemoryPorts::limit_of(const Stream& before, const Stream& after) const {
  const Use& use = after.use;
  const Cycle from = std::max(chunk_begin_, use.start);
  const std::int64_t all = use.all() * kWord;
  if (use.words == 0 || from >= chunk_end_ || before.told >= all) return std::nullopt;
  if (after.over()) {
    const Cycle last = cycle(after.last);
    if (last <= from + cycles_for(all - before.told, use.pace) + 1) return std::nullopt;
    return Limit{{last - from, (all - before.told + kWord - 1) / kWord}, from, last};
  }
  const std::int64_t passed = after.all_passed() * kWord;
  if (before.told + parts(chunk_end_ - from, use.pace) - passed <= kWord) return std::nullopt;
  return Limit{{chunk_end_ - from, std::max<std::int64_t>(1, (passed - before.told) / kWord)}, from, chunk_end_};
}

Counters MemoryPorts::channel(std::size_t channel, Cycle at) const {
  State state = begin_;
  advance(state, time(at));
  state.channels[channel].idle_until(time(at) / config_.clock_ps);
  return state.channels[channel].counters();
}

PortCounters MemoryPorts::port(std::size_t channel, Port port, Cycle at) const {
  State state = begin_;
  advance(state, time(at));
  return state.streams[index(port)].counters[channel];
}

void MemoryPorts::watch() {
  if (watched_) return;
  watched_ = std::make_unique<Watched>();
  for (auto& r : watched_->refreshed) r.assign(config_.all_banks(), -1);
  watched_->state = begin_;
  note_commands(watched_->state);
}

void MemoryPorts::note_commands(State& state) const {
  for (std::size_t c = 0; c < kChannels && watched_; ++c) state.channels[c].note(&watched_->noted[c]);
}

// Commands of the past that nobody has asked for are dropped.
void MemoryPorts::watch_until(Cycle now) {
  if (!watched_) return;
  advance(watched_->state, time(now));
  for (std::vector<Command>& noted : watched_->noted) {
    std::erase_if(noted, [&](const Command& c) { return c.at < config_.tick(time(now)); });
  }
}

// A refresh is noted once more when the plan has changed since it was due; the last plan knows when it begins.
MemoryPorts::ChannelView MemoryPorts::view(std::size_t channel, Cycle at) {
  advance(watched_->state, time(at + 1));
  const Tick end = config_.tick(time(at + 1));
  watched_->state.channels[channel].idle_until(end - 1);
  ChannelView out;
  std::vector<Command>& noted = watched_->noted[channel];
  std::erase_if(noted, [&](const Command& c) {
    const auto again = [&](const Command& later) {  // those behind have not been moved yet
      return &later > &c && later.kind == c.kind && later.bank == c.bank && later.due == c.due;
    };
    return c.kind == Command::Kind::refresh && std::any_of(noted.begin(), noted.end(), again);
  });
  std::erase_if(noted, [&](const Command& c) {
    Tick& refreshed = watched_->refreshed[channel][c.bank];
    if (c.kind == Command::Kind::refresh && c.due <= refreshed) return true;
    if (c.at >= end) return false;
    if (c.kind == Command::Kind::refresh) refreshed = c.due;
    out.commands.push_back(c);
    return true;
  });
  std::stable_sort(out.commands.begin(), out.commands.end(),
                   [](const Command& a, const Command& b) { return a.at < b.at; });
  out.counters = watched_->state.channels[channel].counters();
  return out;
}

}  // namespace weft::dram
