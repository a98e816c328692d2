// Programs of the nodes of a packet network, and what does not go together with them.

#include <fmt/format.h>

#include "fabrics/packet/keys/packet_resolver.h"

namespace weft {

void PacketResolver::programs() {
  const RawEndpoints& e = raw_.endpoints.value;
  if (!has_programs(raw_)) {
    warn_unused(raw_.endpoints, false, "endpoints has no effect without programs", diagnostics_);
    warn_unused(raw_.buffers, false, "buffers has no effect without programs", diagnostics_);
    return;
  }
  if (!check_alone(raw_, {{"traffic", raw_.traffic}, {"trace", raw_.trace}, {"faults", raw_.faults}}, diagnostics_))
    return;
  warn_unused(raw_.run, false, "run has no effect with programs, which run to their end", diagnostics_);
  warn_unused(raw_.observe.value.message_log, false, "observe.message_log has no effect with programs", diagnostics_);
  if (!e.nics.valid || diagnostics_.errors() > 0 || out_.levels.empty()) return;
  EndpointsConfig& out = out_.endpoints;
  out.nics = e.nics.value;
  out.spread = e.spread.value;
  out.spread_where = e.spread.where;
  out.send_overhead = cycles(e.send_overhead);
  out.receive_overhead = cycles(e.receive_overhead);
  out.combine = cycles(e.combine);
  out.algorithms = resolve_algorithms(e.algorithms.value);
  if (e.level.given) {
    const auto level = level_of(e.level.value, e.level.where, "endpoints.level");
    if (!level) return;
    out.sl = *level;
  }
  const std::optional<std::uint32_t> nics = nodes_of_topology(out_.topology);
  if (nics && *nics % out.nics != 0) {
    diagnostics_.error(e.nics.where, fmt::format("endpoints.nics: the network has {} NICs, which are no whole number "
                                                 "of nodes with {} each",
                                                 *nics, out.nics));
    return;
  }
  const auto nodes = nics ? std::optional(*nics / out.nics) : std::nullopt;
  auto programs = resolve_network_programs(
      raw_, document_, {"packet network", nodes, out_.topology.where, out_.link.period}, diagnostics_);
  if (!programs) return;
  out.where = programs->where;
  out.nodes = programs->nodes;
  out_.programs = std::move(programs->programs);
}

}  // namespace weft
