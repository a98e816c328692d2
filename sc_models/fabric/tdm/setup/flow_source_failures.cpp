// What a flow's source does when a failure takes a circuit.

#include <algorithm>

#include "fabric/tdm/setup/flow_source.h"

namespace weft {

// A failure has taken the circuit, or one that is being given back: which words have arrived is not known.
void FlowSource::lost(Cycle now, const CircuitKey& key, Cycle failed_at, std::uint32_t fault) {
  ++log_.refusals[static_cast<std::size_t>(TearCause::fault)];
  // It may have been sending since the first ACK.
  const bool sending = !parts_.empty() && (parts_.front().accepted || may_send_);
  FaultEffect& effect = effect_of(fault);
  resend_fault_ = fault;
  if (sending && log_.dark_since < 0) log_.dark_since = effect.dark_since = failed_at;
  if (more_) {
    more_ended(now, SlotChangeLog::Outcome::lost);
    parts_.push_back(std::move(*more_));
    more_.reset();
  }
  for (const Part& p : parts_) {
    if (p.accepted) {
      log_.circuits[p.log_index].ended = now;
      log_.circuits[p.log_index].lost = true;
      log_.circuits[p.log_index].fault = fault;
    }
    ++(p.accepted ? effect.circuits : effect.requests);
    account_lost(p, fault);
    if (p.key == key) continue;
    SetupMessage m;
    m.kind = SetupMessage::Kind::teardown;
    m.key = p.key;
    m.cause = TearCause::fault;
    m.common = SlotSet(timing_.slots);
    m.forward = true;
    m.failed_at = failed_at;
    m.fault = fault;
    outside_.send(std::move(m));
  }
  parts_.clear();
  std::erase_if(closing_, [&](const Part& p) {
    if (p.key != key) return false;
    ++effect.circuits;
    account_lost(p, fault);
    return true;
  });
  may_send_ = false;
  unsure_ = sent_until_ > 0;
  hint_ = SlotSet();
  hold_ = 0;
  routes_tried_ = 0;
  route_ = (route_ + 1) % routes_.size();
  not_before_ = now;
}

void FlowSource::link_failed(Cycle now, std::uint32_t fault) {
  if (parts_.empty() && closing_.empty()) return;
  stop_words(now - 1);
  for (const Part& p : closing_) account_lost(p, fault);
  effect_of(fault).circuits += closing_.size();
  closing_.clear();
  lost(now, parts_.empty() ? CircuitKey{index_, 0} : parts_.front().key, now, fault);
}

void FlowSource::account_lost(const Part& part, std::uint32_t fault) {
  WordAccount& account = runs_.ledger().at(part.account);
  if (account.fate == WordAccount::Fate::lost) return;
  account.fate = WordAccount::Fate::lost;
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
