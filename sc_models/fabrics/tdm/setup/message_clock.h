#pragma once
// Clock of the messages of a flow: the cycles in which they are there to be sent.

#include <deque>
#include <limits>

#include "base/random.h"
#include "fabrics/tdm/setup/timed_flow.h"

namespace weft {

class MessageClock {
 public:
  MessageClock(const TimedFlow& flow, std::uint64_t seed, const std::string& stream) : flow_(flow), until_(flow.until) {
    state_.random = RandomStream(seed, stream);
    if (!flow.arrivals->sends) {
      over_ = true;
    } else {
      next_ = flow.start + (saturated() ? 0 : offset());
    }
    check_end();
  }

  /// Messages there are by the end of cycle `now`. `now` must not go back.
  std::uint64_t available(Cycle now) {
    if (saturated()) {
      if (now < flow_.start) return 0;
      if (flow_.messages) return *flow_.messages;
      if (now < until_) return kEndless;
      return taken_;
    }
    while (!over_ && next_ <= now) {
      ++state_.count;
      waiting_.push_back(next_);
      next_ = flow_.start + offset();
      check_end();
    }
    return state_.count;
  }
  /// Cycle of the next message after those available, -1: none will come.
  Cycle next(Cycle now) const {
    if (saturated()) return now < flow_.start ? flow_.start : -1;
    return over_ ? -1 : next_;
  }
  /// periodic and poisson: cycle of the oldest message that this has not been asked of.
  Cycle take_generated() {
    const Cycle generated = waiting_.front();
    waiting_.pop_front();
    return generated;
  }
  /// Messages that have come; of a saturated source those it has begun to send.
  std::uint64_t generated() const { return saturated() ? taken_ : state_.count; }
  /// saturated without a count: message `taken` - 1 has begun to be sent.
  void take(std::uint64_t taken) { taken_ = std::max(taken_, taken); }
  /// saturated with a duration: the first word leaves in cycle `first`.
  void first_word(Cycle first) {
    if (flow_.duration && !started_) until_ = first + *flow_.duration;
    started_ = true;
  }

 private:
  static constexpr std::uint64_t kEndless = std::uint64_t{1} << 60;
  bool saturated() const { return flow_.arrivals->sends && flow_.arrivals->offset == nullptr; }
  // Cycles from the flow's start to the next message; call once per message.
  Cycle offset() { return flow_.arrivals->offset(state_, flow_.interval, flow_.period); }
  void check_end() {
    if (flow_.messages ? state_.count >= *flow_.messages : next_ >= until_) over_ = true;
  }

  const TimedFlow& flow_;
  ArrivalState state_;
  Cycle until_;
  bool started_ = false;
  bool over_ = false;
  Cycle next_ = 0;
  std::deque<Cycle> waiting_;  // generated, and not asked for
  std::uint64_t taken_ = 0;
};

}  // namespace weft
