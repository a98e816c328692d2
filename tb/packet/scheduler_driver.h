#pragma once
// Reference and traffic of the egress scheduler benches (dtable, drr, ib_arbiter).
//
// The reference is the plain class that the simulator itself uses. The traffic is an output port: queues of messages,
// SLs without credits, a link that is free by one of the stall patterns, a host that writes the table.

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "algorithms/qos/deficit_table.h"
#include "algorithms/qos/ib_arbiter.h"
#include "algorithms/qos/schedulers.h"
#include "tdm/pace.h"

namespace weft::pins {

/// Parameters of the block; entries == 0: drr, which has one quantum per SL.
struct SchedulerShape {
  std::uint32_t levels;
  std::uint32_t entries;
  std::uint32_t weight_bits;
  std::uint32_t size_bits;
  std::uint32_t counter_bits;
  bool two_tables = false;  ///< ib_arbiter, with so many entries in each; its tables are written before it decides
  /// Entries that a write can name, those that do not exist included.
  std::uint32_t indices() const;
  std::uint32_t level_numbers() const;
};

struct SchedulerInputs {
  bool reset_n = true;
  bool write = false;
  std::uint32_t index = 0;
  bool high = false;  ///< of the high-priority table
  TableEntry entry;
  std::uint32_t limit = 0;  ///< of high priority
  bool decide = false;
  EgressView view;
};

struct SchedulerOutputs {
  std::optional<ServiceLevel> grant;
  bool saturated = false;
  bool operator==(const SchedulerOutputs&) const = default;
  std::string text() const;
};

class SchedulerReference {
 public:
  explicit SchedulerReference(const SchedulerShape& shape);
  /// Outputs in the cycle of these inputs.
  SchedulerOutputs decide(const SchedulerInputs& in);
  /// The end of the same cycle.
  void end_cycle(const SchedulerInputs& in, const SchedulerOutputs& out);
  const SchedulerShape& shape() const { return shape_; }

 private:
  void reset();
  SchedulerShape shape_;
  std::optional<DeficitTable> dtable_;
  std::optional<DeficitRoundRobin> drr_;
  std::optional<IbArbiter> arbiter_;  // made of its tables at the first decision
  ArbitrationTable high_;
  ArbitrationTable low_;
};

class SchedulerDriver {
 public:
  SchedulerDriver(const SchedulerShape& shape, Mode mode, std::uint64_t seed);
  /// The host writes so many entries only, of both tables; the others stay as the reset has left them.
  void write_only(std::uint32_t entries) { writes_ = entries; }
  SchedulerInputs next();
  SchedulerInputs next_in_reset();
  /// The end of a cycle: the head message of the granted SL leaves, and at times the credits of another SL with it.
  void taken(std::optional<ServiceLevel> grant);

 private:
  EgressView view() const;
  std::uint32_t random_size();
  void arrive();

  SchedulerShape shape_;
  RandomStream random_;
  Pace pace_;
  std::uint64_t load_;
  std::uint32_t writes_;  // until the tables are full
  bool fill_first_;
  std::array<std::deque<std::uint32_t>, kMaxServiceLevels> queues_;
  std::uint32_t blocked_ = 0;
  std::uint32_t written_ = 0;
  std::uint32_t limit_ = 0;
};

}  // namespace weft::pins
