#pragma once
// Traffic of a network as it is configured, whatever the fabric: services and their messages, streams of messages from
// every node, a trace, and the length of a run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/units.h"
#include "base/words.h"
#include "network/places.h"
#include "workload/injection.h"

namespace weft {

/// A service that transfers belong to: a service level.
struct ServiceConfig {
  Location where;
  std::string name;
  std::string traffic_class;
  std::uint32_t message = 1;  ///< flits: its MTU, and the size of its messages
  DataSize message_size;      ///< as written
  /// Of a message, rounded up.
  std::uint64_t bytes() const { return (static_cast<std::uint64_t>(message_size.bits) + 7) / 8; }
};

enum class DestinationKind { uniform, permutation, pattern };
template <>
inline constexpr auto kWords<DestinationKind> = words("uniform", "permutation", "pattern");

/// Messages of one service from every node, or from some.
struct StreamConfig {
  Location where;
  std::uint32_t sl = 0;  ///< number of the service
  const InjectionProcess* source = nullptr;
  DestinationKind destinations = DestinationKind::uniform;
  std::string pattern;  ///< destinations: pattern
  Location pattern_where;
  std::uint64_t load = 0;         ///< millionths of a flit per cycle and node
  std::uint32_t burst = 1;        ///< bursts: messages at once
  std::uint32_t connections = 1;  ///< constant_rate: of every node; they share the load
  std::uint64_t on = 0, off = 0;  ///< on_off: mean lengths in cycles
  bool self_traffic = false;      ///< a node may send to itself
  std::vector<NodeRange> from;    ///< nodes that send, ascending; none: all
  std::vector<NodeRange> to;      ///< uniform: nodes to draw from, ascending; none: all
  std::uint32_t to_share = 0;     ///< hundredths of a percent of the messages that go to these; the rest to any node

  bool sends_to_others() const { return to.empty() || to_share < kWholeShare; }
  /// The only destination of the stream, which sends nothing in it.
  std::optional<NodeId> silent() const {
    const bool one = to.size() == 1 && to.front().first == to.front().last;
    return one && !self_traffic && !sends_to_others() ? std::optional(to.front().first) : std::nullopt;
  }
  /// Whether node `n` is one of those that send.
  bool sends(NodeId n) const;
  static constexpr std::uint32_t kWholeShare = 10'000;
};

/// What the sources of a run need to know.
struct TrafficConfig {
  std::uint64_t seed = 1;
  Duration period;  ///< of a flit at the rate of a node
  std::vector<ServiceConfig> services;
  std::vector<StreamConfig> streams;
  std::string trace;  ///< CSV file of further messages, empty: none
  Location trace_where;
};

/// End of the measurement.
enum class RunUntil { window, steady };
template <>
inline constexpr auto kWords<RunUntil> = words("window", "steady");

/// Length of a run with traffic.
struct RunConfig {
  RunUntil until = RunUntil::window;
  Duration warm_up;                   ///< steady: at least
  Duration measure;                   ///< steady: at least
  double half_width = 0;              ///< steady: share of a mean latency
  double confidence = 0;              ///< of the intervals of mean latencies
  Duration at_most;                   ///< steady: warm-up and window together
  std::vector<std::uint32_t> levels;  ///< steady: whose mean latency is controlled
  Duration drain;                     ///< longest time for measured messages to arrive after the window
  bool settle = true;                 ///< afterwards everything in the network has to arrive
};

}  // namespace weft
