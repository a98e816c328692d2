// VC and switch allocation of input-queued routers, and the flits that leave by it. Round robin among n with a pointer
// x grants the requester with the smallest (number - x) mod n, so requests can be gone through in any order. Numbers
// are those of the network; the differences are taken modulo a power of two instead of n, which leaves their order as
// it is: first those from the pointer on, then those before it.

#include <algorithm>
#include <bit>
#include <utility>

#include "base/hot_memory.h"
#include "fabrics/packet/iq/iq_core.h"

namespace weft {
namespace {

constexpr std::uint32_t kCyclic = ~std::uint32_t{0} >> 1;  // a mask; IqCore::kNone is beyond all distances

/// Precondition: not empty.
std::uint32_t lowest(std::uint64_t set) { return static_cast<std::uint32_t>(std::countr_zero(set)); }

/// First set bit of `mask` in cyclic order from bit `from` on (0 <= from <= 32). Precondition: mask != 0. Bits above
/// those in use are not set, so the order among 32 is the order among those.
std::uint32_t first_cyclic(std::uint32_t mask, std::uint32_t from) {
  return (lowest(std::rotr(mask, static_cast<int>(from))) + from) & 31;
}

/// std::min() without a branch: the processor cannot predict which one it is.
template <class T>
T lesser(T a, T b) {
  return a ^ ((a ^ b) & -static_cast<T>(b < a));
}

/// Request of an output by an input VC: the closer its port is to the output's pointer, the less.
std::uint64_t request_for(std::uint32_t distance, std::uint32_t vc) { return std::uint64_t{distance} << 32 | vc; }
std::uint32_t requester(std::uint64_t request) { return static_cast<std::uint32_t>(request); }

std::uint32_t distance(std::uint32_t number, std::uint32_t pointer) { return (number - pointer) & kCyclic; }
std::uint32_t number_at(std::uint32_t distance, std::uint32_t pointer) { return (distance + pointer) & kCyclic; }

/// The same among n numbers. Both are at most n.
std::uint32_t distance(std::uint32_t number, std::uint32_t pointer, std::uint32_t n) {
  return number >= pointer ? number - pointer : number + n - pointer;
}

}  // namespace

/// In the order of the ports, or by chance when the agenda is shuffled. The set may change meanwhile.
template <class Visit>
void IqCore::each(const Region& region, const PortSet& set, Visit&& visit) {
  if (domain_.order() != nullptr) {
    order_.clear();
    for (std::size_t w = region.first_word; w < region.end_word; ++w) {
      for (std::uint64_t bits = set[w]; bits != 0; bits &= bits - 1) {
        order_.push_back(static_cast<PortIndex>(w * kGranule) + lowest(bits));
      }
    }
    shuffle(order_);
    for (const PortIndex p : order_) visit(p);
    return;
  }
  for (std::size_t w = region.first_word; w < region.end_word; ++w) {
    for (std::uint64_t bits = set[w]; bits != 0; bits &= bits - 1) {
      visit(static_cast<PortIndex>(w * kGranule) + lowest(bits));
    }
  }
}

void IqCore::clear(const Region& region, PortSet& set) {
  std::fill(&set[region.first_word], set.data() + region.end_word, 0);
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
    view.note_ready(view.port_of(vc), port);
  }
}

/// Heads that own an output VC request none.
inline void IqCore::forget_granted(Region& region) {
  std::erase_if(region.requesting, [&](VcIndex vc) { return inputs_[vc].out != kNone; });
}

void IqCore::allocate_vcs_separable(Region& region, Cycle now) {
  const View view = this->view();
  std::size_t waiting = 0;  // heads that are not granted: they stay in the list
  std::size_t blocked = 0;
  std::size_t requested = 0;
  VcIndex* const heads = region.requesting.data();
  VcIndex* const outs = requested_.data();
  const std::size_t all = region.requesting.size();
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
    output.best = lesser(before, own);
    outs[requested] = out;
    requested += static_cast<std::uint32_t>(before == kNone);
    heads[waiting] = number_at(std::max(before, own), output.pointer);  // the loser, if there were two
    waiting += before == kNone ? 0 : 1;
  }
  region.requesting.resize(waiting);
  region.vcs_changed = waiting > blocked;
  std::vector<VcIndex>& owning = region.bucket(now + vc_allocation_).owning;
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

void IqCore::allocate_vcs_islip(Region& region, Cycle now) {
  const View view = this->view();
  for (std::uint32_t round = 0; round < parameters_.iterations; ++round) {
    std::size_t requested = 0;
    for (const VcIndex vc : region.requesting) {
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
      grant_vc(view, vc, out, region.bucket(now + vc_allocation_).owning);
    }
    forget_granted(region);
  }
  region.vcs_changed = std::any_of(region.requesting.begin(), region.requesting.end(),
                                   [&](VcIndex vc) { return first_candidate(view, inputs_[vc]) != kNone; });
}

/// The first flit leaves the buffer of an input VC. Returns 1 if it is a tail and something is behind it, which is the
/// head of the next packet, else 0. Whether anything is there cannot be predicted, so there are no branches.
[[gnu::always_inline]] inline std::uint32_t IqCore::remove_first(const View& view, VcIndex vc, bool tail) {
  InputVc& input = view.inputs[vc];
  const std::uint32_t more = --input.flits > 0 ? 1 : 0;
  input.front = IqFlit::select(more != 0, view.place(vc, input.read), input.front);
  input.read = static_cast<std::uint16_t>(input.read + more);
  view.ports[view.port_of(vc)].flits &= ~((more ^ 1U) << view.vc_of(vc));
  return static_cast<std::uint32_t>(tail) & more;
}

/// For a cycle in which at most so many flits leave.
IqCore::Sending IqCore::sending(Cycle now, std::size_t most) {
  for (std::vector<Arrival>& flits : flits_leaving_) {
    if (flits.size() < most) flits.resize(2 * most);
  }
  for (std::vector<VcIndex>& credits : credits_leaving_) {
    if (credits.size() < most) credits.resize(2 * most);
  }
  if (uncovered_.size() <= most) uncovered_.resize(2 * most + 1);
  bool observed = false;
  observers_.tell_hop([&](const PacketObserver&) { observed = true; });
  return {view(),
          now,
          observed,
          {flits_leaving_[0].data(), flits_leaving_[1].data()},
          {credits_leaving_[0].data(), credits_leaving_[1].data()},
          uncovered_.data()};
}

[[gnu::noinline]] void IqCore::tell_hop(PortIndex in, VcIndex out, PacketMessage& message, Cycle now) {
  message.lane = static_cast<VirtualLane>(vc_of(out));
  observers_.tell_hop([&](PacketObserver& o) {
    o.on_hop(switch_of_[in], static_cast<PortId>(port_of(out) - ports_[in].base), message, now + sending_time());
  });
}

[[gnu::noinline]] void IqCore::count_wrap(PortIndex out) { ++wraps_[out]; }

[[gnu::always_inline]] inline void IqCore::send(VcIndex vc, PortIndex o, Sending& s) {
  const View& view = s.view;
  const PortIndex in = view.port_of(vc);
  const std::uint32_t v = view.vc_of(vc);
  InputVc& input = view.inputs[vc];
  Port& port = view.ports[in];
  const VcIndex to = input.out;
  const std::uint32_t to_vc = view.vc_of(to);
  Port& out = view.ports[o];
  const IqFlit flit = input.front;
  port.vc_pointer = static_cast<std::uint16_t>(v + 1);
  port.credit &= ~((--view.credits[to] == 0 ? 1U : 0U) << v);
  if (++out.sent == 0) [[unlikely]]
    count_wrap(o);
  if (s.observed && flit.head()) tell_hop(in, to, flit.message(), s.now);
  *s.flits[out.down_elsewhere ? 1 : 0]++ = {flit, out.down + to_vc, input.destination};
  *s.credits[port.up_elsewhere ? 1 : 0]++ = port.up + v;
  if (flit.tail()) {
    view.outputs[to].owner = kNone;
    if (!when_empty_) {
      out.free |= 1U << to_vc & out.usable;
      s.vcs_freed = true;
    }
    input.out = kNone;
    port.busy &= ~(1U << v);
    port.active &= ~(1U << v);
  }
  *s.uncovered = vc;
  s.uncovered += remove_first(view, vc, flit.tail());
  view.note_less(in, port);
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
    if (inputs_[vc].flits > 1) agenda_.plan(now + 1 + routing_, region(vc).member);
  }
  if (remove_first(view(), vc, flit.tail()) != 0) start_next(vc, now);
  return {true, flit.tail() ? &flit.message() : nullptr};
}

void IqCore::allocate_switch_separable(Region& region, Cycle now) {
  const View view = this->view();
  PortIndex* const outs = requested_.data();
  std::size_t requested = 0;
  const bool far = many_regions();
  each(region, ready_, [&](PortIndex p) {
    const Port& in = view.ports[p];
    const VcIndex vc = view.vc(p, first_cyclic(in.ready(), in.vc_pointer));
    const VcIndex to = view.inputs[vc].out;
    const PortIndex o = view.port_of(to);
    Port& out = view.ports[o];
    if (far) {  // what send() uses
      prefetch(&view.place(vc, view.inputs[vc].read));
      prefetch(&view.credits[to]);
      prefetch(&view.outputs[to]);
      prefetch(&view.inputs[vc].front.message());
      observers_.tell_hop(
          [&](const PacketObserver& ob) { ob.expect_hop(switch_of_[p], static_cast<PortId>(o - in.base)); });
    }
    const std::uint64_t before = out.best;
    out.best = lesser(before, request_for(distance(p, out.grant_pointer), vc));
    outs[requested] = o;
    requested += static_cast<std::uint32_t>(before == kNoRequest);
  });
  Sending s = sending(now, requested);
  for (std::size_t i = 0; i < requested; ++i) {
    Port& out = view.ports[outs[i]];
    const VcIndex vc = requester(std::exchange(out.best, kNoRequest));
    out.grant_pointer = view.port_of(vc) + 1;
    send(vc, outs[i], s);
  }
  grants_ += requested;
  hand_over(region, s);
}

void IqCore::allocate_switch_islip(Region& region, Cycle now) {
  Sending s = sending(now, (region.end_word - region.first_word) * kGranule);
  for (std::uint32_t round = 0; round < parameters_.iterations; ++round) {
    each(region, ready_, [&](PortIndex p) {
      if (has(matched_in_, p)) return;
      for (std::uint32_t ready = ports_[p].ready(); ready != 0; ready &= ready - 1) {
        const PortIndex o = port_of(inputs_[vc(p, lowest(ready))].out);
        if (has(matched_out_, o)) continue;
        Port& out = ports_[o];
        out.best = std::min(out.best, request_for(distance(p, out.grant_pointer), vc(p, lowest(ready))));
        add(wanted_, o);
      }
    });
    bool any = false;
    each(region, wanted_, [&](PortIndex o) {
      Port& out = ports_[o];
      const PortIndex p = port_of(requester(std::exchange(out.best, kNoRequest)));
      Accept& in = accepts_[p];
      in.best = std::min(in.best, distance(o, in.pointer));
      add(granted_, p);
      any = true;
    });
    each(region, granted_, [&](PortIndex p) {
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
      send(vc(p, first_cyclic(to_it, in.vc_pointer)), o, s);
    });
    for (PortSet* set : {&wanted_, &granted_}) clear(region, *set);
    if (!any) break;
  }
  hand_over(region, s);
  for (PortSet* set : {&matched_in_, &matched_out_}) clear(region, *set);
}

}  // namespace weft
