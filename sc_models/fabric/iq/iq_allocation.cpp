// VC and switch allocation of input-queued routers, and the flits that leave by it. Round robin among n with a pointer
// x grants the requester with the smallest (number - x) mod n, so requests can be gone through in any order. Numbers
// are those of the network; the differences are taken modulo a power of two instead of n, which leaves their order as
// it is: first those from the pointer on, then those before it.

#include <algorithm>
#include <bit>
#include <utility>

#include "fabric/iq/iq_core.h"

namespace weft {
namespace {

constexpr std::uint32_t kCyclic = ~std::uint32_t{0} >> 1;  // a mask; IqCore::kNone is beyond all distances

std::uint32_t lowest(std::uint64_t set) { return static_cast<std::uint32_t>(std::countr_zero(set)); }

/// First set bit of `mask` in cyclic order from bit `from` on (0 <= from <= 32). Precondition: mask != 0. Bits above
/// those in use are not set, so the order among 32 is the order among those.
std::uint32_t first_cyclic(std::uint32_t mask, std::uint32_t from) {
  return (lowest(std::rotr(mask, static_cast<int>(from))) + from) & 31;
}

std::uint32_t distance(std::uint32_t number, std::uint32_t pointer) { return (number - pointer) & kCyclic; }
std::uint32_t number_at(std::uint32_t distance, std::uint32_t pointer) { return (distance + pointer) & kCyclic; }

/// The same among n numbers. Both are at most n.
std::uint32_t distance(std::uint32_t number, std::uint32_t pointer, std::uint32_t n) {
  return number >= pointer ? number - pointer : number + n - pointer;
}

}  // namespace

/// In the order of the ports, or by chance when the agenda is shuffled. The set may change meanwhile.
template <class Visit>
void IqCore::each(const PortSet& set, Visit&& visit) {
  if (domain_.order() != nullptr) {
    order_.clear();
    for (PortIndex p = 0; p < ports_.size(); ++p) {
      if (has(set, p)) order_.push_back(p);
    }
    shuffle(order_);
    for (const PortIndex p : order_) visit(p);
    return;
  }
  for (std::uint32_t w = 0; w < set.size(); ++w) {
    for (std::uint64_t bits = set[w]; bits != 0; bits &= bits - 1) visit(w * 64 + lowest(bits));
  }
}

// Candidate v of port i of a hop over n ports has the number v n + i.

/// Output VC that a head requests, kNone when all VCs it may take are owned.
inline IqCore::VcIndex IqCore::first_candidate(const InputVc& input) const {
  const std::uint32_t n = input.count;
  const std::uint32_t all = n * vcs_;
  const std::uint32_t from = input.pointer < all ? input.pointer : input.pointer % all;
  const std::uint32_t may = class_mask_[input.lanes];
  if (n == 1) {
    const std::uint32_t free = ports_[input.first].free & may;
    return free == 0 ? kNone : vc(input.first, first_cyclic(free, from));
  }
  VcIndex best = kNone;
  std::uint32_t best_distance = kNone;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t free = ports_[input.first + i].free & may;
    if (free == 0) continue;
    // The first of this port from `from` on has the smallest v with v n + i >= from.
    const std::uint32_t v = first_cyclic(free, from <= i ? 0 : (from - i + n - 1) / n);
    const std::uint32_t d = distance(v * n + i, from, all);
    if (d < best_distance) {
      best = vc(input.first + i, v);
      best_distance = d;
    }
  }
  return best;
}

inline std::uint32_t IqCore::candidate_number(const InputVc& input, VcIndex out) const {
  return vc_of(out) * input.count + (port_of(out) - input.first);
}

/// An input VC requests an output VC, which keeps the requester it would grant and is noted in requested_. Returns how
/// many are noted.
inline std::size_t IqCore::request(std::size_t requested, VcIndex out, VcIndex in) {
  OutputVc& output = outputs_[out];
  requested_[requested] = out;
  requested += output.best == kNone ? 1 : 0;
  output.best = std::min(output.best, distance(in, output.pointer));
  return requested;
}

/// The input VC becomes the owner of the output VC.
inline void IqCore::grant_vc(VcIndex vc, VcIndex out, Cycle now) {
  Port& port = ports_[port_of(vc)];
  OutputVc& output = outputs_[out];
  inputs_[vc].out = out;
  ports_[port_of(out)].free &= ~bit(out);
  output.owner = vc;
  port.credit = (port.credit & ~bit(vc)) | (static_cast<std::uint32_t>(output.credits > 0) << vc_of(vc));
  if (vc_allocation_ > 0) {
    bucket(now + vc_allocation_).owning.push_back(vc);
  } else {
    port.active |= bit(vc);
    note_ready(port_of(vc));
  }
}

/// Heads that own an output VC request none.
inline void IqCore::forget_granted() {
  std::erase_if(requesting_, [&](VcIndex vc) { return inputs_[vc].out != kNone; });
}

void IqCore::allocate_vcs_separable(Cycle now) {
  std::size_t requests = 0;
  std::size_t requested = 0;
  for (const VcIndex vc : requesting_) {
    const VcIndex out = first_candidate(inputs_[vc]);
    if (out == kNone) continue;
    ++requests;
    requested = request(requested, out, vc);
  }
  for (std::size_t i = 0; i < requested; ++i) {
    const VcIndex out = requested_[i];
    OutputVc& output = outputs_[out];
    const VcIndex vc = number_at(std::exchange(output.best, kNone), output.pointer);
    output.pointer = vc + 1;
    inputs_[vc].pointer = static_cast<std::uint16_t>(candidate_number(inputs_[vc], out) + 1);
    grant_vc(vc, out, now);
  }
  if (requested == requesting_.size()) {
    requesting_.clear();
  } else {
    forget_granted();
  }
  vcs_changed_ = requests > requested;
}

void IqCore::allocate_vcs_islip(Cycle now) {
  for (std::uint32_t round = 0; round < parameters_.iterations; ++round) {
    std::size_t requested = 0;
    for (const VcIndex vc : requesting_) {
      const InputVc& input = inputs_[vc];
      for (PortIndex p = input.first; p < input.first + input.count; ++p) {
        for (std::uint32_t free = ports_[p].free & class_mask_[input.lanes]; free != 0; free &= free - 1) {
          requested = request(requested, this->vc(p, lowest(free)), vc);
        }
      }
    }
    if (requested == 0) break;
    // Each head keeps the grant it would accept: the one whose number is the first from its pointer on.
    for (std::size_t i = 0; i < requested; ++i) {
      const VcIndex out = requested_[i];
      InputVc& input = inputs_[number_at(outputs_[out].best, outputs_[out].pointer)];
      const std::uint32_t all = input.count * vcs_;
      const std::uint32_t from = input.pointer % all;
      if (input.out == kNone ||
          distance(candidate_number(input, out), from, all) < distance(candidate_number(input, input.out), from, all)) {
        input.out = out;
      }
    }
    for (std::size_t i = 0; i < requested; ++i) {
      const VcIndex out = requested_[i];
      OutputVc& output = outputs_[out];
      const VcIndex vc = number_at(std::exchange(output.best, kNone), output.pointer);
      InputVc& input = inputs_[vc];
      if (input.out != out) continue;
      if (round == 0) {
        output.pointer = vc + 1;
        input.pointer = static_cast<std::uint16_t>(candidate_number(input, out) + 1);
      }
      grant_vc(vc, out, now);
    }
    forget_granted();
  }
  vcs_changed_ = std::any_of(requesting_.begin(), requesting_.end(),
                             [&](VcIndex vc) { return first_candidate(inputs_[vc]) != kNone; });
}

/// The first flit leaves the buffer of an input VC.
IqFlit IqCore::take_first(VcIndex vc) {
  InputVc& input = inputs_[vc];
  const IqFlit flit = flits_[place(vc, input.read)];
  const bool emptied = --input.flits == 0;
  ports_[port_of(vc)].flits &= ~(static_cast<std::uint32_t>(emptied) << vc_of(vc));
  // Behind a tail it can begin anew; within a packet the place tells what came last (each_on_wire).
  input.read = emptied && flit.tail() ? 0 : static_cast<std::uint16_t>((input.read + 1U) & place_mask_);
  return flit;
}

/// A flit has left the buffer of an input VC: the sender gets its place back.
void IqCore::give_credit(VcIndex vc, Cycle now) {
  if (const VcIndex up = ports_[port_of(vc)].up; up != kNone) {
    bucket(now + credit_time_).credits.push_back(up + vc_of(vc));
  } else {
    IqTransfer transfer{{}, now + credit_time_, static_cast<VirtualLane>(vc_of(vc))};
    in_ways_[port_of(vc)].answer(transfer, credit_delay_);
  }
}

inline void IqCore::send(PortIndex in, std::uint32_t v, Cycle now) {
  const VcIndex vc = this->vc(in, v);
  InputVc& input = inputs_[vc];
  Port& port = ports_[in];
  OutputVc& output = outputs_[input.out];
  const PortIndex out = port_of(input.out);
  const std::uint32_t out_vc = vc_of(input.out);
  const IqFlit flit = take_first(vc);
  port.vc_pointer = static_cast<std::uint8_t>(v + 1);
  port.credit &= ~(static_cast<std::uint32_t>(--output.credits == 0) << v);
  ++grants_;
  if (flit.head()) {
    observers_.tell_hop([&](PacketObserver& o) {
      flit.message().lane = static_cast<VirtualLane>(out_vc);
      o.on_hop(switch_of_[out], static_cast<PortId>(out - port.base), flit.message(),
               now + flit_time_ - parameters_.link);
    });
  }
  if (const VcIndex down = ports_[out].down; down != kNone) {
    bucket(now + flit_time_ + buffer_write_).flits.push_back({flit, down + out_vc});
  } else {
    IqTransfer transfer{flit, now + flit_time_, static_cast<VirtualLane>(out_vc)};
    out_ways_[out].send(transfer, flit_delay_);
  }
  give_credit(vc, now);
  if (flit.tail()) {
    output.owner = kNone;
    if (!when_empty_) release(input.out);
    input.out = kNone;
    port.busy &= ~(1U << v);
    port.active &= ~(1U << v);
    if (input.flits > 0) start_routing(vc, first_flit(vc), now + 1, now);
  }
  note_ready(in);
}

void IqCore::allocate_switch_separable(Cycle now) {
  each(ready_, [&](PortIndex p) {
    Port& in = ports_[p];
    const std::uint32_t v = first_cyclic(in.ready(), in.vc_pointer);
    in.chosen = static_cast<std::uint8_t>(v);
    const PortIndex o = port_of(inputs_[vc(p, v)].out);
    Port& out = ports_[o];
    out.best = std::min(out.best, distance(p, out.grant_pointer));
    add(wanted_, o);
  });
  each(wanted_, [&](PortIndex o) {
    Port& out = ports_[o];
    const PortIndex in = number_at(std::exchange(out.best, kNone), out.grant_pointer);
    out.grant_pointer = in + 1;
    send(in, ports_[in].chosen, now);
  });
  std::fill(wanted_.begin(), wanted_.end(), 0);
}

void IqCore::allocate_switch_islip(Cycle now) {
  for (std::uint32_t round = 0; round < parameters_.iterations; ++round) {
    each(ready_, [&](PortIndex p) {
      if (has(matched_in_, p)) return;
      for (std::uint32_t ready = ports_[p].ready(); ready != 0; ready &= ready - 1) {
        const PortIndex o = port_of(inputs_[vc(p, lowest(ready))].out);
        if (has(matched_out_, o)) continue;
        Port& out = ports_[o];
        out.best = std::min(out.best, distance(p, out.grant_pointer));
        add(wanted_, o);
      }
    });
    bool any = false;
    each(wanted_, [&](PortIndex o) {
      Port& out = ports_[o];
      const PortIndex p = number_at(std::exchange(out.best, kNone), out.grant_pointer);
      Port& in = ports_[p];
      in.best_grant = std::min(in.best_grant, distance(o, in.accept_pointer));
      add(granted_, p);
      any = true;
    });
    each(granted_, [&](PortIndex p) {
      Port& in = ports_[p];
      const PortIndex o = number_at(std::exchange(in.best_grant, kNone), in.accept_pointer);
      std::uint32_t to_it = 0;
      for (std::uint32_t ready = in.ready(); ready != 0; ready &= ready - 1) {
        if (port_of(inputs_[vc(p, lowest(ready))].out) == o) to_it |= 1U << lowest(ready);
      }
      if (round == 0) {
        ports_[o].grant_pointer = p + 1;
        in.accept_pointer = o + 1;
      }
      add(matched_in_, p);
      add(matched_out_, o);
      send(p, first_cyclic(to_it, in.vc_pointer), now);
    });
    for (PortSet* set : {&wanted_, &granted_}) std::fill(set->begin(), set->end(), 0);
    if (!any) break;
  }
  for (PortSet* set : {&matched_in_, &matched_out_}) std::fill(set->begin(), set->end(), 0);
}

}  // namespace weft
