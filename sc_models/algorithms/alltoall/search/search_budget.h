#pragma once
// Budget of a search: the moves, the time or the user that end it, and a hook to report progress.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace weft::alltoall {

/// Limits of a search. Only iterations make a run repeatable.
class SearchBudget {
 public:
  /// 0 for no limit. `poll` is called a few thousand times a second at most.
  SearchBudget(std::uint64_t iterations, double time_limit_s, const std::atomic<bool>& stop);

  std::function<void(std::uint64_t conflicts)> poll;
  std::uint64_t used = 0;

  double seconds() const;
  bool out_of_iterations() const { return iterations_ != 0 && used >= iterations_; }
  bool out_of_time() const { return time_limit_s_ > 0 && seconds() >= time_limit_s_; }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  bool over() const { return out_of_iterations() || stopped() || out_of_time(); }
  /// Counts one move; false when the search has to end before it.
  bool next(std::uint64_t conflicts) {
    if (out_of_iterations()) return false;
    if (used % 256 == 0 && !look(conflicts)) return false;
    ++used;
    return true;
  }

 private:
  bool look(std::uint64_t conflicts);

  std::uint64_t iterations_;
  double time_limit_s_;
  const std::atomic<bool>& stop_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace weft::alltoall
