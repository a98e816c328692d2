#include <string>

#include "base/diagnostics.h"
#include "fabrics/packet/common/switch_architecture.h"
#include "run/packet/iq/iq_system.h"
#include "run/packet/packet_network_type.h"
#include "run/packet/packet_system.h"

namespace weft {

const PacketNetworkType& packet_network_type(const SwitchArchitecture& architecture) {
  static constexpr const PacketNetworkType* kTypes[] = {
      &kPacketSystem,
      &kIqSystem,
  };
  for (const PacketNetworkType* type : kTypes) {
    if (type->flit_by_flit == architecture.flit_by_flit) return *type;
  }
  throw RunError("no packet network has switches of architecture " + std::string(architecture.name));
}

}  // namespace weft
