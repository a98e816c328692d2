#pragma once
// Distributed switch of a node: between the readers and writers of M_DMAC and the links to all other nodes. Sending
// side: a distributor behind every reader, which copies its words to any set of links, and an N x 1 switch before every
// link. Receiving side: a 16 KiB buffer behind every link and an N x N switch to the writers. A node's own part of a
// collective goes from the sending side into the N x N switch. Word counters on both sides say when an instruction is
// complete; nothing in the data does. In a reduction, the words of all links and of the node itself go through the
// reduction unit (algorithms/optweb/reduction.h) between the N x N switch and one writer.
//
// Each of these is a module of its own within this one, with its latency and what must hold of it (switch_modules.h);
// what is left here is what happens when, and the signals between them go over their ports. Who is notified, when words
// may pass and when everything has passed is decided by the control (algorithms/optweb/control/switch_control.h), a
// block that exists in RTL too.
//
// Of an instruction that is issued in cycle t:
//   t + setup                        paths are set; a barrier, or the receivers of a rendezvous, send notifications
//   first word + distributor + select  data stand before the links; they go once the paths are set, and in a rendezvous
//                                    `gate` cycles after the last notification of the receivers
//   last word in + receive + counter   counted (in a reduction the last word of all, + reduce per level); `report`
//   later the sequencer knows, and `setup` later the notification
//                                    that everything has arrived goes to the sources
//   notification in + notified       registered; `report` later the sequencer knows
// The instruction is done when all words and notifications have been sent and all that were expected have come.
// Notifications carry nothing but themselves: what one means follows from the order in which both ends execute their
// instructions.
// Eager data may come before the instruction that takes them: they wait in the buffer of their link and are then read
// out a word per cycle. In a reduction words wait there for those of the other links; the node's own wait at the
// reader. Source: sections 3.2.1, 3.3 and 4.3.2 of the paper named in algorithms/optweb/link_sync.h.

#include <boost/container/small_vector.hpp>
#include <functional>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "algorithms/optweb/control/switch_control.h"
#include "fabrics/optweb/boxes/box_recorder.h"
#include "fabrics/optweb/boxes/box_signals.h"
#include "fabrics/optweb/boxes/word_boxes.h"
#include "fabrics/optweb/link/link_ip.h"
#include "fabrics/optweb/link_side.h"
#include "fabrics/optweb/m_dmac.h"
#include "fabrics/optweb/module_factory.h"
#include "fabrics/optweb/node_clock.h"
#include "fabrics/optweb/observer.h"
#include "fabrics/optweb/parameters.h"

namespace weft {

/// The link_sync blocks of the end of a link towards a node.
using MakeLinkSync = std::function<LinkSyncs(NodeId peer)>;

class DistributedSwitch : public sc_core::sc_module,
                          public RegisteredIf,
                          public GateSignalsIf,
                          public BufferedWordsIf,
                          public Agent {
 public:
  DistributedSwitch(sc_core::sc_module_name name, NodeClock& clock, const OptwebParameters& parameters, NodeId node,
                    MDmac& dmac, const Hbm& memory, const OptwebNames& names, const OptwebObservers& observers,
                    const MakeLinkSync& make_link_sync, std::unique_ptr<optweb::SwitchControlIf> decisions,
                    OptwebModules& modules);

  // To the boxes in which something comes due, and to the links.
  sc_core::sc_port<ControlRegisterIf> control;
  sc_core::sc_port<NotificationRegistersIf> notifications;
  sc_core::sc_port<ReceiveBuffersIf> buffers;
  sc_core::sc_port<LinkNotificationsIf> link_notifications;
  /// To M_DMAC, and with its own pulse to the command sequencer.
  sc_core::sc_port<DoneIf> done;

  /// The link towards another node; null towards itself and where there is none.
  LinkIp* link(NodeId peer) { return const_cast<LinkIp*>(std::as_const(*this).link(peer)); }
  const LinkIp* link(NodeId peer) const {
    const auto port = neighbours_.dmac(node_, peer);
    return port ? links_.link(*port) : nullptr;
  }
  /// What comes over a link, of nodes of other ranks too, enters here.
  LinkOwner& arrivals() { return links_; }
  /// Control register: an instruction issued in cycle `now`; `number` counts the node's instructions.
  void configure(DmacPlan plan, std::uint32_t number, Cycle now);

  // Signals of its boxes.
  void registered(std::uint32_t port, Cycle at) override;
  void used(std::uint32_t port, const OptwebNotification& notification) override;
  void opens(Cycle at) override { opening_ = at; }
  void begun(std::uint32_t port, Cycle last) override;
  void turned(std::uint32_t port, Arrival& arrival) override;
  /// The host has begun or ceased to use a stripe of the memory, or the memory lets words pass at another pace.
  void memory_changed(std::uint32_t stripe);
  void due(Cycle, std::uint32_t token) override;

  /// Links that fail: when instructions that need them give up (link.timeout). Before time begins.
  void watch_links();
  /// Over a link that is down, the instruction under way has something to send or to receive. Nothing else happens in a
  /// network `at_rest`: links count that fail for good later, with words on them.
  struct CutOff {
    NodeId peer = kNoId;
    const optweb::Outage* outage = nullptr;
  };
  std::vector<CutOff> cut_off(Cycle now, bool at_rest) const;

  /// Text of what the instruction under way is waiting for.
  std::string describe_wait() const;
  /// Nodes that it waits for, ascending.
  std::vector<NodeId> waits_for() const;
  /// Of the last instruction: when its words were sent, and counted.
  std::optional<Cycle> sent() const { return sent_; }
  std::optional<Cycle> received() const { return received_; }
  /// Of the instruction under way: streams that have not been read, transfers not counted, notifications not come.
  std::uint32_t streams_open() const;
  std::uint32_t receipts_missing() const;
  std::uint32_t notifications_missing() const;

  // States of its boxes in the present cycle, for waves (boxes/switch_boxes.cpp). Nothing: the box rests.
  std::optional<OptwebBoxState> control_state() const;
  /// Of the readers of the instruction under way, the one that is furthest.
  std::optional<OptwebBoxState> readers_state() const;
  std::optional<OptwebBoxState> writers_state() const;
  std::optional<OptwebBoxState> reduction_state() const;
  /// Nodes of a group to be reduced whose words have begun to come, the node itself included.
  std::uint32_t reduction_streams() const;
  /// Receivers of a rendezvous that are not ready, ascending.
  std::vector<NodeId> not_ready() const;
  std::optional<OptwebBoxState> buffer_state(NodeId peer) const;
  /// Words that have come from a node and have not left the receive buffer of its link.
  std::uint64_t buffered_words(NodeId peer) const;
  /// Words in the transmit FIFO of the link to a node, as its writer counts them; most of the run so far.
  std::uint64_t fifo_words(NodeId peer) const;
  std::uint64_t most_fifo_words(NodeId peer) const { return most_fed_[port(peer)]; }
  /// Next cycle in which a state changes although nothing is due in it, as the agenda stands now.
  Cycle next_state() const;
  /// Own box number `place`: words of the instruction under way that have entered it and left it, over all streams.
  struct BoxFlow {
    std::uint32_t number = 0;  ///< of the instruction
    std::uint64_t in = 0;
    std::uint64_t out = 0;
    std::optional<OptwebBoxState> state;
  };
  BoxFlow sent_flow(std::size_t place) const;
  BoxFlow received_flow(std::size_t place) const;
  const WordBoxes& sent_boxes() const { return modules_.sent; }
  const WordBoxes& received_boxes() const { return modules_.received; }
  const ReductionUnitIf& reduction_unit() const { return *modules_.reduction; }
  /// A notification of a node has come that nothing has used yet.
  bool early_notification(NodeId peer) const { return notifications->registered(port(peer)); }
  /// Reader whose words go to a node, writer that takes those from it; nothing: they are not joined.
  std::optional<std::uint32_t> joined_reader(NodeId peer) const { return modules_.selectors->joined(port(peer)); }
  std::optional<std::uint32_t> joined_writer(NodeId peer) const { return modules_.crossbar->joined(port(peer)); }
  // Over the whole run.
  std::uint64_t words_sent(NodeId peer) const { return modules_.sent_counters->total(port(peer)); }
  std::uint64_t words_received(NodeId peer) const { return modules_.received_counters->total(port(peer)); }
  /// Of transfers that have begun and are not counted yet; some of a link that is down may never come.
  std::uint64_t words_coming(NodeId peer) const { return buffers->waiting(port(peer)); }
  std::uint64_t notifications_received(NodeId peer) const { return notifications->total(port(peer)); }

 private:
  enum Token : std::uint32_t {
    kSet,
    kStart,
    kEnd,
    kLast,
    kCounted,
    kNotification,
    kComplete,
    kDone,
    kReduced,
    kTimeout
  };
  struct Expected {  // of the instruction under way, from one port
    bool data = false;
    std::uint32_t writer = 0;         // index in plan_.writers
    std::uint32_t notifications = 0;  // when its paths are set; decisions_ knows those that are missing
  };

  /// Words of a transfer, or of all those that are reduced, that have come and are not written yet.
  struct Drain {
    Cycle since = 0;
    optweb::WideInteger left = 0;  // units, at since
    optweb::WordRate pace;
    Cycle out = 0;   // the last word has left the buffer
    Cycle due = -1;  // and is counted; -1: none is under way
  };

  static std::uint32_t token(Token kind, std::uint32_t index) { return (kind << 24) | index; }
  // Ports are numbered as the DMACs (algorithms/optweb/neighbours.h).
  std::uint32_t port(NodeId n) const { return neighbours_.dmac(node_, n).value(); }
  NodeId peer(std::uint32_t port) const { return neighbours_.peer(node_, port); }
  bool local(std::uint32_t port) const { return port == own_; }
  bool busy() const { return control->holds(); }
  std::uint32_t number() const { return control->number(); }
  void bind(OptwebModules& modules);
  void bind_words();
  void bind_signals();
  /// Valid until it is asked for another one.
  WordRoute route_of(const ReaderStream& reader);
  /// Of so many words of a writer that come by `port`, which has to outlive it.
  WordRoute route_to(const WriterStream& writer, const std::uint32_t& port, std::uint64_t words) const {
    return {writer.receive.writer, std::span(&port, 1), words, plan_.reduction.has_value(), 0};
  }
  SerialClock serial_clock(NodeId peer) const;
  void set_paths(Cycle now);
  void join_paths();
  void take_notification(std::uint32_t port, Cycle now);
  /// A notification of those that an instruction awaits from a port, `awaited` with it.
  void use_notification(std::uint32_t port, std::uint32_t awaited, Cycle now);
  /// What the control register gets, in word_.
  const optweb::ControlWord& control_word();
  void plan_parts();
  void open_gate(Cycle now);
  PassingWords sent_words() const;
  PassingWords received_words(const WriterStream& writer) const;
  /// Bytes of a train as they are behind own boxes: of those that words leave by, or come by.
  void pass_sent(const ReaderStream& reader, OptwebTrain& train);
  void pass_received(const WriterStream& writer, OptwebTrain& train);
  void fetch_links(std::size_t reader, void (LinkIp::*fetch)() const);
  void start(Cycle now);
  void stream_ends(Cycle now, std::uint32_t reader);
  void last_word(Cycle now, std::uint32_t port);
  std::shared_ptr<const optweb::StreamTime> stream_time(const ReaderStream& reader, Cycle begin) const;
  void sent_counted(const WordRoute& route);
  void received_counted(const WordRoute& route);
  Cycle notify(NodeId to, OptwebNotificationKind kind, Cycle now);
  Cycle notify_sources(OptwebNotificationKind kind, Cycle now);
  void give_up(Cycle now) const;
  std::vector<optweb::LinkTimeline::Stop> gaps(const OptwebTrain& train) const;
  optweb::WordRate path_pace(const ReaderStream& reader) const;
  optweb::WordRate stream_pace(const ReaderStream& reader) const;
  optweb::WordRate memory_pace(const ReaderStream& reader) const;
  void turn(std::uint32_t reader, Cycle now);
  void feed(std::uint32_t reader, Cycle now);
  Cycle feed_end(std::uint32_t reader, Cycle now) const;
  void feed_ends(std::uint32_t reader, Cycle now);
  Cycle stream_end(std::uint32_t reader, Cycle now) const;
  void open_writer(std::uint32_t port);
  void match(std::uint32_t port);
  void match_all();
  using Trains = boost::container::small_vector<const OptwebTrain*, 4>;
  /// Units taken at boundary `last`. `check`: whether what has waited meanwhile has fitted into the buffers.
  optweb::WideInteger taken(const WriterStream& writer, const Trains& trains, Cycle from, Cycle last,
                            bool check = true) const;
  using Gaps = std::vector<optweb::LinkTimeline::Stop>;
  optweb::WideInteger arrived(const OptwebTrain& train, Cycle at, const Gaps& gaps) const;
  void drain(const WriterStream& writer, Cycle since, optweb::WideInteger left);
  void redrain(const WriterStream& writer, Cycle now);
  void plan_counting(const WriterStream& writer);
  /// Of the words from a port so many wait. `late`: of all trains that with the fewest words so far; `host`: the host
  /// has slowed the writer down.
  void check_buffer(std::uint32_t port, std::uint64_t waiting, const OptwebTrain& late, bool host) const;
  void counted(Cycle now, std::uint32_t port);
  void reduced(Cycle now, std::uint32_t port_of_first);
  void deliver(Cycle now, std::uint32_t port, const Arrival& arrival);
  void complete_receipt(Cycle now);
  void finish_part(Cycle boundary);
  std::vector<std::uint32_t> ports_by_node() const;
  OptwebNotificationKind expected_kind(std::uint32_t awaited) const;

  // Records of the states of the boxes, only while somebody wants them.
  using State = OptwebBoxState;
  /// Boundary from which on words of a writer pass, with the node whose words were the last to come; nothing: some have
  /// not begun to come.
  struct Opening {
    Cycle from = 0;
    NodeId last = kNoId;
  };
  void record_paths(Cycle now);
  void record_gate(Cycle open);
  void record_start(Cycle now);
  void record_turn(std::uint32_t reader, Cycle now);
  void record_read(std::uint32_t reader, Cycle now);
  /// The words of a writer, or of a reduction, have left the buffers at `out` and are counted now.
  void record_written(const WriterStream& writer, Cycle out, Cycle now);
  void record_arrival(std::uint32_t port, const Arrival& arrival, const Opening& opening, Cycle out);
  void record_done(Cycle now);
  State pace_state(const ReaderStream& reader) const;
  /// Boundary at which the words of a reader stand before the links.
  Cycle stand() const { return stand_; }
  std::optional<Opening> opening(std::uint32_t port) const;
  /// The oldest transfer of a port as its words up to boundary `at` show it.
  OptwebTrain known(std::uint32_t port, Cycle at) const;
  /// Words of a reader's stream that have passed the gate; of a writer's that have left the buffer at boundary `at`.
  std::uint64_t words_gone(std::size_t reader) const;
  std::uint64_t words_gone(const WriterStream& writer, Cycle at) const;

  NodeClock& clock_;
  const OptwebParameters& parameters_;
  NodeId node_;
  optweb::Neighbours neighbours_;
  std::uint32_t own_;  // the port of the node itself
  MDmac& dmac_;
  const Hbm& memory_;
  const OptwebNames& names_;
  const OptwebObservers& observers_;
  const BoxRecorder boxes_;
  LinkSide links_;
  struct Modules {
    std::unique_ptr<ControlRegisterIf> control;
    std::unique_ptr<DistributorsIf> distributors;
    std::unique_ptr<SelectorsIf> selectors;
    std::unique_ptr<GateIf> gate;
    std::unique_ptr<WordCountersIf> sent_counters;
    std::unique_ptr<NotificationRegistersIf> notifications;
    std::unique_ptr<ReceiveBuffersIf> buffers;
    std::unique_ptr<CrossbarIf> crossbar;
    std::unique_ptr<ReductionUnitIf> reduction;
    std::unique_ptr<WordCountersIf> received_counters;
    WordBoxes sent;
    WordBoxes received;
  };
  Modules modules_;
  /// Word counters' signal, of either side.
  struct Counted final : CountedWordsIf {
    Counted(DistributedSwitch& owner, void (DistributedSwitch::*counts)(const WordRoute&))
        : owner_(owner), counts_(counts) {}
    void counted(const WordRoute& route) override { (owner_.*counts_)(route); }

   private:
    DistributedSwitch& owner_;
    void (DistributedSwitch::*counts_)(const WordRoute&);
  };
  Counted sent_counted_{*this, &DistributedSwitch::sent_counted};
  Counted received_counted_{*this, &DistributedSwitch::received_counted};
  std::unique_ptr<optweb::SwitchControlIf> decisions_;
  optweb::ControlWord word_;  // kept, so that its lists are not allocated for each instruction

  // The instruction under way.
  bool paths_set_ = false;
  DmacPlan plan_;
  Cycle set_ = 0;
  Cycle stand_ = 0;
  std::vector<std::uint32_t> outputs_;  // of a route, kept so that it is not allocated for each
  std::vector<Expected> expected_;      // by port
  std::uint32_t parts_ = 0;             // what has to be finished before the instruction is
  std::vector<bool> unsent_;            // by port: a notification that the link does not take any more
  std::vector<Cycle>
      stream_due_;             // by place in plan_.readers: when its end is looked at; -1: it has not begun or is over
  std::vector<Drain> drains_;  // by port; of a reduction that of its first writer
  Cycle finish_ = 0;
  std::uint32_t using_ = 0;       // notifications awaited from the port of the one being used, with it
  std::optional<Cycle> opening_;  // of the gate, as it has said
  std::optional<Cycle> sent_;
  std::optional<Cycle> received_;

  // With link.serial.fifo: words of readers that enter the FIFOs of their links.
  struct Feed {
    optweb::FifoFeed words;
    std::vector<std::uint32_t> ports;  // of links
  };
  optweb::WideInteger least_passed(const Feed& feed, Cycle at) const;
  std::vector<Feed> feeds_;              // by place in plan_.readers, of the instruction that began words last
  std::vector<std::uint64_t> most_fed_;  // by port

  // For records and waves.
  Cycle issued_ = 0;
  Cycle cleared_ = -1;         // the last instruction was over in this cycle
  std::optional<Cycle> open_;  // the gate lets words pass from here on
  NodeId last_ready_ = kNoId;  // of those in the same cycle the highest, whichever comes first
  Cycle last_ready_at_ = -1;
  struct Piece {  // of a stream, at one pace
    Cycle since = 0;
    State state = State::words;
  };
  std::vector<Piece> pieces_;                // by place in plan_.readers
  mutable std::vector<std::uint64_t> most_;  // by port: words that have waited in its buffer at a time
  std::vector<Cycle> emptied_;               // by port: the last transfer has left its buffer
};

}  // namespace weft
