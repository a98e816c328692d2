#include "fabric/tdm/setup/word_ledger.h"

#include <fmt/format.h>

namespace weft {

namespace {

template <class Of>
std::uint64_t sum(const WordAccount& account, Of&& of) {
  std::uint64_t all = 0;
  for (const WordAccount::End& e : account.ends) all += of(e);
  return all;
}

}  // namespace

std::uint64_t WordAccount::on_links() const {
  return sum(*this, [](const End& e) { return e.lost_inside + e.lost_outside; });
}

std::uint64_t WordAccount::discarded() const {
  std::uint64_t all = 0;
  for (std::size_t d = 0; d < ends.size(); ++d) all += discarded(d);
  return all;
}

std::uint64_t WordAccount::in_switches() const {
  const std::uint64_t elsewhere = on_links() + astray + astray_lost;  // copies astray may be more than words
  return discarded() > elsewhere ? discarded() - elsewhere : 0;
}

std::uint64_t WordAccount::dropped() const {
  return sum(*this, [](const End& e) { return e.arrived - e.taken; });
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
  if (run >= account_of_.size()) account_of_.resize(std::size_t{run} + 1);
  account_of_[run] = account;
}

void WordLedger::lost_on_link(SwitchId sw, PortId out, MessageId run, std::uint32_t words) {
  WordAccount& account = of(run);
  if (const NodeId host = graph_.node_at(sw, out); host != kNoId) {
    const std::size_t end = account.route->index_of(host);
    (end < account.ends.size() ? account.ends[end].lost_outside : account.astray_lost) += words;
    return;
  }
  for (const std::size_t end : account.route->behind(sw, out)) account.ends[end].lost_inside += words;
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

std::string WordLedger::check(bool failures) const {
  for (const WordAccount& a : accounts_) {
    for (std::size_t d = 0; d < a.ends.size(); ++d) {
      const WordAccount::End& e = a.ends[d];
      const auto wrong = [&](const std::string& what) {
        return fmt::format(
            "flow {}, circuit of request {}, to node {}: {} ({} words sent, {} left for the host, {} lost on links, {} "
            "arrived, {} of them taken)",
            a.flow, a.number, a.route->destinations[d], what, a.sent, e.left, e.lost_inside + e.lost_outside, e.arrived,
            e.taken);
      };
      if (e.left + e.lost_inside > a.sent) return wrong("more words leave the switches than were sent");
      if (e.left != e.lost_outside + e.arrived) return wrong("words leave for the host, but not as many come");
      if (a.fate == WordAccount::Fate::up && e.arrived < a.sent)
        return wrong("words of a circuit that stayed up are lost");
      // Words behind a request that was refused for the sake of one destination come to the others, and come again.
      if (!failures && a.ends.size() == 1 && e.taken < e.arrived) {
        return wrong("words arrive twice although nothing has failed");
      }
    }
    if (a.astray_left != a.astray_lost + a.astray) {
      return fmt::format("flow {}, circuit of request {}: {} words leave for other hosts, but not as many come", a.flow,
                         a.number, a.astray_left);
    }
    if (!failures && a.astray > 0) {
      return fmt::format("flow {}, circuit of request {}: {} words come to other hosts although nothing has failed",
                         a.flow, a.number, a.astray);
    }
  }
  return {};
}

}  // namespace weft
