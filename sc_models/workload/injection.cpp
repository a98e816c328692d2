#include "workload/injection.h"

#include <cmath>

namespace weft {

Geometric::Geometric(double probability)
    : certain_(probability >= 1), log_failure_(certain_ ? 0 : std::log1p(-probability)) {}

namespace {

Cycle bernoulli_next(InjectionState& s, const InjectionRate& rate, Cycle now) {
  return now + static_cast<Cycle>(rate.gap(s.random));
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
          s.left = rate.on_length(s.random);
          s.base = begins_on ? 0 : static_cast<Cycle>(rate.off_length(s.random));
        },
    .next =
        [](InjectionState& s, const InjectionRate& rate, Cycle) {
          std::uint64_t gap = rate.gap(s.random);
          while (gap > s.left) {
            gap -= s.left;
            s.base += static_cast<Cycle>(s.left + rate.off_length(s.random));
            s.left = rate.on_length(s.random);
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
