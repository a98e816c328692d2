#include "fabrics/tdm/setup/setup_unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabrics/tdm/setup/choice/link_choice.h"

namespace weft {

SetupUnit::SetupUnit(sc_core::sc_module_name name, ClockDomain& domain, const Graph& graph, const BlockSite& site,
                     TdmSwitch& data, const SetupTiming& timing, LinkAvailability& links, SetupBlockFactory& factory,
                     const Observers& observers)
    : sc_module(name),
      domain_(domain),
      graph_(graph),
      sw_(site.sw),
      data_(data),
      timing_(timing),
      links_(links),
      resources_(graph, site.sw, data.slot_lut(), timing, links,
                 [&observers](const SetupEvent& e) { observers.tell([&](TdmObserver& o) { o.on_setup(e); }); }),
      in_(site.ports),
      out_(site.ports) {
  const SwitchId sw = site.sw;
  SetupSite setup{sw, site.ports, timing, {}};
  for (PortId p = 0; p < site.ports; ++p) {
    const NodeId node = graph.node_at(sw, p);
    setup.host_links.push_back(node == kNoId ? kNoId : graph.injection_link(node, p - graph.attachment(node).port));
  }
  circuits_ = factory.setup_unit(site, setup, resources_);
  for (PortId p = 0; p < site.ports; ++p) {
    const bool host = graph.node_at(sw, p) != kNoId;
    const LinkId link = graph.out_link(sw, p);
    latency_.push_back(graph.is_free({sw, p}) ? 0 : host ? timing.host_way(link) : timing.way(link));
    if (graph.is_free({sw, p})) continue;
    in_[p] = std::make_unique<SetupInPort>(*this, p);
    out_[p] = std::make_unique<SetupOutPort>();
  }
}

SetupUnit::~SetupUnit() {  // see ~TdmNetwork
  for (auto p = static_cast<PortId>(in_.size()); p-- > 0;) {
    out_[p].reset();
    in_[p].reset();
  }
}

void SetupUnit::plan(Cycle cycle) {
  if (cycle >= 0 && planned_.insert(cycle).second) domain_.schedule(cycle, Phase::transfer, *this, 0);
}

void SetupUnit::receive(PortId in, const SetupMessage& message) {
  const Cycle arrival = message.sent + latency_[in];
  arrivals_[arrival].push_back({in, false, message});
  plan(arrival);
}

// A failure of the link after the message was sent has destroyed it, or the reservation it is about.
bool SetupUnit::lost(const Job& job) const {
  return !job.notice && links_.last_failure(links_.at(sw_, job.port)) > job.message.sent;
}

void SetupUnit::drop_failed(Cycle now, std::uint32_t fault, std::vector<std::uint32_t>& flows) {
  std::vector<SetupSend> notices;
  circuits_->drop_failed(now, fault, notices, flows);
  for (SetupSend& n : notices) queue_.push_back({n.port, true, std::move(n.message)});
  plan(now);
}

void SetupUnit::due(Cycle now, std::uint32_t) {
  planned_.erase(now);
  last_event_ = now;
  circuits_->free_due(now);
  finish_job(now);
  take_arrivals(now);
  if (!busy_ && !queue_.empty()) {
    busy_ = true;
    done_ = now + timing_.processing;
    plan(done_);
  }
  send(now);
  write_tables(now);
  plan(circuits_->next_free());
  plan(resources_.tables().next_step());
}

void SetupUnit::finish_job(Cycle now) {
  if (!busy_ || done_ > now) return;
  busy_ = false;
  const Job job = std::move(queue_.front());
  queue_.pop_front();
  ++processed_;
  if (job.notice) {
    outgoing_.push_back({job.port, job.message});
    circuits_->told(now, job.message.key);
  } else if (!lost(job)) {
    const SlotSet possible = choose_links(graph_, resources_, now, job.message, timing_.slot_update);
    const std::size_t begin = outgoing_.size();
    circuits_->handle(now, job.port, job.message, outgoing_);
    carry_possible(possible, job.message, begin, outgoing_);
  }
}

void SetupUnit::take_arrivals(Cycle now) {
  while (!arrivals_.empty() && arrivals_.begin()->first <= now) {
    std::vector<Job> jobs = std::move(arrivals_.begin()->second);
    arrivals_.erase(arrivals_.begin());
    std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.port < b.port; });
    for (Job& job : jobs) {
      if (lost(job)) continue;
      if (is_processed(job.message.kind)) {
        queue_.push_back(std::move(job));
      } else {
        circuits_->handle(now, job.port, job.message, outgoing_);
      }
    }
  }
}

void SetupUnit::send(Cycle now) {
  for (SetupSend& s : outgoing_) {
    if (!links_.usable(links_.at(sw_, s.port), now)) continue;  // lost; the other end has given the circuit up as well
    s.message.sent = now;
    out_[s.port]->send(s.message, domain_.time_of(latency_[s.port]));
  }
  outgoing_.clear();
}

void SetupUnit::write_tables(Cycle now) {
  TableWriter& tables = resources_.tables();
  while (tables.next_step() == now) {
    const TableWriter::Step step = tables.take_step();
    if (step.exchange) {
      data_.swap(now, now + 1);
    } else {
      data_.write_column(now, tables.image(), step.slot);
    }
  }
}

}  // namespace weft
