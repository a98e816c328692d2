#pragma once
// Egress schedulers in RTL as plain objects with a clock to call, and what networks know of a block that can stand for
// one: its sizes, its limits, how it is made. Each scheduler has a file of its own: dtable_rtl.h, drr_rtl.h,
// ib_arbiter_rtl.h.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/qos/scheduler_type.h"
#include "cosim/common/rtl_block.h"

namespace weft {

/// One cycle with a decision: decide(), then end_cycle().
class SchedulerRtl : public RtlBlock {
 public:
  struct Decision {
    std::optional<ServiceLevel> grant;
    bool saturated = false;  ///< a counter of limited width; schedulers without that pin: never
    bool operator==(const Decision&) const = default;
  };
  /// Sets the inputs of a cycle and reads its outputs. A second call before end_cycle() is the same cycle once more.
  virtual Decision decide(const EgressView& view) = 0;
  /// The rising edge that ends the cycle.
  virtual void end_cycle() = 0;
};

/// Parameters of a compiled size; a scheduler without one of them has 0 there.
struct SchedulerRtlSize {
  std::uint32_t levels = 0;
  std::uint32_t entries = 0;  ///< of each table
  std::uint32_t weight_bits = 0;
  std::uint32_t size_bits = 0;
  std::uint32_t counter_bits = 0;
  bool operator==(const SchedulerRtlSize&) const = default;

  /// Bits of counters that never saturate.
  constexpr std::uint32_t never_full() const { return (weight_bits > size_bits ? weight_bits : size_bits) + 1; }
};

/// Why a block of RTL cannot stand for a scheduler.
struct SchedulerRtlLimit {
  enum class Of { counters, table, level, weight, messages };
  enum class Table { only, high, low };
  Of of = Of::counters;
  std::size_t entry = 0;  ///< Of::level, Of::weight: entry of the table; without tables: number of the SL
  std::string text;       ///< for the user
  Table table = Table::only;
};
/// The limit that messages of so many credits exceed, if they do.
std::optional<SchedulerRtlLimit> message_rtl_limit(const SchedulerRtlSize& size, std::uint32_t largest_message);
/// The limit that a table exceeds by its length or its SLs. `with`: further words about the RTL (" with ..."), or "".
std::optional<SchedulerRtlLimit> table_rtl_limit(const SchedulerRtlSize& size, const ArbitrationTable& table,
                                                 const std::string& with = "");

/// Block that can stand for an egress scheduler.
struct SchedulerBlock {
  std::string module;  ///< name of its top module
  /// Its parameters; Weft's own: the smallest compiled size that does. Precondition: there is no limit.
  std::function<SchedulerRtlSize(const SchedulerConfig&)> size;
  /// Nothing when it can stand for that scheduler. `largest_message`: credits.
  std::function<std::optional<SchedulerRtlLimit>(const SchedulerConfig&, std::uint32_t largest_message)> limit;
  /// The block after reset, with its tables written. `name`: scope in waves.
  std::function<std::unique_ptr<SchedulerRtl>(VerilatedContext&, const SchedulerConfig&, const std::string& name)> make;
};

/// Register of Weft's own RTL that views of waves show.
struct SchedulerRegister {
  std::string name;
  std::uint32_t bits = 0;
};

/// What lockstep and waves know of a scheduler that exists in RTL.
struct SchedulerRtlKind {
  const SchedulerType* type = nullptr;
  /// idle() is a clock cycle of the RTL; else the RTL is asked in decisions with an active SL only.
  bool idle_is_a_decision = false;
  /// State of the model, for messages.
  std::string (*state)(const EgressScheduler& model) = nullptr;
  /// How often counters of the model have saturated; null: it has none that can.
  std::uint64_t (*saturations)(const EgressScheduler& model) = nullptr;
  std::vector<SchedulerRegister> (*registers)(const SchedulerRtlSize& size) = nullptr;
};

}  // namespace weft
