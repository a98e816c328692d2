#pragma once
// Strict priority: the active SL that stands first in a fixed order sends. The first SL waits for one message in
// transfer at the most; any other may starve. An SL that is not in the order never sends.
//
// Source: textbook; IEEE 802.1Q, clause 8.6.8.1 (strict priority transmission selection), where it is the default.
// Timing: a grant in every step with an active SL of the order.

#include <optional>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"

namespace weft {

class StrictPriority final : public EgressScheduler {
 public:
  /// `order`: SLs, most urgent first. Precondition: all below kMaxServiceLevels.
  explicit StrictPriority(std::vector<ServiceLevel> order);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel, const EgressView&) override {}

 private:
  std::vector<ServiceLevel> order_;
};

}  // namespace weft
