#include "run/packet/packet_system.h"

#include <algorithm>

#include "run/packet/built_packet.h"

namespace weft {
namespace {

// Cycles in which a scheduler may look at its table again and again before a message is covered.
Cycle scheduler_steps(const PacketPlatform& platform) {
  const SchedulerConfig& scheduler = platform.scheduler();
  if (scheduler.type->steps == nullptr) return 0;
  std::uint64_t most = 0;
  const std::vector<LevelConfig>& levels = platform.config().levels;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    most = std::max(most, scheduler.type->steps(scheduler, static_cast<ServiceLevel>(l), levels[l].packet));
  }
  return static_cast<Cycle>(most);
}

}  // namespace

Cycle watchdog_interval(const PacketPlatform& platform) {
  const PacketConfig& c = platform.config();
  std::uint32_t largest = 1;
  for (const LevelConfig& l : c.levels) largest = std::max(largest, l.packet);
  const PacketSwitchConfig& s = c.packet_switch;
  const Cycle stages = s.architecture->stages != nullptr
                           ? s.architecture->stages(platform.own_parameters())
                           : s.input + s.routing + s.allocation + s.crossbar + s.output + scheduler_steps(platform);
  return 1000 + 8 * (stages + c.link.delay + c.link.credit_delay + 2 * longest_adapter(platform.adapters()) +
                     static_cast<Cycle>(largest));
}

constinit const PacketNetworkType kPacketSystem{
    .flit_by_flit = false,
    .build = [](ClockDomain& domain, const PacketPlatform& platform, const PacketRunOptions& options,
                const Part& part) -> std::unique_ptr<BuiltPacketNetwork> {
      return std::make_unique<BuiltPacket<PacketSystem>>(domain, platform, options, part);
    },
};

}  // namespace weft
