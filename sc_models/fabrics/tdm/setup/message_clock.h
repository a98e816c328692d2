#pragma once
// Clock of the messages of a flow: the cycles in which they are there to be sent, and which words are whose.
//
// A flow has a source of its own, which draws the times of messages of one length; or somebody else submits them, each
// with a length of its own.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>

#include "base/random.h"
#include "fabrics/tdm/setup/timed_flow.h"

namespace weft {

/// Words of one message, by their number in the flow.
struct MessageSpan {
  std::uint64_t message = 0;
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

class MessageClock {
 public:
  MessageClock(const TimedFlow& flow, std::uint64_t seed, const std::string& stream) : flow_(flow), until_(flow.until) {
    state_.random = RandomStream(seed, stream);
    if (flow.submitted || !flow.arrivals->sends) {
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
  /// The same in words, at most kEndless.
  std::uint64_t words(Cycle now) {
    const std::uint64_t messages = available(now);
    if (flow_.submitted) return end_of_last();
    return messages > kEndless / flow_.message_words ? kEndless : messages * flow_.message_words;
  }
  /// The message that has a word.
  MessageSpan span(std::uint64_t word) const {
    if (!flow_.submitted) {
      const std::uint64_t message = word / flow_.message_words;
      return {message, message * flow_.message_words, (message + 1) * flow_.message_words};
    }
    const auto end = std::upper_bound(ends_.begin(), ends_.end(), word);
    return {oldest_ + static_cast<std::uint64_t>(end - ends_.begin()),
            end == ends_.begin() ? end_of_forgotten_ : *(end - 1), *end};
  }
  /// Submitted messages: one more.
  void submit(std::uint32_t words, Cycle now) {
    ends_.push_back(end_of_last() + words);
    waiting_.push_back(now);
    ++state_.count;
  }
  /// Of them, how many.
  std::uint64_t submitted() const { return state_.count; }
  /// Of them, those from `message` on are taken back, how many; none of them has been asked for.
  std::uint64_t withdraw(std::uint64_t message) {
    const std::uint64_t taken_back = state_.count - message;
    for (std::uint64_t i = 0; i < taken_back; ++i) {
      ends_.pop_back();
      waiting_.pop_back();
    }
    state_.count = message;
    return taken_back;
  }
  /// Of them, those before `message` that end before `word` will not be sent again.
  void forget_before(std::uint64_t message, std::uint64_t word) {
    for (; oldest_ < message && ends_.front() <= word; ++oldest_) {
      end_of_forgotten_ = ends_.front();
      ends_.pop_front();
    }
  }
  /// Cycle of the next message after those available, -1: none will come.
  Cycle next(Cycle now) const {
    if (saturated()) return now < flow_.start ? flow_.start : -1;
    return over_ ? -1 : next_;
  }
  /// Unless saturated: cycle of the oldest message that this has not been asked of.
  Cycle take_generated() {
    const Cycle generated = waiting_.front();
    waiting_.pop_front();
    return generated;
  }
  /// Words of the messages that have come; of a saturated source of those it has begun to send.
  std::uint64_t generated() const {
    if (flow_.submitted) return end_of_last();
    return (saturated() ? taken_ : state_.count) * flow_.message_words;
  }
  /// saturated without a count: message `taken` - 1 has begun to be sent.
  void take(std::uint64_t taken) { taken_ = std::max(taken_, taken); }
  /// saturated with a duration: the first word leaves in cycle `first`.
  void first_word(Cycle first) {
    if (flow_.duration && !started_) until_ = first + *flow_.duration;
    started_ = true;
  }

 private:
  static constexpr std::uint64_t kEndless = std::uint64_t{1} << 60;  // messages or words, more than any run has
  std::uint64_t end_of_last() const { return ends_.empty() ? end_of_forgotten_ : ends_.back(); }
  bool saturated() const { return !flow_.submitted && flow_.arrivals->sends && flow_.arrivals->offset == nullptr; }
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
  // Submitted: ends of the messages from `oldest_` on.
  std::deque<std::uint64_t> ends_;
  std::uint64_t oldest_ = 0;
  std::uint64_t end_of_forgotten_ = 0;
};

}  // namespace weft
