#pragma once
// Levels over time in bounded memory: averages over periods of equal length.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Levels that hold from instant to instant, averaged over periods of equal length. There are at most 512 periods: when
/// time goes on, two become one.
class TimeProfile {
 public:
  struct Levels {
    double nodes = 0;
    double slots = 0;
    double waiting = 0;
  };
  /// The levels hold from where the last ended to `to`.
  void advance(std::int64_t to, const Levels& levels);
  void start(std::int64_t at) { begin_ = now_ = at; }
  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return now_; }
  std::int64_t period() const { return width_; }
  /// Averages; the last period may be shorter.
  std::vector<Levels> averages() const;
  /// Over all time.
  Levels total() const;

 private:
  static constexpr std::size_t kMost = 512;
  std::int64_t begin_ = 0;
  std::int64_t now_ = 0;
  std::int64_t width_ = 1;
  std::vector<Levels> sums_;  // level times time
};

}  // namespace weft
