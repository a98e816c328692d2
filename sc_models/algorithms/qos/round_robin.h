#pragma once
// Round robin: the active SLs send one message each, in the order of their numbers, beginning after the SL that sent
// last. Shares of messages are equal, shares of credits follow the message sizes; no state but the last SL.
//
// Source: textbook; the arbiter that switches use where no QoS is asked for. Timing: a grant in every step with an
// active SL.

#include <optional>

#include "algorithms/qos/egress_scheduler.h"

namespace weft {

class RoundRobin final : public EgressScheduler {
 public:
  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView&) override { last_ = sl; }

 private:
  ServiceLevel last_ = kMaxServiceLevels - 1;
};

/// The first SL of a non-empty set, beginning at `first` and around.
ServiceLevel first_at_or_after(std::uint32_t set, std::uint32_t first);

}  // namespace weft
