#pragma once
// A network of input-queued routers with everything that belongs to it, as runs need it.

#include <memory>
#include <string>

#include "fabrics/packet/iq/iq_faults.h"
#include "fabrics/packet/iq/iq_network.h"
#include "observe/report.h"
#include "run/fabric_plan.h"
#include "run/lockstep_report.h"
#include "run/packet/iq/iq_meters.h"
#include "run/packet/iq/iq_routers.h"
#include "run/packet/iq/iq_waves.h"
#include "run/packet/packet_network_type.h"
#include "run/packet/packet_platform.h"
#include "run/packet/packet_run.h"

namespace weft {

class IqSystem {
 public:
  using Network = IqNetwork;
  using Waves = IqWaves;
  using Meters = IqMeters;
  IqSystem(ClockDomain& domain, const PacketPlatform& platform, const PacketRunOptions&, const Part& part)
      : part_(part),
        faults_(platform.config().faults.empty()
                    ? nullptr
                    : std::make_unique<IqFaults>(platform.rerouting(), platform.routing(), platform.graph())),
        name_(fabric_name("packet")),
        routers_(platform, name_),
        network_(name_.c_str(), domain, platform.graph(), iq_parameters(platform.own_parameters()), platform.routing(),
                 platform.adapters(), part, &routers_) {
    if (faults_) faults_->attach(network_);
  }
  Network& network() { return network_; }
  const Network& network() const { return network_; }
  const LinkFaults* faults() const { return faults_ ? &faults_->links() : nullptr; }
  void prepare(const PacketRunOptions& options) {
    if (options.prepare) options.prepare(network_);
  }
  std::unique_ptr<Waves> waves(const std::string& path, const PacketPlatform& platform) {
    return std::make_unique<Waves>(path, platform, part_, network_, routers_);
  }
  /// What lockstep pairs of routers have compared.
  void add_schedulers(ReportData& report) const { add_lockstep(routers_.compared(), report); }

 private:
  const Part part_;
  std::unique_ptr<IqFaults> faults_;
  const std::string name_;
  IqRouters routers_;
  Network network_;
};

/// Throws InputError when blocks in RTL cannot stand for the routers that the configuration names.
void check_iq_routers(const PacketPlatform& platform);

extern const PacketNetworkType kIqSystem;

}  // namespace weft
