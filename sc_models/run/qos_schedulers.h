#pragma once
// The egress schedulers of a packet network: plain models, Verilated RTL or lockstep pairs, as the configuration says.

#include <memory>
#include <vector>

#include "fabric/packet/packet_switch.h"
#include "run/qos_platform.h"
#include "stats/statistic.h"

namespace weft {

class QosSchedulers final : public EgressSchedulerFactory {
 public:
  explicit QosSchedulers(const QosPlatform& platform) : platform_(platform) {}
  std::unique_ptr<EgressScheduler> scheduler(const EgressSite& site) override;
  /// Saturations of narrow counters, if there are any counters of limited width.
  void add_figures(Section& section) const;

 private:
  const QosPlatform& platform_;
  std::vector<const EgressScheduler*> made_;
};

}  // namespace weft
