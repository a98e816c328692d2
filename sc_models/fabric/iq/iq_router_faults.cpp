// What an input-queued router does when a link goes down or comes back. Semantics: docs/iq_router.md, "Links that
// fail".

#include "fabric/iq/iq_router.h"

namespace weft {

void IqRouter::set_faults(IqWays& ways, IqDiscards& discards) {
  ways_ = &ways;
  discards_ = &discards;
  discarding_.assign(word_count_, 0);
  routes_ = nullptr;  // they hold while every link is up only
}

void IqRouter::set_link(PortId out, bool up, Cycle now) {
  Port& port = port_[out];
  port.usable = up ? all_vcs_ : 0;
  port.free = 0;
  for (std::uint32_t v = 0; up && v < vcs_; ++v) {
    const OutputVc& o = outputs_[index_of(out, v)];
    if (o.owner == kNone && (reuse_ == IqReuse::after_tail || o.credits == parameters_.buffer)) port.free |= 1U << v;
  }
  vcs_changed_ = true;
  agenda_.plan(now, sw_);
}

void IqRouter::start_discarding(std::uint32_t vc, Cycle from) {
  word(vc).busy |= bit(vc);
  discarding_[vc / 64] |= bit(vc);
  discards_->add(*this, vc, from);
}

/// The output VC it owns is one that its hop allows, and the link is up.
bool IqRouter::on_way(const InputVc& input) const {
  const PortId out = port_of(input.out);
  const bool among = out >= input.first && out < static_cast<std::uint32_t>(input.first) + input.count;
  return among && (port_[out].usable & class_mask_[input.lanes] & 1U << vc_of(input.out)) != 0;
}

/// It asks for nothing, neither now nor later.
void IqRouter::forget_stages(std::uint32_t vc) {
  Word& state = word(vc);
  for (std::uint64_t* set : {&state.requesting, &state.next_requesting, &state.active, &state.next_active}) {
    *set &= ~bit(vc);
  }
  for (std::uint64_t b = 0; b <= wheel_mask_; ++b) {
    for (const Kind kind : {kRouted, kOwning}) set_of(&wheel_[b * bucket_size_], kind, vc / 64) &= ~bit(vc);
  }
}

void IqRouter::give_up_vc(std::uint32_t vc) {
  InputVc& input = inputs_[vc];
  outputs_[input.out].owner = kNone;
  release(input.out);
  input.out = kNone;
}

void IqRouter::reroute(Cycle now) {
  for (std::uint32_t vc = 0; vc < inputs_.size(); ++vc) {
    InputVc& input = inputs_[vc];
    // A packet of which nothing has been discarded yet is as if it had just come.
    const bool fresh = (discarding_[vc / 64] & bit(vc)) != 0;
    if (fresh && !discards_->recall(*this, vc, now)) continue;
    if ((word(vc).busy & bit(vc)) == 0 || !holds_head(vc)) continue;
    const IqRoutes::Entry hop = route(vc, flit_at(vc, input.read).message());
    if (hop.count == 0) {
      if (input.out != kNone) give_up_vc(vc);
      forget_stages(vc);
      start_discarding(vc, now);
      continue;
    }
    input.first = hop.first;
    input.count = hop.count;
    input.lanes = hop.lanes;
    if (fresh) {
      discarding_[vc / 64] &= ~bit(vc);
      if (routing_ > 0) {
        mark(now + routing_, kRouted, vc);
      } else {
        word(vc).requesting |= bit(vc);
      }
    } else if (input.out != kNone && !on_way(input)) {
      give_up_vc(vc);
      forget_stages(vc);
      word(vc).requesting |= bit(vc);
    }
  }
  vcs_changed_ = true;
  agenda_.plan(now, sw_);
}

/// Marks of this kind for cycles from `from` on.
std::uint32_t IqRouter::pending(Kind kind, std::uint32_t vc, Cycle from, Cycle now) const {
  std::uint32_t n = 0;
  for (Cycle c = std::max(from, now); c <= now + static_cast<Cycle>(wheel_mask_); ++c) {
    n += marked(kind, vc, c) ? 1 : 0;
  }
  return n;
}

void IqRouter::each_on_wire(PortId in, Cycle now, const std::function<void(const PacketMessage&)>& visit) const {
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    const auto vc = static_cast<std::uint32_t>(index_of(in, v));
    // The flits that were sent last: those that have not arrived, and at least one, of a packet whose tail is to come.
    const std::uint32_t under_way = pending(kFlit, vc, now + buffer_write_, now);
    for (std::uint32_t k = 1; k <= std::max(under_way, 1U); ++k) {
      const IqFlit flit = flit_at(vc, (inputs_[vc].write - k) & ((1U << place_bits_) - 1));
      if (k > under_way && (flit.empty() || flit.tail())) continue;
      visit(flit.message());
    }
  }
}

}  // namespace weft
