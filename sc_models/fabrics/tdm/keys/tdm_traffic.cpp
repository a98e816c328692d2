// Traffic between the nodes of a FiC network: streams and traces, whose messages say which circuits there are; and what
// does not go together with them.

#include <fmt/format.h>

#include <utility>

#include "fabrics/tdm/keys/tdm_schema.h"

namespace weft {
namespace {

constexpr Duration kTrafficWarmUp{20'000'000};

void warn_unused_traffic(const RawTdm& raw, Diagnostics& diagnostics) {
  const RawRun& r = raw.run.value;
  const std::pair<const char*, const KeyState&> run[] = {
      {"until", r.until},   {"half_width", r.half_width}, {"confidence", r.confidence}, {"at_most", r.at_most},
      {"levels", r.levels}, {"drain", r.drain},           {"settle", r.settle}};
  for (const auto& [key, state] : run) {
    if (!state.given) continue;
    diagnostics.warning(state.key_where,
                        fmt::format("run.{} has no effect with circuits, each of which has a source of "
                                    "its own",
                                    key));
  }
  warn_unused(raw.qos, false, "qos has no effect without traffic and trace", diagnostics);
  warn_unused(raw.observe.value.message_log, false, "observe.message_log has no effect without traffic and trace",
              diagnostics);
}

}  // namespace

void resolve_tdm_traffic(const RawTdm& raw, const ConfigDocument& document, TdmConfig& out, Diagnostics& diagnostics) {
  if (!has_traffic(raw)) {
    if (!has_programs(raw)) warn_unused_traffic(raw, diagnostics);
    return;
  }
  const auto& mode = raw.setup.value.mode;
  if (raw.setup.valid && mode.valid && mode.value == SetupMode::in_network) {
    diagnostics.error(mode.where,
                      "setup.mode: messages between nodes need their circuits in place; with in_network each flow asks "
                      "for its own (circuits); use central or preset");
  }
  const std::pair<const char*, const KeyState&> others[] = {{"circuits", raw.circuits},
                                                            {"circuits_file", raw.circuits_file},
                                                            {"pattern", raw.pattern},
                                                            {"alltoall", raw.alltoall},
                                                            {"schedule_file", raw.schedule_file},
                                                            {"phases", raw.phases},
                                                            {"sources", raw.sources},
                                                            {"program", raw.program},
                                                            {"programs", raw.programs},
                                                            {"program_file", raw.program_file}};
  for (const auto& [key, state] : others) {
    if (!state.given) continue;
    diagnostics.error(
        state.key_where,
        fmt::format("{}: cannot be combined with traffic and trace, whose messages say which circuits there "
                    "are and what they carry",
                    key));
  }
  if (!raw.qos.given) {
    diagnostics.error(raw.traffic.given ? raw.traffic.key_where : raw.trace.key_where,
                      "traffic and trace need the key 'qos', with the service levels of their messages");
    return;
  }
  if (raw.traffic.given && raw.traffic.valid && raw.traffic.value.empty() && !raw.trace.given) {
    diagnostics.warning(raw.traffic.key_where,
                        "traffic is empty, so there are no circuits: each is there for messages between two nodes; for "
                        "a design that drives the endpoints itself, give circuits with sources: { arrivals: none }");
  }
  if (out.tdm_switch.period.ps <= 0 || out.tdm_switch.word_bits() <= 0) return;  // nothing can be counted in words
  RawWorkload workload = raw;
  if (!workload.run.value.warm_up.given) workload.run.value.warm_up.value = kTrafficWarmUp;
  workload.RawWorkload::observe.value.message_log = raw.observe.value.message_log;
  out.workload = resolve_traffic(workload, document,
                                 {"FiC network", nodes_of_topology(out.topology), out.topology.where,
                                  out.tdm_switch.period, DataSize{out.tdm_switch.word_bits()}},
                                 diagnostics);
}

}  // namespace weft
