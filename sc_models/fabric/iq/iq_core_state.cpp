// What input-queued routers show of their state: to audits and waves.

#include <algorithm>

#include "fabric/iq/iq_core.h"

namespace weft {

void IqCore::count(Accounts& accounts) const {
  accounts.held.assign(inputs_.size(), 0);
  accounts.spent.assign(outputs_.size(), 0);
  for (VcIndex vc = 0; vc < inputs_.size(); ++vc) {
    if (!ports_[port_of(vc)].connected) continue;
    accounts.held[vc] = inputs_[vc].flits;
    accounts.spent[vc] = parameters_.buffer - outputs_[vc].credits;  // modulo 2^32, if there are too many
  }
  for (const Bucket& b : wheel_) {
    for (const Arrival& a : b.flits) ++accounts.held[a.vc];
    for (const VcIndex vc : b.credits) --accounts.spent[vc];
  }
}

bool IqCore::quiet() const {
  return std::all_of(wheel_.begin(), wheel_.end(), [](const Bucket& b) { return b.empty(); });
}

std::optional<std::uint32_t> IqCore::flit_coming(PortIndex in, Cycle at) const {
  for (const Arrival& a : bucket(at + buffer_write_).flits) {
    if (port_of(a.vc) == in) return vc_of(a.vc);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> IqCore::credit_coming(PortIndex out, Cycle at) const {
  for (const VcIndex vc : bucket(at).credits) {
    if (port_of(vc) == out) return vc_of(vc);
  }
  return std::nullopt;
}

void IqCore::lose_credits(VcIndex out, std::uint32_t credits) {
  OutputVc& output = outputs_[out];
  output.credits -= std::min(credits, output.credits);
  if (output.credits > 0 || output.owner == kNone) return;
  ports_[port_of(output.owner)].credit &= ~bit(output.owner);
  note_ready(port_of(output.owner));
}

}  // namespace weft
