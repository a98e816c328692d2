// The egress schedulers and their exceptions by port.

#include <fmt/format.h>

#include <string_view>

#include "algorithms/qos/ib_arbiter.h"
#include "algorithms/qos/scheduler_factory.h"
#include "algorithms/qos/schedulers.h"
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

// The section of a scheduler that exists in RTL: its implementations when the network has it, else an error or a
// warning.
void PacketResolver::scheduler_section(const SchedulerType& type, const KeyState& section, const RawPortBlock& keys) {
  const std::string path = fmt::format("qos.{}", type.name);
  const bool there = out_.scheduler == &type;
  const auto absent = [&](const Location& where, std::string_view key) {
    const bool rtl = out_.scheduler == &kDtableScheduler || out_.scheduler == &kIbArbiterScheduler ||
                     out_.scheduler == &kDrrScheduler;
    diagnostics_.error(
        where, fmt::format("{}.{}: qos.scheduler is '{}'{}", path, key, out_.scheduler->name,
                           rtl ? fmt::format("; expected qos.{}.{}", out_.scheduler->name, key)
                               : fmt::format(", which does not exist in RTL; {}, {} and {} do", kDtableScheduler.name,
                                             kIbArbiterScheduler.name, kDrrScheduler.name)));
  };
  const bool told = keys.implementation.given || keys.instances.given;  // errors of their own
  if (section.valid && section.given && !there && !told) {
    diagnostics_.warning(section.key_where,
                         fmt::format("{} has no effect with scheduler '{}'", path, out_.scheduler->name));
  }
  if (!there && keys.implementation.given && keys.implementation.value != Implementation::model) {
    absent(keys.implementation.where, "implementation");
  }
  const BlockChoice all = block_choice(keys.implementation, keys.rtl);
  if (there) out_.scheduler_block = all;
  bool used = false;
  for (const auto& entry : keys.instances.value) {
    const auto range = parse_port_range(entry.name, entry.where, path + ".instances", diagnostics_);
    const RawBlock& block = entry.value;
    if (!range || (block.implementation.given && !block.implementation.valid)) continue;
    const BlockChoice choice =
        block_exception(block.implementation, block.rtl, all, path + ".instances." + entry.name, diagnostics_);
    used = used || (!choice.is_model() && !block.rtl.given);
    if (there) {
      out_.scheduler_instances.push_back({*range, choice});
    } else {
      absent(entry.where, "instances");
    }
  }
  warn_unused_block(keys.rtl, all, used, path, diagnostics_);
}

void PacketResolver::scheduler() {
  const RawQos& r = raw_.qos.value;
  out_.scheduler_where = r.scheduler.where;
  if (r.scheduler.valid) out_.scheduler = r.scheduler.value;
  const RawDtable& d = r.dtable.value;
  out_.counter_bits = d.counter_bits.value;
  out_.counter_bits_where = d.counter_bits.where;
  out_.table_where = d.table.where;
  if (out_.levels.empty() || !r.scheduler.valid) return;
  unused_level_keys();
  if (architecture().flit_by_flit) return;  // has none, which is told elsewhere
  if (out_.scheduler == &kDtableScheduler && !d.table.given) {
    diagnostics_.error(r.scheduler.where, "qos.scheduler: dtable needs the key 'qos.dtable.table'");
  }
  scheduler_section(kDtableScheduler, r.dtable, d);
  scheduler_section(kIbArbiterScheduler, r.ib_arbiter, r.ib_arbiter.value);
  scheduler_section(kDrrScheduler, r.drr, r.drr.value);
  out_.table = table(d.table, "qos.dtable.table");
  const RawIbArbiter& ib = r.ib_arbiter.value;
  out_.high_where = ib.high.where;
  out_.low_where = ib.low.where;
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
