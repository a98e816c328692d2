#include "Vhost_interface.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/tdm/host_rtl.h"
#include "cosim/tdm/verilated_host_interface.h"

namespace weft {
namespace {

std::unique_ptr<HostInterfaceRtl> host_interface(VerilatedContext& context, const std::string& name) {
  return std::make_unique<VerilatedHostInterface<Vhost_interface, kHostRtl.links, kHostRtl.slots, kHostRtl.circuits>>(
      context, name);
}

const CompiledMaker kHostInterface("host_interface", host_interface);

}  // namespace
}  // namespace weft
