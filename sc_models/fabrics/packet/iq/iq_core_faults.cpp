// Behaviour of input-queued routers when a link goes down or comes back. Semantics: docs/iq_router.md, "Links that
// fail".

#include <algorithm>

#include "fabrics/packet/iq/iq_core.h"

namespace weft {

void IqCore::set_faults(IqRerouting& rerouting, IqDiscards& discards) {
  rerouting_ = &rerouting;
  discards_ = &discards;
  discarding_.assign(ports_.size(), 0);
  for (Port& port : ports_) port.row = nullptr;  // they hold while every link is up only
}

void IqCore::set_link(PortIndex out, bool up, Cycle now) {
  Port& port = ports_[out];
  port.usable = up ? all_vcs_ : 0;
  port.free = 0;
  for (std::uint32_t v = 0; up && v < vcs_; ++v) {
    const VcIndex o = vc(out, v);
    if (outputs_[o].owner == kNone && (!when_empty_ || credits_[o] == parameters_.buffer)) port.free |= 1U << v;
  }
  Region& r = region(vc(out, 0));
  r.vcs_changed = true;
  agenda_.plan(now, r.member);
}

void IqCore::start_discarding(VcIndex vc, Cycle from) {
  ports_[port_of(vc)].busy |= bit(vc);
  discarding_[port_of(vc)] |= bit(vc);
  discards_->add(vc, from);
}

/// The output VC it owns is one that its hop allows, and the link is up.
bool IqCore::on_way(const InputVc& input) const {
  const PortIndex out = port_of(input.out);
  const bool among = out >= input.first && out < input.first + input.count;
  return among && (ports_[out].usable & class_mask_[input.lanes] & bit(input.out)) != 0;
}

/// It asks for nothing, neither now nor later.
void IqCore::forget_stages(VcIndex vc) {
  Port& port = ports_[port_of(vc)];
  port.active &= ~bit(vc);
  view().note_less(port_of(vc), port);
  Region& r = region(vc);
  std::erase(r.requesting, vc);
  for (Bucket& b : r.wheel) {
    std::erase(b.routed, vc);
    std::erase(b.owning, vc);
  }
}

void IqCore::give_up_vc(VcIndex vc) {
  InputVc& input = inputs_[vc];
  outputs_[input.out].owner = kNone;
  release(input.out);
  input.out = kNone;
}

void IqCore::reroute(Cycle now) {
  for (VcIndex vc = 0; vc < inputs_.size(); ++vc) {
    InputVc& input = inputs_[vc];
    const PortIndex port = port_of(vc);
    // A packet of which nothing has been discarded yet is as if it had just come.
    const bool fresh = (discarding_[port] & bit(vc)) != 0;
    if (fresh && !discards_->recall(vc, now)) continue;
    if ((ports_[port].busy & bit(vc)) == 0 || !holds_head(vc)) continue;
    const IqRoutes::Entry hop = route(vc, input.destination, input.front.message());
    if (hop.count == 0) {
      if (input.out != kNone) give_up_vc(vc);
      forget_stages(vc);
      start_discarding(vc, now);
      continue;
    }
    input.first = ports_[port].base + hop.first;
    input.count = hop.count;
    input.lanes = hop.lanes;
    if (fresh) {
      discarding_[port] &= ~bit(vc);
      Region& r = region(vc);
      (routing_ > 0 ? r.bucket(now + routing_).routed : r.requesting).push_back(vc);
      if (routing_ > 0) agenda_.plan(now + routing_, r.member);
    } else if (input.out != kNone && !on_way(input)) {
      give_up_vc(vc);
      forget_stages(vc);
      region(vc).requesting.push_back(vc);
    }
  }
  for (const auto& r : regions_) {
    r->vcs_changed = true;
    agenda_.plan(now, r->member);
  }
}

void IqCore::each_on_wire(PortIndex in, Cycle now, const std::function<void(const PacketMessage&)>& visit) const {
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    const VcIndex vc = this->vc(in, v);
    // The flits that were sent last: those that have not arrived, and at least one, of a packet whose tail is to come.
    const InputVc& input = inputs_[vc];
    const std::uint32_t number = std::uint32_t{input.read} + input.flits - 2;
    IqFlit last = input.flits > 1 ? flits_[ring_place(vc, number, place_mask_, stride_)] : input.front;
    bool under_way = false;
    for (Cycle c = now; c <= now + static_cast<Cycle>(wheel_mask_); ++c) {
      for (const Arrival& a : region(vc).bucket(c).flits) {
        if (a.vc != vc) continue;
        last = a.flit;
        if (c < now + buffer_write_) continue;
        under_way = true;
        visit(a.flit.message());
      }
    }
    if (!under_way && !last.empty() && !last.tail()) visit(last.message());
  }
}

}  // namespace weft
