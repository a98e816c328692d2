// Reaction of a flow's source when a failure takes a circuit.

#include <algorithm>

#include "fabrics/tdm/setup/flow_source.h"

namespace weft {

// A failure has taken the circuit, or one that is being given back: which words have arrived is not known.
void FlowSource::lost(Cycle now, const CircuitKey& key, Cycle failed_at, std::uint32_t fault) {
  const auto is = [&](const Part& p) { return p.key == key; };
  // It may have been sending since the first ACK; words may be under way on one that is being given back.
  const bool sending = !all_arrived() && !parts_.empty() && (parts_.front().accepted || may_send_);
  const bool ending = !over(now) && std::any_of(closing_.begin(), closing_.end(), is);
  resend_fault_ = fault;
  if ((sending || ending) && log_.dark_since < 0) log_.dark_since = effect_of(fault).dark_since = failed_at;
  if (more_) {
    more_ended(now, SlotChangeLog::Outcome::lost);
    parts_.push_back(std::move(*more_));
    more_.reset();
  }
  for (const Part& p : parts_) {
    count_lost(now, p, fault);
    if (p.key == key) continue;
    SetupMessage m;
    m.kind = SetupMessage::Kind::teardown;
    m.key = p.key;
    m.cause = TeardownCause::fault;
    m.common = SlotSet(timing_.slots);
    m.forward = true;
    m.failed_at = failed_at;
    m.fault = fault;
    outside_.send(std::move(m), *p.record.route);
  }
  parts_.clear();
  for (const Part& p : closing_) {
    if (is(p)) count_lost(now, p, fault);
  }
  std::erase_if(closing_, is);
  may_send_ = false;
  unsure_ = sent_until_ > 0;
  hint_ = SlotSet();
  hold_ = 0;
  routes_tried_ = 0;
  route_ = (route_ + 1) % routes_.size();
  not_before_ = now;
}

void FlowSource::link_failed(Cycle now, std::uint32_t fault, const std::function<bool(const CircuitRoute&)>& uses) {
  const auto is_hit = [&](const Part& p) { return uses(*p.record.route); };
  const auto closing = std::find_if(closing_.begin(), closing_.end(), is_hit);
  const bool sends_there = !parts_.empty() && is_hit(parts_.front());  // all parts begin with one link
  if (!sends_there && closing == closing_.end()) return;
  stop_words(now - 1);
  const CircuitKey key = sends_there ? parts_.front().key : closing->key;
  for (const Part& p : closing_) {
    if (is_hit(p)) count_lost(now, p, fault);
  }
  std::erase_if(closing_, [&](const Part& p) { return is_hit(p) && p.key != key; });
  lost(now, key, now, fault);
  // Another of the node's links may work: it is asked for at the end of this cycle. Or nothing is left to do.
  if (all_arrived() || std::any_of(routes_.begin(), routes_.end(), [&](const auto& r) { return !uses(*r); })) {
    outside_.wake(now);
  }
}

// A circuit of which some slots are being given back is in two places and counts once.
void FlowSource::count_lost(Cycle now, const Part& part, std::uint32_t fault) {
  account_lost(part, fault);
  FaultEffect& effect = effect_of(fault);
  if (part.accepted) {
    CircuitLog& record = log_.circuits[part.log_index];
    if (record.lost) return;
    record.lost = true;
    record.fault = fault;
    if (record.ended < 0) record.ended = now;
  }
  ++(part.accepted ? effect.circuits : effect.requests);
  ++log_.refusals[static_cast<std::size_t>(TeardownCause::fault)];
}

void FlowSource::account_lost(const Part& part, std::uint32_t fault) {
  WordAccount& account = runs_.ledger().at(part.account);
  if (account.outcome == WordAccount::Outcome::lost) return;
  account.outcome = WordAccount::Outcome::lost;
  account.fault = fault;
}

FaultEffect& FlowSource::effect_of(std::uint32_t fault) {
  for (FaultEffect& e : log_.faults) {
    if (e.fault == fault) return e;
  }
  log_.faults.emplace_back().fault = fault;
  return log_.faults.back();
}

}  // namespace weft
