#include "run/packet/iq_routers.h"

#include <fmt/format.h>

#include <utility>

namespace weft {

IqRouters::IqRouters(const PacketPlatform& platform, std::string fabric)
    : platform_(platform), fabric_(std::move(fabric)), context_(make_rtl_context()) {}

std::unique_ptr<IqRouterModule> IqRouters::router(const char* name, const IqRouterPlace& place) {
  const BlockChoice& which = platform_.router_implementation(place.site.sw);
  if (which.is_model()) return nullptr;
  const IqRouterBlock& block = platform_.blocks().iq_router.of(which);
  const IqRouterRtlSize size = block.size(platform_.router_need(place.site.sw));
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
