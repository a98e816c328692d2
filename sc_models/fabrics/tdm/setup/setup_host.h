#pragma once
// Host of a FiC network with circuits that come and go: its flows' sources, the sinks of the flows that end here, data
// and control sockets to its switch, for each link that it has there. A circuit has one of these links: the one with
// which its route begins, and with which it ends. Its words and all messages about it take that one.
//
// A word that leaves in cycle t is in the switch's register in the same cycle; messages of the setup protocol take
// max(1, pipeline) cycles each way; an adapter on the link adds its delay to both. What comes in during a cycle is
// dealt with at its end: arrived words first, then messages, then the flows that are due; what they send leaves in the
// same cycle on the control channel and from the next cycle on as words.

#include <map>
#include <memory>
#include <set>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/protocol.h"
#include "fabrics/tdm/setup/flow_source.h"
#include "fabrics/tdm/setup/flow_words.h"
#include "fabrics/tdm/setup/link_availability.h"
#include "fabrics/tdm/setup/message.h"
#include "kernel/clock_domain.h"

namespace weft {

/// Words of one flow that have arrived at a destination.
struct ArrivedWords {
  std::uint64_t received = 0;  ///< each once and in order
  std::uint64_t dropped = 0;   ///< others
  Cycle first_word = -1;       ///< cycle in which the first one came, -1: none
  Cycle last_delivery = -1;    ///< cycle in which a message was last completed, -1: none
};

class SetupHost : public sc_core::sc_module, public TdmReceiver, public SetupReceiver, public Agent {
 public:
  /// Common state of the hosts of a network.
  struct Network {
    ClockDomain& domain;
    const SetupTiming& timing;
    LinkAvailability& links;
    const Observers& observers;
    CircuitRuns& runs;
    const std::vector<bool>& broken;  ///< flows that a failure has hit
    bool failures = false;            ///< something is going to fail
    bool divided = false;             ///< other ranks have other parts of the network
  };
  /// Both ends of the control channels to the switch, one beside each link.
  struct Control {
    explicit Control(SetupHost& owner) : owner_(owner) {}
    SetupInPort& in(std::uint32_t link) { return owner_.wires_[link]->control_in; }
    SetupOutPort& out(std::uint32_t link) { return owner_.wires_[link]->control_out; }

   private:
    SetupHost& owner_;
  };
  SetupHost(sc_core::sc_module_name name, NodeId node, const Graph& graph, const Network& network);

  TdmInPort& in(std::uint32_t link) { return wires_[link]->in; }
  TdmOutPort& out(std::uint32_t link) { return wires_[link]->out; }
  Control& control() { return control_; }

  void add_source(const TimedFlow& flow, std::uint32_t index, FlowSource::Routes routes, const RetryPolicy& policy);
  /// `index`: of this node among the destinations of the flow.
  void add_sink(std::uint32_t flow, std::size_t index);
  /// A message of a flow that begins here, now.
  void submit(std::uint32_t flow, std::uint32_t words);
  FlowSource& source(std::uint32_t flow) { return *sources_.at(flow); }
  /// Call before the first cycle.
  void begin();
  /// The link to port `port` of the switch has failed, in this cycle.
  void link_failed(Cycle now, PortId port, std::uint32_t fault);
  void link_restored(Cycle now);

  const std::map<std::uint32_t, std::unique_ptr<FlowSource>>& sources() const { return sources_; }
  std::uint64_t received(std::uint32_t flow) const { return sinks_.at(flow)->words.received(); }
  std::uint64_t dropped(std::uint32_t flow) const { return sinks_.at(flow)->words.dropped(); }
  /// Cycle in which the first word of the flow arrived, -1: none.
  Cycle first_word(std::uint32_t flow) const { return sinks_.at(flow)->words.first_word(); }
  /// Cycle in which a message of the flow was last completed, -1: none.
  Cycle last_delivery(std::uint32_t flow) const { return sinks_.at(flow)->last_delivery; }
  ArrivedWords arrived(std::uint32_t flow) const {
    return {received(flow), dropped(flow), first_word(flow), last_delivery(flow)};
  }
  /// Cycle in which a word or message last arrived.
  Cycle last_event() const { return last_event_; }

  void receive(PortId in, const TdmTransfer& transfer) override;
  void receive(PortId in, const SetupMessage& message) override;
  void due(Cycle now, std::uint32_t token) override;

 private:
  enum Token : std::uint32_t { kTrains, kEnd };
  struct Arrived {
    SetupMessage message;
    std::uint32_t wire = 0;  // over which it came
  };
  struct Sink {
    FlowSink words;
    Cycle last_delivery = -1;
    std::vector<Arrived> releases;  // not answered yet
  };
  // A link to the switch.
  struct Wire {
    Wire(SetupHost& owner, std::uint32_t number, LinkId own, LinkId injection, const SetupTiming& timing)
        : link(own),
          adapter(timing.adapter(injection)),
          control_way(timing.host_way(injection)),
          in(static_cast<TdmReceiver&>(owner), static_cast<PortId>(number)),
          control_in(static_cast<SetupReceiver&>(owner), static_cast<PortId>(number)) {}
    LinkId link;        // the number under which links_ knows it
    Cycle adapter;      // what one adds to the link
    Cycle control_way;  // cycles of the control channel
    TdmInPort in;
    TdmOutPort out;
    SetupInPort control_in;
    SetupOutPort control_out;
    std::vector<Train> on_it;  // of which a word may still be before the switch; kept where a failure can find some
  };
  void announce_trains(Cycle now);
  void end_of_cycle(Cycle now);
  void take_words(Cycle now, std::uint32_t flow);
  void for_sink(Cycle now, const SetupMessage& message, std::uint32_t wire);
  void expect_release(Cycle now, std::uint32_t flow, Sink& sink);
  void answer(const SetupMessage& message, std::uint32_t wire, SetupMessage::Kind kind, std::uint64_t words);
  void send(SetupMessage message, std::uint32_t wire);
  void send_cut(const TrainCut& cut, std::uint32_t wire);
  void lose_words_under_way(Cycle now, Wire& wire, std::uint32_t fault);
  std::uint32_t first_wire(const CircuitRoute& route) const { return route.hops.front().in - first_port_; }
  void plan_end(Cycle cycle);
  void plan_train(FlowSource& source, std::uint32_t flow);

  NodeId node_;
  PortId first_port_;  // of the switch
  Network net_;
  std::vector<std::unique_ptr<Wire>> wires_;
  Control control_;
  std::map<std::uint32_t, std::unique_ptr<FlowSource>> sources_;
  std::map<std::uint32_t, std::unique_ptr<Sink>> sinks_;
  std::map<Cycle, std::vector<Arrived>> messages_;      // by arrival
  std::map<Cycle, std::set<std::uint32_t>> words_due_;  // flows of which a train ends
  std::map<Cycle, std::set<std::uint32_t>> flows_due_;
  std::map<Cycle, std::set<std::uint32_t>> trains_due_;  // flows of which a train begins
  std::set<Cycle> ends_planned_;
  bool restored_ = false;
  Cycle last_event_ = 0;
};

}  // namespace weft
