#include "run/packet/iq/iq_routers.h"

#include <fmt/format.h>

#include <utility>

#include "fabrics/packet/iq/iq_routes.h"

namespace weft {

IqRouterNeed iq_router_need(const PacketPlatform& platform, SwitchId sw, std::uint32_t widest_hop) {
  return {platform.graph().ports(sw), widest_hop, iq_parameters(platform.own_parameters())};
}

IqRouters::IqRouters(const PacketPlatform& platform, std::string fabric)
    : platform_(platform),
      fabric_(std::move(fabric)),
      widest_hop_(platform.has_rtl_routers() ? widest_hop(platform.routing(), platform.graph()) : 1),
      context_(make_rtl_context()) {}

std::unique_ptr<IqRouterModule> IqRouters::router(const char* name, const IqRouterPlace& place) {
  const BlockChoice& which = platform_.router_implementation(place.site.sw);
  if (which.is_model()) return nullptr;
  const IqRouterBlock& block = platform_.blocks().iq_router.of(which);
  const IqRouterRtlSize size = block.size(iq_router_need(platform_, place.site.sw, widest_hop_));
  auto rtl = block.make(*context_, size, fmt::format("{}.{}.iq_router_rtl", fabric_, name));
  std::unique_ptr<IqRtlModule> made;
  if (which.implementation == Implementation::rtl) {
    made = std::make_unique<RtlIqRouter>(name, place, std::move(rtl), size);
  } else {
    LockstepCount& count = compared_.add_pair(pair_name("iq_router", which), *rtl);
    made = std::make_unique<LockstepIqRouter>(name, place, std::move(rtl), size, count);
  }
  made_[place.site.sw] = made.get();
  return made;
}

}  // namespace weft
