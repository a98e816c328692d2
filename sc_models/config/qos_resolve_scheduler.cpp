// The egress schedulers and their exceptions by port.

#include <fmt/format.h>

#include "config/port_range.h"
#include "config/qos_resolver.h"

namespace weft {
std::vector<TableEntryConfig> QosResolver::table(const Given<std::vector<Placed<RawTableEntry>>>& raw,
                                                 const std::string& path) {
  std::vector<TableEntryConfig> out;
  for (std::size_t i = 0; i < raw.value.size(); ++i) {
    const auto& entry = raw.value[i];
    if (!entry.valid || !entry.value.sl.valid) continue;
    const auto sl = level_of(entry.value.sl.value, entry.value.sl.where, fmt::format("{}.{}.sl", path, i));
    if (sl) out.push_back({entry.where, *sl, entry.value.weight.value});
  }
  return out;
}

void QosResolver::scheduler() {
  const RawQos& r = raw_.qos.value;
  out_.scheduler_where = r.scheduler.where;
  out_.scheduler = r.scheduler.value;
  const RawDtable& d = r.dtable.value;
  out_.counter_bits = d.counter_bits.value;
  out_.dtable = d.implementation.value;
  if (out_.levels.empty() || !r.scheduler.valid) return;
  if (raw_.packet_switch.value.architecture.value == PacketArchitecture::iq)
    return;  // has none, which is told elsewhere
  const bool dtable = out_.scheduler == SchedulerChoice::dtable;
  if (dtable && !d.table.given) {
    diagnostics_.error(r.scheduler.where, "qos.scheduler: dtable needs the key 'qos.dtable.table'");
  }
  if (!dtable && d.implementation.given && d.implementation.value != Implementation::model) {
    diagnostics_.error(d.implementation.where,
                       fmt::format("qos.dtable.implementation: only the scheduler dtable exists in RTL, this is '{}'",
                                   to_string(out_.scheduler)));
  }
  for (const auto& entry : d.instances.value) {
    const auto range = parse_port_range(entry.name, entry.where, "qos.dtable.instances", diagnostics_);
    if (!range || !entry.value.implementation.valid) continue;
    out_.scheduler_instances.push_back({*range, entry.value.implementation.value});
    if (!dtable) {
      diagnostics_.error(entry.where,
                         fmt::format("qos.dtable.instances: only the scheduler dtable exists in RTL, this is "
                                     "'{}'",
                                     to_string(out_.scheduler)));
    }
  }
  out_.table = table(d.table, "qos.dtable.table");
  const RawIbArbiter& ib = r.ib_arbiter.value;
  out_.high = table(ib.high, "qos.ib_arbiter.high");
  out_.low = table(ib.low, "qos.ib_arbiter.low");
  out_.limit_of_high_priority = ib.limit_of_high_priority.value;
  if (out_.scheduler == SchedulerChoice::ib_arbiter && !ib.high.given && !ib.low.given) {
    diagnostics_.error(r.scheduler.where, "qos.scheduler: ib_arbiter needs 'qos.ib_arbiter.high' or 'low'");
  }
  for (std::size_t i = 0; i < out_.levels.size() && i < r.levels.value.size(); ++i) {
    const RawLevel& l = r.levels.value[i].value;
    const char* missing = out_.scheduler == SchedulerChoice::drr && !l.quantum.given  ? "quantum"
                          : out_.scheduler == SchedulerChoice::scfq && !l.share.given ? "share"
                                                                                      : nullptr;
    if (missing != nullptr) {
      diagnostics_.error(out_.levels[i].where, fmt::format("qos.levels.{}: scheduler {} needs the key '{}'",
                                                           out_.levels[i].name, to_string(out_.scheduler), missing));
    }
  }
}

}  // namespace weft
