// What a flow's source does when a request is refused: the next try.

#include <algorithm>

#include "fabrics/tdm/setup/flow_source.h"

namespace weft {
namespace {

constexpr std::uint32_t kMostDoublings = 6;

}  // namespace

Cycle FlowSource::random_wait(std::uint32_t rounds) {
  const auto window = static_cast<std::uint64_t>(policy_.backoff) << std::min(rounds, kMostDoublings);
  return 1 + static_cast<Cycle>(random_.below(window));
}

// The circuit did not come into being: nothing sent behind the request has arrived.
void FlowSource::refused(Cycle now, const SetupMessage& m) {
  stop_words(now);
  ++log_.refusals[static_cast<std::size_t>(m.cause)];
  log_.words_refused += attempt_words_;
  runs_.ledger().at(account_).outcome = WordAccount::Outcome::refused;
  if (attempt_words_ > 0) resend_fault_ = kNoFault;
  forget_order(true);
  next_word_ = sure_word_;
  unsettled_.clear();
  parts_.clear();
  may_send_ = false;
  if (++refused_in_a_row_ >= policy_.tries) {
    log_.given_up = true;
    runs_.tell([&](FlowListener& l) { l.given_up(index_); });
    return;
  }
  choose_next_try(now, m);
}

void FlowSource::choose_next_try(Cycle now, const SetupMessage& m) {
  not_before_ = now;
  hint_ = SlotSet();
  if (m.cause == TeardownCause::late) {
    hold_ += m.late_by;
    return;
  }
  if (m.cause == TeardownCause::no_slots && m.common.count() >= wanted_) {
    hint_ = m.common;
    hold_ += m.late_by;  // of another branch
    return;
  }
  hold_ = 0;
  route_ = (route_ + 1) % routes_.size();
  if (++routes_tried_ < routes_.size()) return;
  routes_tried_ = 0;
  not_before_ = now + random_wait(rounds_++);
}

void FlowSource::more_refused(Cycle now, const SetupMessage& m) {
  ++log_.refusals[static_cast<std::size_t>(m.cause)];
  more_.reset();
  more_ended(now, SlotChangeLog::Outcome::refused);
  log_.changes.back().cause = m.cause;
  more_not_before_ = now + random_wait(more_rounds_++);
  // Without the slots that failed: else the first switch would choose the same ones again and again.
  more_hint_ = m.cause == TeardownCause::no_slots ? m.common : SlotSet();
}

// The change of slots that was asked for last.
void FlowSource::more_ended(Cycle now, SlotChangeLog::Outcome outcome) {
  SlotChangeLog& change = log_.changes.back();
  change.outcome = outcome;
  change.done = now;
  change.after = static_cast<std::uint32_t>(lanes().count());
}

}  // namespace weft
