#include "run/packet/packet_system.h"

#include <algorithm>

namespace weft {
namespace {

// Cycles in which a scheduler may look at its table again and again before a message is covered.
Cycle scheduler_steps(const PacketConfig& config) {
  Cycle most = 0;
  for (std::size_t l = 0; l < config.levels.size(); ++l) {
    std::uint64_t weight = 0;
    std::size_t entries = config.levels.size();
    if (config.scheduler == SchedulerKind::dtable) {
      for (const TableEntryConfig& e : config.table) weight += e.sl == l ? e.weight : 0;
      entries = config.table.size();
    } else if (config.scheduler == SchedulerKind::drr) {
      weight = config.levels[l].quantum;
    }
    if (weight > 0) most = std::max(most, static_cast<Cycle>((config.levels[l].message / weight + 2) * entries));
  }
  return most;
}

}  // namespace

Cycle watchdog_interval(const PacketPlatform& platform) {
  const PacketConfig& c = platform.config();
  std::uint32_t largest = 1;
  for (const LevelConfig& l : c.levels) largest = std::max(largest, l.message);
  const PacketSwitchConfig& s = c.packet_switch;
  const IqParameters& q = c.iq.router;
  const Cycle stages = platform.input_queued()
                           ? q.buffer_write + q.routing + q.vc_allocation + q.switch_allocation + q.crossbar
                           : s.input + s.routing + s.allocation + s.crossbar + s.output + scheduler_steps(c);
  return 1000 + 8 * (stages + c.link.delay + c.link.credit_delay + static_cast<Cycle>(largest));
}

}  // namespace weft
