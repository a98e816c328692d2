// Programs of the nodes of a FiC network, and what does not go together with them.

#include <fmt/format.h>

#include "fabrics/tdm/keys/tdm_schema.h"

namespace weft {
namespace {

// Circuits that change with the program share the slots of a frame; those that come and go have a number of their own.
void check_collectives(const RawTdm& raw, Diagnostics& diagnostics) {
  const Given<CollectivesOver>& over = raw.endpoints.value.collectives;
  const auto& mode = raw.setup.value.mode;
  if (!over.valid || over.value != CollectivesOver::circuits) return;
  warn_unused(raw.endpoints.value.algorithms, false,
              "endpoints.algorithms has no effect with endpoints.collectives 'circuits'", diagnostics);
  if (!mode.valid || mode.value == SetupMode::in_network) return;
  warn_unused(raw.slots_per_flow, false,
              "slots_per_flow has no effect with endpoints.collectives 'circuits': the circuits of a phase share all "
              "slots of a frame",
              diagnostics);
}

}  // namespace

void resolve_tdm_programs(const RawTdm& raw, const ConfigDocument& document, TdmConfig& out, Diagnostics& diagnostics) {
  if (!has_programs(raw)) {
    warn_unused(raw.endpoints, false, "endpoints has no effect without programs", diagnostics);
    warn_unused(raw.buffers, false, "buffers has no effect without programs", diagnostics);
    return;
  }
  if (has_traffic(raw)) return;  // told there
  check_collectives(raw, diagnostics);
  const bool alone = check_alone(raw, circuit_keys(raw), diagnostics,
                                 ", whose messages say which circuits there are and what they carry");
  if (!alone) return;
  warn_unused(raw.run, false, "run has no effect with programs, which run to their end", diagnostics);
  warn_unused(raw.observe.value.message_log, false, "observe.message_log has no effect with programs", diagnostics);
  out.run.warm_up = {};
  if (diagnostics.errors() > 0) return;
  const auto cycles = [&](const Given<CycleSpan>& span) { return span.value.cycles(out.tdm_switch.period); };
  const RawTdmEndpoints& e = raw.endpoints.value;
  auto programs = resolve_network_programs(
      raw, document, {"FiC network", nodes_of_topology(out.topology), out.topology.where, out.tdm_switch.period},
      diagnostics);
  if (!programs) return;
  out.endpoints = {programs->where,
                   programs->nodes,
                   cycles(e.send_overhead),
                   cycles(e.receive_overhead),
                   cycles(e.combine),
                   e.collectives.value,
                   {}};
  if (e.collectives.value == CollectivesOver::messages)
    out.endpoints.algorithms = resolve_algorithms(e.algorithms.value);
  out.programs = std::move(programs->programs);
}

}  // namespace weft
