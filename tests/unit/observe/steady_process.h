#pragma once
// Processes whose means are known: an autoregressive one and a queue.

#include <cmath>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "observe/level_series.h"

namespace weft::test {

/// x[n] = phi x[n - 1] + a standard normal number; mean 0, standard deviation 1 / sqrt(1 - phi^2), from `x0` on.
class Autoregression {
 public:
  Autoregression(std::uint64_t seed, double phi, double x0) : random_(seed, "autoregression"), phi_(phi), x_(x0) {}
  static double deviation(double phi) { return 1 / std::sqrt(1 - phi * phi); }
  double next() { return x_ = phi_ * x_ + normal(); }
  double normal() {  // Box, Muller
    return std::sqrt(-2 * std::log(1 - random_.uniform())) * std::cos(2 * std::numbers::pi * random_.uniform());
  }

 private:
  RandomStream random_;
  double phi_;
  double x_;
};

/// A server that takes `service` cycles a message; in every cycle one arrives with probability load / service
/// (Geo/D/1). It is served in order, and gone when its service begins.
class Server {
 public:
  Server(std::uint64_t seed, double load, Cycle service)
      : random_(seed, "server"), probability_(load / static_cast<double>(service)), service_(service) {}
  /// Mean wait for the service at loads below 1: p E[S (S - 1)] / (2 (1 - load)).
  static double mean_wait(double load, Cycle service) {
    return load * static_cast<double>(service - 1) / (2 * (1 - load));
  }
  /// Everything that arrives before cycle `end`; `latency`: of a message that waited so long.
  void run(Cycle end, LevelSeries& series) {
    for (;; next_ += gap()) {
      if (next_ < 0) next_ = gap() - 1;
      if (next_ >= end) return;
      const Cycle begins = std::max(next_, free_);
      free_ = begins + service_;
      if (next_ >= series.first()) {
        series.on_generate(next_);
        series.on_arrive(next_, begins - next_);
      }
      if (begins >= series.first()) begun_.push_back(begins);
    }
  }
  /// What has begun by then leaves the queue.
  void send(Cycle end, LevelSeries& series) {
    std::size_t i = 0;
    for (; i < begun_.size() && begun_[i] < end; ++i) series.on_send(begun_[i]);
    begun_.erase(begun_.begin(), begun_.begin() + static_cast<std::ptrdiff_t>(i));
  }

 private:
  Cycle gap() { return 1 + static_cast<Cycle>(std::floor(std::log1p(-random_.uniform()) / std::log1p(-probability_))); }
  RandomStream random_;
  double probability_;
  Cycle service_;
  Cycle next_ = -1;
  Cycle free_ = 0;
  std::vector<Cycle> begun_;
};

}  // namespace weft::test
