#include "fabrics/tdm/setup/word_ledger.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

std::uint64_t WordAccount::elsewhere(std::size_t end) const {
  const End& e = ends[end];
  const std::uint64_t by_links = e.lost_inside + e.lost_outside + e.stopped;
  return discarded(end) > by_links ? discarded(end) - by_links : 0;
}

std::uint64_t WordAccount::elsewhere() const {
  std::uint64_t all = 0;
  for (std::size_t d = 0; d < ends.size(); ++d) all += elsewhere(d);
  return all;
}

std::uint64_t WordAccount::dropped() const {
  std::uint64_t all = 0;
  for (const End& e : ends) all += e.arrived - e.taken;
  return all;
}

WordAccount::FaultLoss& WordAccount::fault_loss(std::uint32_t by) {
  const auto it =
      std::find_if(fault_losses.begin(), fault_losses.end(), [&](const FaultLoss& t) { return t.fault == by; });
  return it != fault_losses.end() ? *it : fault_losses.emplace_back(FaultLoss{by, 0, 0});
}

void WordAccount::add(const WordAccount& other) {
  if (other.outcome != Outcome::up) {  // its source knows
    outcome = other.outcome;
    fault = other.fault;
  }
  sent += other.sent;
  for (std::size_t d = 0; d < ends.size(); ++d) {
    const End& from = other.ends[d];
    ends[d].left += from.left;
    ends[d].lost_inside += from.lost_inside;
    ends[d].lost_outside += from.lost_outside;
    ends[d].stopped += from.stopped;
    ends[d].arrived += from.arrived;
    ends[d].taken += from.taken;
  }
  for (const FaultLoss& from : other.fault_losses) {
    FaultLoss& to = fault_loss(from.fault);
    to.on_links += from.on_links;
    to.stopped += from.stopped;
  }
  astray_left += other.astray_left;
  astray_lost += other.astray_lost;
  astray += other.astray;
}

std::uint32_t WordLedger::of_circuit(std::uint32_t flow, std::uint32_t number,
                                     const std::shared_ptr<const CircuitRoute>& route) {
  const auto [it, is_new] = of_others_.try_emplace({flow, number}, 0);
  if (is_new) it->second = open(flow, number, route);
  return it->second;
}

std::uint32_t WordLedger::open(std::uint32_t flow, std::uint32_t number, std::shared_ptr<const CircuitRoute> route) {
  WordAccount account;
  account.flow = flow;
  account.number = number;
  account.ends.resize(route->destinations.size());
  account.route = std::move(route);
  accounts_.push_back(std::move(account));
  return static_cast<std::uint32_t>(accounts_.size() - 1);
}

void WordLedger::begin_run(MessageId run, std::uint32_t account) {
  if (run >= account_of_.size()) account_of_.resize(std::size_t{run} + 1, kNoAccount);
  account_of_[run] = account;
}

std::vector<std::size_t> WordLedger::ends_behind(SwitchId sw, PortId out, const WordAccount& account) const {
  const NodeId host = graph_.node_at(sw, out);
  if (host == kNoId) return account.route->behind(sw, out);
  const std::size_t end = account.route->index_of(host);
  if (end == account.ends.size()) return {};
  return {end};
}

void WordLedger::lost_on_link(SwitchId sw, PortId out, MessageId run, std::uint32_t fault, std::uint32_t words) {
  WordAccount& account = of(run);
  const bool outside = graph_.node_at(sw, out) != kNoId;
  const std::vector<std::size_t> ends = ends_behind(sw, out, account);
  if (outside && ends.empty()) account.astray_lost += words;
  for (const std::size_t end : ends) {
    (outside ? account.ends[end].lost_outside : account.ends[end].lost_inside) += words;
    account.fault_loss(fault).on_links += words;
  }
}

void WordLedger::lost_before_switch(MessageId run, std::uint32_t fault, std::uint32_t words) {
  WordAccount& account = of(run);
  for (WordAccount::End& end : account.ends) end.lost_inside += words;
  account.fault_loss(fault).on_links += words * account.ends.size();
}

void WordLedger::stopped(SwitchId sw, PortId out, MessageId run, std::uint32_t fault, std::int64_t words) {
  WordAccount& account = of(run);
  for (const std::size_t end : ends_behind(sw, out, account)) {
    account.ends[end].stopped += static_cast<std::uint64_t>(words);  // modulo 2^64: less than 0 subtracts
    account.fault_loss(fault).stopped += static_cast<std::uint64_t>(words);
  }
}

std::uint64_t* WordLedger::left_for(SwitchId sw, PortId out, MessageId run) {
  const NodeId host = graph_.node_at(sw, out);
  if (host == kNoId) return nullptr;
  WordAccount& account = of(run);
  const std::size_t end = account.route->index_of(host);
  return end < account.ends.size() ? &account.ends[end].left : &account.astray_left;
}

void WordLedger::on_hop(SwitchId sw, PortId out, const Train& train) {
  if (std::uint64_t* left = left_for(sw, out, train.message)) *left += train.words;
}

void WordLedger::on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) {
  if (std::uint64_t* left = left_for(sw, out, cut.message)) *left -= cut.announced - cut.words;
}

std::string WordLedger::check(bool failures, const std::function<std::string(std::uint32_t flow)>& name) const {
  for (const WordAccount& a : accounts_) {
    for (std::size_t d = 0; d < a.ends.size(); ++d) {
      const WordAccount::End& e = a.ends[d];
      const auto wrong = [&](const std::string& what) {
        return fmt::format(
            "{}, circuit of request {}, to node {}: {} ({} words sent, {} left for the host, {} lost on links, {} "
            "stopped before them, {} arrived, {} of them taken)",
            name(a.flow), a.number, a.route->destinations[d], what, a.sent, e.left, e.lost_inside + e.lost_outside,
            e.stopped, e.arrived, e.taken);
      };
      if (e.left + e.lost_inside + e.stopped > a.sent) return wrong("more words leave the switches than were sent");
      if (e.left != e.lost_outside + e.arrived) return wrong("words leave for the host, but not as many come");
      if (a.outcome == WordAccount::Outcome::up && e.arrived < a.sent)
        return wrong("words of a circuit that stayed up are lost");
      // Words behind a request that was refused for the sake of one destination come to the others, and come again.
      if (!failures && a.ends.size() == 1 && e.taken < e.arrived) {
        return wrong("words arrive twice although nothing has failed");
      }
    }
    if (a.astray_left != a.astray_lost + a.astray) {
      return fmt::format("{}, circuit of request {}: {} words leave for other hosts, but not as many come",
                         name(a.flow), a.number, a.astray_left);
    }
    if (!failures && a.astray > 0) {
      return fmt::format("{}, circuit of request {}: {} words come to other hosts although nothing has failed",
                         name(a.flow), a.number, a.astray);
    }
  }
  return {};
}

}  // namespace weft
