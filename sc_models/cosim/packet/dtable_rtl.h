#pragma once
// rtl/packet/dtable.sv as a plain object with a clock to call.

#include <cstdint>
#include <optional>

#include "algorithms/qos/egress_scheduler.h"
#include "cosim/common/rtl_block.h"

namespace weft {

/// One cycle with a decision: decide(), then end_cycle(). One without: idle_cycle().
class DtableRtl : public RtlBlock {
 public:
  struct Decision {
    std::optional<ServiceLevel> grant;
    bool saturated = false;
    bool operator==(const Decision&) const = default;
  };
  /// Sets the inputs of a cycle and reads its outputs. A second call before end_cycle() is the same cycle once more.
  virtual Decision decide(const EgressView& view) = 0;
  /// The rising edge that ends a cycle with a decision. `still_active`: SLs active when the granted message is gone;
  /// the active ones of the cycle without a grant.
  virtual void end_cycle(std::uint32_t still_active) = 0;
  /// A cycle without a decision.
  virtual void idle_cycle(std::uint32_t active) = 0;
};

/// Parameters of a compiled size.
struct DtableRtlSize {
  std::uint32_t levels = 0;
  std::uint32_t entries = 0;
  std::uint32_t weight_bits = 0;
  std::uint32_t size_bits = 0;
  std::uint32_t counter_bits = 0;
  bool operator==(const DtableRtlSize&) const = default;
};

}  // namespace weft
