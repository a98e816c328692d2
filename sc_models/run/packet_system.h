#pragma once
// A network of packet switches with everything that belongs to it, as runs need it.

#include <memory>
#include <string>

#include "fabric/packet/packet_network.h"
#include "run/qos_faults.h"
#include "run/qos_platform.h"
#include "run/qos_schedulers.h"
#include "run/qos_simulation.h"
#include "run/qos_waves.h"

namespace weft {

/// More cycles than anything takes in which nothing is granted, sent or delivered.
Cycle watchdog_interval(const QosPlatform& platform);

/// A network of IB-like or OPA-like switches, and what belongs to it.
class PacketSystem {
 public:
  using Network = PacketNetwork;
  using Waves = QosWaves;
  PacketSystem(const QosPlatform& platform, const QosRunOptions& options)
      : schedulers_(platform, options.rtl_dtable),
        faults_(platform.config().faults.empty() ? nullptr : std::make_unique<PacketFaults>(platform)),
        network_("qos", platform.config().link.period, platform.graph(), platform.parameters(),
                 faults_ ? static_cast<const PacketRouter&>(*faults_) : platform, schedulers_) {
    if (faults_) faults_->attach(network_);
  }
  Network& network() { return network_; }
  const LinkFaults* faults() const { return faults_ ? &faults_->links() : nullptr; }
  QosSchedulers& schedulers() { return schedulers_; }
  void prepare(const QosRunOptions& options) {
    if (options.prepare) options.prepare(network_);
  }
  std::unique_ptr<Waves> waves(const std::string& path, const QosPlatform& platform) {
    return std::make_unique<Waves>(path, platform, network_, schedulers_);
  }
  void add_saturations(ReportData& report) const { schedulers_.add_saturations(report); }

 private:
  QosSchedulers schedulers_;
  std::unique_ptr<PacketFaults> faults_;
  Network network_;
};

}  // namespace weft
