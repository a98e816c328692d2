#pragma once
// The source's side of one flow: asks for circuits, sends its words, copes with refusals and failures; plain C++.
//
// With something to send, the source asks for m slots on its first route. With the first ACK it knows the
// slots and begins to send. A refusal comes back as a teardown: everything sent since is sent again on the next
// circuit. The next try takes the same route when the vector in the refusal still holds m slots (or when a table could
// not be written in time: then it will begin to send that much later), else the next route; after the last route it
// waits for 1 .. backoff * 2^(rounds so far, at most 6) cycles, drawn from a stream of the flow's own.
//
// A source that has lost a circuit to a failure cannot know which words have arrived. It asks again at once and begins
// to send on the acceptance, which carries the number of the word its destination waits for; of several destinations
// the one that is furthest behind.
//
// To a source a circuit to several destinations is one circuit: the switches merge what the branches answer. Words
// behind a refused request may have come to some of the destinations; they are sent again to all of them.
//
// Routes that have the same number of switches but other adapters take different times, and with slot_update so do
// circuits on one route. Words sent on a shorter one wait until they cannot overtake any that were sent on a longer
// one.
//
// More slots are asked for as a second request over the same links; they are used from the acceptance on, since a word
// lost on them would leave a gap. Fewer: the highest slots are released. When nothing waits to be sent, everything is
// released; the destination answers a release when it has all words sent before it, and that answer frees the slots.
// A flow with an end stops there in the middle of a message and asks no more. A flow that may only have certain slots
// begins its requests with these instead of all.

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.h"
#include "fabrics/tdm/setup/flow_log.h"
#include "fabrics/tdm/setup/flow_words.h"
#include "fabrics/tdm/setup/message.h"
#include "fabrics/tdm/setup/message_clock.h"
#include "fabrics/tdm/setup/timed_flow.h"
#include "fabrics/tdm/setup/word_sender.h"

namespace weft {

/// Retry policy of a source.
struct RetryPolicy {
  Cycle backoff = 64;          ///< first window of the back-off
  std::uint64_t tries = 1000;  ///< refused in a row before the flow is given up
  std::uint64_t seed = 1;
  bool choose_links = false;  ///< switches choose the links of bundles
};

class FlowSource {
 public:
  using Routes = std::vector<std::shared_ptr<const CircuitRoute>>;
  struct Outside {
    /// To the first switch of a route; it begins with one of the links between the host and that switch.
    std::function<void(SetupMessage, const CircuitRoute&)> send;
    std::function<bool(Cycle, const CircuitRoute&)> link_usable;
    std::function<std::uint32_t(const CircuitRoute&)> link_holder;  ///< the failure that holds that link down
    /// due() is wanted in that cycle: later than now, or now where a link has just failed.
    std::function<void(Cycle)> wake;
    std::function<void(const TrainCut&)> cut;  ///< a train that was announced is shorter
  };
  FlowSource(const TimedFlow& flow, std::uint32_t index, Routes routes, const SetupTiming& timing,
             const RetryPolicy& policy, CircuitRuns& runs, Outside outside);

  /// First cycle in which due() is needed.
  Cycle begin() const { return flow_.start; }
  /// All of these are called at the end of a cycle, when its words have left.
  void due(Cycle now);
  void on_message(Cycle now, const SetupMessage& message);
  /// The link to the switch failed, with which the routes begin that `uses` says, in cycle `now`, of which no word has
  /// left.
  void link_failed(Cycle now, std::uint32_t fault, const std::function<bool(const CircuitRoute&)>& uses);
  void link_restored(Cycle now) { progress(now); }

  /// A submitted message, in cycle `now`; due() is wanted in it.
  void submit(Cycle now, std::uint32_t words);
  /// No more will be submitted. Takes back those that it has not begun to send; how many. Once the others have arrived
  /// everywhere it sends nothing more and asks for nothing, even if it cannot know that they have.
  std::uint64_t withdraw(Cycle now) {
    closed_ = true;
    const std::uint64_t taken_back = clock_.withdraw(runs_.times().begun(index_));
    if (all_arrived()) outside_.wake(now + 1);
    return taken_back;
  }
  /// Submitted messages before this one have arrived everywhere.
  void forget_before(std::uint64_t message, Cycle now) {
    arrived_before_ = message;
    forget_arrived();
    if (all_arrived()) outside_.wake(now + 1);
  }

  /// Of the circuit on which it sends, or of the next one that it asks for.
  const CircuitRoute& current_route() const { return *routes_[route_]; }
  /// Trains, in the cycle their first word leaves.
  Cycle next_train() const { return sender_.next_train(); }
  Train announce() { return sender_.announce(); }

  const FlowLog& log() const { return log_; }
  bool finished() const { return log_.finished >= 0; }
  std::uint64_t words_generated(Cycle now) { return clock_.words(now); }
  /// Words of the messages that have come so far; of a saturated source those it has begun to send.
  std::uint64_t words_offered() const { return clock_.generated(); }
  /// Until then it need not be told anything to go on: it sends, or waits for a time of its own.
  Cycle busy_until() const { return std::max(sender_.busy() ? sender_.last() : 0, not_before_); }
  /// Requests and releases that have not come to their end.
  std::size_t open_requests() const { return parts_.size() + closing_.size() + (more_ ? 1 : 0); }
  /// Slots the flow sends on at present.
  SlotSet lanes() const;

 private:
  struct Part {  // what one request has brought
    CircuitKey key;
    SlotSet slots;
    Cycle start = 0;
    bool accepted = false;
    CircuitLog record;          // until it is accepted
    std::uint32_t account = 0;  // in the ledger of words
    std::size_t log_index = 0;  // then its place in the log
  };

  void progress(Cycle now);
  void change_slots(Cycle now);
  void wake_for_change();
  Cycle generated(std::uint64_t message);
  void begin_message(std::uint64_t message);
  void send_words(Cycle now);
  void stop_words(Cycle now);
  void account(std::uint32_t words);
  void ask(Cycle now);
  bool find_link(Cycle now);
  SetupMessage request(const Part& part, std::uint32_t slots, const SlotSet& common, Cycle hold) const;
  void refused(Cycle now, const SetupMessage& message);
  void more_refused(Cycle now, const SetupMessage& message);
  void choose_next_try(Cycle now, const SetupMessage& message);
  Part new_part(Cycle now, std::shared_ptr<const CircuitRoute> route);
  void accepted(Cycle now, const SetupMessage& message);
  void lost(Cycle now, const CircuitKey& key, Cycle failed_at, std::uint32_t fault);
  void count_lost(Cycle now, const Part& part, std::uint32_t fault);
  void account_lost(const Part& part, std::uint32_t fault);
  FaultEffect& effect_of(std::uint32_t fault);
  void more_ended(Cycle now, SlotChangeLog::Outcome outcome);
  void forget_arrived();
  void tell_left();
  Cycle first_in_order() const;
  void forget_order(bool refused);
  void end_dark(Cycle at);
  void log_acceptance(Cycle now, Part& part);
  void release(Cycle now, const SlotSet& slots);
  void match_wanted(Cycle now);
  bool something_to_send(Cycle now);
  /// No word may leave after cycle `now`.
  bool over(Cycle now) const { return (flow_.end && now + 1 >= *flow_.end) || all_arrived(); }
  bool all_arrived() const { return closed_ && arrived_before_ == clock_.submitted(); }
  void maybe_finish(Cycle now);
  Cycle random_wait(std::uint32_t rounds);

  TimedFlow flow_;
  std::uint32_t index_;
  Routes routes_;
  SetupTiming timing_;
  RetryPolicy policy_;
  CircuitRuns& runs_;
  Outside outside_;
  RandomStream random_;
  MessageClock clock_;
  WordSender sender_;
  FlowLog log_;

  std::uint32_t wanted_;
  std::size_t next_change_ = 0;
  std::uint32_t last_number_ = 0;  // of requests
  bool closed_ = false;            // no more messages are submitted
  bool held_ = false;              // would ask, but the link to the switch is down
  // The circuit: nothing, or a first request and those for more slots that were accepted.
  std::vector<Part> parts_;
  std::optional<Part> more_;   // for more slots, not accepted yet
  std::vector<Part> closing_;  // released, not confirmed yet
  bool may_send_ = false;
  bool unsure_ = false;                       // words may have been lost, the destination must say which it waits for
  Cycle from_ = 0;                            // first cycle for words
  std::vector<std::vector<Cycle>> transits_;  // per route and destination
  std::vector<Cycle> arrived_by_;             // per destination: everything sent so far has, on earlier circuits
  std::vector<Cycle> arriving_;               // the same on this circuit
  // The next try.
  std::size_t route_ = 0;
  std::size_t routes_tried_ = 0;  // in this round
  std::uint32_t rounds_ = 0;
  std::uint64_t refused_in_a_row_ = 0;
  SlotSet hint_;
  Cycle hold_ = 0;
  Cycle not_before_ = 0;       // back-off
  Cycle more_not_before_ = 0;  // back-off of requests for more slots
  std::uint32_t more_rounds_ = 0;
  SlotSet more_hint_;  // slots of the route that may still be free
  // Words.
  std::uint64_t next_word_ = 0;
  std::uint64_t sure_word_ = 0;            // first word sent since the last acceptance: sent again after a refusal
  std::uint64_t arrived_before_ = 0;       // submitted messages before this one have arrived everywhere
  std::uint64_t sent_until_ = 0;           // words ever sent are below
  Cycle last_left_ = 0;                    // the last of these left; only asked for where a message ends
  MessageSpan sending_;                    // the message of the run
  std::vector<std::uint64_t> unsettled_;   // messages whose words have left on circuits that are not accepted
  std::uint64_t attempt_words_ = 0;        // sent since the request
  std::uint32_t circuit_ = 0;              // number of its first request
  std::uint32_t account_ = 0;              // of the circuit, in the ledger of words
  std::uint32_t resend_fault_ = kNoFault;  // why words are sent again; kNoFault: a refusal
  Cycle first_request_ = -1;               // of the tries for the next circuit
  std::uint64_t tries_ = 0;                // of them so far
};

}  // namespace weft
