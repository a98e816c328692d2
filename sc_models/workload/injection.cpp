#include "workload/injection.h"

#include <algorithm>
#include <cmath>

namespace weft {
namespace {

/// Number of trials up to and including the first success.
std::uint64_t geometric(RandomStream& random, double probability) {
  if (probability >= 1) return 1;
  const double trials = std::floor(std::log1p(-random.uniform()) / std::log1p(-probability));
  return 1 + static_cast<std::uint64_t>(std::min(trials, 1e15));
}

Cycle bernoulli_next(InjectionState& s, const InjectionRate& rate, Cycle now) {
  return now + static_cast<Cycle>(geometric(s.random, rate.probability));
}

constinit const InjectionProcess kBernoulli{
    .name = "bernoulli",
    .meaning = "a message in each cycle with the same probability",
    .next = bernoulli_next,
};

constinit const InjectionProcess kConstantRate{
    .name = "constant_rate",
    .meaning = "connections with fixed intervals and a random phase",
    .connections = true,
    .start = [](InjectionState& s, const InjectionRate& rate) { s.left = s.random.below(rate.interval); },
    .next =
        [](InjectionState& s, const InjectionRate& rate, Cycle) {
          s.base += static_cast<Cycle>(s.left / rate.load);
          s.left = s.left % rate.load + rate.interval;
          return s.base;
        },
};

constinit const InjectionProcess kBursts{
    .name = "bursts",
    .meaning = "several messages at once to one destination",
    .bursts = true,
    .next = bernoulli_next,
};

constinit const InjectionProcess kOnOff{
    .name = "on_off",
    .meaning = "bernoulli while on, with random times on and off, at the rate that makes the mean the load",
    .on_off = true,
    .start =
        [](InjectionState& s, const InjectionRate& rate) {
          const bool begins_on = s.random.below(rate.on + rate.off) < rate.on;
          s.left = geometric(s.random, 1.0 / static_cast<double>(rate.on));
          s.base = begins_on ? 0 : static_cast<Cycle>(geometric(s.random, 1.0 / static_cast<double>(rate.off)));
        },
    .next =
        [](InjectionState& s, const InjectionRate& rate, Cycle) {
          std::uint64_t gap = geometric(s.random, rate.probability);
          while (gap > s.left) {
            gap -= s.left;
            s.base += static_cast<Cycle>(s.left + geometric(s.random, 1.0 / static_cast<double>(rate.off)));
            s.left = geometric(s.random, 1.0 / static_cast<double>(rate.on));
          }
          s.left -= gap;
          s.base += static_cast<Cycle>(gap);
          return s.base - 1;
        },
};

}  // namespace

InjectionProcesses& injection_processes() {
  static InjectionProcesses table{&kBernoulli, &kConstantRate, &kBursts, &kOnOff};
  return table;
}

}  // namespace weft
