// Traffic between the nodes of a FiC network: streams and traces, whose messages say which circuits there are; and what
// does not go together with them.

#include <fmt/format.h>

#include "fabrics/tdm/keys/tdm_schema.h"

namespace weft {
namespace {

constexpr Duration kTrafficWarmUp{20'000'000};

void warn_unused_traffic(const RawTdm& raw, Diagnostics& diagnostics) {
  const RawRun& r = raw.run.value;
  for (const NamedKey& k : {NamedKey{"until", r.until}, NamedKey{"half_width", r.half_width},
                            NamedKey{"confidence", r.confidence}, NamedKey{"at_most", r.at_most},
                            NamedKey{"levels", r.levels}, NamedKey{"drain", r.drain}, NamedKey{"settle", r.settle}}) {
    if (!k.key.given) continue;
    diagnostics.warning(k.key.key_where,
                        fmt::format("run.{} has no effect with circuits, each of which has a source of "
                                    "its own",
                                    k.name));
  }
  warn_unused(raw.qos, false, "qos has no effect without traffic and trace", diagnostics);
}

}  // namespace

std::vector<NamedKey> circuit_keys(const RawTdm& raw) {
  return {{"circuits", raw.circuits}, {"circuits_file", raw.circuits_file}, {"pattern", raw.pattern},
          {"alltoall", raw.alltoall}, {"schedule_file", raw.schedule_file}, {"phases", raw.phases},
          {"sources", raw.sources}};
}

void resolve_tdm_traffic(const RawTdm& raw, const ConfigDocument& document, TdmConfig& out, Diagnostics& diagnostics) {
  if (!has_traffic(raw)) {
    if (!has_programs(raw)) warn_unused_traffic(raw, diagnostics);
    return;
  }
  std::vector<NamedKey> others = circuit_keys(raw);
  for (const NamedKey& k : {NamedKey{"program", raw.program}, NamedKey{"programs", raw.programs},
                            NamedKey{"program_file", raw.program_file}}) {
    others.push_back(k);
  }
  refuse_keys(
      others,
      "cannot be combined with traffic and trace, whose messages say which circuits there are and what they carry",
      diagnostics);
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
