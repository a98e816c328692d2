// The egress schedulers and their exceptions by port.

#include <fmt/format.h>

#include <optional>

#include "fabrics/packet/keys/packet_resolver.h"
#include "network/keys/port_range.h"

namespace weft {
std::vector<TableEntryConfig> PacketResolver::table(const Given<std::vector<Placed<RawTableEntry>>>& raw,
                                                    const std::string& path) {
  std::vector<TableEntryConfig> out;
  for (std::size_t i = 0; i < raw.value.size(); ++i) {
    const auto& entry = raw.value[i];
    if (!entry.valid || !entry.value.sl.valid) continue;
    const auto sl = level_of(entry.value.sl.value, entry.value.sl.where, fmt::format("{}.{}.sl", path, i));
    if (sl) out.push_back({entry.where, *sl, entry.value.weight.value, entry.value.weight.where});
  }
  return out;
}

// Keys of levels that another scheduler uses: one warning for each, at the first level that has it.
void PacketResolver::unused_level_keys() {
  if (!raw_.packet_switch.valid || !raw_.packet_switch.value.architecture.valid) return;
  const bool iq = out_.packet_switch.architecture == PacketArchitecture::iq;
  const auto look = [&](const char* name, auto RawLevel::*key, std::optional<SchedulerKind> user) {
    if (!iq && (!user || out_.scheduler == *user)) return;
    std::string at;
    Location where;
    int more = -1;
    for (const auto& entry : raw_.qos.value.levels.value) {
      const auto& k = entry.value.*key;
      if (!k.given || !k.valid || ++more > 0) continue;
      at = fmt::format("qos.levels.{}.{}", entry.name, name);
      where = k.key_where;
    }
    if (more < 0) return;
    diagnostics_.warning(
        where,
        fmt::format("{} has no effect with {}{}{}", at,
                    iq ? std::string("architecture 'iq'") : fmt::format("scheduler '{}'", to_string(out_.scheduler)),
                    !iq ? fmt::format("; it belongs to '{}'", to_string(*user)) : std::string(),
                    more > 0 ? fmt::format(" (nor have those of {} further level{})", more, more > 1 ? "s" : "")
                             : std::string()));
  };
  look("quantum", &RawLevel::quantum, SchedulerKind::drr);
  look("share", &RawLevel::share, SchedulerKind::scfq);
  look("priority", &RawLevel::priority, SchedulerKind::strict_priority);
  look("lanes", &RawLevel::lanes, std::nullopt);
}

void PacketResolver::scheduler() {
  const RawQos& r = raw_.qos.value;
  out_.scheduler_where = r.scheduler.where;
  out_.scheduler = r.scheduler.value;
  const RawDtable& d = r.dtable.value;
  out_.counter_bits = d.counter_bits.value;
  out_.counter_bits_where = d.counter_bits.where;
  out_.table_where = d.table.where;
  out_.dtable = d.implementation.value;
  if (out_.levels.empty() || !r.scheduler.valid) return;
  unused_level_keys();
  if (raw_.packet_switch.value.architecture.value == PacketArchitecture::iq)
    return;  // has none, which is told elsewhere
  const bool dtable = out_.scheduler == SchedulerKind::dtable;
  const std::string with = fmt::format(" has no effect with scheduler '{}'", to_string(out_.scheduler));
  const bool rtl = r.dtable.value.implementation.given || r.dtable.value.instances.given;  // errors of their own
  warn_unused(r.dtable, dtable || rtl, "qos.dtable" + with, diagnostics_);
  warn_unused(r.ib_arbiter, out_.scheduler == SchedulerKind::ib_arbiter, "qos.ib_arbiter" + with, diagnostics_);
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
  if (out_.scheduler == SchedulerKind::ib_arbiter && !ib.high.given && !ib.low.given) {
    diagnostics_.error(r.scheduler.where, "qos.scheduler: ib_arbiter needs 'qos.ib_arbiter.high' or 'low'");
  }
  for (std::size_t i = 0; i < out_.levels.size() && i < r.levels.value.size(); ++i) {
    const RawLevel& l = r.levels.value[i].value;
    const char* missing = out_.scheduler == SchedulerKind::drr && !l.quantum.given  ? "quantum"
                          : out_.scheduler == SchedulerKind::scfq && !l.share.given ? "share"
                                                                                    : nullptr;
    if (missing != nullptr) {
      diagnostics_.error(out_.levels[i].where, fmt::format("qos.levels.{}: scheduler {} needs the key '{}'",
                                                           out_.levels[i].name, to_string(out_.scheduler), missing));
    }
  }
}

}  // namespace weft
