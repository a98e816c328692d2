#pragma once
// Load and latency of a service - a service level, the circuits of a phase, a kind of transfer - in the words that all
// families share (observe/vocabulary.h).

#include <optional>
#include <string>
#include <vector>

#include "observe/message_latency.h"

namespace weft {

/// Load that a service had in the measurement: flits over time.
struct ServiceLoad {
  double per_node = 0;  ///< flits/cycle/node
  double gbps = 0;      ///< over all nodes

  ServiceLoad& operator+=(const ServiceLoad& other) {
    per_node += other.per_node;
    gbps += other.gbps;
    return *this;
  }
  /// `flits` of `bits` in `cycles` of `period`; nothing without time.
  static ServiceLoad of(std::uint64_t flits, std::int64_t bits, Cycle cycles, Duration period, std::uint32_t nodes);
};

struct ServiceFigures {
  std::string service;
  std::optional<ServiceLoad> offered;  ///< none of programs, which send when they may
  std::optional<ServiceLoad> accepted;
  LatencyFigures latency;
};

/// service, offered, accepted, offered_rate, accepted_rate, messages, the latency and its parts.
Columns<ServiceFigures> service_columns();
/// The same of all services together as figures of a section, less service and messages.
std::vector<Figure> service_figures(const ServiceFigures& all);
/// The same table, with the columns that answer a run marked for the terminal: loads, latency, saturation.
Table with_summary(Table services);
/// Table `services` of these columns.
Table services_table(std::string title, std::string meaning, const std::vector<ServiceFigures>& services);

}  // namespace weft
