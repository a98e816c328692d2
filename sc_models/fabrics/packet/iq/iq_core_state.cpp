// State of input-queued routers, for audits and waves.

#include <algorithm>

#include "fabrics/packet/iq/iq_core.h"

namespace weft {

void IqCore::count(Accounts& accounts) const {
  accounts.held.assign(inputs_.size(), 0);
  accounts.spent.assign(outputs_.size(), 0);
  for (VcIndex vc = 0; vc < inputs_.size(); ++vc) {
    if (!ports_[port_of(vc)].connected) continue;
    accounts.held[vc] = inputs_[vc].flits;
    accounts.spent[vc] = parameters_.buffer - credits_[vc];  // modulo 2^32, if there are too many
  }
  for (const auto& r : regions_) {
    for (const Bucket& b : r->wheel) {
      for (const Arrival& a : b.flits) ++accounts.held[a.vc];
      for (const VcIndex vc : b.credits) --accounts.spent[vc];
    }
  }
}

std::uint64_t IqCore::sent(PortIndex out) const {
  const auto wraps = wraps_.find(out);
  return (wraps == wraps_.end() ? 0 : wraps->second << 32) + ports_[out].sent;
}

bool IqCore::quiet() const {
  return std::all_of(regions_.begin(), regions_.end(), [](const auto& r) {
    return std::all_of(r->wheel.begin(), r->wheel.end(), [](const Bucket& b) { return b.empty(); });
  });
}

std::optional<std::uint32_t> IqCore::flit_coming(PortIndex in, Cycle at) const {
  const Region& r = region(vc(in, 0));
  Coming& coming = r.coming[static_cast<std::uint64_t>(at) % r.coming.size()];
  const auto first = static_cast<PortIndex>(r.first_word * kGranule);
  if (coming.at != at || coming.now != domain_.now()) {
    coming.at = at;
    coming.now = domain_.now();
    coming.vcs.assign((r.end_word - r.first_word) * kGranule, kNoVc);
    for (const Arrival& a : r.bucket(at + buffer_write_).flits) {
      coming.vcs[port_of(a.vc) - first] = static_cast<std::uint8_t>(vc_of(a.vc));
    }
  }
  const std::uint8_t vc = coming.vcs[in - first];
  return vc == kNoVc ? std::nullopt : std::optional<std::uint32_t>(vc);
}

std::optional<std::uint32_t> IqCore::credit_coming(PortIndex out, Cycle at) const {
  for (const VcIndex credit : region(vc(out, 0)).bucket(at).credits) {
    if (port_of(credit) == out) return vc_of(credit);
  }
  return std::nullopt;
}

void IqCore::lose_credits(VcIndex out, std::uint32_t credits) {
  credits_[out] -= std::min(credits, credits_[out]);
  const VcIndex owner = outputs_[out].owner;
  if (credits_[out] > 0 || owner == kNone) return;
  Port& port = ports_[port_of(owner)];
  port.credit &= ~bit(owner);
  view().note_less(port_of(owner), port);
}

}  // namespace weft
