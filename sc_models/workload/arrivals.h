#pragma once
// Arrival processes of the messages of a circuit, each one record. A new one is a record in arrivals.cpp and a line in
// its table.

#include <cstdint>
#include <string_view>

#include "base/random.h"
#include "base/records.h"
#include "base/units.h"

namespace weft {

/// Where a process stands: one source with a random stream of its own.
struct ArrivalState {
  RandomStream random{0, ""};
  std::uint64_t count = 0;  ///< messages so far
  double clock = 0;         ///< exact time of the last one, in cycles
};

struct ArrivalProcess {
  std::string_view name;     ///< word of sources.arrivals
  std::string_view meaning;  ///< for descriptions
  bool sends = true;
  /// Cycles from the start of a source to message `count`, asked for once per message; null: no message waits for a
  /// time of its own. `interval`: (mean) time between two messages.
  Cycle (*offset)(ArrivalState& state, Duration interval, Duration period) = nullptr;
};

extern const ArrivalProcess kSaturatedArrivals, kPeriodicArrivals, kPoissonArrivals, kNoArrivals;

using ArrivalProcesses = Records<ArrivalProcess>;
ArrivalProcesses& arrival_processes();

}  // namespace weft
