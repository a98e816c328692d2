#include "fabrics/packet/iq/iq_router_module.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {

IqRouterModule::IqRouterModule(const sc_core::sc_module_name& name, const SwitchSite& site)
    : sc_module(name), in_(site.ports), out_(site.ports) {
  for (PortId p = 0; p < site.ports; ++p) {
    if (!site.connected[p]) continue;
    in_[p] = std::make_unique<IqInPort>(*this, p);
    out_[p] = std::make_unique<IqOutPort>(this, p);
  }
}

// Last made first: see TdmNetwork::~TdmNetwork.
IqRouterModule::~IqRouterModule() {
  for (std::size_t p = in_.size(); p-- > 0;) {
    out_[p].reset();
    in_[p].reset();
  }
}

void IqRouterModule::refuse(const char* what, PortId port, const IqTransfer& transfer, Cycle at, Cycle now) const {
  throw RunError(
      fmt::format("{}: a {} for port {} VC {} and cycle {} came in cycle {}, against the link's latency or rate",
                  name(), what, port, transfer.vc, at, now));
}

}  // namespace weft
