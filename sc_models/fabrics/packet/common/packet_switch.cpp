#include "fabrics/packet/common/packet_switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace weft {

PacketSwitch::PacketSwitch(sc_core::sc_module_name name, const SwitchSite& site, const PacketParameters& parameters,
                           const PacketRouter& router, EgressSchedulerFactory& schedulers, PacketCommon& common,
                           std::uint32_t others)
    : sc_module(name),
      router_(router),
      sw_(site.sw),
      ports_(site.ports),
      common_(common),
      inputs_(std::make_unique<Input[]>(site.ports)),
      egress_(site.ports),
      wheel_(site.ports + others),
      credit_delay_(common.domain.time_of(parameters.stages.allocation + parameters.stages.credit)),
      answers_(site.ports),
      in_(site.ports),
      out_(site.ports) {
  if (ports_ > kMaxPacketPorts) {
    throw std::invalid_argument(fmt::format("a packet switch has at most {} ports", kMaxPacketPorts));
  }
  for (PortId p = 0; p < site.ports; ++p) {
    if (!site.connected[p]) continue;
    inputs_[p].queues.resize(parameters.lanes);
    inputs_[p].credits = SharedBuffer(parameters.input);
    egress_.emplace(p, *this, common, site.sw, p, parameters.output,
                    site.to_node[p] ? parameters.nic_input : parameters.input,
                    schedulers.scheduler({this->name(), site.sw, p, kNoId, &common.domain}));
    in_[p] = std::make_unique<PacketInPort>(*this, p);
    out_[p] = std::make_unique<PacketOutPort>(&egress_[p].sender(), p);
  }
}

// Last made first: see TdmNetwork::~TdmNetwork.
PacketSwitch::~PacketSwitch() {
  for (std::size_t p = in_.size(); p-- > 0;) {
    out_[p].reset();
    in_[p].reset();
  }
}

void PacketSwitch::end_of_elaboration() {
  for (PortId p = 0; p < ports_; ++p) {
    if (out_[p] == nullptr) continue;
    egress_[p].resolve(*out_[p]);
    answers_[p].resolve(*in_[p]);
    inputs_[p].sender = EgressPort::of(answers_[p].straight());
  }
}

std::vector<PacketSwitch::Waiting> PacketSwitch::waiting() const {
  std::vector<Waiting> out;
  for (PortId p = 0; p < ports_; ++p) {
    for (std::size_t v = 0; v < inputs_[p].queues.size(); ++v) {
      const MessageQueue& q = inputs_[p].queues[v];
      if (!q.empty()) out.push_back({p, static_cast<VirtualLane>(v), &q});
    }
  }
  return out;
}

void PacketSwitch::take(PortId in, PacketMessage& m, Cycle head) {
  const Cycle written = head + parameters().stages.input;
  m.comes(written, written + parameters().stages.routing);
  if (!common_.routes_late) {
    m.hop = router_.route(sw_, in, m);
  } else {
    route_later(in, m);
  }
  Input& input = inputs_[in];
  MessageQueue& queue = input.queues[m.lane];
  const bool first = queue.empty();
  queue.push(m);
  input.occupied |= 1U << m.lane;
  if (!first) return;  // its turn to be looked at comes with the grant of the one before it
  wheel_.set_present(in);
  plan_request(in, std::max(m.ready, input.free_at));
}

void PacketSwitch::plan_request(std::uint32_t in, Cycle at) {
  if (static_cast<std::uint64_t>(at - common_.domain.now()) < RequestWheel::kAhead) {
    if (wheel_.add(at, in)) common_.agenda.plan_allocation(*this, at);
  } else {
    remind(at, in);
  }
}

void PacketSwitch::plan_requests(PortId begin, PortId end, Cycle at) {
  if (static_cast<std::uint64_t>(at - common_.domain.now()) < RequestWheel::kAhead) {
    if (wheel_.add_present(at, begin, end)) common_.agenda.plan_allocation(*this, at);
  } else {
    remind(at, kPlanAll);
  }
}

void PacketSwitch::remind(Cycle at, std::uint32_t token) {
  common_.domain.schedule(at - kReminder, Phase::prepare, *this, token);
}

void PacketSwitch::due(Cycle now, std::uint32_t token) {
  if (token == kPlanAll) {
    plan_requests(0, ports_, now + kReminder);
  } else if (token == kRoute) {
    route_due(now);
  } else if (token >= kDiscard) {
    discard_arrived(static_cast<PortId>(token - kDiscard), now);
  } else {
    plan_request(token, now + kReminder);
  }
}

void PacketSwitch::space_coming(PortId port, Cycle from) {
  egress_[port].wait_for_space(false);
  plan_requests(0, ports_, from);
}

bool PacketSwitch::has_room(PortId port, const PacketMessage& m, Cycle now, Cycle& retry) {
  EgressPort& out = egress_[port];
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
  const Drain moves = moves_of(m, rate, now);
  input.free_at = free_after(moves);
  input.next_lane = static_cast<VirtualLane>(lane + 1);
  if (input.queues[lane].empty()) {
    input.occupied &= ~(1U << lane);
    if (input.occupied == 0) wheel_.set_absent(in);
  }
  if (input.occupied != 0) plan_request(in, std::max(now + 1, input.free_at));
  ++common_.grants;
  const Cycle flight = parameters().stages.credit;
  give_credits_back(in, lane, {moves.start + flight, moves.arrive + flight, rate, m.flits});
  return moves;
}

void PacketSwitch::give_credits_back(PortId in, VirtualLane lane, const Drain& moves) {
  Input& input = inputs_[in];
  common_.give_back(
      lane, moves, [&](const Drain& credits) __attribute__((always_inline)) {
        if (input.sender != nullptr) {
          input.credits.add(lane, credits, common_.domain.now());
          if (input.credits.wanted()) input.sender->wake(credits.start);
        } else {
          answer_by_socket(in, lane, credits);
        }
      });
}

void PacketSwitch::answer_by_socket(PortId in, VirtualLane lane, const Drain& credits) {
  PacketTransfer transfer;
  transfer.lane = lane;
  transfer.credits = credits;
  answers_[in].answer(transfer, credit_delay_);
}

void PacketSwitch::to_egress(PortId port, PacketMessage& m, const Drain& moves) {
  m.ready = moves.start + parameters().stages.crossbar;
  m.lane = m.hop.lane;
  m.lane_class = m.hop.lane_class;
  m.channel = m.hop.channel;
  EgressPort& out = egress_[port];
  out.push(m);
  if (!out.down_or_block()) return;
  if (out.block() != nullptr) out.block()->granted(m, moves);
  // It was on its way through the central crossbar when the link failed.
  if (out.down() && losses_ != nullptr) common_.domain.schedule(m.ready, Phase::submit, *this, kDiscard + port);
}

}  // namespace weft
