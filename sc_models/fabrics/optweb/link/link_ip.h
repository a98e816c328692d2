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
// Source: sections 3.1.1, 4.1 and 4.3.2 of the paper named in algorithms/optweb/link_sync.h.

#include <limits>
#include <memory>
#include <systemc>

#include "algorithms/optweb/link_sync.h"
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
  virtual void train_arrives(std::uint32_t port, const OptwebTrain& train) = 0;
  /// Its last word arrives at another boundary than it was said, and leaves the sender at another time.
  virtual void train_is_late(std::uint32_t port, Cycle last, Picoseconds ended) = 0;
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
  /// `adapter`: in the way, null: none.
  void connect(LinkIp& other, LinkAdapter<OptwebProtocol>* adapter = nullptr);
  LinkOutPort<OptwebProtocol>& out() { return out_; }
  LinkInPort<OptwebProtocol>& in() { return in_; }

  /// Sends a notification; returns the boundary at which it has left the switch.
  Cycle notify(Cycle now, const OptwebNotification& notification);
  /// First cycle in which a run may begin.
  Cycle rested(Cycle now) const { return now > free_ ? now : free_; }
  /// Begins a run of data now; words at `pace`.
  void begin(Cycle now, OptwebTrain train, const optweb::WordRate& pace);
  /// The words of the run that are left go on at another pace from now on.
  void turn(Cycle now, const optweb::WordRate& pace);
  /// Boundary at which the last word of the run has left.
  Cycle end() const { return run_.end(); }

  /// Signals of the lane in a cycle that is not before the last one asked for, nor after the present one.
  enum class Lane : std::uint8_t { rest, data, notification };
  Lane lane(Cycle cycle) const;
  /// Keeps from now on what in_lane() needs: for waves, before time begins.
  void watch() { incoming_ = std::make_unique<Incoming>(); }
  /// Output of the link in a cycle that is not before the last one asked for, nor after the present one: the
  /// cycle of this node's clock before the boundary at which its switch has it. Precondition: watch().
  Lane in_lane(Cycle cycle) const;

  std::uint64_t notifications_sent() const { return notifications_; }
  std::uint64_t words_sent() const { return words_; }

  /// Throws RunError when the lane from the other end has not brought what was sent.
  void check_lane() const {
    if (straight_ != nullptr) straight_->lane_sender_.catch_up(std::numeric_limits<Cycle>::max());
    lane_listener_.check_over();
  }

  void receive(PortId in, const OptwebTransfer& transfer) override;
  void carry(Cycle at, const optweb::LaneSymbol& symbol, std::uint64_t left_out) override;

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
  void send(OptwebTransfer& transfer);
  /// Boundary of this node's clock at which what has left the other switch at `sent` is here, over an adapter of so
  /// many cycles.
  Cycle arrival(Cycle sent, Cycle adapter) const;

  const OptwebParameters& parameters_;
  const NodeClock& clock_;
  const NodeClock* sender_ = nullptr;  // the clock of the other end
  LinkIp* straight_ = nullptr;         // the other end, when nothing is in the way: word cycles need no transfers
  sc_core::sc_time delay_;
  std::uint32_t port_;
  LinkOwner& owner_;
  LinkOutPort<OptwebProtocol> out_;
  LinkInPort<OptwebProtocol> in_;
  Cycle free_ = 0;  // a run may begin
  SerialClock serial_;
  WordRun run_;  // of data
  LaneSender lane_sender_;
  LaneListener lane_listener_;
  SmallQueue<Cycle> noted_;             // cycles of the last notifications
  std::unique_ptr<Incoming> incoming_;  // null unless watched
  std::uint64_t notifications_ = 0;
  std::uint64_t words_ = 0;
};

}  // namespace weft
