// Routers in RTL: which switches have them, and whether the blocks can stand for them.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/diagnostics.h"
#include "fabrics/packet/iq/iq_routes.h"
#include "network/places.h"
#include "run/packet/packet_platform.h"

namespace weft {
const BlockChoice& PacketPlatform::router_implementation(SwitchId sw) const {
  const OwnSwitchConfig& own = config_.packet_switch.own;
  const BlockChoice* out = &own.router;
  for (const RouterInstances& i : own.router_instances) {
    if (sw >= i.range.first && sw <= i.range.last) out = &i.router;
  }
  return *out;
}

bool PacketPlatform::has_rtl_routers() const {
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    if (!router_implementation(s).is_model()) return true;
  }
  return false;
}

IqRouterNeed PacketPlatform::router_need(SwitchId sw) const {
  return {graph_.ports(sw), widest_hop_, iq_parameters(own_parameters())};
}

// What is wrong with a block is said once, at the key that it cannot follow.
void PacketPlatform::check_routers() {
  Diagnostics diagnostics;
  const OwnSwitchConfig& own = config_.packet_switch.own;
  for (const RouterInstances& i : own.router_instances) {
    if (const std::string problem = range_problem(i.range, graph_); !problem.empty()) {
      diagnostics.error(i.range.where, "switch.iq.instances: " + problem);
    }
  }
  if (!has_rtl_routers()) return diagnostics.throw_if_errors();
  for (const FaultConfig& f : config_.faults) {
    diagnostics.error(
        f.place.where,
        f.name + ": routers in RTL do not know of links that fail; a network with faults needs the models");
  }
  widest_hop_ = widest_hop(*routing_, graph_);
  std::map<std::string, SwitchId> largest;  // one switch of each block
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    const BlockChoice& choice = router_implementation(s);
    if (choice.is_model()) continue;
    const auto [at, first] = largest.try_emplace(choice.rtl, s);
    if (!first && graph_.ports(s) > graph_.ports(at->second)) at->second = s;
  }
  for (const auto& [name, sw] : largest) {
    const BlockChoice& choice = router_implementation(sw);
    passes(
        [&] {
          const IqRouterBlock& block = blocks_.iq_router.of(choice);
          const IqRouterNeed need = router_need(sw);
          for (const IqRouterLimit& limit : iq_router_rtl_limits(block.size(need), need)) {
            const bool own_key = limit.key != "topology" && limit.key != "routing" && !limit.key.starts_with("link");
            const Location& where = limit.key == "topology"  ? config_.topology.where
                                    : limit.key == "routing" ? config_.routing.where
                                    : own_key                ? own.place_of(limit.key)
                                                             : config_.link.credit_delay_where;
            const std::string more =
                name.empty() ? "; weft_add_block(... PLACE iq_router ...) makes a block of other parameters" : "";
            diagnostics.error(where, (own_key ? "switch.iq." : "") + limit.key + ": " + limit.text + more);
          }
        },
        diagnostics);
  }
  diagnostics.sort();
  diagnostics.throw_if_errors();
}

}  // namespace weft
