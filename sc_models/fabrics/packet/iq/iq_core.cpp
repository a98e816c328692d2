#include "fabrics/packet/iq/iq_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/diagnostics.h"
#include "base/hot_memory.h"

namespace weft {
namespace {

std::uint32_t bits_for(std::uint32_t n) { return static_cast<std::uint32_t>(std::countr_zero(std::bit_ceil(n))); }

}  // namespace

IqCore::IqCore(ClockDomain& domain, IqAgenda& agenda, const IqParameters& parameters, const IqRoutes& routes,
               const PacketObservers& observers)
    : domain_(domain),
      agenda_(agenda),
      routes_(routes),
      observers_(observers),
      parameters_(parameters),
      vcs_(parameters.vcs),
      vc_bits_(bits_for(parameters.vcs)),
      place_mask_((1U << bits_for(parameters.buffer)) - 1),
      all_vcs_(static_cast<std::uint32_t>((std::uint64_t{1} << parameters.vcs) - 1)),
      islip_(parameters.allocation == IqAllocation::islip),
      when_empty_(parameters.reuse == IqReuse::when_empty),
      buffer_write_(parameters.buffer_write),
      routing_(parameters.routing),
      vc_allocation_(parameters.vc_allocation),
      flit_time_(parameters.switch_allocation + parameters.crossbar + parameters.link),
      credit_time_(parameters.switch_allocation + parameters.credit),
      delays_{flit_time_ + buffer_write_, credit_time_, routing_, routing_ + 1, vc_allocation_},
      wheel_mask_(std::bit_ceil(IqAgenda::known_ahead(parameters) + 1) - 1),
      flit_delay_(domain.time_of(flit_time_)),
      credit_delay_(domain.time_of(credit_time_)) {
  class_mask_.back() = all_vcs_;
  const std::uint32_t class_vcs = vcs_ / routes.routing().lane_classes();
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    class_of_[v] = static_cast<std::uint8_t>(v / class_vcs);
    class_mask_[class_of_[v]] |= 1U << v;
  }
}

void IqCore::begin_region(PortIndex first) {
  regions_.push_back(std::make_unique<Region>(*this, first));
  regions_.back()->member = agenda_.add(*regions_.back());
}

IqCore::PortIndex IqCore::add_router(const SwitchSite& site) {
  auto base = static_cast<PortIndex>(ports_.size());
  if (regions_.empty() || (base - regions_.back()->first_word * kGranule) << vc_bits_ >= parameters_.region) {
    base = (base + kGranule - 1) / kGranule * kGranule;  // ports that it skips are connected to nothing
    begin_region(base);
  }
  const std::size_t ports = base + site.ports;
  regions_.back()->end_word = (ports + kGranule - 1) / kGranule;
  region_of_.resize(regions_.back()->end_word, regions_.back().get());
  ports_.resize(ports);
  inputs_.resize(ports << vc_bits_);
  outputs_.resize(ports << vc_bits_);
  credits_.resize(outputs_.size());
  stride_ = inputs_.size();
  flits_.resize(stride_ * (place_mask_ + 1));
  accepts_.resize(ports, {base});
  switch_of_.resize(ports, site.sw);
  forward_.resize(ports);
  backward_.resize(ports);
  for (PortSet* set : {&ready_, &wanted_, &granted_, &matched_in_, &matched_out_, &to_node_})
    set->resize((ports + 63) / 64);
  requested_.resize(outputs_.size() + 1);
  for (PortId p = 0; p < site.ports; ++p) {
    Port& port = ports_[base + p];
    port.base = port.grant_pointer = base;
    port.up = port.down = vc(base + p, 0);
    port.row = routes_.row(site.sw);
    if (site.to_node[p]) add(to_node_, base + p);
    port.connected = site.connected[p];
    if (!port.connected) continue;
    port.free = port.usable = all_vcs_;
    for (std::uint32_t v = 0; v < vcs_; ++v) {
      credits_[vc(base + p, v)] = parameters_.buffer;
      outputs_[vc(base + p, v)].pointer = vc(base, 0);
    }
  }
  return base;
}

void IqCore::lead(PortIndex out, PortIndex in) {
  ports_[out].down = vc(in, 0);
  ports_[in].up = vc(out, 0);
  ports_[out].down_elsewhere = ports_[in].up_elsewhere = false;
}

bool IqCore::fits_flit(VcIndex in, Cycle at, Cycle& newest) const {
  const Cycle usable = at + buffer_write_;
  if (static_cast<std::uint64_t>(usable - domain_.now() - 1) >= wheel_mask_) return false;
  if (at > newest) {
    newest = at;
    return true;
  }
  const auto& flits = region(in).bucket(usable).flits;
  return std::none_of(flits.begin(), flits.end(), [&](const Arrival& a) { return a.vc == in; });
}

bool IqCore::fits_credit(VcIndex out, Cycle at, Cycle& newest) const {
  if (static_cast<std::uint64_t>(at - domain_.now() - 1) >= wheel_mask_) return false;
  if (at > newest) {
    newest = at;
    return true;
  }
  const auto& credits = region(out).bucket(at).credits;
  return std::find(credits.begin(), credits.end(), out) == credits.end();
}

/// Credits of output VCs. The owner of an output VC is told of the first one only, and no branch can predict which ones
/// are first: these are collected at the front of the list before their owners are told. Empties the list.
inline void IqCore::take_credits(const View& view, std::vector<VcIndex>& credits) {
  const std::uint32_t in_any_case = when_empty_ ? 1 : 0;
  std::size_t first = 0;
  for (const VcIndex vc : credits) {
    credits[first] = vc;
    first += static_cast<std::uint32_t>(view.credits[vc]++ == 0) | in_any_case;
  }
  credits.resize(first);
  for (const VcIndex vc : credits) credit_usable(view, vc);
  credits.clear();
}

[[gnu::always_inline]] inline void IqCore::credit_usable(const View& view, VcIndex vc) {
  if (const VcIndex owner = view.outputs[vc].owner; owner != kNone) {
    Port& port = view.ports[view.port_of(owner)];
    port.credit |= 1U << view.vc_of(owner);
    view.note_ready(view.port_of(owner), port);
  } else if (when_empty_ && credits_[vc] == parameters_.buffer) {
    release(vc);
  }
}

void IqCore::release(VcIndex out) {
  Port& port = ports_[port_of(out)];
  port.free |= bit(out) & port.usable;
  region(out).vcs_changed = true;
}

/// The hop of a packet for which there is none in the table. The packet itself is looked at only by routings that need
/// it: in a large network it is in no cache.
IqRoutes::Entry IqCore::route(VcIndex vc, NodeId destination, const PacketMessage& m) const {
  const PortIndex in = port_of(vc);
  const Port& port = ports_[in];
  const std::uint8_t lane_class = has(to_node_, in) ? std::uint8_t{0} : class_of_[vc_of(vc)];
  const RoutePlace place{switch_of_[in], static_cast<PortId>(in - port.base), lane_class};
  const RouteStep step = rerouting_ != nullptr
                             ? rerouting_->step(place, m)
                             : routes_.routing().step(place, destination, routes_.single_path() ? 0 : m.choice);
  return {step.first, static_cast<std::uint8_t>(step.count),
          has(to_node_, port.base + step.first) ? IqRoutes::kAllLanes : step.lane_class};
}

/// The first flit of the VC is a head: routes it. False if it is to be discarded, from cycle `from` on.
[[gnu::always_inline]] inline bool IqCore::start_routing(const View& view, VcIndex vc, NodeId destination, Cycle from) {
  InputVc& input = view.inputs[vc];
  Port& port = view.ports[view.port_of(vc)];
  if (!input.front.head()) {
    throw RunError(fmt::format("a body flit without its head in input port {} VC {} of router {}",
                               port_of(vc) - port.base, vc_of(vc), switch_of_[port_of(vc)]));
  }
  IqRoutes::Entry hop{0, IqRoutes::kVaries, 0};
  if (port.row != nullptr) hop = port.row[destination];
  if (hop.count == IqRoutes::kVaries) {
    hop = route(vc, destination, input.front.message());
    if (hop.count == 0) {
      start_discarding(vc, from);
      return false;
    }
  }
  input.first = port.base + hop.first;
  input.destination = destination;
  input.count = hop.count;
  input.lanes = hop.lanes;
  port.busy |= 1U << view.vc_of(vc);
  return true;
}

inline void IqCore::take_arrivals(Region& region, const std::vector<Arrival>& flits, Cycle now) {
  std::vector<VcIndex>& heads = routing_ > 0 ? region.bucket(now + routing_).routed : region.requesting;
  const std::size_t before = heads.size();
  const View view = this->view();
  for (const Arrival& arrival : flits) {
    const VcIndex vc = arrival.vc;
    InputVc& input = view.inputs[vc];
    Port& port = view.ports[view.port_of(vc)];
    const std::uint32_t bit = 1U << view.vc_of(vc);
    // The first flit of a buffer needs no place in the ring: it is stored where remove_first() reads in any case.
    const bool first = input.flits == 0;
    view.place(vc, input.read + input.flits - (first ? 0U : 1U)) = arrival.flit;
    input.front = IqFlit::select(first, arrival.flit, input.front);
    ++input.flits;
    port.flits |= bit;
    if ((port.busy & bit) != 0) {
      view.note_ready(view.port_of(vc), port);
    } else if (start_routing(view, vc, arrival.destination, now)) {
      heads.push_back(vc);
    }
  }
  if (routing_ == 0 && heads.size() > before) region.vcs_changed = true;
}

/// A tail has left, and the packet behind it is the next one.
void IqCore::start_next(VcIndex vc, Cycle now) {
  if (!start_routing(view(), vc, inputs_[vc].front.message().destination, now + 1)) return;
  region(vc).bucket(now + 1 + routing_).routed.push_back(vc);
}

/// A flit has left the buffer of an input VC before which there is no router here.
void IqCore::answer(PortIndex in, std::uint32_t vc, Cycle now) {
  IqTransfer transfer{{}, now + credit_time_, static_cast<VirtualLane>(vc)};
  backward_[in].answer(transfer, credit_delay_);
}

/// Flits and credits that leave this cycle go to routers here and elsewhere, and heads behind tails are routed.
void IqCore::hand_over(Region& region, const Sending& s) {
  if (s.vcs_freed) region.vcs_changed = true;
  const Cycle usable = s.now + flit_time_ + buffer_write_;
  const Cycle answer_at = s.now + credit_time_;
  if (!many_regions()) {
    std::vector<Arrival>& flits = region.bucket(usable).flits;
    std::vector<VcIndex>& credits = region.bucket(answer_at).credits;
    flits.insert(flits.end(), flits_leaving_[0].data(), s.flits[0]);
    credits.insert(credits.end(), credits_leaving_[0].data(), s.credits[0]);
  } else {
    for (const Arrival* a = flits_leaving_[0].data(); a != s.flits[0]; ++a) arrive(*a, usable);
    for (const VcIndex* vc = credits_leaving_[0].data(); vc != s.credits[0]; ++vc) take_credit(*vc, answer_at);
  }
  for (const Arrival* a = flits_leaving_[1].data(); a != s.flits[1]; ++a) {
    IqTransfer transfer{a->flit, s.now + flit_time_, static_cast<VirtualLane>(vc_of(a->vc))};
    forward_[port_of(a->vc)].send(transfer, flit_delay_);
  }
  for (const VcIndex* vc = credits_leaving_[1].data(); vc != s.credits[1]; ++vc) {
    answer(port_of(*vc), vc_of(*vc), s.now);
  }
  for (const VcIndex* vc = uncovered_.data(); vc != s.uncovered; ++vc) start_next(*vc, s.now);
}

/// The state of many regions is in no cache near the processor. Their lists tell what they use of it in this cycle; all
/// of it is fetched at once, since the steps would wait for one line after the other.
void IqCore::fetch(const Region& region, const Bucket& b) const {
  const bool packets = rerouting_ != nullptr || !routes_.single_path();  // route() looks at them
  for (const Arrival& a : b.flits) {
    prefetch(&inputs_[a.vc]);
    prefetch(&ports_[port_of(a.vc)]);
    if (packets) prefetch(&a.flit.message().choice);
    prefetch(&switch_of_[port_of(a.vc)]);
  }
  for (const VcIndex vc : b.credits) {
    prefetch(&credits_[vc]);
    prefetch(&outputs_[vc]);
  }
  for (const VcIndex vc : b.owning) {
    prefetch(&inputs_[vc]);
    prefetch(&ports_[port_of(vc)]);
  }
  for (const VcIndex vc : b.routed) prefetch(&inputs_[vc]);
  for (std::size_t w = region.first_word; w < region.end_word; ++w) {
    for (std::uint64_t bits = ready_[w]; bits != 0; bits &= bits - 1) {
      const auto p = static_cast<PortIndex>(w * kGranule) + static_cast<PortIndex>(std::countr_zero(bits));
      prefetch(&ports_[p]);
      prefetch(&inputs_[vc(p, 0)], &inputs_[vc(p, vcs_)]);
    }
  }
}

/// Where flits will be stored: only their VCs tell.
void IqCore::fetch_places(const std::vector<Arrival>& flits) const {
  for (const Arrival& a : flits) {
    const InputVc& input = inputs_[a.vc];
    const std::uint32_t number = std::uint32_t{input.read} + input.flits - (input.flits == 0 ? 0U : 1U);
    prefetch(&flits_[ring_place(a.vc, number, place_mask_, stride_)]);
  }
}

/// What heads will ask for: outputs that only their hops name.
void IqCore::fetch_outputs(const std::vector<VcIndex>& heads) const {
  for (const VcIndex vc : heads) {
    const PortIndex out = inputs_[vc].first;
    prefetch(&ports_[out]);
    prefetch(&outputs_[this->vc(out, 0)]);
    prefetch(&outputs_[this->vc(out, vcs_ - 1)]);
    prefetch(&credits_[this->vc(out, 0)]);
  }
}

void IqCore::step(Region& region, Cycle now) {
  Bucket& b = region.bucket(now);
  if (many_regions()) fetch(region, b);
  if (domain_.order() != nullptr) {
    shuffle(b.credits);
    shuffle(b.flits);
    shuffle(b.owning);
    shuffle(b.routed);
  }
  const View view = this->view();
  take_credits(view, b.credits);
  for (const VcIndex vc : b.owning) {
    Port& port = view.ports[view.port_of(vc)];
    port.active |= 1U << view.vc_of(vc);
    view.note_ready(view.port_of(vc), port);
  }
  if (!b.routed.empty()) {
    if (many_regions()) fetch_outputs(b.routed);
    region.requesting.insert(region.requesting.end(), b.routed.begin(), b.routed.end());
    region.vcs_changed = true;
  }
  if (many_regions()) fetch_places(b.flits);
  take_arrivals(region, b.flits, now);
  b.owning.clear();
  b.routed.clear();
  b.flits.clear();
  if (region.vcs_changed) islip_ ? allocate_vcs_islip(region, now) : allocate_vcs_separable(region, now);
  islip_ ? allocate_switch_islip(region, now) : allocate_switch_separable(region, now);
  plan_next(region, now);
}

void IqCore::plan_next(Region& region, Cycle now) {
  std::uint64_t again = region.vcs_changed && !region.requesting.empty() ? 1 : 0;
  for (std::size_t w = region.first_word; w < region.end_word; ++w) again |= ready_[w];
  if (again != 0) agenda_.plan(now + 1, region.member);
  for (const Cycle delay : delays_) {
    if (!region.bucket(now + delay).empty()) agenda_.plan(now + delay, region.member);
  }
}

}  // namespace weft
