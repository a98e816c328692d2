#include "reference/iq_oracle.h"

#include <map>
#include <optional>
#include <stdexcept>

#include "reference/iq_oracle_parts.h"

namespace weft::oracle {
namespace {

using namespace iq;

class Network {
 public:
  Network(const IqParameters& p, const Graph& graph, const PacketRouting& routing, const std::vector<IqPacket>& packets,
          IqFaultPlan* faults, const std::vector<Cycle>& adapters)
      : p_(p),
        V_(p.vcs),
        graph_(graph),
        routing_(routing),
        packets_(packets),
        faults_(faults),
        adapters_(adapters),
        nics_(graph.nodes()),
        cut_(packets.size()) {
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      const std::size_t ports = graph.ports(s);
      routers_.push_back({std::vector<Input>(ports * V_), std::vector<Output>(ports * V_, Output{p.buffer}),
                          std::vector<std::size_t>(ports), std::vector<std::size_t>(ports),
                          std::vector<std::size_t>(ports)});
    }
    for (Nic& n : nics_) n.out.assign(V_, Output{p.buffer});
    for (std::size_t i = 0; i < packets.size(); ++i) generated_[packets[i].generated].push_back(i);
    outcome_.sent.resize(packets.size(), -1);
    outcome_.delivered.resize(packets.size(), -1);
    outcome_.lost.resize(packets.size(), -1);
  }

  IqOutcome run(Cycle patience) {
    Cycle last = generated_.empty() ? 0 : generated_.rbegin()->first;
    for (Cycle t = 0; done_ < packets_.size(); ++t) {
      const std::size_t before = done_;
      cycle(t);
      if (done_ != before && t > last) last = t;
      if (t > last + patience) throw std::runtime_error("nothing is delivered any more");
    }
    return std::move(outcome_);
  }

 private:
  // Cycles that an adapter adds to a link, for flits as for credits; and to the link into an input VC.
  Cycle adapter(LinkId link) const { return adapters_.empty() ? 0 : adapters_[link]; }
  Cycle adapter_before(SwitchId s, std::size_t input) const {
    const auto port = static_cast<PortId>(input / V_);
    const NodeId node = graph_.node_at(s, port);
    const PortRef from = graph_.peer(s, port);
    return adapter(node != kNoId ? graph_.injection_link(node) : graph_.out_link(from.sw, from.port));
  }

  bool is_free(const Output& o, Cycle t) const {
    if (o.owned) return false;
    return p_.reuse == IqReuse::after_tail ? t >= o.free_from : o.credits == p_.buffer;
  }

  bool link_up(LinkId link) const { return faults_ == nullptr || faults_->links.up(link); }

  RouteStep step(SwitchId s, std::size_t input, std::size_t packet) const {
    const auto port = static_cast<PortId>(input / V_);
    const bool from_node = graph_.node_at(s, port) != kNoId;
    const std::size_t share = V_ / routing_.lane_classes();
    const auto lane_class = static_cast<std::uint8_t>(from_node ? 0 : input % V_ / share);
    const RoutePlace place{s, port, lane_class};
    const IqPacket& p = packets_[packet];
    const RouteStep usual = routing_.step(place, p.destination, p.choice);
    if (faults_ == nullptr) return usual;
    const RouteStep step = faults_->routing.step(place, p.destination, p.choice);
    return step.count == 0 && !faults_->discard ? usual : step;
  }

  void end(std::size_t packet, bool arrived, Cycle t) {
    (arrived && !cut_[packet] ? outcome_.delivered : outcome_.lost)[packet] = t;
    ++done_;
  }

  // What is on a link that goes down is cut; heads that have not been sent on look for a route again.
  void links_change(Cycle t) {
    bool any = false;
    for (const IqLinkChange& c : faults_->changes) {
      if (c.cycle != t) continue;
      int& downs = downs_[c.link];
      downs += c.up ? -1 : 1;
      if (downs != (c.up ? 0 : 1)) continue;
      any = true;
      faults_->links.set(c.link, c.up);
      for (const auto& [packet, last] : passages_[c.link]) {
        if (!c.up && (last < 0 || last >= t)) cut_[packet] = true;
      }
    }
    if (!any) return;
    faults_->routing.update();
    for (SwitchId s = 0; s < routers_.size(); ++s) {
      for (std::size_t i = 0; i < routers_[s].in.size(); ++i) {
        Input& in = routers_[s].in[i];
        const bool waits = in.stage == Input::head_known || in.stage == Input::has_output;
        if (waits && !in.buffer.empty() && in.buffer.front().head) look_again(s, i, t);
      }
    }
  }

  void look_again(SwitchId s, std::size_t i, Cycle t) {
    Router& r = routers_[s];
    Input& in = r.in[i];
    in.hop = step(s, i, in.buffer.front().packet);
    if (in.stage == Input::has_output) {
      const std::size_t out = in.out_port * V_ + in.out_vc;
      bool on_way = false;
      for (std::size_t c = 0; c < in.hop.count * V_; ++c)
        on_way = on_way || (output_of(in, c) == out && fits(s, in, c));
      if (on_way) return;
      r.out[out].owned = false;
      in.stage = Input::head_known;
      in.from = t;
    }
    if (in.hop.count > 0) return;
    in.stage = Input::no_route;
  }

  // One flit of a packet without a route per cycle.
  void discard(SwitchId s, Cycle t) {
    for (std::size_t i = 0; i < routers_[s].in.size(); ++i) {
      Input& in = routers_[s].in[i];
      if (in.stage != Input::no_route || in.buffer.empty()) continue;
      const Flit flit = in.buffer.front();
      in.buffer.pop_front();
      credits_[t + p_.switch_allocation + p_.credit + adapter_before(s, i)].push_back(&sender(s, i));
      if (!flit.tail) continue;
      in.stage = Input::none;
      end(flit.packet, false, t);
    }
  }

  // The output VC, of a router or NIC, that leads to an input VC.
  Output& sender(SwitchId s, std::size_t i) {
    const auto port = static_cast<PortId>(i / V_);
    const NodeId upstream = graph_.node_at(s, port);
    if (upstream != kNoId) return nics_[upstream].out[i % V_];
    const PortRef peer = graph_.peer(s, port);
    return routers_[peer.sw].out[peer.port * V_ + i % V_];
  }

  void on_link(LinkId link, const Flit& flit, Cycle arrival) {
    outcome_.flits[link].push_back(arrival - adapter(link) - p_.link);
    if (faults_ == nullptr) return;
    if (flit.head) passages_[link][flit.packet] = -1;
    if (flit.tail) passages_[link][flit.packet] = arrival;
  }

  void cycle(Cycle t) {
    if (faults_ != nullptr) links_change(t);
    for (const auto& [sw, vc, flit] : landings_[t]) routers_[sw].in[vc].buffer.push_back(flit);
    landings_.erase(t);
    for (Output* o : credits_[t]) ++o->credits;
    credits_.erase(t);
    for (std::size_t packet : deliveries_[t]) end(packet, true, t);
    deliveries_.erase(t);
    for (SwitchId s = 0; s < routers_.size(); ++s) {
      route(s, t);
      p_.allocation == IqAllocation::separable ? vcs_separable(s, t) : vcs_islip(s, t);
      p_.allocation == IqAllocation::separable ? switch_separable(s, t) : switch_islip(s, t);
      discard(s, t);
    }
    for (const std::size_t i : generated_[t]) nics_[packets_[i].source].queue.push_back(i);
    for (NodeId n = 0; n < nics_.size(); ++n) nic(n, t);
  }

  void route(SwitchId s, Cycle t) {
    Router& r = routers_[s];
    for (std::size_t i = 0; i < r.in.size(); ++i) {
      Input& in = r.in[i];
      if (in.stage != Input::none || in.buffer.empty()) continue;
      if (!in.buffer.front().head) throw std::runtime_error("body without head");
      in.hop = step(s, i, in.buffer.front().packet);
      in.stage = in.hop.count == 0 ? Input::no_route : Input::head_known;
      in.from = t + p_.routing;
    }
  }

  bool requests_vc(const Input& in, Cycle t) const { return in.stage == Input::head_known && t >= in.from; }

  // Output VC behind a candidate number.
  std::size_t output_of(const Input& in, std::size_t candidate) const {
    return (in.hop.first + candidate % in.hop.count) * V_ + candidate / in.hop.count;
  }

  // The VC is one the hop allows, and its link is up.
  bool fits(SwitchId s, const Input& in, std::size_t candidate) const {
    const std::size_t out = output_of(in, candidate);
    const auto port = static_cast<PortId>(out / V_);
    const bool to_node = graph_.node_at(s, port) != kNoId;
    const std::size_t share = V_ / routing_.lane_classes();
    return (to_node || out % V_ / share == in.hop.lane_class) && link_up(graph_.out_link(s, port));
  }

  bool is_candidate(SwitchId s, const Input& in, std::size_t candidate, Cycle t) const {
    return is_free(routers_[s].out[output_of(in, candidate)], t) && fits(s, in, candidate);
  }

  void grant_vc(SwitchId s, std::size_t i, std::size_t candidate, Cycle t, bool move_pointers) {
    Input& in = routers_[s].in[i];
    const std::size_t out = output_of(in, candidate);
    Output& o = routers_[s].out[out];
    o.owned = true;
    in.stage = Input::has_output;
    in.from = t + p_.vc_allocation;
    in.out_port = static_cast<PortId>(out / V_);
    in.out_vc = static_cast<std::uint32_t>(out % V_);
    if (!move_pointers) return;
    in.pointer = candidate + 1;
    o.pointer = i + 1;
  }

  void vcs_separable(SwitchId s, Cycle t) {
    Router& r = routers_[s];
    std::map<std::size_t, std::map<std::size_t, std::size_t>> requests;  // output VC: input VC: candidate
    for (std::size_t i = 0; i < r.in.size(); ++i) {
      const Input& in = r.in[i];
      if (!requests_vc(in, t)) continue;
      const auto c =
          round_robin(in.hop.count * V_, in.pointer, [&](std::size_t x) { return is_candidate(s, in, x, t); });
      if (c) requests[output_of(in, *c)][i] = *c;
    }
    for (const auto& [out, from] : requests) {
      const auto i =
          round_robin(r.in.size(), r.out[out].pointer, [&from = from](std::size_t x) { return from.count(x) != 0; });
      grant_vc(s, *i, from.at(*i), t, true);
    }
  }

  void vcs_islip(SwitchId s, Cycle t) {
    Router& r = routers_[s];
    for (std::uint32_t round = 0; round < p_.iterations; ++round) {
      std::map<std::size_t, std::map<std::size_t, std::size_t>> requests;
      for (std::size_t i = 0; i < r.in.size(); ++i) {
        if (!requests_vc(r.in[i], t)) continue;
        for (std::size_t c = 0; c < r.in[i].hop.count * V_; ++c) {
          if (is_candidate(s, r.in[i], c, t)) requests[output_of(r.in[i], c)][i] = c;
        }
      }
      std::map<std::size_t, std::map<std::size_t, bool>> grants;  // input VC: candidates
      for (const auto& [out, from] : requests) {
        const auto i =
            round_robin(r.in.size(), r.out[out].pointer, [&from = from](std::size_t x) { return from.count(x) != 0; });
        grants[*i][from.at(*i)] = true;
      }
      for (const auto& [i, candidates] : grants) {
        const auto c = round_robin(r.in[i].hop.count * V_, r.in[i].pointer,
                                   [&candidates = candidates](std::size_t x) { return candidates.count(x) != 0; });
        grant_vc(s, i, *c, t, round == 0);
      }
    }
  }

  bool can_send(const Router& r, std::size_t i, Cycle t) const {
    const Input& in = r.in[i];
    return in.stage == Input::has_output && t >= in.from && !in.buffer.empty() &&
           r.out[in.out_port * V_ + in.out_vc].credits > 0;
  }

  void switch_separable(SwitchId s, Cycle t) {
    Router& r = routers_[s];
    const std::size_t ports = graph_.ports(s);
    std::map<PortId, std::map<std::size_t, std::size_t>> requests;  // output port: input port: VC
    for (std::size_t p = 0; p < ports; ++p) {
      const auto v = round_robin(V_, r.vc_pointer[p], [&](std::size_t x) { return can_send(r, p * V_ + x, t); });
      if (v) requests[r.in[p * V_ + *v].out_port][p] = *v;
    }
    for (const auto& [out, from] : requests) {
      const auto p =
          round_robin(ports, r.grant_pointer[out], [&from = from](std::size_t x) { return from.count(x) != 0; });
      r.grant_pointer[out] = *p + 1;
      send(s, *p, from.at(*p), t);
    }
  }

  void switch_islip(SwitchId s, Cycle t) {
    Router& r = routers_[s];
    const std::size_t ports = graph_.ports(s);
    std::vector<bool> in_done(ports), out_done(ports);
    for (std::uint32_t round = 0; round < p_.iterations; ++round) {
      const auto wants = [&](std::size_t in, std::size_t out, std::size_t v) {
        return can_send(r, in * V_ + v, t) && r.in[in * V_ + v].out_port == out;
      };
      std::map<std::size_t, std::map<std::size_t, bool>> grants;  // input: outputs
      for (std::size_t out = 0; out < ports; ++out) {
        if (out_done[out]) continue;
        const auto in = round_robin(ports, r.grant_pointer[out], [&](std::size_t x) {
          bool any = false;
          for (std::size_t v = 0; v < V_ && !in_done[x]; ++v) any = any || wants(x, out, v);
          return any;
        });
        if (in) grants[*in][out] = true;
      }
      for (const auto& [in, outs] : grants) {
        const std::size_t port = in;
        const auto out =
            round_robin(ports, r.accept_pointer[in], [&outs = outs](std::size_t x) { return outs.count(x) != 0; });
        const auto v = round_robin(V_, r.vc_pointer[in], [&](std::size_t x) { return wants(port, *out, x); });
        if (round == 0) {
          r.grant_pointer[*out] = in + 1;
          r.accept_pointer[in] = *out + 1;
        }
        in_done[in] = out_done[*out] = true;
        send(s, in, *v, t);
      }
    }
  }

  void send(SwitchId s, std::size_t port, std::size_t v, Cycle t) {
    Router& r = routers_[s];
    r.vc_pointer[port] = v + 1;
    Input& in = r.in[port * V_ + v];
    Output& o = r.out[in.out_port * V_ + in.out_vc];
    const Flit flit = in.buffer.front();
    in.buffer.pop_front();
    --o.credits;
    credits_[t + p_.switch_allocation + p_.credit + adapter_before(s, port * V_ + v)].push_back(
        &sender(s, port * V_ + v));
    const Cycle longer = adapter(graph_.out_link(s, static_cast<PortId>(in.out_port)));
    const Cycle arrival = t + p_.switch_allocation + p_.crossbar + p_.link + longer;
    on_link(graph_.out_link(s, in.out_port), flit, arrival);
    if (const NodeId node = graph_.node_at(s, in.out_port); node != kNoId) {
      if (packets_[flit.packet].destination != node) throw std::runtime_error("at the wrong node");
      credits_[arrival + p_.credit + longer].push_back(&o);
      if (flit.tail) deliveries_[arrival].push_back(flit.packet);
    } else {
      const PortRef peer = graph_.peer(s, in.out_port);
      landings_[arrival + p_.buffer_write].push_back({peer.sw, peer.port * V_ + in.out_vc, flit});
    }
    if (!flit.tail) return;
    o.owned = false;
    o.free_from = t + 1;
    in.stage = Input::none;
  }

  void nic(NodeId n, Cycle t) {
    Nic& nic = nics_[n];
    if (!nic.packet && !nic.queue.empty() && link_up(graph_.injection_link(n))) {
      const auto v =
          round_robin(V_, nic.pointer, [&](std::size_t x) { return is_free(nic.out[x], t) && nic.out[x].credits > 0; });
      if (v) {
        nic.packet = nic.queue.front();
        nic.queue.pop_front();
        nic.vc = *v;
        nic.pointer = *v + 1;
        nic.next = 0;
        nic.out[*v].owned = true;
        outcome_.sent[*nic.packet] = t;
      }
    }
    if (!nic.packet || nic.out[nic.vc].credits == 0) return;
    Output& o = nic.out[nic.vc];
    --o.credits;
    const bool tail = nic.next + 1 == packets_[*nic.packet].flits;
    const PortRef at = graph_.attachment(n);
    const Cycle arrival = t + p_.link + adapter(graph_.injection_link(n));
    on_link(graph_.injection_link(n), {*nic.packet, nic.next == 0, tail}, arrival);
    landings_[arrival + p_.buffer_write].push_back({at.sw, at.port * V_ + nic.vc, {*nic.packet, nic.next == 0, tail}});
    ++nic.next;
    if (!tail) return;
    o.owned = false;
    o.free_from = t + 1;
    nic.packet.reset();
  }

  struct Landing {
    SwitchId sw;
    std::size_t vc;
    Flit flit;
  };
  const IqParameters p_;
  const std::size_t V_;
  const Graph& graph_;
  const PacketRouting& routing_;
  const std::vector<IqPacket>& packets_;
  IqFaultPlan* const faults_;
  const std::vector<Cycle>& adapters_;
  std::vector<Router> routers_;
  std::vector<Nic> nics_;
  std::map<Cycle, std::vector<std::size_t>> generated_;
  std::map<Cycle, std::vector<Landing>> landings_;
  std::map<Cycle, std::vector<Output*>> credits_;
  std::map<Cycle, std::vector<std::size_t>> deliveries_;
  std::map<LinkId, int> downs_;
  std::map<LinkId, std::map<std::size_t, Cycle>> passages_;  // packet: its tail arrives behind the link, -1: not sent
  std::vector<bool> cut_;
  IqOutcome outcome_;
  std::size_t done_ = 0;
};

}  // namespace

IqOutcome run_iq(const IqParameters& parameters, const Graph& graph, const PacketRouting& routing,
                 const std::vector<IqPacket>& packets, IqFaultPlan* faults, const std::vector<Cycle>& adapters,
                 Cycle patience) {
  return Network(parameters, graph, routing, packets, faults, adapters).run(patience);
}

}  // namespace weft::oracle
