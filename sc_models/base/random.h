#pragma once
// Named random streams. Every source of randomness draws from its own stream, derived from the run's seed and the
// stream's name, so that adding a source does not disturb the others and results repeat on every machine.

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <string_view>

namespace weft {

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014): 8 bytes of state.
/// Distributions come from Boost.Random, whose results, unlike the standard library's, are the same everywhere.
class RandomStream {
 public:
  using result_type = std::uint64_t;
  RandomStream(std::uint64_t run_seed, std::string_view name) : state_(run_seed) {
    for (const char c : name) {  // FNV-1a over the name, mixed with the seed
      state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
      (*this)();
    }
    (*this)();
  }
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, n), n > 0.
  std::uint64_t below(std::uint64_t n) {
    return boost::random::uniform_int_distribution<std::uint64_t>(0, n - 1)(*this);
  }
  /// Uniform in [0, 1).
  double uniform() { return boost::random::uniform_01<double>()(*this); }
  /// Exponential with the given mean.
  double exponential(double mean) { return boost::random::exponential_distribution<double>(1.0 / mean)(*this); }

 private:
  std::uint64_t state_;
};

}  // namespace weft
