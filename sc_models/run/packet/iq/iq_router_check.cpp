// Routers in RTL: whether the blocks can stand for them.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/diagnostics.h"
#include "cosim/common/block_call.h"
#include "fabrics/packet/iq/iq_routes.h"
#include "network/places.h"
#include "run/packet/iq/iq_routers.h"
#include "run/packet/iq/iq_system.h"

namespace weft {

// What is wrong with a block is said once, at the key that it cannot follow.
void check_iq_routers(const PacketPlatform& platform) {
  Diagnostics diagnostics;
  const PacketConfig& config = platform.config();
  const Graph& graph = platform.graph();
  const OwnSwitchConfig& own = config.packet_switch.own;
  for (const RouterInstances& i : own.router_instances) {
    if (const std::string problem = range_problem(i.range, graph); !problem.empty()) {
      diagnostics.error(i.range.where, "switch.iq.instances: " + problem);
    }
  }
  if (!platform.has_rtl_routers()) return diagnostics.throw_if_errors();
  for (const FaultConfig& f : config.faults) {
    diagnostics.error(
        f.place.where,
        f.name + ": routers in RTL do not know of links that fail; a network with faults needs the models");
  }
  const std::uint32_t widest = widest_hop(platform.routing(), graph);
  std::map<std::string, SwitchId> largest;  // one switch of each block
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const BlockChoice& choice = platform.router_implementation(s);
    if (choice.is_model()) continue;
    const auto [at, first] = largest.try_emplace(choice.rtl, s);
    if (!first && graph.ports(s) > graph.ports(at->second)) at->second = s;
  }
  for (const auto& one : largest) {
    const SwitchId sw = one.second;
    const BlockChoice& choice = platform.router_implementation(sw);
    passes(
        [&] {
          const IqRouterBlock& block = platform.blocks().iq_router.of(choice);
          const IqRouterNeed need = iq_router_need(platform, sw, widest);
          const std::vector<IqRouterLimit> limits = iq_router_rtl_limits(block.size(need), need);
          for (const IqRouterLimit& limit : limits) {
            const bool own_key = limit.key != "topology" && limit.key != "routing" && !limit.key.starts_with("link");
            const Location& where = limit.key == "topology"  ? config.topology.where
                                    : limit.key == "routing" ? config.routing.where
                                    : own_key                ? own.place_of(limit.key)
                                                             : config.link.credit_delay_where;
            const std::string call =
                choice.rtl.empty() && &limit == &limits.back() ? iq_router_block_call(need) : std::string();
            diagnostics.error(where,
                              (own_key ? "switch.iq." : "") + limit.key + ": " + limit.text + of_this_size(call));
          }
        },
        diagnostics);
  }
  diagnostics.sort();
  diagnostics.throw_if_errors();
}

}  // namespace weft
