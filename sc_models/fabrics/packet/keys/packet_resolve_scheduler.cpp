// The egress schedulers and their exceptions by port.

#include <fmt/format.h>

#include <string_view>

#include "algorithms/qos/ib_arbiter.h"
#include "algorithms/qos/scheduler_factory.h"
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
  const bool none = architecture().flit_by_flit;  // has no egress schedulers
  const auto look = [&](const char* name, auto RawLevel::*key) {
    const SchedulerType* user = nullptr;
    for (const SchedulerType* type : scheduler_types()) {
      if (type->level_key == name) user = type;
    }
    if (!none && (user == nullptr || out_.scheduler == user)) return;
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
        where, fmt::format("{} has no effect with {}{}{}", at,
                           none ? fmt::format("architecture '{}'", architecture().name)
                                : fmt::format("scheduler '{}'", out_.scheduler->name),
                           !none ? fmt::format("; it belongs to '{}'", user->name) : std::string(),
                           more > 0 ? fmt::format(" (nor have those of {} further level{})", more, more > 1 ? "s" : "")
                                    : std::string()));
  };
  look("quantum", &RawLevel::quantum);
  look("share", &RawLevel::share);
  look("priority", &RawLevel::priority);
  look("lanes", &RawLevel::lanes);
}

void PacketResolver::scheduler() {
  const RawQos& r = raw_.qos.value;
  out_.scheduler_where = r.scheduler.where;
  if (r.scheduler.valid) out_.scheduler = r.scheduler.value;
  const RawDtable& d = r.dtable.value;
  out_.counter_bits = d.counter_bits.value;
  out_.counter_bits_where = d.counter_bits.where;
  out_.table_where = d.table.where;
  out_.dtable = block_choice(d.implementation, d.rtl);
  if (out_.levels.empty() || !r.scheduler.valid) return;
  unused_level_keys();
  if (architecture().flit_by_flit) return;  // has none, which is told elsewhere
  const bool dtable = out_.scheduler == &kDtableScheduler;
  const std::string with = fmt::format(" has no effect with scheduler '{}'", out_.scheduler->name);
  const bool rtl = r.dtable.value.implementation.given || r.dtable.value.instances.given;  // errors of their own
  warn_unused(r.dtable, dtable || rtl, "qos.dtable" + with, diagnostics_);
  warn_unused(r.ib_arbiter, out_.scheduler == &kIbArbiterScheduler, "qos.ib_arbiter" + with, diagnostics_);
  if (dtable && !d.table.given) {
    diagnostics_.error(r.scheduler.where, "qos.scheduler: dtable needs the key 'qos.dtable.table'");
  }
  if (!dtable && d.implementation.given && d.implementation.value != Implementation::model) {
    diagnostics_.error(d.implementation.where,
                       fmt::format("qos.dtable.implementation: only the scheduler dtable exists in RTL, this is '{}'",
                                   out_.scheduler->name));
  }
  bool used = false;
  for (const auto& entry : d.instances.value) {
    const auto range = parse_port_range(entry.name, entry.where, "qos.dtable.instances", diagnostics_);
    const RawBlock& block = entry.value;
    if (!range || (block.implementation.given && !block.implementation.valid)) continue;
    const BlockChoice choice = block_exception(block.implementation, block.rtl, out_.dtable,
                                               "qos.dtable.instances." + entry.name, diagnostics_);
    used = used || (!choice.is_model() && !block.rtl.given);
    out_.scheduler_instances.push_back({*range, choice});
    if (!dtable) {
      diagnostics_.error(entry.where,
                         fmt::format("qos.dtable.instances: only the scheduler dtable exists in RTL, this is "
                                     "'{}'",
                                     out_.scheduler->name));
    }
  }
  warn_unused_block(d.rtl, out_.dtable, used, "qos.dtable", diagnostics_);
  out_.table = table(d.table, "qos.dtable.table");
  const RawIbArbiter& ib = r.ib_arbiter.value;
  out_.high = table(ib.high, "qos.ib_arbiter.high");
  out_.low = table(ib.low, "qos.ib_arbiter.low");
  out_.limit_of_high_priority = ib.limit_of_high_priority.value;
  if (out_.scheduler == &kIbArbiterScheduler && !ib.high.given && !ib.low.given) {
    diagnostics_.error(r.scheduler.where, "qos.scheduler: ib_arbiter needs 'qos.ib_arbiter.high' or 'low'");
  }
  for (std::size_t i = 0; i < out_.levels.size() && i < r.levels.value.size(); ++i) {
    const RawLevel& l = r.levels.value[i].value;
    const std::string_view needed = out_.scheduler->level_key;
    const bool given = needed == "quantum" ? l.quantum.given : needed == "share" ? l.share.given : l.priority.given;
    if (out_.scheduler->needs_level_key && !given) {
      diagnostics_.error(out_.levels[i].where, fmt::format("qos.levels.{}: scheduler {} needs the key '{}'",
                                                           out_.levels[i].name, out_.scheduler->name, needed));
    }
  }
}

}  // namespace weft
