#pragma once
// A whole FiC network in which circuits come and go while data flows: switches with their setup units, hosts with their
// flows, data links and a control channel beside each, links and switches that fail and recover.

#include <map>
#include <memory>
#include <systemc>
#include <vector>

#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/setup/ranks/setup_cut.h"
#include "fabrics/tdm/setup/ranks/setup_results.h"
#include "fabrics/tdm/setup/setup_blocks.h"
#include "fabrics/tdm/setup/setup_host.h"
#include "fabrics/tdm/setup/setup_unit.h"
#include "fabrics/tdm/setup/timed_flow.h"
#include "fabrics/tdm/tdm_switch.h"
#include "kernel/clock_domain.h"
#include "kernel/link_adapter.h"
#include "network/graph.h"
#include "parallel/part.h"

namespace weft {

/// Requests of the sources, and failures.
struct SetupPlan {
  std::vector<TimedFlow> flows;
  /// Per flow, at least one; the routes to each destination are equally long in all, and destinations are those of the
  /// flow, in its order.
  std::vector<FlowSource::Routes> routes;
  std::vector<Fault> faults;
};

class SetupNetwork : public sc_core::sc_module, public Agent, public ObservedNetwork {
 public:
  /// `config` says what switches and setup are like; all references must outlive the network. Of several ranks each
  /// builds the switches and hosts of its part.
  SetupNetwork(sc_core::sc_module_name name, ClockDomain& domain, const TdmConfig& config, const Graph& graph,
               const SetupPlan& plan, SetupBlockFactory& factory, Part part = {});
  ~SetupNetwork() override;

  ClockDomain& domain() { return domain_; }
  const ClockDomain& domain() const { return domain_; }
  const SetupTiming& timing() const { return timing_; }
  const SetupPlan& plan() const { return plan_; }
  // Of a part, those that are there.
  SetupUnit& unit(SwitchId sw) { return *units_[sw]; }
  const FlowSource& source(std::uint32_t flow) const;
  bool has_source(std::uint32_t flow) const { return hosts_[plan_.flows[flow].source] != nullptr; }
  SetupHost& host(NodeId node) { return *hosts_[node]; }
  /// `index`: of the destination in the flow.
  const SetupHost& destination(std::uint32_t flow, std::size_t index = 0) const {
    return *hosts_[plan_.flows[flow].destinations[index]];
  }
  /// Of a part, at the end of the run: what all parts say of their flows, words and failures is known here.
  void collect();

  // Of all parts once collected.
  const FlowLog& log(std::uint32_t flow) const;
  std::uint64_t words_offered(std::uint32_t flow) const;
  /// To one destination, by index.
  ArrivedWords arrived(std::uint32_t flow, std::size_t index) const;
  /// Words that have arrived, each once and in order, summed over the destinations.
  std::uint64_t received(std::uint32_t flow) const;
  std::uint64_t dropped(std::uint32_t flow) const;
  /// Cycle in which a destination last completed a message, -1: none.
  Cycle last_delivery(std::uint32_t flow) const;
  /// The last cycle in which there was something to do; on several ranks on any of them, which they all ask.
  Cycle last_busy() const;
  const CircuitRuns& runs() const { return runs_; }
  /// Latencies, of messages that are generated in a window.
  WindowedStats& latencies() { return runs_.times(); }
  /// Told of the messages of all flows; before time begins, at most one.
  void listen(FlowListener& listener) { runs_.listen(listener); }
  /// Cycle of the last failure, repair, message of the protocol, table change or word that arrived. The clock may go on
  /// a little longer, by how much depends on how the data path is modelled.
  Cycle last_event() const;
  /// Something is down at present.
  bool any_down() const;
  /// The link of the node is down, and will not be repaired.
  bool cut_off(NodeId node) const;
  /// All links of a node to its switch have failed.
  bool without_links(NodeId node) const;
  /// A failure will be repaired after cycle `now`.
  bool repairs_after(Cycle now) const;
  /// A failure has taken a circuit of the flow.
  bool broken(std::uint32_t flow) const { return broken_[flow]; }

  std::string path() const override { return name(); }
  void add_observer(TdmObserver& observer) override { observers_.add(observer); }
  void observe_cycles(std::function<Cycle(Cycle)> wants) override;
  /// Slot LUTs and tables against the circuits the switches know; empty when they agree.
  std::string inconsistency();
  /// The same when nothing is left to happen: every flow is finished, given up or cut off, and no slot is held. Of a
  /// part it collects first.
  std::string leftovers();
  std::string describe_run(MessageId run) const;

  void due(Cycle now, std::uint32_t token) override;

 private:
  enum Token : std::uint32_t { kFaults, kRestored };
  struct FaultEvent {
    const Fault* fault;
    bool repair;
  };
  void start_of_simulation() override;
  void cut();
  void fault_events(Cycle now);
  void mark_words_under_way(const std::vector<LinkId>& links);
  bool under_way(std::uint32_t flow) const;
  void ask_what_is_over();
  void tell_broken();
  std::string leftovers_here();
  void restored_links(Cycle now);
  std::vector<LinkId> links_of(const Fault& fault) const;
  std::string unaccounted() const;
  std::uint32_t index_of(const Fault& fault) const;
  void fail(Cycle now, const Fault& fault);
  void silence(Cycle now, LinkId link);
  template <class Visit>
  void for_each_end(LinkId link, Visit&& visit) const;

  const Graph& graph_;
  const SetupPlan& plan_;
  const Part part_;
  const std::vector<Cycle> delays_;  // of adapters, by directed link
  SetupTiming timing_;
  ClockDomain& domain_;
  Observers observers_;  // has a hook at the domain
  LinkAvailability links_;
  CircuitRuns runs_;
  std::vector<bool> broken_;
  std::vector<std::unique_ptr<TdmSwitch>> switches_;
  std::vector<std::unique_ptr<SetupUnit>> units_;
  std::vector<std::unique_ptr<SetupHost>> hosts_;
  LinkAdapters<TdmProtocol> adapters_;  // of the words; messages know the length of their way
  Cycle last_fault_event_ = 0;
  std::map<Cycle, std::vector<FaultEvent>> events_;
  std::map<Cycle, std::vector<LinkId>> restored_;
  // Of a part.
  std::unique_ptr<SetupCut> cut_;
  std::vector<std::vector<MessageId>> over_;  // per flow from here: as CircuitRuns::over(), of all ranks
  std::unique_ptr<SetupResults> results_;     // of all parts, once collected
};

}  // namespace weft
