#include "fabrics/tdm/setup/setup_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fabrics/tdm/switch_sites.h"
#include "kernel/large_network.h"
#include "kernel/link.h"

namespace weft {
namespace {

SetupTiming timing_of(const TdmConfig& config, const std::vector<Cycle>& adapters) {
  SetupTiming t;
  t.slots = config.tdm_switch.slots;
  t.processing = config.setup.processing;
  t.column = config.tdm_switch.reconfiguration;
  t.data_link = config.tdm_switch.pipeline + config.tdm_switch.serdes;
  t.link = std::max<Cycle>(1, t.data_link);
  t.ejection = config.tdm_switch.pipeline;
  t.host_link = std::max<Cycle>(1, t.ejection);
  t.adapters = adapters;
  t.slot_update = config.slots.slot_update;
  return t;
}

}  // namespace

SetupNetwork::SetupNetwork(sc_core::sc_module_name name, ClockDomain& domain, const TdmConfig& config,
                           const Graph& graph, const SetupPlan& plan, SetupBlockFactory& factory, Part part)
    : sc_module(name),
      graph_(graph),
      plan_(plan),
      part_(std::move(part)),
      delays_(adapter_delays(config.adapters, graph)),
      timing_(timing_of(config, delays_)),
      domain_(domain),
      links_(graph),
      runs_(plan.flows, graph),
      broken_(plan.flows.size(), false) {
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    if (!part_.has_switch(sw)) {
      switches_.push_back(nullptr);
      units_.push_back(nullptr);
      continue;
    }
    BlockSite site = make_site(config, graph, sw, delays_);
    site.domain = &domain_;
    site.describe_message = [this](MessageId id) { return describe_run(id); };
    switches_.push_back(std::make_unique<TdmSwitch>(fmt::format("sw[{}]", sw).c_str(), domain_, site,
                                                    make_ports(config, graph, sw, delays_), factory, observers_));
    site.path = switches_.back()->name();
    if (!plan.faults.empty()) {
      switches_.back()->expect_failures([this, sw](const TdmSwitch::LinkLoss& l) {
        if (l.on_wire) {
          runs_.ledger().lost_on_link(sw, l.out, l.message, l.fault, static_cast<std::uint32_t>(l.words));
        } else {
          runs_.ledger().stopped(sw, l.out, l.message, l.fault, l.words);
        }
      });
    }
    units_.push_back(std::make_unique<SetupUnit>(fmt::format("setup[{}]", sw).c_str(), domain_, graph, site,
                                                 *switches_.back(), timing_, links_, factory, observers_));
  }
  observers_.add(runs_.ledger());
  const SetupHost::Network shared{domain_,       timing_, links_, observers_, runs_, broken_, !plan.faults.empty(),
                                  !part_.whole()};
  std::vector<SetupHost::Control*> controls;
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    if (!part_.has_node(graph, n)) {
      hosts_.push_back(nullptr);
      controls.push_back(nullptr);
      continue;
    }
    hosts_.push_back(std::make_unique<SetupHost>(fmt::format("host[{}]", n).c_str(), n, graph, shared));
    controls.push_back(&hosts_.back()->control());
  }
  if (!part_.whole()) cut();
  adapters_ = bind_links<TdmProtocol>(
      graph, switches_, hosts_, delays_, domain_,
      [&](LinkId link, TdmOutPort* from, TdmInPort* to, Cycle delay) { cut_->lead(link, from, to, delay); });
  bind_links(graph, units_, controls, [&](LinkId link, SetupOutPort* from, SetupInPort* to) {
    if (from != nullptr && to != nullptr) {
      from->bind(*to);
    } else {
      cut_->lead_control(link, from, to);
    }
  });
  if (cut_) cut_->start();
  const RetryPolicy policy{config.setup.backoff, config.setup.tries, config.seed, graph.has_bundles()};
  for (std::uint32_t f = 0; f < plan.flows.size(); ++f) {
    const TimedFlow& flow = plan.flows[f];
    if (has_source(f)) hosts_[flow.source]->add_source(flow, f, plan.routes[f], policy);
    for (std::size_t d = 0; d < flow.destinations.size(); ++d) {
      if (SetupHost* const host = hosts_[flow.destinations[d]].get(); host != nullptr) host->add_sink(f, d);
    }
  }
  links_.on_restored([this](LinkId link, Cycle from) {
    restored_[from].push_back(link);
    domain_.schedule(from, Phase::prepare, *this, kRestored);
  });
}

// As tear_down() does; a unit is made after its switch.
SetupNetwork::~SetupNetwork() {
  for (std::size_t i = 0; i < std::min<std::size_t>(2, units_.size()); ++i) units_[i].reset();
  while (!hosts_.empty()) hosts_.pop_back();
  while (!units_.empty()) {
    units_.pop_back();
    switches_.pop_back();
  }
}

void SetupNetwork::start_of_simulation() {
  join_pages_of_large(graph_);
  for (auto& host : hosts_) {
    if (host) host->begin();
  }
  for (const Fault& f : plan_.faults) {
    events_[f.at].push_back({&f, false});
    if (f.recover >= 0) events_[f.recover].push_back({&f, true});
  }
  for (const auto& [at, list] : events_) domain_.schedule(at, Phase::prepare, *this, kFaults);
}

const FlowSource& SetupNetwork::source(std::uint32_t flow) const {
  return *hosts_[plan_.flows[flow].source]->sources().at(flow);
}

void SetupNetwork::observe_cycles(std::function<Cycle(Cycle)> wants) {
  observers_.tell_cycles(domain_, std::move(wants));
}

std::string SetupNetwork::describe_run(MessageId run) const {
  const std::uint32_t flow = runs_.flow_of(run);
  if (flow == kNoId) return fmt::format("run {}, which is over", run);
  return fmt::format("run {} of {}", run, runs_.text(flow));
}

const FlowLog& SetupNetwork::log(std::uint32_t flow) const {
  return results_ ? results_->flows[flow].log : source(flow).log();
}

std::uint64_t SetupNetwork::words_offered(std::uint32_t flow) const {
  return results_ ? results_->flows[flow].words_offered : source(flow).words_offered();
}

ArrivedWords SetupNetwork::arrived(std::uint32_t flow, std::size_t index) const {
  return results_ ? results_->flows[flow].arrived[index] : destination(flow, index).arrived(flow);
}

std::uint64_t SetupNetwork::received(std::uint32_t flow) const {
  std::uint64_t all = 0;
  for (std::size_t d = 0; d < plan_.flows[flow].destinations.size(); ++d) all += arrived(flow, d).received;
  return all;
}

std::uint64_t SetupNetwork::dropped(std::uint32_t flow) const {
  std::uint64_t all = 0;
  for (std::size_t d = 0; d < plan_.flows[flow].destinations.size(); ++d) all += arrived(flow, d).dropped;
  return all;
}

Cycle SetupNetwork::last_delivery(std::uint32_t flow) const {
  Cycle last = -1;
  for (std::size_t d = 0; d < plan_.flows[flow].destinations.size(); ++d) {
    last = std::max(last, arrived(flow, d).last_delivery);
  }
  return last;
}

Cycle SetupNetwork::last_event() const {
  if (results_) return results_->last_event;
  Cycle last = last_fault_event_;
  for (const auto& unit : units_) last = std::max(last, unit ? unit->last_event() : 0);
  for (const auto& host : hosts_) last = std::max(last, host ? host->last_event() : 0);
  return last;
}

bool SetupNetwork::any_down() const {
  const Cycle now = domain_.now();
  return std::any_of(plan_.faults.begin(), plan_.faults.end(),
                     [&](const Fault& f) { return f.at <= now && (f.recover < 0 || f.recover > now); });
}

bool SetupNetwork::repairs_after(Cycle now) const {
  return std::any_of(plan_.faults.begin(), plan_.faults.end(), [&](const Fault& f) { return f.recover > now; });
}

bool SetupNetwork::cut_off(NodeId node) const { return without_links(node) && !repairs_after(domain_.now()); }

bool SetupNetwork::without_links(NodeId node) const {
  const PortRef at = graph_.attachment(node);
  for (std::uint32_t i = 0; i < graph_.node_links(); ++i) {
    if (!links_.failed(links_.at(at.sw, static_cast<PortId>(at.port + i)))) return false;
  }
  return true;
}

void SetupNetwork::due(Cycle now, std::uint32_t token) {
  last_fault_event_ = now;
  if (token == kFaults) {
    fault_events(now);
  } else {
    restored_links(now);
  }
}

void SetupNetwork::fault_events(Cycle now) {
  for (const FaultEvent& e : events_.at(now)) {
    if (!e.repair) continue;
    for (const LinkId link : links_of(*e.fault)) links_.repair(link, now, index_of(*e.fault));
  }
  for (const FaultEvent& e : events_.at(now)) {
    if (!e.repair) continue;
    for (const LinkId link : links_of(*e.fault)) {
      if (links_.failed(link)) silence(now, link);  // another failure holds it from now on
    }
  }
  if (cut_) ask_what_is_over();
  for (const FaultEvent& e : events_.at(now)) {
    if (!e.repair) fail(now, *e.fault);
  }
  if (cut_) tell_broken();
}

std::uint32_t SetupNetwork::index_of(const Fault& fault) const {
  return static_cast<std::uint32_t>(&fault - plan_.faults.data());
}

std::vector<LinkId> SetupNetwork::links_of(const Fault& fault) const {
  std::vector<LinkId> links;
  for (PortId p = 0; p < graph_.ports(fault.a); ++p) {
    if (graph_.is_free({fault.a, p})) continue;
    if (fault.port && (p < *fault.port || p >= *fault.port + fault.ports)) continue;
    if (fault.b == kNoId || graph_.peer(fault.a, p).sw == fault.b) links.push_back(links_.at(fault.a, p));
  }
  return links;
}

// Visits the one or two switch ports of a link.
template <class Visit>
void SetupNetwork::for_each_end(LinkId link, Visit&& visit) const {
  const PortRef own = graph_.driver(link);
  visit(own);
  const PortRef peer = graph_.peer(own.sw, own.port);
  if (peer.sw != kNoId) visit(peer);
}

// What wants to leave from now on is lost, for the failure that holds the link.
void SetupNetwork::silence(Cycle now, LinkId link) {
  for_each_end(link, [&](PortRef end) {
    if (switches_[end.sw]) switches_[end.sw]->output_fails(now, end.port, links_.holder(link));
  });
}

void SetupNetwork::fail(Cycle now, const Fault& fault) {
  const std::vector<LinkId> links = links_of(fault);
  const std::uint32_t index = index_of(fault);
  for (const LinkId link : links) links_.fail(link, now, index);
  std::vector<std::uint32_t> flows;
  for (const LinkId link : links) {
    for_each_end(link, [&](PortRef end) {
      if (units_[end.sw]) units_[end.sw]->drop_failed(now, index, flows);
    });
    silence(now, link);
  }
  for (const std::uint32_t f : flows) broken_[f] = true;
  mark_words_under_way(links);
  for (const LinkId link : links) {
    const PortRef end = graph_.driver(link);
    if (const NodeId n = graph_.node_at(end.sw, end.port); n != kNoId && hosts_[n])
      hosts_[n]->link_failed(now, end.port, index);
  }
}

// Words can be where no switch keeps a record any more: those behind a request to several destinations of which another
// branch was refused. A failure that is over before the entries are out of force leaves a gap in them.
void SetupNetwork::mark_words_under_way(const std::vector<LinkId>& links) {
  for (const WordAccount& a : runs_.ledger().accounts()) {
    if (broken_[a.flow] || !under_way(a.flow)) continue;
    const PortRef first{a.route->hops.front().sw, a.route->hops.front().in};
    for (const LinkId link : links) {
      for_each_end(link, [&](PortRef end) {
        if (end == first || !a.route->behind(end.sw, end.port).empty()) broken_[a.flow] = true;
      });
    }
  }
}

void SetupNetwork::restored_links(Cycle now) {
  const auto it = restored_.find(now);
  if (it == restored_.end()) return;
  for (const LinkId link : it->second) {
    if (!links_.usable(link, now)) continue;  // it has failed again
    for_each_end(link, [&](PortRef end) {
      if (!switches_[end.sw]) return;
      switches_[end.sw]->output_works(end.port);
      if (const NodeId n = graph_.node_at(end.sw, end.port); n != kNoId) hosts_[n]->link_restored(now);
    });
  }
  restored_.erase(it);
}

std::string SetupNetwork::inconsistency() {
  for (auto& unit : units_) {
    std::string wrong = unit ? unit->inconsistency() : std::string();
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::string SetupNetwork::leftovers_here() {
  std::string wrong = inconsistency();
  for (SwitchId sw = 0; wrong.empty() && sw < graph_.switches(); ++sw) {
    if (units_[sw] && !units_[sw]->idle())
      wrong = fmt::format("sw[{}] still holds slots or messages although nothing is left to happen", sw);
  }
  return wrong;
}

std::string SetupNetwork::leftovers() {
  std::string wrong = leftovers_here();
  if (!part_.whole()) {
    const std::vector<std::string> all = part_.ranks->gather(wrong);
    const auto first = std::find_if(all.begin(), all.end(), [](const std::string& w) { return !w.empty(); });
    wrong = first == all.end() ? std::string() : *first;
    collect();
  }
  for (std::uint32_t f = 0; wrong.empty() && f < plan_.flows.size(); ++f) {
    const FlowLog& l = log(f);
    const std::uint64_t open = results_ ? results_->flows[f].open_requests : source(f).open_requests();
    const bool cut_off = without_links(plan_.flows[f].source);
    if (l.finished < 0 && !l.given_up && !cut_off) {
      wrong = fmt::format("{} is not finished although nothing is left to happen; words that have arrived: {}",
                          runs_.text(f), received(f));
    } else if (open > 0) {
      wrong = runs_.text(f) + " still waits for an answer of the network";
    }
  }
  if (wrong.empty())
    wrong = runs_.ledger().check(!plan_.faults.empty(), [&](std::uint32_t f) { return runs_.text(f); });
  if (wrong.empty()) wrong = unaccounted();
  return wrong;
}

// What the sources and the destinations say of all words together, against the accounts.
std::string SetupNetwork::unaccounted() const {
  struct Sums {
    std::uint64_t sent = 0;
    std::vector<std::uint64_t> arrived, taken;
  };
  std::vector<Sums> sums(plan_.flows.size());
  for (const WordAccount& a : runs_.ledger().accounts()) {
    Sums& s = sums[a.flow];
    s.sent += a.sent;
    s.arrived.resize(a.ends.size());
    s.taken.resize(a.ends.size());
    for (std::size_t d = 0; d < a.ends.size(); ++d) {
      s.arrived[d] += a.ends[d].arrived;
      s.taken[d] += a.ends[d].taken;
    }
  }
  for (std::uint32_t f = 0; f < sums.size(); ++f) {
    const Sums& s = sums[f];
    if (s.sent != log(f).words_sent) {
      return fmt::format("{}: the source has sent {} words, its circuits account for {}", runs_.text(f),
                         log(f).words_sent, s.sent);
    }
    for (std::size_t d = 0; d < s.arrived.size(); ++d) {
      const ArrivedWords here = arrived(f, d);
      if (here.received == s.taken[d] && here.received + here.dropped == s.arrived[d]) continue;
      return fmt::format("{}: node {} has taken {} words and dropped {}, its circuits account for {} of {}",
                         runs_.text(f), plan_.flows[f].destinations[d], here.received, here.dropped, s.taken[d],
                         s.arrived[d]);
    }
  }
  return {};
}

}  // namespace weft
