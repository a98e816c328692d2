// Part of a network in which circuits come and go, on one of several ranks.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fabrics/tdm/setup/setup_network.h"

namespace weft {

void SetupNetwork::cut() {
  std::vector<Cycle> faults;
  for (const Fault& f : plan_.faults) {
    faults.push_back(f.at);
    if (f.recover >= 0) faults.push_back(f.recover);
  }
  std::sort(faults.begin(), faults.end());
  faults.erase(std::unique(faults.begin(), faults.end()), faults.end());
  cut_ = std::make_unique<SetupCut>(SetupCut::Network{domain_, graph_, part_, plan_.routes, timing_, links_, runs_},
                                    std::move(faults));
  observers_.add(*cut_);
  runs_.divide(
      part_.ranks->rank(), part_.ranks->size(), [this](NodeId n) { return hosts_[n] != nullptr; },
      [this](MessageId id, std::uint32_t flow, const CircuitRun& run) { cut_->begin_run(id, flow, run); });
}

void SetupNetwork::collect() {
  if (part_.whole() || results_) return;
  auto results = std::make_unique<SetupResults>();
  results->last_event = last_event();
  results->flows.resize(plan_.flows.size());
  for (std::uint32_t f = 0; f < plan_.flows.size(); ++f) {
    FlowResults& r = results->flows[f];
    r.arrived.resize(plan_.flows[f].destinations.size());
    if (has_source(f)) {
      r.has_source = true;
      r.log = source(f).log();
      r.words_offered = source(f).words_offered();
      r.open_requests = source(f).open_requests();
    }
    for (std::size_t d = 0; d < r.arrived.size(); ++d) {
      if (hosts_[plan_.flows[f].destinations[d]] != nullptr) r.arrived[d] = destination(f, d).arrived(f);
    }
  }
  collect_results(*part_.ranks, plan_.routes, runs_, *results);
  results_ = std::move(results);
}

// Of flows from here: what destinations on other ranks have told of is known to them only.
void SetupNetwork::ask_what_is_over() {
  std::vector<std::uint64_t> over;  // numbers of runs, 0 where the destination is elsewhere
  for (std::uint32_t f = 0; f < plan_.flows.size(); ++f) {
    for (std::size_t d = 0; d < plan_.flows[f].destinations.size(); ++d) {
      over.push_back(hosts_[plan_.flows[f].destinations[d]] == nullptr ? 0 : runs_.over(f, d));
    }
  }
  part_.ranks->sum(over);
  over_.assign(plan_.flows.size(), {});
  auto next = over.begin();
  for (std::uint32_t f = 0; f < plan_.flows.size(); ++f) {
    for (std::size_t d = 0; d < plan_.flows[f].destinations.size(); ++d) {
      over_[f].push_back(static_cast<MessageId>(*next++));
    }
  }
}

// A failure has hit what it hits on any rank.
void SetupNetwork::tell_broken() {
  std::vector<std::uint64_t> hit(broken_.begin(), broken_.end());
  part_.ranks->sum(hit);
  for (std::size_t f = 0; f < hit.size(); ++f) broken_[f] = hit[f] != 0;
}

bool SetupNetwork::under_way(std::uint32_t flow) const {
  if (!cut_) return runs_.under_way(flow);
  return has_source(flow) && runs_.begun_since(flow, *std::min_element(over_[flow].begin(), over_[flow].end()));
}

// The clock may go on after it: ranks find out some cycles later that nothing is left to happen, and observers of every
// cycle have a further one.
Cycle SetupNetwork::last_busy() const {
  Cycle last = domain_.last_busy();
  if (part_.whole()) return last;
  for (const std::string& theirs : part_.ranks->gather(std::to_string(last))) {
    last = std::max<Cycle>(last, std::stoll(theirs));
  }
  return last;
}

}  // namespace weft
