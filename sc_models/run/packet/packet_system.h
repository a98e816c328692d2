#pragma once
// A network of packet switches with everything that belongs to it, as runs need it.

#include <memory>
#include <string>

#include "fabrics/packet/packet_link_faults.h"
#include "fabrics/packet/packet_network.h"
#include "run/fabric_plan.h"
#include "run/lockstep_report.h"
#include "run/packet/packet_meters.h"
#include "run/packet/packet_network_type.h"
#include "run/packet/packet_platform.h"
#include "run/packet/packet_run.h"
#include "run/packet/packet_schedulers.h"
#include "run/packet/packet_waves.h"

namespace weft {

/// More cycles than anything takes in which nothing is granted, sent or delivered.
Cycle watchdog_interval(const PacketPlatform& platform);

/// A network of packet switches, and what belongs to it.
class PacketSystem {
 public:
  using Network = PacketNetwork;
  using Waves = PacketWaves;
  using Meters = PacketMeters;
  PacketSystem(ClockDomain& domain, const PacketPlatform& platform, const PacketRunOptions&, const Part& part)
      : part_(part),
        schedulers_(platform),
        faults_(platform.config().faults.empty()
                    ? nullptr
                    : std::make_unique<PacketRerouting>(platform.rerouting(), platform.router(), platform.graph())),
        network_(fabric_name("packet").c_str(), domain, platform.graph(), platform.parameters(),
                 faults_ ? static_cast<const PacketRouter&>(*faults_) : platform.router(), schedulers_, part) {
    if (faults_) faults_->attach(network_);
  }
  Network& network() { return network_; }
  const Network& network() const { return network_; }
  const LinkFaults* faults() const { return faults_ ? &faults_->links() : nullptr; }
  PacketSchedulers& schedulers() { return schedulers_; }
  void prepare(const PacketRunOptions& options) {
    if (options.prepare) options.prepare(network_);
  }
  std::unique_ptr<Waves> waves(const std::string& path, const PacketPlatform& platform) {
    return std::make_unique<Waves>(path, platform, part_, network_, schedulers_);
  }
  /// Figures of the schedulers: counters that have saturated, what lockstep pairs have compared.
  void add_schedulers(ReportData& report) const {
    schedulers_.add_saturations(report);
    add_lockstep(schedulers_.compared(), report);
  }

 private:
  const Part part_;
  PacketSchedulers schedulers_;
  std::unique_ptr<PacketRerouting> faults_;
  Network network_;
};

extern const PacketNetworkType kPacketSystem;

}  // namespace weft
