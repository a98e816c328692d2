// Egress schedulers in RTL: ports that exceptions name, and what the compiled RTL does not take, told where the file
// says it.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/diagnostics.h"
#include "cosim/common/block_call.h"
#include "cosim/packet/block_calls.h"
#include "network/places.h"
#include "run/packet/packet_platform.h"

namespace weft {

// Exceptions must name ports that exist, and RTL is compiled for schedulers of limited size. `scheduler`: it has no
// errors of its own.
void PacketPlatform::check_instances(bool scheduler) const {
  Diagnostics diagnostics;
  std::map<std::string, const BlockChoice*> rtl;  // one of each block
  if (!config_.scheduler_block.is_model()) rtl.emplace(config_.scheduler_block.rtl, &config_.scheduler_block);
  for (const PortInstances& i : config_.scheduler_instances) {
    if (!i.block.is_model()) rtl.emplace(i.block.rtl, &i.block);
    if (const std::string problem = range_problem(i.range, graph_); !problem.empty()) {
      diagnostics.error(i.range.where, fmt::format("qos.{}.instances: {}", config_.scheduler->name, problem));
    }
  }
  if (const auto own = blocks_.scheduler(*config_.scheduler); scheduler && own) {
    const std::uint32_t largest = *std::max_element(largest_.begin(), largest_.end());
    const std::string call =
        scheduler_block_call(scheduler_, static_cast<std::uint32_t>(config_.levels.size()), largest);
    for (const auto& [name, choice] : rtl) {
      passes(
          [&, block = choice] {
            const auto limit = own.blocks->of(*block).limit(scheduler_, largest);
            if (limit) report(*limit, block->rtl.empty() ? call : "", diagnostics);
          },
          diagnostics);
    }
  }
  diagnostics.throw_if_errors();
}

void PacketPlatform::report(const SchedulerRtlLimit& limit, const std::string& call, Diagnostics& diagnostics) const {
  using Of = SchedulerRtlLimit::Of;
  const std::string section = fmt::format("qos.{}", config_.scheduler->name);
  const auto say = [&](const Location& where, const std::string& key) {
    diagnostics.error(where, fmt::format("{}: {}{}", key, limit.text, of_this_size(call)));
  };
  const auto largest = std::max_element(config_.levels.begin(), config_.levels.end(),
                                        [](const LevelConfig& a, const LevelConfig& b) { return a.packet < b.packet; });
  if (limit.of == Of::messages) return say(largest->where, "qos.levels." + largest->name);
  // Without tables the weights are keys of the levels.
  if (const std::string_view key = config_.scheduler->level_key; !key.empty()) {
    const LevelConfig& level = config_.levels[limit.entry];
    const std::string path = "qos.levels." + level.name;
    if (limit.of == Of::level) return say(level.where, path);
    return say(level.quantum_where, fmt::format("{}.{}", path, key));
  }
  if (limit.of == Of::counters) return say(config_.counter_bits_where, section + ".counter_bits");
  struct EntryTable {
    const char* key;
    const Location& where;
    const std::vector<TableEntryConfig>& entries;
  };
  const EntryTable table =
      limit.table == SchedulerRtlLimit::Table::high  ? EntryTable{".high", config_.high_where, config_.high}
      : limit.table == SchedulerRtlLimit::Table::low ? EntryTable{".low", config_.low_where, config_.low}
                                                     : EntryTable{".table", config_.table_where, config_.table};
  if (limit.of == Of::table) return say(table.where, section + table.key);
  const TableEntryConfig& entry = table.entries[limit.entry];
  const std::string path = fmt::format("{}{}.{}", section, table.key, limit.entry);
  if (limit.of == Of::level) return say(entry.where, path);
  say(entry.weight_where, path + ".weight");
}

}  // namespace weft
