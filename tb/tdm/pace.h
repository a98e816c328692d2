#pragma once
// Stall patterns of the random benches: the cycles in which a driver has something to send.

#include <cstdint>

#include "base/random.h"

namespace weft::pins {

enum class Mode {
  gaps,         ///< in every cycle with some probability
  bursts,       ///< busy and idle stretches of random length
  back_to_back  ///< in every cycle
};

class Pace {
 public:
  Pace(Mode mode, RandomStream& random) : mode_(mode), percent_(5 + random.below(91)), longest_(2 + random.below(40)) {}

  bool next(RandomStream& random) {
    switch (mode_) {
      case Mode::gaps:
        return random.below(100) < percent_;
      case Mode::bursts:
        if (left_ == 0) {
          left_ = 1 + random.below(longest_);
          busy_ = !busy_;
        }
        --left_;
        return busy_;
      case Mode::back_to_back:
        break;
    }
    return true;
  }

 private:
  Mode mode_;
  std::uint64_t percent_;
  std::uint64_t longest_;
  std::uint64_t left_ = 0;
  bool busy_ = false;
};

}  // namespace weft::pins
