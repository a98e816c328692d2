#pragma once
// A run of words at a pace that may change while they pass, counted exactly.

#include <algorithm>

#include "fabrics/optweb/parameters.h"

namespace weft {

class WordRun {
 public:
  /// So many words begin to pass, the first of them to be dropped.
  void begin(const OptwebParameters& parameters, Cycle now, std::uint64_t words, const optweb::WordRate& pace) {
    parameters_ = &parameters;
    words_ = words;
    left_ = words * parameters.units.word;
    since_ = cut_ = begun_ = now;
    pause_ = 0;
    pace_ = pace;
    first_ = now + pace.time(2);
    end_ = now + pace.time(words);
  }
  /// Boundary at which the last word has passed.
  Cycle end() const { return end_; }
  /// Boundary at which the first one behind the dropped one has.
  Cycle first() const { return first_; }
  Cycle begun() const { return begun_; }
  /// First cycle in which it may be cut.
  Cycle cut() const { return cut_; }
  const optweb::WordRate& pace() const { return pace_; }

  /// No word passes for so many cycles from `at` on, which is now or when an earlier cut is over.
  void pause(Cycle at, Cycle cycles) {
    end_ += cycles;
    pause_ += cycles;
    cut_ = at + cycles;
  }
  /// From now on words pass at another pace. Returns false when none are left.
  bool turn(Cycle now, const optweb::WordRate& pace) {
    if (now >= end_) return false;
    const Cycle to_come = std::max<Cycle>(0, cut_ - now);  // of the pauses
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
  Cycle cut_ = 0;
  Cycle begun_ = 0;
  Cycle first_ = 0;
  Cycle end_ = 0;
  optweb::WordRate pace_;
};

}  // namespace weft
