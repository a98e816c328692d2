#include "reference/packet_oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/slots/allocation.h"
#include "reference/packet_oracle_parts.h"
#include "reference/packet_oracle_switch.h"

// The order of steps within a cycle follows from the rule that a place or credit given back in a cycle can be taken in
// that very cycle: first all that gives back or brings flits (links, credits, OB's flits, X), then all that decides
// (VA-SA, NIC generation, OB), then the checks.

namespace weft::packet_oracle {

namespace {

struct Nic {
  std::vector<std::deque<std::uint32_t>> application;  // per SL: messages
  bool generated = false;                              // in this cycle
};

class Network {
 public:
  Network(const OracleSetup& setup, const std::vector<OracleMessage>& messages);
  OracleResult run(Cycle max_cycles);

 private:
  void check_input() const;
  bool arrivals(Cycle t);
  bool generate(Cycle t);
  void consume(NodeId node, const Egress::OnLink& on, Cycle t);
  void check(Cycle t) const;
  std::string waiting(Cycle t) const;

  const OracleSetup& setup_;
  const Graph& graph_;
  const PacketParameters& parameters_;
  const std::vector<OracleMessage>& messages_;
  std::vector<std::unique_ptr<Egress>> egress_;  // per link; null behind a free port
  std::vector<std::unique_ptr<Switch>> switches_;
  std::vector<Nic> nics_;
  std::vector<std::uint32_t> consumed_;  // per message: flits at its destination
  std::size_t next_ = 0;                 // the first message not yet generated
  std::size_t delivered_ = 0;
  OracleResult result_;
};

Network::Network(const OracleSetup& setup, const std::vector<OracleMessage>& messages)
    : setup_(setup),
      graph_(setup.graph),
      parameters_(setup.parameters),
      messages_(messages),
      egress_(graph_.link_count()),
      nics_(graph_.nodes()),
      consumed_(messages.size()) {
  check_input();
  result_.delivered.assign(messages.size(), -1);
  result_.decisions.resize(messages.size());
  for (LinkId l = 0; l < graph_.total_ports(); ++l) {
    const PortRef from = graph_.driver(l);
    if (graph_.is_free(from)) continue;
    const bool to_node = graph_.node_at(from.sw, from.port) != kNoId;
    egress_[l] =
        std::make_unique<Egress>(setup, l, parameters_.output, to_node ? parameters_.nic_input : parameters_.input);
  }
  for (NodeId n = 0; n < graph_.nodes(); ++n) {
    const LinkId l = graph_.injection_link(n);
    egress_[l] = std::make_unique<Egress>(setup, l, parameters_.nic, parameters_.input);
    nics_[n].application.resize(parameters_.levels);
  }
  for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
    std::vector<Egress*> outputs, upstream;
    for (PortId p = 0; p < graph_.ports(sw); ++p) {
      outputs.push_back(egress_[graph_.out_link(sw, p)].get());
      const PortRef peer = graph_.peer(sw, p);
      const NodeId node = graph_.node_at(sw, p);
      if (node != kNoId) {
        upstream.push_back(egress_[graph_.injection_link(node)].get());
      } else {
        upstream.push_back(peer.sw == kNoId ? nullptr : egress_[graph_.out_link(peer.sw, peer.port)].get());
      }
    }
    switches_.push_back(std::make_unique<Switch>(setup, sw, outputs, upstream));
  }
}

void Network::check_input() const {
  const StageLatencies& s = parameters_.stages;
  const auto need = [](bool good, const char* what) {
    if (!good) throw std::invalid_argument(std::string("packet oracle: ") + what);
  };
  need(s.input >= 0 && s.routing >= 0 && s.crossbar >= 0, "a latency below 0");
  need(s.allocation >= 1 && s.output >= 1 && s.link >= 1 && s.credit >= 1, "a latency below 1");
  need(parameters_.lanes >= 1 && parameters_.lanes <= kMaxLanes, "number of VLs");
  need(parameters_.levels >= 1 && parameters_.levels <= kMaxServiceLevels, "number of SLs");
  need(parameters_.bubble.size() >= parameters_.lanes, "a bubble for every VL");
  need(parameters_.crossbar_rate >= 1, "a crossbar without speed");
  if (const OpaParameters* opa = opa_of(parameters_)) {
    need(opa->central_rate >= 1, "a crossbar without speed");
    need(opa->mport_ports >= 1 && opa->central_links >= 1, "an MPort without ports or links");
    need(opa->central_messages >= 1, "a central link without messages");
  }
  Cycle before = 0;
  for (const OracleMessage& m : messages_) {
    need(m.generated >= before, "messages are not in the order of their generation");
    need(m.source < graph_.nodes() && m.destination < graph_.nodes() && m.source != m.destination, "end nodes");
    need(m.flits >= 1 && m.level < parameters_.levels, "size or SL of a message");
    before = m.generated;
  }
}

// Flits and credits that come off their wires in cycle t.
bool Network::arrivals(Cycle t) {
  bool any = false;
  for (LinkId l = 0; l < egress_.size(); ++l) {
    Egress* egress = egress_[l].get();
    if (egress == nullptr) continue;
    egress->take_credits(t);
    while (!egress->link.empty() && egress->link.front().arrives == t) {
      const Egress::OnLink on = egress->link.front();
      egress->link.pop_front();
      any = true;
      PortRef to;
      if (graph_.is_injection(l)) {
        to = graph_.attachment(l - graph_.total_ports());
      } else {
        const PortRef from = graph_.driver(l);
        const NodeId node = graph_.node_at(from.sw, from.port);
        if (node != kNoId) {
          consume(node, on, t);
          egress->credits.push_back({t + parameters_.stages.credit + egress->adapter(), on.lane, on.places});
          continue;
        }
        to = graph_.peer(from.sw, from.port);
      }
      switches_[to.sw]->arrive(to.port, on.lane, on.flit, messages_[on.flit.message], t);
    }
  }
  return any;
}

// "NIC, reception".
void Network::consume(NodeId node, const Egress::OnLink& on, Cycle t) {
  const OracleMessage& message = messages_[on.flit.message];
  demand(message.destination == node, t, fmt::format("message {} arrives at node {}", on.flit.message, node));
  demand(consumed_[on.flit.message] == on.flit.index, t, "a flit is lost, doubled or out of order");
  if (++consumed_[on.flit.message] < message.flits) return;
  result_.delivered[on.flit.message] = t;
  ++delivered_;
}

// "NIC, generation": messages of cycle t join the application queues; then these are emptied into the NIC buffers.
bool Network::generate(Cycle t) {
  bool any = false;
  for (Nic& nic : nics_) nic.generated = false;
  for (; next_ < messages_.size() && messages_[next_].generated == t; ++next_) {
    Nic& nic = nics_[messages_[next_].source];
    nic.application[messages_[next_].level].push_back(static_cast<std::uint32_t>(next_));
    nic.generated = true;
    any = true;
  }
  for (NodeId n = 0; n < nics_.size(); ++n) {
    Egress& egress = *egress_[graph_.injection_link(n)];
    if (!nics_[n].generated && !egress.free_in(t)) continue;
    for (std::uint32_t sl = 0; sl < parameters_.levels; ++sl) {
      std::deque<std::uint32_t>& application = nics_[n].application[sl];
      const VirtualLane v = setup_.injection_lane(n, static_cast<ServiceLevel>(sl));
      while (!application.empty() &&
             egress.buffer.fits(v, places_of_message(parameters_, v, messages_[application.front()].flits))) {
        auto visit = std::make_shared<Visit>();
        visit->message = application.front();
        visit->size = messages_[visit->message].flits;
        visit->level = static_cast<ServiceLevel>(sl);
        visit->lane = v;
        for (std::uint32_t i = 0; i < visit->size; ++i) visit->flits.push_back({visit->message, i, t});
        egress.buffer.reserve(v, places_of_message(parameters_, v, visit->size));
        egress.queues[v].push_back(visit);
        application.pop_front();
        any = true;
      }
    }
  }
  return any;
}

void Network::check(Cycle t) const {
  const std::vector<std::int64_t> none(parameters_.lanes, 0);
  for (const auto& sw : switches_) sw->check(t);
  for (LinkId l = 0; l < egress_.size(); ++l) {
    if (egress_[l] == nullptr) continue;
    if (graph_.is_injection(l)) {
      const PortRef to = graph_.attachment(l - graph_.total_ports());
      egress_[l]->check(t, switches_[to.sw]->held(to.port), none);
      continue;
    }
    const PortRef from = graph_.driver(l);
    const PortRef to = graph_.peer(from.sw, from.port);
    egress_[l]->check(t, to.sw == kNoId ? none : switches_[to.sw]->held(to.port),
                      switches_[from.sw]->promised(from.port));
  }
}

std::string Network::waiting(Cycle t) const {
  std::string text;
  for (const auto& egress : egress_) {
    if (egress) text += egress->waiting(t);
  }
  for (const auto& sw : switches_) text += sw->waiting(t);
  for (NodeId n = 0; n < nics_.size(); ++n) {
    for (std::uint32_t sl = 0; sl < parameters_.levels; ++sl) {
      if (const auto size = nics_[n].application[sl].size(); size > 0) {
        text += fmt::format("  node {}: {} messages of SL {} in the application queue\n", n, size, sl);
      }
    }
  }
  return text;
}

OracleResult Network::run(Cycle max_cycles) {
  Cycle last_event = 0;
  std::uint64_t events_before = 0;
  for (Cycle t = 0; t < max_cycles && delivered_ < messages_.size(); ++t) {
    bool any = arrivals(t);
    for (const auto& egress : egress_) {
      if (egress) egress->put_on_link(t);
    }
    for (const auto& sw : switches_) any |= sw->move(t);
    for (const auto& sw : switches_) any |= sw->allocate(t);
    any |= generate(t);
    for (const auto& egress : egress_) {
      if (egress) any |= egress->decide(t, result_.decisions);
    }
    check(t);
    std::uint64_t events = 0;
    for (const auto& egress : egress_) {
      if (egress) events += egress->events;
    }
    if (any || events != events_before || delivered_ == next_) last_event = t;
    events_before = events;
    if (t - last_event >= setup_.stall_after) {
      throw OracleStall(fmt::format("nothing has moved since cycle {}, {} of {} messages are under way:\n{}",
                                    last_event, next_ - delivered_, messages_.size(), waiting(t)));
    }
  }
  return std::move(result_);
}

}  // namespace

OracleResult run_packet_oracle(const OracleSetup& setup, const std::vector<OracleMessage>& messages, Cycle max_cycles) {
  return Network(setup, messages).run(max_cycles);
}

}  // namespace weft::packet_oracle
