#pragma once
// The routers of an input-queued network that have RTL inside, switch by switch as the configuration says. Models, RTL
// and lockstep pairs give the same results.

#include <map>
#include <memory>
#include <string>

#include "cosim/common/lockstep_counts.h"
#include "cosim/packet/iq_rtl_routers.h"
#include "run/packet/packet_platform.h"

namespace weft {

/// What a block must be able to do that stands for the router of a switch. `widest_hop`: as widest_hop()
/// (fabrics/packet/iq/iq_routes.h) has it.
IqRouterNeed iq_router_need(const PacketPlatform& platform, SwitchId sw, std::uint32_t widest_hop);

class IqRouters final : public IqRouterFactory {
 public:
  /// The platform must outlive it. `fabric`: name of the module of the network.
  IqRouters(const PacketPlatform& platform, std::string fabric);
  std::unique_ptr<IqRouterModule> router(const char* name, const IqRouterPlace& place) override;
  /// The routers that have RTL, by switch. The network has them.
  const std::map<SwitchId, IqRtlModule*>& made() const { return made_; }
  const LockstepCounts& compared() const { return compared_; }

 private:
  const PacketPlatform& platform_;
  const std::string fabric_;
  const std::uint32_t widest_hop_;  // ports; 1 without routers in RTL
  std::shared_ptr<VerilatedContext> context_;
  std::map<SwitchId, IqRtlModule*> made_;
  LockstepCounts compared_;
};

}  // namespace weft
