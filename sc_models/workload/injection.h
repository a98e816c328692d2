#pragma once
// Injection processes of packet sources: in which cycles a source generates a message, or a burst of them. A new one is
// a record in injection.cpp and a line in its table.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/random.h"
#include "base/records.h"
#include "base/units.h"

namespace weft {

/// Geometric distribution: trials up to and including the first success.
class Geometric {
 public:
  Geometric() = default;
  explicit Geometric(double probability);
  std::uint64_t operator()(RandomStream& random) const {
    if (certain_) return 1;
    const double trials = std::log1p(-random.uniform()) / log_failure_;
    return 1 + static_cast<std::uint64_t>(static_cast<std::int64_t>(std::min(trials, 1e15)));  // rounded down
  }

 private:
  bool certain_ = true;
  double log_failure_ = 0;
};

/// Numbers of all sources of a stream.
struct InjectionRate {
  std::uint64_t load = 0;      ///< millionths of a flit per cycle
  Geometric gap;               ///< from a message (or burst) to the next, while on
  std::uint64_t interval = 0;  ///< constant_rate: between messages of a connection, in parts of a cycle (1 / load)
  std::uint64_t on = 0;        ///< on_off: mean lengths in cycles
  std::uint64_t off = 0;
  Geometric on_length;
  Geometric off_length;
};

/// Where a source stands.
struct InjectionState {
  RandomStream random{0, ""};
  std::uint64_t left = 0;  ///< constant_rate: to the next message, in parts of a cycle (1 / load); on_off: cycles on
  Cycle base = 0;          ///< what that counts from
};

struct InjectionProcess {
  std::string_view name;     ///< word of traffic.source
  std::string_view meaning;  ///< for descriptions
  // Keys of traffic that it alone reads.
  bool bursts = false;
  bool connections = false;
  bool on_off = false;
  /// Before the first message; null: nothing has to be drawn.
  void (*start)(InjectionState& state, const InjectionRate& rate) = nullptr;
  /// Cycle of the next message; the last one was in cycle `now`, -1: there has been none.
  Cycle (*next)(InjectionState& state, const InjectionRate& rate, Cycle now) = nullptr;
};

using InjectionProcesses = Records<InjectionProcess>;
/// The first one is the usual one.
InjectionProcesses& injection_processes();

}  // namespace weft
