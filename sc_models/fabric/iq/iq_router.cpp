#include "fabric/iq/iq_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/diagnostics.h"
#include "fabric/iq/iq_nic.h"

namespace weft {
namespace {

std::uint32_t bits_for(std::uint32_t n) { return static_cast<std::uint32_t>(std::countr_zero(std::bit_ceil(n))); }

}  // namespace

IqRouter::IqRouter(sc_core::sc_module_name name, ClockDomain& domain, IqAgenda& agenda, const IqSite& site,
                   const IqParameters& parameters, const IqRoutes& routes, const PacketObservers& observers)
    : sc_module(name),
      domain_(domain),
      agenda_(agenda),
      sw_(site.sw),
      ports_(site.ports),
      vcs_(parameters.vcs),
      vc_bits_(bits_for(parameters.vcs)),
      place_bits_(bits_for(parameters.buffer)),
      all_vcs_(static_cast<std::uint32_t>((std::uint64_t{1} << parameters.vcs) - 1)),
      class_vcs_(parameters.vcs / routes.routing().lane_classes()),
      allocation_(parameters.allocation),
      reuse_(parameters.reuse),
      word_count_(((std::uint32_t{site.ports} << vc_bits_) + 63) / 64),
      all_inputs_(std::uint32_t{site.ports} << vc_bits_),
      bucket_size_(word_count_ * kKinds),
      wheel_mask_(std::bit_ceil(IqAgenda::known_ahead(parameters) + 1) - 1),
      wheel_((wheel_mask_ + 1) * bucket_size_),
      words_(word_count_),
      inputs_(all_inputs_),
      outputs_(all_inputs_),
      port_(site.ports),
      flits_(inputs_.size() << place_bits_),
      requested_(outputs_.size()),
      best_out_(site.ports, kNoPort),
      buffer_write_(parameters.buffer_write),
      routing_(parameters.routing),
      vc_allocation_(parameters.vc_allocation),
      flit_time_(parameters.switch_allocation + parameters.crossbar + parameters.link),
      credit_time_(parameters.switch_allocation + parameters.credit),
      routes_(routes.row(site.sw)),
      routing_algorithm_(routes.routing()),
      observers_(observers),
      parameters_(parameters),
      flit_delay_(domain.time_of(flit_time_)),
      credit_delay_(domain.time_of(credit_time_)),
      in_(site.ports),
      out_(site.ports) {
  class_mask_.back() = all_vcs_;
  for (std::uint32_t c = 0; c < routes.routing().lane_classes(); ++c) {
    class_mask_[c] = all_vcs_ >> (vcs_ - class_vcs_) << (c * class_vcs_);
  }
  for (PortId p = 0; p < ports_; ++p) {
    port_[p].to_node = site.to_node[p];
    if (!site.connected[p]) continue;
    port_[p].free = port_[p].usable = all_vcs_;
    for (std::uint32_t v = 0; v < vcs_; ++v) {
      outputs_[(static_cast<std::size_t>(p) << vc_bits_) + v].credits = static_cast<std::uint16_t>(parameters.buffer);
    }
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

void IqRouter::end_of_elaboration() {
  for (PortId p = 0; p < ports_; ++p) {
    if (out_[p] == nullptr) continue;
    if (const auto* peer = out_[p]->peer(); peer != nullptr) {
      port_[p].down = dynamic_cast<IqRouter*>(&peer->owner());
      port_[p].down_port = peer->port();
      port_[p].down_nic = dynamic_cast<IqNic*>(&peer->owner());
    }
    if (const auto* peer = in_[p]->peer(); peer != nullptr) {
      port_[p].up = dynamic_cast<IqRouter*>(peer->owner());
      port_[p].up_port = peer->port();
      port_[p].up_nic = dynamic_cast<IqNic*>(peer->owner());
    }
  }
}

// What comes by a transport call may have come through something that does not keep to the link's latency and rate.
void IqRouter::check_link(Cycle at, Kind kind, std::uint32_t vc) {
  if (static_cast<std::uint64_t>(at - domain_.now() - 1) >= wheel_mask_ ||
      (set_of(bucket(at), kind, vc / 64) & bit(vc)) != 0) {
    throw RunError(
        fmt::format("{}: a {} for port {} VC {} and cycle {} came in cycle {}, against the link's latency or rate",
                    this->name(), kind == kFlit ? "flit" : "credit", port_of(vc), vc_of(vc), at, domain_.now()));
  }
}

void IqRouter::receive(PortId in, const IqTransfer& transfer) {
  check_link(transfer.at + parameters_.buffer_write, kFlit, (static_cast<std::uint32_t>(in) << vc_bits_) + transfer.vc);
  take_flit(in, transfer.vc, transfer.flit, transfer.at);
}

void IqRouter::answer(PortId out, const IqTransfer& transfer) {
  check_link(transfer.at, kCredit, (static_cast<std::uint32_t>(out) << vc_bits_) + transfer.vc);
  take_credit(out, transfer.vc, transfer.at);
}

// The flit is stored at once, since its place is its sender's by its credit, and counts from its arrival on.
void IqRouter::take_flit(PortId in, std::uint32_t vc, IqFlit flit, Cycle at) {
  vc += static_cast<std::uint32_t>(in) << vc_bits_;
  InputVc& input = inputs_[vc];
  flit_at(vc, input.write) = flit;
  input.write = static_cast<std::uint16_t>((input.write + 1U) & ((1U << place_bits_) - 1));
  mark(at + buffer_write_, kFlit, vc);
}

void IqRouter::prepare(Cycle now) const {
  constexpr std::size_t kLine = 64;
  constexpr std::size_t kMostLines = 8;  // of each kind; more would drive out each other
  const auto bring = [](const auto& array) {
    const auto* bytes = reinterpret_cast<const char*>(array.data());
    const std::size_t size = std::min(array.size() * sizeof(array[0]), kMostLines * kLine);
    for (std::size_t i = 0; i < size; i += kLine) __builtin_prefetch(bytes + i);
  };
  __builtin_prefetch(&wheel_[(static_cast<std::uint64_t>(now) & wheel_mask_) * bucket_size_]);
  bring(words_);
  bring(inputs_);
  bring(port_);
  bring(outputs_);
}

void IqRouter::due(Cycle now, std::uint32_t) {
  std::uint64_t* const b = bucket(now);
  for (std::uint32_t w = 0; w < word_count_; ++w) {
    std::uint64_t* sets = b + static_cast<std::size_t>(w) * kKinds;
    for (std::uint64_t set = sets[kCredit]; set != 0; set &= set - 1) {
      credit_arrived(w * 64 + static_cast<std::uint32_t>(std::countr_zero(set)));
    }
    Word& state = words_[w];
    state.active |= sets[kOwning] | state.next_active;
    const std::uint64_t routed = sets[kRouted] | state.next_requesting;
    state.requesting |= routed;
    state.next_active = state.next_requesting = 0;
    if (routed != 0) vcs_changed_ = true;
    for (std::uint64_t set = sets[kFlit]; set != 0; set &= set - 1) {
      flit_arrived(w * 64 + static_cast<std::uint32_t>(std::countr_zero(set)), now);
    }
    std::fill(sets, sets + kKinds, 0);
  }
  const bool islip = allocation_ == IqAllocation::islip;
  if (vcs_changed_) islip ? allocate_vcs_islip(now) : allocate_vcs_separable(now);
  islip ? allocate_switch_islip(now) : allocate_switch_separable(now);
  std::uint64_t again = 0;
  for (std::uint32_t w = 0; w < word_count_; ++w) {
    const Word& state = words_[w];
    again |= state.ready() | state.next_active | state.next_requesting | (vcs_changed_ ? state.requesting : 0);
  }
  if (again != 0) agenda_.plan(now + 1, sw_);
}

void IqRouter::flit_arrived(std::uint32_t vc, Cycle now) {
  ++inputs_[vc].flits;
  Word& state = word(vc);
  state.flits |= bit(vc);
  if ((state.busy & bit(vc)) == 0) start_routing(vc, now, now);
}

void IqRouter::credit_arrived(std::uint32_t vc) {
  OutputVc& output = outputs_[vc];
  ++output.credits;
  if (output.owner != kNone) {
    word(output.owner).credit |= bit(output.owner);
  } else if (reuse_ == IqReuse::when_empty && output.credits == parameters_.buffer) {
    release(vc);
  }
}

void IqRouter::release(std::uint32_t out_vc) {
  Port& port = port_[port_of(out_vc)];
  port.free |= 1U << vc_of(out_vc) & port.usable;
  vcs_changed_ = true;
}

/// The hop of a packet for which there is none in the table.
IqRoutes::Entry IqRouter::route(std::uint32_t vc, const PacketMessage& m) const {
  const PortId in = port_of(vc);
  const auto lane_class = static_cast<std::uint8_t>(port_[in].to_node ? 0 : vc_of(vc) / class_vcs_);
  const RoutePlace place{sw_, in, lane_class};
  const RouteStep step =
      ways_ == nullptr ? routing_algorithm_.step(place, m.destination, m.choice) : ways_->step(place, m);
  return {step.first, static_cast<std::uint8_t>(step.count),
          port_[step.first].to_node ? IqRoutes::kAllLanes : step.lane_class};
}

/// The first flit of the VC is a head that can request a VC `routing` cycles after `from`.
void IqRouter::start_routing(std::uint32_t vc, Cycle from, Cycle now) {
  InputVc& input = inputs_[vc];
  const IqFlit flit = flit_at(vc, input.read);
  if (!flit.head()) {
    throw RunError(
        fmt::format("{}: a body flit without its head in input port {} VC {}", this->name(), port_of(vc), vc_of(vc)));
  }
  const PacketMessage& m = flit.message();
  IqRoutes::Entry hop{0, IqRoutes::kVaries, 0};
  if (routes_ != nullptr) hop = routes_[m.destination];
  if (hop.count == IqRoutes::kVaries) {
    hop = route(vc, m);
    if (hop.count == 0) {
      start_discarding(vc, from);
      return;
    }
  }
  input.first = hop.first;
  input.count = hop.count;
  input.lanes = hop.lanes;
  Word& state = word(vc);
  state.busy |= bit(vc);
  const Cycle at = from + routing_;
  if (at == now + 1) {
    state.next_requesting |= bit(vc);
  } else if (at == now) {
    state.requesting |= bit(vc);
    vcs_changed_ = true;
  } else {
    mark(at, kRouted, vc);
  }
}

/// A flit leaves the buffer of an input VC: the sender gets its place back.
[[gnu::always_inline]] inline void IqRouter::give_credit(PortId in, std::uint32_t vc, Cycle now) {
  if (Port& port = port_[in]; port.up != nullptr) {
    port.up->take_credit(port.up_port, vc, now + credit_time_);
  } else if (port.up_nic != nullptr) {
    port.up_nic->take_credit(vc, now + credit_time_);
  } else {
    IqTransfer transfer{{}, now + credit_time_, static_cast<VirtualLane>(vc)};
    in_[in]->answer(transfer, credit_delay_);
  }
}

void IqRouter::send(PortId in, std::uint32_t vc, Cycle now) {
  InputVc& input = inputs_[vc];
  Word& state = word(vc);
  OutputVc& output = outputs_[input.out];
  const PortId out = port_of(input.out);
  const std::uint32_t in_vc = vc_of(vc);
  const std::uint32_t out_vc = vc_of(input.out);
  const IqFlit flit = flit_at(vc, input.read);
  port_[in].vc_pointer = static_cast<std::uint8_t>(in_vc + 1);
  input.read = static_cast<std::uint16_t>((input.read + 1U) & ((1U << place_bits_) - 1));
  if (--input.flits == 0) state.flits &= ~bit(vc);
  if (--output.credits == 0) state.credit &= ~bit(vc);
  ++grants_;
  if (flit.head()) {
    observers_.tell_hop([&](PacketObserver& o) {
      flit.message().lane = static_cast<VirtualLane>(out_vc);
      o.on_hop(sw_, out, flit.message(), now + flit_time_ - parameters_.link);
    });
  }
  if (Port& port = port_[out]; port.down != nullptr) {
    port.down->take_flit(port.down_port, out_vc, flit, now + flit_time_);
  } else if (port.down_nic != nullptr) {
    port.down_nic->take_flit(out_vc, flit, now + flit_time_);
  } else {
    IqTransfer transfer{flit, now + flit_time_, static_cast<VirtualLane>(out_vc)};
    out_[out]->send(transfer, flit_delay_);
  }
  give_credit(in, in_vc, now);
  if (!flit.tail()) return;
  output.owner = kNone;
  if (reuse_ == IqReuse::after_tail) release(input.out);
  input.out = kNone;
  state.busy &= ~bit(vc);
  state.active &= ~bit(vc);
  if (input.flits > 0) start_routing(vc, now + 1, now);
}

IqRouter::Discarded IqRouter::discard_flit(std::uint32_t vc, Cycle now) {
  InputVc& input = inputs_[vc];
  Word& state = word(vc);
  if (input.flits == 0) return {};
  const IqFlit flit = flit_at(vc, input.read);
  input.read = static_cast<std::uint16_t>((input.read + 1U) & ((1U << place_bits_) - 1));
  if (--input.flits == 0) state.flits &= ~bit(vc);
  give_credit(port_of(vc), vc_of(vc), now);
  if (!flit.tail()) return {true, nullptr};
  state.busy &= ~bit(vc);
  discarding_[vc / 64] &= ~bit(vc);
  if (input.flits > 0) {
    start_routing(vc, now + 1, now);
    agenda_.plan(now + 1, sw_);
  }
  return {true, &flit.message()};
}

}  // namespace weft
