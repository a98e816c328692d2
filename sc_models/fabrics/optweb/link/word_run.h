#pragma once
// A run of words at a pace that may change while they pass, counted exactly.

#include <algorithm>

#include "fabrics/optweb/parameters.h"

namespace weft {

class WordRun {
 public:
  /// So many words begin to pass, the first of them to be dropped. `lead`: units that could pass before it does.
  void begin(const OptwebParameters& parameters, Cycle now, std::uint64_t words, const optweb::WordRate& pace,
             optweb::WideInteger lead = 0) {
    parameters_ = &parameters;
    words_ = words;
    left_ = lead + words * parameters.units.word;
    since_ = begun_ = now;
    pause_ = 0;
    pace_ = pace;
    cut_ = passed_at(0) + 1;  // its first word is taken
    first_ = passed_at(2);
    end_ = passed_at(words);
  }
  /// Boundary at which the last word has passed.
  Cycle end() const { return end_; }
  /// Boundary at which the first one behind the dropped one has.
  Cycle first() const { return first_; }
  Cycle begun() const { return begun_; }
  /// First cycle in which it may be cut: behind a cut one word at least goes first.
  Cycle cut() const { return cut_; }
  /// Boundary at which so many of its words, the dropped one among them, have passed or will have. Those that had
  /// passed at the last turn are not told apart.
  Cycle passed_at(std::uint64_t words) const {
    const optweb::WideInteger word = parameters_->units.word;
    return since_ + pause_ +
           parameters_->units.time(left_ - static_cast<optweb::WideInteger>(words_ - words) * word, pace_);
  }
  /// Units that have passed at boundary `at`, the dropped word among them, as if the run went on behind its end.
  optweb::WideInteger units_by(Cycle at) const {
    const Cycle to_come = std::clamp<Cycle>(resumed_ - at, 0, pause_);
    const Cycle passing = std::max<Cycle>(0, at - since_ - (pause_ - to_come));
    const optweb::WideInteger left = left_ - passing * parameters_->units.rate(pace_);
    return std::max<optweb::WideInteger>(0, static_cast<optweb::WideInteger>(words_) * parameters_->units.word - left);
  }
  /// Boundary at which they will have, not told apart from those at the last turn.
  Cycle units_at(optweb::WideInteger units) const {
    return since_ + pause_ +
           parameters_->units.time(left_ - static_cast<optweb::WideInteger>(words_) * parameters_->units.word + units,
                                   pace_);
  }
  /// Cycle in which the transmitter takes the last word: a run cannot be cut any more behind it.
  Cycle last_taken() const { return passed_at(words_ - 2); }
  const optweb::WordRate& pace() const { return pace_; }
  /// Words behind the dropped one that have passed at boundary `at`, which is not before the last turn.
  std::uint64_t passed_by(Cycle at) const {
    if (at >= end_) return words_ - 1;
    const Cycle to_come = std::clamp<Cycle>(resumed_ - at, 0, pause_);  // of the pauses
    const Cycle passing = std::max<Cycle>(0, at - since_ - (pause_ - to_come));
    const optweb::WideInteger word = parameters_->units.word;
    const optweb::WideInteger left = left_ - passing * parameters_->units.rate(pace_);
    const auto whole = static_cast<std::uint64_t>(std::max<optweb::WideInteger>(0, (left + word - 1) / word));
    return whole + 1 >= words_ ? 0 : words_ - whole - 1;
  }

  /// And those that have not.
  std::uint64_t left_by(Cycle at) const { return words_ - 1 - passed_by(at); }

  /// No word passes for so many cycles from `at` on, which is now or when an earlier cut is over.
  void pause(Cycle at, Cycle cycles) {
    end_ += cycles;
    pause_ += cycles;
    resumed_ = at + cycles;
    cut_ = resumed_ + pace_.time(1);
  }
  /// From now on words pass at another pace. Returns false when none are left.
  bool turn(Cycle now, const optweb::WordRate& pace) {
    if (now >= end_) return false;
    const Cycle to_come = pause_ == 0 ? 0 : std::max<Cycle>(0, resumed_ - now);  // of the pauses
    const Cycle passing = now - since_ - (pause_ - to_come);
    left_ = std::max<optweb::WideInteger>(0, left_ - passing * parameters_->units.rate(pace_));
    since_ = now;
    pause_ = to_come;
    pace_ = pace;
    end_ = now + pause_ + parameters_->units.time(left_, pace);
    if (now < first_) {
      first_ = now + parameters_->units.time(left_ - (words_ - 2) * parameters_->units.word, pace);
    }
    return true;
  }
  /// Units of words behind the dropped one that have passed by the last turn.
  optweb::WideInteger passed() const {
    return std::max<optweb::WideInteger>(0, (words_ - 1) * parameters_->units.word - left_);
  }

 private:
  const OptwebParameters* parameters_ = nullptr;
  std::uint64_t words_ = 0;
  optweb::WideInteger left_ = 0;  // units to pass from since_ on
  Cycle since_ = 0;               // the last turn
  Cycle pause_ = 0;               // cycles from since_ on in which nothing passes, so far
  Cycle resumed_ = 0;             // end of the last pause
  Cycle cut_ = 0;
  Cycle begun_ = 0;
  Cycle first_ = 0;
  Cycle end_ = 0;
  optweb::WordRate pace_;
};

}  // namespace weft
