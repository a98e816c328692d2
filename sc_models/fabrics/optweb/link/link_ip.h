#pragma once
// One end of a link: data-active signal, clock crossing and link IP (SerialLite III) towards one other node. No
// back-pressure, no addresses.
//
// The lane carries runs: one cycle is a notification, longer runs are data behind a first word that the receiver drops
// (algorithms/optweb/link_sync.h has the rule cycle by cycle). A transfer is one run of words at the payload rate of
// the link. A notification that comes in the middle cuts it and costs it 2 * gap + 2 words. Between runs the lane rests
// for `gap` words. The link_sync blocks of both ends are stepped beside this, in the word cycles of the lane, and must
// do the same (fabrics/optweb/link/lane_ends.h). A notification behind the last word that the transmitter takes waits
// for the end of the run.
//
// Latency: transmit + ip + propagation + receive, and what an adapter adds to the propagation, from the last stage of
// the sending switch to the first of the receiving one. The first is of the sender's clock, the last of the receiver's;
// what is between takes its time, and enters the receiver's clock at its next edge (fabrics/optweb/node_clock.h).
//
// A link that fails or makes bit errors has a timeline for each direction (algorithms/optweb/faults/link_timeline.h). A
// run then counts its cycles in the time of its stream, which stands still with the lanes of its links; what leaves and
// what arrives is told in real time.
// Source: sections 3.1.1, 4.1 and 4.3.2 of the paper named in algorithms/optweb/link_sync.h.

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "algorithms/optweb/faults/link_timeline.h"
#include "algorithms/optweb/link_sync.h"
#include "base/hot_memory.h"
#include "fabrics/optweb/link/lane_ends.h"
#include "fabrics/optweb/link/serial_clock.h"
#include "fabrics/optweb/link/word_run.h"
#include "fabrics/optweb/node_clock.h"
#include "fabrics/optweb/parameters.h"
#include "fabrics/optweb/protocol.h"
#include "fabrics/optweb/small_queue.h"
#include "kernel/link_adapter.h"

namespace weft {

/// The switch behind a link.
class LinkOwner {
 public:
  virtual ~LinkOwner() = default;
  virtual void notification_arrives(std::uint32_t port, const OptwebNotification& notification, Cycle at) = 0;
  virtual void train_arrives(std::uint32_t port, OptwebTrain&& train) = 0;
  /// Its last word arrives at another boundary than it was said, and leaves the sender at another time. `from`: what
  /// the sender does now arrives at this boundary.
  virtual void train_is_late(std::uint32_t port, Cycle last, Picoseconds ended, Cycle from) = 0;
  /// From a point on its words come at another pace.
  virtual void train_turns(std::uint32_t port, const OptwebTurn& turn, Cycle first, Cycle last, Picoseconds ended) = 0;
};

/// link_sync blocks of an end, one for each lane.
struct LinkSyncs {
  std::unique_ptr<optweb::LinkSyncIf> transmitter;
  std::unique_ptr<optweb::LinkSyncIf> receiver;
};

class LinkIp : public sc_core::sc_module, public LinkReceiver<OptwebProtocol>, public LaneCarrier {
 public:
  /// `port`: what its owner knows it by.
  LinkIp(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeClock& clock, std::uint32_t port,
         LinkOwner& owner, LinkSyncs syncs, const SerialClock& serial = {});
  /// Joins this end to the other end. Call before time begins.
  /// `adapter`: in the way, null: none. `timeline`: of what this end sends, null: nothing ever fails.
  void connect(LinkIp& other, LinkAdapter<OptwebProtocol>* adapter = nullptr, optweb::LinkTimeline* timeline = nullptr);
  LinkOutPort<OptwebProtocol>& out() { return out_; }
  LinkInPort<OptwebProtocol>& in() { return in_; }

  /// Sends a notification; returns the boundary at which it has left the switch. kNever: the link does not come back.
  Cycle notify(Cycle now, const OptwebNotification& notification);
  /// First cycle in which a run may begin.
  Cycle rested(Cycle now) const { return opened(now > free_ ? now : free_, 0); }
  /// Begins a run of data now; words at `pace`. The train says in which time they are counted.
  void begin(Cycle now, OptwebTrain train, const optweb::WordRate& pace);
  /// The words of the run that are left go on at another pace from now on.
  void turn(Cycle now, const optweb::WordRate& pace);
  /// Boundary at which the last word of the run has left.
  Cycle end() const { return real(run_.end()); }
  /// Words of the run that have left at boundary `at`, which is not before the present cycle.
  std::uint64_t passed_by(Cycle at) const { return run_.passed_by(run_time(at)); }
  /// Units of the run that have passed by then, the dropped word among them, and the boundary at which they will have.
  optweb::WideInteger units_by(Cycle at) const { return run_.units_by(run_time(at)); }
  Cycle units_at(optweb::WideInteger units) const { return real(run_.units_at(units)); }
  /// Most words that the FIFO on the receive side has held at a time; 0: it has no depth.
  std::uint64_t most_received() const { return most_received_; }
  /// Cycle in which the run began.
  Cycle begun() const { return real(run_.begun()); }

  /// Of what this end sends; null: nothing ever fails.
  optweb::LinkTimeline* timeline() const { return timeline_; }
  /// Of what this end receives: the stops of a train, in cycles of this end, in which none of its words arrive.
  std::vector<optweb::LinkTimeline::Stop> gaps(const OptwebTrain& train) const;
  /// Words and notifications that were on the wire when it failed, or behind a bad frame.
  struct Repeated {
    std::uint64_t times = 0;               ///< failures, or bad frames
    std::uint64_t words = 0;               ///< sent once more
    std::uint64_t notifications = 0;       ///< sent once more
    std::uint64_t lost_words = 0;          ///< the link has not come back
    std::uint64_t lost_notifications = 0;  ///< the same
  };
  /// By failures of the configuration, and, under nothing, by bit errors; what is missing has repeated nothing. Of a
  /// run whose pace changes as if it did not.
  std::map<std::optional<std::uint32_t>, Repeated> repeated(Cycle now) const;
  /// Runs so far: the time that they took, and the part of it in which the lane did not stand still.
  struct Busy {
    Cycle all = 0;
    Cycle moving = 0;
  };
  Busy busy(Cycle now) const;

  /// Signals of the lane in a cycle that is not before the last one asked for, nor after the present one. Precondition:
  /// watch().
  enum class Lane : std::uint8_t { rest, data, notification };
  Lane lane(Cycle cycle) const;
  /// Of a link with a timeline, in a cycle; repeats: it is up, and takes nothing because of what it sends once more.
  enum class State : std::uint8_t { up, repeats, down };
  State state(Cycle cycle) const;
  /// Keeps from now on what lane() and in_lane() need: for waves, before time begins.
  void watch() { incoming_ = std::make_unique<Incoming>(); }
  /// Output of the link in a cycle that is not before the last one asked for, nor after the present one: the
  /// cycle of this node's clock before the boundary at which its switch has it. Precondition: watch().
  Lane in_lane(Cycle cycle) const;

  /// Brings into the cache what the next notification or run needs of this end.
  void fetch() const { prefetch(&sender_, this + 1); }
  /// And of the other end, when this one is there.
  void fetch_other() const {
    if (straight_ != nullptr) prefetch(&straight_->sender_, straight_ + 1);
  }

  std::uint64_t notifications_sent() const { return notifications_; }
  /// Words of all runs that have begun, whole ones; and of them those that have passed.
  std::uint64_t words_sent() const { return words_; }
  std::uint64_t words_passed() const { return words_ == 0 ? 0 : words_ - run_.left_by(run_time(clock_.now())); }

  /// Throws RunError when the lane from the other end has not brought what was sent.
  void check_lane() const {
    if (straight_ != nullptr) straight_->lane_sender_.catch_up(std::numeric_limits<Cycle>::max());
    lane_listener_.check_over();
  }

  void receive(PortId in, const OptwebTransfer& transfer) override;
  void carry(Cycle at, const optweb::LaneSymbol& symbol, std::uint64_t left_out) override;
  void carry_run(std::uint64_t words, Cycle first, Cycle last) override;
  void carry_note(Cycle at) override;

 private:
  /// Boundaries of this node's clock at which what the other end has sent is here.
  struct Incoming {
    struct Run {
      Cycle first = 0;  // its dropped word
      Cycle last = 0;
    };
    SmallQueue<Run> runs;
    SmallQueue<Cycle> notifications;
  };

  void note(const OptwebTransfer& transfer);
  void listen(const OptwebTransfer& transfer);
  void fill(const OptwebTrain& train);
  void send(OptwebTransfer& transfer);
  /// Boundary of this node's clock at which what has left the other switch at `sent` is here, over an adapter of so
  /// many cycles.
  Cycle arrival(Cycle sent, Cycle adapter) const;
  /// The same of what has been there at `at` as the timeline has it.
  Cycle crossed(Cycle at, Cycle adapter) const;
  Cycle opened(Cycle at, Cycle cycles) const { return timeline_ == nullptr ? at : timeline_->open(at, cycles); }
  // The time of the run.
  Cycle real(Cycle run) const { return time_ == nullptr ? run : time_->real(run); }
  Cycle run_time(Cycle real) const { return time_ == nullptr ? real : time_->run(real); }
  Picoseconds time_of(Cycle at) const { return at >= optweb::kNever ? kNoTime : clock_.time(at); }

  static constexpr Picoseconds kNoTime = std::numeric_limits<Picoseconds>::max();

  const OptwebParameters& parameters_;
  const NodeClock& clock_;
  const NodeClock* sender_ = nullptr;  // the clock of the other end
  LinkIp* straight_ = nullptr;         // the other end, when nothing is in the way: word cycles need no transfers
  sc_core::sc_time delay_;
  std::uint32_t port_;
  LinkOwner& owner_;
  LinkOutPort<OptwebProtocol> out_;
  LinkInPort<OptwebProtocol> in_;
  optweb::LinkTimeline* timeline_ = nullptr;        // of what is sent
  optweb::LinkTimeline* coming_ = nullptr;          // of what is received
  std::shared_ptr<const optweb::StreamTime> time_;  // of the run
  struct Sent {                                     // at positions of the lane
    Cycle begin = 0;
    Cycle end = 0;
    std::uint64_t words = 0;
    Cycle taken = 0;            // cycles, those included in which the lane stood still
    bool notification = false;  // without words
  };
  /// With a timeline: what has passed by now, of a run that is not over a part.
  std::vector<Sent> all_sent(Cycle now) const;
  std::vector<Sent> sent_;  // with a timeline; the last run is not there yet
  Cycle run_begun_ = 0;
  std::uint64_t run_words_ = 0;  // 0: there was none
  Cycle free_ = 0;               // a run may begin
  SerialClock serial_;
  WordRun run_;  // of data
  LaneSender lane_sender_;
  LaneListener lane_listener_;
  SmallQueue<Cycle> noted_;             // cycles of the last notifications
  std::unique_ptr<Incoming> incoming_;  // null unless watched
  std::uint64_t notifications_ = 0;
  std::uint64_t words_ = 0;
  std::uint64_t most_received_ = 0;
};

}  // namespace weft
