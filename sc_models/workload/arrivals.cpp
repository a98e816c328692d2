#include "workload/arrivals.h"

#include <cmath>

namespace weft {

constinit const ArrivalProcess kSaturatedArrivals{
    .name = "saturated",
    .meaning = "a message is always waiting",
};

constinit const ArrivalProcess kPeriodicArrivals{
    .name = "periodic",
    .meaning = "one message per interval",
    .offset =
        [](ArrivalState& state, Duration interval, Duration period) {
          const auto k = static_cast<std::int64_t>(state.count);  // the product fits: checked before the run
          return CycleSpan{false, k * interval.ps}.cycles(period);
        },
};

constinit const ArrivalProcess kPoissonArrivals{
    .name = "poisson",
    .meaning = "exponential gaps, interval on average",
    .offset =
        [](ArrivalState& state, Duration interval, Duration period) {
          state.clock += state.random.exponential(static_cast<double>(interval.ps) / static_cast<double>(period.ps));
          return static_cast<Cycle>(std::ceil(state.clock));
        },
};

constinit const ArrivalProcess kNoArrivals{
    .name = "none",
    .meaning = "no messages",
    .sends = false,
};

ArrivalProcesses& arrival_processes() {
  static ArrivalProcesses table{&kSaturatedArrivals, &kPeriodicArrivals, &kPoissonArrivals, &kNoArrivals};
  return table;
}

}  // namespace weft
