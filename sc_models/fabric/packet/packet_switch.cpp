#include "fabric/packet/packet_switch.h"

#include <fmt/format.h>

namespace weft {

PacketSwitch::PacketSwitch(sc_core::sc_module_name name, const PacketSwitchSite& site,
                           const PacketParameters& parameters, const PacketRouter& router,
                           EgressSchedulerFactory& schedulers, EgressCommon& common)
    : sc_module(name),
      parameters_(parameters),
      inputs_(site.ports),
      look_at_(site.ports, kNever),
      egress_(site.ports),
      domain_(common.domain),
      router_(router),
      credit_delay_(common.domain.time_of(parameters.stages.allocation + parameters.stages.credit)),
      site_(site),
      in_(site.ports),
      out_(site.ports) {
  for (PortId p = 0; p < site.ports; ++p) {
    if (!site.connected[p]) continue;
    inputs_[p].queues.resize(parameters.lanes);
    egress_[p].emplace(*this, common, site.sw, p, parameters.output,
                       site.to_node[p] ? parameters.nic_input : parameters.input,
                       schedulers.scheduler({this->name(), site.sw, p, kNoId, &domain_}));
    in_[p] = std::make_unique<PacketInPort>(fmt::format("in[{}]", p).c_str(), *this, p);
    out_[p] = std::make_unique<PacketOutPort>(fmt::format("out[{}]", p).c_str(), &*egress_[p], p);
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
    egress_[p]->resolve(*out_[p]);
    inputs_[p].answers.resolve(*in_[p]);
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

void PacketSwitch::wake_allocator(Cycle at) {
  if (at - domain_.now() < 64) {
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    if ((planned_ & bit) != 0) return;
    planned_ |= bit;
  }
  domain_.schedule(at, Phase::transfer, *this, 0);
}

void PacketSwitch::upcoming(std::uint32_t) const { prefetch(look_at_.data(), look_at_.data() + look_at_.size()); }

void PacketSwitch::imminent(std::uint32_t) const {
  const Cycle now = domain_.now();
  for (std::size_t in = 0; in < look_at_.size(); ++in) {
    if (look_at_[in] <= now) prefetch(&inputs_[in], &inputs_[in] + 1);
  }
}

void PacketSwitch::due(Cycle now, std::uint32_t) {
  planned_ &= ~(std::uint64_t{1} << (now % 64));
  const Cycle next = allocate(now);
  if (next != kNever) wake_allocator(next);
}

void PacketSwitch::space_coming(PortId port, Cycle from) {
  egress_[port]->wait_for_space(false);
  for (std::size_t in = 0; in < inputs_.size(); ++in) {
    if (inputs_[in].occupied != 0) look_at_[in] = std::min(look_at_[in], std::max(from, inputs_[in].free_at));
  }
  wake_allocator(from);
}

bool PacketSwitch::has_room(PortId port, const PacketMessage& m, Cycle now, Cycle& retry) {
  EgressPort& out = *egress_[port];
  if (out.down()) return false;
  const std::int64_t lacking = out.space().lacking(m.hop.lane, need(m), now);
  if (lacking <= 0) return true;
  out.wait_for_space(true);
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
  input.next_lane = static_cast<VirtualLane>(lane + 1);
  ++grants_;
  PacketTransfer transfer;
  transfer.lane = lane;
  transfer.credits = moves;
  transfer.credits.start += parameters_.stages.credit;
  transfer.credits.arrive += parameters_.stages.credit;
  input.answers.answer(transfer, credit_delay_);
  return moves;
}

void PacketSwitch::to_egress(PortId port, PacketMessage& m, const Drain& moves) {
  m.ready = moves.start + parameters_.stages.crossbar;
  m.lane = m.hop.lane;
  m.lane_class = m.hop.lane_class;
  m.channel = m.hop.channel;
  EgressPort& out = *egress_[port];
  out.push(m);
  // It was on its way through the central crossbar when the link failed.
  if (out.down() && losses_ != nullptr) out.discard(domain_.now(), *losses_);
}

}  // namespace weft
