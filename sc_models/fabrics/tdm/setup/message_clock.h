#pragma once
// Clock of the messages of a flow: the cycles in which they are there to be sent.

#include <cmath>
#include <deque>
#include <limits>

#include "base/random.h"
#include "fabrics/tdm/setup/timed_flow.h"

namespace weft {

class MessageClock {
 public:
  MessageClock(const TimedFlow& flow, std::uint64_t seed, const std::string& stream)
      : flow_(flow), random_(seed, stream), until_(flow.until) {
    if (flow.arrivals == Arrivals::saturated) {
      next_ = flow.start;
    } else if (flow.arrivals == Arrivals::none) {
      over_ = true;
    } else {
      next_ = flow.start + offset();
    }
    check_end();
  }

  /// Messages there are by the end of cycle `now`. `now` must not go back.
  std::uint64_t available(Cycle now) {
    if (flow_.arrivals == Arrivals::saturated) {
      if (now < flow_.start) return 0;
      if (flow_.messages) return *flow_.messages;
      if (now < until_) return kEndless;
      return taken_;
    }
    while (!over_ && next_ <= now) {
      ++count_;
      waiting_.push_back(next_);
      next_ = flow_.start + offset();
      check_end();
    }
    return count_;
  }
  /// Cycle of the next message after those available, -1: none will come.
  Cycle next(Cycle now) const {
    if (flow_.arrivals == Arrivals::saturated) return now < flow_.start ? flow_.start : -1;
    return over_ ? -1 : next_;
  }
  /// periodic and poisson: cycle of the oldest message that this has not been asked of.
  Cycle take_generated() {
    const Cycle generated = waiting_.front();
    waiting_.pop_front();
    return generated;
  }
  /// Messages that have come; of a saturated source those it has begun to send.
  std::uint64_t generated() const { return flow_.arrivals == Arrivals::saturated ? taken_ : count_; }
  /// saturated without a count: message `taken` - 1 has begun to be sent.
  void take(std::uint64_t taken) { taken_ = std::max(taken_, taken); }
  /// saturated with a duration: the first word leaves in cycle `first`.
  void first_word(Cycle first) {
    if (flow_.duration && !started_) until_ = first + *flow_.duration;
    started_ = true;
  }

 private:
  static constexpr std::uint64_t kEndless = std::uint64_t{1} << 60;
  // Cycles from the flow's start to message count_; call once per message.
  Cycle offset() {
    const auto k = static_cast<std::int64_t>(count_);  // the product fits: checked before the run
    if (flow_.arrivals == Arrivals::periodic) return CycleSpan{false, k * flow_.interval.ps}.cycles(flow_.period);
    clock_ += random_.exponential(static_cast<double>(flow_.interval.ps) / static_cast<double>(flow_.period.ps));
    return static_cast<Cycle>(std::ceil(clock_));
  }
  void check_end() {
    if (flow_.messages ? count_ >= *flow_.messages : next_ >= until_) over_ = true;
  }

  const TimedFlow& flow_;
  RandomStream random_;
  Cycle until_;
  bool started_ = false;
  bool over_ = false;
  double clock_ = 0;  // poisson: exact time of the next message, in cycles after the start
  Cycle next_ = 0;
  std::uint64_t count_ = 0;
  std::deque<Cycle> waiting_;  // generated, and not asked for
  std::uint64_t taken_ = 0;
};

}  // namespace weft
