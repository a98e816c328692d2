// VC and switch allocation of input-queued routers, and the flits that leave by it. Round robin among n with a pointer
// x grants the requester with the smallest (number - x) mod n, so requests can be gone through in any order. Numbers
// are those of the network; the differences are taken modulo a power of two instead of n, which leaves their order as
// it is: first those from the pointer on, then those before it.

#include <algorithm>
#include <bit>
#include <utility>

#include "fabrics/packet/iq/iq_core.h"

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
[[gnu::always_inline]] inline IqCore::VcIndex IqCore::first_candidate(const View& view, const InputVc& input) const {
  const std::uint32_t n = input.count;
  const std::uint32_t may = class_mask_[input.lanes];
  if (n == 1) {
    const std::uint32_t from = input.pointer <= vcs_ ? input.pointer : input.pointer % vcs_;
    const std::uint32_t free = view.ports[input.first].free & may;
    return free == 0 ? kNone : view.vc(input.first, first_cyclic(free, from));
  }
  const std::uint32_t all = n * vcs_;
  const std::uint32_t from = input.pointer % all;
  VcIndex best = kNone;
  std::uint32_t best_distance = kNone;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t free = view.ports[input.first + i].free & may;
    if (free == 0) continue;
    // The first of this port from `from` on has the smallest v with v n + i >= from.
    const std::uint32_t v = first_cyclic(free, from <= i ? 0 : (from - i + n - 1) / n);
    const std::uint32_t d = distance(v * n + i, from, all);
    if (d < best_distance) {
      best = view.vc(input.first + i, v);
      best_distance = d;
    }
  }
  return best;
}

inline std::uint32_t IqCore::candidate_number(const View& view, const InputVc& input, VcIndex out) {
  return view.vc_of(out) * input.count + (view.port_of(out) - input.first);
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
[[gnu::always_inline]] inline void IqCore::grant_vc(const View& view, VcIndex vc, VcIndex out,
                                                    std::vector<VcIndex>& owning) {
  Port& port = view.ports[view.port_of(vc)];
  const std::uint32_t v = view.vc_of(vc);
  view.inputs[vc].out = out;
  view.ports[view.port_of(out)].free &= ~(1U << view.vc_of(out));
  view.outputs[out].owner = vc;
  port.credit = (port.credit & ~(1U << v)) | ((view.credits[out] > 0 ? 1U : 0U) << v);
  if (vc_allocation_ > 0) {
    owning.push_back(vc);
  } else {
    port.active |= 1U << v;
    note_ready(view.port_of(vc), port);
  }
}

/// Heads that own an output VC request none.
inline void IqCore::forget_granted() {
  std::erase_if(requesting_, [&](VcIndex vc) { return inputs_[vc].out != kNone; });
}

void IqCore::allocate_vcs_separable(Cycle now) {
  const View view = this->view();
  std::size_t waiting = 0;  // heads that are not granted: they stay in the list
  std::size_t blocked = 0;
  std::size_t requested = 0;
  VcIndex* const heads = requesting_.data();
  VcIndex* const outs = requested_.data();
  const std::size_t all = requesting_.size();
  for (std::size_t i = 0; i < all; ++i) {
    const VcIndex vc = heads[i];
    const VcIndex out = first_candidate(view, view.inputs[vc]);
    if (out == kNone) {
      heads[waiting++] = vc;
      ++blocked;
      continue;
    }
    OutputVc& output = view.outputs[out];
    const std::uint32_t before = output.best;
    const std::uint32_t own = distance(vc, output.pointer);
    output.best = std::min(before, own);
    outs[requested] = out;
    requested += before == kNone ? 1 : 0;
    heads[waiting] = number_at(std::max(before, own), output.pointer);  // the loser, if there were two
    waiting += before == kNone ? 0 : 1;
  }
  requesting_.resize(waiting);
  vcs_changed_ = waiting > blocked;
  std::vector<VcIndex>& owning = bucket(now + vc_allocation_).owning;
  for (std::size_t i = 0; i < requested; ++i) {
    const VcIndex out = outs[i];
    OutputVc& output = view.outputs[out];
    const VcIndex vc = number_at(std::exchange(output.best, kNone), output.pointer);
    output.pointer = vc + 1;
    InputVc& input = view.inputs[vc];
    input.pointer = static_cast<std::uint16_t>(candidate_number(view, input, out) + 1);
    grant_vc(view, vc, out, owning);
  }
}

void IqCore::allocate_vcs_islip(Cycle now) {
  const View view = this->view();
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
      if (input.out == kNone || distance(candidate_number(view, input, out), from, all) <
                                    distance(candidate_number(view, input, input.out), from, all)) {
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
        input.pointer = static_cast<std::uint16_t>(candidate_number(view, input, out) + 1);
      }
      grant_vc(view, vc, out, bucket(now + vc_allocation_).owning);
    }
    forget_granted();
  }
  vcs_changed_ = std::any_of(requesting_.begin(), requesting_.end(),
                             [&](VcIndex vc) { return first_candidate(view, inputs_[vc]) != kNone; });
}

/// The first flit leaves the buffer of an input VC. If it is a tail, what is behind it is a packet of its own.
[[gnu::always_inline]] inline void IqCore::remove_first(InputVc& input, Port& port, VcIndex vc, bool tail, Cycle now) {
  const std::uint32_t more = --input.flits > 0 ? 1 : 0;
  port.flits &= ~((more ^ 1U) << vc_of(vc));
  if (more == 0) return;
  input.front = flits_[place(vc, input.read)];
  input.read = static_cast<std::uint16_t>((input.read + 1U) & place_mask_);
  if (tail) start_next(vc, now);
}

/// A flit has left the buffer of an input VC before which there is no router here.
void IqCore::answer(PortIndex in, std::uint32_t vc, Cycle now) {
  IqTransfer transfer{{}, now + credit_time_, static_cast<VirtualLane>(vc)};
  backward_[in].answer(transfer, credit_delay_);
}

IqCore::Sending IqCore::sending(Cycle now) {
  return {view(),
          now,
          {&bucket(now + flit_time_ + buffer_write_).flits, &flits_elsewhere_},
          {&bucket(now + credit_time_).credits, &credits_elsewhere_}};
}

/// Flits and credits that leave this cycle for elsewhere.
void IqCore::hand_over(Cycle now) {
  for (const Arrival& a : flits_elsewhere_) {
    IqTransfer transfer{a.flit, now + flit_time_, static_cast<VirtualLane>(vc_of(a.vc))};
    forward_[port_of(a.vc)].send(transfer, flit_delay_);
  }
  for (const VcIndex vc : credits_elsewhere_) answer(port_of(vc), vc_of(vc), now);
  flits_elsewhere_.clear();
  credits_elsewhere_.clear();
}

[[gnu::always_inline]] inline void IqCore::send(PortIndex in, std::uint32_t v, const Sending& s) {
  const View& view = s.view;
  const VcIndex vc = view.vc(in, v);
  InputVc& input = view.inputs[vc];
  Port& port = view.ports[in];
  const VcIndex to = input.out;
  const std::uint32_t to_vc = view.vc_of(to);
  Port& out = view.ports[view.port_of(to)];
  const IqFlit flit = input.front;
  port.vc_pointer = static_cast<std::uint16_t>(v + 1);
  port.credit &= ~((--view.credits[to] == 0 ? 1U : 0U) << v);
  if (flit.head()) {
    observers_.tell_hop([&](PacketObserver& o) {
      flit.message().lane = static_cast<VirtualLane>(to_vc);
      o.on_hop(switch_of_[in], static_cast<PortId>(view.port_of(to) - port.base), flit.message(),
               s.now + flit_time_ - parameters_.link);
    });
  }
  s.flits[out.down_elsewhere ? 1 : 0]->push_back({flit, out.down + to_vc, input.destination});
  s.credits[port.up_elsewhere ? 1 : 0]->push_back(port.up + v);
  if (flit.tail()) {
    view.outputs[to].owner = kNone;
    if (!when_empty_) {
      out.free |= 1U << to_vc & out.usable;
      vcs_changed_ = true;
    }
    input.out = kNone;
    port.busy &= ~(1U << v);
    port.active &= ~(1U << v);
  }
  remove_first(input, port, vc, flit.tail(), s.now);
  note_less(in, port);
}

/// A flit of a packet without a route leaves its buffer.
IqCore::Discarded IqCore::discard_flit(VcIndex vc, Cycle now) {
  if (inputs_[vc].flits == 0) return {};
  Port& port = ports_[port_of(vc)];
  const IqFlit flit = inputs_[vc].front;
  if (!port.up_elsewhere) {
    take_credit(port.up + vc_of(vc), now + credit_time_);
  } else {
    answer(port_of(vc), vc_of(vc), now);
  }
  if (flit.tail()) {
    port.busy &= ~bit(vc);
    discarding_[port_of(vc)] &= ~bit(vc);
    if (inputs_[vc].flits > 1) agenda_.plan(now + 1 + routing_, member_);
  }
  remove_first(inputs_[vc], port, vc, flit.tail(), now);
  return {true, flit.tail() ? &flit.message() : nullptr};
}

void IqCore::allocate_switch_separable(Cycle now) {
  const Sending s = sending(now);
  const View& view = s.view;
  std::uint64_t* const wanted = wanted_.data();
  each(ready_, [&](PortIndex p) {
    Port& in = view.ports[p];
    const std::uint32_t v = first_cyclic(in.ready(), in.vc_pointer);
    in.chosen = static_cast<std::uint16_t>(v);
    const PortIndex o = view.port_of(view.inputs[view.vc(p, v)].out);
    Port& out = view.ports[o];
    out.best = std::min(out.best, distance(p, out.grant_pointer));
    wanted[o / 64] |= std::uint64_t{1} << (o % 64);
  });
  each(wanted_, [&](PortIndex o) {
    Port& out = view.ports[o];
    const PortIndex in = number_at(std::exchange(out.best, kNone), out.grant_pointer);
    out.grant_pointer = in + 1;
    ++grants_;
    send(in, view.ports[in].chosen, s);
  });
  hand_over(now);
  std::fill(wanted_.begin(), wanted_.end(), 0);
}

void IqCore::allocate_switch_islip(Cycle now) {
  const Sending s = sending(now);
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
      Accept& in = accepts_[p];
      in.best = std::min(in.best, distance(o, in.pointer));
      add(granted_, p);
      any = true;
    });
    each(granted_, [&](PortIndex p) {
      Port& in = ports_[p];
      const PortIndex o = number_at(std::exchange(accepts_[p].best, kNone), accepts_[p].pointer);
      std::uint32_t to_it = 0;
      for (std::uint32_t ready = in.ready(); ready != 0; ready &= ready - 1) {
        if (port_of(inputs_[vc(p, lowest(ready))].out) == o) to_it |= 1U << lowest(ready);
      }
      if (round == 0) {
        ports_[o].grant_pointer = p + 1;
        accepts_[p].pointer = o + 1;
      }
      add(matched_in_, p);
      add(matched_out_, o);
      ++grants_;
      send(p, first_cyclic(to_it, in.vc_pointer), s);
    });
    for (PortSet* set : {&wanted_, &granted_}) std::fill(set->begin(), set->end(), 0);
    if (!any) break;
  }
  hand_over(now);
  for (PortSet* set : {&matched_in_, &matched_out_}) std::fill(set->begin(), set->end(), 0);
}

}  // namespace weft
