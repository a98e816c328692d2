#include "run/traffic_stats.h"

#include <utility>

namespace weft {

TransferStatsOptions stats_options(const FabricPlan& plan, const Fabric& fabric) {
  const Workload& w = plan.workload();
  TransferStatsOptions out;
  bool ordered = !w.has_programs();
  for (std::size_t s = 0; s < w.traffic.services.size(); ++s) {
    const ServiceConfig& c = w.traffic.services[s];
    out.services.push_back({c.name, c.traffic_class, c.message});
    ordered = ordered && fabric.of(static_cast<ServiceId>(s)).ordered;
  }
  out.tick = fabric.tick();
  out.cycle = plan.cycle();
  out.flit_bits = plan.flit_bits();
  out.nodes = fabric.nodes();
  out.confidence = w.run.confidence;
  out.in_order = ordered;
  return out;
}

TransferStatsOptions with_routes(TransferStatsOptions options, const BuiltFabric& built) {
  options.hops = built.hops();
  options.pairs = !built.tells_pairs();
  return options;
}

}  // namespace weft
