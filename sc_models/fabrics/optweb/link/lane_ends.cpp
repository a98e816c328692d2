#include "fabrics/optweb/link/lane_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/diagnostics.h"

namespace weft {
namespace {

bool plain(const optweb::LinkSyncIf& block) { return dynamic_cast<const optweb::LinkSync*>(&block) != nullptr; }

bool all_plain(const OptwebConfig& config, const optweb::LinkSyncIf& block) {
  return plain(block) && config.all.link_sync.is_model() &&
         std::none_of(config.instances.begin(), config.instances.end(),
                      [](const OptwebInstances& i) { return i.link_sync.has_value() && !i.link_sync->is_model(); });
}

// Word cycles at the beginning of a run, and behind a cut, after which both ends must be steady. Models are after five.
// A Verilated block is told to be steady from its pins, when they have been the same for 2 * gap + 6 word cycles; the
// receiver gets its first word in the third.
std::uint64_t run_up(bool plain, std::uint64_t gap) { return plain ? 5 : 2 * gap + 10; }

std::string text(const optweb::LaneTransmitter::Result& r) {
  return r.noted ? "a notification is taken" : r.taken ? "a word is taken" : "nothing is taken";
}

}  // namespace

LaneSender::LaneSender(const OptwebParameters& parameters, NodeClock& clock, const WordRun& run, LaneCarrier& carrier,
                       const char* name, std::unique_ptr<optweb::LinkSyncIf> block)
    : parameters_(parameters),
      clock_(clock),
      run_(run),
      carrier_(carrier),
      name_(name),
      block_(std::move(block)),
      transmitter_(*block_),
      plain_(all_plain(*parameters.config, *block_)),
      run_up_(run_up(plain_, parameters.config->link.gap)) {}

void LaneSender::begin(std::uint64_t words, const optweb::StreamTime* time) {
  running_ = true;
  time_ = time;
  words_ = words;
  index_ = calm_from_ = 0;
  plan();
}

// Its word cycles must be over, and none of them stepped.
bool LaneSender::passes_whole() const {
  return run_known_ && index_ == 0 && time_ == nullptr && words_ > run_up_ + 1 && cuts_.empty();
}

void LaneSender::catch_up(Cycle now) {
  if (!deferred_ || !running_) return;
  if (passes_whole() && run_.end() < now) {
    transmitter_.leave_out(words_);
    running_ = false;
    carrier_.carry_run(words_, run_.first(), run_.end());
    plan();
    return;
  }
  for (Cycle at = next(); running_ && at < std::min(now, optweb::kNever); at = next()) step(at);
  plan();
}

void LaneSender::note(Cycle at) {
  notes_.push_back(at);
  if (real(run_.end()) < clock_.now()) catch_up(clock_.now());  // else with the run, which goes first
  plan();
}

void LaneSender::cut(Cycle at, Cycle pause) {
  cuts_.push_back({at, pause});
  plan();
}

void LaneSender::before_turn(Cycle now) {
  catch_up(now);
  if (running_ && !cutting_ && skips()) settle(now);
}

// Boundary at which so many words have passed. The run counts all of its pauses; those that begin later delay nothing
// yet.
Cycle LaneSender::passed(std::uint64_t words) const {
  Cycle at = run_.passed_at(words);
  for (std::size_t i = cuts_.size(); i > (cutting_ ? 1U : 0U); --i) {
    const Cut& cut = *(cuts_.begin() + static_cast<std::ptrdiff_t>(i - 1));
    if (at - cut.pause >= cut.at) break;
    at -= cut.pause;
  }
  return at;
}

// Word cycles up to the one that takes the last word are left out.
bool LaneSender::skips() const {
  return index_ + 1 < words_ && index_ - calm_from_ >= run_up_ && transmitter_.steady();
}

// Word cycles that were left out before `at`.
void LaneSender::settle(Cycle at) {
  if (time_ != nullptr) at = time_->run(at);
  std::uint64_t low = index_;  // the first word cycle that is not before `at`
  std::uint64_t high = words_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (passed(middle) < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  left_out_ += low - index_;
  transmitter_.leave_out(low - index_);
  index_ = low;
}

Cycle LaneSender::next() const {
  if (cutting_) return real(cuts_.front().at + parameters_.link.time(cut_index_));
  if (running_) {
    const bool skip = skips();
    const Cycle at = passed(skip ? words_ - 1 : index_);
    return real(cuts_.empty() ? at : std::min(at, cuts_.front().at));
  }
  const Cycle rest = rests_ > 0 ? rest_from_ + parameters_.link.time(rest_index_) : -1;
  if (notes_.empty()) return rest;
  return rest < 0 ? notes_.front() : std::min(rest, notes_.front());
}

void LaneSender::plan() {
  // Nothing changes what a lane at rest does next: models without pins do it at once.
  if (plain_ && !running_) {
    for (Cycle at = next(); at >= 0; at = next()) {
      if (deferred_ && note_known_ && rests_ == 0) {
        carrier_.carry_note(notes_.take() + 1);
      } else {
        step(at);
      }
    }
  }
  if (deferred_) return;
  const Cycle at = next();
  if (at == due_) return;
  due_ = at;
  if (at >= 0 && at < optweb::kNever) clock_.schedule(at, Phase::settle, *this, 0);
}

void LaneSender::due(Cycle, std::uint32_t) {
  const Cycle now = clock_.now();
  if (due_ != now) return;  // it is at another time by now
  step(now);
  due_ = -1;
  plan();
}

void LaneSender::differs(Cycle now, const char* expected, const optweb::LaneTransmitter::Result& result) const {
  throw RunError(fmt::format("{}: the lane and the timing of the link differ in cycle {}: {}, by the timing {}", name_,
                             now, text(result), expected));
}

void LaneSender::step(Cycle now) {
  const std::uint64_t gap = parameters_.config->link.gap;
  if (running_ && !cutting_) {
    if (skips()) settle(now);
    cutting_ = !cuts_.empty() && real(cuts_.front().at) == now;
    if (cutting_) cut_index_ = 0;
  }
  const std::uint64_t left_out = std::exchange(left_out_, 0);
  optweb::LaneTransmitter::Result r;
  if (cutting_) {
    const bool takes = cut_index_ == 1 + gap;
    r = transmitter_.step(cut_index_ <= 1 + gap, true);
    if (r.noted != takes || r.taken) differs(now, takes ? "a notification" : "nothing", r);
    if (++cut_index_ == 2 * gap + 2) {
      cuts_.take();
      cutting_ = false;
      calm_from_ = index_;
    }
  } else if (running_) {
    const bool valid = index_ < words_;
    r = transmitter_.step(false, valid);
    if (r.taken != valid) differs(now, "a word", r);
    if (++index_ == words_ + 2) {
      running_ = false;
      run_known_ = run_known_ || (calm_from_ == 0 && words_ > run_up_ + 1);
      rest_from_ = now;
      rest_index_ = 1;
      rests_ = std::max<std::uint64_t>(2, gap);
    }
  } else {
    const bool notify = !notes_.empty() && notes_.front() == now;
    r = transmitter_.step(notify, false);
    if (r.noted != notify) differs(now, "a notification", r);
    if (notify) {
      notes_.take();
      note_known_ = true;
      rest_from_ = now + 1;
      rest_index_ = 0;
      rests_ = 1 + std::max<std::uint64_t>(2, gap);
    } else {
      ++rest_index_;
      --rests_;
    }
  }
  carrier_.carry(now, r.lane, left_out);
}

LaneListener::LaneListener(NodeClock& clock, const char* name, std::unique_ptr<optweb::LinkSyncIf> block)
    : clock_(clock), name_(name), block_(std::move(block)), receiver_(*block_), at_once_(plain(*block_)) {}

void LaneListener::expect_run(std::uint64_t words, Cycle first, Cycle last) {
  words_ += words;
  runs_.push_back({words, 0, words_, first, last, false});
}

void LaneListener::expect_later(Cycle last) {
  runs_.back().last = last;
  runs_.back().cut = true;
}

void LaneListener::expect_turn(Cycle first, Cycle last) {
  runs_.back().first = first;
  runs_.back().last = last;
}

void LaneListener::hear(Cycle at, const optweb::LaneSymbol& symbol, std::uint64_t left_out) {
  if (at_once_) {
    step({at, symbol, left_out});
    return;
  }
  if (at >= optweb::kNever) return;  // it stays on a link that does not come back
  heard_.push_back({at, symbol, left_out});
  clock_.schedule(at, Phase::settle, *this, 0);
}

void LaneListener::due(Cycle, std::uint32_t) {
  const Cycle now = clock_.now();
  while (!heard_.empty() && heard_.front().at <= now) step(heard_.take());
}

void LaneListener::step(const Heard& heard) {
  if (heard.left_out > 0) {
    if (!receiver_.steady()) {
      throw RunError(fmt::format("{}: inside a run of words the block is not steady in cycle {}", name_, heard.at));
    }
    if (!runs_.empty()) runs_.front().received += heard.left_out;
  }
  const optweb::LaneReceiver::Result r = receiver_.step(heard.symbol);
  if (r.word != 0) word(r.word, before_);
  if (r.notified) notified(before_that_);
  before_that_ = before_;
  before_ = heard.at;
}

void LaneListener::hear_run(std::uint64_t words, Cycle first, Cycle last) {
  word(last_ + 1, first);
  if (!runs_.empty()) runs_.front().received += words - 2;
  word(last_ + words - 1, last);
}

void LaneListener::word(std::uint64_t number, Cycle at) {
  if (runs_.empty() || number <= last_ || number > runs_.front().upto) {
    throw RunError(fmt::format("{}: word {} of the lane is received in cycle {}, and it is not the next one (after {})",
                               name_, number, at, last_));
  }
  last_ = number;
  Run& run = runs_.front();
  ++run.received;
  const auto compare = [&](const char* which, Cycle expected, Cycle most) {
    if (std::abs(at - expected) <= most) return;
    throw RunError(
        fmt::format("{}: the lane and the timing of the link differ: the {} word of a run of {} comes in cycle {}, by "
                    "the timing in cycle {}",
                    name_, which, run.words, at, expected));
  };
  // A cut within the first two word cycles moves the first word within its own.
  if (number == run.upto - run.words + 1 && !run.cut) compare("first", run.first, 0);
  if (number != run.upto) return;
  compare("last", run.last, 0);
  if (run.received != run.words) {
    throw RunError(
        fmt::format("{}: {} words were sent in a run, {} have been received", name_, run.words, run.received));
  }
  runs_.take();
}

void LaneListener::notified(Cycle at) {
  if (notes_.empty() || notes_.front() != at) {
    throw RunError(fmt::format(
        "{}: the lane and the timing of the link differ: a notification is on the lane in cycle {}, by the timing {}",
        name_, at, notes_.empty() ? "there is none" : fmt::format("in cycle {}", notes_.front())));
  }
  notes_.take();
}

void LaneListener::check_over() const {
  if (!heard_.empty() || (runs_.empty() && notes_.empty())) return;
  throw RunError(fmt::format("{}: {} runs of words and {} notifications of the lane have not been received", name_,
                             runs_.size(), notes_.size()));
}

}  // namespace weft
