#include "fabrics/packet/iq/iq_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "fabrics/packet/common/link_faults.h"
#include "fabrics/packet/common/stalled_messages.h"
#include "kernel/large_network.h"
#include "network/link_adapters.h"

namespace weft {

namespace {

IqParameters with_adapters(IqParameters parameters, const std::vector<Cycle>& adapters) {
  parameters.longest_adapter = longest_adapter(adapters);
  return parameters;
}

}  // namespace

IqNetwork::IqNetwork(sc_core::sc_module_name name, ClockDomain& domain, const Graph& graph, const IqParameters& given,
                     const PacketRouting& routing, const std::vector<Cycle>& adapters, const Part& part,
                     IqRouterFactory* factory)
    : sc_module(name),
      graph_(graph),
      parameters_(with_adapters(given, adapters)),
      vcs_(parameters_.vcs),
      buffer_(parameters_.buffer),
      routes_(routing, graph),
      domain_(domain),
      agenda_(domain_, parameters_),
      core_(domain_, agenda_, parameters_, routes_, observers_),
      ranks_(part.ranks) {
  if (const auto problems = iq_problems(parameters_, routing, graph); !problems.empty()) {
    throw RunError(problems.front().key + ": " + problems.front().text);
  }
  routers_.resize(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (!part.has_switch(s)) continue;
    const std::string its_name = fmt::format("router[{}]", s);
    const SwitchSite site = site_of(graph, s);
    if (factory != nullptr) {
      routers_[s] = factory->router(its_name.c_str(), {site, domain_, parameters_, routes_, observers_});
    }
    if (routers_[s]) {
      outside_.push_back(routers_[s].get());
    } else {
      routers_[s] = std::make_unique<IqRouter>(its_name.c_str(), core_, site);
    }
  }
  nics_.resize(graph.nodes());
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    if (!part.has_node(graph, n)) continue;
    nics_[n] =
        std::make_unique<IqNic>(fmt::format("nic[{}]", n).c_str(), domain_, agenda_, n, parameters_, observers_, *this);
  }
  if (!part.whole()) {
    accounting_.number_as(*part.ranks);
    remote_ = RemoteTransfers(graph, part);
    // A flit is told of when it is granted the switch; the router behind the link looks at it when it is in the buffer.
    const Cycle flit =
        parameters_.switch_allocation + parameters_.crossbar + parameters_.link + parameters_.buffer_write;
    const Cycle credit = parameters_.switch_allocation + parameters_.credit;
    const Cycle window = std::min(flit, credit);
    cut_ = std::make_unique<IqCut>(domain_, *part.ranks, carrier_, window, 1);
  }
  adapters_ = bind_links<IqProtocol>(graph, routers_, nics_, adapters, domain,
                                     [&](LinkId link, IqOutPort* from, IqInPort* to, Cycle delay) {
                                       cut_->lead(graph, part.owners, link, from, to, delay);
                                     });
  if (cut_) cut_->start();
}

std::uint64_t IqNetwork::straddling() const {
  std::uint64_t sum = 0;
  if (cut_) {
    cut_->each_lane(
        [&](const IqCarrier::Lane& lane) { sum += lane.size() - std::count(lane.begin(), lane.end(), nullptr); });
  }
  return sum;
}

IqNetwork::~IqNetwork() { tear_down(routers_, nics_); }

void IqNetwork::withdraw() {
  for (const auto& n : nics_) {
    if (n) n->withdraw();
  }
}

bool IqNetwork::is_whole() const {
  return std::all_of(routers_.begin(), routers_.end(), [](const auto& router) { return router != nullptr; });
}

std::uint64_t IqNetwork::flit_hops() const {
  std::uint64_t sum = core_.grants();
  for (const IqRouterModule* r : outside_) sum += r->grants();
  return sum;
}

std::uint64_t IqNetwork::progress() const {
  std::uint64_t sum = accounting_.delivered() + accounting_.lost() + flit_hops() + (discards_ ? discards_->flits() : 0);
  for (const auto& n : nics_) sum += n ? n->sent() : 0;
  return sum;
}

std::vector<StalledPort> IqNetwork::stalled() const {
  StalledMessages out;
  for (SwitchId s = 0; s < routers_.size(); ++s) {
    const auto& router = routers_[s];
    if (!router) continue;
    for (const IqRouterModule::Waiting& w : router->waiting()) {
      out.add(s, *w.message, fmt::format("{} input {} VC {}", router->name(), w.in, w.vc),
              (w.has_vc ? fmt::format("for output {} with {} credits", w.out, w.credits)
                        : fmt::format("waits for a VC of output {}", w.out)) +
                  (w.down ? ", whose link is down" : ""));
    }
  }
  for (NodeId n = 0; n < nics_.size(); ++n) {
    const auto& nic = nics_[n];
    if (!nic || nic->first() == nullptr) continue;
    out.add(routers_.size() + n, *nic->first(), nic->name(), fmt::format("{} messages wait behind it", nic->backlog()));
  }
  return out.take();
}

void IqNetwork::set_faults(LinkFaults& faults, IqRerouting& rerouting) {
  faults_ = &faults;
  discards_ = std::make_unique<IqDiscards>(*this);
  core_.set_faults(rerouting, *discards_);
}

void IqNetwork::take_delivery(PacketMessage& message, Cycle now) {
  if (faults_ != nullptr) {
    if (const auto cause = faults_->cut(message.sequence)) {
      accounting_.lose(message, *cause, now);
      return;
    }
  }
  accounting_.deliver(message, now);
}

void IqNetwork::take_loss(PacketMessage& message, Cycle now) {
  accounting_.lose(message, faults_->no_route(message.sequence), now);
}

// A NIC gives every flit back as it takes it. What a user put on a link may hold flits and credits of its own, but
// never makes any; so may a link to another rank, as far as this one can see.
std::string IqNetwork::audit() const {
  core_.count(accounts_);
  const auto held = [&](const PortRef& at, std::uint32_t v) {
    return static_cast<std::int32_t>(routers_[at.sw]->held(at.port, v, accounts_));
  };
  const auto compare = [&](std::int32_t spent, std::int32_t behind, bool straight, const auto& name,
                           const auto& waits) -> std::string {
    const std::int32_t missing = spent - behind;
    if (missing == 0 || (missing > 0 && !straight)) return {};
    return fmt::format("{}: {} credits {}; {}", name(), std::abs(missing),
                       missing > 0 ? "are lost, neither at the sender nor with a flit nor on their way back"
                                   : "more than the buffer behind the link has places",
                       waits());
  };
  for (SwitchId s = 0; s < routers_.size(); ++s) {
    if (!routers_[s]) continue;
    for (PortId p = 0; p < graph_.ports(s); ++p) {
      const PortRef to = graph_.peer(s, p);
      for (std::uint32_t v = 0; v < vcs_; ++v) {
        const std::string found = compare(
            static_cast<std::int32_t>(routers_[s]->spent(p, v, accounts_)),
            to.sw == kNoId || !routers_[to.sw] ? 0 : held(to, v),
            routers_[s]->leads_straight(p) && (to.sw == kNoId || routers_[to.sw]),
            [&] { return fmt::format("{} output {} VC {}", routers_[s]->name(), p, v); },
            [&] { return routers_[s]->waits_for(p, v); });
        if (!found.empty()) return found;
      }
    }
  }
  for (NodeId n = 0; n < nics_.size(); ++n) {
    if (!nics_[n]) continue;
    const PortRef to = graph_.attachment(n);
    for (std::uint32_t v = 0; v < vcs_; ++v) {
      const IqNic& nic = *nics_[n];
      const std::string found = compare(
          static_cast<std::int32_t>(buffer_ - nic.credits(v)), held(to, v), nic.leads_straight(),
          [&] { return fmt::format("{} VC {}", nic.name(), v); },
          [&]() -> std::string {
            if (nic.first() == nullptr) return "no packet waits there";
            return fmt::format("a packet of {} flits waits there with {} credits", nic.first()->flits,
                               nic.credits_here(v, domain_.now()));
          });
      if (!found.empty()) return found;
    }
  }
  return {};
}

void IqNetwork::check_conservation(Cycle) {
  const auto check = [](const std::string& left, const char* where) {
    if (!left.empty()) throw RunError(fmt::format("{}: {} although nothing is under way", where, left));
  };
  check(core_.quiet() ? "" : "flits, credits or stages on their way", name());
  for (const auto& r : routers_) {
    if (r) check(r->quiet() ? "" : "flits or credits on their way", r->name());
    if (r) check(r->leftovers(), r->name());
  }
  for (const auto& n : nics_) {
    if (n) check(n->leftovers(), n->name());
  }
  if (!cut_) accounting_.check_closed();
}

}  // namespace weft
