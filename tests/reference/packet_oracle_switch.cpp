#include "reference/packet_oracle_switch.h"
#include "algorithms/slots/allocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weft::packet_oracle {

namespace {

VisitPtr visit_to(const Visit& from, VirtualLane lane) {
  auto to = std::make_shared<Visit>();
  to->message = from.message;
  to->size = from.size;
  to->level = from.level;
  to->lane = lane;
  return to;
}

void forget_finished(std::vector<Transfer>& transfers) {
  std::erase_if(transfers, [](const Transfer& transfer) { return transfer.from->left == transfer.from->size; });
}

}  // namespace

Switch::Switch(const OracleSetup& setup, SwitchId id, const std::vector<Egress*>& outputs,
               const std::vector<Egress*>& upstream)
    : setup_(setup),
      parameters_(setup.parameters),
      opa_(opa_of(parameters_)),
      id_(id),
      ports_(setup.graph.ports(id)),
      egress_(outputs),
      upstream_(upstream),
      outputs_(ports_) {
  const std::uint32_t lanes = parameters_.lanes;
  mport_ports_ = opa_ ? opa_->mport_ports : ports_;
  for (std::uint32_t p = 0; p < ports_; ++p) {
    inputs_.push_back({.buffer = SharedBuffer(parameters_.input, lanes), .queues = LaneQueues(lanes), .arriving = {}});
  }
  for (std::uint32_t first = 0; first < ports_; first += mport_ports_) {
    const BufferShares none{.capacity = 0, .minimum = std::vector(lanes, 0U), .maximum = std::vector(lanes, 0U)};
    MPort mport{.first = first,
                .count = std::min(mport_ports_, ports_ - first),
                .central = SharedBuffer(opa_ ? opa_->central : none, lanes),
                .links = {}};
    for (std::uint32_t k = 0; opa_ && k < opa_->central_links; ++k) {
      const CentralUse side(opa_->central_messages, opa_->central_rate);
      mport.links.push_back({.fill = side, .queues = LaneQueues(lanes), .drain = side});
    }
    mports_.push_back(std::move(mport));
  }
}

// "Link": a flit comes off the link in cycle t and is in the input buffer `ib` cycles later.
void Switch::arrive(PortId in, VirtualLane lane, Flit flit, const OracleMessage& message, Cycle t) {
  Input& input = inputs_[in];
  if (flit.index == 0) {
    auto visit = std::make_shared<Visit>();
    visit->message = flit.message;
    visit->size = message.flits;
    visit->level = message.level;
    visit->lane = lane;
    visit->head_arrived = t;
    visit->hop = setup_.route(id_, in, message, lane);
    for (std::uint32_t i = 0; i < message.flits; ++i) {
      visit->expected.push_back(t + i + parameters_.stages.input);
    }
    const PacketHop& hop = visit->hop;
    visit->drawn = trunk_draw(message.choice, id_) % std::max<std::uint32_t>(1, hop.count);
    demand(hop.count > 0 && hop.first + hop.count <= ports_ && hop.lane < parameters_.lanes, t, "a route to nowhere");
    for (std::uint32_t p = hop.first; p < hop.first + hop.count; ++p) {
      demand(egress_[p] != nullptr, t, "a route to a port without a link");
    }
    input.arriving = visit;
    input.queues[lane].push_back(visit);
  }
  demand(input.arriving != nullptr && input.arriving->message == flit.message && input.arriving->lane == lane, t,
         "a flit arrives amid another message");
  input.arriving->flits.push_back({flit.message, flit.index, t + parameters_.stages.input});
  input.buffer.reserve(lane, places_of_flit(parameters_, lane, message.flits, flit.index));
}

bool Switch::move(Cycle t) {
  const Cycle crossbar = parameters_.stages.crossbar;
  std::uint32_t total = 0;
  using Ports = std::map<std::uint32_t, std::vector<const Transfer*>>;
  Ports inputs, outputs, links, central_inputs, central_outputs;  // in use in this cycle
  const bool one_per_link = opa_ == nullptr || opa_->central_messages == 1;
  const auto use = [&](Ports& ports, std::uint32_t port, const Transfer& transfer) {
    if (!one_per_link && (&ports == &links || &ports == &central_inputs)) return;  // CentralUse::check
    std::vector<const Transfer*>& all = ports[port];
    all.push_back(&transfer);
    if (all.size() == 1) return;
    std::uint32_t flits = 0;
    for (const Transfer* one : all) flits += one->first == t && one->ends == t ? one->from->size : one->rate + 1;
    for (const Transfer* one : all) {
      demand(flits <= one->rate, t, fmt::format("switch {}: a port of a crossbar is used twice", id_));
    }
  };
  const auto leave_input = [&](const Transfer& transfer, std::uint32_t flits) {
    const Visit& from = *transfer.from;
    for (std::uint32_t i = from.left - flits; i < from.left; ++i) {
      const std::uint32_t places = places_of_flit(parameters_, from.lane, from.size, i);
      inputs_[transfer.source].buffer.give_back(from.lane, places);
      Egress& sender = *upstream_[transfer.source];
      sender.credits.push_back({t + parameters_.stages.credit + sender.adapter(), from.lane, places});
    }
  };
  for (const std::vector<Transfer>* transfers : {&direct_, &to_central_}) {
    for (const Transfer& transfer : *transfers) {
      const std::uint32_t moved = move_flits(transfer, t, crossbar);
      leave_input(transfer, moved);
      total += moved;
      if (t < transfer.first) continue;
      use(inputs, transfer.source, transfer);
      use(transfers == &direct_ ? outputs : links, transfer.sink, transfer);
    }
  }
  for (const Transfer& transfer : through_) {
    const std::uint32_t moved = move_flits(transfer, t, crossbar);
    for (std::uint32_t i = 0; i < moved; ++i) {
      mports_[transfer.source / opa_->central_links].central.give_back(transfer.from->lane, 1);
    }
    total += moved;
    if (t < transfer.first) continue;
    use(central_inputs, transfer.source, transfer);
    use(central_outputs, transfer.sink, transfer);
  }
  for (MPort& mport : mports_) {
    for (CentralLink& link : mport.links) {
      link.fill.check(t);
      link.drain.check(t);
    }
  }
  forget_finished(direct_);
  forget_finished(to_central_);
  forget_finished(through_);
  return total > 0;
}

bool Switch::allocate(Cycle t) {
  bool granted = false;
  const auto count = static_cast<std::uint32_t>(mports_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto turn = static_cast<std::uint32_t>((t + i) % count);
    for (std::uint32_t n = 0; n < parameters_.iterations; ++n) granted = first_allocation(turn, t) || granted;
  }
  for (std::uint32_t n = 0; opa_ && n < parameters_.iterations; ++n) granted = second_allocation(t) || granted;
  return granted;
}

// "VA-SA" and "First VA-SA", for one MPort: requests, then the grants of its outputs, then those of its central links.
bool Switch::first_allocation(std::uint32_t m, Cycle t) {
  MPort& mport = mports_[m];
  std::vector<std::optional<Request>> requests;  // per input of the MPort
  for (std::uint32_t i = 0; i < mport.count; ++i) requests.push_back(request_of(m, mport.first + i, t));
  const auto stands = [&](const Request& request) {  // an earlier grant may have taken the room
    const Visit& visit = *inputs_[request.input].queues[request.lane].front();
    return has_room(m, visit, request.port, request.link.has_value());
  };
  bool granted = false;
  for (std::uint32_t o = mport.first; o < mport.first + mport.count; ++o) {
    for (std::uint32_t n = 0; n < mport.count; ++n) {
      const std::uint32_t i = (outputs_[o].input_pointer + n) % mport.count;
      if (!requests[i] || requests[i]->link || requests[i]->port != o || !stands(*requests[i])) continue;
      grant_output(*requests[i], t);
      requests[i].reset();
      outputs_[o].input_pointer = (i + 1) % mport.count;
      granted = true;
      break;
    }
  }
  for (std::uint32_t k = 0; k < mport.links.size(); ++k) {
    for (std::uint32_t n = 0; n < mport.count; ++n) {
      const std::uint32_t i = (mport.links[k].input_pointer + n) % mport.count;
      if (!requests[i] || requests[i]->link != k || !stands(*requests[i])) continue;
      grant_central(m, *requests[i], t);
      requests[i].reset();
      mport.links[k].input_pointer = (i + 1) % mport.count;
      granted = true;
      break;
    }
  }
  for (const auto& lost : requests) {
    if (!lost || parameters_.lane_pointer != LanePointer::on_request) continue;
    inputs_[lost->input].vl_pointer = (lost->lane + 1U) % parameters_.lanes;
  }
  return granted;
}

// Of a message, if it were granted now, to a buffer in which it will be on VL `to`.
Transfer Switch::transfer_of(const VisitPtr& from, VirtualLane to, std::uint32_t rate, Cycle t) const {
  return plan_transfer(from, visit_to(*from, to), rate, next_start(t), parameters_.stages.crossbar);
}

std::optional<Switch::Request> Switch::request_of(std::uint32_t mport, std::uint32_t input, Cycle t) const {
  const Input& in = inputs_[input];
  for (std::uint32_t i = 0; i < parameters_.lanes; ++i) {
    const auto v = static_cast<VirtualLane>((in.vl_pointer + i) % parameters_.lanes);
    if (in.queues[v].empty()) continue;
    const Visit& head = *in.queues[v].front();
    if (head.head_arrived > t - parameters_.stages.input - parameters_.stages.routing) continue;
    if (std::optional<Request> request = try_ports(mport, input, v, t)) return request;
  }
  return std::nullopt;
}

// The first port of the hop, from the trunk pointer on, that can take the head message of a VL; or, from the port on
// that was drawn at routing, the first that has room, if it can.
std::optional<Switch::Request> Switch::try_ports(std::uint32_t m, std::uint32_t input, VirtualLane lane,
                                                 Cycle t) const {
  const Input& in = inputs_[input];
  const VisitPtr& visit = in.queues[lane].front();
  const Visit& head = *visit;
  const bool drawn = parameters_.trunk == TrunkChoice::at_routing && head.hop.count > 1;
  for (std::uint32_t i = 0; i < head.hop.count; ++i) {
    const std::uint32_t first = drawn ? head.drawn : in.trunk_pointer % head.hop.count;
    const std::uint32_t offset = (first + i) % head.hop.count;
    const auto port = static_cast<PortId>(head.hop.first + offset);
    Request request{.input = input, .lane = lane, .port = port, .offset = offset, .link = std::nullopt};
    if (drawn && !has_room(m, head, port, false)) continue;
    if (mport_of(port) == m) {
      const Transfer transfer = transfer_of(visit, head.hop.lane, parameters_.crossbar_rate, t);
      const bool can = in.use.takes(transfer) && outputs_[port].use.takes(transfer) && has_room(m, head, port, false);
      if (can) return request;
    } else if (has_room(m, head, port, true)) {
      const std::vector<CentralLink>& links = mports_[m].links;
      for (std::uint32_t n = 0; n < links.size(); ++n) {
        const auto k = static_cast<std::uint32_t>((in.central_pointer + n) % links.size());
        const std::optional<std::uint32_t> rate = links[k].fill.rate(next_start(t));
        if (!rate) continue;
        const Transfer transfer = transfer_of(visit, head.hop.lane, *rate, t);
        if (!in.use.takes(transfer) || !links[k].fill.takes(transfer)) continue;
        request.link = k;
        return request;
      }
    }
    if (drawn) return std::nullopt;
  }
  return std::nullopt;
}

bool Switch::has_room(std::uint32_t mport, const Visit& visit, PortId port, bool through_central) const {
  const VirtualLane v = visit.hop.lane;
  const std::uint32_t bubble = visit.hop.enters_ring ? parameters_.bubble[v] : 0;
  if (through_central && !mports_[mport].central.fits(v, visit.size)) return false;
  return egress_[port]->buffer.fits(v, places_of_message(parameters_, v, visit.size) + bubble);
}

// What every grant of the first VA-SA does at its input.
VisitPtr Switch::take_head(const Request& request) {
  Input& in = inputs_[request.input];
  VisitPtr visit = in.queues[request.lane].front();
  in.queues[request.lane].pop_front();
  in.vl_pointer = (request.lane + 1U) % parameters_.lanes;
  if (visit->hop.count > 1) in.trunk_pointer = request.offset + 1;
  egress_[request.port]->buffer.reserve(visit->hop.lane, places_of_message(parameters_, visit->hop.lane, visit->size));
  return visit;
}

void Switch::grant_output(const Request& request, Cycle t) {
  const VisitPtr from = take_head(request);
  Transfer transfer = transfer_of(from, from->hop.lane, parameters_.crossbar_rate, t);
  transfer.source = request.input;
  transfer.sink = request.port;
  inputs_[request.input].use.take(transfer);
  outputs_[request.port].use.take(transfer);
  egress_[request.port]->queues[transfer.to->lane].push_back(transfer.to);
  direct_.push_back(transfer);
}

void Switch::grant_central(std::uint32_t m, const Request& request, Cycle t) {
  MPort& mport = mports_[m];
  CentralLink& link = mport.links[*request.link];
  const VisitPtr from = take_head(request);
  Transfer transfer = transfer_of(from, from->hop.lane, link.fill.rate(next_start(t)).value(), t);
  const VisitPtr to = transfer.to;
  to->port = request.port;
  to->rate_in = transfer.rate;
  mport.central.reserve(to->lane, to->size);
  transfer.source = request.input;
  transfer.sink = m * opa_->central_links + *request.link;
  inputs_[request.input].use.take(transfer);
  inputs_[request.input].central_pointer = (*request.link + 1) % opa_->central_links;
  link.fill.take(transfer);
  link.queues[to->lane].push_back(to);
  to_central_.push_back(transfer);
}

std::optional<Transfer> Switch::out_of_central(const CentralLink& link, const VisitPtr& head, Cycle t) const {
  const std::optional<std::uint32_t> rate = link.drain.rate(next_start(t));
  if (!rate) return std::nullopt;
  const bool limited = opa_->central_messages > 1 && head->expected.back() > next_start(t);
  const std::uint32_t own = limited ? std::min(*rate, head->rate_in) : *rate;
  Transfer transfer = transfer_of(head, head->lane, own, t);
  if (!link.drain.takes(transfer)) return std::nullopt;
  return transfer;
}

// "Second VA-SA": central links request output ports.
bool Switch::second_allocation(Cycle t) {
  const auto central_inputs = static_cast<std::uint32_t>(mports_.size()) * opa_->central_links;
  const auto link_at = [&](std::uint32_t i) -> CentralLink& {
    return mports_[i / opa_->central_links].links[i % opa_->central_links];
  };
  std::vector<std::optional<VirtualLane>> requests(central_inputs);
  for (std::uint32_t i = 0; i < central_inputs; ++i) {
    const CentralLink& link = link_at(i);
    for (std::uint32_t n = 0; n < parameters_.lanes && !requests[i]; ++n) {
      const auto v = static_cast<VirtualLane>((link.vl_pointer + n) % parameters_.lanes);
      if (link.queues[v].empty()) continue;
      const VisitPtr& head = link.queues[v].front();
      if (!head->head_is_here(t)) continue;
      const std::optional<Transfer> transfer = out_of_central(link, head, t);
      if (transfer && outputs_[head->port].central_use.takes(*transfer)) requests[i] = v;
    }
  }
  bool granted = false;
  for (std::uint32_t o = 0; o < ports_; ++o) {
    for (std::uint32_t n = 0; n < central_inputs; ++n) {
      const std::uint32_t i = (outputs_[o].central_pointer + n) % central_inputs;
      if (!requests[i] || link_at(i).queues[*requests[i]].front()->port != o) continue;
      CentralLink& link = link_at(i);
      const VisitPtr from = link.queues[*requests[i]].front();
      link.queues[*requests[i]].pop_front();
      Transfer transfer = out_of_central(link, from, t).value();
      const VisitPtr to = transfer.to;
      transfer.source = i;
      transfer.sink = o;
      link.drain.take(transfer);
      link.vl_pointer = (*requests[i] + 1U) % parameters_.lanes;
      outputs_[o].central_use.take(transfer);
      outputs_[o].central_pointer = (i + 1) % central_inputs;
      egress_[o]->queues[to->lane].push_back(to);
      through_.push_back(transfer);
      requests[i].reset();
      granted = true;
      break;
    }
  }
  for (std::uint32_t i = 0; i < central_inputs; ++i) {
    if (!requests[i] || parameters_.lane_pointer != LanePointer::on_request) continue;
    link_at(i).vl_pointer = (*requests[i] + 1U) % parameters_.lanes;
  }
  return granted;
}

}  // namespace weft::packet_oracle
