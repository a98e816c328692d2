// From what a FiC file says to its checked configuration: network, switches, and everything that is not a
// phase.

#include <fmt/format.h>

#include <algorithm>

#include "fabrics/tdm/keys/tdm_schema.h"
#include "network/keys/port_range.h"

namespace weft {

TdmSwitchConfig resolve_switch(const Given<RawSwitch>& section, Diagnostics& diagnostics) {
  const RawSwitch& raw = section.value;
  TdmSwitchConfig out;
  out.where = section.where;
  out.clock = raw.clock.value;
  out.slots = raw.slots.value;
  out.lanes = raw.lanes.value;
  out.lane_payload_bits = raw.lane_payload.value.bits;
  if (raw.clock.valid) {
    out.period = *period_of(raw.clock.value).value;
    out.pipeline = raw.pipeline.value.cycles(out.period);
    out.serdes = raw.serdes.value.cycles(out.period);
    out.reconfiguration = raw.reconfiguration.value.cycles(out.period);
  }
  const RawBlock& lut = raw.slot_lut.value;
  const RawBlock& path = raw.data_path.value;
  const RawBlock& unit = raw.setup_unit.value;
  out.all = {block_choice(lut.implementation, lut.rtl), block_choice(path.implementation, path.rtl),
             block_choice(unit.implementation, unit.rtl)};
  bool lut_used = false;
  bool path_used = false;
  bool unit_used = false;
  for (const auto& entry : raw.instances.value) {
    SwitchInstances instances;
    const auto range = parse_switch_range(entry.name, entry.where, "switch.instances", diagnostics);
    if (!range) continue;
    instances.range = *range;
    const std::string at = "switch.instances." + entry.name;
    instances.slot_lut =
        block_exception(entry.value.slot_lut, out.all.slot_lut, at + ".slot_lut", lut_used, diagnostics);
    instances.data_path =
        block_exception(entry.value.data_path, out.all.data_path, at + ".data_path", path_used, diagnostics);
    instances.setup_unit =
        block_exception(entry.value.setup_unit, out.all.setup_unit, at + ".setup_unit", unit_used, diagnostics);
    out.instances.push_back(std::move(instances));
  }
  warn_unused_block(lut.rtl, out.all.slot_lut, lut_used, "switch.slot_lut", diagnostics);
  warn_unused_block(path.rtl, out.all.data_path, path_used, "switch.data_path", diagnostics);
  warn_unused_block(unit.rtl, out.all.setup_unit, unit_used, "switch.setup_unit", diagnostics);
  return out;
}

HostInterfaceConfig resolve_host_interface(const RawHostInterface& raw, Diagnostics& diagnostics) {
  HostInterfaceConfig out;
  out.all = block_choice(raw.implementation, raw.rtl);
  bool used = false;
  for (const auto& entry : raw.instances.value) {
    const auto range = parse_node_range(entry.name, entry.where, "host_interface.instances", diagnostics);
    if (!range) continue;
    const BlockChoice choice = block_exception(entry.value.implementation, entry.value.rtl, out.all,
                                               "host_interface.instances." + entry.name, diagnostics);
    used = used || (!choice.is_model() && !entry.value.rtl.given);
    out.instances.push_back({*range, choice});
  }
  warn_unused_block(raw.rtl, out.all, used, "host_interface", diagnostics);
  return out;
}

TdmConfig resolve_tdm(const RawTdm& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  TdmConfig out;
  out.title = raw.title.value;
  out.seed = raw.seed.value;
  const std::size_t errors_before = diagnostics.errors();
  out.topology = resolve_topology(raw.topology, document, diagnostics);
  out.topology_is_valid = raw.topology.valid && raw.topology.value.kind.valid && values_are_valid(raw.topology.value) &&
                          diagnostics.errors() == errors_before;
  out.routing = resolve_routing(raw.routing.value, raw.routing.where, out.topology, out.topology_is_valid,
                                SwitchingKind::circuits, diagnostics);
  out.tdm_switch = resolve_switch(raw.tdm_switch, diagnostics);
  out.host = resolve_host_interface(raw.host_interface.value, diagnostics);
  out.board = resolve_board(raw, out.tdm_switch, diagnostics);
  out.tdm_switch.serdes += out.board.link_latency();

  const RawSlots& slots = raw.slots.value;
  const bool planned = raw.setup.value.mode.value != SetupMode::in_network;
  out.slots = {slots.allocator.valid ? slots.allocator.value : &kFirstFit,
               slots.bundles.given ? slots.bundles.value
               : planned           ? BundleSlots::together
                                   : BundleSlots::apart,
               slots.slot_update.value, slots.search_iterations.value};
  if (slots.allocator.valid) {
    warn_unused(slots.search_iterations, out.slots.allocator->searches,
                fmt::format("slots.search_iterations has no effect with allocator '{}'", out.slots.allocator->name),
                diagnostics);
  }

  const RawSetup& setup = raw.setup.value;
  out.setup.mode = setup.mode.value;
  if (out.tdm_switch.period.ps > 0) out.setup.processing = setup.processing.value.cycles(out.tdm_switch.period);

  if (out.tdm_switch.period.ps > 0) out.setup.backoff = setup.backoff.value.cycles(out.tdm_switch.period);
  out.setup.routes = setup.routes.value;
  out.setup.tries = setup.tries.value;
  out.phases = resolve_phases(raw, document, diagnostics);
  out.adapters = resolve_adapters(raw.adapters, out.tdm_switch.period, diagnostics);
  out.faults = resolve_faults(raw.faults, out.tdm_switch.period, diagnostics);
  check_in_network(raw, out.phases, diagnostics);
  out.run = {raw.run.value.warm_up.value, raw.run.value.measure.value};
  const auto counted = [](const PhaseConfig& p) {
    const auto own = [](const FlowConfig& c) { return c.messages || c.duration; };
    return p.sources.messages || (!p.circuits.empty() && std::all_of(p.circuits.begin(), p.circuits.end(), own));
  };
  warn_unused(raw.run.value.measure, out.phases.empty() || !std::all_of(out.phases.begin(), out.phases.end(), counted),
              "run.measure has no effect: it is given how many messages each circuit sends, or how long", diagnostics);
  resolve_tdm_programs(raw, document, out, diagnostics);
  resolve_tdm_traffic(raw, document, out, diagnostics);

  const RawWaves& waves = raw.observe.value.waves.value;
  out.observe.message_log = raw.observe.value.message_log.value;
  out.observe.profile = profile_window(raw.observe.value.profile, out.tdm_switch.period);
  out.workload.profile = out.observe.profile;
  out.observe.slot_trace = raw.observe.value.slot_trace.value;
  for (const auto& range : waves.switches.value) out.observe.waves.switches.push_back(range.value);
  out.observe.waves.times = resolve_wave_times(waves, diagnostics);
  out.workload.wave_trigger = out.observe.waves.times.trigger;
  out.workload.wave_transfers = out.observe.waves.times.transfers;
  return out;
}

}  // namespace weft
