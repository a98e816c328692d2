#include "run/packet/iq/iq_system.h"

#include "run/packet/built_packet.h"

namespace weft {

constinit const PacketNetworkType kIqSystem{
    .flit_by_flit = true,
    .build = [](ClockDomain& domain, const PacketPlatform& platform, const PacketRunOptions& options,
                const Part& part) -> std::unique_ptr<BuiltPacketNetwork> {
      return std::make_unique<BuiltPacket<IqSystem>>(domain, platform, options, part);
    },
    .check_routers = check_iq_routers,
};

}  // namespace weft
