#include "run/tdm/tdm_places.h"

#include <fmt/format.h>

#include "algorithms/slots/flow.h"
#include "base/diagnostics.h"
#include "network/places/port_ranges.h"
#include "network/topology/build_topology.h"

namespace weft {
namespace {

void check_range(const SwitchRange& r, const Graph& graph, Diagnostics& diagnostics) {
  if (r.last < graph.switches()) return;
  diagnostics.error(
      r.where, fmt::format("there is no sw[{}]: {} has sw[0] to sw[{}]", r.last, graph.name(), graph.switches() - 1));
}

}  // namespace

void check_places(const TdmConfig& config, const Graph& graph, Diagnostics& diagnostics) {
  for (const SwitchInstances& i : config.tdm_switch.instances) check_range(i.range, graph, diagnostics);
  for (const SwitchRange& r : config.observe.waves.switches) check_range(r, graph, diagnostics);
  check_faults(config.faults, graph, diagnostics);
}

void check_places_of_wrong(const TdmConfig& config, Diagnostics& diagnostics) {
  const auto check = [&] {  // throws when a file describes no network
    const Graph graph = build_topology(config.topology);
    check_places(config, graph, diagnostics);
    for (const PhaseConfig& phase : config.phases) {
      for (const FlowConfig& f : phase.circuits) check_pairs(graph, f.name, f.pairs, f.places, f.where, diagnostics);
    }
  };
  passes(check, diagnostics);
}

}  // namespace weft
