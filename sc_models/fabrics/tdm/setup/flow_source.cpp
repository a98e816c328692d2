#include "fabrics/tdm/setup/flow_source.h"

#include <algorithm>

namespace weft {
namespace {

SlotSet highest(const SlotSet& from, std::size_t count) {
  SlotSet out = from;
  for (std::size_t keep = from.count() - count; keep > 0; --keep) out.reset(out.find_first());
  return out;
}

}  // namespace

FlowSource::FlowSource(const TimedFlow& flow, std::uint32_t index, Routes routes, const SetupTiming& timing,
                       const RetryPolicy& policy, CircuitRuns& runs, Outside outside)
    : flow_(flow),
      index_(index),
      routes_(std::move(routes)),
      timing_(timing),
      policy_(policy),
      runs_(runs),
      outside_(std::move(outside)),
      random_(policy.seed, "setup/" + std::to_string(index)),
      clock_(flow_, policy.seed, "messages/" + std::to_string(index)),
      sender_(timing.slots),
      wanted_(flow.slots),
      arrived_by_(flow.destinations.size(), -1),
      arriving_(flow.destinations.size(), -1) {
  for (const auto& route : routes_) transits_.push_back(timing_.transits(*route));
}

// First cycle in which a word may leave that must not overtake those sent before, on whatever route.
Cycle FlowSource::first_in_order() const {
  Cycle first = 0;
  for (std::size_t d = 0; d < arrived_by_.size(); ++d) {
    first = std::max(first, arrived_by_[d] + 1 - transits_[route_][d]);
  }
  return first;
}

// The circuit whose words were the last has come to its end. Words behind a request that was refused to a single
// destination do not arrive, unless entries of a lost circuit have led them there.
void FlowSource::forget_order(bool refused) {
  const bool nowhere = refused && timing_.slot_update && arriving_.size() == 1 && log_.faults.empty();
  for (std::size_t d = 0; d < arriving_.size(); ++d) {
    if (!nowhere) arrived_by_[d] = std::max(arrived_by_[d], arriving_[d]);
    arriving_[d] = -1;
  }
}

SlotSet FlowSource::lanes() const {
  SlotSet all(timing_.slots);
  for (const Part& p : parts_) all |= p.slots;
  return all;
}

bool FlowSource::something_to_send(Cycle now) { return !over(now) && (unsure_ || next_word_ < words_generated(now)); }

void FlowSource::due(Cycle now) {
  if (now == flow_.start && flow_.end && *flow_.end - 1 > now) outside_.wake(*flow_.end - 1);
  progress(now);
}

void FlowSource::progress(Cycle now) {
  if (finished() || log_.given_up || now < flow_.start) return;
  change_slots(now);
  if (over(now)) stop_words(now);
  if (sender_.busy() && sender_.last() <= now) {
    account(sender_.words());
    sender_.finish();
  }
  if (parts_.empty()) {
    if (something_to_send(now)) {
      ask(now);
    } else if (const Cycle next = clock_.next(now); next > now) {
      outside_.wake(next);
    }
    maybe_finish(now);
    return;
  }
  if (!may_send_) return;  // the switches will answer
  match_wanted(now);
  if (!sender_.busy()) send_words(now);
  wake_for_change();
}

void FlowSource::submit(Cycle now, std::uint32_t words) {
  clock_.submit(words, now);
  log_.finished = -1;
}

void FlowSource::change_slots(Cycle now) {
  while (next_change_ < flow_.changes.size() && flow_.changes[next_change_].at <= now) {
    wanted_ = flow_.changes[next_change_++].slots;
  }
}

// A change can only take effect between the words of a run; at every other time something else comes first.
void FlowSource::wake_for_change() {
  if (next_change_ == flow_.changes.size() || !sender_.busy()) return;
  if (const Cycle at = flow_.changes[next_change_].at; at < sender_.last()) outside_.wake(at);
}

void FlowSource::maybe_finish(Cycle now) {
  if (!parts_.empty() || more_ || !closing_.empty() || something_to_send(now) || clock_.next(now) >= 0) return;
  log_.finished = now;
}

// Of a message to which the source turns for the first time. One of a saturated source is generated then.
Cycle FlowSource::generated(std::uint64_t message) {
  if (flow_.submitted || flow_.arrivals != &kSaturatedArrivals) return clock_.take_generated();
  return message == 0 ? flow_.start : last_left_ + 1;
}

void FlowSource::begin_message(std::uint64_t message) {
  const Cycle made = generated(message);
  runs_.times().begin(index_, made);
  runs_.tell([&](FlowListener& l) { l.begun(index_, message, made); });
}

// Begins the next run of words, or gives the circuit back when there are none.
void FlowSource::send_words(Cycle now) {
  if (something_to_send(now)) {
    sending_ = clock_.span(next_word_);
    const std::uint64_t message = sending_.message;
    const auto words = static_cast<std::uint32_t>(sending_.end - next_word_);
    const SlotSet slots = lanes();
    clock_.take(message + 1);
    const auto lanes_now = static_cast<std::uint32_t>(slots.count());
    const Cycle from = std::max({now + 1, from_, first_in_order()});
    if (message == runs_.times().begun(index_)) begin_message(message);
    const auto word = static_cast<std::uint32_t>(next_word_ - sending_.first);
    const MessageId run = runs_.add(index_, {next_word_, words, lanes_now, circuit_, word, message, from}, account_);
    sender_.begin(run, index_, static_cast<std::uint32_t>(message), word, words, slots, from);
    clock_.first_word(sender_.first());
    outside_.wake(sender_.last());
  } else if (parts_.front().accepted && !more_) {
    release(now, lanes());
    may_send_ = false;
    progress(now);
  } else if (const Cycle next = clock_.next(now); next > now) {
    outside_.wake(next);
  }
}

void FlowSource::stop_words(Cycle now) {
  const std::uint32_t sent = sender_.sent(now);
  if (sent > 0) account(sent);
  sender_.stop(now, outside_.cut);
}

// The run has come to its end after `words` words, at least one.
void FlowSource::account(std::uint32_t words) {
  const std::uint64_t end = next_word_ + words;
  log_.words_sent += words;
  attempt_words_ += words;
  runs_.ledger().at(account_).sent += words;
  if (sent_until_ > next_word_) {
    const std::uint64_t again = std::min(end, sent_until_) - next_word_;
    log_.words_resent += again;
    if (resend_fault_ != kNoFault) effect_of(resend_fault_).words_resent += again;
  }
  if (end > sent_until_) last_left_ = sender_.last();
  if (end == sending_.end) {
    unsettled_.push_back(sending_.message);
    if (!parts_.empty() && parts_.front().accepted) tell_left();
  }
  sent_until_ = std::max(sent_until_, end);
  for (std::size_t d = 0; d < arrived_by_.size(); ++d) {
    arriving_[d] = sender_.leaves(words - 1) + transits_[route_][d] + timing_.latest_choice(*routes_[route_], d);
  }
  next_word_ = end;
  forget_arrived();
  end_dark(sender_.first());
  for (Part& p : parts_) {
    CircuitLog& record = p.accepted ? log_.circuits[p.log_index] : p.record;
    if (record.first_word < 0) record.first_word = sender_.first();
  }
}

// The source knows less: a message that has come to every destination behind one refused request or another is sent
// again until a request is accepted, and so is what may have been lost with a circuit.
void FlowSource::forget_arrived() {
  if (unsure_ || (!parts_.empty() && !parts_.front().accepted)) return;
  clock_.forget_before(arrived_before_, next_word_);
}

void FlowSource::tell_left() {
  for (const std::uint64_t message : unsettled_) {
    runs_.tell([&](FlowListener& l) { l.left(index_, message); });
  }
  unsettled_.clear();
}

void FlowSource::end_dark(Cycle at) {
  if (log_.dark_since < 0) return;
  log_.dark += std::max<Cycle>(0, at - log_.dark_since);
  log_.dark_since = -1;
  for (FaultEffect& e : log_.faults) {
    if (e.dark_since >= 0) e.dark += std::max<Cycle>(0, at - e.dark_since);
    e.dark_since = -1;
  }
}

FlowSource::Part FlowSource::new_part(Cycle now, std::shared_ptr<const CircuitRoute> route) {
  Part part;
  part.key = {index_, ++last_number_};
  part.slots = SlotSet(timing_.slots);
  part.record.number = last_number_;
  part.record.route = std::move(route);
  part.record.requested = part.record.first_request = now;
  ++log_.requests;
  if (log_.first_request < 0) log_.first_request = now;
  return part;
}

SetupMessage FlowSource::request(const Part& part, std::uint32_t slots, const SlotSet& common, Cycle hold) const {
  SetupMessage m;
  m.kind = SetupMessage::Kind::request;
  m.key = part.key;
  m.route = part.record.route;
  m.wanted = slots;
  m.common = common;
  if (m.common.empty()) m.common = flow_.allowed.empty() ? all_slots(timing_.slots) : flow_.allowed;
  m.slots = SlotSet(timing_.slots);
  m.hold = hold;
  return m;
}

// A host with several links turns to the next route that begins with one that works.
bool FlowSource::find_link(Cycle now) {
  for (std::size_t n = 0; n < routes_.size(); ++n) {
    const std::size_t next = (route_ + n) % routes_.size();
    if (!outside_.link_usable(now, *routes_[next])) continue;
    if (n > 0) {  // what is known of one route does not hold for another
      hint_ = SlotSet();
      hold_ = 0;
    }
    route_ = next;
    return true;
  }
  return false;
}

void FlowSource::ask(Cycle now) {
  if (!find_link(now)) {  // link_restored() comes back
    if (!held_) ++effect_of(outside_.link_holder(current_route())).held;
    held_ = true;
    return;
  }
  held_ = false;
  if (now < not_before_) {
    outside_.wake(not_before_);
    return;
  }
  // Its own, as switches write into it.
  const auto open = policy_.choose_links ? std::make_shared<CircuitRoute>(*routes_[route_]) : nullptr;
  const std::shared_ptr<const CircuitRoute> route = open ? open : routes_[route_];
  parts_.push_back(new_part(now, route));
  circuit_ = parts_.back().key.number;
  account_ = runs_.ledger().open(index_, circuit_, route);
  parts_.back().account = account_;
  if (tries_++ == 0) first_request_ = now;
  sure_word_ = next_word_;
  attempt_words_ = 0;
  forget_order(false);
  if (hint_.count() < wanted_) hint_ = SlotSet();
  SetupMessage message = request(parts_.back(), wanted_, hint_, hold_);
  message.open = open;
  outside_.send(std::move(message), *route);
}

void FlowSource::match_wanted(Cycle now) {
  if (!parts_.front().accepted || more_) return;
  const SlotSet have = lanes();
  if (have.count() > wanted_) {
    stop_words(now);
    release(now, highest(have, have.count() - wanted_));
    const auto before = static_cast<std::uint32_t>(have.count());
    log_.changes.push_back({SlotChangeLog::Outcome::given_back, now, now, before, wanted_, wanted_, {}});
  } else if (have.count() < wanted_ && something_to_send(now)) {
    if (now < more_not_before_) {
      outside_.wake(more_not_before_);
      return;
    }
    more_ = new_part(now, log_.circuits[parts_.front().log_index].route);
    more_->record.further = true;
    more_->account = account_;
    const auto before = static_cast<std::uint32_t>(have.count());
    log_.changes.push_back({SlotChangeLog::Outcome::pending, now, -1, before, wanted_, before, {}});
    const std::uint32_t missing = wanted_ - before;
    if (more_hint_.count() < missing) more_hint_ = SlotSet();
    outside_.send(request(*more_, missing, more_hint_, 0), *more_->record.route);
  }
}

void FlowSource::release(Cycle now, const SlotSet& slots) {
  for (Part& p : parts_) {
    SetupMessage m;
    m.kind = SetupMessage::Kind::release;
    m.key = p.key;
    m.slots = p.slots & slots;
    m.words = attempt_words_ > 0 ? next_word_ : 0;
    m.circuit = circuit_;
    if (m.slots.none()) continue;
    p.slots -= slots;
    if (p.slots.none()) log_.circuits[p.log_index].ended = now;
    Part closing;
    closing.key = p.key;
    closing.slots = m.slots;
    closing.account = p.account;
    closing.accepted = true;
    closing.log_index = p.log_index;
    closing.record.route = p.record.route;
    closing_.push_back(std::move(closing));
    outside_.send(std::move(m), *p.record.route);
  }
  std::erase_if(parts_, [](const Part& p) { return p.slots.none(); });
}

void FlowSource::on_message(Cycle now, const SetupMessage& m) {
  using Kind = SetupMessage::Kind;
  const auto is = [&](const Part& p) { return p.key == m.key; };
  const auto part = std::find_if(parts_.begin(), parts_.end(), is);
  const bool more = more_ && is(*more_);
  switch (m.kind) {
    case Kind::ack:
      if (part != parts_.end() || more) {
        Part& p = more ? *more_ : *part;
        p.slots = m.slots;
        p.start = m.start;
        p.record.acknowledged = now;
        if (!more) {
          from_ = m.start;
          may_send_ = !unsure_;
        }
      }
      break;
    case Kind::accept:
      if (part != parts_.end() || more) accepted(now, m);
      break;
    case Kind::released:
      std::erase_if(closing_, [&](const Part& p) { return is(p) && p.slots == m.slots; });
      break;
    case Kind::teardown:
      if (m.cause == TeardownCause::fault) {
        if (part != parts_.end() || more || std::any_of(closing_.begin(), closing_.end(), is)) {
          stop_words(now);
          lost(now, m.key, m.failed_at, m.fault);
        }
      } else if (more || part != parts_.end()) {
        if (m.cause == TeardownCause::down) ++effect_of(m.fault).refused;
        more ? more_refused(now, m) : refused(now, m);
      }
      break;
    default:
      break;
  }
  progress(now);
}

void FlowSource::log_acceptance(Cycle now, Part& part) {
  part.accepted = true;
  part.record.accepted = now;
  part.record.slots = part.slots;
  part.log_index = log_.circuits.size();
  log_.circuits.push_back(part.record);
}

void FlowSource::accepted(Cycle now, const SetupMessage& m) {
  if (more_ && more_->key == m.key) {
    stop_words(now);
    from_ = std::max(from_, more_->start);
    log_acceptance(now, *more_);
    parts_.push_back(std::move(*more_));
    more_.reset();
    more_rounds_ = 0;
    more_hint_ = SlotSet();
    more_ended(now, SlotChangeLog::Outcome::added);
    return;
  }
  Part& first = parts_.front();
  first.record.tries = tries_;
  first.record.first_request = first_request_;
  log_acceptance(now, first);
  tries_ = 0;
  refused_in_a_row_ = 0;
  rounds_ = 0;
  routes_tried_ = 0;
  hint_ = SlotSet();
  hold_ = 0;
  more_hint_ = SlotSet();  // perhaps of another route
  if (!unsure_) {
    tell_left();
    forget_arrived();
    return;
  }
  unsettled_.clear();  // they have arrived, or are sent again
  unsure_ = false;
  next_word_ = m.words;
  may_send_ = true;
  from_ = std::max(from_, now + 1);
  if (!something_to_send(now)) end_dark(now);
}

}  // namespace weft
