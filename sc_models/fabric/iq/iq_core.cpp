#include "fabric/iq/iq_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/diagnostics.h"

namespace weft {
namespace {

std::uint32_t bits_for(std::uint32_t n) { return static_cast<std::uint32_t>(std::countr_zero(std::bit_ceil(n))); }

}  // namespace

IqCore::IqCore(ClockDomain& domain, IqAgenda& agenda, std::uint32_t member, const IqParameters& parameters,
               const IqRoutes& routes, const PacketObservers& observers)
    : domain_(domain),
      agenda_(agenda),
      member_(member),
      routes_(routes),
      observers_(observers),
      parameters_(parameters),
      vcs_(parameters.vcs),
      vc_bits_(bits_for(parameters.vcs)),
      place_mask_((1U << bits_for(parameters.buffer)) - 1),
      all_vcs_(static_cast<std::uint32_t>((std::uint64_t{1} << parameters.vcs) - 1)),
      class_vcs_(parameters.vcs / routes.routing().lane_classes()),
      islip_(parameters.allocation == IqAllocation::islip),
      when_empty_(parameters.reuse == IqReuse::when_empty),
      buffer_write_(parameters.buffer_write),
      routing_(parameters.routing),
      vc_allocation_(parameters.vc_allocation),
      flit_time_(parameters.switch_allocation + parameters.crossbar + parameters.link),
      credit_time_(parameters.switch_allocation + parameters.credit),
      delays_{flit_time_ + buffer_write_, credit_time_, routing_, routing_ + 1, vc_allocation_},
      wheel_mask_(std::bit_ceil(IqAgenda::known_ahead(parameters) + 1) - 1),
      wheel_(wheel_mask_ + 1),
      flit_delay_(domain.time_of(flit_time_)),
      credit_delay_(domain.time_of(credit_time_)) {
  class_mask_.back() = all_vcs_;
  for (std::uint32_t c = 0; c < routes.routing().lane_classes(); ++c) {
    class_mask_[c] = all_vcs_ >> (vcs_ - class_vcs_) << (c * class_vcs_);
  }
}

IqCore::PortIndex IqCore::add_router(const IqSite& site) {
  const auto base = static_cast<PortIndex>(ports_.size());
  const std::size_t ports = base + site.ports;
  ports_.resize(ports);
  inputs_.resize(ports << vc_bits_);
  outputs_.resize(ports << vc_bits_);
  flits_.resize(inputs_.size() * (place_mask_ + 1));
  switch_of_.resize(ports, site.sw);
  out_ways_.resize(ports);
  in_ways_.resize(ports);
  straight_.resize(ports);
  for (PortSet* set : {&ready_, &wanted_, &granted_, &matched_in_, &matched_out_}) set->resize((ports + 63) / 64);
  requested_.resize(outputs_.size() + 1);
  for (PortId p = 0; p < site.ports; ++p) {
    Port& port = ports_[base + p];
    port.base = port.grant_pointer = port.accept_pointer = base;
    port.row = routes_.row(site.sw);
    port.to_node = site.to_node[p];
    port.connected = site.connected[p];
    if (!port.connected) continue;
    port.free = port.usable = all_vcs_;
    for (std::uint32_t v = 0; v < vcs_; ++v) {
      OutputVc& output = outputs_[vc(base + p, v)];
      output.credits = parameters_.buffer;
      output.pointer = vc(base, 0);
    }
  }
  return base;
}

void IqCore::lead(PortIndex out, PortIndex in) {
  ports_[out].down = vc(in, 0);
  ports_[in].up = vc(out, 0);
  straight_[out] = true;
}

bool IqCore::fits_flit(VcIndex in, Cycle at) const {
  const Cycle usable = at + buffer_write_;
  if (static_cast<std::uint64_t>(usable - domain_.now() - 1) >= wheel_mask_) return false;
  const auto& flits = bucket(usable).flits;
  return std::none_of(flits.begin(), flits.end(), [&](const Arrival& a) { return a.vc == in; });
}

bool IqCore::fits_credit(VcIndex out, Cycle at) const {
  if (static_cast<std::uint64_t>(at - domain_.now() - 1) >= wheel_mask_) return false;
  const auto& credits = bucket(at).credits;
  return std::find(credits.begin(), credits.end(), out) == credits.end();
}

void IqCore::due(Cycle now, std::uint32_t) {
  Bucket& b = bucket(now);
  if (domain_.order() != nullptr) {
    shuffle(b.credits);
    shuffle(b.flits);
    shuffle(b.owning);
    shuffle(b.routed);
  }
  for (const VcIndex vc : b.credits) credit_usable(vc);
  for (const VcIndex vc : b.owning) {
    ports_[port_of(vc)].active |= bit(vc);
    note_ready(port_of(vc));
  }
  if (!b.routed.empty()) {
    requesting_.insert(requesting_.end(), b.routed.begin(), b.routed.end());
    vcs_changed_ = true;
  }
  for (const Arrival& arrival : b.flits) flit_usable(arrival, now);
  b.credits.clear();
  b.owning.clear();
  b.routed.clear();
  b.flits.clear();
  if (vcs_changed_) islip_ ? allocate_vcs_islip(now) : allocate_vcs_separable(now);
  islip_ ? allocate_switch_islip(now) : allocate_switch_separable(now);
  plan_next(now);
}

void IqCore::plan_next(Cycle now) {
  std::uint64_t again = vcs_changed_ && !requesting_.empty() ? 1 : 0;
  for (const std::uint64_t ready : ready_) again |= ready;
  if (again != 0) agenda_.plan(now + 1, member_);
  for (const Cycle delay : delays_) {
    if (!bucket(now + delay).empty()) agenda_.plan(now + delay, member_);
  }
}

// An output VC that has a credit already has told its owner.
inline void IqCore::credit_usable(VcIndex vc) {
  OutputVc& output = outputs_[vc];
  const bool first = output.credits++ == 0;
  if (!first && !when_empty_) return;
  if (output.owner != kNone) {
    ports_[port_of(output.owner)].credit |= bit(output.owner);
    note_ready(port_of(output.owner));
  } else if (when_empty_ && output.credits == parameters_.buffer) {
    release(vc);
  }
}

inline void IqCore::flit_usable(const Arrival& arrival, Cycle now) {
  const VcIndex vc = arrival.vc;
  InputVc& input = inputs_[vc];
  Port& port = ports_[port_of(vc)];
  flits_[place(vc, (std::uint32_t{input.read} + input.flits) & place_mask_)] = arrival.flit;
  ++input.flits;
  port.flits |= bit(vc);
  if ((port.busy & bit(vc)) == 0) {
    start_routing(vc, arrival.flit, now, now);
  } else {
    note_ready(port_of(vc));
  }
}

void IqCore::release(VcIndex out) {
  Port& port = ports_[port_of(out)];
  port.free |= bit(out) & port.usable;
  vcs_changed_ = true;
}

/// The hop of a packet for which there is none in the table.
IqRoutes::Entry IqCore::route(VcIndex vc, const PacketMessage& m) const {
  const PortIndex in = port_of(vc);
  const Port& port = ports_[in];
  const auto lane_class = static_cast<std::uint8_t>(port.to_node ? 0 : vc_of(vc) / class_vcs_);
  const RoutePlace place{switch_of_[in], static_cast<PortId>(in - port.base), lane_class};
  const RouteStep step =
      ways_ == nullptr ? routes_.routing().step(place, m.destination, m.choice) : ways_->step(place, m);
  return {step.first, static_cast<std::uint8_t>(step.count),
          ports_[port.base + step.first].to_node ? IqRoutes::kAllLanes : step.lane_class};
}

/// The first flit of the VC is a head that can request a VC `routing` cycles after `from`.
void IqCore::start_routing(VcIndex vc, IqFlit flit, Cycle from, Cycle now) {
  InputVc& input = inputs_[vc];
  Port& port = ports_[port_of(vc)];
  if (!flit.head()) {
    throw RunError(fmt::format("a body flit without its head in input port {} VC {} of router {}",
                               port_of(vc) - port.base, vc_of(vc), switch_of_[port_of(vc)]));
  }
  const PacketMessage& m = flit.message();
  IqRoutes::Entry hop{0, IqRoutes::kVaries, 0};
  if (port.row != nullptr) hop = port.row[m.destination];
  if (hop.count == IqRoutes::kVaries) {
    hop = route(vc, m);
    if (hop.count == 0) {
      start_discarding(vc, from);
      return;
    }
  }
  input.first = port.base + hop.first;
  input.count = hop.count;
  input.lanes = hop.lanes;
  port.busy |= bit(vc);
  request_later(vc, from + routing_, now);
}

/// The head of an input VC requests an output VC from cycle `at` on.
void IqCore::request_later(VcIndex vc, Cycle at, Cycle now) {
  if (at > now) {
    bucket(at).routed.push_back(vc);
  } else {
    requesting_.push_back(vc);
    vcs_changed_ = true;
  }
}

}  // namespace weft
