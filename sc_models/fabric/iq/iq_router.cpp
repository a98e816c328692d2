#include "fabric/iq/iq_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/diagnostics.h"

namespace weft {
namespace {

/// Number of cycles a ring of buckets must cover: the longest time that anything is known ahead, and the present cycle.
std::uint64_t wheel_size(const IqParameters& p) {
  const Cycle flit = p.switch_allocation + p.crossbar + p.link + p.buffer_write;
  const Cycle credit = p.switch_allocation + p.crossbar + p.link + p.credit;
  return std::bit_ceil(static_cast<std::uint64_t>(std::max({flit, credit, p.routing + 1, p.vc_allocation})) + 1);
}

}  // namespace

IqRouter::IqRouter(sc_core::sc_module_name name, ClockDomain& domain, const IqSite& site,
                   const IqParameters& parameters, const PacketRouting& routing, const PacketObservers& observers)
    : sc_module(name),
      domain_(domain),
      routing_(routing),
      observers_(observers),
      parameters_(parameters),
      sw_(site.sw),
      ports_(site.ports),
      vcs_(parameters.vcs),
      all_vcs_(static_cast<std::uint32_t>((std::uint64_t{1} << parameters.vcs) - 1)),
      class_vcs_(parameters.vcs / routing.lane_classes()),
      places_(std::bit_ceil(parameters.buffer)),
      port_words_((site.ports + 63U) / 64U),
      flit_time_(parameters.switch_allocation + parameters.crossbar + parameters.link),
      credit_time_(parameters.switch_allocation + parameters.credit),
      flit_delay_(domain.time_of(flit_time_)),
      credit_delay_(domain.time_of(credit_time_)),
      inputs_(site.ports * vcs_),
      outputs_(site.ports * vcs_),
      port_(site.ports),
      port_of_(site.ports * vcs_),
      lane_class_(site.ports * vcs_),
      flits_(static_cast<std::size_t>(site.ports) * vcs_ * places_),
      wheel_mask_(wheel_size(parameters) - 1),
      // In one cycle: a flit per input, a credit per output, two heads per input that start (one that arrives, one
      // behind a tail that left), and grants of VCs to all.
      bucket_size_(site.ports * (4 + vcs_)),
      buckets_(wheel_mask_ + 1),
      events_((wheel_mask_ + 1) * bucket_size_),
      in_(site.ports),
      out_(site.ports) {
  requesting_.reserve(inputs_.size());
  requested_.reserve(outputs_.size());
  for (PortId p = 0; p < ports_; ++p) {
    port_[p].to_node = site.to_node[p];
    for (std::uint32_t v = 0; v < vcs_; ++v) {
      port_of_[p * vcs_ + v] = p;
      lane_class_[p * vcs_ + v] = site.to_node[p] ? 0 : static_cast<std::uint8_t>(v / class_vcs_);
      outputs_[p * vcs_ + v].best = kNone;
    }
    if (!site.connected[p]) continue;
    port_[p].free = all_vcs_;
    for (std::uint32_t v = 0; v < vcs_; ++v) outputs_[p * vcs_ + v].credits = parameters.buffer;
    in_[p] = std::make_unique<IqInPort>(fmt::format("in[{}]", p).c_str(), *this, p);
    out_[p] = std::make_unique<IqOutPort>(fmt::format("out[{}]", p).c_str(), this, p);
  }
}

// Last made first: see FicNetwork::~FicNetwork.
IqRouter::~IqRouter() {
  for (std::size_t p = in_.size(); p-- > 0;) {
    out_[p].reset();
    in_[p].reset();
  }
}

void IqRouter::plan(Cycle at) {
  Bucket& bucket = buckets_[static_cast<std::uint64_t>(at) & wheel_mask_];
  if (bucket.planned) return;
  bucket.planned = true;
  domain_.schedule(at, Phase::transfer, *this, 0);
}

void IqRouter::add_event(Cycle at, Event event, std::uint32_t vc) {
  const std::uint64_t b = static_cast<std::uint64_t>(at) & wheel_mask_;
  Bucket& bucket = buckets_[b];
  if (static_cast<std::uint64_t>(at - domain_.now() - 1) >= wheel_mask_ || bucket.events == bucket_size_) {
    throw RunError(fmt::format("{}: a flit or credit for cycle {} came in cycle {}, against the link's latency or rate",
                               this->name(), at, domain_.now()));
  }
  events_[b * bucket_size_ + bucket.events++] =
      static_cast<std::uint16_t>(static_cast<std::uint32_t>(event) << kEventShift | vc);
  if (bucket.planned) return;
  bucket.planned = true;
  domain_.schedule(at, Phase::transfer, *this, 0);
}

// The flit is stored at once, since its place is its sender's by its credit, and counts from its event on.
void IqRouter::receive(PortId in, const IqTransfer& transfer) {
  const std::uint32_t vc = in * vcs_ + transfer.vc;
  InputVc& input = inputs_[vc];
  flits_[static_cast<std::size_t>(vc) * places_ + input.write] = transfer.flit;
  input.write = (input.write + 1) & (places_ - 1);
  add_event(transfer.at + parameters_.buffer_write, Event::flit, vc);
}

void IqRouter::answer(PortId out, const IqTransfer& transfer) {
  add_event(transfer.at, Event::credit, out * vcs_ + transfer.vc);
}

void IqRouter::due(Cycle now, std::uint32_t) {
  const std::uint64_t b = static_cast<std::uint64_t>(now) & wheel_mask_;
  Bucket& bucket = buckets_[b];
  const std::uint16_t* events = &events_[b * bucket_size_];
  for (std::uint32_t i = 0; i < bucket.events; ++i) {
    const std::uint32_t vc = events[i] & ((1U << kEventShift) - 1);
    switch (static_cast<Event>(events[i] >> kEventShift)) {
      case Event::flit:
        flit_arrived(vc, now);
        break;
      case Event::credit:
        credit_arrived(vc);
        break;
      case Event::routed:
        request_vc(vc);
        break;
      case Event::owning:
        activate(vc);
        break;
    }
  }
  bucket = {};
  const bool islip = parameters_.allocation == IqAllocation::islip;
  if (vcs_changed_) islip ? allocate_vcs_islip(now) : allocate_vcs_separable(now);
  islip ? allocate_switch_islip(now) : allocate_switch_separable(now);
  bool again = vcs_changed_ && !requesting_.empty();
  for (std::uint32_t w = 0; w < port_words_; ++w) again = again || ready_ports_[w] != 0;
  if (again) plan(now + 1);
}

void IqRouter::update_ready(std::uint32_t vc, const InputVc& input) {
  const PortId in = port_of_[vc];
  Port& port = port_[in];
  const std::uint32_t bit = 1U << (vc - in * vcs_);
  if (input.state == State::active && input.flits > 0 && outputs_[input.out].credits > 0) {
    port.ready |= bit;
    ready_ports_[in / 64] |= std::uint64_t{1} << (in % 64);
  } else {
    port.ready &= ~bit;
    if (port.ready == 0) ready_ports_[in / 64] &= ~(std::uint64_t{1} << (in % 64));
  }
}

void IqRouter::flit_arrived(std::uint32_t vc, Cycle now) {
  InputVc& input = inputs_[vc];
  if (++input.flits > 1) return;
  if (input.state == State::idle) {
    start_routing(vc, now);
  } else if (input.state == State::active) {
    update_ready(vc, input);
  }
}

void IqRouter::credit_arrived(std::uint32_t vc) {
  OutputVc& output = outputs_[vc];
  ++output.credits;
  if (output.owned) {
    if (output.credits == 1) update_ready(output.owner, inputs_[output.owner]);
  } else if (output.releasing && output.credits == parameters_.buffer) {
    release(vc);
  }
}

void IqRouter::release(std::uint32_t out_vc) {
  const PortId out = port_of_[out_vc];
  outputs_[out_vc].releasing = false;
  port_[out].free |= 1U << (out_vc - out * vcs_);
  vcs_changed_ = true;
}

/// The first flit of the VC is a head that can request a VC `routing` cycles after `from`.
void IqRouter::start_routing(std::uint32_t vc, Cycle from) {
  InputVc& input = inputs_[vc];
  if (!flits_[static_cast<std::size_t>(vc) * places_ + input.read].head()) {
    throw RunError(
        fmt::format("{}: a body flit without its head in input port {} VC {}", this->name(), port_of_[vc], vc % vcs_));
  }
  const PacketMessage& m = head(input, vc);
  const RouteStep step = routing_.step({sw_, port_of_[vc], lane_class_[vc]}, m.destination, m.choice);
  input.first = step.first;
  input.count = step.count;
  input.class_mask =
      port_[step.first].to_node ? all_vcs_ : (all_vcs_ >> (vcs_ - class_vcs_)) << (step.lane_class * class_vcs_);
  input.state = State::routed;
  const Cycle at = from + parameters_.routing;
  if (at == domain_.now()) {
    request_vc(vc);
  } else {
    add_event(at, Event::routed, vc);
  }
}

void IqRouter::request_vc(std::uint32_t vc) {
  inputs_[vc].state = State::requesting;
  requesting_.push_back(static_cast<Index>(vc));
  vcs_changed_ = true;
}

void IqRouter::activate(std::uint32_t vc) {
  inputs_[vc].state = State::active;
  update_ready(vc, inputs_[vc]);
}

void IqRouter::send(PortId in, std::uint32_t vc, Cycle now) {
  InputVc& input = inputs_[vc];
  OutputVc& output = outputs_[input.out];
  const PortId out = input.out_port;
  port_[in].vc_pointer = static_cast<std::uint8_t>(vc - in * vcs_ + 1);
  IqTransfer flit{flits_[static_cast<std::size_t>(vc) * places_ + input.read], now + flit_time_,
                  static_cast<VirtualLane>(input.out - out * vcs_)};
  input.read = (input.read + 1) & (places_ - 1);
  --input.flits;
  --output.credits;
  ++grants_;
  if (flit.flit.head()) {
    observers_.tell_hop([&](PacketObserver& o) {
      PacketMessage& m = flit.flit.message();
      m.lane = flit.vc;
      o.on_hop(sw_, out, m, now + flit_time_ - parameters_.link);
    });
  }
  if (flit.flit.tail()) {
    output.owned = false;
    output.releasing = true;
    if (parameters_.reuse == IqReuse::after_tail) release(input.out);
    input.state = State::idle;
    if (input.flits > 0) start_routing(vc, now + 1);
  }
  update_ready(vc, input);
  out_[out]->send(flit, flit_delay_);
  IqTransfer credit{{}, now + credit_time_, static_cast<VirtualLane>(vc - in * vcs_)};
  in_[in]->answer(credit, credit_delay_);
}

std::vector<IqRouter::Waiting> IqRouter::waiting() const {
  std::vector<Waiting> out;
  for (std::uint32_t vc = 0; vc < inputs_.size(); ++vc) {
    const InputVc& input = inputs_[vc];
    if (input.flits == 0) continue;
    const bool has_vc = input.state == State::owning || input.state == State::active;
    out.push_back({port_of_[vc], static_cast<VirtualLane>(vc % vcs_), &head(input, vc),
                   has_vc ? input.out_port : input.first, has_vc, has_vc ? outputs_[input.out].credits : 0});
  }
  return out;
}

std::string IqRouter::leftovers() const {
  for (std::uint32_t vc = 0; vc < inputs_.size(); ++vc) {
    const PortId p = port_of_[vc];
    if (out_[p] == nullptr) continue;
    const std::string where = fmt::format("port {} VC {}", p, vc % vcs_);
    if (inputs_[vc].flits != 0 || inputs_[vc].read != inputs_[vc].write) return "flits in input " + where;
    if (inputs_[vc].state != State::idle) return "a packet in input " + where;
    if (outputs_[vc].credits != parameters_.buffer) {
      return fmt::format("{} of {} credits back of output {}", outputs_[vc].credits, parameters_.buffer, where);
    }
    if ((port_[p].free >> (vc % vcs_) & 1) == 0) return "a packet owns output " + where;
  }
  return "";
}

}  // namespace weft
