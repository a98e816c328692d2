#include "fabric/tdm/setup/word_ledger.h"

#include <fmt/format.h>

namespace weft {

std::uint32_t WordLedger::open(std::uint32_t flow, std::uint32_t number) {
  WordAccount account;
  account.flow = flow;
  account.number = number;
  accounts_.push_back(account);
  return static_cast<std::uint32_t>(accounts_.size() - 1);
}

void WordLedger::begin_run(MessageId run, std::uint32_t account) {
  if (run >= account_of_.size()) account_of_.resize(std::size_t{run} + 1);
  account_of_[run] = account;
}

void WordLedger::lost_on_link(SwitchId sw, PortId out, MessageId run, std::uint32_t words) {
  WordAccount& account = of(run);
  (to_host(sw, out) ? account.lost_outside : account.lost_inside) += words;
}

void WordLedger::on_hop(SwitchId sw, PortId out, const Train& train) {
  if (to_host(sw, out)) of(train.message).left += train.words;
}

void WordLedger::on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) {
  if (to_host(sw, out)) of(cut.message).left -= cut.announced - cut.words;
}

std::string WordLedger::check(bool failures) const {
  for (const WordAccount& a : accounts_) {
    const auto wrong = [&](const std::string& what) {
      return fmt::format(
          "flow {}, circuit of request {}: {} ({} words sent, {} lost in switches, {} on links, {} at other "
          "hosts, {} arrived, {} of them taken)",
          a.flow, a.number, what, a.sent, a.in_switches(), a.on_links(), a.astray, a.arrived, a.taken);
    };
    if (a.in_switches() < 0) return wrong("more words leave the switches than were sent");
    if (a.left != a.lost_outside + a.astray + a.arrived) {
      return wrong(fmt::format("{} words leave for hosts, but not as many come", a.left));
    }
    if (a.fate == WordAccount::Fate::up && a.discarded() > 0)
      return wrong("words of a circuit that stayed up are lost");
    if (!failures && a.dropped() > 0) return wrong("words arrive twice although nothing has failed");
  }
  return {};
}

}  // namespace weft
