#pragma once
// rtl/packet/egress_port.sv as a plain object with a clock to call, its compiled sizes and limits.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/packet/scheduler_rtl.h"
#include "fabrics/packet/common/parameters.h"

namespace weft {

/// Inputs of a cycle, which count from the next one on. Data of a flit: a word of 32 bits.
struct EgressPortInputs {
  std::vector<std::uint32_t> reserve;  ///< flits, per VL
  std::vector<std::uint32_t> credit;   ///< the same
  std::vector<std::uint32_t> words;    ///< of the flits that come, all of one message
  bool head = false;
  VirtualLane lane = 0;
  ServiceLevel level = 0;   ///< with a head
  std::uint32_t flits = 0;  ///< with a head: of the message
};

/// Outputs of a cycle. Without a grant or a flit everything of it is 0.
struct EgressPortOutputs {
  struct Grant {
    bool valid = false;
    ServiceLevel level = 0;
    VirtualLane lane = 0;
    bool operator==(const Grant&) const = default;
  };
  struct Flit {
    bool valid = false;
    bool head = false;
    bool tail = false;
    VirtualLane lane = 0;
    std::uint32_t word = 0;
    bool operator==(const Flit&) const = default;
  };
  Grant grant;
  Flit flit;
  std::vector<std::uint32_t> room;     ///< of the output buffer, per VL
  std::vector<std::uint32_t> credits;  ///< room of the next buffer
  bool operator==(const EgressPortOutputs&) const = default;
};

/// One cycle: drive(), then end_cycle().
class EgressPortRtl : public RtlBlock {
 public:
  /// Sets the inputs of a cycle and reads its outputs. A second call before end_cycle() is the same cycle once more.
  virtual const EgressPortOutputs& drive(const EgressPortInputs& inputs) = 0;
  /// The rising edge that ends the cycle.
  virtual void end_cycle() = 0;
};

/// Parameters of a compiled size.
struct EgressPortRtlSize {
  SchedulerRtlSize scheduler;
  std::uint32_t lanes = 0;
  std::uint32_t depth = 0;
  std::uint32_t next_depth = 0;
  std::uint32_t rate = 0;
  std::uint32_t output = 1;
  std::uint32_t width = 32;
  bool operator==(const EgressPortRtlSize&) const = default;
};

/// What a port of a network needs.
struct EgressPortNeed {
  SchedulerConfig scheduler;
  std::uint32_t lanes = 1;
  std::uint32_t largest_message = 1;
  BufferShares output;
  BufferShares next;  ///< behind the link
  std::uint32_t rate = 1;
  std::uint32_t iterations = 1;
  Cycle output_stage = 1;
};

/// Why a block of RTL cannot stand for a port.
struct EgressPortLimit {
  enum class Of { lanes, output_buffer, next_buffer, crossbar_rate, iterations, output_stage };
  Of of = Of::lanes;
  std::string text;  ///< for the user
};
/// Those of the scheduler inside are its own (scheduler_rtl.h).
std::vector<EgressPortLimit> egress_port_rtl_limits(const EgressPortRtlSize& size, const EgressPortNeed& need);

/// Block that can stand for an egress port.
struct EgressPortBlock {
  std::string module;  ///< name of its top module
  /// Its parameters with that scheduler; Weft's own: those compiled. Precondition: it has the scheduler.
  std::function<EgressPortRtlSize(unsigned scheduler)> size;
  /// Whether it has the scheduler inside.
  std::function<bool(unsigned scheduler)> has;
  /// The block after reset with its tables written. Precondition: no limits. `name`: scope in waves.
  std::function<std::unique_ptr<EgressPortRtl>(VerilatedContext&, const EgressPortNeed&, const std::string& name)> make;
};

// The schedulers inside, by the parameter Scheduler (scheduler_kinds.cpp).

inline constexpr unsigned kEgressSchedulers = 3;
/// Its number, kEgressSchedulers for one that no egress port has inside.
unsigned egress_scheduler(const SchedulerType& type);
/// The limit of the scheduler inside, if there is one. Precondition: it has a number.
std::optional<SchedulerRtlLimit> egress_scheduler_limit(const SchedulerRtlSize& size, const SchedulerConfig& config,
                                                        std::uint32_t largest_message);

// Compiled sizes of rtl/packet/egress_port.sv: one for each scheduler, with 8 SLs and 8 VLs, tables of 64 entries, an
// output buffer of 128 flits and a crossbar of up to two flits per cycle.

inline constexpr SchedulerRtlSize kEgressSizes[kEgressSchedulers] = {
    {8, 64, 16, 8, 17}, {8, 1, 16, 8, 17}, {8, 64, 8, 8, 0}};
constexpr EgressPortRtlSize egress_port_size(unsigned scheduler) {
  return {kEgressSizes[scheduler], 8, 128, 4095, 2, 1, 32};
}

/// The compiled block after reset with its tables written. Precondition: no limits. `name`: scope in waves.
std::unique_ptr<EgressPortRtl> make_egress_port_rtl(VerilatedContext& context, const EgressPortNeed& need,
                                                    const std::string& name);

/// Weft's own block.
EgressPortBlock egress_port_block();

}  // namespace weft
