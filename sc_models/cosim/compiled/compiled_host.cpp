#include "Vhost_interface.h"
#include "cosim/tdm/host_rtl.h"
#include "cosim/tdm/verilated_host_interface.h"

namespace weft {

std::unique_ptr<HostInterfaceRtl> make_host_interface_rtl(VerilatedContext& context, const std::string& name) {
  return std::make_unique<VerilatedHostInterface<Vhost_interface, kHostRtl.links, kHostRtl.slots, kHostRtl.circuits>>(
      context, name);
}

}  // namespace weft
