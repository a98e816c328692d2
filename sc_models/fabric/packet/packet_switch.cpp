#include "fabric/packet/packet_switch.h"

#include <fmt/format.h>

namespace weft {

PacketSwitch::PacketSwitch(sc_core::sc_module_name name, ClockDomain& domain, const PacketSwitchSite& site,
                           const PacketParameters& parameters, const PacketRouter& router,
                           EgressSchedulerFactory& schedulers, const PacketObservers& observers)
    : sc_module(name),
      parameters_(parameters),
      site_(site),
      inputs_(site.ports),
      look_at_(site.ports, kNever),
      egress_(site.ports),
      flags_(site.ports),
      domain_(domain),
      router_(router),
      observers_(observers),
      in_(site.ports),
      out_(site.ports),
      ways_(site.ports),
      answer_ways_(site.ports),
      link_delay_(domain.time_of(parameters.stages.output + parameters.stages.link)),
      credit_delay_(domain.time_of(parameters.stages.allocation + parameters.stages.credit)) {
  for (PortId p = 0; p < site.ports; ++p) {
    if (!site.connected[p]) continue;
    inputs_[p].queues.resize(parameters.lanes);
    in_[p] = std::make_unique<PacketInPort>(fmt::format("in[{}]", p).c_str(), *this, p);
    out_[p] = std::make_unique<PacketOutPort>(fmt::format("out[{}]", p).c_str(), this, p);
    egress_[p].emplace(*this, scratch_, p, parameters.output, site.to_node[p] ? parameters.nic_input : parameters.input,
                       parameters.stages.output, schedulers.scheduler({this->name(), site.sw, p, kNoId, &domain}));
  }
}

// Last made first: see FicNetwork::~FicNetwork.
PacketSwitch::~PacketSwitch() {
  for (std::size_t p = in_.size(); p-- > 0;) {
    out_[p].reset();
    in_[p].reset();
  }
}

void PacketSwitch::end_of_elaboration() {
  for (PortId p = 0; p < site_.ports; ++p) {
    if (out_[p] == nullptr) continue;
    ways_[p].resolve(*out_[p]);
    answer_ways_[p].resolve(*in_[p]);
  }
}

std::vector<PacketSwitch::Waiting> PacketSwitch::waiting() const {
  std::vector<Waiting> out;
  for (PortId p = 0; p < site_.ports; ++p) {
    for (std::size_t v = 0; v < inputs_[p].queues.size(); ++v) {
      const MessageQueue& q = inputs_[p].queues[v];
      if (!q.empty()) out.push_back({p, static_cast<VirtualLane>(v), &q});
    }
  }
  return out;
}

void PacketSwitch::receive(PortId in, const PacketTransfer& transfer) {
  PacketMessage& m = *transfer.message;
  m.head = transfer.head + parameters_.stages.input;
  m.ready = m.head + parameters_.stages.routing;
  m.hop = router_.route(site_.sw, in, m);
  if (m.hop.count == 0) {
    drop(in, m, domain_.now());
    return;
  }
  Input& input = inputs_[in];
  MessageQueue& queue = input.queues[m.lane];
  const bool first = queue.empty();
  queue.push(m);
  input.occupied |= 1U << m.lane;
  if (!first) return;  // its turn to be looked at comes with the grant of the one before it
  look_at_[in] = std::min(look_at_[in], std::max(m.ready, input.free_at));
  wake_allocator(m.ready);
}

void PacketSwitch::answer(PortId out, const PacketTransfer& transfer) {
  egress_[out]->add_credits(transfer.lane, transfer.credits, domain_.now());
}

void PacketSwitch::wake_allocator(Cycle at) {
  if (at - domain_.now() < 64) {
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    if ((planned_ & bit) != 0) return;
    planned_ |= bit;
  }
  domain_.schedule(at, Phase::transfer, *this, 0);
}

void PacketSwitch::upcoming(std::uint32_t token) const {
  const auto bring = [](const void* from, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const char*>(from) + at);
  };
  if (token != 0) {
    bring(&*egress_[token - 1], sizeof(EgressPort));
  } else {
    bring(look_at_.data(), look_at_.size() * sizeof(Cycle));
  }
}

void PacketSwitch::due(Cycle now, std::uint32_t token) {
  if (token != 0) {
    egress_[token - 1]->due(now);
    return;
  }
  planned_ &= ~(std::uint64_t{1} << (now % 64));
  const Cycle next = allocate(now);
  if (next != kNever) wake_allocator(next);
}

void PacketSwitch::transmit(PortId port, PacketMessage& message, Cycle first) {
  observers_.tell_hop([&](PacketObserver& o) { o.on_hop(site_.sw, port, message, first); });
  PacketTransfer transfer;
  transfer.message = &message;
  transfer.head = first + parameters_.stages.link;
  ways_[port].send(transfer, link_delay_);
}

void PacketSwitch::space_coming(PortId port, Cycle from) {
  if (!flags_[port].room_wanted) return;
  flags_[port].room_wanted = false;
  for (std::size_t in = 0; in < inputs_.size(); ++in) {
    if (inputs_[in].occupied != 0) look_at_[in] = std::min(look_at_[in], std::max(from, inputs_[in].free_at));
  }
  wake_allocator(from);
}

bool PacketSwitch::has_room(PortId port, const PacketMessage& m, Cycle now, Cycle& retry) {
  if (flags_[port].down) return false;
  EgressPort& out = *egress_[port];
  const std::int64_t lacking = out.space().lacking(m.hop.lane, need(m), now);
  if (lacking <= 0) return true;
  flags_[port].room_wanted = true;
  if (out.space().draining()) retry = std::min(retry, out.space().earliest(now, lacking));
  return false;
}

Drain PacketSwitch::take_head(PortId in, VirtualLane lane, std::uint32_t rate, Cycle now) {
  Input& input = inputs_[in];
  PacketMessage& m = input.queues[lane].pop();
  if (input.queues[lane].empty()) input.occupied &= ~(1U << lane);
  const Drain moves{now + parameters_.stages.allocation, m.head, rate, m.flits};
  input.free_at = free_after(moves);
  look_at_[in] = input.occupied == 0 ? kNever : std::max(now + 1, input.free_at);
  input.next_lane = lane + 1U;
  ++grants_;
  PacketTransfer transfer;
  transfer.lane = lane;
  transfer.credits = moves;
  transfer.credits.start += parameters_.stages.credit;
  transfer.credits.arrive += parameters_.stages.credit;
  answer_ways_[in].answer(transfer, credit_delay_);
  return moves;
}

void PacketSwitch::to_egress(PortId port, PacketMessage& m, const Drain& moves) {
  m.ready = moves.start + parameters_.stages.crossbar;
  m.lane = m.hop.lane;
  m.lane_class = m.hop.lane_class;
  m.channel = m.hop.channel;
  egress_[port]->push(m);
  // It was on its way through the central crossbar when the link failed.
  if (flags_[port].down && losses_ != nullptr) egress_[port]->discard(domain_.now(), site_.sw, *losses_);
}

}  // namespace weft
