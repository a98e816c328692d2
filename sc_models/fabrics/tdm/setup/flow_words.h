#pragma once
// The words of flows under way: which run of a flow's words each train belongs to, and what has arrived of it.
//
// A source sends runs: words of one message, one after the other, over the slots its circuit has at that time. In the
// network a run is what a message is to the other circuits: its number travels with every word. All routes of a flow
// are equally long, so its words arrive in the order they were sent, and a destination that counts what it has in
// order (FlowSink) takes every word exactly once, however often it was sent. Of a flow with several destinations each
// counts for itself: words behind a request of which another branch was refused come to it, and come again.

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "fabrics/tdm/setup/message_times.h"
#include "fabrics/tdm/setup/timed_flow.h"
#include "fabrics/tdm/setup/word_ledger.h"
#include "fabrics/tdm/train.h"

namespace weft {

/// Successive words of one message, sent over fixed slots.
struct CircuitRun {
  std::uint64_t first = 0;  ///< number of its first word in the flow
  std::uint32_t words = 0;  ///< as begun; it may be cut short
  std::uint32_t lanes = 1;
  std::uint32_t circuit = 0;  ///< number of its first request
  std::uint32_t word = 0;     ///< index of its first word in its message; the last one is that of the message always
  std::uint64_t message = 0;  ///< number of it in the flow
  Cycle head = 0;             ///< first cycle in which it might leave
};

/// A run with what another rank has to know of it besides.
struct RemoteRun {
  std::uint32_t flow = 0;
  std::uint32_t route = 0;  ///< of its circuit, by its place in the plan
  CircuitRun run;
  Cycle generated = 0;  ///< its message
};

/// The runs of all flows that may still be under way.
class CircuitRuns {
 public:
  /// Both must outlive it.
  CircuitRuns(const std::vector<TimedFlow>& flows, const Graph& graph)
      : flows_(flows),
        here_(flows.size(), true),
        last_(flows.size(), kNoId),
        runs_(flows.size()),
        ledger_(graph),
        times_(flows) {
    for (const TimedFlow& f : flows) over_.emplace_back(f.destinations.size(), 0);
  }
  /// A flow as messages name it.
  std::string text(std::uint32_t flow) const { return flow_text(flows_[flow]); }
  /// `account`: of the circuit, in the ledger.
  MessageId add(std::uint32_t flow, const CircuitRun& run, std::uint32_t account) {
    const MessageId id = next_;
    if (here_[flow]) runs_[flow].emplace(id, run);
    ledger_.begin_run(id, account);
    last_[flow] = id;
    if (added_) added_(id, flow, run);
    next_ += step_;
    return id;
  }
  /// One of another rank, on its way here or through; known already or not.
  void learn(MessageId id, const RemoteRun& remote, const std::shared_ptr<const CircuitRoute>& route) {
    if (ledger_.known(id)) return;
    ledger_.begin_run(id, ledger_.of_circuit(remote.flow, remote.run.circuit, route));
    if (!here_[remote.flow]) return;
    const MessageId over = *std::min_element(over_[remote.flow].begin(), over_[remote.flow].end());
    if (id >= over) runs_[remote.flow].emplace(id, remote.run);
    times_.learn(remote.flow, remote.run.message, remote.generated);
  }
  /// Of several ranks this is number `rank`: runs have numbers that no other one gives. `has_node`: is here. `added`:
  /// is told of each run that begins here. Before time begins.
  void divide(std::uint32_t rank, std::uint32_t ranks, const std::function<bool(NodeId)>& has_node,
              std::function<void(MessageId, std::uint32_t flow, const CircuitRun&)> added) {
    next_ = rank;
    step_ = ranks;
    added_ = std::move(added);
    for (std::uint32_t f = 0; f < flows_.size(); ++f) {
      here_[f] = false;
      for (std::size_t d = 0; d < flows_[f].destinations.size(); ++d) {
        if (has_node(flows_[f].destinations[d])) {
          here_[f] = true;
        } else {
          over_[f][d] = kElsewhere;
          times_.is_elsewhere(f, d);
        }
      }
    }
  }
  bool under_way(std::uint32_t flow) const { return !runs_[flow].empty(); }
  /// The runs of a flow that begins here which may be under way to a destination come behind this one.
  MessageId over(std::uint32_t flow, std::size_t destination) const { return over_[flow][destination]; }
  /// Whether a flow that begins here has begun a run since.
  bool begun_since(std::uint32_t flow, MessageId id) const { return last_[flow] != kNoId && last_[flow] >= id; }
  /// Null when nothing of the run can be under way any more, to any destination.
  const CircuitRun* find(std::uint32_t flow, MessageId id) const {
    const auto it = runs_[flow].find(id);
    return it == runs_[flow].end() ? nullptr : &it->second;
  }
  /// The same, to one destination of the flow, by index.
  const CircuitRun* find(std::uint32_t flow, std::size_t destination, MessageId id) const {
    return id < over_[flow][destination] ? nullptr : find(flow, id);
  }
  /// Nothing of a flow's runs before `id` can be under way to this destination any more.
  void forget_before(std::uint32_t flow, std::size_t destination, MessageId id) {
    over_[flow][destination] = std::max(over_[flow][destination], id);
    if (runs_[flow].empty() || runs_[flow].begin()->first >= id) return;
    const MessageId all = *std::min_element(over_[flow].begin(), over_[flow].end());
    runs_[flow].erase(runs_[flow].begin(), runs_[flow].lower_bound(all));
  }
  /// Flow of a run, over or not; kNoId when there was none of this number.
  std::uint32_t flow_of(MessageId id) const { return ledger_.known(id) ? ledger_.of(id).flow : kNoId; }
  /// It must outlive the run.
  void listen(FlowListener& listener) { listeners_.push_back(&listener); }
  template <class Event>
  void tell(Event&& event) {
    for (FlowListener* l : listeners_) event(*l);
  }
  WordLedger& ledger() { return ledger_; }
  const WordLedger& ledger() const { return ledger_; }
  MessageTimes& times() { return times_; }
  const MessageTimes& times() const { return times_; }

 private:
  static constexpr MessageId kElsewhere = ~MessageId{0};

  const std::vector<TimedFlow>& flows_;
  MessageId next_ = 0;
  MessageId step_ = 1;           // from one number to the next
  std::vector<bool> here_;       // by flow: some destination is on this rank
  std::vector<MessageId> last_;  // by flow that begins here; kNoId: none yet
  std::vector<std::map<MessageId, CircuitRun>> runs_;
  std::function<void(MessageId, std::uint32_t, const CircuitRun&)> added_;
  std::vector<std::vector<MessageId>> over_;  // per flow and destination: runs before are over
  WordLedger ledger_;
  MessageTimes times_;
  std::vector<FlowListener*> listeners_;
};

/// Words of one flow at a destination.
class FlowSink {
 public:
  /// `index`: of the destination, among those of the flow.
  FlowSink(std::uint32_t flow, std::size_t index, std::uint32_t slots, CircuitRuns& runs)
      : flow_(flow), index_(index), slots_(slots), runs_(runs) {}

  /// A train's first word arrives in cycle train.start, now or later.
  void begins(const Train& train);
  /// Fewer words of a train come than was said; returns the cycle of its last one, or -1 for an unknown train.
  Cycle cut(const TrainCut& cut);
  /// Takes what has arrived up to the end of cycle `now`. `broken`: a failure has hit the flow, so words may be
  /// missing; otherwise a gap throws RunError.
  void take(Cycle now, bool broken);
  /// Cycle in which word `word` of the flow arrives on circuit `circuit`, -1: not known yet. A train that stops early
  /// is known to have ended only when a word of it does not come, so that whoever waits for a certain word must not
  /// wait for its end.
  Cycle arrival_of(std::uint32_t circuit, std::uint64_t word) const;
  /// Words that came on circuit `circuit` are below this number, as far as they came without a gap; 0: none. They may
  /// be fewer than received(): those had come before on a circuit that was refused for the sake of another destination.
  /// Of a circuit that is over: more than any.
  std::uint64_t reached(std::uint32_t circuit) const {
    if (circuit < over_before_) return ~std::uint64_t{0};
    const auto it = reached_.find(circuit);
    return it == reached_.end() ? 0 : it->second;
  }
  /// Words of this circuit have come, so those of circuits before it have as well, or never will: none overtakes them.
  /// The release of such a circuit may still come, over a route that takes longer.
  void circuits_before_are_over(std::uint32_t circuit) {
    over_before_ = std::max(over_before_, circuit);
    reached_.erase(reached_.begin(), reached_.lower_bound(circuit));
  }
  /// Words in order from the first one: also the number of the word it waits for.
  std::uint64_t received() const { return received_; }
  /// Words that came a second time, or behind a gap, and were dropped. Complete when nothing is under way.
  std::uint64_t dropped() const { return arrived_ - received_; }
  /// Messages that are complete.
  std::uint64_t messages() const { return runs_.times().arrived(flow_, index_); }
  /// Cycle in which the first word came, -1: none yet.
  Cycle first_word() const { return first_word_; }

 private:
  struct Lane {
    std::uint32_t index = 0;
    std::uint32_t words = 0;
    Cycle start = 0;
    std::uint32_t arrived(Cycle now, std::uint32_t slots) const;
  };
  struct Open {
    std::vector<Lane> lanes;
  };
  std::uint32_t in_order(const CircuitRun& run, const Open& open, Cycle now) const;
  void time_message(const CircuitRun& run, const Open& open, std::uint64_t before, Cycle now);
  void uncount(MessageId run, std::uint32_t words);
  WordAccount::End& account(MessageId run) { return runs_.ledger().of(run).ends[index_]; }

  std::uint32_t flow_;
  std::size_t index_;
  std::uint32_t slots_;
  CircuitRuns& runs_;
  std::map<MessageId, Open> open_;
  std::uint64_t received_ = 0;
  std::uint64_t arrived_ = 0;                       // in runs that are over, and those open as far as announced
  std::map<std::uint32_t, std::uint64_t> reached_;  // by circuit
  std::uint32_t over_before_ = 0;                   // circuits
  Cycle first_word_ = -1;
  Cycle message_head_ = 0;   // of the message whose words it takes
  Cycle message_first_ = 0;  // its first word came
};

}  // namespace weft
