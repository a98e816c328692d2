#pragma once
// Times at which the words of a stream of constant pace pass, in whole picoseconds without a growing error.

#include <cstdint>

#include "algorithms/dram/dram_config.h"

namespace weft::dram {

/// Cycles of a node per word, as a fraction.
struct Pace {
  std::int64_t cycles = 1;
  std::int64_t words = 1;
  bool operator==(const Pace&) const = default;
};

class WordClock {
 public:
  /// Words pass at `at` and from there on at a pace; `period`: of a cycle.
  void start(Time at, const Pace& pace, Time period) {
    at_ = at;
    words_ = pace.words;
    step_ = pace.cycles * period / pace.words;
    rest_ = pace.cycles * period % pace.words;
    part_ = 0;
  }
  Time at() const { return at_; }
  /// The next word passes a step later.
  void step() {
    at_ += step_;
    part_ += rest_;
    if (part_ < words_) return;
    part_ -= words_;
    ++at_;
  }
  void steps(int n) {
    for (int i = 0; i < n; ++i) step();
  }
  /// It passes at a later time, and the others after it.
  void wait_until(Time at) {
    if (at <= at_) return;
    at_ = at;
    part_ = 0;
  }

 private:
  Time at_ = 0;
  std::int64_t words_ = 1;
  Time step_ = 0;
  std::int64_t rest_ = 0;
  std::int64_t part_ = 0;  // of a picosecond, in parts of words_
};

}  // namespace weft::dram
